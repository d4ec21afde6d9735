/* values.h - what the tests of tallies share: values of two schemas, which are written and counted.
 * SPDX-License-Identifier: MIT
 */
#ifndef VALUES_H
#define VALUES_H

#include "check/check.h"
#include "codec/codec_json.h"
#include "recordings/tally.h"
#include "unit.h"

#include <string.h>

enum { SAMPLES = 200 };

/* %s: what is changed. */
static const char plain_text[] = "protocol game = 1;\n"
                                 "packet Plain {\n"
                                 "    u16<0, 65535> narrow;\n"
                                 "    u32 big;\n"
                                 "    i32<-500, 1000> usual;\n"
                                 "    bool never;\n"
                                 "    float<0.0, 10.0, 0.01> real;\n"
                                 "    sparse<flag> bits<3> few[64];\n"
                                 "    sparse<count> bits<3> many[64];\n"
                                 "    u64 huge;\n"
                                 "    float place;\n"
                                 "}\n";
static const char delta_text[] = "protocol game = 1;\n"
                                 "struct Inner @delta { u16 n; quat<9> turn; }\n"
                                 "packet Delta @delta {\n"
                                 "    u16<0, 65535> narrow;\n"
                                 "    i16 low;\n"
                                 "    float<-100.0, 100.0, 0.01> real delta<2, 3>;\n"
                                 "    bits<5> small;\n"
                                 "    quat<7> turn delta<2, 3>;\n"
                                 "    fixed<4, 12, 0, 7> part;\n"
                                 "    u8 row[8];\n"
                                 "    Inner inner[3];\n"
                                 "    bool side;\n"
                                 "    if (side) { u32 there; }\n"
                                 "}\n";

static uint64_t state = 31;

static inline uint64_t draw(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % below;
}

static inline const schema *checked(arena *a, const char *text)
{
    const check_options options = {.checks = true};
    diag *d = diag_new(a);
    const schema *s = check(a, names_new(a), d, source_from(a, "game.pkt", text, strlen(text)), &options);
    diag_print(d, DIAG_TEXT, stdout);
    assert_non_null(s);
    return s;
}

static inline const decl *type_of(const schema *s, const char *name)
{
    const decl *d = s->decls;
    while (strcmp(d->name, name) != 0)
        d = d->next;
    return d;
}

static inline void add_bits(void *user, const codec_place *p, uint64_t bit, uint64_t bits, const uint8_t *data)
{
    (void)p;
    (void)bit;
    (void)data;
    *(uint64_t *)user += bits;
}

/* The bits of all values, each a delta to the one before if `delta`. With a tally, they are filed there. */
static inline uint64_t total(arena *a, const schema *s, const char *name, char **values, bool delta, tally *t)
{
    const decl *d = type_of(s, name);
    uint64_t sum = 0;
    datum v[2];
    for (int i = 0; i < SAMPLES; i++) {
        const char *problem = "";
        size_t size;
        codec_error error;
        datum got;
        codec_options how = {.id = s->id, .framed = true, .delta = delta, .room = SIZE_MAX};
        how.base = delta && i > 0 ? &v[(i - 1) % 2] : NULL;
        if (!json_read(a, d, values[i], strlen(values[i]), &v[i % 2], &problem))
            fail_msg("%s: %s", problem, values[i]);
        const uint8_t *bytes = codec_write(a, s, d, &v[i % 2], &how, &size, &error);
        assert_non_null(bytes);
        how.trace = t ? tally_item : add_bits;
        how.user = t ? (void *)t : &sum;
        assert_true(codec_read(a, s, d, bytes, size, &how, &got, &error));
        if (t) {
            tally_value(t, a, d, &got, delta, how.base, NULL);
            tally_accept(t);
        }
        /* A baseline has what a reader has. */
        v[i % 2] = got;
    }
    return sum;
}

static inline char *printed(const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_in_range(size, 0, sizeof text - 1);
    char *copy = malloc((size_t)size + 1);
    assert_non_null(copy);
    return memcpy(copy, text, (size_t)size + 1);
}

static inline char *plain_value(int i)
{
    char few[32] = "", many[640] = "";
    if (draw(3) == 0)
        snprintf(few, sizeof few, "[%u, 1]", (unsigned)draw(64));
    for (unsigned k = 0; k < 64; k++)
        if (draw(2) != 0)
            snprintf(many + strlen(many), sizeof many - strlen(many), "%s[%u, %u]", *many ? ", " : "", k,
                     (unsigned)draw(8));
    return printed("{\"narrow\": %u, \"big\": %u, \"usual\": %d, \"real\": %.2f, \"few\": [%s], "
                   "\"many\": [%s], \"huge\": %u, \"place\": %.1f}",
                   i == 0 ? 300 : 300 + (unsigned)draw(64), (unsigned)draw(draw(4) != 0 ? 100 : 100000),
                   draw(5) != 0 ? 77 : (int)draw(1000), (double)draw(1000) / 100, few, many, (unsigned)draw(1000),
                   i % 8 == 0 ? i + 0.3 : i % 64 - 20);
}

/* A walk: most fields take small steps, now and then one jumps. */
static inline char *delta_value(int i)
{
    static int at[16];
    for (int k = 0; k < 16; k++) {
        const int far = draw(4) == 0 ? 20 * (k + 3) : 6;
        at[k] += i == 0 ? 1000 : (int)draw((uint64_t)(2 * far + 1)) - far;
        at[k] = at[k] < 0 ? 0 : at[k] > 2000 ? 2000 : at[k];
    }
    return printed(
        "{\"narrow\": %d, \"low\": %d, \"real\": %.2f, \"small\": %d, \"turn\": [%.3f, 0.1, 0.2, 0.9], "
        "\"part\": %d, \"row\": [%d, %d, 3, 4, 5, 6, 7, 8], \"inner\": [{\"n\": %d, \"turn\": [0, 0, 0, 1]}, "
        "{\"n\": 1, \"turn\": [0, %.3f, 0, 1]}, {\"n\": %d}], \"side\": %s%s}",
        at[0], at[1] - 1000, (at[2] - 1000) / 20.0, at[3] % 32, at[4] / 5000.0, at[5], at[6] % 200, at[7] % 200, at[8],
        at[9] / 3000.0, at[10], draw(10) != 0 ? "true" : "false", "");
}

#endif
