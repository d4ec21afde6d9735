/* prove.h - what is proved of a packet, and what the analysis is told of functions instead of their bodies.
 * SPDX-License-Identifier: MIT
 *
 * What a contract requires is proved at each call; what it promises is believed. Texts go byte by byte with two pointers, of
 * which this analysis knows no relation; the names of errors are no part of the question; and a writer over a buffer of the
 * caller does not grow.
 */
#include "pkt.h"
#include "__fc_builtin.h"

/*@ requires \valid(error);
  @ assigns error->field[0 .. PKT_FIELD_SIZE - 1] \from \nothing;
  @ ensures \initialized(&error->field[0 .. PKT_FIELD_SIZE - 1]); */
void pkt_error_outer(pkt_error *error, const char *outer);

/*@ requires \valid(w);
  @ assigns \result \from \nothing;
  @ ensures \result == 0; */
bool pkt_writer_grow(pkt_writer *w, uint64_t bits);

/*@ requires size == 0 || \valid_read(s + (0 .. size - 1));
  @ assigns \result \from s[0 .. size - 1];
  @ ensures \result == 0 || \result == 1; */
bool pkt_text_valid(const uint8_t *s, size_t size);

/*@ requires size == 0 || \valid(to + (0 .. size - 1));
  @ requires size == 0 || \valid_read(from + (0 .. size - 1));
  @ assigns \result, to[0 .. size - 1] \from from[0 .. size - 1];
  @ ensures \initialized(to + (0 .. size - 1));
  @ ensures \result == 0 || \result == 1; */
bool pkt_text_copy(char *to, const uint8_t *from, size_t size);

/*@ requires \valid_read(text + (0 .. max));
  @ assigns \result \from text[0 .. max];
  @ ensures 0 <= \result <= max + 1; */
uint32_t pkt_text_size(const char *text, uint32_t max);

/* Arbitrary bytes of an arbitrary length, up to 1,500 or the greatest that a T has, are read into a T. What came of it, whether
 * or not it was refused, is written into a buffer of an arbitrary length. */
#define PROVE_(T, and_delta)                                                                        \
    static uint8_t T##_storage[T##_MAX_BYTES > 1500 ? T##_MAX_BYTES : 1500];                        \
                                                                                                    \
    static pkt_reader T##_reader(void)                                                              \
    {                                                                                               \
        pkt_reader r;                                                                               \
        Frama_C_make_unknown((char *)T##_storage, sizeof T##_storage);                              \
        pkt_reader_init(&r, T##_storage, Frama_C_unsigned_int_interval(0, sizeof T##_storage));     \
        return r;                                                                                   \
    }                                                                                               \
                                                                                                    \
    static pkt_writer T##_writer(void)                                                              \
    {                                                                                               \
        pkt_writer w;                                                                               \
        pkt_writer_init(&w, T##_storage, Frama_C_unsigned_int_interval(0, sizeof T##_storage));     \
        return w;                                                                                   \
    }                                                                                               \
                                                                                                    \
    void prove_##T(void)                                                                            \
    {                                                                                               \
        static T v;                                                                                 \
        pkt_reader r = T##_reader();                                                                \
        pkt_writer w = T##_writer();                                                                \
        T##_init(&v);                                                                               \
        T##_read(&r, &v);                                                                           \
        T##_write(&w, &v);                                                                          \
        and_delta                                                                                   \
    }
#define PROVE(T) PROVE_(T, )

/* Then the same with a delta to what came of other bytes. */
#define PROVE_DELTA(T)                                                                              \
    PROVE_(T,                                                                                       \
        static T base;                                                                              \
        pkt_reader of_base = T##_reader();                                                          \
        T##_init(&base);                                                                            \
        T##_read(&of_base, &base);                                                                  \
        r = T##_reader();                                                                           \
        T##_read_delta(&r, &base, &v);                                                              \
        w = T##_writer();                                                                           \
        T##_write_delta(&w, &base, &v);)
