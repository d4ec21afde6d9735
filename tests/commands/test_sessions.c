/* test_sessions.c - tests recordings that have the seeds of their sessions: what each command makes of them.
 * SPDX-License-Identifier: MIT
 */
#include "commands/record.h"

/* Values of both releases have the same bits, and mean other numbers. */
#define OLD "protocol game = 1;\npacket Pos @seed { int<0, 15> a; }\n" PARTS("a", "b")
#define NEW "protocol game = 1;\npacket Pos @seed { int<1, 16> a @lossy(1); }\n" PARTS("b", "a")
#define PARTS(one, two)                                   \
    "struct State @delta { u8 " one "; u8 " two "; }\n"   \
    "packet Down {\n"                                     \
    "    u8 number; optional int<1, 7> back;\n"           \
    "    State state delta(number from number - back);\n" \
    "}\n"

static const char *const old_text[] = {OLD, NULL};
static const char *const new_text[] = {NEW, NULL};

static record record_releases(void)
{
    static const char *const *const texts[] = {new_text, old_text};
    file_write("old.pkt", OLD);
    file_write("new.pkt", NEW);
    return record_open_with(texts, 2);
}

static pkt_endpoint host_of(uint8_t host)
{
    const uint8_t address[] = {10, 0, 0, host};
    return pkt_endpoint_of(address, 4, 50000);
}

static void add_session(record *r, uint8_t host, uint64_t seed, uint64_t id)
{
    const pkt_endpoint peer = host_of(host);
    assert_true(pkt_capture_session(&r->capture, r->now, &peer, seed, id));
}

static uint64_t id_of(const char *schema)
{
    process_result result =
        process_run("%s describe %s | sed -n 's/^    \"id\": \"\\(0x[0-9a-f]*\\)\".*/\\1/p'", pktc, schema);
    const uint64_t id = strtoull(result.out, NULL, 16);
    process_free(&result);
    assert_int_not_equal(id, 0);
    return id;
}

static void add_of(record *r, const char *release, uint8_t host, pkt_direction way, const char *options,
                   const char *type, const char *json)
{
    file_write("game.pkt", release);
    record_add(r, host, way, options, type, json);
}

/* Adds a packet with a flipped bit. */
static void add_damaged(record *r, uint8_t host, unsigned bit, const char *options, const char *type, const char *json)
{
    const pkt_endpoint peer = host_of(host);
    size_t size;
    uint8_t *data = encoded(options, type, json, &size);
    data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    assert_true(pkt_capture_packet(&r->capture, r->now++, PKT_SENT, &peer, data, size));
    free(data);
}

static void writes(const char *arguments, int status, const char *output, const char *errors)
{
    process_result result = process_run("%s %s", pktc, arguments);
    assert_string_equal(result.err, errors);
    assert_string_equal(result.out, output);
    assert_int_equal(result.status, status);
    process_free(&result);
}

#define POS(i, way, a) "{" #i " \"direction\": \"" way "\", \"type\": \"Pos\", \"value\": {\"a\": " #a "}}\n"
#define REFUSED(i) \
    "{" #i         \
    " \"direction\": \"sent\", \"type\": null, \"refused\": \"damaged, or of another protocol, seed or baseline\"}\n"

/* A server speaks two releases, with a seed a session: each datagram is read by the release of its client, in both
 * directions, and damage is found, though a field has it and not the checks. */
TEST(test_seed_tells_the_release)
{
    record r = record_releases();
    add_session(&r, 2, 5, id_of("old.pkt"));
    add_session(&r, 3, 6, id_of("new.pkt"));
    add_of(&r, OLD, 2, PKT_SENT, "--seed 5", "Pos", "{\"a\": 7}");
    add_of(&r, NEW, 3, PKT_SENT, "--seed 6", "Pos", "{\"a\": 7}");
    add_of(&r, OLD, 2, PKT_RECEIVED, "--seed 5", "Pos", "{\"a\": 8}");
    add_damaged(&r, 3, 33, "--seed 6", "Pos", "{\"a\": 7}");
    add_of(&r, OLD, 2, PKT_SENT, "", "Pos", "{\"a\": 9}"); /* of no session */
    fclose(r.file);
    shows("match.pcapng", POS(0, "sent", 7) POS(1, "sent", 7) POS(2, "received", 8) REFUSED(3) REFUSED(4));
    shows("old.pkt new.pkt match.pcapng",
          POS(0, "sent", 7) POS(1, "sent", 7) POS(2, "received", 8) REFUSED(3) REFUSED(4));
    /* The number of a datagram is that which Wireshark shows. */
    writes("decode match.pcapng | head -n 1 | cut -d, -f1", 0, "{\"index\": 3\n", "");
}

#define UNSURE(count)                                                                                           \
    "pktc: warning: " #count " datagrams can be of several releases: the first that can read them is taken\n"   \
    "      = help: pkt_capture_session records the seed of each session, by which the crc tells; --seed gives " \
    "that of one\n"

/* Without it, nothing tells. */
TEST(test_release_that_nothing_tells)
{
    record r = record_releases();
    add_of(&r, OLD, 2, PKT_SENT, "--seed 5", "Pos", "{\"a\": 7}");
    add_of(&r, NEW, 3, PKT_SENT, "--seed 6", "Pos", "{\"a\": 7}");
    add_of(&r, NEW, 3, PKT_SENT, "--seed 6", "Pos", "{\"a\": 8}");
    fclose(r.file);
    writes("decode match.pcapng | grep -o '\"crc.*'", 0,
           "\"crc\": \"unchecked\", \"value\": {\"a\": 8}}\n\"crc\": \"unchecked\", \"value\": {\"a\": 7}}\n"
           "\"crc\": \"unchecked\", \"value\": {\"a\": 8}}\n",
           UNSURE(3));
    writes("report match.pcapng | grep -o 'several.*'", 1, "", UNSURE(3));
    writes("report -j 2 match.pcapng | grep -o 'several.*'", 1, "", UNSURE(3));
}

/* Seeds alone are enough, since the crc has the protocol id in it. */
TEST(test_seed_without_release)
{
    record r = record_releases();
    add_session(&r, 2, 5, 0);
    add_of(&r, OLD, 2, PKT_SENT, "--seed 5", "Pos", "{\"a\": 7}");
    fclose(r.file);
    shows("match.pcapng", POS(0, "sent", 7));
}

/* A release that is recorded also says of which one a datagram is whose crc cannot be computed. */
TEST(test_release_of_unknown_baseline)
{
    for (int i = 0; i < 2; i++) {
        record r = record_releases();
        add_session(&r, 2, 5, id_of(i == 0 ? "old.pkt" : "new.pkt"));
        file_write("base.json", "{\"state\": {\"a\": 3, \"b\": 4}}");
        add_of(&r, i == 0 ? OLD : NEW, 2, PKT_SENT, "--seed 5 --base base.json", "Down",
               "{\"number\": 6, \"back\": 1, \"state\": {\"a\": 3, \"b\": 5}}");
        fclose(r.file);
        process_result result = process_run("%s decode match.pcapng", pktc);
        assert_non_null(strstr(result.out, "Down.state: its baseline, 5, is not in the recording"));
        process_free(&result);
    }
}

/* Datagrams of an earlier session come late. Of two ends, the last four sessions count. */
TEST(test_sessions_in_a_row)
{
    file_write("game.pkt", OLD);
    record r = record_releases();
    for (unsigned i = 1; i <= 5; i++) {
        char *options = text_format("--seed %u", i), *late = text_format("--seed %u", i > 1 ? i - 1 : 1);
        add_session(&r, 2, i, 0);
        add_of(&r, OLD, 2, PKT_SENT, options, "Pos", "{\"a\": 1}");
        add_of(&r, OLD, 2, PKT_SENT, late, "Pos", "{\"a\": 2}");
        free(options);
        free(late);
    }
    r.now -= 10;
    add_of(&r, OLD, 2, PKT_SENT, "--seed 2", "Pos", "{\"a\": 3}");
    add_of(&r, OLD, 2, PKT_SENT, "--seed 1", "Pos", "{\"a\": 3}");
    add_session(&r, 2, 2, 0); /* again, which forgets none */
    add_of(&r, OLD, 2, PKT_SENT, "--seed 3", "Pos", "{\"a\": 4}");
    fclose(r.file);
    writes("decode match.pcapng | grep -c '\"a\": 1'", 0, "5\n", "");
    writes("decode match.pcapng | grep -c '\"a\": 2'", 0, "5\n", "");
    writes("decode match.pcapng | grep -c '\"a\": 3'", 0, "1\n", "");
    writes("decode match.pcapng | grep -c '\"a\": 4'", 0, "1\n", "");
}

/* --seed has to be right, and overrules the recording. */
TEST(test_given_seed)
{
    record r = record_releases();
    add_of(&r, OLD, 2, PKT_SENT, "", "Pos", "{\"a\": 7}");
    add_of(&r, OLD, 2, PKT_SENT, "--seed 5", "Pos", "{\"a\": 7}");
    add_session(&r, 2, 6, 0);
    add_of(&r, OLD, 2, PKT_SENT, "--seed 5", "Pos", "{\"a\": 7}");
    add_of(&r, OLD, 2, PKT_SENT, "--seed 6", "Pos", "{\"a\": 7}");
    fclose(r.file);
    shows("--seed 5 match.pcapng", REFUSED(0) POS(1, "sent", 7) POS(2, "sent", 7) REFUSED(3));
}

/* Damage does not count in a report, though the bytes would be values. */
TEST(test_report)
{
    static const char *const commands[] = {"report match.pcapng", "report -j 2 match.pcapng match.tally",
                                           "report match.tally"};
    file_write("game.pkt", OLD);
    record r = record_releases();
    add_session(&r, 2, 5, 0);
    for (unsigned a = 1; a < 6; a++) {
        char *json = text_format("{\"a\": %u}", a);
        add_of(&r, OLD, 2, PKT_SENT, "--seed 5", "Pos", json);
        free(json);
    }
    add_damaged(&r, 2, 34, "--seed 5", "Pos", "{\"a\": 1}");
    add_damaged(&r, 2, 35, "--seed 5", "Pos", "{\"a\": 1}");
    fclose(r.file);
    writes("tally -o match.tally match.pcapng", 0, "", "");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char *command = text_format("%s | grep -o '1 to 5.*'", commands[i]);
        writes(command, 0, "1 to 5, counting up\n", "");
        free(command);
    }
}

/* A new session of the same two ends is a new connection: a tick begins again, and the number of the player is another. */
TEST(test_connections)
{
    file_write("game.pkt", "protocol game = 1;\npacket Down @seed { u16 tick; u8 me; }\n");
    record r = record_open(0);
    for (unsigned i = 0; i < 6; i++) {
        char *options = text_format("--seed %u", 5 + i / 3);
        char *json = text_format("{\"tick\": %u, \"me\": %u}", 20 + i % 3 - i / 3, i / 3);
        if (i % 3 == 0)
            add_session(&r, 2, 5 + i / 3, 0);
        record_add(&r, 2, PKT_SENT, options, "Down", json);
        free(options);
        free(json);
    }
    fclose(r.file);
    writes(
        "report game.pkt match.pcapng | grep -o 'Down[.][tm].* [0-9]* to [0-9]*.*' | sed 's/ .* \\([0-9]* to\\)/ \\1/'",
        0, "Down.tick 19 to 22, counting up\nDown.me 0 to 1, constant per connection\n", "");
}

/* What is converted has the sessions of the recording, with the protocol id of the version now. */
TEST(test_convert)
{
    record r = record_releases();
    add_session(&r, 2, 5, id_of("old.pkt"));
    add_session(&r, 3, 6, id_of("new.pkt"));
    add_of(&r, OLD, 2, PKT_SENT, "--seed 5", "Pos", "{\"a\": 7}");
    add_of(&r, NEW, 3, PKT_SENT, "--seed 6", "Pos", "{\"a\": 7}");
    add_of(&r, OLD, 2, PKT_SENT, "--seed 5", "Down", "{\"number\": 5, \"state\": {\"a\": 3, \"b\": 4}}");
    file_write("base.json", "{\"state\": {\"a\": 3, \"b\": 4}}");
    add_of(&r, OLD, 2, PKT_SENT, "--seed 5 --base base.json", "Down",
           "{\"number\": 6, \"back\": 1, \"state\": {\"a\": 3, \"b\": 5}}");
    fclose(r.file);
    writes("convert new.pkt match.pcapng >new.pcapng", 0, "", "");
    static const char wanted[] = POS(0, "sent", 7)
        POS(1, "sent",
            7) "{2 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 5, \"back\": null, \"state\": "
               "{\"b\": 4, \"a\": 3}}}\n"
               "{3 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 6, \"back\": 1, \"state\": "
               "{\"b\": 5, \"a\": 3}}}\n";
    shows("new.pcapng", wanted);
    writes("decode --seed 5 new.pcapng | grep -c value", 0, "3\n", "");
    /* Converted again, it stays as it is. */
    writes("convert new.pkt new.pcapng >again.pcapng", 0, "", "");
    run_shell("cmp new.pcapng again.pcapng");
    process_result archived = run_for(0, "archive releases old.pkt");
    process_free(&archived);
    writes("convert releases new.pkt match.pcapng >again.pcapng", 0, "", "");
    run_shell("cmp new.pcapng again.pcapng");
}

/* Without sessions, convert reads what decode reads. */
TEST(test_convert_mixed)
{
    record r = record_releases();
    for (unsigned i = 0; i < 3; i++) {
        add_of(&r, OLD, 2, PKT_SENT, "--seed 5", "Pos", "{\"a\": 7}");
        add_of(&r, NEW, 3, PKT_SENT, "--seed 6", "Pos", "{\"a\": 7}");
    }
    fclose(r.file);
    file_write("next.pkt", "protocol game = 1;\npacket Pos @seed { int<0, 99> a; }\n");
    writes("decode match.pcapng | sed 's/\"crc\": \"unchecked\", //' >before", 0, "", UNSURE(6));
    writes("convert new.pkt match.pcapng >new.pcapng", 0, "", UNSURE(6));
    writes("decode new.pcapng | sed 's/\"crc\": \"unchecked\", //' | cmp - before", 0, "", "");
    writes("convert next.pkt match.pcapng >new.pcapng", 0, "", UNSURE(6));
    writes("decode new.pcapng | cmp - before", 0, "", "");
    writes("decode new.pcapng | wc -l", 0, "6\n", "");
}

#define HELLO(other) "protocol g = 1;\npacket Hello @stable(0xe67c01f6c9e06662) { u64 salt; }\n" other
#define IN_OLD HELLO("packet In @seed { u16 n; int<0, 100> a; }\n")
#define IN_NEW HELLO("packet In @seed { u16 n; int<0, 1000> a; u8 extra = 7; }\n")
#define LEFT_OUT "only the crc says its version, and its seed is not known"

static const char *const in_old_text[] = {IN_OLD, NULL};
static const char *const in_new_text[] = {IN_NEW, NULL};

/* A packet that is the same in all releases does not tell which of them its two ends speak. */
TEST(test_stable_packet_tells_no_release)
{
    static const char *const *const texts[] = {in_old_text, in_new_text};
    static const char *const decode = "decode new.pcapng | sed 's/.*type\": //'";
    static const char wanted[] = "\"Hello\", \"value\": {\"salt\": 9}}\n"
                                 "\"In\", \"value\": {\"n\": 1, \"a\": 51, \"extra\": 7}}\n"
                                 "\"In\", \"value\": {\"n\": 2, \"a\": 52, \"extra\": 7}}\n";
    static const char left_out[] = "pktc: warning: packet 2 is left out: " LEFT_OUT " (and 1 more like it)\n"
                                   "pktc: error: 2 of 3 datagrams are left out\n"
                                   "      = help: --seed gives the seed of one session; a recording has all if the "
                                   "program calls pkt_capture_session\n";
    file_write("old.pkt", IN_OLD);
    file_write("new.pkt", IN_NEW);
    for (size_t inside = 1; inside <= 2; inside++) {
        record r = record_open_with(texts, inside);
        add_of(&r, IN_OLD, 2, PKT_RECEIVED, "", "Hello", "{\"salt\": 9}");
        add_of(&r, IN_OLD, 2, PKT_RECEIVED, "--seed 4711", "In", "{\"n\": 1, \"a\": 51}");
        add_of(&r, IN_OLD, 2, PKT_RECEIVED, "--seed 4711", "In", "{\"n\": 2, \"a\": 52}");
        fclose(r.file);
        writes("convert new.pkt match.pcapng >new.pcapng", 0, "", "");
        writes(decode, 0, wanted, "");
        writes("convert old.pkt new.pkt match.pcapng >new.pcapng", 0, "", "");
        writes(decode, 0, wanted, "");
        run_shell("rm -rf releases");
        process_result archived = run_for(0, "archive releases old.pkt");
        process_free(&archived);
        writes("convert releases new.pkt match.pcapng >new.pcapng", 1, "", left_out);
        writes("convert --seed 4711 releases new.pkt match.pcapng >new.pcapng", 0, "", "");
        writes("decode --seed 4711 new.pcapng | grep -c extra", 0, "2\n", "");
    }
}

/* More than one datagram in a hundred that is left out is an error. */
TEST(test_convert_loss)
{
    for (unsigned good = 98; good <= 99; good++) {
        record r = record_releases();
        size_t size;
        file_write("game.pkt", NEW);
        uint8_t *data = encoded("--seed 5", "Pos", "{\"a\": 7}", &size);
        const pkt_endpoint peer = host_of(2);
        add_session(&r, 2, 5, 0);
        for (unsigned i = 0; i < good; i++)
            assert_true(pkt_capture_packet(&r.capture, r.now++, PKT_SENT, &peer, data, size));
        add_damaged(&r, 2, 33, "--seed 5", "Pos", "{\"a\": 7}");
        fclose(r.file);
        free(data);
        char *errors = text_format("pktc: warning: packet %u is left out: damaged, or of no version that is known\n"
                                   "pktc: %s: 1 of %u datagrams are left out\n",
                                   good + 2, good == 98 ? "error" : "warning", good + 1);
        writes("convert new.pkt match.pcapng >new.pcapng", good == 98, "", errors);
        free(errors);
        errors = text_format("%u\n", good);
        writes("decode new.pcapng | wc -l", 0, errors, "");
        free(errors);
    }
}

int main(void)
{
    cli_begin("sessions");
    return cli_end(run_all(set_up));
}
