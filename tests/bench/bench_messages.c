/* bench_messages.c - the contenders for messages.pkt: the article's code, generated code, memcpy, and installed
 * libraries.
 * SPDX-License-Identifier: MIT
 *
 * To add a message, add a line to PLAIN_MESSAGES.
 */
#include "bench.h"
#include "messages.h"

#include <string.h>

#include "article_messages.h"

/* The article's code for Kept is that for Subset, except that it clears nothing. */
static void fill_Kept(Kept *v, uint64_t seed)
{
    Subset same;
    fill_Subset(&same, seed);
    memcpy(v, &same, sizeof *v);
}

AB_INLINE size_t pack_Kept(const Kept *v, void *data, size_t size)
{
    return pack_Subset((const Subset *)(const void *)v, data, size);
}

AB_INLINE bool unpack_Kept(Kept *v, const void *data, size_t size)
{
    ab_reader r;
    int32_t index = -1;
    ab_reader_init(&r, data, size);
    memset(v->objects_present, 0, sizeof v->objects_present);
    while (ab_read_relative(&r, index, &index, 4096)) {
        if (index == 4096)
            return true;
        if (!read_Small(&r, &v->objects[index]))
            return false;
        v->objects_present[index / 64] |= (uint64_t)1 << (index % 64);
    }
    return false;
}

/* Name, type, an expression that fills v and base from i; then the goals for the ratio of the article's time to that of
 * generated code: gcc write, gcc read, clang write, clang read. */
#define PLAIN_MESSAGES(X)                                                   \
    X(Mixed, Mixed, fill_Mixed(v, i), 1.05, 1.3, 1.05, 1.25)                \
    X(Mixed_varied, Mixed, fill_Mixed_varied(v, i), 0.95, 0.95, 0.95, 0.95) \
    X(Ints, Ints, fill_Ints(v, i), 0.95, 1.2, 0.95, 1.2)                    \
    X(Bits, Bits, fill_Bits(v, i), 0.95, 1.2, 0.95, 1.2)                    \
    X(Input, Input, fill_Input(v, i), 0.95, 1.2, 0.95, 1.2)                 \
    X(Packet, Packet, fill_Packet(v, i), 0.95, 1.2, 0.95, 1.2)              \
    X(Ship, Ship, fill_Ship(v, i), 0.95, 1.2, 0.95, 1.2)                    \
    X(Chat, Chat, fill_Chat(v, i), 0.95, 3, 0.95, 3)                        \
    X(Object, Object, fill_Object(v, i), 0.95, 0.95, 0.95, 0.95)            \
    X(ObjectArray, ObjectArray, fill_ObjectArray(v, i), 1.6, 1.6, 1.2, 1.7) \
    X(Scalars7, Scalars7, fill_Scalars7(v, i), 2, 2, 2, 2)                  \
    X(Scalars11, Scalars11, fill_Scalars11(v, i), 2, 2, 2, 2)               \
    X(Subset, Subset, fill_Subset(v, i), 2.5, 2.5, 2.5, 2.5)                \
    X(Kept, Kept, fill_Kept(v, i), 2.5, 2.5, 2.5, 2.5)                      \
    X(Rotations, Rotations, fill_Rotations(v, i), 1.4, 3, 1.4, 3)           \
    X(DeltaObject, DeltaObject, fill_DeltaObject(v, i), 0.95, 0.95, 0.95, 0.95)

/* Messages sent as deltas. Their floats are values that a reader gets, so that they are equal if their codes are. */
#define DELTA_MESSAGES(X)                                                                        \
    X(Delta, DeltaObject,                                                                        \
      (fill_DeltaObject(base, i), DeltaObject_quantize(base), fill_DeltaObject_next(v, base, i), \
       DeltaObject_quantize(v)),                                                                 \
      3, 4, 3, 4)

/* Generated code is called as programs do it, with one message in each buffer: the body alone, like the article's; in a
 * stream of its own; as a packet. */
#define MESSAGE(NAME, TYPE, FILL, ARTICLE_WRITE, ARTICLE_READ, BODY, FROM_BODY, WRITE, READ, PACK, UNPACK, same_bytes) \
    static inline size_t stream_##NAME##_write(const TYPE *base, const TYPE *v, uint8_t *to)                           \
    {                                                                                                                  \
        pkt_writer w;                                                                                                  \
        size_t size;                                                                                                   \
        (void)base;                                                                                                    \
        pkt_writer_init(&w, to, BENCH_BUFFER);                                                                         \
        return WRITE && pkt_writer_finish(&w, &size) ? size : 0;                                                       \
    }                                                                                                                  \
    static inline bool stream_##NAME##_read(const TYPE *base, TYPE *v, const uint8_t *from, size_t size)               \
    {                                                                                                                  \
        pkt_reader r;                                                                                                  \
        (void)base;                                                                                                    \
        pkt_reader_init(&r, from, size);                                                                               \
        return READ && pkt_reader_finish(&r);                                                                          \
    }                                                                                                                  \
    static void fill_of_##NAME(void *base_, void *value, uint64_t i)                                                   \
    {                                                                                                                  \
        TYPE *base = (TYPE *)base_, *v = (TYPE *)value;                                                                \
        (void)base;                                                                                                    \
        FILL;                                                                                                          \
    }                                                                                                                  \
    static bool equal_of_##NAME(const void *a, const void *b)                                                          \
    {                                                                                                                  \
        return TYPE##_equal((const TYPE *)a, (const TYPE *)b);                                                         \
    }                                                                                                                  \
    BENCH_CONTENDER(article, NAME, TYPE, 0, NULL, NULL, BENCH_REFUSES_CUT | BENCH_NEEDS_SLACK | same_bytes,            \
                    ARTICLE_WRITE, ARTICLE_READ)                                                                       \
    BENCH_CALLED(body, NAME, TYPE, 0, NULL, NULL, BENCH_REFUSES_CUT | same_bytes, BODY, FROM_BODY)                     \
    BENCH_CONTENDER(streams, NAME, TYPE, 0, NULL, NULL, BENCH_REFUSES_CUT | same_bytes,                                \
                    stream_##NAME##_write(base, v, to), stream_##NAME##_read(base, v, from, size))                     \
    BENCH_CALLED(framed, NAME, TYPE, 0, NULL, NULL, BENCH_REFUSES_CUT, PACK, UNPACK)                                   \
    BENCH_CONTENDER(memcpy, NAME, TYPE, 0, NULL, NULL, 0, (memcpy(to, v, sizeof *v), sizeof *v),                       \
                    (memcpy(v, from, sizeof *v), size == sizeof *v))

#define PLAIN(NAME, TYPE, FILL, ...)                                                                       \
    MESSAGE(NAME, TYPE, FILL, pack_##TYPE(v, to, BENCH_BUFFER), unpack_##TYPE(v, from, size),              \
            TYPE##_pack_body(v, to, BENCH_BUFFER), TYPE##_unpack_body(v, from, size), TYPE##_write(&w, v), \
            TYPE##_read(&r, v), TYPE##_pack(v, to, BENCH_BUFFER), TYPE##_unpack(v, from, size), BENCH_SAME_BYTES)
PLAIN_MESSAGES(PLAIN)

/* The article's deltas have other bytes: a bit before each field instead of a mask. */
#define DELTA(NAME, TYPE, FILL, ...)                                                                       \
    MESSAGE(NAME, TYPE, FILL, pack_##TYPE##_delta(base, v, to, BENCH_BUFFER),                              \
            unpack_##TYPE##_delta(base, v, from, size), TYPE##_pack_delta_body(base, v, to, BENCH_BUFFER), \
            TYPE##_unpack_delta_body(base, v, from, size), TYPE##_write_delta(&w, base, v),                \
            TYPE##_read_delta(&r, base, v), TYPE##_pack_delta(base, v, to, BENCH_BUFFER),                  \
            TYPE##_unpack_delta(base, v, from, size), 0)
DELTA_MESSAGES(DELTA)

#define ENTRY(NAME, TYPE, FILL, gcc_write, gcc_read, clang_write, clang_read) \
    {#NAME,                                                                   \
     sizeof(TYPE),                                                            \
     fill_of_##NAME,                                                          \
     equal_of_##NAME,                                                         \
     {{gcc_write, gcc_read}, {clang_write, clang_read}},                      \
     {&article_##NAME, &body_##NAME, &streams_##NAME, &framed_##NAME, &memcpy_##NAME}},
const bench_message bench_messages[] = {
    PLAIN_MESSAGES(ENTRY) DELTA_MESSAGES(ENTRY){NULL, 0, NULL, NULL, {{0, 0}, {0, 0}}, {NULL}},
};

/* peer_*.c and .cpp */
#define PEER(who) extern const bench_contender who##_Input, who##_ObjectArray, who##_Chat;
#define PEER_ENTRIES(who) {"Input", &who##_Input}, {"ObjectArray", &who##_ObjectArray}, {"Chat", &who##_Chat},
#ifdef HAVE_NANOPB
PEER(nanopb)
#endif
#ifdef HAVE_PROTOBUF_C
PEER(protobuf_c)
#endif
#ifdef HAVE_FLATBUFFERS
PEER(flatbuffers)
#endif
#ifdef HAVE_CAPNPROTO
PEER(capnproto)
#endif

const bench_peer bench_peers[] = {
#ifdef HAVE_NANOPB
    PEER_ENTRIES(nanopb)
#endif
#ifdef HAVE_PROTOBUF_C
        PEER_ENTRIES(protobuf_c)
#endif
#ifdef HAVE_FLATBUFFERS
            PEER_ENTRIES(flatbuffers)
#endif
#ifdef HAVE_CAPNPROTO
                PEER_ENTRIES(capnproto)
#endif
                    {NULL, NULL},
};
