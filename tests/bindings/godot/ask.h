/* ask.h - in place of tests/fuzz/ask.h: writes and reads through objects of Godot, whose properties get and give each value.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_ASK_H
#define TESTS_ASK_H

#include "entry.h"

/* Which functions of a type to call. */
typedef struct manner {
    bool framed, delta;
    bool by_stream;
} manner;

size_t ask_write(const fuzz_type *t, manner how, const void *base, const void *v, uint8_t *to, size_t room,
                 pkt_error *error);
void ask_read(const fuzz_type *t, manner how, const void *base, void *v, const uint8_t *bytes, size_t size,
              pkt_error *error);

#endif
