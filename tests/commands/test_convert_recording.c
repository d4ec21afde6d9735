/* test_convert_recording.c - tests `pktc convert` of recordings: what is in the result, and what is left out.
 * SPDX-License-Identifier: MIT
 */
#include "commands/record.h"

#define NOW                                                             \
    "protocol game = 1;\n"                                              \
    "packet Ping { u8<0, 100> n; u8 more = 9; }\n"                      \
    "struct Head { u16 sequence was \"number\"; optional u16 back; }\n" \
    "struct State @delta { u16 b; u8<0, 200> alpha was \"a\"; }\n"      \
    "struct Steps { u8 mask; }\n"                                       \
    "struct Move was \"Step\" @delta { u8 y; u8 x; }\n"                 \
    "struct Later { u8 z; }\n"

#define DOWN "--stream 'Down=Head, State delta(Head.sequence from Head.sequence - Head.back), Later*' "
#define UP "--stream 'Up=Steps, Move delta(previous)[1 + bits(Steps.mask)], Ping*' "
#define OLD_DOWN "Head, State delta"
#define OLD_UP "Steps, Step delta(previous)[1 + bits(Steps.mask)], Ping*"
#define NO_CRC "only the crc says its version, and its seed is not known"

/* Converts to new.pcapng. */
static void converts(const char *arguments, const char *warnings)
{
    process_result result = process_run("%s convert %s >new.pcapng", pktc, arguments);
    assert_string_equal(result.err, warnings);
    assert_int_equal(result.status, strstr(warnings, "error: ") ? 1 : 0);
    process_free(&result);
}

static void refuses(int status, const char *arguments, const char *wanted)
{
    process_result result = process_run("%s convert %s", pktc, arguments);
    assert_string_equal(result.err, wanted);
    assert_string_equal(result.out, "");
    assert_int_equal(result.status, status);
    process_free(&result);
}

static void record_down(record *r, uint8_t host, const char *options, const char *base, const char *json)
{
    char *all = text_format("--frame Down --base base.json %s", options);
    file_write("base.json", base);
    record_add(r, host, PKT_SENT, all, OLD_DOWN, json);
    free(all);
}

/* Packets, deltas, deltas in a row, another protocol, and what does not convert. */
TEST(test_replay)
{
    file_write("game.pkt", SCHEMA);
    file_write("now.pkt", NOW);
    record r = record_open(2);
    record_add(&r, 2, PKT_SENT, "", "Ping", "{\"n\": 200}");
    record_add(&r, 2, PKT_SENT, "", "Ping", "{\"n\": 101}");
    record_down(&r, 2, "--seed 77", "null", "[{\"Head\": {\"number\": 65535}}, {\"State\": {\"a\": 250, \"b\": 6}}]");
    record_down(&r, 2, "--seed 77", "{\"a\": 250, \"b\": 6}",
                "[{\"Head\": {\"number\": 0, \"back\": 1}}, {\"State\": {\"a\": 250, \"b\": 9}}]");
    record_down(&r, 2, "--seed 77", "{\"a\": 250, \"b\": 9}",
                "[{\"Head\": {\"number\": 3, \"back\": 3}}, {\"State\": {\"a\": 7, \"b\": 9}}]");
    record_down(&r, 4, "--seed 77", "{\"a\": 1, \"b\": 1}",
                "[{\"Head\": {\"number\": 0, \"back\": 1}}, {\"State\": {\"a\": 5, \"b\": 9}}]");
    record_add(&r, 2, PKT_RECEIVED, "--frame Up --seed 78", OLD_UP,
               "[{\"Steps\": {\"mask\": 6}}, {\"Step\": {\"x\": 1}}, {\"Step\": {\"x\": 1, \"y\": 2}},"
               " {\"Step\": {\"x\": 1, \"y\": 2}}, {\"Ping\": {\"n\": 3}}]");
    file_write("game.pkt", "protocol other = 1;\npacket Pong { u8 m; }\n");
    record_add(&r, 3, PKT_RECEIVED, "", "Pong", "{\"m\": 2}");
    file_write("game.pkt", "protocol third = 1;\npacket Pong { u8 m; }\n");
    record_add(&r, 3, PKT_RECEIVED, "", "Pong", "{\"m\": 2}");
    fclose(r.file);
    converts(DOWN UP "now.pkt match.pcapng",
             "pktc: warning: packet 1: Ping.n: 200 became 100 (and 1 more like it)\n"
             "pktc: warning: packet 3: State.a: 250 became 200 (and 1 more like it)\n"
             "pktc: warning: packet 6 is left out: Down.State: its baseline, 65535, is not in the recording\n"
             "pktc: warning: packet 9 is left out: damaged, or of no version that is known\n"
             "pktc: error: 2 of 9 datagrams are left out\n");
    static const char wanted[] =
        "{0 \"direction\": \"sent\", \"type\": \"Ping\", \"value\": {\"n\": 100, \"more\": 9}}\n"
        "{1 \"direction\": \"sent\", \"type\": \"Ping\", \"value\": {\"n\": 100, \"more\": 9}}\n"
        "{2 \"direction\": \"sent\", \"type\": \"Down\", \"values\": [{\"Head\": {\"sequence\": "
        "65535, \"back\": null}}, {\"State\": {\"b\": 6, \"alpha\": 200}}]}\n"
        "{3 \"direction\": \"sent\", \"type\": \"Down\", \"values\": [{\"Head\": {\"sequence\": 0, "
        "\"back\": 1}}, {\"State\": {\"b\": 9, \"alpha\": 200}}]}\n"
        "{4 \"direction\": \"sent\", \"type\": \"Down\", \"values\": [{\"Head\": {\"sequence\": 3, "
        "\"back\": 3}}, {\"State\": {\"b\": 9, \"alpha\": 7}}]}\n"
        "{6 \"direction\": \"received\", \"type\": \"Up\", \"values\": [{\"Steps\": {\"mask\": "
        "6}}, {\"Move\": {\"y\": 0, \"x\": 1}}, {\"Move\": {\"y\": 2, \"x\": 1}}, {\"Move\": "
        "{\"y\": 2, \"x\": 1}}, {\"Ping\": {\"n\": 3, \"more\": 9}}]}\n"
        "{7 \"direction\": \"received\", \"type\": \"Pong\", \"value\": {\"m\": 2}}\n";
    shows(DOWN UP "new.pcapng", wanted);
    /* What is of the version now stays as it is. */
    run_shell("mv new.pcapng match.pcapng");
    converts(DOWN UP "now.pkt match.pcapng", "");
    run_shell("cmp new.pcapng match.pcapng");
}

/* Of a folder of releases, the crc says the version, so frames need their seed. */
TEST(test_folder)
{
    file_write("game.pkt", SCHEMA);
    file_write("now.pkt", NOW);
    process_result kept = run_for(0, "archive releases game.pkt");
    process_free(&kept);
    file_write("game.pkt", "protocol game = 1;\npacket Ping { u16 n; }\n");
    kept = run_for(0, "archive releases game.pkt");
    process_free(&kept);
    record r = record_open(0);
    record_add(&r, 2, PKT_SENT, "", "Ping", "{\"n\": 50}");
    run_shell("cp game.pkt second.pkt && cp releases/game-001-*.pkt game.pkt");
    record_add(&r, 2, PKT_SENT, "", "Ping", "{\"n\": 51}");
    record_down(&r, 5, "--seed 77", "null", "[{\"Head\": {\"number\": 1}}, {\"State\": {\"a\": 5, \"b\": 6}}]");
    run_shell("cp now.pkt game.pkt");
    record_add(&r, 2, PKT_SENT, "", "Ping", "{\"n\": 52, \"more\": 1}");
    fclose(r.file);
    static const char seeded[] =
        "{0 \"direction\": \"sent\", \"type\": \"Ping\", \"value\": {\"n\": 50, \"more\": 9}}\n"
        "{1 \"direction\": \"sent\", \"type\": \"Ping\", \"value\": {\"n\": 51, \"more\": 9}}\n"
        "{2 \"direction\": \"sent\", \"type\": \"Down\", \"values\": [{\"Head\": {\"sequence\": 1, \"back\": null}}, "
        "{\"State\": {\"b\": 6, \"alpha\": 5}}]}\n"
        "{3 \"direction\": \"sent\", \"type\": \"Ping\", \"value\": {\"n\": 52, \"more\": 1}}\n";
    converts("--seed 77 " DOWN "releases now.pkt match.pcapng", "");
    shows("--seed 77 " DOWN "new.pcapng", seeded);
    converts(DOWN "releases now.pkt match.pcapng", "pktc: warning: packet 3 is left out: " NO_CRC "\n"
                                                   "pktc: error: 1 of 4 datagrams are left out\n"
                                                   "      = help: --seed gives the seed of one session; a recording "
                                                   "has all if the program calls pkt_capture_session\n");
    /* Of one older schema it can be no other version. That schema need not have what the list names. */
    converts("--port 50000 " DOWN "releases/game-001-*.pkt now.pkt match.pcapng",
             "pktc: warning: packet 1 is left out: damaged, or of no version that is known\n"
             "pktc: error: 1 of 4 datagrams are left out\n");
    converts(DOWN "second.pkt now.pkt match.pcapng",
             "pktc: warning: packet 2 is left out: damaged, or of no version that is known\n"
             "pktc: warning: packet 3 is left out: its version has no 'Head'\n"
             "pktc: error: 2 of 4 datagrams are left out\n");
    converts("--port 9 releases now.pkt match.pcapng", "");
    /* Nothing tells a frame without its list from damage. */
    converts("releases now.pkt match.pcapng",
             "pktc: warning: packet 3 is left out: damaged, or of no version that is known\n"
             "pktc: error: 1 of 4 datagrams are left out\n"
             "      = help: --stream 'NAME=TYPE, TYPE*' names the types in frames; `pktc help convert` says more\n");
}

/* Counts that are wrong now, values that have gone, and what only a value's size makes impossible. */
TEST(test_left_out)
{
    file_write("game.pkt", "protocol game = 1;\nstruct Count { u8 n; u8 m; }\nstruct A { u8 x; }\nstruct B { u8 y; }\n"
                           "union Event { A a; B b; }\npacket Gone { u8 z; }\npacket One { Event event; }\n"
                           "packet Much @large { bytes<60000> data; }\n");
    file_write("now.pkt", "protocol game = 1;\nstruct Count { u8 n; }\nstruct A { u8 x; }\nunion Event { A a; }\n"
                          "packet One { Event event; }\npacket Much @large { bytes<60000> data; u8 more[8000]; }\n");
    record r = record_open(0);
    record_add(&r, 2, PKT_SENT, "", "Gone", "{}");
    record_add(&r, 2, PKT_SENT, "", "One", "{\"event\": {\"b\": {}}}");
    record_add(&r, 2, PKT_SENT, "--frame Some", "Count, Event[Count.n]",
               "[{\"Count\": {\"n\": 1}}, {\"Event\": {\"b\": {}}}]");
    record_add(&r, 2, PKT_SENT, "--frame Any", "Event*",
               "[{\"Event\": {\"b\": {}}}, {\"Event\": {\"a\": {\"x\": 3}}}]");
    char *much = text_format("{\"data\": \"%0120000d\"}", 0);
    file_write("much.json", much);
    free(much);
    record_add(&r, 2, PKT_SENT, "", "Much", "'$(cat much.json)'");
    fclose(r.file);
    converts("--stream 'Some=Count, Event[Count.n]' --stream 'Any=Event*' game.pkt now.pkt match.pcapng",
             "pktc: warning: packet 4: Event.b: is lost: there is no such member now\n"
             "pktc: warning: packet 1 is left out: there is no packet 'Gone' now\n"
             "pktc: warning: packet 2 is left out: 'One' has no value now\n"
             "pktc: warning: packet 3 is left out: 'Event' has no value now\n"
             "pktc: warning: packet 5 is left out: it has 68010 bytes now, more than a datagram can have\n"
             "pktc: error: 4 of 5 datagrams are left out\n");
    shows("--stream 'Any=Event*' new.pcapng",
          "{3 \"direction\": \"sent\", \"type\": \"Any\", \"values\": [{\"Event\": {\"a\": {\"x\": 3}}}]}\n");
}

TEST(test_wrong_use)
{
    file_write("game.pkt", SCHEMA);
    file_write("now.pkt", NOW);
    record r = record_open(0);
    record_add(&r, 2, PKT_SENT, "", "Ping", "{\"n\": 1}");
    fclose(r.file);
    refuses(1, "now.pkt match.pcapng",
            "pktc: error: 'match.pcapng' has no schema of protocol 'game' in it\n"
            "      = help: give the older schema too, or the folder of `pktc archive`: `pktc convert OLD now.pkt "
            "match.pcapng`\n");
    refuses(2, "match.pcapng",
            "pktc: convert needs the newer schema before the recording, and at most the older one "
            "before that; try 'pktc help convert'\n");
    refuses(2, "game.pkt game.pkt now.pkt match.pcapng",
            "pktc: convert needs the newer schema before the recording, and at most the older one before that; try "
            "'pktc help convert'\n");
    refuses(1, "game.pkt now.pkt gone.pcapng", "pktc: error: cannot read 'gone.pcapng': No such file or directory\n");
    refuses(2, "match.pcapng now.pkt",
            "pktc: 'now.pkt' comes after a recording: schemas come first; try 'pktc help convert'\n");
    refuses(2, "now.pkt match.pcapng match.pcapng",
            "pktc: convert takes one recording, and 'match.pcapng' is another one; try 'pktc help convert'\n");
    refuses(2, "now.pkt Ping match.pcapng",
            "pktc: 'Ping' is no .pkt file: types of streams in a recording need --stream; try 'pktc help convert'\n");
    refuses(2, "--hex game.pkt now.pkt match.pcapng",
            "pktc: --hex is for the bytes of one value, and 'match.pcapng' is a recording; try 'pktc help convert'\n");
    refuses(1, "--seed 1 game.pkt now.pkt match.pcapng",
            "pktc: error: --seed needs --stream, or a packet with parts or @seed\n");
    refuses(2, "--seed 1 game.pkt now.pkt Ping ping.bin",
            "pktc: --seed needs a recording, and 'ping.bin' is none; try 'pktc help convert'\n");
    refuses(2, "--stream Ping game.pkt now.pkt Ping",
            "pktc: --stream needs a recording, and 'Ping' is none; try 'pktc help convert'\n");
    refuses(1, "--stream 'F=Heads' game.pkt now.pkt match.pcapng",
            "pktc: error: there is no struct, packet or union 'Heads'\n      = help: did you mean 'Head'?\n");
    refuses(1, "game.pkt gone.pkt match.pcapng", "pktc: error: cannot read 'gone.pkt': No such file or directory\n");
    file_write("types.pkt", "struct Pair { u8 a; }\n");
    refuses(1, "game.pkt types.pkt match.pcapng",
            "pktc: error: 'types.pkt' declares no protocol, so a recording cannot have it\n");
    file_write("next.pkt", "protocol game = 1;\npacket Ping { string<9> n; }\n");
    refuses(1, "game.pkt next.pkt match.pcapng",
            "next.pkt:2:25: error: 'Ping.n' does not convert from the older schema: it was u8, and is string<9> now\n"
            "    2 | packet Ping { string<9> n; }\n"
            "      |                         ^\n"
            "game.pkt:2:18: note: the older schema has it here\n"
            "    2 | packet Ping { u8 n; }\n"
            "      |                  ^\n");
    file_write("third.pkt", "protocol third = 1;\npacket Ping { u8 n; }\n");
    process_result none = process_run("%s convert third.pkt third.pkt match.pcapng | wc -c", pktc);
    assert_string_equal(none.err,
                        "pktc: warning: packet 1 is left out: damaged, or of no version that is known\n"
                        "pktc: error: none of the 1 datagrams converts\n"
                        "      = help: --stream 'NAME=TYPE, TYPE*' names the types in frames; `pktc help convert` says "
                        "more\n");
    process_free(&none);
}

/* A program would have left elements out. */
TEST(test_over_budget)
{
    file_write("game.pkt", "protocol game = 1;\npacket State @delta @budget(40) { u8 a[20] @fit; }\n");
    file_write("now.pkt", "protocol game = 2;\npacket State @delta @budget(40) { u32 a[20] @fit; }\n");
    record r = record_open(0);
    for (int i = 0; i < 3; i++)
        record_add(&r, 2, PKT_SENT, "", "State", "{\"a\": [1, 2, 3]}");
    fclose(r.file);
    process_result made = process_run("%s convert game.pkt now.pkt match.pcapng | %s decode - | wc -l", pktc, pktc);
    assert_string_equal(
        made.err, "pktc: warning: packet 1: 'State' has 88 bytes now, and a @budget of 40 (and 2 more like it)\n");
    assert_string_equal(made.out, "3\n");
    process_free(&made);
}

/* ---- coded deltas */

#define HEAD "struct Head { u16 number; optional u8 back; optional u8 gap; }\n"
#define STATE "struct State @delta%s { u8 tick; int<0, 1000> x coded; }\n"
#define MODEL "model { \"State.x 0: 10 10 9 8 7 6 5 4 3 2 1\" }\n"
#define UNMOVED "--stream 'Down=Head, State delta(Head.number from Head.number - Head.back)' "
#define MOVED(number, gap)                                                                                       \
    "--stream 'Down=Head, State delta(Head." number " from Head." number " - Head.back after Head." number " - " \
    "Head.back - Head." gap ")' "

enum { CODED = 8 };

static void write_game(const char *name, const char *head, const char *kind, const char *model)
{
    char *state = text_format(STATE, kind), *text = text_format("protocol game = 1;\n%s%s%s", head, state, model);
    file_write(name, text);
    free(text);
    free(state);
}

static char *coded_value(unsigned i)
{
    return text_format("{\"tick\": %u, \"x\": %u}", i, 100 + 20 * i + i * i % 3);
}

/* Records game.pkt. Value i is a delta to the one two before it, which has moved from the one before that if moved. The
 * header says so if it has a gap. */
static void record_coded(bool has_gap, bool moved)
{
    const char *const options =
        moved ? "--frame Down --base base.json --before before.json --back 2 --gap 1" : "--frame Down --base base.json";
    char *schema = file_read("game.pkt");
    const char *const text[] = {schema, NULL};
    const char *const *const texts[] = {text};
    record r = record_open_with(texts, 1);
    for (unsigned i = 0; i < CODED; i++) {
        char *now = coded_value(i), *base = i < 2 ? text_format("null") : coded_value(i - 2);
        char *before = i < 3 ? text_format("null") : coded_value(i - 3);
        char *json = text_format("[{\"Head\": {\"number\": %u%s%s}}, {\"State\": %s}]", i, i < 2 ? "" : ", \"back\": 2",
                                 i < 3 || !has_gap ? "" : ", \"gap\": 1", now);
        file_write("base.json", base);
        file_write("before.json", before);
        record_add(&r, 2, PKT_SENT, options, "Head, State delta", json);
        free(json);
        free(before);
        free(base);
        free(now);
    }
    fclose(r.file);
    free(schema);
}

/* Reads all values of new.pcapng. */
static void shows_coded(const char *stream)
{
    process_result result = process_run("%s decode %s new.pcapng | sed 's/.*\"State\": //'", pktc, stream);
    const char *line = result.out;
    for (unsigned i = 0; i < CODED; i++, line = strchr(line, '\n') + 1) {
        char *value = coded_value(i), *wanted = text_format("%s}]}\n", value);
        assert_memory_equal(line, wanted, strlen(wanted));
        free(wanted);
        free(value);
    }
    assert_string_equal(line, "");
    assert_string_equal(result.err, "");
    process_free(&result);
}

/* Converts to now.pkt, and reads all values again. */
static void keeps_coded(const char *stream)
{
    char *arguments = text_format("%s now.pkt match.pcapng", stream);
    converts(arguments, "");
    shows_coded(stream);
    free(arguments);
}

/* The deltas of an older version are read with its own codes. */
TEST(test_coded)
{
    write_game("game.pkt", HEAD, "", "");
    write_game("now.pkt", HEAD, "", MODEL);
    record_coded(false, false);
    keeps_coded(UNMOVED);
    run_shell(text_format("%s archive releases game.pkt >/dev/null", pktc));
    converts(UNMOVED "game.pkt now.pkt match.pcapng", "");
    run_shell("mv new.pcapng first.pcapng");
    converts(UNMOVED "releases now.pkt match.pcapng", "");
    run_shell("cmp first.pcapng new.pcapng");
}

#define LATER_HEAD "struct Head { u16 sequence was \"number\"; optional u8 back; optional u8 between was \"gap\"; }\n"

/* A baseline has moved from the value that the header of the older version names. */
TEST(test_predicted)
{
    write_game("game.pkt", HEAD, "(predict)", "");
    write_game("now.pkt", LATER_HEAD, "(predict)", MODEL);
    record_coded(true, true);
    keeps_coded(MOVED("sequence", "between"));
    /* Its header need not have what its deltas do not need. */
    write_game("game.pkt", "struct Head { u16 number; optional u8 back; }\n", "", "");
    record_coded(false, false);
    keeps_coded(MOVED("sequence", "between"));
    write_game("game.pkt", "struct Head { u16 number; optional u8 back; }\n", "(predict)", "");
    record_coded(false, false);
    refuses(1, MOVED("sequence", "between") "now.pkt match.pcapng >new.pcapng",
            "pktc: warning: packet 1 is left out: its version has no 'between' that the list could mean (and 7 more "
            "like it)\n"
            "pktc: error: none of the 8 datagrams converts\n");
    /* What did not move before moves now. */
    write_game("game.pkt", HEAD, "", "");
    record_coded(true, false);
    keeps_coded(MOVED("sequence", "between"));
    /* What moved before does not move now, so it needs no value to have moved from. */
    write_game("game.pkt", HEAD, "(predict)", "");
    write_game("now.pkt", LATER_HEAD, "", MODEL);
    record_coded(true, true);
    converts(MOVED("sequence", "between") "now.pkt match.pcapng", "");
    shows_coded("--stream 'Down=Head, State delta(Head.sequence from Head.sequence - Head.back)'");
    process_result unmoved = process_run("%s convert --stream 'Down=Head, State delta(Head.sequence from Head.sequence "
                                         "- Head.back)' now.pkt match.pcapng 2>&1 >new.pcapng | head -n 2",
                                         pktc);
    assert_string_equal(unmoved.out, "pktc: warning: 'State' was @delta(predict), and its baseline is taken as if it "
                                     "did not move\n"
                                     "      = help: 'State delta(Header.number from Header.baseline after "
                                     "Header.before)' says how it moved\n");
    process_free(&unmoved);
}

/* ---- headers */

static void put_hex(FILE *to, const char *hex)
{
    for (unsigned byte; *hex; hex++) {
        if (*hex == ' ')
            continue;
        assert_int_equal(sscanf(hex++, "%2x", &byte), 1);
        putc((int)byte, to);
    }
}

/* Ethernet frames with a VLAN tag, filled up, of IPv4 and IPv6, in a file of tcpdump. In the result, what is before
 * IP is the same, and the headers have the sizes and checksums of the longer datagram. */
TEST(test_headers)
{
    static const char file[] = "d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000"; /* pcap, Ethernet */
    static const char link[] = "020000000002 020000000001 8100 0005";
    static const struct {
        const char *size, *ip, *wanted;
    } headers[] = {
        {"3c000000", "0800 4500 0025 0000 4000 4011 0000 0a000001 0a000002",
         "060000005800000000000000fe9c971700002a3638000000380000000200000000020200000000018100000508004500002600004000"
         "401126c50a0000010a0000029c40c3500012e83668d64c77830420694b4458000000"},
        {"50000000", "86dd 60000000 0011 1140 20010db8000000000000000000000001 20010db8000000000000000000000002",
         "060000006c00000000000000fe9c971700002a364c0000004c0000000200000000020200000000018100000586dd600000000012"
         "114020010db800000000000000000000000120010db80000000000000000000000029c40c3500012a0c468d64c77830420694b44"
         "6c000000"},
    };
    file_write("game.pkt", SCHEMA);
    file_write("now.pkt", NOW);
    for (size_t i = 0; i < 2; i++) {
        FILE *to = fopen("match.pcap", "wb");
        size_t size;
        uint8_t *ping = encoded("", "Ping", "{\"n\": 3}", &size);
        put_hex(to, file);
        put_hex(to, "00f15365 00000000");
        put_hex(to, headers[i].size);
        put_hex(to, headers[i].size);
        put_hex(to, link);
        put_hex(to, headers[i].ip);
        put_hex(to, "9c40 c350 0011 0000");
        fwrite(ping, 1, size, to);
        put_hex(to, "00000000 00");
        fclose(to);
        free(ping);
        converts("game.pkt now.pkt match.pcap", "");
        process_result last = process_run("tail -c %d new.pcapng | od -An -v -tx1 | tr -d ' \\n'", i == 0 ? 88 : 108);
        assert_string_equal(last.out, headers[i].wanted);
        process_free(&last);
    }
}

int main(void)
{
    cli_begin("convert_recording");
    return cli_end(run_all(set_up));
}
