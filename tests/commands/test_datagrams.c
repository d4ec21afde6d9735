/* test_datagrams.c - tests what commands do with packets that have parts with baselines: bytes, recordings, other versions.
 * SPDX-License-Identifier: MIT
 */
#include "commands/record.h"

#define WORLD "struct World @delta { u8 phase; u16 x coded; }\n"
#define BIRD "struct Bird @delta(predict) { int<0, 1000> at coded; }\n"
#define DOWN                                                                                         \
    "packet Down {\n"                                                                                \
    "    u16 number;\n"                                                                              \
    "    optional int<1, 31> back, bird_back;\n"                                                     \
    "    optional int<1, 8> gap;\n"                                                                  \
    "    u8 hits[<=3];\n"                                                                            \
    "    optional World world delta(number from number - back);\n"                                   \
    "    optional Bird bird delta(number from number - bird_back after number - bird_back - gap);\n" \
    "}\n"
#define TWO                                                       \
    "packet Two {\n"                                              \
    "    u8 number;\n"                                            \
    "    optional int<1, 7> back;\n"                              \
    "    World mine delta(number from number - back);\n"          \
    "    World yours delta(number + 1 from number + 1 - back);\n" \
    "}\n"
#define PARTS "protocol game = 1;\npacket Ping { u8 n; }\n" WORLD BIRD DOWN TWO

#define FIRST "{\"number\": 1, \"hits\": [7], \"world\": {\"phase\": 3, \"x\": 500}, \"bird\": {\"at\": 40}}"
#define SECOND \
    "{\"number\": 2, \"back\": 1, \"bird_back\": 1, \"world\": {\"phase\": 3, \"x\": 501}, \"bird\": {\"at\": 50}}"
#define THIRD                                                                                            \
    "{\"number\": 3, \"back\": 1, \"bird_back\": 1, \"gap\": 1, \"world\": {\"phase\": 4, \"x\": 501}, " \
    "\"bird\": {\"at\": 61}}"
#define FIRST_BASES "{\"world\": {\"phase\": 3, \"x\": 500}, \"bird\": {\"at\": 40}}"
#define SECOND_BASES "{\"world\": {\"phase\": 3, \"x\": 501}, \"bird\": {\"at\": 50}, \"bird_before\": {\"at\": 40}}"

static void prints(int status, const char *arguments, const char *out, const char *err)
{
    process_result result = process_run("%s %s", pktc, arguments);
    assert_string_equal(result.err, err);
    assert_string_equal(result.out, out);
    assert_int_equal(result.status, status);
    process_free(&result);
}

#define FIRST_BYTES "2f35b1ec0100e8e00712fd1b4a4cf7d301"
#define THIRD_BYTES "e1a46d4a030041102cc12931dd4f07"

/* ---- single packets */

static void write_files(void)
{
    file_write("game.pkt", PARTS);
    file_write("first", FIRST);
    file_write("third", THIRD);
    file_write("bases", SECOND_BASES);
}

/* The crc has the program's seed in it, and the hashes of the baselines that the packet names. These numbers were
 * computed from docs/wire.md by another program. */
static void test_bytes(void **state)
{
    (void)state;
    write_files();
    prints(0, "encode --hex game.pkt Down first", FIRST_BYTES "\n", "");
    prints(0, "encode --hex --seed 77 game.pkt Down first", "e09962730100e8e00712fd1b4a4cf7d301\n", "");
    prints(0, "encode --hex --base bases game.pkt Down third", THIRD_BYTES "\n", "");
    prints(0, "encode --hex --seed 77 --base bases game.pkt Down third", "f95d8929030041102cc12931dd4f07\n", "");
    prints(0, "encode --bits --base bases game.pkt Down third",
           "     bit   bits  raw                   field\n"
           "       0     32  1248699617            Down.crc\n"
           "      32     16  3                     Down.number\n"
           "      48      1  1                     Down.has_back\n"
           "      49      5  0                     Down.back = 1\n"
           "      54      1  1                     Down.has_bird_back\n"
           "      55      5  0                     Down.bird_back = 1\n"
           "      60      1  1                     Down.has_gap\n"
           "      61      3  0                     Down.gap = 1\n"
           "      64      2  0                     Down.hits_count\n"
           "      66      1  1                     Down.has_world\n"
           "      67      1  1                     Down.world.form = coded\n"
           "      68      2  2                     Down.world.changes = phase\n"
           "      70      8  4                     Down.world.phase\n"
           "      78      1  1                     Down.has_bird\n"
           "      79      1  1                     Down.bird.form = coded\n"
           "      80      1  1                     Down.bird.changes = at\n"
           "      81      4  4                     Down.bird.at = 61 (+1: symbol 1 of Bird.at 4)\n"
           "      85     32  981395849             Down.end check\n",
           "");
    run_shell("echo null >null");
    prints(0, "encode --hex --base null game.pkt Down first", FIRST_BYTES "\n", "");
    char *command = text_format("%s encode --base bases game.pkt Down third >third.bin", pktc);
    run_shell(command);
    free(command);
    prints(0, "decode --base bases game.pkt Down third.bin",
           "{\n"
           "    \"number\": 3,\n"
           "    \"back\": 1,\n"
           "    \"bird_back\": 1,\n"
           "    \"gap\": 1,\n"
           "    \"hits\": [],\n"
           "    \"world\": {\n"
           "        \"phase\": 4,\n"
           "        \"x\": 501\n"
           "    },\n"
           "    \"bird\": {\n"
           "        \"at\": 61\n"
           "    }\n"
           "}\n",
           "");
    prints(0, "decode --changes --base bases game.pkt Down third.bin",
           "{\n"
           "    \"number\": 3,\n"
           "    \"back\": 1,\n"
           "    \"bird_back\": 1,\n"
           "    \"gap\": 1,\n"
           "    \"hits\": [],\n"
           "    \"world delta\": {\n"
           "        \"phase\": 4\n"
           "    },\n"
           "    \"bird delta\": {\n"
           "        \"at\": 61\n"
           "    }\n"
           "}\n",
           "");
    /* The contents are those of the same values one after the other, so they can be read without the crc. */
    prints(0, "encode --hex --body --base bases game.pkt Down third", "030041102cc109\n", "");
}

/* With a start value: a packet without a baseline, one with it, and the second without the start value. Also computed by another
 * program from docs/wire.md. */
static void test_start_bytes(void **state)
{
#define START "{\"t\": 5, \"es\": {\"1\": {\"hp\": 7}, \"3\": {\"hp\": 9, \"xs\": [1, 2]}}}"
#define OLD "{\"t\": 6, \"es\": {\"1\": {\"hp\": 7}}}"
    (void)state;
    file_write("game.pkt", "protocol b = 1;\n"
                           "struct E { u8 id; u8 hp = 100; u8 xs[2]; }\n"
                           "struct W @delta { u8 t; E es[<=20] by id; }\n"
                           "packet P { u8 n; optional int<1,7> back; W w delta(n from n - back else start); }\n");
    file_write("first", "{\"n\": 1, \"w\": " START "}");
    file_write(
        "second",
        "{\"n\": 2, \"back\": 1, \"w\": {\"t\": 6, \"es\": {\"1\": {\"hp\": 7}, \"3\": {\"hp\": 9, \"xs\": [1, 4]}, "
        "\"4\": {\"hp\": 100}}}}");
    file_write("start", "{\"w_start\": " START "}");
    file_write("both", "{\"w_start\": " START ", \"w\": " OLD "}");
    file_write("old", "{\"w\": " OLD "}");
    prints(0, "encode --hex --base start game.pkt P first", "9f190a7701c053080b02\n", "");
    prints(0, "encode --hex --seed 77 --base both game.pkt P second", "7821cbaa02a1ba2c01780a6141\n", "");
    prints(0, "encode --hex --seed 77 --base old game.pkt P second", "6948481b02a1ba4e780001780a6141\n", "");
    run_shell("printf 9f190a7701c053080b02 >hex");
    prints(1, "decode --hex game.pkt P hex", "",
           "pktc: error: refused: P.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)\n");
}

#define ADVICE "      = help: --base FILE gives the baselines of the parts: "

/* The order: the size, the names, the baselines, the crc, the contents. */
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *input, *bases, *message;
    } cases[] = {
        {"000000", SECOND_BASES, "refused: Down.crc: data ends too early at bit 0 (end)\n"},
        {"00000000"
         "0300",
         SECOND_BASES, "refused: Down.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)\n"},
        /* back is 32, out of range */
        {"00000000"
         "03003f000000",
         SECOND_BASES, "refused: Down.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)\n"},
        {THIRD_BYTES, "{}", "refused: Down.world: its baseline, 2, is not given\n" ADVICE "{\"world\": {...}}\n"},
        {THIRD_BYTES, FIRST_BASES,
         "refused: Down.bird: what its baseline has moved from, 1, is not given\n" ADVICE "{\"bird_before\": {...}}\n"},
        {THIRD_BYTES, "{\"world\": {\"phase\": 3, \"x\": 502}, \"bird\": {\"at\": 50}, \"bird_before\": {\"at\": 40}}",
         "refused: Down.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)\n"},
        {THIRD_BYTES, "{\"world\": {\"phase\": 3, \"x\": 501}, \"bird\": {\"at\": 50}, \"bird_before\": {\"at\": 41}}",
         "refused: Down.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)\n"},
        {THIRD_BYTES, "{\"word\": {}}", "bases: Down_bases: Down_bases has no field 'word': did you mean 'world'?\n"},
        {THIRD_BYTES, "{\"world\": {\"y\": 1}}", "bases: Down_bases.world: World has no field 'y'\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_files();
        file_write("bases", cases[i].bases);
        file_write("input", cases[i].input);
        char *message = text_format("pktc: error: %s", cases[i].message);
        prints(1, "decode --hex --base bases game.pkt Down input", "", message);
        free(message);
    }
    prints(1, "encode game.pkt Down third", "",
           "pktc: error: cannot be written: Down.world: its baseline, 2, is not given\n" ADVICE "{\"world\": {...}}\n");
    prints(1, "decode --base bases --before bases --back 1 --gap 1 game.pkt Down input", "",
           "pktc: error: --before: all baselines of a packet with parts are in the file of --base\n");
    prints(1, "decode --base bases --back 1 game.pkt Down input", "",
           "pktc: error: --back: all baselines of a packet with parts are in the file of --base\n");
    prints(1, "decode game.pkt 'Ping, Down' input", "",
           "pktc: error: 'Down' has parts that are deltas, so it is sent by itself, in no stream\n");
}

/* ---- recordings */

static void add(record *r, uint8_t host, const char *options, const char *bases, const char *type, const char *json)
{
    char *all = text_format("%s --base bases", options);
    file_write("bases", bases);
    record_add(r, host, PKT_SENT, all, type, json);
    free(all);
}

#define WORLD_OF(phase, x) "{\"world\": {\"phase\": " #phase ", \"x\": " #x "}}"
#define TWO_OF(x, y) "\"mine\": {\"x\": " #x "}, \"yours\": {\"x\": " #y "}}"

/* seed: of all packets but one, which always has one. */
static void record_parts(const char *seed)
{
    file_write("game.pkt", PARTS);
    record r = record_open(0);
    add(&r, 2, seed, "null", "Down", FIRST);
    add(&r, 2, seed, FIRST_BASES, "Down", SECOND);
    add(&r, 2, seed, SECOND_BASES, "Down", THIRD);
    /* To another receiver, of which the baseline is not in the recording. */
    add(&r, 3, seed, FIRST_BASES, "Down", "{\"number\": 4, \"back\": 2, \"world\": {\"x\": 9}}");
    /* With a seed. */
    add(&r, 2, "--seed 77", WORLD_OF(4, 501), "Down", "{\"number\": 4, \"back\": 1, \"world\": {\"x\": 502}}");
    /* Two parts of the same type have numbers of their own, which wrap. */
    add(&r, 2, seed, "null", "Two", "{\"number\": 255, " TWO_OF(1, 2));
    add(&r, 2, seed, "{" TWO_OF(1, 2), "Two", "{\"number\": 0, \"back\": 1, " TWO_OF(3, 4));
    fclose(r.file);
}

static void test_decode(void **state)
{
    (void)state;
    record_parts("");
    shows(
        "game.pkt match.pcapng",
        "{0 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 1, \"back\": null, \"bird_back\": null, \"gap\": null, \"hits\": [7], \"world\": {\"phase\": 3, \"x\": 500}, \"bird\": {\"at\": 40}}}\n"
        "{1 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 2, \"back\": 1, \"bird_back\": 1, \"gap\": null, \"hits\": [], \"world\": {\"phase\": 3, \"x\": 501}, \"bird\": {\"at\": 50}}}\n"
        "{2 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 3, \"back\": 1, \"bird_back\": 1, \"gap\": 1, \"hits\": [], \"world\": {\"phase\": 4, \"x\": 501}, \"bird\": {\"at\": 61}}}\n"
        "{3 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"refused\": \"Down.world: its baseline, 2, is not in the recording\"}\n"
        "{4 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"value\": {\"number\": 4, \"back\": 1, \"bird_back\": null, \"gap\": null, \"hits\": [], \"world\": {\"phase\": 0, \"x\": 502}, \"bird\": null}}\n"
        "{5 \"direction\": \"sent\", \"type\": \"Two\", \"value\": {\"number\": 255, \"back\": null, \"mine\": {\"phase\": 0, \"x\": 1}, \"yours\": {\"phase\": 0, \"x\": 2}}}\n"
        "{6 \"direction\": \"sent\", \"type\": \"Two\", \"value\": {\"number\": 0, \"back\": 1, \"mine\": {\"phase\": 0, \"x\": 3}, \"yours\": {\"phase\": 0, \"x\": 4}}}\n");
    record_parts("--seed 77");
    shows(
        "--seed 77 game.pkt match.pcapng",
        "{0 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 1, \"back\": null, \"bird_back\": null, \"gap\": null, \"hits\": [7], \"world\": {\"phase\": 3, \"x\": 500}, \"bird\": {\"at\": 40}}}\n"
        "{1 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 2, \"back\": 1, \"bird_back\": 1, \"gap\": null, \"hits\": [], \"world\": {\"phase\": 3, \"x\": 501}, \"bird\": {\"at\": 50}}}\n"
        "{2 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 3, \"back\": 1, \"bird_back\": 1, \"gap\": 1, \"hits\": [], \"world\": {\"phase\": 4, \"x\": 501}, \"bird\": {\"at\": 61}}}\n"
        "{3 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"refused\": \"Down.world: its baseline, 2, is not in the recording\"}\n"
        "{4 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 4, \"back\": 1, \"bird_back\": null, \"gap\": null, \"hits\": [], \"world\": {\"phase\": 0, \"x\": 502}, \"bird\": null}}\n"
        "{5 \"direction\": \"sent\", \"type\": \"Two\", \"value\": {\"number\": 255, \"back\": null, \"mine\": {\"phase\": 0, \"x\": 1}, \"yours\": {\"phase\": 0, \"x\": 2}}}\n"
        "{6 \"direction\": \"sent\", \"type\": \"Two\", \"value\": {\"number\": 0, \"back\": 1, \"mine\": {\"phase\": 0, \"x\": 3}, \"yours\": {\"phase\": 0, \"x\": 4}}}\n");
}

/* --changes: of a part, what has changed since the baseline that the packet names. */
static void test_changes(void **state)
{
    (void)state;
    record_parts("");
    shows(
        "--changes game.pkt match.pcapng",
        "{0 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 1, \"back\": null, \"bird_back\": null, \"gap\": null, \"hits\": [7], \"world\": {\"phase\": 3, \"x\": 500}, \"bird\": {\"at\": 40}}}\n"
        "{1 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 2, \"back\": 1, \"bird_back\": 1, \"gap\": null, \"hits\": [], \"world delta\": {\"x\": 501}, \"bird delta\": {\"at\": 50}}}\n"
        "{2 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 3, \"back\": 1, \"bird_back\": 1, \"gap\": 1, \"hits\": [], \"world delta\": {\"phase\": 4}, \"bird delta\": {\"at\": 61}}}\n"
        "{3 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"refused\": \"Down.world: its baseline, 2, is not in the recording\"}\n"
        "{4 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"value\": {\"number\": 4, \"back\": 1, \"bird_back\": null, \"gap\": null, \"hits\": [], \"world delta\": {\"phase\": 0, \"x\": 502}, \"bird\": null}}\n"
        "{5 \"direction\": \"sent\", \"type\": \"Two\", \"value\": {\"number\": 255, \"back\": null, \"mine\": {\"phase\": 0, \"x\": 1}, \"yours\": {\"phase\": 0, \"x\": 2}}}\n"
        "{6 \"direction\": \"sent\", \"type\": \"Two\", \"value\": {\"number\": 0, \"back\": 1, \"mine delta\": {\"x\": 3}, \"yours delta\": {\"x\": 4}}}\n");
}

/* Number 0 is the first value of yours, and the second of mine. */
static void test_two_of_a_type(void **state)
{
    (void)state;
    file_write("game.pkt", PARTS);
    record r = record_open(0);
    add(&r, 2, "", "null", "Two", "{\"number\": 255, " TWO_OF(1, 2));
    add(&r, 2, "", "{" TWO_OF(1, 2), "Two", "{\"number\": 0, \"back\": 1, " TWO_OF(3, 4));
    add(&r, 2, "", "{" TWO_OF(1, 2), "Two", "{\"number\": 1, \"back\": 2, " TWO_OF(5, 6));
    fclose(r.file);
    shows(
        "game.pkt match.pcapng | tail -n 1",
        "{2 \"direction\": \"sent\", \"type\": \"Two\", \"value\": {\"number\": 1, \"back\": 2, \"mine\": {\"phase\": 0, "
        "\"x\": 5}, \"yours\": {\"phase\": 0, \"x\": 6}}}\n");
}

/* A number comes again, with values whose baselines are not in the recording: its old values are not those that later
 * packets mean. */
static void test_a_number_that_comes_again(void **state)
{
    static const char *const seeds[] = {"", "--seed 77 "};
    (void)state;
    for (int i = 0; i < 2; i++) {
        file_write("game.pkt", PARTS);
        record r = record_open(0);
        add(&r, 2, seeds[i], "null", "Two", "{\"number\": 6, " TWO_OF(1, 2));
        add(&r, 2, seeds[i], "{" TWO_OF(3, 4), "Two", "{\"number\": 6, \"back\": 2, " TWO_OF(5, 6));
        add(&r, 2, seeds[i], "{" TWO_OF(5, 6), "Two", "{\"number\": 7, \"back\": 1, " TWO_OF(5, 6));
        fclose(r.file);
        char *arguments = text_format("%sgame.pkt match.pcapng | tail -n 2", seeds[i]);
        shows(
            arguments,
            "{1 \"direction\": \"sent\", \"type\": \"Two\", \"crc\": \"unchecked\", \"refused\": \"Two.mine: its baseline, 4, is not in the recording\"}\n"
            "{2 \"direction\": \"sent\", \"type\": \"Two\", \"crc\": \"unchecked\", \"refused\": \"Two.mine: its baseline, 6, is not in the recording\"}\n");
        free(arguments);
    }
}

/* Items of parts count as those of deltas. */
static void test_report(void **state)
{
    (void)state;
    record_parts("");
    prints(
        0, "report game.pkt match.pcapng",
        "6 datagrams, 85 bytes in 0.0 s: 113333333.3 kbit/s\n"
        "1 more, of 15 bytes in all, could not be read: `pktc decode` says why.\n"
        "\n"
        "datagram   count   bytes: mean   95 %   most       kbit/s    share\n"
        "Down           4          15.2     17     17   81333333.3   71.8 %\n"
        "Two            2          12.0     12     12   32000000.0   28.2 %\n"
        "\n"
        "from and to                        count   bytes: mean        kbit/s     share\n"
        "10.0.0.1:40000 to 10.0.0.2:50000       6          14.2   113333333.3   100.0 %\n"
        "\n"
        "field                items   bits    share   bits each   entropy   of differences   seen\n"
        "Down.crc                 4    128   18.8 %        32.0\n"
        "Down.end check           4    128   18.8 %        32.0\n"
        "Down.number              4     64    9.4 %        16.0     >2.00             0.00   1 to 4, counting up\n"
        "Two.crc                  2     64    9.4 %        32.0\n"
        "Two.end check            2     64    9.4 %        32.0\n"
        "Down.world.phase         3     24    3.5 %         8.0     >1.58            >1.58   0 to 4\n"
        "Down.world.x             3     23    3.4 %         7.7     >1.58            >0.92   500 to 502, counting up\n"
        "Down.bird.at             3     21    3.1 %         7.0     >1.58            >1.58   40 to 61, counting up\n"
        "Two.number               2     16    2.4 %         8.0     >1.00             0.00   0 to 255\n"
        "Down.back                3     15    2.2 %         5.0      0.00             0.00   1\n"
        "Two.yours.x              2     12    1.8 %         6.0     >1.00             0.00   2 to 4, counting up\n"
        "Two.mine.x               2     11    1.6 %         5.5     >1.00            >1.00   1 to 3, counting up\n"
        "Down.bird_back           2     10    1.5 %         5.0      0.00             0.00   1\n"
        "Down.hits[]              1      8    1.2 %         8.0      0.00                    7\n"
        "Down.hits_count          4      8    1.2 %         2.0\n"
        "Down.world.changes       4      8    1.2 %         2.0\n"
        "Down.has_back            4      4    0.6 %         1.0\n"
        "Down.has_bird            4      4    0.6 %         1.0\n"
        "Down.has_bird_back       4      4    0.6 %         1.0\n"
        "Down.has_gap             4      4    0.6 %         1.0\n"
        "Down.has_world           4      4    0.6 %         1.0\n"
        "Down.world.form          4      4    0.6 %         1.0\n"
        "Two.mine.changes         2      4    0.6 %         2.0\n"
        "Two.yours.changes        2      4    0.6 %         2.0\n"
        "Down.bird.changes        3      3    0.4 %         1.0\n"
        "Down.bird.form           3      3    0.4 %         1.0\n"
        "Down.gap                 1      3    0.4 %         3.0      0.00                    1\n"
        "Two.back                 1      3    0.4 %         3.0      0.00                    1\n"
        "Two.has_back             2      2    0.3 %         1.0\n"
        "Two.mine.form            2      2    0.3 %         1.0\n"
        "Two.yours.form           2      2    0.3 %         1.0\n"
        "\n"
        "What each change by itself would have saved, in bytes and as a share of all. What a recording did not have, the next may:\n"
        "1   1.9 %   Down.world.phase   delta<2, 2>\n",
        "");
}

/* The number of a part wraps as its type in C does, so it can have no smaller range. */
static void test_advice(void **state)
{
    (void)state;
    file_write("game.pkt", PARTS);
    record r = record_open(0);
    for (unsigned i = 0; i < 16; i++) {
        char *json =
            text_format("{\"number\": %u, \"back\": null, \"hits\": [%u], \"world\": {}}", 300 + i, i * 7 % 16);
        record_add(&r, 2, PKT_SENT, "", "Down", json);
        free(json);
    }
    fclose(r.file);
    process_result result = run_for(0, "report game.pkt match.pcapng");
    assert_non_null(strstr(result.out, "   Down.hits[]   a range from 0 to 15, "));
    assert_null(strstr(result.out, "   Down.number   a range"));
    process_free(&result);
}

static void test_train(void **state)
{
    (void)state;
    record_parts("");
    prints(1, "train --check game.pkt match.pcapng",
           "6 datagrams, 85 bytes\n"
           "\n"
           "type    deltas   bytes now   with a fresh model    saved   recorded\n"
           "World        8          12                   10   18.1 %         12\n"
           "Bird         3           4                    3   14.8 %          4\n"
           "\n"
           "A model would save 17.4 % of these deltas, and 3.1 % of all bytes: train one.\n",
           "");
    prints(1, "train --check --back 1 game.pkt World match.pcapng",
           "6 datagrams, 85 bytes\n"
           "\n"
           "type    deltas   bytes now   with a fresh model   saved\n"
           "World        4           7                    6   9.6 %\n"
           "\n"
           "A model would save 9.6 % of these deltas, and 0.7 % of all bytes: train one.\n",
           "");
}

/* In the version now, the names have another width, and Bird does not predict. The baselines are those of the converted
 * packets. */
#define NOW                                                           \
    "protocol game = 1;\n"                                            \
    "struct World @delta { int<0, 500> x; u8 phase; u8 more = 5; }\n" \
    "struct Bird @delta { int<0, 1000> at; }\n"                       \
    "packet Down {\n"                                                 \
    "    u8 hits[<=3];\n"                                             \
    "    u32 tick was \"number\";\n"                                  \
    "    optional int<1, 63> back, bird_back;\n"                      \
    "    optional Bird bird delta(tick from tick - bird_back);\n"     \
    "    optional World world delta(tick from tick - back);\n"        \
    "}\n"

static void test_convert(void **state)
{
    (void)state;
    record_parts("");
    file_write("now.pkt", NOW);
    prints(1, "convert game.pkt now.pkt match.pcapng >new.pcapng", "",
           "pktc: warning: packet 2: Down.world.x: 501 became 500 (and 2 more like it)\n"
           "pktc: warning: packet 3: Down.gap: is lost\n"
           "pktc: warning: packet 4 is left out: Down.world: its baseline, 2, is not in the recording\n"
           "pktc: warning: packet 6 is left out: there is no packet 'Two' now (and 1 more like it)\n"
           "pktc: error: 3 of 7 datagrams are left out\n");
    shows(
        "now.pkt new.pcapng",
        "{0 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"hits\": [7], \"tick\": 1, \"back\": null, \"bird_back\": null, \"bird\": {\"at\": 40}, \"world\": {\"x\": 500, \"phase\": 3, \"more\": 5}}}\n"
        "{1 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"hits\": [], \"tick\": 2, \"back\": 1, \"bird_back\": 1, \"bird\": {\"at\": 50}, \"world\": {\"x\": 500, \"phase\": 3, \"more\": 5}}}\n"
        "{2 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"hits\": [], \"tick\": 3, \"back\": 1, \"bird_back\": 1, \"bird\": {\"at\": 61}, \"world\": {\"x\": 500, \"phase\": 4, \"more\": 5}}}\n"
        "{4 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"hits\": [], \"tick\": 4, \"back\": 1, \"bird_back\": null, \"bird\": null, \"world\": {\"x\": 500, \"phase\": 0, \"more\": 5}}}\n");
    /* The versions are told apart by their checksums, for which the baselines are needed. */
    process_result kept = run_for(0, "archive releases game.pkt");
    process_free(&kept);
    record_parts("--seed 77");
    prints(1, "convert --seed 77 releases now.pkt match.pcapng >again.pcapng", "",
           "pktc: warning: packet 2: Down.world.x: 501 became 500 (and 2 more like it)\n"
           "pktc: warning: packet 3: Down.gap: is lost\n"
           "pktc: warning: packet 4 is left out: only the crc says its version, and its seed is not known\n"
           "pktc: warning: packet 6 is left out: there is no packet 'Two' now (and 1 more like it)\n"
           "pktc: error: 3 of 7 datagrams are left out\n");
    shows(
        "--seed 77 now.pkt again.pcapng",
        "{0 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"hits\": [7], \"tick\": 1, \"back\": null, \"bird_back\": null, \"bird\": {\"at\": 40}, \"world\": {\"x\": 500, \"phase\": 3, \"more\": 5}}}\n"
        "{1 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"hits\": [], \"tick\": 2, \"back\": 1, \"bird_back\": 1, \"bird\": {\"at\": 50}, \"world\": {\"x\": 500, \"phase\": 3, \"more\": 5}}}\n"
        "{2 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"hits\": [], \"tick\": 3, \"back\": 1, \"bird_back\": 1, \"bird\": {\"at\": 61}, \"world\": {\"x\": 500, \"phase\": 4, \"more\": 5}}}\n"
        "{4 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"hits\": [], \"tick\": 4, \"back\": 1, \"bird_back\": null, \"bird\": null, \"world\": {\"x\": 500, \"phase\": 0, \"more\": 5}}}\n");
}

/* ---- start values */

#define STARTS                                                       \
    "protocol game = 1;\n"                                           \
    "struct Thing @delta { u8 id; u16 x coded; u8 hp = 100; }\n"     \
    "struct World @delta { u8 phase; Thing things[<=9] by id; }\n"   \
    "packet Down {\n"                                                \
    "    u8 number;\n"                                               \
    "    optional int<1, 7> back;\n"                                 \
    "    World world delta(number from number - back else start);\n" \
    "}\n"
#define START_VALUE "{\"phase\": 3, \"things\": {\"1\": {\"x\": 500, \"hp\": 9}, \"4\": {\"x\": 70, \"hp\": 8}}}"
#define LATER_VALUE "{\"phase\": 3, \"things\": {\"1\": {\"x\": 501, \"hp\": 9}}}"
#define LAST_VALUE                                                                                               \
    "{\"phase\": 3, \"things\": {\"1\": {\"x\": 501, \"hp\": 9}, \"4\": {\"x\": 70, \"hp\": 8}, \"5\": {\"x\": " \
    "0, \"hp\": 100}}}"

/* announced: the start value is in the recording, in a frame. */
static void record_starts(const char *seed, bool announced)
{
    char *frame = text_format("%s --frame Down.world_start", seed);
    file_write("game.pkt", STARTS);
    record r = record_open(0);
    if (announced)
        record_add(&r, 2, PKT_SENT, frame, "World", "[{\"World\": " START_VALUE "}]");
    add(&r, 2, seed, "{\"world_start\": " START_VALUE "}", "Down", "{\"number\": 1, \"world\": " START_VALUE "}");
    add(&r, 2, seed, "{\"world_start\": " START_VALUE ", \"world\": " START_VALUE "}", "Down",
        "{\"number\": 2, \"back\": 1, \"world\": " LATER_VALUE "}");
    add(&r, 2, seed, "{\"world_start\": " START_VALUE ", \"world\": " LATER_VALUE "}", "Down",
        "{\"number\": 3, \"back\": 1, \"world\": " LAST_VALUE "}");
    fclose(r.file);
    free(frame);
}

#define STARTED                                                                                                          \
    "{0 \"direction\": \"sent\", \"type\": \"Down.world_start\", \"values\": [{\"World\": " START_VALUE "}]}\n"          \
    "{1 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 1, \"back\": null, \"world\": " START_VALUE \
    "}}\n"                                                                                                               \
    "{2 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 2, \"back\": 1, \"world\": " LATER_VALUE    \
    "}}\n"                                                                                                               \
    "{3 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 3, \"back\": 1, \"world\": " LAST_VALUE     \
    "}}\n"
#define UNKNOWN(n)                                                                                                \
    "{" #n                                                                                                        \
    " \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"refused\": \"Down.world: its start " \
    "value is not in the recording\"}\n"

static void test_starts(void **state)
{
    (void)state;
    record_starts("", true);
    shows("game.pkt match.pcapng", STARTED);
    shows(
        "--changes game.pkt match.pcapng | tail -n 1",
        "{3 \"direction\": \"sent\", \"type\": \"Down\", \"value\": {\"number\": 3, \"back\": 1, \"world delta\": {\"things\": "
        "{\"4\": {\"x\": 70, \"hp\": 8}, \"5\": {\"x\": 0, \"hp\": 100}}}}}\n");
    prints(1, "train --check game.pkt match.pcapng",
           "4 datagrams, 51 bytes\n"
           "\n"
           "type    deltas   bytes now   with a fresh model   saved   recorded\n"
           "World        3           5                    5   7.7 %          5\n"
           "\n"
           "A model would save 7.7 % of these deltas, and 0.7 % of all bytes: train one.\n",
           "");
    record_starts("", false);
    shows("game.pkt match.pcapng", UNKNOWN(0) UNKNOWN(1) UNKNOWN(2));
    /* The seed is the session's. */
    record_starts("--seed 77", true);
    shows("--seed 77 game.pkt match.pcapng", STARTED);
    record_starts("--seed 77", false);
    shows("--seed 77 game.pkt match.pcapng", UNKNOWN(0) UNKNOWN(1) UNKNOWN(2));
}

/* The start value is converted like all values, and what is based on it. */
static void test_convert_starts(void **state)
{
    (void)state;
    record_starts("--seed 77", true);
    run_shell("sed 's/u8 phase;/u16 phase; u8 extra = 6;/; s/u8 hp = 100/u16 hp = 100/' game.pkt >now.pkt");
    prints(0, "convert --seed 77 game.pkt now.pkt match.pcapng >new.pcapng", "", "");
    process_result wanted =
                       process_run("%s decode --seed 77 game.pkt match.pcapng | sed 's/\"phase\": 3/&, \"extra\": 6/; "
                                   "s/\"size\": [0-9]*, //'",
                                   pktc),
                   now = process_run("%s decode --seed 77 now.pkt new.pcapng | sed 's/\"size\": [0-9]*, //'", pktc);
    assert_string_equal(now.err, "");
    assert_string_equal(now.out, wanted.out);
    process_free(&wanted);
    process_free(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_bytes, set_up),
        cmocka_unit_test_setup(test_refused, set_up),
        cmocka_unit_test_setup(test_start_bytes, set_up),
        cmocka_unit_test_setup(test_decode, set_up),
        cmocka_unit_test_setup(test_two_of_a_type, set_up),
        cmocka_unit_test_setup(test_a_number_that_comes_again, set_up),
        cmocka_unit_test_setup(test_report, set_up),
        cmocka_unit_test_setup(test_advice, set_up),
        cmocka_unit_test_setup(test_train, set_up),
        cmocka_unit_test_setup(test_convert, set_up),
        cmocka_unit_test_setup(test_changes, set_up),
        cmocka_unit_test_setup(test_starts, set_up),
        cmocka_unit_test_setup(test_convert_starts, set_up),
    };
    cli_begin("datagrams");
    return cli_end(cmocka_run_group_tests_name("datagrams", tests, NULL, NULL));
}
