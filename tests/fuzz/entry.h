/* entry.h - generated functions with the same signatures for all types: what a compiled schema exports to the test.
 * SPDX-License-Identifier: MIT
 *
 * glue.c of each schema includes this and the generated .c files, and has a line for each type and each enum.
 */
#ifndef TESTS_ENTRY_H
#define TESTS_ENTRY_H

#define PKT_WITH_REFLECT
#include "pkt.h"

/* The ring of a part, and the baselines in it. */
typedef struct fuzz_ring {
    size_t size;
    pkt_baseline (*find)(const void *ring, uint64_t number);
    void (*keep)(void *ring, uint64_t number, const void *value);
    void (*empty)(void *ring);
    uint64_t values; /* how many it has room for */
} fuzz_ring;

/* A packet with parts. from: its T_baselines as an array. */
typedef struct fuzz_parts {
    size_t (*pack)(const void *v, const pkt_baseline *from, uint64_t seed, void *data, size_t size, pkt_error *error);
    bool (*unpack)(void *v, const pkt_baseline *from, uint64_t seed, const void *data, size_t size, pkt_error *error);
    bool (*peek)(void *head, pkt_part_names *names, const void *data, size_t size);
    /* NULL if nothing has @fit. part, order and count: for its part with @fit, if it has one. */
    bool (*fit)(void *v, const pkt_baseline *from, const void *part, pkt_element *order, uint32_t *count, size_t most,
                pkt_fit_report *report);
    const fuzz_ring *rings; /* for each part */
    const pkt_datagram *about;
    const char *fitted; /* the name of its part with @fit, or NULL */
} fuzz_parts;

typedef struct fuzz_type {
    const char *name;
    const pkt_type *type;
    void (*init)(void *v);
    void (*base)(void *v);
    bool (*write)(pkt_writer *w, const void *v);
    bool (*read)(pkt_reader *r, void *v);
    uint64_t (*measure)(const void *v, uint64_t start_bit);
    bool (*equal)(const void *a, const void *b);
    void (*quantize)(void *v);
    bool (*valid)(const void *v, pkt_refs *refs, pkt_error *error);
    /* for packets; else NULL */
    size_t (*pack)(const void *v, void *data, size_t size, pkt_refs *refs, pkt_error *error);
    bool (*unpack)(void *v, const void *data, size_t size, pkt_refs *refs, pkt_error *error);
    size_t (*pack_body)(const void *v, void *data, size_t size, pkt_refs *refs, pkt_error *error);
    bool (*unpack_body)(void *v, const void *data, size_t size, pkt_refs *refs, pkt_error *error);
    /* for @delta types; else NULL and 0 */
    bool (*write_delta)(pkt_writer *w, const void *base, const void *v);
    bool (*read_delta)(pkt_reader *r, const void *base, void *v);
    uint64_t (*measure_delta)(const void *base, const void *v, uint64_t start_bit);
    uint64_t delta_max_bits;
    /* for @delta packets; else NULL */
    size_t (*pack_delta)(const void *base, const void *v, void *data, size_t size, pkt_refs *refs, pkt_error *error);
    bool (*unpack_delta)(const void *base, void *v, const void *data, size_t size, pkt_refs *refs, pkt_error *error);
    size_t (*pack_delta_body)(const void *base, const void *v, void *data, size_t size, pkt_refs *refs,
                              pkt_error *error);
    bool (*unpack_delta_body)(const void *base, void *v, const void *data, size_t size, pkt_refs *refs,
                              pkt_error *error);
    /* for types with @fit arrays, which have so many elements; else NULL and 0 */
    bool (*fit)(const void *base, const void *v, void *sent, pkt_element *order, uint32_t *count, uint64_t start_bit,
                uint64_t max_bits, pkt_fit_report *report);
    uint32_t fit_elements;
    /* for types with @delta(predict), whose baselines are motions, with copies of the two values; else NULL and 0 */
    void (*predict)(const void *base, const void *before, uint32_t back, uint32_t gap, void *motion);
    void (*expect)(const void *motion, void *v);
    size_t motion_size;
    const fuzz_parts *parts; /* for packets with parts, which have no functions for streams; else NULL */
    /* for types with @mix; else NULL */
    void (*mix)(const void *a, const void *b, double t, void *out);
    bool (*near_each)(const void *a, const void *b, char *field); /* field: of PKT_FIELD_SIZE, or NULL */
    /* for types with @save, to which the differential test adds all; else NULL */
    size_t (*save)(const void *v, void *data, size_t size);
    bool (*restore)(void *v, const void *data, size_t size);
} fuzz_type;

/* Removes an element from a sparse array. */
typedef struct fuzz_clear {
    const char *type, *field;
    void (*clear)(void *v, uint32_t i);
} fuzz_clear;

/* An enum or flags. */
typedef struct fuzz_names {
    const char *type;
    const pkt_type *about;
    const char *(*name_of)(uint64_t value); /* for enums; else NULL */
} fuzz_names;

/* The exported lists; each ends with an entry without a name. */
#define FUZZ_ENTRY "fuzz_types"
#define FUZZ_CLEARS "fuzz_clears"
#define FUZZ_NAMES "fuzz_enums"

/* The seed of packets with @seed. */
#define FUZZ_SEED UINT64_C(0x123456789abcdef0)

#define FUZZ_VALUES(T)                                       \
    static void T##_fuzz_init(void *v)                       \
    {                                                        \
        T##_init((T *)v);                                    \
    }                                                        \
    static void T##_fuzz_base(void *v)                       \
    {                                                        \
        T##_base((T *)v);                                    \
    }                                                        \
    static bool T##_fuzz_equal(const void *a, const void *b) \
    {                                                        \
        return T##_equal((const T *)a, (const T *)b);        \
    }                                                        \
    static void T##_fuzz_quantize(void *v)                   \
    {                                                        \
        T##_quantize((T *)v);                                \
    }
#define FUZZ_STREAMS(T)                                          \
    static bool T##_fuzz_write(pkt_writer *w, const void *v)     \
    {                                                            \
        return T##_write(w, (const T *)v);                       \
    }                                                            \
    static bool T##_fuzz_read(pkt_reader *r, void *v)            \
    {                                                            \
        return T##_read(r, (T *)v);                              \
    }                                                            \
    static uint64_t T##_fuzz_measure(const void *v, uint64_t at) \
    {                                                            \
        return T##_measure((const T *)v, at);                    \
    }
#define FUZZ_VALID(T)                                                           \
    static bool T##_fuzz_valid(const void *v, pkt_refs *refs, pkt_error *error) \
    {                                                                           \
        (void)refs;                                                             \
        return T##_valid((const T *)v, error);                                  \
    }
#define FUZZ_VALID_REFS(T)                                                      \
    static bool T##_fuzz_valid(const void *v, pkt_refs *refs, pkt_error *error) \
    {                                                                           \
        return T##_valid_refs((const T *)v, refs, error);                       \
    }
#define FUZZ_MIX(T)                                                             \
    static void T##_fuzz_mix(const void *a, const void *b, double t, void *out) \
    {                                                                           \
        T##_mix((const T *)a, (const T *)b, t, (T *)out);                       \
    }                                                                           \
    static bool T##_fuzz_near(const void *a, const void *b, char *field)        \
    {                                                                           \
        pkt_deviation deviation;                                                \
        const bool result = T##_near((const T *)a, (const T *)b, &deviation);   \
        memcpy(field, deviation.field, sizeof deviation.field);                 \
        return result;                                                          \
    }
#define FUZZ_SAVE(T)                                                     \
    static size_t T##_fuzz_save(const void *v, void *data, size_t size)  \
    {                                                                    \
        return T##_save((const T *)v, data, size);                       \
    }                                                                    \
    static bool T##_fuzz_restore(void *v, const void *data, size_t size) \
    {                                                                    \
        return T##_restore((T *)v, data, size);                          \
    }
#define FUZZ_CLEAR(T, field)                                  \
    static void T##_fuzz_##field##_clear(void *v, uint32_t i) \
    {                                                         \
        T##_##field##_clear((T *)v, i);                       \
    }
#define FUZZ_ENUM(T)                                 \
    static const char *T##_fuzz_name(uint64_t value) \
    {                                                \
        return T##_name((T)value);                   \
    }
/* After the buffer, functions of packets take an error; those of packets with refs also take callbacks. */
#define FUZZ_PACKETS(T)                                    \
    FUZZ_FORM_(T, pack, unpack, _error, (void)refs, error) \
    FUZZ_FORM_(T, pack_body, unpack_body, _error, (void)refs, error)
#define FUZZ_PACKETS_REFS(T)                                 \
    FUZZ_FORM_(T, pack, unpack, _refs, (void)0, refs, error) \
    FUZZ_FORM_(T, pack_body, unpack_body, _refs, (void)0, refs, error)
#define FUZZ_SEEDED(T) FUZZ_SEEDED_(T, _error, (void)refs, error)
#define FUZZ_SEEDED_REFS(T) FUZZ_SEEDED_(T, _refs, (void)0, refs, error)
#define FUZZ_SEEDED_(T, ending, unused, ...)                                                              \
    static size_t T##_fuzz_pack(const void *v, void *data, size_t size, pkt_refs *refs, pkt_error *error) \
    {                                                                                                     \
        unused;                                                                                           \
        return T##_pack##ending((const T *)v, FUZZ_SEED, data, size, __VA_ARGS__);                        \
    }                                                                                                     \
    static bool T##_fuzz_unpack(void *v, const void *data, size_t size, pkt_refs *refs, pkt_error *error) \
    {                                                                                                     \
        unused;                                                                                           \
        return T##_unpack##ending((T *)v, FUZZ_SEED, data, size, __VA_ARGS__);                            \
    }
#define FUZZ_FORM_(T, pack, unpack, ending, unused, ...)                                                    \
    static size_t T##_fuzz_##pack(const void *v, void *data, size_t size, pkt_refs *refs, pkt_error *error) \
    {                                                                                                       \
        unused;                                                                                             \
        return T##_##pack##ending((const T *)v, data, size, __VA_ARGS__);                                   \
    }                                                                                                       \
    static bool T##_fuzz_##unpack(void *v, const void *data, size_t size, pkt_refs *refs, pkt_error *error) \
    {                                                                                                       \
        unused;                                                                                             \
        return T##_##unpack##ending((T *)v, data, size, __VA_ARGS__);                                       \
    }
#define FUZZ_DELTAS(T, base_type)                                                        \
    static bool T##_fuzz_write_delta(pkt_writer *w, const void *base, const void *v)     \
    {                                                                                    \
        return T##_write_delta(w, (const base_type *)base, (const T *)v);                \
    }                                                                                    \
    static bool T##_fuzz_read_delta(pkt_reader *r, const void *base, void *v)            \
    {                                                                                    \
        return T##_read_delta(r, (const base_type *)base, (T *)v);                       \
    }                                                                                    \
    static uint64_t T##_fuzz_measure_delta(const void *base, const void *v, uint64_t at) \
    {                                                                                    \
        return T##_measure_delta((const base_type *)base, (const T *)v, at);             \
    }
/* A motion that has the values. */
#define FUZZ_PREDICTS(T)                                                                                          \
    typedef struct T##_fuzz_motion {                                                                              \
        T##_motion motion;                                                                                        \
        T base, before;                                                                                           \
    } T##_fuzz_motion;                                                                                            \
    static void T##_fuzz_predict(const void *base, const void *before, uint32_t back, uint32_t gap, void *motion) \
    {                                                                                                             \
        T##_fuzz_motion *const to = (T##_fuzz_motion *)motion;                                                    \
        memcpy((void *)&to->base, base, sizeof to->base);                                                         \
        if (before)                                                                                               \
            memcpy((void *)&to->before, before, sizeof to->before);                                               \
        T##_predict(&to->base, before ? &to->before : NULL, back, gap, &to->motion);                              \
    }                                                                                                             \
    static void T##_fuzz_expect(const void *motion, void *v)                                                      \
    {                                                                                                             \
        T##_expected((const T##_motion *)motion, (T *)v);                                                         \
    }
#define FUZZ_IN_PREDICTS(T) T##_fuzz_predict, T##_fuzz_expect, sizeof(T##_fuzz_motion)
#define FUZZ_FIT_DELTA(T, base_type)                                                                            \
    static bool T##_fuzz_fit(const void *base, const void *v, void *sent, pkt_element *order, uint32_t *count,  \
                             uint64_t start, uint64_t most, pkt_fit_report *report)                             \
    {                                                                                                           \
        return T##_fit_write_delta((const base_type *)base, (const T *)v, (T *)sent, order, count, start, most, \
                                   report);                                                                     \
    }
#define FUZZ_FIT(T)                                                                                            \
    static bool T##_fuzz_fit(const void *base, const void *v, void *sent, pkt_element *order, uint32_t *count, \
                             uint64_t start, uint64_t most, pkt_fit_report *report)                            \
    {                                                                                                          \
        (void)base;                                                                                            \
        memcpy(sent, v, sizeof(T));                                                                            \
        return T##_fit_write((T *)sent, order, count, start, most, report);                                    \
    }
#define FUZZ_DELTA_PACKETS(T, base_type)                                                \
    FUZZ_DELTA_FORM_(T, base_type, pack_delta, unpack_delta, _error, (void)refs, error) \
    FUZZ_DELTA_FORM_(T, base_type, pack_delta_body, unpack_delta_body, _error, (void)refs, error)
#define FUZZ_DELTA_PACKETS_REFS(T, base_type)                                             \
    FUZZ_DELTA_FORM_(T, base_type, pack_delta, unpack_delta, _refs, (void)0, refs, error) \
    FUZZ_DELTA_FORM_(T, base_type, pack_delta_body, unpack_delta_body, _refs, (void)0, refs, error)
#define FUZZ_DELTA_FORM_(T, base_type, pack, unpack, ending, unused, ...)                                   \
    static size_t T##_fuzz_##pack(const void *base, const void *v, void *data, size_t size, pkt_refs *refs, \
                                  pkt_error *error)                                                         \
    {                                                                                                       \
        unused;                                                                                             \
        return T##_##pack##ending((const base_type *)base, (const T *)v, data, size, __VA_ARGS__);          \
    }                                                                                                       \
    static bool T##_fuzz_##unpack(const void *base, void *v, const void *data, size_t size, pkt_refs *refs, \
                                  pkt_error *error)                                                         \
    {                                                                                                       \
        unused;                                                                                             \
        return T##_##unpack##ending((const base_type *)base, (T *)v, data, size, __VA_ARGS__);              \
    }

/* P: the part of T with values of type V. */
#define FUZZ_RING(P, V)                                                           \
    static pkt_baseline P##_fuzz_find(const void *ring, uint64_t number)          \
    {                                                                             \
        const P##_baseline found = P##_ring_find((const P##_ring *)ring, number); \
        const pkt_baseline result = {found.value, found.number, found.hash};      \
        return result;                                                            \
    }                                                                             \
    static void P##_fuzz_keep(void *ring, uint64_t number, const void *value)     \
    {                                                                             \
        P##_ring_keep((P##_ring *)ring, number, (const V *)value);                \
    }                                                                             \
    static void P##_fuzz_empty(void *ring)                                        \
    {                                                                             \
        P##_ring *const at = (P##_ring *)ring;                                    \
        memset(at->used, 0, sizeof at->used);                                     \
    }
#define FUZZ_IN_RINGS(P)                                                                                 \
    {                                                                                                    \
        sizeof(P##_ring), P##_fuzz_find, P##_fuzz_keep, P##_fuzz_empty, sizeof(((P##_ring *)NULL)->used) \
    }
#define FUZZ_PARTS(T)                                                                                            \
    static T##_baselines T##_fuzz_from(const pkt_baseline *from)                                                 \
    {                                                                                                            \
        T##_baselines to;                                                                                        \
        memcpy(&to, from, sizeof to);                                                                            \
        return to;                                                                                               \
    }                                                                                                            \
    static size_t T##_fuzz_pack(const void *v, const pkt_baseline *from, uint64_t seed, void *data, size_t size, \
                                pkt_error *error)                                                                \
    {                                                                                                            \
        const T##_baselines bases = T##_fuzz_from(from);                                                         \
        return T##_pack_error(&bases, (const T *)v, seed, data, size, error);                                    \
    }                                                                                                            \
    static bool T##_fuzz_unpack(void *v, const pkt_baseline *from, uint64_t seed, const void *data, size_t size, \
                                pkt_error *error)                                                                \
    {                                                                                                            \
        const T##_baselines bases = T##_fuzz_from(from);                                                         \
        return T##_unpack_error(&bases, (T *)v, seed, data, size, error);                                        \
    }                                                                                                            \
    static bool T##_fuzz_peek(void *head, pkt_part_names *names, const void *data, size_t size)                  \
    {                                                                                                            \
        return T##_peek((T *)head, (T##_names *)names, data, size);                                              \
    }
#define FUZZ_FIT_PART(T, V)                                                                                            \
    static bool T##_fuzz_fit(void *v, const pkt_baseline *from, const void *part, pkt_element *order, uint32_t *count, \
                             size_t most, pkt_fit_report *report)                                                      \
    {                                                                                                                  \
        const T##_baselines bases = T##_fuzz_from(from);                                                               \
        return T##_fit_pack(&bases, (T *)v, (const V *)part, order, count, most, report);                              \
    }
#define FUZZ_FIT_COUNTS(T)                                                                                             \
    static bool T##_fuzz_fit(void *v, const pkt_baseline *from, const void *part, pkt_element *order, uint32_t *count, \
                             size_t most, pkt_fit_report *report)                                                      \
    {                                                                                                                  \
        const T##_baselines bases = T##_fuzz_from(from);                                                               \
        (void)part;                                                                                                    \
        (void)order;                                                                                                   \
        (void)count;                                                                                                   \
        return T##_fit_pack(&bases, (T *)v, most, report);                                                             \
    }
#define FUZZ_IN_PARTS(T)                                                                                  \
    .init = T##_fuzz_init, .base = T##_fuzz_base, .equal = T##_fuzz_equal, .quantize = T##_fuzz_quantize, \
    .valid = T##_fuzz_valid, .parts = &T##_fuzz_parts

#define FUZZ_IN_STREAMS(T)                                                                                            \
    T##_fuzz_init, T##_fuzz_base, T##_fuzz_write, T##_fuzz_read, T##_fuzz_measure, T##_fuzz_equal, T##_fuzz_quantize, \
        T##_fuzz_valid
#define FUZZ_IN_PACKETS(T) T##_fuzz_pack, T##_fuzz_unpack, T##_fuzz_pack_body, T##_fuzz_unpack_body
#define FUZZ_IN_DELTAS(T) T##_fuzz_write_delta, T##_fuzz_read_delta, T##_fuzz_measure_delta, T##_DELTA_MAX_BITS
#define FUZZ_IN_DELTA_PACKETS(T) \
    T##_fuzz_pack_delta, T##_fuzz_unpack_delta, T##_fuzz_pack_delta_body, T##_fuzz_unpack_delta_body

#endif
