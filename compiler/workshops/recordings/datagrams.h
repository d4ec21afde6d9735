/* datagrams.h - recognizes the datagrams of a recording, and decodes them.
 * SPDX-License-Identifier: MIT
 *
 * A packet, as T_pack makes it, is known by its crc. A frame around a stream is known by its end check, because the
 * seed of its crc is often a secret of the session; its crc is checked if the seed is given. So is a packet with @seed, and one
 * with parts, whose seed also has the baselines in it. A stream without a frame cannot be recognized: it is tried last.
 * If there are several releases of one protocol, and no crc tells which one it is, an earlier datagram of the same two
 * ends does: see spoken.h.
 *
 * If the list of a stream gives a value a number (see stream_list.h), the value is kept for later deltas. So are the
 * parts of packets. Only the last ones of each sender and receiver are kept.
 */
#ifndef PKTC_DATAGRAMS_H
#define PKTC_DATAGRAMS_H

#include "codec/codec.h"
#include "codec/codec_kept.h"
#include "recordings/recording.h"
#include "recordings/stream_then.h"

typedef struct datagrams_request {
    const schema *const *schemas;
    size_t schema_count;
    const char *const *streams; /* "NAME=LIST" in a frame, or "LIST" without one */
    size_t stream_count;
    const schema *const
        *naming; /* those in whose names `streams` are, if not those of `schemas` alone, which are in it; or NULL */
    size_t naming_count;
    list_use use;  /* LIST_OF_NEWEST: datagrams_then is called */
    uint64_t seed; /* of frames, and of packets with parts or @seed; 0: not given */
} datagrams_request;

typedef struct datagrams datagrams;

/* NULL after an error. */
datagrams *datagrams_new(arena *a, diag *d, const datagrams_request *request);

/* Where the values for later deltas are kept. */
kept_values *datagrams_kept(const datagrams *g);

/* Lets both keep their values together, in the bytes that one may have. g has none yet; `with` is freed last. */
void datagrams_share(datagrams *g, const datagrams *with);

/* The same packets and frames in an older version, found by name. It shares with `now`. */
datagrams *datagrams_then(arena *a, const datagrams *now, const old_version *version);

/* How a datagram was recognized, from not at all to surely. */
typedef enum recognition {
    RECOGNIZED_NOT,
    RECOGNIZED_BARE,   /* it may be a stream without a frame */
    RECOGNIZED_END,    /* by its end check, which is the same in all versions */
    RECOGNIZED_NAME,   /* it names a baseline that is not known, so its crc may be right */
    RECOGNIZED_STABLE, /* by its crc, which is the same in all releases that have the @stable packet */
    RECOGNIZED_CRC     /* by its crc, which tells the release */
} recognition;
recognition datagrams_recognize(datagrams *g, arena *scratch, const datagram *d);

typedef struct decoded {
    const char *name; /* of the packet or frame; "" for a stream without one; NULL: not recognized */
    const schema *schema;
    bases *bases;     /* of the schema */
    const decl *decl; /* of a packet, which has `value`; NULL: a stream */
    datum value;
    codec_part *parts;        /* of a packet; or the values of a stream, also those before an error */
    const field *start_of;    /* a frame that has the start value of this part; or NULL */
    const codec_part *unread; /* those whose baseline is not in the recording: see codec_error */
    uint64_t seed;            /* of its crc; 0: none, or not known */
    bool unchecked;           /* it is not known */
    const char *refused;      /* why it could not be decoded, or NULL */
} decoded;

/* Decodes a datagram. Everything in *result is valid until scratch is cleared or the next one is
 * read. trace: as in codec_options. */
void datagrams_read(datagrams *g, arena *scratch, const datagram *from, codec_trace *trace, void *user,
                    decoded *result);

/* The same in two steps: datagrams_decode keeps no value. */
void datagrams_decode(datagrams *g, arena *scratch, const datagram *from, codec_trace *trace, void *user,
                      decoded *result);
void datagrams_keep(datagrams *g, const datagram *from, const decoded *result);

/* A packet can have several parts of the same type, each with numbers of its own: how many of them are before this part.
 * 0 in a stream. */
uint32_t datagrams_place(const codec_part *p);

/* The bytes of a datagram between the sender and the receiver of `as`. NULL with *refused if it cannot be written. The
 * baselines of a packet's parts are those that were kept. */
const uint8_t *datagrams_write(datagrams *g, arena *scratch, const datagram *as, const decoded *from, size_t *size,
                               const char **refused);

/* How many datagrams were complete, how many of them were not recognized, how many could be of several releases, and how
 * many were each frame of the request, in its order. These add up. */
enum { SEEN_WHOLE, SEEN_UNKNOWN, SEEN_UNSURE, SEEN_FRAMES };
size_t datagrams_seen_count(const datagrams_request *request);
void datagrams_seen(const datagrams *g, uint64_t *seen);
void datagrams_see(datagrams *g, const uint64_t *seen);

/* Warns if datagrams could be of several releases; and if some were not recognized and the request may be the cause: it
 * names no frames, or one that never came. */
void datagrams_warn(const datagrams *g);

/* Warns of so many datagrams that could be of several releases; of none, it says nothing. */
void datagrams_warn_unsure(diag *d, uint64_t count);

/* Calls visit for each type whose values datagrams can be or have: those in streams, and then packets. A type can come
 * several times. */
typedef void datagram_type_visitor(void *user, const schema *s, const decl *d, bool in_stream);
void datagrams_types(const datagrams *g, datagram_type_visitor *visit, void *user);

/* Frees the memory that is not in the arena. */
void datagrams_free(datagrams *g);

#endif
