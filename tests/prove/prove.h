/* prove.h - what the analysis is told of functions instead of their bodies.
 * SPDX-License-Identifier: MIT
 *
 * What a contract requires is proved at each call; what it promises is believed. Texts go byte by byte with two pointers, of
 * which this analysis knows no relation; the names of errors are no part of the question; and a writer over a buffer of the
 * caller does not grow.
 */
#include "pkt.h"

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
