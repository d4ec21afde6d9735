/* pkt.h - the runtime of pktc: reading and writing bit streams in memory, errors, CRC-32 and UTF-8.
 * SPDX-License-Identifier: MIT
 *
 * A program that uses generated code needs only pkt_platform.h and pkt_stream.h. The other headers are for generated
 * code. The runtime knows no schema, has no global variables that change, and allocates no memory except the buffer of
 * a growing writer. It is C99 that also compiles as C++11, and needs the C standard library alone.
 *
 * Read pkt_platform.h and pkt_stream.h first, then the headers that pkt_codec.h lists, in its order. The .c files are at
 * the end, in their order.
 */
#include "pkt_stream.h"

/* NAME_codec.h defines PKT_WITH_CODEC before it includes this header, NAME_reflect.h defines PKT_WITH_REFLECT,
 * NAME_capture.h defines PKT_WITH_CAPTURE, and NAME_upgrade.c defines PKT_WITH_UPGRADE. Other files compile faster
 * without these parts. A single file of the program, pkt.c, defines PKT_IMPLEMENTATION, which gives it these parts and
 * the functions of the runtime; the library libpkt.a has each .c file by itself. */
#if defined(PKT_WITH_CODEC) || defined(PKT_WITH_REFLECT) || defined(PKT_IMPLEMENTATION)
#include "pkt_type.h"
#endif
#if defined(PKT_WITH_CODEC) || defined(PKT_IMPLEMENTATION)
#include "pkt_codec.h"
#endif
#if defined(PKT_WITH_REFLECT) || defined(PKT_IMPLEMENTATION)
#include "pkt_reflect.h"
#endif
#if defined(PKT_WITH_CAPTURE) || defined(PKT_IMPLEMENTATION)
#include "pkt_capture.h"
#endif
#if defined(PKT_WITH_UPGRADE) || defined(PKT_IMPLEMENTATION)
#include "pkt_upgrade.h"
#endif

#if defined(PKT_IMPLEMENTATION) && !defined(PKT_IMPLEMENTED)
#define PKT_IMPLEMENTED
#include "pkt_stream.c"
#include "pkt_crc32.c"
#include "pkt_hash.c"
#include "pkt_text.c"
#include "pkt_framed.c"
#include "pkt_frame.c"
#include "pkt_number.c"
#include "pkt_rotation.c"
#include "pkt_subset.c"
#include "pkt_value.c"
#include "pkt_explain.c"
#include "pkt_delta.c"
#include "pkt_coder.c"
#include "pkt_coder_row.c"
#include "pkt_coder_elements.c"
#include "pkt_explain_delta.c"
#include "pkt_predict.c"
#include "pkt_fit.c"
#include "pkt_reflect.c"
#include "pkt_capture.c"
#endif
