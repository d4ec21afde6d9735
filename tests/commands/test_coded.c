/* test_coded.c - tests what decode, encode and report say of deltas with coded fields and of predicted baselines.
 * SPDX-License-Identifier: MIT
 */
#define PKT_WITH_CAPTURE
#include "pkt.h"

#include "commands/cli.h"

static void write_schema(void)
{
    file_write("g.pkt", "protocol g = 1;\n"
                        "model {\n"
                        "    \"Body changes 0.0: 3 3 3 2 3 3 4 4\",\n"
                        "    \"Body.x 5: 6 7 5 4 2 1 3 8 9 10 10\",\n"
                        "    \"State.bodies runs: 1 2 3 3\",\n"
                        "}\n"
                        "struct Body @delta { int<0, 1000> x coded, y coded; quat<7> turn coded; }\n"
                        "packet State @delta(predict) { u32 tick; Body bodies[3] coded; }\n"
                        "packet Plain @delta { u8 lamp coded; bits<3> kind; }\n"
                        "struct Head { u16 number; optional int<1, 63> back; optional int<1, 7> gap; }\n");
}

static void expect(const char *arguments, int status, const char *out, const char *err)
{
    process_result r = run_for(status, arguments);
    assert_string_equal(r.out, out);
    assert_string_equal(r.err, err);
    process_free(&r);
}

#define MOVED "--base base.json --before before.json --back 3 --gap 1 "

static void write_values(void)
{
    write_schema();
    file_write("before.json",
               "{\"tick\": 5, \"bodies\": [{\"x\": 100, \"y\": 500}, {\"x\": 20, \"y\": 1}, {\"x\": 7}]}");
    file_write("base.json", "{\"tick\": 6, \"bodies\": [{\"x\": 110, \"y\": 500, \"turn\": [0, 0, 0.1, 0.99498]},"
                            " {\"x\": 20, \"y\": 1}, {\"x\": 7}]}");
    file_write("now.json", "{\"tick\": 9, \"bodies\": [{\"x\": 142, \"y\": 500, \"turn\": [0, 0, 0.12, 0.99277]},"
                           " {\"x\": 20, \"y\": 1}, {\"x\": 7, \"y\": 3}]}");
}

/* x goes on from 110 to 140, and is 142: by the table of numbers that moved by at least 16. */
TEST(test_bits)
{
    write_values();
    run_shell(text_format("%s encode " MOVED "g.pkt State now.json >now.bin", pktc));
    expect("decode --bits " MOVED "g.pkt State now.bin", 0,
           "     bit   bits  raw                   field\n"
           "       0     32  34039018              State.crc\n"
           "      32      1  1                     State.form = coded\n"
           "      33      2  3                     State.changes = tick, bodies\n"
           "      35     32  9                     State.tick\n"
           "      67      4  3                     State.bodies = [2] changes: symbol 2 of State.bodies runs\n"
           "      71      3  3                     State.bodies[0].changes = x, turn\n"
           "      74      7  15                    State.bodies[0].x = 142 (+2: symbol 2 of Body.x 5)\n"
           "      81     13  4672                  State.bodies[0].turn = [0.0, 0.0, 0.123463094, 0.99234915] "
           "(+0: symbol 0 of Body.turn 0, +0: symbol 0 of Body.turn 0, -12: symbol 4 of Body.turn 4)\n"
           "      94      3  1                     State.bodies[2].changes = y\n"
           "      97      5  18                    State.bodies[2].y = 3 (+3: symbol 2 of Body.y 0)\n"
           "     102     32  3594269794            State.end check\n",
           "");
    run_shell(text_format("%s decode " MOVED "g.pkt State now.bin >again.json", pktc));
    run_shell(text_format("%s encode " MOVED "g.pkt State again.json | cmp - now.bin", pktc));
    file_write("stream.json", "[{\"Head\": {\"number\": 3}}, {\"State\": ");
    run_shell(text_format("cat again.json >>stream.json && echo '}]' >>stream.json && %s encode " MOVED
                          "g.pkt 'Head, State delta' stream.json >stream.bin && %s decode " MOVED
                          "g.pkt 'Head, State delta' stream.bin | %s encode " MOVED
                          "g.pkt 'Head, State delta' | cmp - stream.bin",
                          pktc, pktc, pktc));
    file_write("lamp.json", "{\"lamp\": 3}");
    file_write("lamps.json", "{\"lamp\": 200, \"kind\": 4}");
    run_shell(text_format("%s encode --base lamp.json g.pkt Plain lamps.json >lamps.bin", pktc));
    expect("decode --bits --base lamp.json g.pkt Plain lamps.bin", 0,
           "     bit   bits  raw                   field\n"
           "       0     32  3273315699            Plain.crc\n"
           "      32      1  0                     Plain.form = plain\n"
           "      33      2  3                     Plain.changes = lamp, kind\n"
           "      35      8  200                   Plain.lamp\n"
           "      43      3  4                     Plain.kind\n"
           "      46     32  2289500781            Plain.end check\n",
           "");
}

/* An element whose end is not greater than its start cannot be written, and is expected to change, unless the baseline rests. */
TEST(test_unordered)
{
    file_write("o.pkt", "protocol o = 1;\n"
                        "struct Span @delta { u32 start coded; u32 end after start; }\n"
                        "packet Spans @delta(predict) { Span all[3] coded; }\n");
    file_write("base.json", "{\"all\": [{\"start\": 0, \"end\": 0}, {\"start\": 1, \"end\": 2}, {}]}");
    file_write("now.json",
               "{\"all\": [{\"start\": 11, \"end\": 20}, {\"start\": 1, \"end\": 2}, {\"start\": 17, \"end\": 20}]}");
    run_shell(text_format(
        "%s encode --body --base base.json --before base.json --back 1 --gap 1 o.pkt Spans now.json >now.bin", pktc));
    expect("decode --body --base base.json --before base.json --back 1 --gap 1 o.pkt Spans now.bin | xargs", 0,
           "{ all: [ { start: 11, end: 20 }, { start: 1, end: 2 }, { start: 17, end: 20 } ] }\n", "");
    static const char *const resting[] = {"--before null.json --back 1 --gap 1", "--before base.json --back 1 --gap 0",
                                          "--before base.json --back 65536 --gap 1"};
    file_write("null.json", "null");
    run_shell(text_format(
        "%s encode --body --base base.json o.pkt Spans now.json >rest.bin && ! cmp -s rest.bin now.bin", pktc));
    for (size_t i = 0; i < sizeof resting / sizeof resting[0]; i++)
        run_shell(text_format("%s encode --body --base base.json %s o.pkt Spans now.json | cmp - rest.bin", pktc,
                              resting[i]));
}

/* The same without what the baseline has moved from, so it does not move. */
TEST(test_still)
{
    write_values();
    file_write("null.json", "null");
    run_shell(text_format("%s encode --base base.json g.pkt State now.json >still.bin", pktc));
    run_shell(text_format("%s encode --base base.json --before null.json --back 3 --gap 1 g.pkt State now.json "
                          "| cmp - still.bin",
                          pktc));
    run_shell(text_format("%s encode --base base.json --before base.json --back 3 --gap 1 g.pkt State now.json "
                          "| cmp - still.bin",
                          pktc));
    run_shell(text_format("! %s encode " MOVED "g.pkt State now.json | cmp -s - still.bin", pktc));
    expect("decode " MOVED "g.pkt State still.bin", 1, "",
           "pktc: error: refused: State.end check: constant differs at bit 94 (check)\n");
}

/* Of the same values, a number with `still` stays at 60, and the other one goes on to 40. */
TEST(test_word_still)
{
    file_write("s.pkt", "protocol s = 1;\npacket P @delta(predict) { u8 health coded still; u8 x coded; }\n"
                        "packet Q @delta { u8 y coded still; }\n");
    file_write("before.json", "{\"health\": 80, \"x\": 80}");
    file_write("base.json", "{\"health\": 60, \"x\": 60}");
    file_write("now.json", "{\"health\": 60, \"x\": 60}");
    run_shell(text_format("%s encode --body --base base.json --before before.json --back 1 --gap 1 s.pkt P now.json "
                          ">now.bin 2>warned",
                          pktc));
    expect(
        "decode --bits --body --base base.json --before before.json --back 1 --gap 1 s.pkt P now.bin 2>again; cmp again warned",
        0,
        "     bit   bits  raw                   field\n"
        "       0      1  1                     P.form = coded\n"
        "       1      2  1                     P.changes = x\n"
        "       3      8  69                    P.x = 60 (+20: symbol 5 of P.x 5)\n",
        "");
    expect("--projection s.pkt | grep still", 0, "    health int 0 255 coded still\n    y int 0 255 coded still\n",
           "s.pkt:3:30: warning: 'still' has no effect: 'Q' is not predicted\n"
           "    3 | packet Q @delta { u8 y coded still; }\n"
           "      |                              ^~~~~\n"
           "      = help: remove 'still', or make it @delta(predict)\n");
}

/* With @speed, 7 / 20 a tick are 7 * 3 * 52429 / 2^20 in 3 ticks, rounded to 1; -50 / 20 are -7.5 in 3, rounded to -7. */
TEST(test_speed)
{
    file_write("v.pkt", "protocol v = 1;\nstruct Ball @delta(predict) {\n"
                        "    int<0, 1000> x coded @speed(dx / 20), y coded @speed(dy / 20);\n"
                        "    int<0, 359> turn wrap coded @speed(dx);\n    i8 dx, dy;\n}\n");
    file_write("base.json", "{\"x\": 100, \"y\": 5, \"turn\": 350, \"dx\": 7, \"dy\": -50}");
    file_write("now.json", "{\"x\": 101, \"y\": 0, \"turn\": 11, \"dx\": 7, \"dy\": -50}");
    file_write("other.json", "{\"x\": 103, \"y\": 0, \"turn\": 11, \"dx\": 7, \"dy\": -49}");
    run_shell(text_format("%s encode --base base.json --back 3 v.pkt Ball now.json >now.bin; "
                          "%s encode --base base.json --back 3 v.pkt Ball other.json >other.bin",
                          pktc, pktc));
    expect("decode --bits --base base.json --back 3 v.pkt Ball now.bin", 0,
           "     bit   bits  raw                   field\n"
           "       0      1  1                     Ball.form = coded\n"
           "       1      5  0                     Ball.changes = nothing\n",
           "");
    expect("decode --bits --base base.json --back 3 v.pkt Ball other.bin", 0,
           "     bit   bits  raw                   field\n"
           "       0      1  1                     Ball.form = coded\n"
           "       1      5  17                    Ball.changes = x, dy\n"
           "       6      5  2                     Ball.x = 103 (+2: symbol 2 of Ball.x 1)\n"
           "      11      8  207                   Ball.dy = -49\n",
           "");
    expect("decode --base base.json --back 3 v.pkt Ball other.bin | xargs", 0,
           "{ x: 103, y: 0, turn: 11, dx: 7, dy: -49 }\n", "");
    expect("decode --base base.json v.pkt Ball now.bin | xargs", 0, "{ x: 100, y: 5, turn: 350, dx: 7, dy: -50 }\n",
           "");
    expect("decode --base base.json --back 65536 v.pkt Ball now.bin | xargs", 0,
           "{ x: 100, y: 5, turn: 350, dx: 7, dy: -50 }\n", "");
}

TEST(test_wrong)
{
    write_values();
    expect("encode --before b.json g.pkt State now.json", 2, "",
           "pktc: --before needs --base; try 'pktc help encode'\n");
    expect("encode --base base.json --before before.json --back 3 g.pkt State now.json", 2, "",
           "pktc: --before needs --back and --gap; try 'pktc help encode'\n");
    expect("decode --back 3 g.pkt State now.json", 2, "", "pktc: --back needs --base; try 'pktc help decode'\n");
    expect("decode --base base.json --gap 3 g.pkt State now.json", 2, "",
           "pktc: --gap needs --before; try 'pktc help decode'\n");
    file_write("lamp.json", "{\"lamp\": 3}");
    expect("encode --base lamp.json --before lamp.json --back 3 --gap 1 g.pkt Plain lamp.json", 1, "",
           "pktc: error: --before: 'Plain' is not @delta(predict), so its baseline does not move\n");
    expect("encode " MOVED "g.pkt 'Head, Plain delta(Head.number from Head.number after Head.number)' now.json", 1, "",
           "pktc: error: 'Plain' is not @delta(predict), so its baseline does not move 'after' another\n");
    expect(
        "encode " MOVED "g.pkt 'Head, State delta(Head.number from Head.number after )' now.json", 1, "",
        "pktc: error: 'Head, State delta(Head.number from Head.number after )': '' is no type before this one in the "
        "list\n");
}

/* Three states in a row: the third is a delta to the second as it has moved from the first. */
TEST(test_row)
{
    write_schema();
    file_write("row.json",
               "[{\"State\": {\"bodies\": [{\"x\": 100}, {}, {}]}}, {\"State\": {\"bodies\": [{\"x\": 120}, {}, {}]}},"
               " {\"State\": {\"bodies\": [{\"x\": 141}, {}, {}]}}]");
    run_shell(text_format("%s encode g.pkt 'State delta(previous after previous)*' row.json >row.bin", pktc));
    expect(
        "decode --bits g.pkt 'State delta(previous after previous)*' row.bin", 0,
        "     bit   bits  raw                   field\n"
        "       0      1  0                     State.form = plain\n"
        "       1      2  2                     State.changes = bodies\n"
        "       3      1  1                     State.bodies\n"
        "       4      3  1                     State.bodies\n"
        "       7      3  1                     State.bodies[0].changes = x\n"
        "      10     10  100                   State.bodies[0].x\n"
        "      20      1  1                     State.form = coded\n"
        "      21      2  1                     State.changes = bodies\n"
        "      23      1  0                     State.bodies = [0] changes: symbol 0 of State.bodies runs\n"
        "      24      3  7                     State.bodies = the others are as expected: symbol 3 of State.bodies runs\n"
        "      27      3  6                     State.bodies[0].changes = x\n"
        "      30      9  133                   State.bodies[0].x = 120 (+20: symbol 5 of Body.x 0)\n"
        "      39      1  1                     State.form = coded\n"
        "      40      2  1                     State.changes = bodies\n"
        "      42      3  7                     State.bodies = the others are as expected: symbol 3 of State.bodies runs\n"
        "      45      3  6                     State.bodies[0].changes = x\n"
        "      48      8  63                    State.bodies[0].x = 141 (+1: symbol 1 of Body.x 5)\n",
        "");
    run_shell(text_format("%s decode g.pkt 'State delta(previous after previous)*' row.bin | "
                          "%s encode g.pkt 'State delta(previous after previous)*' | cmp - row.bin",
                          pktc, pktc));
    expect("decode g.pkt 'State delta(previous after last)*' row.bin", 1, "",
           "pktc: error: 'State delta(previous after last)*' does not say which baseline a delta has: expected "
           "'previous)', found 'last)*'\n"
           "      = help: 'State delta(last after previous)' has one that has moved from the State before it\n");
    expect("decode g.pkt 'State delta(last after Head.number)*' row.bin", 1, "",
           "pktc: error: 'State delta(last after Head.number)*' does not say which baseline a delta has: expected "
           "'previous)', found 'Head.number)*'\n"
           "      = help: 'State delta(last after previous)' has one that has moved from the State before it\n");
    expect("decode g.pkt 'Plain delta(previous after previous)*' row.bin", 1, "",
           "pktc: error: 'Plain' is not @delta(predict), so its baseline does not move 'after' another\n");
    process_result r = run_for(0, "wireshark --stream 'State delta(previous)*' g.pkt");
    assert_string_equal(
        r.err, "pktc: warning: 'State' is @delta(predict), and its baseline is taken as if it did not move\n"
               "      = help: 'State delta(previous after previous)' lets it move on from the one before it\n");
    process_free(&r);
    r = run_for(0, "wireshark --stream 'State delta(previous after previous)*' g.pkt");
    assert_string_equal(r.err, "");
    assert_contains(r.out, "part(types[\"State\"], { is_delta = true, chained = true, moves = true, many = true })");
    process_free(&r);
}

/* The dissector has the three numbers; the tables; and which types have a form. tests/dissect tests what it shows. */
TEST(test_wireshark)
{
    write_schema();
    process_result r =
        run_for(0, "wireshark --stream 'Update=Head, State delta(Head.number from Head.number - Head.back "
                   "after Head.gap)' g.pkt");
    assert_string_equal(r.err, "");
    assert_contains(r.out, "    struct(\"Body\")\n    coded(false)\n"
                           "        masks(codes(3, 3, 3, 2, 3, 3, 4, 4))\n");
    assert_contains(r.out, "    struct(\"State\")\n    coded(true)\n");
    assert_contains(r.out,
                    "field(\"bodies\", types[\"Body\"], { coded = true, runs = codes(1, 2, 3, 3), dims = { 3 } })");
    assert_contains(r.out, "before_number = sum(8, { { 1, \"Head\", { \"gap\" } } }) })");
    process_free(&r);
    r = run_for(0, "wireshark --stream 'Update=Head, State delta(Head.number from Head.gap)' g.pkt");
    assert_string_equal(r.err,
                        "pktc: warning: 'State' is @delta(predict), and its baseline is taken as if it did not "
                        "move\n"
                        "      = help: 'State delta(Header.number from Header.baseline after Header.before)' says "
                        "how it moved\n");
    process_free(&r);
}

enum { FRAMES = 30 };

/* Frame i is sent against the frame two before it, which has moved from the one before that. */
static char *value_of(unsigned i)
{
    return text_format("{\"tick\": %u, \"bodies\": [{\"x\": %u}, {\"x\": %u, \"y\": %u}, {\"y\": 7}]}", i, 100 + 13 * i,
                       500 - 3 * i, i % 7 == 0 ? 9 : 8);
}

static void add(const pkt_capture *c, unsigned i)
{
    static const uint8_t address[4] = {192, 0, 2, 9};
    const pkt_endpoint peer = pkt_endpoint_of(address, 4, 50000);
    uint8_t bytes[256];
    char *now = value_of(i), *base = i < 2 ? text_format("null") : value_of(i - 2);
    char *before = i < 3 ? text_format("null") : value_of(i - 3);
    char *head = i < 2   ? text_format("{\"number\": %u}", i)
                 : i < 3 ? text_format("{\"number\": %u, \"back\": 2}", i)
                         : text_format("{\"number\": %u, \"back\": 2, \"gap\": 1}", i);
    char *json = text_format("[{\"Head\": %s}, {\"State\": %s}]", head, now);
    file_write("base.json", base);
    file_write("before.json", before);
    file_write("made.json", json);
    run_shell(text_format("%s encode --frame Update --base base.json --before before.json --back 2 --gap 1 g.pkt "
                          "'Head, State delta' made.json >made.bin",
                          pktc));
    FILE *from = fopen("made.bin", "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    assert_true(
        pkt_capture_packet(c, UINT64_C(1700000000000000000) + i * UINT64_C(100000000), PKT_SENT, &peer, bytes, size));
    free(json);
    free(head);
    free(before);
    free(base);
    free(now);
}

/* Without the frame `lost`. */
static void record(unsigned lost)
{
    static const uint8_t address[4] = {192, 0, 2, 1};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    FILE *file = fopen("match.pcapng", "wb");
    pkt_capture c;
    write_schema();
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, NULL, 0));
    for (unsigned i = 0; i < FRAMES; i++)
        if (i != lost)
            add(&c, i);
    fclose(file);
}

#define STREAM                                                                                                     \
    "--stream 'Update=Head, State delta(Head.number from Head.number - Head.back after Head.number - Head.back - " \
    "Head.gap)'"

/* A line for each frame, each with its value. */
static void shows_all_frames(const process_result *r)
{
    const char *line = r->out;
    assert_string_equal(r->err, "");
    assert_null(strstr(r->out, "refused"));
    for (unsigned i = 0; i < FRAMES; i++, line = strchr(line, '\n') + 1) {
        char *wanted = text_format("\"State\": {\"tick\": %u, \"bodies\": [{\"x\": %u, \"y\": 0, ", i, 100 + 13 * i);
        assert_contains(line, wanted);
        free(wanted);
    }
}

TEST(test_recording)
{
    record(FRAMES);
    process_result r = run_for(0, "decode " STREAM " g.pkt match.pcapng");
    shows_all_frames(&r);
    process_free(&r);
    r = run_for(0, "decode --stream 'Update=Head, State delta(Head.number from Head.number - Head.back)' g.pkt "
                   "match.pcapng");
    assert_string_equal(r.err,
                        "pktc: warning: 'State' is @delta(predict), and its baseline is taken as if it did not "
                        "move\n"
                        "      = help: 'State delta(Header.number from Header.baseline after Header.before)' says "
                        "how it moved\n");
    process_free(&r);
}

/* Each packet is a delta to the last one, as that has moved from the one before. */
TEST(test_ordered)
{
    static const uint8_t address[4] = {192, 0, 2, 1}, other[4] = {192, 0, 2, 9};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000), peer = pkt_endpoint_of(other, 4, 50000);
    FILE *file = fopen("ordered.pcapng", "wb");
    pkt_capture c;
    write_schema();
    file_write("moved.pkt", "protocol g = 2;\nstruct Body @delta { int<0, 1000> x coded, y coded; }\n"
                            "packet State @delta(predict) { Body bodies[3] coded; u16 tick; }\n");
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, NULL, 0));
    for (unsigned i = 0; i < FRAMES; i++) {
        char *now = value_of(i), *base = i < 1 ? text_format("null") : value_of(i - 1),
             *before = i < 2 ? text_format("null") : value_of(i - 2);
        uint8_t bytes[256];
        file_write("now.json", now);
        file_write("base.json", base);
        file_write("before.json", before);
        run_shell(text_format("%s encode --base base.json --before before.json --back 1 --gap 1 g.pkt State now.json "
                              ">made.bin",
                              pktc));
        FILE *from = fopen("made.bin", "rb");
        const size_t size = fread(bytes, 1, sizeof bytes, from);
        fclose(from);
        assert_true(pkt_capture_packet(&c, UINT64_C(1700000000000000000) + i, PKT_SENT, &peer, bytes, size));
        free(before);
        free(base);
        free(now);
    }
    fclose(file);
    process_result r = run_for(0, "decode --stream 'State=State delta(last after previous)' g.pkt ordered.pcapng");
    shows_all_frames(&r);
    process_free(&r);
    /* The deltas of the other version have moved as well. */
    run_shell(text_format("%s convert --stream 'State=State delta(last after previous)' g.pkt moved.pkt ordered.pcapng "
                          ">moved.pcapng",
                          pktc));
    r = run_for(0, "decode --stream 'State=State delta(last after previous)' moved.pkt moved.pcapng");
    assert_string_equal(r.err, "");
    assert_null(strstr(r.out, "refused"));
    assert_contains(r.out,
                    "\"State\": {\"bodies\": [{\"x\": 477, \"y\": 0}, {\"x\": 413, \"y\": 8}, {\"x\": 0, \"y\": 7}], "
                    "\"tick\": 29}");
    process_free(&r);
    r = run_for(0, "decode --stream 'State=State delta(last)' g.pkt ordered.pcapng");
    assert_string_equal(r.err,
                        "pktc: warning: 'State' is @delta(predict), and its baseline is taken as if it did not move\n"
                        "      = help: 'State delta(last after previous)' lets it move on from the one before it\n");
    process_free(&r);
}

/* The first two recorded deltas lack a value: their own baseline, or what that has moved from. */
TEST(test_missing)
{
    record(0);
    process_result r = run_for(0, "decode " STREAM " g.pkt match.pcapng");
    assert_contains(r.out, "\"refused\": \"Update.State: its baseline, 0, is not in the recording\"");
    assert_contains(r.out,
                    "\"refused\": \"Update.State: what its baseline has moved from, 0, is not in the recording\"");
    process_free(&r);
}

/* A coded number has no width that could be narrower, and no steps; only other codes could take fewer bits. */
TEST(test_report)
{
    record(FRAMES);
    expect(
        "report " STREAM " g.pkt match.pcapng", 0,
        "30 datagrams, 511 bytes in 2.9 s: 1.4 kbit/s\n"
        "\n"
        "datagram   count   bytes: mean   95 %   most   kbit/s     share\n"
        "Update        30          17.0     19     21      1.4   100.0 %\n"
        "\n"
        "from and to                          count   bytes: mean   kbit/s     share\n"
        "192.0.2.1:40000 to 192.0.2.9:50000      30          17.0      1.4   100.0 %\n"
        "\n"
        "field                    items   bits    share   bits each   entropy   of differences   seen\n"
        "Update.crc                  30    960   23.5 %        32.0\n"
        "Update.end check            30    960   23.5 %        32.0\n"
        "State.tick                  29    928   22.7 %        32.0     >4.86             0.22   1 to 29, counting up\n"
        "Head.number                 30    480   11.7 %        16.0     >4.91             0.00   0 to 29, counting up\n"
        "Head.back                   28    168    4.1 %         6.0      0.00             0.00   2\n"
        "Head.gap                    27     81    2.0 %         3.0      0.00             0.00   1\n"
        "State.bodies[].y            16     81    2.0 %         5.1      1.37            >2.58   7 to 9\n"
        "State.bodies[].x             6     63    1.5 %        10.5     >2.58            >2.58   100 to 500\n"
        "State.changes               30     60    1.5 %         2.0\n"
        "State.bodies                31     55    1.3 %         1.8\n"
        "State.bodies[].changes      19     54    1.3 %         2.8\n"
        "Head.has_back               30     30    0.7 %         1.0\n"
        "Head.has_gap                30     30    0.7 %         1.0\n"
        "State.form                  30     30    0.7 %         1.0\n"
        "\n"
        "What each change by itself would have saved, in bytes and as a share of all. What a recording did not have, the next may:\n"
        "108   21.1 %   State.tick         coded, with a model: about 2.2 bits each instead of 32.0\n"
        "101   19.9 %   State.tick         delta<2, 2>\n"
        " 21    4.1 %   Head.back          is always 2\n"
        " 10    2.0 %   Head.gap           is always 1\n"
        "  2    0.5 %   State.bodies[].y   a fresh model: about 3.9 bits each instead of 5.1\n",
        "");
}

int main(void)
{
    cli_begin("coded");
    return cli_end(run_all(set_up));
}
