/* pkt.h - what programs call: streams, errors, frames, texts and refs, packets with parts, printing and recordings.
 * SPDX-License-Identifier: MIT
 *
 * A program needs this header and those of its schemas. Read it from the top: first what depends on the compiler, then streams,
 * which most programs need, then the rest, each under its heading. pkt_inside.h is what generated code is made of.
 *
 * The runtime knows no schema, has no global variables that change, and allocates no memory except the buffer of
 * a growing writer. It is C99 that also compiles as C++11, and needs the C standard library alone.
 */
#include "pkt_platform.h"
PKT_C_CASTS
#include "pkt_stream.h"
#include "pkt_datagram.h"
#include "pkt_kind.h"

/* NAME_reflect.h and NAME_capture.h define PKT_WITH_REFLECT and PKT_WITH_CAPTURE. Other files compile faster without. */
#ifndef PKT_WITHOUT_REFLECT
#if defined(PKT_WITH_REFLECT) || defined(PKT_IMPLEMENTATION)
#include "pkt_reflect.h"
#endif
#endif
#ifndef PKT_WITHOUT_CAPTURE
#if defined(PKT_WITH_CAPTURE) || defined(PKT_IMPLEMENTATION)
#include "pkt_capture.h"
#include "pkt_replay.h"
#endif
#endif

#ifndef PKT_WITHOUT_FIT
#include "pkt_turns.h"
#endif

#ifndef PKT_WITHOUT_MIX
#include "pkt_mix.h"
#include "pkt_clock.h"
#endif
#ifndef PKT_WITHOUT_SAVE
#include "pkt_save.h"
#endif

#ifndef PKT_WITHOUT_DATAGRAM
#include "pkt_channel.h"
#include "pkt_handshake.h"
#include "pkt_network.h"
#ifndef PKT_WITHOUT_MIX
#include "pkt_inputs.h"
#endif
#endif

/* For generated headers. */
#include "pkt_condition.h"
#include "pkt_packet.h"

/* The runtime that pktc writes lacks the parts that no generated file beside it needs: this header then begins with
 * PKT_WITHOUT_FIT, for example. A file from another directory may need one. */
#if (defined(PKT_WITHOUT_ROTATION) && defined(PKT_WITH_ROTATION)) ||                                                \
    (defined(PKT_WITHOUT_SUBSET) && defined(PKT_WITH_SUBSET)) ||                                                    \
    (defined(PKT_WITHOUT_DELTA) && defined(PKT_WITH_DELTA)) ||                                                      \
    (defined(PKT_WITHOUT_LIST) && defined(PKT_WITH_LIST)) ||                                                        \
    (defined(PKT_WITHOUT_CODED) && defined(PKT_WITH_CODED)) ||                                                      \
    (defined(PKT_WITHOUT_PREDICT) && defined(PKT_WITH_PREDICT)) ||                                                  \
    (defined(PKT_WITHOUT_FIT) && defined(PKT_WITH_FIT)) || (defined(PKT_WITHOUT_SEED) && defined(PKT_WITH_SEED)) || \
    (defined(PKT_WITHOUT_DATAGRAM) && defined(PKT_WITH_DATAGRAM)) ||                                                \
    (defined(PKT_WITHOUT_MIX) && defined(PKT_WITH_MIX)) || (defined(PKT_WITHOUT_SAVE) && defined(PKT_WITH_SAVE)) || \
    (defined(PKT_WITHOUT_REFLECT) && defined(PKT_WITH_REFLECT)) ||                                                  \
    (defined(PKT_WITHOUT_CAPTURE) && defined(PKT_WITH_CAPTURE)) ||                                                  \
    (defined(PKT_WITHOUT_UPGRADE) && defined(PKT_WITH_UPGRADE))
#error "this file needs a part of the runtime that pkt.c lacks: pktc --runtime writes a pkt.c with all parts"
#endif
PKT_C_CASTS_END
