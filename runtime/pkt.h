/* pkt.h - the runtime of pktc: reading and writing bit streams in memory, errors, CRC-32 and UTF-8.
 * SPDX-License-Identifier: MIT
 *
 * A program that uses generated code needs only pkt_platform.h and pkt_stream.h. The other headers are for generated
 * code. The runtime knows no schema, has no global variables that change, and allocates no memory except the buffer of
 * a growing writer. It is C99 that also compiles as C++11, and needs the C standard library alone.
 *
 * Read pkt_platform.h, pkt_stream.h, pkt_packet.h and pkt_datagram.h first, then the headers that pkt_codec.h lists, in its order. The .c
 * files are at the end, in their order.
 */
#include "pkt_platform.h"
#ifdef __cplusplus
PKT_C_CASTS
#endif
#include "pkt_condition.h"
#include "pkt_datagram.h"
#include "pkt_packet.h"
#include "pkt_stream.h"

/* A generated file defines PKT_WITH_CODEC and others before it includes this header: PKT_WITH_REFLECT, for example,
 * which NAME_reflect.h defines. Other files compile faster without these headers. A single file of the program, pkt.c,
 * defines PKT_IMPLEMENTATION, which gives it all of them and the functions of the runtime; the library libpkt.a has each
 * .c file by itself. */
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
#include "pkt_replay.h"
#endif
#if defined(PKT_WITH_UPGRADE) || defined(PKT_IMPLEMENTATION)
#include "pkt_upgrade.h"
#endif

/* The pkt.h that pktc writes leaves out of pkt.c the parts that no generated file beside it needs: it defines
 * PKT_WITHOUT_FIT, for example. A file from another directory may need one. */
#if (defined(PKT_WITHOUT_ROTATION) && defined(PKT_WITH_ROTATION)) ||                                                \
    (defined(PKT_WITHOUT_SUBSET) && defined(PKT_WITH_SUBSET)) ||                                                    \
    (defined(PKT_WITHOUT_DELTA) && defined(PKT_WITH_DELTA)) ||                                                      \
    (defined(PKT_WITHOUT_CODED) && defined(PKT_WITH_CODED)) ||                                                      \
    (defined(PKT_WITHOUT_PREDICT) && defined(PKT_WITH_PREDICT)) ||                                                  \
    (defined(PKT_WITHOUT_FIT) && defined(PKT_WITH_FIT)) || (defined(PKT_WITHOUT_SEED) && defined(PKT_WITH_SEED)) || \
    (defined(PKT_WITHOUT_DATAGRAM) && defined(PKT_WITH_DATAGRAM)) ||                                                \
    (defined(PKT_WITHOUT_REFLECT) && defined(PKT_WITH_REFLECT)) ||                                                  \
    (defined(PKT_WITHOUT_CAPTURE) && defined(PKT_WITH_CAPTURE))
#error "this file needs a part of the runtime that pkt.c lacks: pktc --runtime writes a pkt.c with all parts"
#endif

#if defined(PKT_IMPLEMENTATION) && !defined(PKT_IMPLEMENTED)
#define PKT_IMPLEMENTED
#include "pkt_stream.c"
#include "pkt_crc32.c"
#include "pkt_hash.c"
#include "pkt_text.c"
#include "pkt_stream_frame.c"
#include "pkt_frame.c"
#include "pkt_number.c"
#include "pkt_value.c"
#include "pkt_explain.c"
#ifndef PKT_WITHOUT_ROTATION
#include "pkt_rotation.c"
#endif
#ifndef PKT_WITHOUT_SUBSET
#include "pkt_subset.c"
#endif
#ifndef PKT_WITHOUT_DELTA
#include "pkt_delta.c"
#include "pkt_explain_delta.c"
#endif
#ifndef PKT_WITHOUT_CODED
#include "pkt_coder.c"
#include "pkt_coder_row.c"
#include "pkt_coder_elements.c"
#endif
#ifndef PKT_WITHOUT_PREDICT
#include "pkt_predict.c"
#endif
#ifndef PKT_WITHOUT_FIT
#include "pkt_fit.c"
#endif
#ifndef PKT_WITHOUT_SEED
#include "pkt_seed.c"
#endif
#ifndef PKT_WITHOUT_DATAGRAM
#include "pkt_datagram.c"
#endif
#ifndef PKT_WITHOUT_REFLECT
#include "pkt_reflect.c"
#endif
#ifndef PKT_WITHOUT_CAPTURE
#include "pkt_capture.c"
#include "pkt_replay.c"
#endif
#include "pkt_left_out.h"
#endif
#ifdef __cplusplus
PKT_C_CASTS_END
#endif
