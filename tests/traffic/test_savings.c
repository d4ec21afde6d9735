/* test_savings.c - follows each piece of advice, and counts whether it saves as many bits as it promised.
 * SPDX-License-Identifier: MIT
 */
#include "check/check.h"
#include "codec/codec_json.h"
#include "traffic/savings.h"
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

static uint64_t draw(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % below;
}

static const schema *checked(arena *a, const char *text)
{
    const check_options options = {.checks = true};
    diag *d = diag_new(a);
    const schema *s = check(a, names_new(a), d, source_from(a, "game.pkt", text, strlen(text)), &options);
    diag_print(d, DIAG_TEXT, stdout);
    assert_non_null(s);
    return s;
}

static const decl *type_of(const schema *s, const char *name)
{
    const decl *d = s->decls;
    while (strcmp(d->name, name) != 0)
        d = d->next;
    return d;
}

static void add_bits(void *user, const char *name, uint64_t bit, uint64_t bits, const uint8_t *data)
{
    (void)name;
    (void)bit;
    (void)data;
    *(uint64_t *)user += bits;
}

/* The bits of all values, each a delta to the one before if `delta`. With a tally, they are filed there. */
static uint64_t total(arena *a, const schema *s, const char *name, char **values, bool delta, tally *t)
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

static char *printed(const char *format, ...)
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

static char *plain_value(int i)
{
    char few[32] = "", many[640] = "";
    if (draw(3) == 0)
        snprintf(few, sizeof few, "[%u, 1]", (unsigned)draw(64));
    for (unsigned k = 0; k < 64; k++)
        if (draw(2) != 0)
            snprintf(many + strlen(many), sizeof many - strlen(many), "%s[%u, %u]", *many ? ", " : "", k,
                     (unsigned)draw(8));
    return printed("{\"narrow\": %u, \"big\": %u, \"usual\": %d, \"real\": %.2f, \"few\": [%s], "
                   "\"many\": [%s], \"huge\": %u}",
                   i == 0 ? 300 : 300 + (unsigned)draw(64), (unsigned)draw(draw(4) != 0 ? 100 : 100000),
                   draw(5) != 0 ? 77 : (int)draw(1000), (double)draw(1000) / 100, few, many, (unsigned)draw(1000));
}

/* A walk: most fields take small steps, now and then one jumps. */
static char *delta_value(int i)
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

/* The schema's text with one declaration replaced. */
static char *replaced(const char *text, const char *old, const char *new_text)
{
    const char *at = strstr(text, old);
    assert_non_null(at);
    return printed("%.*s%s%s", (int)(at - text), text, new_text, at + strlen(old));
}

typedef struct follow {
    advice_kind kind;
    const char *path, *change; /* the advice that is expected */
    const char *old, *changed; /* how it is followed; steps: NULL, they are put before the semicolon */
} follow;

/* "n delta<2, 4>;" for "n;" or "n delta<2, 3>;". */
static char *with_steps(const char *old, const char *change)
{
    const char *name_end = strstr(old, " delta"), *end = strchr(old, ';'), *change_end = strstr(change, " instead");
    return printed("%.*s %.*s%s", (int)((name_end ? name_end : end) - old), old,
                   (int)(change_end ? change_end - change : (ptrdiff_t)strlen(change)), change, end);
}

static void check_advice(const char *text, const char *name, bool delta, char *make(int), const follow *list,
                         size_t count)
{
    arena *a = arena_new();
    char *values[SAMPLES];
    const schema *s = checked(a, text);
    tally *t = tally_new(a, &s, 1);
    printf("seed %d\n", (int)state);
    for (int i = 0; i < SAMPLES; i++)
        values[i] = make(i);
    total(a, s, name, values, delta, t);
    const uint64_t before = total(a, s, name, values, delta, NULL);
    uint64_t tallied = 0;
    for (const field_tally *f = t->fields; f; f = f->next)
        tallied += f->bits;
    assert_int_equal(tallied, before);
    tally_settle(t);
    const advice *all = advise(a, t);
    for (size_t i = 0; i < count; i++) {
        const advice *found = all;
        while (found && (found->kind != list[i].kind || strcmp(found->of->path, list[i].path) != 0))
            found = found->next;
        if (!found)
            fail_msg("no advice about %s: %s", list[i].path, advice_name(list[i].kind));
        if (strcmp(found->change, list[i].change) != 0)
            fail_msg("%s: %s", list[i].path, found->change);
        char *line = list[i].changed ? printed("%s", list[i].changed) : with_steps(list[i].old, found->change);
        char *changed = replaced(text, list[i].old, line);
        const uint64_t after = total(a, checked(a, changed), name, values, delta, NULL);
        if (before - after != found->bits)
            fail_msg("%s: %s: promised %llu bits, saved %lld", list[i].path, list[i].change,
                     (unsigned long long)found->bits, (long long)(before - after));
        free(changed);
        free(line);
    }
    for (const advice *each = all; each && each->next; each = each->next)
        assert_true(each->bits >= each->next->bits);
    for (int i = 0; i < SAMPLES; i++)
        free(values[i]);
    arena_free(a);
}

TEST(test_plain)
{
    static const follow list[] = {
        {ADVICE_RANGE, "Plain.narrow", "a range from 300 to 363, with room for what is to come: 6 bits instead of 16",
         "u16<0, 65535> narrow", "u16<300, 363> narrow"},
        {ADVICE_COMPACT, "Plain.big", "compact u32", "u32 big", "compact u32 big"},
        {ADVICE_UNLESS, "Plain.usual", "unless 77, which 80 % of all values are", "usual;", "usual unless 77;"},
        {ADVICE_CONSTANT, "Plain.never", "is always false", "    bool never;\n", ""},
        {ADVICE_COARSER, "Plain.real", "a resolution of 0.02 instead of 0.01, if that is enough", "0.01> real",
         "0.02> real"},
        {ADVICE_SUBSET, "Plain.few", "sparse<count> instead of flag", "sparse<flag>", "sparse<count>"},
        {ADVICE_SUBSET, "Plain.many", "sparse<flag> instead of count", "sparse<count>", "sparse<flag>"},
        {ADVICE_COMPACT, "Plain.huge", "compact u64", "u64 huge", "compact u64 huge"},
    };
    check_advice(plain_text, "Plain", false, plain_value, list, sizeof list / sizeof *list);
}

TEST(test_delta)
{
    static const follow list[] = {
        {ADVICE_STEPS, "Delta.narrow", "delta<4, 7>", "narrow;", NULL},
        {ADVICE_STEPS, "Delta.low", "delta<4, 7>", "low;", NULL},
        {ADVICE_STEPS, "Delta.real", "delta<6, 10> instead of delta<2, 3>", "real delta<2, 3>;", NULL},
        {ADVICE_STEPS, "Delta.turn", "delta<1, 2> instead of delta<2, 3>", "turn delta<2, 3>;", NULL},
        {ADVICE_STEPS, "Delta.part", "delta<4, 9>", "part;", NULL},
        {ADVICE_STEPS, "Delta.row[]", "delta<3, 3>", "row[8];", NULL},
        {ADVICE_STEPS, "Delta.inner[].n", "delta<4, 9>", "n;", NULL},
        {ADVICE_STEPS, "Delta.inner[].turn", "delta<1, 6>", "turn; }", NULL},
    };
    check_advice(delta_text, "Delta", true, delta_value, list, sizeof list / sizeof *list);
}

static const advice *next_coded(const advice *of)
{
    while (of && of->kind != ADVICE_CODED)
        of = of->next;
    return of;
}

/* A model saves nothing of values that are sent whole: it is advised as if they were not in the recording. */
TEST(test_coded_whole)
{
    arena *a = arena_new();
    char *text = replaced(delta_text, "i16 low;", "i16 low coded;"), *values[SAMPLES];
    const schema *s = checked(a, text);
    tally *deltas = tally_new(a, &s, 1), *both = tally_new(a, &s, 1);
    unsigned count = 0, fresh = 0;
    for (int i = 0; i < SAMPLES; i++)
        values[i] = delta_value(i);
    total(a, s, "Delta", values, true, deltas);
    total(a, s, "Delta", values, true, both);
    total(a, s, "Delta", values, false, both);
    tally_settle(deltas);
    tally_settle(both);
    const advice *wanted = next_coded(advise(a, deltas)), *found = next_coded(advise(a, both));
    for (; wanted && found; wanted = next_coded(wanted->next), found = next_coded(found->next)) {
        assert_string_equal(found->of->path, wanted->of->path);
        assert_string_equal(found->change, wanted->change);
        assert_int_equal(found->bits, wanted->bits);
        count++;
        fresh += strncmp(found->change, "a fresh model", 13) == 0;
    }
    assert_ptr_equal(wanted, found);
    assert_in_range(count, 4, 20);
    assert_int_equal(fresh, 1);
    for (int i = 0; i < SAMPLES; i++)
        free(values[i]);
    free(text);
    arena_free(a);
}
