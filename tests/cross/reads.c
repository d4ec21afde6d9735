/* reads.c - repeats, on another machine, reads on which generated code and codec agreed.
 * SPDX-License-Identifier: MIT
 *
 * Reads lines in the form of tests/fuzz/tape.h. A value that is accepted must also be measured and written as the bytes
 * it was read from. Compiled with the glue.c of the schema; needs only C99.
 */
#include "ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 18, MOST_TYPES = 64 };

extern const fuzz_type fuzz_types[];
static void *values[MOST_TYPES]; /* one value of each type, to read into */

typedef struct bytes {
    uint8_t *at;
    size_t size;
} bytes;

/* Parses "x01ff" into memory of exactly its size. */
static bytes take_bytes(const char *text)
{
    bytes b;
    b.size = strlen(text) / 2;
    b.at = malloc(b.size ? b.size : 1);
    for (size_t i = 0; i < b.size; i++) {
        char digits[3] = {text[2 * i + 1], text[2 * i + 2], 0};
        b.at[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return b;
}

static void *new_value(const fuzz_type *t)
{
    void *v = malloc(t->type->size);
    t->init(v);
    return v;
}

/* Returns NULL, or what differs from the recorded read. */
static const char *read_again(const fuzz_type *t, void *v, manner how, const void *base, bytes b, pkt_error expected,
                              uint32_t hash)
{
    pkt_error error;
    ask_read(t, how, base, v, b.at, b.size, &error);
    if (error.code != expected.code)
        return "the reason";
    if (error.code != PKT_OK)
        return error.bit != expected.bit ? "the bit" : strcmp(error.field, expected.field) != 0 ? "the field" : NULL;
    if (ask_hash(t, v) != hash)
        return "the value";
    if (!how.framed && ((how.delta ? t->measure_delta(base, v, 0) : t->measure(v, 0)) + 7) / 8 != b.size)
        return "the measure";
    bytes again = {malloc(b.size ? b.size : 1), b.size};
    const bool same =
        ask_write(t, how, base, v, again.at, again.size, &error) == b.size && memcmp(again.at, b.at, b.size) == 0;
    free(again.at);
    return same ? NULL : "the bytes written";
}

/* Reads a baseline from its bytes; NULL for "-". */
static void *take_base(const fuzz_type *t, const char *text, bool *good)
{
    const manner body = {false, false, true};
    pkt_error error;
    if (text[0] == '-')
        return NULL;
    void *base = new_value(t);
    bytes b = take_bytes(text);
    ask_read(t, body, NULL, base, b.at, b.size, &error);
    *good = error.code == PKT_OK;
    free(b.at);
    return base;
}

static const char *replay(char *line)
{
    const char *part[7];
    pkt_error expected;
    size_t i = 0;
    bool good = true;
    while (i < 7 && (part[i] = strtok(i == 0 ? line : NULL, " ")) != NULL)
        i++;
    const char *field = strtok(NULL, "\r\n");
    if (i != 7)
        return "the line itself";
    for (i = 0; fuzz_types[i].name && strcmp(fuzz_types[i].name, part[0]) != 0; i++)
        continue;
    if (!fuzz_types[i].name || i == MOST_TYPES)
        return "the type";
    const fuzz_type *t = &fuzz_types[i];
    if (!values[i])
        values[i] = new_value(t);
    const manner how = {part[1][0] == 'p', part[1][1] == 'd', part[1][0] == 's'};
    expected.code = (pkt_code)atoi(part[4]);
    expected.bit = strtoull(part[5], NULL, 10);
    snprintf(expected.field, sizeof expected.field, "%s", field ? field : "");
    void *base = take_base(t, part[2], &good);
    bytes b = take_bytes(part[3]);
    const char *wrong =
        good ? read_again(t, values[i], how, base, b, expected, (uint32_t)strtoul(part[6], NULL, 16)) : "the baseline";
    free(b.at);
    free(base);
    return wrong;
}

int main(void)
{
    static char line[LONGEST];
    unsigned long lines = 0, failures = 0;
    while (fgets(line, sizeof line, stdin)) {
        const char *wrong = replay(line);
        lines++;
        if (wrong && ++failures <= 5)
            printf("line %lu, of %s: %s is not what it was\n", lines, line, wrong);
    }
    printf("%lu reads, %lu differences\n", lines, failures);
    return failures != 0 || lines == 0;
}
