/* test_savings.c - follows each piece of advice, and counts whether it saves as many bits as it promised.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/savings.h"
#include "traffic/values.h"

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
        {ADVICE_OR_RAW, "Plain.place", "float<-64, 63, 1> with `or raw`: 88 % of all values are steps", "float place",
         "float<-64, 63, 1> place or raw"},
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

/* Each value lacks the oldest element of the one before, and has a new one, so elements have other places than before. */
static char *list_value(int i)
{
    enum { MOST = 8 };
    char *text = printed("{\"things\": {");
    for (int k = 0; k < MOST; k++) {
        const int number = i + k;
        char *more = printed("%s%s\"%d\": {\"place\": %d, \"height\": %d}", text, k > 0 ? ", " : "", number,
                             number * 7919 % 4001 - 2000, number * 31 % 97 + (i % 3 == 0 ? k : 0));
        free(text);
        text = more;
    }
    char *whole = printed("%s}}", text);
    free(text);
    return whole;
}

TEST(test_list)
{
    static const char text[] =
        "protocol game = 1;\n"
        "struct Thing @delta { u16 number; int<-10000, 10000> place delta<2, 3>; u8 height = 40; }\n"
        "packet List @delta { Thing things[<=8] by number; }\n";
    static const follow list[] = {
        {ADVICE_STEPS, "List.things[].place", "delta<11, 11> instead of delta<2, 3>", "place delta<2, 3>;", NULL},
        {ADVICE_STEPS, "List.things[].height", "delta<3, 3>", "height = 40;", "height delta<3, 3> = 40;"},
    };
    check_advice(text, "List", true, list_value, list, sizeof list / sizeof *list);
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

static char *few_value(int i)
{
    static const int poses[] = {7, 300, 60000, 7, 12345};
    return printed("{\"pose\": %d}", poses[i % 5]);
}

/* What has few values is coded by these: 0.4, 0.2, 0.2, 0.2 have an entropy of 1.9 bits. */
static void advises_coded(const char *text, const char *change)
{
    arena *a = arena_new();
    char *values[SAMPLES];
    const schema *s = checked(a, text);
    tally *t = tally_new(a, &s, 1);
    for (int i = 0; i < SAMPLES; i++)
        values[i] = few_value(i);
    total(a, s, "Few", values, true, t);
    tally_settle(t);
    const advice *found = next_coded(advise(a, t));
    assert_non_null(found);
    assert_string_equal(found->of->path, "Few.pose");
    assert_string_equal(found->change, change);
    for (int i = 0; i < SAMPLES; i++)
        free(values[i]);
    arena_free(a);
}

TEST(test_few_values)
{
    advises_coded("protocol game = 1;\npacket Few @delta { u16 pose; u8 other; }\n",
                  "coded, with a model: about 1.9 bits each instead of 16.0");
}

TEST(test_enums)
{
    advises_coded("protocol game = 1;\nenum Pose : bits<17> { idle }\npacket Few @delta { Pose pose; u8 other; }\n",
                  "coded, with a model: about 1.9 bits each instead of 17.0");
    advises_coded(
        "protocol game = 1;\nenum Pose : bits<17> { idle }\npacket Few @delta(predict) { Pose pose; u8 other coded; }\n",
        "coded, with a model: about 1.9 bits each instead of 17.0");
}

static int by_arrival(const void *x, const void *y)
{
    const unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;
    return (a > b) - (a < b);
}

static bool advises_range(const advice *each, const char *of)
{
    while (each && !(each->kind == ADVICE_RANGE && strcmp(each->of->path, of) == 0))
        each = each->next;
    return each != NULL;
}

/* Counts a packet from a sender. */
static void count_from(tally *t, unsigned sender, const char *name, char *json)
{
    arena *a = arena_new();
    const schema *s = t->schemas[0];
    const codec_options how = {.id = s->id, .framed = true, .room = SIZE_MAX, .trace = tally_item, .user = t};
    const decl *d = type_of(s, name);
    const char *problem = "";
    size_t size;
    codec_error error;
    datum v, got;
    assert_true(json_read(a, d, json, strlen(json), &v, &problem));
    const uint8_t *bytes = codec_write(a, s, d, &v, &how, &size, &error);
    assert_non_null(bytes);
    assert_true(codec_read(a, s, d, bytes, size, &how, &got, &error));
    tally_peer(t, arena_printf(a, "192.0.2.%u:1 to 192.0.2.99:1", sender), size, 0);
    tally_value(t, a, d, &got, false, NULL, NULL);
    tally_accept(t);
    free(json);
    arena_free(a);
}

/* A number that each sender counts up needs no range, although datagrams overtake each other, also the last ones. Numbers that rise and
 * fall do, though each sender has few of them. */
TEST(test_counters_in_disorder)
{
    enum { SENDERS = 24, LATE = 6, SHARE = 64, FEW = 4 };
    arena *a = arena_new();
    const schema *s = checked(a, "protocol game = 1;\npacket Ack { u16 newest; u16 load; }\npacket Few { u16 n; }\n");
    tally *one = tally_new(a, &s, 1), *t = tally_new(a, &s, 1);
    unsigned falls = 0, late_ends = 0;
    state = random_seed();
    for (unsigned sender = 0; sender < SENDERS; sender++) {
        unsigned order[SAMPLES], before = 0, most = 0;
        for (unsigned i = 0; i < SAMPLES; i++)
            order[i] = (i * SHARE + (unsigned)draw(LATE * SHARE)) * SAMPLES + i;
        qsort(order, SAMPLES, sizeof *order, by_arrival);
        /* The last datagram of one sender is late for sure: the oldest of the last ones. */
        for (unsigned i = SAMPLES - LATE; sender == 0 && i < SAMPLES - 1; i++)
            if (order[i] % SAMPLES < order[i + 1] % SAMPLES) {
                const unsigned older = order[i];
                order[i] = order[i + 1];
                order[i + 1] = older;
            }
        for (unsigned i = 0; i < SAMPLES; i++) {
            const unsigned newest = 1 + order[i] % SAMPLES / 3;
            falls += newest < before;
            before = newest;
            most = newest > most ? newest : most;
            count_from(one, sender, "Ack", printed("{\"newest\": %u, \"load\": %u}", newest, (unsigned)draw(700)));
            if (i < FEW)
                count_from(one, sender, "Few", printed("{\"n\": %u}", (unsigned)draw(700)));
        }
        late_ends += before < most;
    }
    assert_in_range(falls, SENDERS * SAMPLES / 10, SENDERS * SAMPLES / 3);
    assert_true(late_ends > 0);
    tally_add(t, one);
    tally_settle(t);
    const advice *all = advise(a, t);
    assert_false(advises_range(all, "Ack.newest"));
    assert_true(advises_range(all, "Ack.load"));
    assert_true(advises_range(all, "Few.n"));
    arena_free(a);
}
