/* test_quantized.c - reads every code of quantized numbers, and writes what was read: of each type that a schema or a
 * test of this repository names, and of random ranges near the limits.
 * SPDX-License-Identifier: MIT
 *
 * A value must be in its range, and its code must come back: alone, in a row of 3 or 4, and from the codec, which must
 * give the same bits and not rely on the code that it remembers. Up to 2^21 codes of a type are all tried, of the codec a sample. PKT_RANGES is how many random
 * ranges there are; `make ranges` tries 10,000 and more codes of each, with the codec too.
 */
#include "pkt_number.h" /* first: it uses names that schema.h takes */
#include "check/check.h"
#include "codec/codec.h"
#include "model/accuracy.h"
#include "unit.h"

#include <dirent.h>
#include <math.h>
#include <regex.h>
#include <string.h>
#include <sys/stat.h>

enum { ALL_CODES = 1 << 21, MOST_TYPES = 4096 };

/* A quantized type, with a struct that has one field of it. */
typedef struct range {
    const char *text;
    const schema *schema;
    const decl *decl;
    const type *type;
} range;

static uint64_t lot_state;

static uint64_t lot(void)
{
    lot_state ^= lot_state << 13;
    lot_state ^= lot_state >> 7;
    lot_state ^= lot_state << 17;
    return lot_state;
}

/* ---- the functions of the runtime */

static double value_of(const type *t, uint64_t code)
{
    const uint32_t mark = t->wraps ? PKT_CIRCLE(0) : 0;
    const uint64_t mark64 = t->wraps ? PKT_CIRCLE64(0) : 0;
    return t->storage == STORAGE_FLOAT
               ? pkt_dequantize((uint32_t)code, (float)t->real_low, (float)t->real_high, mark | (uint32_t)t->steps)
               : pkt_dequantize64(code, t->real_low, t->real_high, mark64 | t->steps);
}

static uint64_t code_of(const type *t, double v)
{
    const uint32_t mark = t->wraps ? PKT_CIRCLE(0) : 0;
    const uint64_t mark64 = t->wraps ? PKT_CIRCLE64(0) : 0;
    return t->storage == STORAGE_FLOAT
               ? pkt_quantize((float)v, (float)t->real_low, (float)t->real_high, mark | (uint32_t)t->steps)
               : pkt_quantize64(v, t->real_low, t->real_high, mark64 | t->steps);
}

static uint64_t last_code(const type *t)
{
    return t->steps - t->wraps;
}

static void wrong(const range *r, uint64_t code, const char *what, double v, uint64_t other)
{
    fail_msg("%s, %" PRIu64 " steps: code %" PRIu64 " is %a, %s %" PRIu64, r->text, r->type->steps, code, v, what,
             other);
}

static void check_code(const range *r, uint64_t code)
{
    const double v = value_of(r->type, code);
    const uint64_t back = code_of(r->type, v);
    if (!(v >= r->type->real_low && v <= r->type->real_high) || (r->type->wraps && v >= r->type->real_high))
        wrong(r, code, "out of range, and comes back as", v, back);
    if (back != code)
        wrong(r, code, "and comes back as", v, back);
}

/* How near a number came to the greatest error that pktc names for its type. */
static double nearest_error;

static void check_error(const range *r, uint64_t code, double v, double bound)
{
    const double off = fabs(value_of(r->type, code) - v);
    if (off > bound)
        wrong(r, code, "too far from what was written:", v, 0);
    if (off > nearest_error * bound)
        nearest_error = off / bound;
}

/* Where the numbers with this code end, and those with the next one begin: they are the farthest from what is read. */
static void check_border(const range *r, uint64_t code)
{
    const type *t = r->type;
    const double bound = quantized_error(t);
    if (code >= last_code(t))
        return;
    double below = value_of(t, code), above = value_of(t, code + 1);
    for (;;) {
        const double exact = below + (above - below) / 2,
                     middle = t->storage == STORAGE_FLOAT ? (double)(float)exact : exact;
        if (middle <= below || middle >= above)
            break;
        *(code_of(t, middle) <= code ? &below : &above) = middle;
    }
    check_error(r, code, below, bound);
    check_error(r, code + 1, above, bound);
}

/* A row of this type three or four times: `code`, the last code, and those between them. */
static void check_row(const range *r, uint64_t code, unsigned count)
{
    const type *t = r->type;
    unsigned bits = 0;
    while (t->steps >> bits != 0)
        bits++;
    if (t->storage != STORAGE_FLOAT || t->wraps || bits * count > 63)
        return;
    const pkt_scale one = {(float)t->real_low, (float)t->real_high, (uint32_t)t->steps, (uint8_t)bits};
    const pkt_scale scales[4] = {one, one, one, one};
    const uint64_t codes[4] = {code, t->steps - code, code / 2, (code + t->steps) / 2};
    float values[4] = {0};
    float *const to[4] = {&values[0], &values[1], &values[2], &values[3]};
    const float *const from[4] = {&values[0], &values[1], &values[2], &values[3]};
    uint64_t packed = 0, again;
    pkt_row row;
    for (unsigned i = 0; i < count; i++)
        packed |= codes[i] << bits * i;
    if (!pkt_dequantize_row(packed, 0, scales, count, &row))
        wrong(r, code, "refused in a row of", 0, count);
    pkt_row_store(row, count, to);
    for (unsigned i = 0; i < count; i++)
        if ((double)values[i] != value_of(t, codes[i]))
            wrong(r, codes[i], "another value in a row at", (double)values[i], i);
    if (!pkt_quantize_row(pkt_row_load(from, count), scales, count, &again) || again != packed)
        wrong(r, code, "comes back from a row as", (double)values[0], again);
}

/* ---- the codec */

static void check_codec(arena *scratch, const range *r, uint64_t code)
{
    const codec_options how = {.room = SIZE_MAX};
    uint8_t bytes[8];
    unsigned bits = 0;
    codec_error error;
    datum v;
    size_t size;
    while (last_code(r->type) >> bits != 0)
        bits++;
    arena_clear(scratch);
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(code >> 8 * i);
    if (!codec_read(scratch, r->schema, r->decl, bytes, (bits + 7) / 8, &how, &v, &error))
        wrong(r, code, "which the codec refuses:", 0, error.code);
    datum *read = slot_of(v.record, r->decl->fields)->data;
    const uint64_t number = read->number;
    const double c = value_of(r->type, code);
    const uint64_t c_number = r->type->storage == STORAGE_FLOAT ? pkt_float_bits((float)c) : pkt_double_bits(c);
    if (number != c_number)
        wrong(r, code, "but the codec has the bits", c, number);
    if (read->got_code != 0 && read->got_code != code + 1)
        wrong(r, code, "but the codec remembers another code:", c, read->got_code);
    read->got_code = 0; /* so that the code is computed from the value */
    const uint8_t *again = codec_write(scratch, r->schema, r->decl, &v, &how, &size, &error);
    if (!again || size != (bits + 7) / 8 || memcmp(again, bytes, size) != 0)
        wrong(r, code, "which the codec does not write again:", c, error.code);
}

static void check_range(arena *scratch, const range *r, uint64_t all, uint64_t of_codec)
{
    const uint64_t last = last_code(r->type), codes = last + 1;
    const uint64_t first_half = codes <= all ? codes : all / 2;
    for (uint64_t code = 0; code < first_half; code++)
        check_code(r, code);
    for (uint64_t i = 0; i < codes - first_half && i < all / 2; i++)
        check_code(r, last - i);
    for (uint64_t i = 0; i < of_codec; i++) {
        const uint64_t code = i < 8 ? i % codes : i < 16 ? last - (i - 8) % codes : lot() % codes;
        check_code(r, code);
        check_border(r, code);
        check_row(r, code, 3);
        check_row(r, code, 4);
        check_codec(scratch, r, code);
    }
}

/* ---- ranges from text */

/* The type with this text, or one without a schema if pktc refuses it. */
static range range_of(arena *a, const char *text)
{
    const check_options how = {.checks = true};
    const char *schema_text = arena_printf(a, "protocol ranges = 1;\nstruct S { %s; }\npacket P { S s; }\n", text);
    range r = {.text = text};
    r.schema = check(a, names_new(a), diag_new(a), source_from(a, "range.pkt", schema_text, strlen(schema_text)), &how);
    if (!r.schema)
        return r;
    r.decl = r.schema->decls;
    while (strcmp(r.decl->name, "S") != 0)
        r.decl = r.decl->next;
    r.type = &r.decl->fields->type;
    return r;
}

typedef struct found {
    arena *arena;
    range ranges[MOST_TYPES];
    size_t count;
} found;

static void add_text(found *f, const char *text)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->ranges[i].text, text) == 0)
            return;
    range r = range_of(f->arena, text);
    if (r.schema && r.type->kind == TYPE_QUANTIZED) {
        assert_true(f->count < MOST_TYPES);
        f->ranges[f->count++] = r;
    }
}

/* The types that a checked schema has, with the constants of the schema. */
static void add_schema(found *f, const char *at)
{
    const check_options how = {.checks = true};
    const source *text = source_read(f->arena, at);
    const schema *s = text ? check(f->arena, names_new(f->arena), diag_new(f->arena), text, &how) : NULL;
    for (const decl *d = s ? s->decls : NULL; d; d = d->next)
        for (const field *each = d->fields; each; each = each->next) {
            const type *t = &each->type;
            if (t->kind == TYPE_QUANTIZED)
                add_text(f, arena_printf(f->arena, "%s<%#.17g, %#.17g, %#.17g> x%s",
                                         t->storage == STORAGE_FLOAT ? "float" : "double", t->real_low, t->real_high,
                                         t->real_step, t->wraps ? " wrap" : ""));
        }
}

/* The types in the text of a test. */
static void add_program(found *f, const char *at)
{
    const source *text = source_read(f->arena, at);
    regex_t pattern;
    regmatch_t match;
    assert_int_equal(regcomp(&pattern, "(float|double)<[-0-9.e]+, *[-0-9.e]+, *[-0-9.e]+>", REG_EXTENDED), 0);
    for (const char *from = text ? (const char *)text->text : ""; regexec(&pattern, from, 1, &match, 0) == 0;
         from += match.rm_eo)
        add_text(f, arena_printf(f->arena, "%.*s x", (int)(match.rm_eo - match.rm_so), from + match.rm_so));
    regfree(&pattern);
}

static void add_folder(found *f, const char *folder)
{
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *entry = readdir(d); entry; entry = readdir(d)) {
        const char *at = arena_printf(f->arena, "%s/%s", folder, entry->d_name), *dot = strrchr(entry->d_name, '.');
        struct stat about;
        if (entry->d_name[0] == '.' || stat(at, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode) && strcmp(entry->d_name, "errors") != 0)
            add_folder(f, at);
        else if (dot && strcmp(dot, ".pkt") == 0)
            add_schema(f, at);
        else if (dot && strcmp(dot, ".c") == 0)
            add_program(f, at);
    }
    closedir(d);
}

static unsigned long asked_for(const char *name, unsigned long otherwise)
{
    const char *given = getenv(name);
    return given ? strtoul(given, NULL, 10) : otherwise;
}

TEST(every_type_of_the_repository)
{
    static found f;
    arena *scratch = arena_new();
    f.arena = arena_new();
    lot_state = 1;
    add_folder(&f, "schemas");
    add_folder(&f, "tests");
    for (size_t i = 0; i < f.count; i++)
        check_range(scratch, &f.ranges[i], ALL_CODES, asked_for("PKT_CODES", 300));
    printf("%zu quantized types, errors up to %.3f of what pktc says\n", f.count, nearest_error);
    assert_true(f.count > 100);
    arena_free(f.arena);
    arena_free(scratch);
}

/* ---- ranges near the limits */

/* A number whose bits are random, but its exponent is near another one. */
static double near_exponent(int exponent)
{
    return ldexp(1 + (double)(lot() >> 12) * 0x1p-52, exponent) * (lot() % 2 ? 1 : -1);
}

/* A range with about as many steps as a type may have, or whose steps are about as small as they may be: they are close
 * to the last place of the bounds. */
static const char *draw_range(arena *a)
{
    const bool narrow = lot() % 4 != 0;
    const int digits = narrow ? 24 : 53, most = narrow ? 21 : 50;
    const int exponent = (int)(lot() % 200) - 100;
    double low = near_exponent(exponent), high = lot() % 3 == 0 ? 0 : near_exponent(exponent - (int)(lot() % 24));
    if (lot() % 4 == 0)
        high = low * (1 + ldexp((double)(lot() % 64 + 1), -(int)(lot() % (uint64_t)digits)));
    if (low > high) {
        const double other = low;
        low = high;
        high = other;
    }
    if (narrow) {
        low = (double)(float)low;
        high = (double)(float)high;
    }
    const double larger = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    int place;
    frexp(larger, &place);
    const double by_place = ldexp(2, place - digits), by_steps = (high - low) / ldexp(1, most);
    const double least = by_place > by_steps ? by_place : by_steps;
    const double step = least * (1 + (double)(lot() % 1000) / (lot() % 2 ? 1000.0 : 100000.0));
    return arena_printf(a, "%s<%#.17g, %#.17g, %#.17g> x%s", narrow ? "float" : "double", low, high, step,
                        lot() % 4 == 0 ? " wrap" : "");
}

TEST(random_ranges_near_the_limits)
{
    const unsigned long wanted = asked_for("PKT_RANGES", 300);
    unsigned long accepted = 0, tried = 0;
    arena *a = arena_new(), *scratch = arena_new();
    lot_state = random_seed() * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (; accepted < wanted && tried < 20 * wanted; tried++) {
        arena_clear(a);
        const range r = range_of(a, draw_range(a));
        if (!r.schema)
            continue;
        accepted++;
        check_range(scratch, &r, asked_for("PKT_CODES", 0) ? ALL_CODES : 4096, asked_for("PKT_CODES", 40));
    }
    printf("%lu of %lu random ranges are valid, errors up to %.3f of what pktc says\n", accepted, tried, nearest_error);
    assert_int_equal(accepted, wanted);
    arena_free(scratch);
    arena_free(a);
}
