/* test_tally.c - tests `pktc tally`, and that report and train make the same of recordings however these are parted.
 * SPDX-License-Identifier: MIT
 */
#include "commands/sent.h"

enum { KINDS = 24, RECORDINGS = 7, DATAGRAMS = 300 };

#define GAME                                                              \
    "protocol game = 1;\n"                                                \
    "packet Ping { u16 n; bits<3> kind; sparse<flag> u8 set[16]; }\n"     \
    "struct Head { u16 number; optional u16 back; }\n"                    \
    "struct Body @delta { i16 x coded; float<-10, 10, 0.01> y coded; }\n" \
    "struct State @delta { u16 tick; Body bodies[4]; bool up; u8 hp coded; }\n"

#define STREAM "--stream 'Update=Head, State delta(Head.number from Head.number - Head.back)'"

static uint64_t drawn;

static uint64_t draw(uint64_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (drawn >> 33) % below;
}

typedef struct sent {
    uint8_t *bytes;
    size_t size;
} sent;

/* The same datagrams are in all recordings: packets, and a chain of deltas. */
static sent pings[KINDS], updates[KINDS];

static sent encoded(const char *options, const char *type, char *json)
{
    sent s;
    char *command = text_format("echo '%s' | %s encode %s game.pkt '%s'", json, pktc, options, type);
    s.bytes = bytes_of(command, &s.size);
    free(command);
    free(json);
    return s;
}

static char *state_json(unsigned i)
{
    return text_format("{\"tick\": %u, \"bodies\": [{\"x\": %u, \"y\": %.2f}, {\"x\": 7}, {\"y\": %u}], \"hp\": %u}", i,
                       i * i, i * 0.3, i % 3, 100 - i);
}

static void make_datagrams(void)
{
    file_write("game.pkt", GAME);
    if (pings[0].bytes)
        return;
    for (unsigned i = 0; i < KINDS; i++) {
        pings[i] = encoded("", "Ping",
                           text_format("{\"n\": %u, \"kind\": %u, \"set\": [[%u, 1]]}", 7 * i, i == 7 ? 2 : 1, i % 16));
        char *now = state_json(i), *before = i == 0 ? text_format("null") : state_json(i - 1);
        file_write("base.json", before);
        updates[i] = encoded(
            "--frame Update --base base.json", "Head, State delta",
            text_format("[{\"Head\": {\"number\": %u%s}}, {\"State\": %s}]", i, i == 0 ? "" : ", \"back\": 1", now));
        free(now);
        free(before);
    }
}

static void free_datagrams(void)
{
    for (unsigned i = 0; i < KINDS; i++) {
        free(pings[i].bytes);
        free(updates[i].bytes);
    }
}

static const char *const game_text[] = {GAME, NULL};
static const char *const other_text[] = {"protocol game = 1;\npacket Ping { u16 n; }\n", NULL};

static const char *const chat_text[] = {"protocol chat = 1;\npacket Say { u8 n; }\n", NULL};

static FILE *begin(pkt_capture *c, const char *name, const char *const *text)
{
    static const uint8_t address[4] = {192, 0, 2, 1};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    FILE *file = fopen(name, "wb");
    assert_true(pkt_capture_begin(c, pkt_capture_to_file, file, &local, &text, text != NULL));
    return file;
}

/* A recording of some senders, with packets in any order, a chain of deltas that may have gaps, and what is unknown. */
static void record_match(const char *name, unsigned seconds)
{
    pkt_capture c;
    FILE *file = begin(&c, name, game_text);
    unsigned next = 0;
    for (unsigned i = 0; i < DATAGRAMS; i++) {
        const uint8_t address[4] = {10, 0, (uint8_t)draw(8), (uint8_t)draw(256)};
        const pkt_endpoint peer = pkt_endpoint_of(address, 4, 50000), chain = pkt_endpoint_of(address, 4, 1);
        const uint64_t time = UINT64_C(1700000000000000000) + draw(seconds * UINT64_C(1000000000));
        const sent *s = &pings[draw(KINDS)];
        const unsigned what = (unsigned)draw(20);
        if (what < 6) {
            s = &updates[next++ % KINDS];
            next += draw(8) == 0;
        }
        assert_true(pkt_capture_packet(&c, time, what % 2 ? PKT_SENT : PKT_RECEIVED, what < 6 ? &chain : &peer,
                                       what == 19 ? (const uint8_t *)"?" : s->bytes, what == 19 ? 1 : s->size));
    }
    fclose(file);
}

/* ---- parts */

static const char *const outputs[] = {"report", "report --json", "report --html -", "train game.pkt"};
enum { OUTPUTS = sizeof outputs / sizeof *outputs };

/* What all commands print of these files. */
static void run_all_outputs(const char *files, char *results[OUTPUTS])
{
    for (unsigned i = 0; i < OUTPUTS; i++) {
        char *command = text_format("%s %s -j %u %s", outputs[i], STREAM, (unsigned)draw(4) + 1, files);
        process_result r = run_for(0, command);
        assert_string_equal(r.err, "");
        results[i] = r.out;
        free(r.err);
        free(command);
    }
}

/* Adds a file to a list. */
static void add_file(char **list, const char *file)
{
    char *longer = text_format("%s %s", *list, file);
    free(*list);
    *list = longer;
}

/* Recordings are parted among tallies at random, tallies among tallies too, and what is left stays as it is. */
TEST(test_any_parts)
{
    enum { ROUNDS = 5, PARTS = 4 };
    char *all = text_format(" "), *wanted[OUTPUTS], *found[OUTPUTS];
    drawn = random_seed();
    make_datagrams();
    for (unsigned i = 0; i < RECORDINGS; i++) {
        char *name = text_format("match%u.pcapng", i);
        record_match(name, 1u << (2 * i));
        add_file(&all, name);
        free(name);
    }
    run_all_outputs(all, wanted);
    assert_contains(wanted[0], "datagrams of pairs that were not counted one by one\n");
    assert_contains(wanted[1], "\"other_peers\": {\"count\": ");
    for (unsigned round = 0; round < ROUNDS; round++) {
        char *parts[PARTS + 1];
        for (unsigned i = 0; i <= PARTS; i++)
            parts[i] = text_format(" ");
        for (unsigned i = 0; i < RECORDINGS; i++) {
            char *name = text_format("match%u.pcapng", (i + round) % RECORDINGS);
            add_file(&parts[draw(PARTS + 1)], name);
            free(name);
        }
        for (unsigned i = 0; i < PARTS; i++) {
            char *name = text_format("part%u.tally", i);
            char *command = text_format("tally %s -j%u -o %s %s", STREAM, (unsigned)draw(3) + 1, name, parts[i]);
            if (strlen(parts[i]) > 1) {
                run_silently(command);
                add_file(&parts[i + 1 + draw(PARTS - i)], name);
            }
            free(command);
            free(name);
        }
        run_all_outputs(parts[PARTS], found);
        for (unsigned i = 0; i < OUTPUTS; i++) {
            assert_string_equal(found[i], wanted[i]);
            free(found[i]);
        }
        char *command = text_format("tally %s -o all%u.tally %s", STREAM, round, parts[PARTS]);
        run_silently(command);
        free(command);
        for (unsigned i = 0; i <= PARTS; i++)
            free(parts[i]);
    }
    run_shell("for each in all?.tally; do cmp all0.tally $each; done");
    for (unsigned i = 0; i < OUTPUTS; i++)
        free(wanted[i]);
    free(all);
}

/* ---- faults */

/* Runs a command, whose messages are the same with several processes. */
static void says(int status, const char *arguments, const char *out, const char *err)
{
    for (unsigned jobs = 1; jobs <= 3; jobs++) {
        char *command = text_format("%s -j %u", arguments, jobs);
        process_result r = run_for(status, command);
        if (out)
            assert_string_equal(r.out, out);
        assert_string_equal(r.err, err);
        process_free(&r);
        free(command);
    }
}

#define GONE "cannot read 'gone.pcapng': No such file or directory"
#define TEXT "'text.txt' is not a recording: pktc reads files of tcpdump, Wireshark and pkt_capture"
#define CUT "'cut.pcapng' ends after packet 2: %s"

static void record_pings(const char *name, unsigned count)
{
    pkt_capture c;
    FILE *file = begin(&c, name, game_text);
    const uint8_t address[4] = {10, 0, 0, 1};
    const pkt_endpoint peer = pkt_endpoint_of(address, 4, 50000);
    for (unsigned i = 0; i < count; i++)
        assert_true(
            pkt_capture_packet(&c, UINT64_C(1700000000000000000) + i, PKT_SENT, &peer, pings[i].bytes, pings[i].size));
    fclose(file);
}

/* libpcap's words for the damage of cut.pcapng. */
static char *words_of_damage(void)
{
    process_result r =
        process_run("%s report cut.pcapng 2>&1 >out.txt | sed -n 's/.*ends after packet 2: //p' | tr -d '\\n'", pktc);
    assert_true(strlen(r.out) > 10);
    free(r.err);
    return r.out;
}

static void has(const char *text, const char *format, const char *words)
{
    char *part = text_format(format, words);
    assert_contains(text, part);
    free(part);
}

static void says_of_damage(int status, const char *arguments, const char *format, const char *words)
{
    char *err = text_format(format, words);
    says(status, arguments, "", err);
    free(err);
}

TEST(test_faults)
{
    make_datagrams();
    record_pings("good.pcapng", 3);
    record_pings("cut.pcapng", 3);
    run_shell("truncate -s -60 cut.pcapng");
    file_write("text.txt", "what is that?");
    char *words = words_of_damage();
    process_result r = run_for(3, "report gone.pcapng good.pcapng text.txt cut.pcapng gone.pcapng");
    assert_contains(r.out, "5 datagrams, ");
    has(r.out, "\n3 of 5 recordings could not be read:\n  " CUT "\n  " TEXT "\n  " GONE " (2 times)\n\n", words);
    process_free(&r);
    says_of_damage(3, "report --html page.html gone.pcapng good.pcapng text.txt cut.pcapng",
                   "pktc: warning: " GONE "\npktc: warning: " TEXT "\npktc: warning: " CUT "\n", words);
    char *page = file_read("page.html");
    has(page, "<p>2 of 4 recordings could not be read.</p>\n<ul>\n<li>" CUT "</li>\n<li>", words);
    free(page);
    r = run_for(3, "report --json gone.pcapng good.pcapng cut.pcapng");
    has(r.out,
        "    \"recordings\": 2,\n"
        "    \"unread\": 1,\n"
        "    \"faults\": [\n"
        "        {\"message\": \"" CUT "\", \"count\": 1},\n"
        "        {\"message\": \"" GONE "\", \"count\": 1}\n"
        "    ],\n",
        words);
    process_free(&r);
    r = run_for(0, "report cut.pcapng good.pcapng");
    has(r.out, "\nNot all recordings are whole:\n  " CUT "\n\n", words);
    process_free(&r);
    /* Nothing is left. */
    says(1, "report game.pkt gone.pcapng text.txt", "", "pktc: error: " GONE "\npktc: error: " TEXT "\n");
    says(1, "report gone.pcapng", "", "pktc: error: " GONE "\n");
    /* A tally names what it lacks, and so does what is made of it. */
    says(3, "tally game.pkt gone.pcapng -o gone.tally", "", "pktc: warning: " GONE "\n");
    says_of_damage(3, "tally gone.pcapng good.pcapng cut.pcapng -o part.tally",
                   "pktc: warning: " GONE "\npktc: warning: " CUT "\n", words);
    r = run_for(3, "report part.tally gone.tally");
    assert_string_equal(r.err, "");
    has(r.out, "\n2 of 4 recordings could not be read:\n  " CUT "\n  " GONE " (2 times)\n\n", words);
    process_free(&r);
    free(words);
}

TEST(test_train_faults)
{
    drawn = 1;
    make_datagrams();
    record_match("match.pcapng", 10);
    process_result whole = run_for(0, "train " STREAM " game.pkt match.pcapng");
    says(3, "train " STREAM " game.pkt gone.pcapng match.pcapng", whole.out, "pktc: warning: " GONE "\n");
    run_silently("tally " STREAM " match.pcapng -o whole.tally");
    says(3, "tally " STREAM " gone.pcapng match.pcapng -o match.tally", "", "pktc: warning: " GONE "\n");
    says(3, "train game.pkt match.tally", whole.out, "pktc: warning: " GONE "\n");
    says(1, "train " STREAM " game.pkt gone.pcapng", "", "pktc: error: " GONE "\n");
    process_result check = run_for(0, "train --check --tolerance 100 " STREAM " game.pkt match.pcapng match.pcapng");
    says(0, "train --check --tolerance 100 " STREAM " game.pkt match.pcapng match.pcapng", check.out, "");
    process_free(&check);
    says(1, "train --check game.pkt whole.tally", "",
         "pktc: error: 'whole.tally' is a tally, which --check cannot measure\n"
         "      = help: --check writes each delta with the fresh model, so give it the recordings\n");
    says(1, "train game.pkt State whole.tally", "",
         "pktc: error: 'whole.tally' is a tally, which has no values of a type\n"
         "      = help: it has the symbols of deltas as they were sent; give the recordings, or no type\n");
    /* Of the same schema with a model, another id: the symbols are the same. */
    file_write("game.model", whole.out);
    run_shell("sed 's/= 1;/= 1; model \"game.model\";/' game.pkt > modelled.pkt");
    says(0, "train modelled.pkt whole.tally", whole.out, "");
    process_free(&whole);
}

/* ---- refused */

static void change_byte(const char *name, long at, uint8_t byte)
{
    FILE *file = fopen(name, "r+b");
    assert_int_equal(fseek(file, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    fputc(byte, file);
    fclose(file);
}

/* Without FILE.pkt, the recording with the most schemas says which protocols there are. */
TEST(test_protocols)
{
    static const char *const *const both[] = {other_text, chat_text};
    static const uint8_t address[4] = {192, 0, 2, 1};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    pkt_capture c;
    FILE *file = fopen("both.pcapng", "wb");
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, both, 2));
    size_t size;
    file_write("chat.pkt", chat_text[0]);
    uint8_t *say = bytes_of(text_format("echo '{}' | %s encode chat.pkt Say", pktc), &size);
    assert_true(pkt_capture_packet(&c, 1, PKT_SENT, &local, say, size));
    free(say);
    fclose(file);
    fclose(begin(&c, "game.pcapng", other_text));
    fclose(begin(&c, "chat.pcapng", chat_text));
    process_result one = run_for(0, "report game.pcapng both.pcapng"),
                   other = run_for(0, "report both.pcapng game.pcapng");
    assert_contains(one.out, "Say.n");
    assert_string_equal(one.out, other.out);
    process_free(&one);
    process_free(&other);
    says(1, "report game.pcapng chat.pcapng", "",
         "pktc: error: 'chat.pcapng' has a schema of protocol 'chat', and the other files have 'game'\n"
         "      = help: count them one by one, or give a FILE.pkt of each protocol\n");
    says(0, "tally game.pcapng game.pcapng -o game.tally", "",
         "pktc: warning: 'game.pcapng' is named twice, and counts twice\n");
    run_silently("tally game.pcapng -o game.tally");
    fails_with("'both.pcapng' has a schema of protocol 'chat', and the other files have 'game'\n",
               "tally game.tally both.pcapng -o both.tally");
}

static const char *const first_text[] = {"protocol game = 1;\nstruct Move @delta { i16 x coded; }\n"
                                         "packet Ping { u32 n; }\n",
                                         NULL};
static const char *const second_text[] = {"protocol game = 2;\nstruct Turn @delta { u16 x coded; u8 y; }\n"
                                          "packet Ping { u32 n; u8 more; }\n",
                                          NULL};

/* A recording with two versions, whose schemas are in this order. */
static void record_versions(const char *name, const char *const *const texts[2], unsigned seed)
{
    static const uint8_t address[4] = {192, 0, 2, 1};
    static const char *const files[] = {"first.pkt", "second.pkt"};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    pkt_capture c;
    FILE *file = fopen(name, "wb");
    file_write("null.json", "null");
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, texts, 2));
    for (unsigned i = 0; i < 12; i++) {
        char *ping = text_format("{\"n\": %u}", seed * (i + 1));
        char *step = text_format("[{\"%s\": {\"x\": %u}}]", i % 2 ? "Turn" : "Move", seed + i);
        add_sent(&c, 2 * i, files[i % 2], "", "Ping", ping);
        add_sent(&c, 2 * i + 1, files[i % 2],
                 i % 2 ? "--frame Turned --base null.json" : "--frame Moved --base null.json",
                 i % 2 ? "Turn delta" : "Move delta", step);
        free(ping);
        free(step);
    }
    fclose(file);
}

#define MOVES "--stream 'Moved=Move delta(last)' --stream 'Turned=Turn delta(last)' "

/* Programs may list their schemas in any order. */
TEST(test_order_of_schemas)
{
    static const char *const *const texts[] = {first_text, second_text, first_text};
    static const char *const asked[] = {"report", "report --json", "train first.pkt", "train second.pkt"};
    file_write("first.pkt", first_text[0]);
    file_write("second.pkt", second_text[0]);
    record_versions("one.pcapng", texts, 3);
    record_versions("two.pcapng", texts + 1, 50);
    run_silently("tally " MOVES "one.pcapng -o one.tally");
    run_silently("tally " MOVES "two.pcapng -o two.tally");
    run_silently("tally " MOVES "one.pcapng two.pcapng -o both.tally");
    for (unsigned i = 0; i < 4; i++) {
        char *command = text_format("%s one.tally two.tally", asked[i]);
        char *swapped = text_format("%s two.tally one.tally", asked[i]),
             *whole = text_format("%s both.tally", asked[i]);
        process_result wanted = run_for(0, whole);
        assert_true(strlen(wanted.out) > 10);
        says(0, command, wanted.out, "");
        says(0, swapped, wanted.out, "");
        process_free(&wanted);
        free(command);
        free(swapped);
        free(whole);
    }
    run_silently("tally one.tally two.tally -o sum.tally");
    run_shell("cmp both.tally sum.tally");
    process_result r = run_for(0, "report second.pkt first.pkt one.tally two.tally");
    process_free(&r);
    fails_with("'one.tally' was made with another schema\n", "report first.pkt one.tally");
    fails_with("'one.tally' was made with another schema\n", "report first.pkt first.pkt one.tally");
}

TEST(test_refused)
{
    make_datagrams();
    record_pings("good.pcapng", 3);
    run_silently("tally good.pcapng -o good.tally");
    file_write("other.pkt", "protocol game = 1;\npacket Ping { u16 n; }\n");
    pkt_capture c;
    fclose(begin(&c, "other.pcapng", other_text));
    run_silently("tally other.pcapng -o other.tally");
    says(1, "report good.tally other.tally", "",
         "pktc: error: 'other.tally' was made with another schema\n"
         "      = help: the id of the schema in it is 0x2b3870990e171a6e, and that of 'schema in good.tally' is "
         "0xb24d5472c96145d4\n");
    fails_with("'good.tally' was made with another schema\n", "report other.pkt good.tally");
    fails_with("'other.pcapng' was made with another schema of protocol 'game'", "report good.tally other.pcapng");
    fails_with("'other.pcapng' was made with another schema of protocol 'game'", "report good.pcapng other.pcapng");
    says(1, "train game.pkt other.tally", "",
         "pktc: error: 'other.tally' is a tally of another schema\n"
         "      = help: train takes tallies of the schema that it trains, with whatever model\n");
    file_write("nameless.pkt", "struct Ping { u16 n; }\n");
    fails_with("'nameless.pkt' declares no protocol, so a tally of it cannot be told from those of other schemas",
               "tally nameless.pkt --stream Ping good.pcapng -o x.tally");
    assert_false(exists("x.tally"));
    run_shell("cp good.tally new.tally");
    change_byte("new.tally", 7, 5);
    says(1, "report new.tally", "",
         "pktc: error: 'new.tally' is a tally of version 5, and this pktc reads version 4\n"
         "      = help: make it again with this pktc, or read it with that of its maker\n");
    process_result r = run_for(2, "tally");
    assert_string_equal(r.err, "pktc: tally needs a recording; try 'pktc help tally'\n");
    process_free(&r);
    r = run_for(2, "report -j 0 good.pcapng");
    assert_string_equal(r.err, "pktc: -j takes a number from 1 to 256, not '0'; try 'pktc help report'\n");
    process_free(&r);
}

/* Wherever it is cut, and whichever bit is wrong, it is refused. */
TEST(test_damaged_tallies)
{
    drawn = random_seed();
    make_datagrams();
    record_pings("good.pcapng", 3);
    run_silently("tally good.pcapng -o good.tally");
    char *whole = file_read("good.tally");
    struct stat status;
    assert_int_equal(stat("good.tally", &status), 0);
    const long size = (long)status.st_size;
    free(whole);
    for (unsigned i = 0; i < 40; i++) {
        const long at = 8 + (long)draw((uint64_t)size - 8);
        char *command = text_format("cp good.tally bad.tally && truncate -s %ld bad.tally", at);
        if (i % 2 == 0) {
            run_shell(command);
        } else {
            FILE *from = fopen("good.tally", "rb");
            assert_int_equal(fseek(from, at, SEEK_SET), 0);
            const int byte = fgetc(from);
            fclose(from);
            run_shell("cp good.tally bad.tally");
            change_byte("bad.tally", at, (uint8_t)(byte ^ 1 << draw(8)));
        }
        fails_saying("pktc: error: 'bad.tally' is a damaged tally\n      = help: make it again with `pktc tally`\n",
                     i % 3 ? "report bad.tally" : "train game.pkt bad.tally");
        free(command);
    }
}

#define EVERY_TYPE                                                                                                   \
    "protocol game = 1;\n"                                                                                           \
    "enum E { a, b }\nflags F { c, d }\nstruct S { u8 v; }\nstruct N { }\nunion U { S s; N n; }\n"                   \
    "struct Own as \"own\" from \"own.h\" { u8 v; }\n"                                                               \
    "packet P {\n"                                                                                                   \
    "    bool a; u8 b; i16 c; bits<3> d; int<-3, 9> e; fixed<4, 4, -4, 4> f; E g; F h; float i; half j; double k;\n" \
    "    float<0, 1, 0.1> l; compact u32 m; quat<9> n; unit<9> o; string<4> p; bytes<4> q; S r; U s; Own t;\n"       \
    "    ref<P, 9> u; ref<P, 9> v[2]; optional ref<P, 9> w; sparse<flag> ref<P, 9> x[3]; compact u16 y;\n"           \
    "}\n"

/* Values of each type, and names as long as a schema may have them: a report of a tally is that of the recording. */
TEST(test_every_type)
{
    char *name = text_format("P%06000d", 0),
         *long_names =
             text_format("protocol game = 1;\npacket %s { S s%s; }\nstruct S { u8 v%s; }\n", name, name, name);
    const char *const texts[] = {EVERY_TYPE, long_names}, *const packets[] = {"P", name};
    for (unsigned i = 0; i < 2; i++) {
        pkt_capture c;
        const char *const text[] = {texts[i], NULL};
        file_write("game.pkt", texts[i]);
        FILE *file = begin(&c, "match.pcapng", text);
        add_sent(&c, 0, "game.pkt", "", packets[i], "{}");
        add_sent(&c, 1, "game.pkt", "", packets[i], "{}");
        fclose(file);
        run_silently("tally match.pcapng -o match.tally");
        process_result recording = run_for(0, "report --json match.pcapng"),
                       tally = run_for(0, "report --json match.tally");
        assert_string_equal(tally.out, recording.out);
        process_free(&recording);
        process_free(&tally);
    }
    free(long_names);
    free(name);
}

/* The bytes stay the same from one version of pktc to the next, or the version of the format is another one. The workshop's
 * tally.md explains them. */
TEST(test_format)
{
    pkt_capture c;
    FILE *file = begin(&c, "one.pcapng", other_text);
    const uint8_t address[4] = {10, 0, 0, 1};
    const pkt_endpoint peer = pkt_endpoint_of(address, 4, 50000);
    assert_true(pkt_capture_packet(&c, UINT64_C(1700000000000000000), PKT_SENT, &peer, (const uint8_t *)"?", 1));
    fclose(file);
    process_result r = process_run("%s tally one.pcapng 2>err | od -A n -t x1 | tr -d '\n'", pktc);
    assert_string_equal(r.out, " 70 6b 74 61 6c 6c 79 04"          /* "pktally", version */
                               " 01 01 ee b4 dc f0 90 93 9c 9c 2b" /* checks, schemas, an id */
                               " 2a 70 72 6f 74 6f 63 6f 6c 20 67 61 6d 65 20 3d 20 31 3b 0a"          /* its text */
                               " 70 61 63 6b 65 74 20 50 69 6e 67 20 7b 20 75 31 36 20 6e 3b 20 7d 0a" /* goes on */
                               " 1f 01 00 00 00"                                              /* recordings, faults */
                               " 00 00 01 01"                                                 /* datagrams */
                               " 01 80 80 a8 b1 e3 9f e7 cb 17 80 80 a8 b1 e3 9f e7 cb 17 01" /* times, a slice */
                               " 00 00 00"                                                    /* peers, kinds, fields */
                               " 00"                                                          /* symbols */
                               " 43 22 0f 17");                                               /* crc */
    process_free(&r);
}

int main(void)
{
    cli_begin("tally");
    const int status = cli_end(run_all(set_up));
    free_datagrams();
    return status;
}
