/* test_recorded_schemas.c - the schemas in a recording, for the commands that read one, and how many there may be.
 * SPDX-License-Identifier: MIT
 */
#include "commands/record.h"

/* What a command prints of a recording is what it prints of the schema. */
static void prints_the_same(int status, const char *of_recording, const char *of_file)
{
    process_result recording = run_for(status, of_recording), file = run_for(status, of_file);
    assert_string_equal(recording.err, "");
    assert_string_equal(recording.out, file.out);
    assert_true(strlen(file.out) > 10);
    process_free(&recording);
    process_free(&file);
}

TEST(test_one_schema)
{
    record r = record_open(1);
    fclose(r.file);
    file_write("game.pkt", SCHEMA);
    file_write("schema in match.pcapng", SCHEMA);
    prints_the_same(0, "layout match.pcapng", "layout game.pkt");
    prints_the_same(0, "layout match.pcapng:1", "layout game.pkt");
    prints_the_same(0, "layout --json match.pcapng", "layout --json 'schema in match.pcapng'");
    prints_the_same(0, "describe match.pcapng", "describe 'schema in match.pcapng'");
    prints_the_same(0, "wireshark match.pcapng", "wireshark 'schema in match.pcapng'");
    file_write("old.pkt", "protocol game = 1;\npacket Ping { u16 n; }\n");
    prints_the_same(4, "diff old.pkt match.pcapng", "diff old.pkt 'schema in match.pcapng'");
    prints_the_same(3, "diff match.pcapng old.pkt", "diff 'schema in match.pcapng' old.pkt");
    process_result archived = run_for(0, "archive releases match.pcapng");
    assert_contains(archived.out, "releases/game-001-");
    process_free(&archived);
    prints_the_same(0, "diff --against releases match.pcapng", "diff --against releases 'schema in match.pcapng'");
    run_shell("gzip -k match.pcapng");
    prints_the_same(0, "layout match.pcapng.gz", "layout game.pkt");
    /* What writes files beside a schema, or into it, takes schemas only. */
    fails_saying("pktc: error: 'match.pcapng' is no schema: it is a recording\n", "match.pcapng");
    fails_saying("pktc: error: 'match.pcapng' is no schema: it is a recording\n", "fmt match.pcapng");
    run_silently("tally match.pcapng -o match.tally");
    fails_saying("pktc: error: 'match.tally' is no schema: it is a tally\n", "layout match.tally");
}

TEST(test_several_schemas)
{
    record r = record_open(2);
    fclose(r.file);
    file_write("game.pkt", SCHEMA);
    file_write("other.pkt", "protocol other = 1;\npacket Pong { u8 m; }\n");
    prints_the_same(0, "layout match.pcapng:1", "layout game.pkt");
    prints_the_same(0, "layout match.pcapng:2", "layout other.pkt");
    fails_saying("pktc: error: 'match.pcapng' has 2 schemas in it\n"
                 "      = help: choose one by its number: 'match.pcapng:1' is the first\n",
                 "layout match.pcapng");
    fails_saying("pktc: error: 'match.pcapng' has no schema 3: it has 2\n", "layout match.pcapng:3");
    fails_saying("pktc: error: cannot read 'match.pcapng:0': No such file or directory\n", "layout match.pcapng:0");
    fails_saying("pktc: error: cannot read 'gone.pcapng:1': No such file or directory\n", "layout gone.pcapng:1");
    r = record_open(0);
    fclose(r.file);
    fails_saying("pktc: error: 'match.pcapng' has no schema in it\n", "layout match.pcapng");
}

/* A schema that somebody recorded opens no files. */
TEST(test_no_files)
{
    static const char *const text[] = {"protocol p = 1;\n", "import \"game.pkt\";\n", NULL}, *const *const texts[] = {
                                                                                                 text};
    record r = record_open_with(texts, 1);
    fclose(r.file);
    file_write("game.pkt", SCHEMA);
    fails_saying(
        "schema in match.pcapng:2:8: error: a schema in a recording has no files beside it, so it imports none\n"
        "    2 | import \"game.pkt\";\n"
        "      |        ^~~~~~~~~~\n",
        "layout match.pcapng");
}

/* A program's own schema in one text of any length. */
TEST(test_long_text)
{
    static char long_text[200000];
    static const char *const text[] = {long_text, NULL}, *const *const texts[] = {text};
    size_t used = (size_t)sprintf(long_text, "protocol game = 1;\npacket Ping @large {\n");
    for (int i = 0; i < 9000; i++)
        used += (size_t)sprintf(long_text + used, "    u8 field_%d;\n", i);
    strcpy(long_text + used, "}\n");
    record r = record_open_with(texts, 1);
    fclose(r.file);
    file_write("game.pkt", long_text);
    prints_the_same(0, "layout match.pcapng", "layout game.pkt");
}

/* More schemas than pktc reads are not left out silently. */
TEST(test_many_schemas)
{
    enum { MOST = 1000 };
    static char text[MOST + 1][60];
    static const char *lists[MOST + 1][2], *const *texts[MOST + 1];
    for (int i = 0; i <= MOST; i++) {
        (void)snprintf(text[i], sizeof text[i], "protocol game = %d;\npacket Ping { u8 n; }\n", i);
        lists[i][0] = text[i];
        texts[i] = lists[i];
    }
    file_write("game.pkt", text[0]);
    for (int more = 0; more < 2; more++) {
        record r = record_open_with(texts, (size_t)(MOST + more));
        record_add(&r, 2, PKT_SENT, "", "Ping", "{\"n\": 7}");
        fclose(r.file);
        process_result decoded = run_for(0, "decode match.pcapng");
        assert_contains(decoded.out, "\"value\": {\"n\": 7}");
        assert_string_equal(
            decoded.err,
            more
                ? "pktc: warning: 'match.pcapng' has more than 1000 schemas, or 16 MB of them: only the first 1000 are used\n"
                : "");
        process_free(&decoded);
    }
}

/* Nor may a compressed file of some kilobytes fill the memory. */
TEST(test_large_schemas)
{
    enum { SCHEMAS = 20, LINES = 20000, LINE = 60 };
    static char text[SCHEMAS][LINES * LINE + 100];
    static const char *lists[SCHEMAS][2], *const *texts[SCHEMAS];
    for (int i = 0; i < SCHEMAS; i++) {
        size_t size = (size_t)snprintf(text[i], 100, "protocol game = %d;\npacket Ping { u8 n; }\n", i);
        for (int line = 0; line < LINES; line++)
            size += (size_t)snprintf(text[i] + size, LINE + 1, "//%*d\n", LINE - 3, line);
        lists[i][0] = text[i];
        texts[i] = lists[i];
    }
    file_write("game.pkt", text[0]);
    record r = record_open_with(texts, SCHEMAS);
    record_add(&r, 2, PKT_SENT, "", "Ping", "{\"n\": 7}");
    fclose(r.file);
    process_result decoded = run_for(0, "decode match.pcapng");
    assert_contains(decoded.out, "\"value\": {\"n\": 7}");
    assert_string_equal(
        decoded.err,
        "pktc: warning: 'match.pcapng' has more than 1000 schemas, or 16 MB of them: only the first 13 are used\n");
    process_free(&decoded);
}

int main(void)
{
    cli_begin("recorded_schemas");
    return cli_end(run_all(set_up));
}
