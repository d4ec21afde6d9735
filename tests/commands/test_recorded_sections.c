/* test_recorded_sections.c - tests recordings that were put together: by `cat`, which makes sections, and by mergecap.
 * SPDX-License-Identifier: MIT
 */
#include "commands/record.h"

enum { SECTION = 28, INTERFACE = 16, MOST_BYTES = 1 << 18 }; /* of a block: what comes before options */

#define OTHER "protocol other = 1;\npacket Pong { u8 m; }\n"
#define OLD "protocol game = 1;\npacket Ping { u8 n; }\npacket Pos @seed { int<0, 15> a; }\n"
#define NEW "protocol game = 1;\npacket Ping { u16 n; }\npacket Pos @seed { int<1, 16> a @lossy(1); }\n"
#define PING(i, a) "{" #i " \"direction\": \"sent\", \"type\": \"Ping\", \"value\": {\"n\": " #a "}}\n"
#define PONG(i, a) "{" #i " \"direction\": \"sent\", \"type\": \"Pong\", \"value\": {\"m\": " #a "}}\n"
#define POS(i, a) "{" #i " \"direction\": \"sent\", \"type\": \"Pos\", \"value\": {\"a\": " #a "}}\n"

static const char *const old_text[] = {OLD, NULL};
static const char *const new_text[] = {NEW, NULL};

/* Records one packet, and its session if there is one, and moves the recording to `to`. */
static void record_seed(const char *const *text, const char *schema, unsigned seed, bool session, const char *type,
                        const char *json, const char *to)
{
    static const uint8_t address[] = {10, 0, 0, 2};
    const pkt_endpoint peer = pkt_endpoint_of(address, 4, 50000);
    char *options = text_format("--seed %u", seed);
    file_write("game.pkt", schema);
    record r = record_open_with(&text, 1);
    if (session)
        assert_true(pkt_capture_session(&r.capture, r.now, &peer, seed, 0));
    record_add(&r, 2, PKT_SENT, options, type, json);
    fclose(r.file);
    assert_int_equal(rename("match.pcapng", to), 0);
    free(options);
}

static void record_one(const char *const *text, const char *schema, unsigned seed, const char *type, const char *json,
                       const char *to)
{
    record_seed(text, schema, seed, seed != 0, type, json, to);
}

static void prints(const char *line, int status, const char *output, const char *errors)
{
    process_result result = process_run("PKTC=%s; %s", pktc, line);
    assert_string_equal(result.err, errors);
    assert_string_equal(result.out, output);
    assert_int_equal(result.status, status);
    process_free(&result);
}

static void record_two_protocols(void)
{
    record_one(schema_text, SCHEMA, 0, "Ping", "{\"n\": 1}", "one.pcapng");
    record_one(other_text, OTHER, 0, "Pong", "{\"m\": 2}", "two.pcapng");
    run_shell("cat one.pcapng two.pcapng one.pcapng >all.pcapng");
}

/* ---- sections */

/* The schemas of all sections are known, whatever the command; a schema that comes again is one. */
TEST(test_schemas_of_all_sections)
{
    static const char wanted[] = PING(0, 1) PONG(0, 2) PING(0, 1);
    record_two_protocols();
    shows("all.pcapng", wanted);
    file_write("other.pkt", OTHER);
    file_write("game.pkt", SCHEMA);
    shows("game.pkt other.pkt all.pcapng", wanted);
    prints("gzip -c all.pcapng >all.gz && $PKTC decode all.gz >packed && $PKTC decode all.pcapng | cmp - packed", 0, "",
           "");
    prints("$PKTC report all.pcapng | grep -o '^P[io]ng *[0-9]*' | head -n 2 | tr -s ' '", 0, "Ping 2\nPong 1\n", "");
    prints("$PKTC tally -o all.tally all.pcapng && $PKTC report all.tally >one && $PKTC report all.pcapng | cmp - one",
           0, "", "");
    prints("$PKTC convert game.pkt all.pcapng >new.pcapng", 0, "", "");
    shows("new.pcapng", wanted);
    run_shell("cmp -i 44 -n 64 one.pcapng new.pcapng"); /* the first schema */
}

/* Of several releases in a row, with a session in each. */
TEST(test_releases_of_sections)
{
    static const char wanted[] = PING(0, 1) POS(0, 7) PING(0, 1) POS(0, 7);
    record_one(old_text, OLD, 0, "Ping", "{\"n\": 1}", "1.pcapng");
    record_one(old_text, OLD, 5, "Pos", "{\"a\": 7}", "2.pcapng");
    record_one(new_text, NEW, 0, "Ping", "{\"n\": 1}", "3.pcapng");
    record_one(new_text, NEW, 6, "Pos", "{\"a\": 7}", "4.pcapng");
    run_shell("cat 1.pcapng 2.pcapng 3.pcapng 4.pcapng >all.pcapng");
    shows("all.pcapng", wanted);
    prints("$PKTC convert game.pkt all.pcapng >new.pcapng", 0, "", "");
    shows("new.pcapng", wanted);
}

/* Records two datagrams of one client, each with a seed of its own. with: whether a session says the first, the second. */
static void record_seeds(const bool with[2])
{
    static const char *const to[] = {"1.pcapng", "2.pcapng"}, *const json[] = {"{\"a\": 7}", "{\"a\": 8}"};
    for (unsigned i = 0; i < 2; i++)
        record_seed(old_text, OLD, 5 + i, with[i], "Pos", json[i], to[i]);
    run_shell("cat 1.pcapng 2.pcapng 1.pcapng >all.pcapng");
}

#define UNCHECKED(i, a) \
    "{" #i " \"direction\": \"sent\", \"type\": \"Pos\", \"crc\": \"unchecked\", \"value\": {\"a\": " #a "}}\n"

/* Each section is a recording of its own: the sessions of one are not those of the next. */
TEST(test_sessions_of_one_section)
{
    static const struct {
        bool with[2];
        const char *wanted;
    } known[] = {{{true, false}, POS(0, 7) UNCHECKED(0, 8) POS(0, 7)},
                 {{false, true}, UNCHECKED(0, 7) POS(0, 8) UNCHECKED(0, 7)},
                 {{true, true}, POS(0, 7) POS(0, 8) POS(0, 7)}};
    file_write("next.pkt", "protocol game = 1;\npacket Ping { u8 n; }\npacket Pos @seed { int<0, 99> a; }\n");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        record_seeds(known[i].with);
        shows("all.pcapng", known[i].wanted);
        prints("$PKTC convert next.pkt all.pcapng >new.pcapng", 0, "", "");
        shows("new.pcapng", POS(0, 7) POS(0, 8) POS(0, 7));
        prints("$PKTC convert game.pkt all.pcapng >same.pcapng", 0, "", "");
        shows("same.pcapng", known[i].wanted);
    }
}

#define LACKING(count)                                                                                          \
    "pktc: warning: '-' has a schema after packet " #count " that was not known at its start: it is not used\n" \
    "      = help: give a FILE.pkt of each protocol, or read the recording from a file that is complete\n"

/* Of a pipe, only the first section can be seen before its packets. */
TEST(test_sections_of_a_pipe)
{
    record_two_protocols();
    prints(
        "cat all.pcapng | $PKTC decode - | grep -o 'type\": .*'", 0,
        "type\": \"Ping\", \"value\": {\"n\": 1}}\ntype\": null, \"refused\": \"damaged, or of another protocol, seed or baseline\"}\n"
        "type\": \"Ping\", \"value\": {\"n\": 1}}\n",
        LACKING(1));
    prints("cat one.pcapng one.pcapng | $PKTC decode - | grep -c Ping", 0, "2\n", "");
}

/* A file may end anywhere, and a block may have any size. */
TEST(test_sections_that_are_damaged)
{
    record_two_protocols();
    run_shell("cat one.pcapng >bad.pcapng && printf '\\6\\0\\0\\0\\4\\0\\0\\0\\0\\0\\0\\0' >>bad.pcapng && "
              "cat two.pcapng >>bad.pcapng");
    process_result result = run_for(0, "decode bad.pcapng");
    assert_contains(result.out, "\"Ping\"");
    assert_contains(result.err, "pktc: warning: 'bad.pcapng' ends after packet 1: ");
    process_free(&result);
    for (unsigned size = 1; size < 140; size += 23) {
        char *command = text_format("(cat one.pcapng; head -c %u two.pcapng) >bad.pcapng", size);
        run_shell(command);
        free(command);
        result = run_for(0, "decode bad.pcapng");
        assert_contains(result.out, "\"Ping\"");
        process_free(&result);
    }
}

/* ---- mergecap */

static void set32(uint8_t *at, size_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(number >> 8 * i);
}

static uint8_t *put_comment(uint8_t *to, const void *text, size_t size, const char *more)
{
    const size_t all = size + strlen(more);
    assert_true(all < 65536);
    set32(to, 1 | all << 16);
    memcpy(to + 4, text, size);
    memcpy(to + 4 + size, more, all - size);
    memset(to + 4 + all, 0, 3);
    return to + 4 + (all + 3) / 4 * 4;
}

/* Writes merged.pcapng: match.pcapng as older programs wrote it, with its schemas in comments of the section, and with a text
 * behind the first comment, as mergecap of Wireshark 4.0 writes it. old: without the comment before the schemas, which even
 * older programs did not write. */
static void merge(bool old)
{
    static const char added[] = " \nFile created by merging: \nFile1: one.pcapng \nFile2: two.pcapng \n",
                      first[] = "The next comments are the schemas of these packets, for pktc";
    static const uint8_t interface[] = {1, 0, 0, 0, 32, 0, 0, 0, 113, 0, 0, 0, 0,  0, 0, 0,
                                        9, 0, 1, 0, 9,  0, 0, 0, 0,   0, 0, 0, 32, 0, 0, 0};
    static uint8_t was[MOST_BYTES], is[MOST_BYTES];
    FILE *file = fopen("match.pcapng", "rb");
    const size_t size = fread(was, 1, MOST_BYTES, file);
    fclose(file);
    const uint8_t *from = was + SECTION, *option = from + INTERFACE;
    const size_t rest = SECTION + (from[4] | (size_t)from[5] << 8 | (size_t)from[6] << 16);
    memcpy(is, was, SECTION - 4);
    uint8_t *to = is + SECTION - 4;
    if (!old)
        to = put_comment(to, first, sizeof first - 1, added);
    for (const char *more = old ? added : ""; option[0] == 1; more = "") {
        const size_t length = option[2] | (size_t)option[3] << 8;
        to = put_comment(to, option + 4, length, more);
        option += 4 + (length + 3) / 4 * 4;
    }
    set32(to, 0);
    to += 8;
    set32(is + 4, (size_t)(to - is));
    set32(to - 4, (size_t)(to - is));
    memcpy(to, interface, sizeof interface);
    to += sizeof interface;
    memcpy(to, was + rest, size - rest);
    to += size - rest;
    file = fopen("merged.pcapng", "wb");
    assert_int_equal(fwrite(is, 1, (size_t)(to - is), file), (size_t)(to - is));
    fclose(file);
}

TEST(test_text_of_mergecap)
{
    file_write("game.pkt", SCHEMA);
    record r = record_open(2);
    record_add(&r, 2, PKT_SENT, "", "Ping", "{\"n\": 1}");
    file_write("game.pkt", OTHER);
    record_add(&r, 2, PKT_SENT, "", "Pong", "{\"m\": 2}");
    fclose(r.file);
    for (int old = 0; old < 2; old++) {
        merge(old);
        shows("merged.pcapng", PING(0, 1) PONG(1, 2));
    }
}

/* A schema of which the first part is in the comment with the text. */
TEST(test_text_of_mergecap_in_a_long_schema)
{
    static char one[63001], more[5001];
    static const char *const long_text[] = {SCHEMA, "//", one, "\n", "//", more, "\npacket Late { u8 z; }\n", NULL};
    memset(one, 'x', sizeof one - 1);
    memset(more, 'x', sizeof more - 1);
    const char *const *const text = long_text;
    file_write("game.pkt", SCHEMA "packet Late { u8 z; }\n");
    record r = record_open_with(&text, 1);
    record_add(&r, 2, PKT_SENT, "", "Late", "{\"z\": 3}");
    fclose(r.file);
    for (int old = 0; old < 2; old++) {
        merge(old);
        shows("merged.pcapng", "{0 \"direction\": \"sent\", \"type\": \"Late\", \"value\": {\"z\": 3}}\n");
    }
}

#define COUNTS(file, pings, pongs) \
    prints("$PKTC decode " file " | grep -c Ping; $PKTC decode " file " | grep -c Pong", 0, #pings "\n" #pongs "\n", "")

/* What the tools make of both kinds of recordings: of programs, and of `pktc convert`. They keep all schemas. */
TEST(test_tools_of_wireshark)
{
    if (system("command -v mergecap >/dev/null && command -v editcap >/dev/null && command -v tshark >/dev/null") !=
        0) {
        print_message("[  SKIPPED ] no mergecap, editcap and tshark (packages wireshark-common, tshark)\n");
        skip();
    }
    record_two_protocols();
    file_write("game.pkt", SCHEMA);
    prints("$PKTC convert game.pkt all.pcapng >new.pcapng", 0, "", "");
    run_shell(
        "mergecap -w merged.pcapng one.pcapng one.pcapng && editcap merged.pcapng edited.pcapng && "
        "mergecap -a -w again.pcapng edited.pcapng one.pcapng && mergecap -a -w both.pcapng new.pcapng one.pcapng");
    shows("merged.pcapng", PING(0, 1) PING(0, 1));
    shows("edited.pcapng", PING(0, 1) PING(0, 1));
    shows("again.pcapng", PING(0, 1) PING(0, 1) PING(0, 1));
    shows("both.pcapng", PING(0, 1) PONG(0, 2) PING(0, 1) PING(0, 1));
    run_shell("mergecap -w merged.pcapng one.pcapng two.pcapng one.pcapng && editcap all.pcapng edited.pcapng && "
              "editcap -c 2 all.pcapng part.pcapng && tshark -r all.pcapng -w shown.pcapng 2>/dev/null && "
              "mergecap -w again.pcapng all.pcapng edited.pcapng merged.pcapng");
    COUNTS("merged.pcapng", 2, 1);
    COUNTS("edited.pcapng", 2, 1);
    COUNTS("part_00000*", 1, 1);
    COUNTS("shown.pcapng", 2, 1);
    COUNTS("again.pcapng", 6, 3);
    prints("cat merged.pcapng | $PKTC decode - | grep -c Pong", 0, "1\n", "");
}

int main(void)
{
    cli_begin("recorded_sections");
    return cli_end(run_all(set_up));
}
