/* prove_datagram.h - the functions to prove for whole packets: in their frames, with a seed, with parts, of older
 * releases, and to explain a refusal.
 * SPDX-License-Identifier: MIT
 */
#ifndef PROVE_DATAGRAM_H
#define PROVE_DATAGRAM_H

static pkt_error prove_error;

/* Where a function says why it failed, or NULL. */
static pkt_error *prove_why(void)
{
    return Frama_C_interval(0, 1) != 0 ? &prove_error : NULL;
}

static uint64_t prove_seed(void)
{
    uint64_t seed;
    Frama_C_make_unknown((char *)&seed, sizeof seed);
    return seed;
}

static pkt_refs *prove_callbacks(void)
{
    return Frama_C_interval(0, 1) != 0 ? &prove_refs : NULL;
}

/* Reads arbitrary bytes with `read` into a T, and writes the result with `write`, whether the bytes were accepted or
 * not. */
#define PROVE_WHOLE_(T, what, read, write)                                               \
    PROVE_BYTES_(T##_any_##what##_read, T##_MAX_BYTES, (T * v), return read)             \
    PROVE_BYTES_(T##_any_##what##_write, T##_MAX_BYTES, (const T *v), return write != 0) \
                                                                                         \
    void prove_##T##_##what(void)                                                        \
    {                                                                                    \
        static T v;                                                                      \
        T##_init(&v);                                                                    \
        if (!T##_any_##what##_read(&v))                                                  \
            T##_init(&v);                                                                \
        T##_any_##what##_write(&v);                                                      \
    }

/* A packet: the checksum, the body and the end check. */
#define PROVE_PACKET(T) \
    PROVE_WHOLE_(T, packet, T##_unpack_error(v, data, size, prove_why()), T##_pack_error(v, data, size, prove_why()))

/* A packet with a seed. */
#define PROVE_SEEDED(T)                                                                   \
    PROVE_WHOLE_(T, datagram, T##_unpack_error(v, prove_seed(), data, size, prove_why()), \
                 T##_pack_error(v, prove_seed(), data, size, prove_why()))
#define PROVE_SEEDED_REFS(T)                                                                                     \
    PROVE_WHOLE_(T, datagram_refs, T##_unpack_refs(v, prove_seed(), data, size, prove_callbacks(), prove_why()), \
                 T##_pack_refs(v, prove_seed(), data, size, prove_callbacks(), prove_why()))

/* A packet of this release or of an older one. */
#define PROVE_VERSIONS(T)                                                             \
    PROVE_WHOLE_(T, versions, T##_unpack_any_error(v, data, size, NULL, prove_why()), \
                 T##_pack_error(v, data, size, prove_why()))

/* The names of the parts of a packet. They are set if there are enough bytes. What the packet held before does not
 * matter. */
#define PROVE_PEEK(T)                                                                                                  \
    PROVE_BYTES_(T##_any_peek, T##_MAX_BYTES, (T * head, T##_names * names), return T##_peek(head, names, data, size)) \
                                                                                                                       \
    void prove_##T##_peek(void)                                                                                        \
    {                                                                                                                  \
        T head;                                                                                                        \
        pkt_part_names names[sizeof(T##_names) / sizeof(pkt_part_names)];                                              \
        if (T##_any_peek(&head, (T##_names *)(void *)names)) {                                                         \
            /*@ loop unroll 8; */                                                                                      \
            for (unsigned i = 0; i < sizeof names / sizeof *names; i++)                                                \
                prove_names_are_set(&names[i]);                                                                        \
        }                                                                                                              \
    }

static void prove_names_are_set(const pkt_part_names *n)
{
    /*@ assert \initialized(&n->based) && \initialized(&n->moves) && \initialized(&n->number); */
    /*@ assert \initialized(&n->base) && \initialized(&n->before) && \initialized(&n->back) && \initialized(&n->gap); */
    (void)n;
}

/* Finds out why a body is refused, for arbitrary bytes, and why it cannot be written, for a buffer of any size. Nothing
 * outside of the bytes is read, and what is stored in the value and in the error is set. */
#define PROVE_EXPLAIN(T)                                                                          \
    PROVE_BYTES_(T##_any_explain_read, T##_MAX_BYTES, (T * v),                                    \
                 return pkt_unpacked(false, NULL, &T##_type_, NULL, v, data, size, &prove_error)) \
    PROVE_BYTES_(T##_any_explain_write, T##_MAX_BYTES, (const T *v),                              \
                 return pkt_packed(0, NULL, &T##_type_, NULL, v, data, size, &prove_error) != 0)  \
                                                                                                  \
    void prove_##T##_explain(void)                                                                \
    {                                                                                             \
        static T v;                                                                               \
        T##_init(&v);                                                                             \
        T##_any_explain_read(&v);                                                                 \
        T##_any_explain_write(&v);                                                                \
    }

#endif
