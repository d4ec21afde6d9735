/* fuzz_deltas.h - reads arbitrary bytes as baselines, deltas and budgets, for fuzz_packets.c.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_FUZZ_DELTAS_H
#define TESTS_FUZZ_DELTAS_H

/* Whether the first `bits` bits are the same. */
static bool same_bits(const uint8_t *a, const uint8_t *b, uint64_t bits)
{
    const size_t whole = (size_t)(bits / 8);
    return (whole == 0 || memcmp(a, b, whole) == 0) &&
           (bits % 8 == 0 || ((a[whole] ^ b[whole]) & ((1u << bits % 8) - 1)) == 0);
}

/* A writer whose first bits are already those that a reader has read. */
static void writer_from(pkt_writer *w, uint8_t *data, size_t size, const pkt_reader *r)
{
    const uint64_t start = pkt_reader_bits(r);
    pkt_writer_init(w, data, size);
    pkt_writer_set_refs(w, &refs);
    if (start != 0)
        memcpy(data, r->data, (size_t)((start + 7) / 8));
    w->bit = start;
    w->carry = start % 8 != 0 ? r->data[start / 8] & ((1u << start % 8) - 1) : 0;
}

static unsigned next_byte(pkt_reader *r)
{
    const size_t at = (size_t)((pkt_reader_bits(r) + 7) / 8);
    if (pkt_reader_bits_left(r) < 8 || 8 * at + 8 > r->limit)
        return 0;
    r->bit = 8 * (uint64_t)at + 8;
    return r->data[at];
}

/* Reads a value from the next bytes. False if they are not valid: then they are those of something else. */
#define READ_VALUE(T)                                                    \
    static bool read_value_##T(pkt_reader *r, const uint8_t *data, T *v) \
    {                                                                    \
        const uint64_t start = pkt_reader_bits(r), limit = r->limit;     \
        if (T##_read(r, v))                                              \
            return true;                                                 \
        pkt_reader_init(r, data, (size_t)(limit / 8));                   \
        pkt_reader_set_refs(r, &refs);                                   \
        r->bit = start;                                                  \
        return false;                                                    \
    }

/* Reads a delta. Written again, it must be the same bits. */
#define READ_DELTA_FROM(T, B)                                                     \
    READ_VALUE(T)                                                                 \
    static void read_delta_from_##T(pkt_reader *r, const B *base)                 \
    {                                                                             \
        const size_t room = (size_t)(r->limit / 8) + T##_DELTA_MAX_BYTES;         \
        const uint64_t start = pkt_reader_bits(r);                                \
        T *v = allocate(sizeof *v);                                               \
        uint8_t *again = allocate(room);                                          \
        pkt_writer w;                                                             \
        writer_from(&w, again, room, r);                                          \
        if (T##_read_delta(r, base, v)) {                                         \
            const uint64_t end = pkt_reader_bits(r);                              \
            demand(T##_measure_delta(base, v, start) == end - start);             \
            demand_determined(&T##_reflection, v);                                \
            demand(T##_write_delta(&w, base, v));                                 \
            demand(pkt_writer_bits(&w) == end && same_bits(r->data, again, end)); \
        } else {                                                                  \
            demand(r->error.code != PKT_OK);                                      \
        }                                                                         \
        free(again);                                                              \
        free(v);                                                                  \
    }

/* A baseline in the first bytes, if they are valid, and then a delta. */
#define READ_DELTA(T)                                            \
    READ_DELTA_FROM(T, T)                                        \
    static void read_delta_##T(const uint8_t *data, size_t size) \
    {                                                            \
        T *base = allocate(sizeof *base);                        \
        uint8_t *bytes = exactly(data, size);                    \
        pkt_reader r;                                            \
        pkt_reader_init(&r, bytes, size);                        \
        pkt_reader_set_refs(&r, &refs);                          \
        if (read_value_##T(&r, bytes, base))                     \
            read_delta_from_##T(&r, base);                       \
        else                                                     \
            read_delta_from_##T(&r, NULL);                       \
        free(bytes);                                             \
        free(base);                                              \
    }
DELTAS(READ_DELTA)

/* Two values and how they become a prediction, and then a delta. They may have other counts, tags and absent fields. */
static void free_motion(pkt_motion *m)
{
    free((void *)(uintptr_t)m->base);
    free((void *)(uintptr_t)m->before);
    free(m);
}

#define READ_PREDICTED(T)                                                                                   \
    READ_DELTA_FROM(T, T##_motion)                                                                          \
    static bool read_motion_##T(pkt_reader *r, const uint8_t *bytes, T##_motion *motion)                    \
    {                                                                                                       \
        T *base = allocate(sizeof *base), *before = allocate(sizeof *before);                               \
        unsigned how;                                                                                       \
        bool based;                                                                                         \
        memset(base, 0, sizeof *base); /* padding may be compared */                                        \
        memset(before, 0, sizeof *before);                                                                  \
        how = next_byte(r);                                                                                 \
        based = read_value_##T(r, bytes, base);                                                             \
        if (based && !read_value_##T(r, bytes, before))                                                     \
            *before = *base;                                                                                \
        T##_predict(base, how % 4 == 1 ? NULL : before, (how >> 2 & 7) * (how >> 2 & 7), how >> 5, motion); \
        if (based) {                                                                                        \
            T *expected = allocate(sizeof *expected);                                                       \
            T##_init(expected);                                                                             \
            T##_expected(motion, expected);                                                                 \
            demand_determined(&T##_reflection, expected);                                                   \
            free(expected);                                                                                 \
        }                                                                                                   \
        if (how % 4 == 1)                                                                                   \
            free(before);                                                                                   \
        return based;                                                                                       \
    }                                                                                                       \
    static void read_delta_##T(const uint8_t *data, size_t size)                                            \
    {                                                                                                       \
        T##_motion *motion = allocate(sizeof *motion);                                                      \
        uint8_t *bytes = exactly(data, size);                                                               \
        pkt_reader r;                                                                                       \
        bool based;                                                                                         \
        pkt_reader_init(&r, bytes, size);                                                                   \
        pkt_reader_set_refs(&r, &refs);                                                                     \
        based = read_motion_##T(&r, bytes, motion);                                                         \
        read_delta_from_##T(&r, based ? motion : NULL);                                                     \
        free(bytes);                                                                                        \
        free_motion(&motion->of);                                                                           \
    }
PREDICTED(READ_PREDICTED)

/* Numbers of elements from the next bytes, and some that no element has. */
static pkt_element *read_order(pkt_reader *r, uint32_t *count)
{
    uint32_t n = (uint32_t)(pkt_reader_bits_left(r) / 8);
    pkt_element *order = allocate(n * sizeof *order + 1);
    for (uint32_t i = 0; i < n; i++) {
        order[i].number = next_byte(r);
        if (order[i].number >= 254)
            order[i].number = order[i].number == 255 ? UINT32_MAX : 4096;
    }
    *count = n;
    return order;
}

/* A value, a budget and an order. What is left of the value is not more than the budget. */
#define READ_FIT(T)                                                                                                   \
    static void read_fit_##T(const uint8_t *data, size_t size)                                                        \
    {                                                                                                                 \
        T *v = allocate(sizeof *v);                                                                                   \
        uint8_t *bytes = exactly(data, size);                                                                         \
        pkt_reader r;                                                                                                 \
        pkt_reader_init(&r, bytes, size);                                                                             \
        if (T##_read(&r, v)) {                                                                                        \
            const uint64_t start = next_byte(&r) % 8, low = next_byte(&r), most = low | (uint64_t)next_byte(&r) << 8; \
            uint32_t count, kept;                                                                                     \
            pkt_element *order = read_order(&r, &count);                                                              \
            kept = count;                                                                                             \
            if (T##_fit_write(v, order, &kept, start, most, NULL)) {                                                  \
                demand(kept <= count && T##_measure(v, start) <= most);                                               \
                demand_determined(&T##_reflection, v);                                                                \
            } else {                                                                                                  \
                demand(kept == 0);                                                                                    \
            }                                                                                                         \
            free(order);                                                                                              \
        }                                                                                                             \
        free(bytes);                                                                                                  \
        free(v);                                                                                                      \
    }
FITS(READ_FIT)

/* The same of a delta, which must arrive as `sent`. */
#define FIT_DELTA(T, Base)                                                                \
    static void fit_delta_##T(pkt_reader *r, const Base *from, T *v)                      \
    {                                                                                     \
        T *sent = allocate(sizeof *sent);                                                 \
        uint8_t *delta = allocate(T##_DELTA_MAX_BYTES);                                   \
        const uint64_t low = next_byte(r), most = low | (uint64_t)next_byte(r) << 8;      \
        uint32_t count, kept;                                                             \
        pkt_element *order = read_order(r, &count);                                       \
        kept = count;                                                                     \
        if (T##_fit_write_delta(from, v, sent, order, &kept, 0, most, NULL)) {            \
            const uint64_t bits = T##_measure_delta(from, sent, 0);                       \
            size_t written = T##_pack_delta_body(from, sent, delta, T##_DELTA_MAX_BYTES); \
            demand(kept <= count && bits <= most && written == (bits + 7) / 8);           \
            demand_determined(&T##_reflection, sent);                                     \
            demand(T##_unpack_delta_body(from, v, delta, written) && T##_equal(v, sent)); \
        } else {                                                                          \
            demand(kept == 0);                                                            \
        }                                                                                 \
        free(order);                                                                      \
        free(delta);                                                                      \
        free(sent);                                                                       \
    }

/* baseline: the type of what a delta is against; read_base reads one, and free_base frees it. */
#define READ_FIT_FROM(T, baseline, read_base, free_base)                    \
    FIT_DELTA(T, baseline)                                                  \
    static void read_fit_##T(const uint8_t *data, size_t size)              \
    {                                                                       \
        T *v = allocate(sizeof *v);                                         \
        baseline *base = allocate(sizeof *base);                            \
        uint8_t *bytes = exactly(data, size);                               \
        pkt_reader r;                                                       \
        pkt_reader_init(&r, bytes, size);                                   \
        if (T##_read(&r, v)) {                                              \
            fit_delta_##T(&r, read_base(&r, bytes, base) ? base : NULL, v); \
            free_base;                                                      \
        } else {                                                            \
            free(base);                                                     \
        }                                                                   \
        free(bytes);                                                        \
        free(v);                                                            \
    }
#define READ_DELTA_FIT(T) READ_FIT_FROM(T, T, read_value_##T, free(base))
#define READ_PREDICTED_FIT(T) READ_FIT_FROM(T, T##_motion, read_motion_##T, free_motion(&base->of))
DELTA_FITS(READ_DELTA_FIT)
PREDICTED_FITS(READ_PREDICTED_FIT)

#endif
