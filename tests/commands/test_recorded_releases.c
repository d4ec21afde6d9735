/* test_recorded_releases.c - tests recordings in which several releases of one protocol were spoken.
 * SPDX-License-Identifier: MIT
 */
#include "commands/record.h"

#define OLD                                                                     \
    "protocol game = 1;\n"                                                      \
    "packet Hello @stable(0x8ac6ca4d9a34e0ac) { u8 salt; }\n"                   \
    "packet Ping { u8 n; }\n"                                                   \
    "packet Move @seed { u8 x; u8 y; }\n"                                       \
    "struct Head { u16 sequence; optional int<1, 15> back; u8<0, 3> count; }\n" \
    "struct State @delta { u8 a; u8 b; }\n"                                     \
    "struct Shot { u8 by; }\n"                                                  \
    "struct Pair { u8 x; u8 y; }\n"                                             \
    "packet Down {\n"                                                           \
    "    u8 number;\n"                                                          \
    "    optional int<1, 7> back;\n"                                            \
    "    u8 spare;\n"                                                           \
    "    State state delta(number from number - back);\n"                       \
    "}\n"
/* Its values have the same bits as those of the older release, in another order. */
#define NEW                                                                        \
    "protocol game = 1;\n"                                                         \
    "packet Hello @stable(0x8ac6ca4d9a34e0ac) { u8 salt; }\n"                      \
    "packet Ping { u8 n; u8 m; }\n"                                                \
    "packet Move @seed { u8 y; u8 x; }\n"                                          \
    "struct Header was \"Head\" {\n"                                               \
    "    u16 number was \"sequence\"; optional int<1, 15> back; u8<0, 3> count;\n" \
    "}\n"                                                                          \
    "struct State @delta { u8 b; u8 a; }\n"                                        \
    "struct Hit was \"Shot\" { u8 by; }\n"                                         \
    "struct Pair { u8 y; u8 x; }\n"                                                \
    "struct Score { u8 points; }\n"                                                \
    "packet Down {\n"                                                              \
    "    u8 number;\n"                                                             \
    "    u8 spare;\n"                                                              \
    "    optional int<1, 7> back;\n"                                               \
    "    State state delta(number from number - back);\n"                          \
    "}\n"

static const char *const old_text[] = {OLD, NULL};
static const char *const new_text[] = {NEW, NULL};

#define OLD_LIST "Head, State delta(Head.sequence from Head.sequence - Head.back), Shot[Head.count]"
#define NEW_LIST "Header, State delta(Header.number from Header.number - Header.back), Hit[Header.count]"
#define OLD_UPDATE "--stream 'Update=" OLD_LIST "' "
#define NEW_UPDATE "--stream 'Update=" NEW_LIST "' "

static record record_releases(void)
{
    static const char *const *const texts[] = {new_text, old_text};
    file_write("old.pkt", OLD);
    file_write("new.pkt", NEW);
    return record_open_with(texts, 2);
}

/* A value of one release, from 10.0.0.1 to 10.0.0.HOST. base: JSON of the baseline of its delta; NULL: it has none. */
static void add_of(record *r, const char *release, uint8_t host, const char *options, const char *base,
                   const char *type, const char *json)
{
    char *all = text_format("%s %s", base ? "--base base.json" : "", options);
    file_write("game.pkt", release);
    file_write("base.json", base ? base : "");
    record_add(r, host, PKT_SENT, all, type, json);
    free(all);
}

static void add_plain(record *r, const char *release, uint8_t host, const char *type, const char *json)
{
    file_write("game.pkt", release);
    record_add(r, host, PKT_RECEIVED, "", type, json);
}

#define IN_OLD "Head, State delta, Shot*"
#define IN_NEW "Header, State delta, Hit*"

static void add_updates(record *r, const char *options)
{
    add_of(r, OLD, 2, options, "null", IN_OLD,
           "[{\"Head\": {\"sequence\": 1, \"count\": 1}}, {\"State\": {\"a\": 5}}, {\"Shot\": {\"by\": 4}}]");
    add_of(r, NEW, 3, options, "null", IN_NEW,
           "[{\"Header\": {\"number\": 1, \"count\": 1}}, {\"State\": {\"a\": 6}}, {\"Hit\": {\"by\": 3}}]");
    add_of(r, OLD, 2, options, "{\"a\": 5}", IN_OLD,
           "[{\"Head\": {\"sequence\": 2, \"back\": 1}}, {\"State\": {\"a\": 5, \"b\": 1}}]");
    add_of(r, NEW, 3, options, "{\"a\": 6}", IN_NEW,
           "[{\"Header\": {\"number\": 2, \"back\": 1}}, {\"State\": {\"a\": 6, \"b\": 2}}]");
}

#define UPDATE(index, crc, values) \
    "{" #index " \"direction\": \"sent\", \"type\": \"Update\", " crc "\"values\": [" values "]}\n"
#define UPDATES(i, j, k, l, crc)                                                                                  \
    UPDATE(i, crc,                                                                                                \
           "{\"Head\": {\"sequence\": 1, \"back\": null, \"count\": 1}}, {\"State\": {\"a\": 5, \"b\": 0}}, "     \
           "{\"Shot\": {\"by\": 4}}")                                                                             \
    UPDATE(j, crc,                                                                                                \
           "{\"Header\": {\"number\": 1, \"back\": null, \"count\": 1}}, {\"State\": {\"b\": 0, \"a\": 6}}, "     \
           "{\"Hit\": {\"by\": 3}}")                                                                              \
    UPDATE(k, crc, "{\"Head\": {\"sequence\": 2, \"back\": 1, \"count\": 0}}, {\"State\": {\"a\": 5, \"b\": 1}}") \
    UPDATE(l, crc, "{\"Header\": {\"number\": 2, \"back\": 1, \"count\": 0}}, {\"State\": {\"b\": 2, \"a\": 6}}")

/* A list in the names of any release is that of all of them, wherever the schemas come from. */
TEST(test_one_list)
{
    static const char *const lists[] = {OLD_UPDATE, NEW_UPDATE};
    static const char *const schemas[] = {"", "old.pkt new.pkt ", "new.pkt old.pkt "};
    record r = record_releases();
    add_updates(&r, "--frame Update --seed 77");
    fclose(r.file);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 3; k++) {
            char *arguments = text_format("--seed 77 %s%smatch.pcapng", lists[i], schemas[k]);
            shows(arguments, UPDATES(0, 1, 2, 3, ""));
            free(arguments);
        }
}

/* If no release has all names of a list, the error is that of the first with its first type. */
TEST(test_list_of_none)
{
    record r = record_releases();
    fclose(r.file);
    fails_saying("pktc: error: there is no struct, packet or union 'Soul'\n",
                 "decode --stream 'F=Head, Soul' new.pkt old.pkt match.pcapng");
    fails_saying("pktc: error: there is no struct, packet or union 'Haed'\n      = help: did you mean 'Head'?\n",
                 "decode --stream F=Haed old.pkt new.pkt match.pcapng");
}

/* A frame of a release that lacks a type of the list is known, but cannot be read. */
TEST(test_release_without_list)
{
    record r = record_releases();
    add_of(&r, NEW, 3, "--frame Points --seed 77", NULL, "Score", "[{\"Score\": {\"points\": 8}}]");
    add_of(&r, OLD, 2, "--frame Points --seed 77", NULL, "Head, Pair", "[{\"Head\": {}}, {\"Pair\": {}}]");
    fclose(r.file);
    shows("--seed 77 --stream Points=Score match.pcapng",
          "{0 \"direction\": \"sent\", \"type\": \"Points\", \"values\": [{\"Score\": {\"points\": 8}}]}\n"
          "{1 \"direction\": \"sent\", \"type\": \"Points\", \"refused\": \"its version has no 'Score'\"}\n");
}

/* The packets of a name are a stream only in the releases that have the stream. */
TEST(test_release_with_whole_packets)
{
    static const char whole[] = "protocol game = 1;\npacket World { u8 a; }\n";
    static const char delta[] = "protocol game = 1;\npacket World @delta { u8 a; u8 b; }\n";
    static const char *const whole_text[] = {whole, NULL}, *const delta_text[] = {delta, NULL};
    static const char *const *const texts[] = {whole_text, delta_text};
    record r = record_open_with(texts, 2);
    add_of(&r, whole, 2, "", NULL, "World", "{\"a\": 1}");
    add_of(&r, delta, 3, "", "null", "World", "{\"a\": 2}");
    add_of(&r, delta, 3, "", "{\"a\": 2}", "World", "{\"a\": 2, \"b\": 3}");
    fclose(r.file);
    shows("--stream 'World=World delta(last)' match.pcapng",
          "{0 \"direction\": \"sent\", \"type\": \"World\", \"value\": {\"a\": 1}}\n"
          "{1 \"direction\": \"sent\", \"type\": \"World\", \"values\": [{\"World\": {\"a\": 2, \"b\": 0}}]}\n"
          "{2 \"direction\": \"sent\", \"type\": \"World\", \"values\": [{\"World\": {\"a\": 2, \"b\": 3}}]}\n");
}

#define HEAD "protocol game = 1;\nstruct Head { u16 number; optional int<1, 15> back; }\n"
#define PLAIN HEAD "struct Bird @delta { int<0, 1000> at coded; }\n"
#define FLYING HEAD "struct Bird @delta(predict) { int<0, 1000> at coded; }\n"

/* A list with `after` is in the names of a release that predicts the type, also if another one comes first. */
TEST(test_predicted_in_one)
{
    static const char *const plain_text[] = {PLAIN, NULL}, *const flying_text[] = {FLYING, NULL};
    static const char *const *const texts[] = {plain_text, flying_text};
    record r = record_open_with(texts, 2);
    add_of(&r, PLAIN, 2, "--frame Fly", "null", "Head, Bird delta",
           "[{\"Head\": {\"number\": 9}}, {\"Bird\": {\"at\": 5}}]");
    add_of(&r, PLAIN, 2, "--frame Fly", "{\"at\": 5}", "Head, Bird delta",
           "[{\"Head\": {\"number\": 10, \"back\": 1}}, {\"Bird\": {\"at\": 6}}]");
    fclose(r.file);
    shows(
        "--stream 'Fly=Head, Bird delta(Head.number from Head.number - Head.back after Head.number - 2)' match.pcapng",
        "{0 \"direction\": \"sent\", \"type\": \"Fly\", \"values\": [{\"Head\": {\"number\": 9, \"back\": null}}, "
        "{\"Bird\": {\"at\": 5}}]}\n"
        "{1 \"direction\": \"sent\", \"type\": \"Fly\", \"values\": [{\"Head\": {\"number\": 10, \"back\": 1}}, "
        "{\"Bird\": {\"at\": 6}}]}\n");
}

/* A list is seen if a frame of any release came. */
TEST(test_counts)
{
    record r = record_releases();
    add_of(&r, OLD, 2, "--frame Update --seed 77", "null", IN_OLD, "[{\"Head\": {}}, {\"State\": {}}]");
    add_of(&r, NEW, 3, "--frame Update --seed 78", "null", IN_NEW, "[{\"Header\": {}}, {\"State\": {}}]");
    fclose(r.file);
    static const char *const commands[] = {"decode", "report"};
    for (size_t i = 0; i < 2; i++) {
        char *arguments = text_format("%s --seed 77 " NEW_UPDATE "match.pcapng", commands[i]);
        process_result result = run_for(0, arguments);
        assert_string_equal(result.err, "");
        process_free(&result);
        free(arguments);
    }
    process_result result = run_for(0, "decode --seed 77 " NEW_UPDATE "--stream Points=Pair match.pcapng");
    assert_string_equal(result.err, "pktc: warning: 1 of 2 datagrams are no packet of this protocol\n"
                                    "      = help: none is a frame 'Points' with this seed\n");
    process_free(&result);
}

#define SHOWN(index, way, type, rest) "{" #index " \"direction\": \"" way "\", \"type\": \"" type "\", " rest "}\n"
#define PING_OLD(index) SHOWN(index, "received", "Ping", "\"value\": {\"n\": 1}")
#define PING_NEW(index) SHOWN(index, "received", "Ping", "\"value\": {\"n\": 1, \"m\": 2}")
#define MOVE(index, values) SHOWN(index, "sent", "Move", "\"crc\": \"unchecked\", \"value\": {" values "}")
#define DOWN(index, values) SHOWN(index, "sent", "Down", "\"crc\": \"unchecked\", \"value\": {" values "}")

/* The bytes of these have a meaning in both releases. Only what two ends have sent before tells which one it is. */
TEST(test_spoken)
{
    static const char *const lists[] = {OLD_UPDATE, NEW_UPDATE};
    static const char *const schemas[] = {"old.pkt new.pkt ", "new.pkt old.pkt "};
    record r = record_releases();
    add_plain(&r, OLD, 2, "Ping", "{\"n\": 1}");
    add_plain(&r, NEW, 3, "Ping", "{\"n\": 1, \"m\": 2}");
    add_plain(&r, OLD, 3, "Hello", "{\"salt\": 5}"); /* it is the same in all releases */
    add_of(&r, OLD, 2, "--seed 77", NULL, "Move", "{\"x\": 1, \"y\": 2}");
    add_of(&r, NEW, 3, "--seed 77", NULL, "Move", "{\"x\": 3, \"y\": 4}");
    add_of(&r, OLD, 2, "--seed 77", NULL, "Down", "{\"number\": 6, \"spare\": 8, \"state\": {\"a\": 1}}");
    fclose(r.file);
    for (size_t i = 0; i < 4; i++) {
        char *arguments = text_format("%s%smatch.pcapng | sed 1,3d", lists[i / 2], schemas[i % 2]);
        shows(arguments, MOVE(3, "\"x\": 1, \"y\": 2") MOVE(4, "\"y\": 4, \"x\": 3")
                             DOWN(5, "\"number\": 6, \"back\": null, \"spare\": 8, \"state\": {\"a\": 1, \"b\": 0}"));
        free(arguments);
    }
}

TEST(test_spoken_frames)
{
    static const char *const schemas[] = {"old.pkt new.pkt ", "new.pkt old.pkt "};
    record r = record_releases();
    add_plain(&r, OLD, 2, "Ping", "{\"n\": 1}");
    add_plain(&r, NEW, 3, "Ping", "{\"n\": 1, \"m\": 2}");
    add_updates(&r, "--frame Update --seed 77");
    fclose(r.file);
    for (size_t i = 0; i < 2; i++) {
        char *arguments = text_format(OLD_UPDATE "%smatch.pcapng", schemas[i]);
        shows(arguments, PING_OLD(0) PING_NEW(1) UPDATES(2, 3, 4, 5, "\"crc\": \"unchecked\", "));
        free(arguments);
    }
}

#define BARE(index, values) SHOWN(index, "sent", "", "\"values\": [{\"Pair\": {" values "}}]")

/* The same for streams without a frame; and a client that was updated. */
TEST(test_spoken_bare)
{
    record r = record_releases();
    add_plain(&r, OLD, 2, "Ping", "{\"n\": 1}");
    add_of(&r, OLD, 2, "", NULL, "Pair, Pair", "[{\"Pair\": {\"x\": 1, \"y\": 2}}, {\"Pair\": {}}]");
    add_plain(&r, NEW, 2, "Ping", "{\"n\": 1, \"m\": 2}");
    add_of(&r, NEW, 2, "", NULL, "Pair, Pair", "[{\"Pair\": {\"x\": 1, \"y\": 2}}, {\"Pair\": {}}]");
    fclose(r.file);
    shows("--stream 'Pair, Pair' match.pcapng | sed 's/, {.Pair[^}]*}}\\]/]/'",
          PING_OLD(0) BARE(1, "\"x\": 1, \"y\": 2") PING_NEW(2) BARE(3, "\"y\": 2, \"x\": 1"));
}

/* With a wrong seed, the packet could be one of the other release that names an unknown baseline. It is none of its own
 * release, because the crc is wrong there. */
TEST(test_spoken_of_wrong_seed)
{
    static const char *const schemas[] = {"old.pkt new.pkt ", "new.pkt old.pkt "};
    record r = record_releases();
    add_plain(&r, OLD, 2, "Ping", "{\"n\": 1}");
    add_of(&r, OLD, 2, "--seed 77", NULL, "Down", "{\"number\": 6, \"spare\": 255}");
    add_of(&r, OLD, 3, "--seed 77", NULL, "Down", "{\"number\": 6, \"spare\": 255}");
    fclose(r.file);
    for (size_t i = 0; i < 2; i++) {
        char *arguments = text_format("--seed 78 %smatch.pcapng", schemas[i]);
        shows(
            arguments,
            PING_OLD(0) "{1 \"direction\": \"sent\", \"type\": null, \"refused\": \"damaged, or of another protocol, seed or baseline\"}\n" SHOWN(
                2, "sent", "Down",
                "\"crc\": \"unchecked\", \"refused\": \"Down.state: its baseline, 1, is not in the recording\""));
        free(arguments);
    }
}

int main(void)
{
    cli_begin("recorded_releases");
    return cli_end(run_all(set_up));
}
