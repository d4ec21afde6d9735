/* replay.c - runs a fuzz target without libFuzzer, on stored inputs and on random variants of them.
 * SPDX-License-Identifier: MIT
 *
 *     replay N FILE...
 *
 * A FILE.hex has an input on each line; any other file is one input, such as a finding. Runs the target on each of
 * them, and then on N variants, which are the same every time. An input that crashes the target is printed in
 * hexadecimal, ready to be a line of a .hex file.
 */
#include "fuzz/lot.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_INPUTS = 1 << 14, MOST_BYTES = 1 << 16 };

typedef struct input {
    uint8_t *bytes;
    size_t size;
} input;

static input inputs[MOST_INPUTS];
static uint32_t input_count;
static input now;

static void crashed(int number)
{
    fprintf(stderr, "\nsignal %d; the input: ", number);
    for (size_t i = 0; i < now.size; i++)
        fprintf(stderr, "%02x", now.bytes[i]);
    fputs("\n", stderr);
    _Exit(1);
}

/* Runs the target on bytes in memory of exactly their size. */
static void run(const uint8_t *bytes, size_t size)
{
    now.bytes = malloc(size ? size : 1);
    now.size = size;
    if (size != 0)
        memcpy(now.bytes, bytes, size);
    LLVMFuzzerTestOneInput(now.bytes, size);
    free(now.bytes);
}

/* ---- stored inputs */

static void keep(const uint8_t *bytes, size_t size)
{
    if (input_count == MOST_INPUTS)
        return;
    input *kept = &inputs[input_count++];
    kept->bytes = malloc(size + 1);
    kept->size = size;
    memcpy(kept->bytes, bytes, size);
}

static void keep_lines(FILE *file)
{
    static char line[2 * MOST_BYTES + 2];
    static uint8_t bytes[MOST_BYTES];
    while (fgets(line, sizeof line, file)) {
        size_t size = strcspn(line, "\n") / 2;
        for (size_t i = 0; i < size; i++) {
            const char digits[3] = {line[2 * i], line[2 * i + 1], 0};
            bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
        }
        keep(bytes, size);
    }
}

static bool keep_file(const char *path)
{
    static uint8_t bytes[MOST_BYTES];
    const char *dot = strrchr(path, '.');
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return false;
    }
    if (dot && strcmp(dot, ".hex") == 0)
        keep_lines(file);
    else
        keep(bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
    return true;
}

/* ---- variants */

/* Changes the bytes from a position on: removes some, adds some, or takes those of another input. */
static size_t change_tail(lot *l, uint8_t *bytes, size_t size, size_t at)
{
    const input *other = &inputs[lot_below(l, input_count)];
    size_t from = lot_below(l, (uint32_t)other->size + 1), tail = other->size - from, by = lot_between(l, 1, 8);
    switch (lot_below(l, 4)) {
    case 0: return at;
    case 1:
        by = by < size - at ? by : size - at;
        memmove(bytes + at, bytes + at + by, size - at - by);
        return size - by;
    case 2:
        by = by < MOST_BYTES - size ? by : MOST_BYTES - size;
        memmove(bytes + at + by, bytes + at, size - at);
        return size + by;
    default:
        tail = tail < MOST_BYTES - at ? tail : MOST_BYTES - at;
        memcpy(bytes + at, other->bytes + from, tail);
        return at + tail;
    }
}

static size_t change(lot *l, uint8_t *bytes, size_t size)
{
    static const uint8_t edges[] = {0, 1, 0x7f, 0x80, 0xff};
    size_t at = lot_below(l, (uint32_t)size + 1);
    if (at == size || lot_one_in(l, 3))
        return change_tail(l, bytes, size, at);
    if (lot_one_in(l, 3))
        bytes[at] = edges[lot_below(l, sizeof edges)];
    else
        bytes[at] ^= (uint8_t)(1u << lot_below(l, 8));
    return size;
}

static void run_drawn(lot *l)
{
    static uint8_t bytes[MOST_BYTES];
    const input *from = &inputs[lot_below(l, input_count)];
    size_t size = from->size;
    memcpy(bytes, from->bytes, size);
    for (uint32_t i = lot_between(l, 1, 4); i > 0; i--)
        size = change(l, bytes, size);
    run(bytes, size);
}

int main(int argc, char **argv)
{
    lot l = {1};
    unsigned long drawn = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    for (int i = 2; i < argc; i++)
        if (!keep_file(argv[i]))
            return 2;
    if (input_count == 0) {
        fputs("usage: replay N FILE...\n", stderr);
        return 2;
    }
    signal(SIGABRT, crashed);
    for (uint32_t i = 0; i < input_count; i++)
        run(inputs[i].bytes, inputs[i].size);
    for (unsigned long i = 0; i < drawn; i++)
        run_drawn(&l);
    printf("%lu inputs\n", (unsigned long)input_count + drawn);
    return 0;
}
