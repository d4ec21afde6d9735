/* test_upgrade.c - tests --upgrade and pktc convert as commands: which version is which, and what they refuse.
 * SPDX-License-Identifier: MIT
 *
 * tests/upgrade tests what becomes of values.
 */
#include "process.h"
#define OWN_MAIN
#include "unit.h"

#include <string.h>

static char *scratch(const char *name)
{
    return text_format("%s/upgrade/%s", setting("SCRATCH"), name);
}

static process_result run(const char *arguments)
{
    char *directory = scratch("");
    process_result made =
        process_run("pktc=$(realpath %s) && cd '%s' && $pktc %s", setting("PKTC_SANITIZED"), directory, arguments);
    free(directory);
    return made;
}

/* What `pktc archive` says of the first release. */
#define UNSTABLE(protocol)                                                      \
    "pktc: warning: no packet of '" protocol                                    \
    "' is @stable: servers of later releases cannot read what its clients say " \
    "first\n"                                                                   \
    "      = help: docs/versions.md has an example\n"

static void expect(const char *arguments, int status, const char *out, const char *err)
{
    process_result made = run(arguments);
    if (made.status != status || strcmp(made.out, out) != 0 || strcmp(made.err, err) != 0)
        fail_msg("pktc %s: status %d, expected %d\n%s%sexpected:\n%s%s", arguments, made.status, status, made.out,
                 made.err, out, err);
    process_free(&made);
}

static void write_schema(const char *name, const char *text)
{
    char *path = scratch(name);
    file_write(path, text);
    free(path);
}

static const char first[] = "protocol game = 1;\n"
                            "enum Team { red, blue }\n"
                            "struct Place { u8 x; }\n"
                            "packet Join { u8 team; Place at; Team side; }\n"
                            "packet Talk { string<9> text; }\n"
                            "union Event { Place place; }\n"
                            "packet Log { Event events[<=3]; }\n";

static int set_up(void **state)
{
    (void)state;
    char *directory = scratch("");
    process_result made = process_run("rm -rf '%s' && mkdir -p '%s'", directory, directory);
    int failed = made.status;
    process_free(&made);
    free(directory);
    write_schema("first.pkt", first);
    expect("archive old first.pkt", 0, "old/game-001-16f9a6a7d334df10.pkt\n", UNSTABLE("game"));
    return failed;
}

/* The line of the header that says which version is now. */
static void expect_version(const char *schema, const char *line)
{
    char *arguments =
        text_format("--no-runtime --upgrade old -o out %s && grep \"PROTOCOL_VERSION \" out/*_upgrade.h", schema);
    expect(arguments, 0, line, "");
    free(arguments);
}

TEST(test_versions)
{
    expect_version("first.pkt", "#define game_PROTOCOL_VERSION 1\n");
    write_schema("second.pkt", "protocol game = 2;\npacket Join { u8 team; }\n");
    expect("--prune --no-runtime --upgrade old -o out second.pkt", 0, "", "");
    expect_version("second.pkt", "#define game_PROTOCOL_VERSION 2\n");
    expect("archive old second.pkt && rm -r out", 0, "old/game-002-8a4a8e40691ee80e.pkt\n", "");
    /* An older version reads newer packets too. */
    expect_version("first.pkt", "#define game_PROTOCOL_VERSION 1\n");
    expect("--no-runtime --upgrade old -o out first.pkt && grep -c game_v2_Join_read out/first_upgrade.h", 0, "1\n",
           "");
    expect("--upgrade old --depfile=- --no-runtime -o out first.pkt | grep -c old/game-002", 0, "2\n", "");
    expect("--check --no-runtime --upgrade old -o out first.pkt", 0, "", "");
    expect("--version >/dev/null && rm -r out old/game-002-*", 0, "", "");
}

/* A library of types has no versions. A protocol without releases has only the version now. */
TEST(test_without_releases)
{
    write_schema("library.pkt", "struct Place { u8 x; }\n");
    write_schema("other.pkt", "protocol other = 1;\npacket Ping { u8 x; }\n");
    expect("--no-runtime --upgrade old -o none library.pkt other.pkt && ls none", 0,
           "library.c\nlibrary.h\nlibrary_codec.h\nother.c\nother.h\nother_codec.h\nother_upgrade.c\nother_upgrade.h\n",
           "");
    expect("--upgrade missing -o none other.pkt", 1, "",
           "pktc: error: there is no directory 'missing'\n"
           "      = help: `pktc archive missing other.pkt` makes it, and keeps the first release there\n");
}

static void refuse(const char *text, const char *err)
{
    write_schema("now.pkt", text);
    expect("--upgrade old -o none now.pkt", 1, "", err);
}

TEST(test_refusals)
{
    refuse(
        "protocol game = 1;\n"
        "packet Join { string<3> team; }\n",
        "now.pkt:2:25: error: 'Join.team' does not convert from release 1: it was u8, and is string<3> now\n"
        "    2 | packet Join { string<3> team; }\n"
        "      |                         ^~~~\n"
        "      = help: `@convert(1)` behind it leaves it to a function of the program; under another name it is new\n"
        "old/game-001-16f9a6a7d334df10.pkt:4:18: note: release 1 has it here\n"
        "    4 | packet Join { u8 team; Place at; Team side; }\n"
        "      |                  ^~~~\n");
    refuse(
        "protocol game = 1;\n"
        "struct Place { u8 x; }\n"
        "struct Spot { u8 x; }\n"
        "union Event { Spot place; }\n"
        "packet Log { Event events[<=3]; }\n",
        "now.pkt:4:20: error: 'Event.place' does not convert from release 1: it was Place, and is Spot now\n"
        "    4 | union Event { Spot place; }\n"
        "      |                    ^~~~~\n"
        "      = help: `@convert(1)` of 'Event' leaves it to a function of the program; under another name it is new\n"
        "old/game-001-16f9a6a7d334df10.pkt:6:21: note: release 1 has it here\n"
        "    6 | union Event { Place place; }\n"
        "      |                     ^~~~~\n");
    refuse(
        "protocol game = 1;\n"
        "packet Bye { u8 x; }\n"
        "packet union Talk { Bye bye; }\n",
        "now.pkt:3:14: error: 'Talk' does not convert from release 1: it was a packet, and is a packet union now\n"
        "    3 | packet union Talk { Bye bye; }\n"
        "      |              ^~~~\n"
        "      = help: `@convert(1)` of 'Talk' leaves it to a function of the program; under another name it is new\n"
        "old/game-001-16f9a6a7d334df10.pkt:5:8: note: release 1 has it here\n"
        "    5 | packet Talk { string<9> text; }\n"
        "      |        ^~~~\n");
}

/* What two releases have alike is refused once, as the last one has it: its @convert is for both. */
TEST(test_refused_once)
{
    write_schema("second.pkt", "protocol game = 2;\npacket Join { u8 team; }\n");
    expect("archive old second.pkt", 0, "old/game-002-8a4a8e40691ee80e.pkt\n", "");
    refuse(
        "protocol game = 3;\n"
        "packet Join { string<3> team; }\n",
        "now.pkt:2:25: error: 'Join.team' does not convert from release 2: it was u8, and is string<3> now\n"
        "    2 | packet Join { string<3> team; }\n"
        "      |                         ^~~~\n"
        "      = help: `@convert(2)` behind it leaves it to a function of the program; under another name it is new\n"
        "old/game-002-8a4a8e40691ee80e.pkt:2:18: note: release 2 has it here\n"
        "    2 | packet Join { u8 team; }\n"
        "      |                  ^~~~\n");
    expect("--version >/dev/null && rm old/game-002-*", 0, "", "");
}

/* With @convert the same is generated, and declares functions for the program. */
TEST(test_hooks)
{
    write_schema("now.pkt", "protocol game = 1;\n"
                            "struct Place { u8 x; }\n"
                            "struct Spot { u8 x; }\n"
                            "union Event @convert(1) { Spot place; }\n"
                            "packet Join { string<3> team @convert(1); i8 x @convert(1); }\n"
                            "packet Bye { u8 x; }\n"
                            "packet union Talk @convert(1) { Bye bye; }\n"
                            "packet Log { Event events[<=3]; }\n");
    expect("--no-runtime --upgrade old -o hooks now.pkt && grep -h 'program defines' hooks/*.h", 0,
           "void Join_team_from_v1(Join *v_, const game_v1_Join *old_); /* the program defines it */\n"
           "void Join_x_from_v1(Join *v_, const game_v1_Join *old_); /* the program defines it */\n"
           "bool Talk_from_v1(Talk *v_, const game_v1_Talk *old_); /* the program defines it */\n"
           "bool Event_from_v1(Event *v_, const game_v1_Event *old_); /* the program defines it */\n",
           "");
    /* What no packet has may stay as it is: there is no conversion then. */
    write_schema("now.pkt", "protocol game = 1;\nstruct Place { string<3> x; }\npacket Ping { u8 x; }\n");
    expect("--no-runtime --upgrade old -o hooks now.pkt && grep -h Place_from hooks/*.h", 1, "", "");
}

TEST(test_names)
{
    refuse("protocol game = 1;\n"
           "struct Join_from_v1 { u8 x; }\n"
           "packet Join { u8 team; }\n"
           "enum Place { from, from_v12 }\n"
           "const v1_Join = 3;\n"
           "const v1 = 3;\n",
           "now.pkt:2:8: error: with --upgrade, 'Join_from_v1' could be a name of an older version: names like "
           "game_v1_... and ..._from_v1 are kept for those\n"
           "    2 | struct Join_from_v1 { u8 x; }\n"
           "      |        ^~~~~~~~~~~~\n"
           "now.pkt:4:20: error: with --upgrade, 'Place_from_v12' could be a name of an older version: names like "
           "game_v1_... and ..._from_v1 are kept for those\n"
           "    4 | enum Place { from, from_v12 }\n"
           "      |                    ^~~~~~~~\n"
           "now.pkt:5:7: error: with --upgrade, 'game_v1_Join' could be a name of an older version: names like "
           "game_v1_... and ..._from_v1 are kept for those\n"
           "    5 | const v1_Join = 3;\n"
           "      |       ^~~~~~~\n");
}

/* ---- pktc convert */

TEST(test_convert)
{
    write_schema("now.pkt", "protocol game = 1;\n"
                            "enum Team { blue, red }\n"
                            "struct Place { u8 x; }\n"
                            "packet Join { u8<0, 100> team; Team side; u16 more = 9; }\n"
                            "packet Talk { string<4> text; }\n");
    write_schema("join.json", "{\"team\": 200, \"at\": {\"x\": 3}, \"side\": \"blue\"}");
    expect("encode --hex first.pkt Join join.json >join.hex", 0, "", "");
    expect("convert --hex old now.pkt Join join.hex >now.hex", 0, "",
           "pktc: warning: Join.team: 200 became 100\n"
           "pktc: warning: Join.at: is lost\n");
    expect("decode --hex now.pkt Join now.hex", 0,
           "{\n    \"team\": 100,\n    \"side\": \"blue\",\n    \"more\": 9\n}\n", "");
    /* From a schema, and of the version now. */
    expect("convert --hex first.pkt now.pkt Join join.hex 2>/dev/null | cmp - now.hex", 0, "", "");
    expect("convert --hex old now.pkt Join now.hex | cmp - now.hex", 0, "", "");
    expect("convert --hex old now.pkt Talk now.hex", 1, "",
           "pktc: error: refused: damaged, or a 'Talk' of no release in the folder\n");
    expect("convert --hex first.pkt now.pkt Talk now.hex", 1, "",
           "pktc: error: refused: Talk.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)\n");
    expect("convert --hex old now.pkt Place now.hex", 1, "",
           "pktc: error: 'Place' has no checksum, because it is no packet\n"
           "      = help: give the schema of its version instead of a folder\n");
    write_schema("place.hex", "07");
    expect("convert --hex first.pkt now.pkt Place place.hex", 0, "07\n", "");
    expect("convert --hex now.pkt first.pkt Log now.hex", 1, "", "pktc: error: the older schema has no 'Log'\n");
    expect("convert --hex old now.pkt Joi now.hex", 1, "",
           "pktc: error: there is no struct, packet or union 'Joi'\n      = help: did you mean 'Join'?\n");
    expect("convert --hex old now.pkt 'Join, Talk' now.hex", 1, "",
           "pktc: error: convert takes the name of one type\n");
}

/* A value whose side is not taken any more, and one that was not there, are lost too. */
TEST(test_losses_of_sides)
{
    write_schema("more.pkt", "protocol losses = 1;\npacket P { bool b; u8 a; optional u8 o; optional u8 still; }\n");
    write_schema("now.pkt", "protocol losses = 1;\npacket P { bool b; if (b) { u8 a; } u8 o; optional u8 still; }\n");
    write_schema("lost.json", "{\"b\": false, \"a\": 11}");
    write_schema("kept.json", "{\"b\": true, \"a\": 11, \"o\": 3}");
    write_schema("base.json", "{\"b\": false, \"a\": 0, \"o\": 3}");
    expect("encode --hex more.pkt P lost.json | $pktc convert --hex more.pkt now.pkt P >all.hex", 0, "",
           "pktc: warning: P.o: is absent, and has its initial value now\n"
           "pktc: warning: P.a: is lost: it is on a side that is not taken now\n");
    expect("encode --hex more.pkt P kept.json | $pktc convert --hex more.pkt now.pkt P >all.hex", 0, "", "");
    expect("encode --hex more.pkt P base.json | $pktc convert --hex more.pkt now.pkt P >all.hex", 0, "", "");
}

/* Where rounding moves a value, that is said. Where only arithmetic does, it is not. */
TEST(test_losses_of_rounding)
{
    write_schema("more.pkt", "protocol losses = 1;\n"
                             "packet P {\n"
                             "    float a, b, c, d; double e, f; fixed<4, 4, -8, 7> g, h; i16 i; u64 j;\n"
                             "    float<-10, 10, 0.01> k, l; float<0, 360, 1> m wrap; quat<9> n, o; unit<9> q;\n"
                             "    float none, much; double far_off, farther;\n"
                             "}\n");
    write_schema("now.pkt", "protocol losses = 1;\n"
                            "packet P {\n"
                            "    float<-10, 10, 0.5> a, b; half c, d; float e; u8 f; fixed<6, 2, -8, 7> g, h;\n"
                            "    float<-8, 8, 2> i; float j;\n"
                            "    float<-20, 20, 0.01> k; float<-10, 10, 0.1> l; float<0, 360, 10.0> m wrap;\n"
                            "    quat<7> n, o; unit<7> q; u8 none; half much; float far_off; half farther;\n"
                            "}\n");
    write_schema(
        "rounded.json",
        "{\"a\": 1.5, \"b\": 1.3, \"c\": 0.25, \"d\": 2049, \"e\": 0.1, \"f\": 7.6, \"g\": 4, \"h\": 7, \"i\": 3,\n"
        "\"j\": \"9223372036854775809\", \"k\": -3.69, \"l\": 1.23, \"m\": 357, \"n\": [0, 0, 0, 1],\n"
        "\"o\": [0.3, 0.1, 0.2, 0.9], \"q\": [0.6, 0, 0.8], \"none\": \"0x7fc00000\", \"much\": \"inf\",\n"
        "\"far_off\": -1e300, \"farther\": 1e300}");
    expect("encode --hex more.pkt P rounded.json | $pktc convert --hex more.pkt now.pkt P >all.hex", 0, "",
           "pktc: warning: P.none: nan became 0\n"
           "pktc: warning: P.far_off: -1e+300 became -3.40282347e+38\n"
           "pktc: warning: P.farther: 1e+300 became inf\n"
           "pktc: warning: P.b: 1.29999995 became 1.5 (and 9 more values moved by less than a step)\n");
}

/* Each kind of value says what it loses, and nothing if it loses nothing. */
TEST(test_losses)
{
    write_schema("more.pkt", "protocol losses = 1;\n"
                             "enum Team { blue, red, green }\n"
                             "flags Keys { fire, jump }\n"
                             "struct Thing { u8 n; }\n"
                             "packet All {\n"
                             "    u16 number, exact; float real; Team team; Keys keys; string<8> name; bytes<4> data;\n"
                             "    ref<Thing, 500> here, there;\n"
                             "    u8 grid[2][3]; u8 some[<=4]; u8 list[<=5];\n"
                             "    sparse u8 few[<=4 of 9]; sparse u8 less[<=3 of 9]; u8 all[4];\n"
                             "    u8<0, 9> n; u8 first[n + 1], last[<=4];\n"
                             "}\n");
    write_schema("now.pkt",
                 "protocol losses = 1;\n"
                 "enum Team { blue, red }\n"
                 "flags Keys { fire }\n"
                 "struct Thing { u8 n; }\n"
                 "packet All {\n"
                 "    u16<0, 100> number, exact; float<-1, 1, 0.5> real; Team team; Keys keys; string<3> name;\n"
                 "    bytes<1> data; ref<Thing, 300> here, there;\n"
                 "    u8 grid[2][2]; u8 some[2]; u8 list[<=2];\n"
                 "    u8 few[<=3]; sparse u8 less[<=2 of 5]; sparse u8 all[<=2 of 4];\n"
                 "    u8<0, 9> n; u8 first[n], last[n % 2 + 1];\n"
                 "}\n");
    write_schema(
        "all.json",
        "{\"number\": 101, \"exact\": 100, \"real\": -1.25, \"team\": \"green\", \"keys\": [\"fire\", \"jump\"],\n"
        "\"name\": \"ab\xc3\xa9\xc3\xa9\", \"data\": \"01020304\", \"here\": 300, \"there\": 301,\n"
        "\"grid\": [[1, 2, 3], [4, 5, 6]], \"some\": [1, 2, 3], \"list\": [1, 2, 3, 4],\n"
        "\"few\": [[0, 1], [2, 7], [3, 2], [8, 3]], \"less\": [[1, 1], [4, 3], [5, 2]], \"all\": [1, 2, 3, 4],\n"
        "\"n\": 2, \"first\": [1, 2, 3], \"last\": [7, 8, 9]}");
    expect("encode --hex more.pkt All all.json | $pktc convert --hex more.pkt now.pkt All >all.hex", 0, "",
           "pktc: warning: All.number: 101 became 100\n"
           "pktc: warning: All.real: -1.25 became -1\n"
           "pktc: warning: All.team: green became blue\n"
           "pktc: warning: All.keys: jump is lost\n"
           "pktc: warning: All.name: 4 of 6 bytes are lost\n"
           "pktc: warning: All.data: 3 of 4 bytes are lost\n"
           "pktc: warning: All.there: the id is lost\n"
           "pktc: warning: All.grid: 2 of 6 elements are lost\n"
           "pktc: warning: All.some: 1 of 3 elements are lost\n"
           "pktc: warning: All.list: 2 of 4 elements are lost\n"
           "pktc: warning: All.few: 2 of 4 elements are lost\n"
           "pktc: warning: All.less: 1 of 3 elements are lost\n"
           "pktc: warning: All.all: 2 of 4 elements are lost\n"
           "pktc: warning: All.first: 1 of 3 elements are lost\n"
           "pktc: warning: All.last: 2 of 3 elements are lost\n");
    expect("decode --hex now.pkt All all.hex", 0,
           "{\n"
           "    \"number\": 100,\n"
           "    \"exact\": 100,\n"
           "    \"real\": -1.0,\n"
           "    \"team\": \"blue\",\n"
           "    \"keys\": [\"fire\"],\n"
           "    \"name\": \"ab\",\n"
           "    \"data\": \"01\",\n"
           "    \"here\": 300,\n"
           "    \"there\": null,\n"
           "    \"grid\": [[1, 2], [4, 5]],\n"
           "    \"some\": [1, 2],\n"
           "    \"list\": [1, 2],\n"
           "    \"few\": [1, 0, 7],\n"
           "    \"less\": [[1, 1], [4, 3]],\n"
           "    \"all\": [[0, 1], [1, 2]],\n"
           "    \"n\": 2,\n"
           "    \"first\": [1, 2],\n"
           "    \"last\": [7]\n"
           "}\n",
           "");
}

static const char served[] =
    "protocol serve = 1;\n"
    "enum Team { red, blue }\n"
    "struct Hit { u8 who; }\n"
    "union Event { Hit hit; }\n"
    "struct World @delta { u8 things[8] @fit; }\n"
    "packet State { u8<0, 100> health; string<5> name; Team team; Event events[<=4]; u8 slots[<=4]; }\n"
    "packet Down { u16 number; optional int<1, 31> back; World world delta(number from number - back) @fit; }\n";

static void refuse_serving(const char *text, const char *err)
{
    write_schema("now.pkt", text);
    expect("--upgrade served --serve 1 -o none now.pkt", 1, "", err);
}

/* A client is answered in the form of its own release, which may have had no @answers. */
TEST(test_serving_answers)
{
    write_schema("serve.pkt", "protocol serve = 1;\npacket Hello { u8 a; }\npacket Refused { u8 a[4]; }\n");
    expect("archive answered serve.pkt && rm -rf none", 0, "answered/serve-001-7f63154f04e519a5.pkt\n",
           UNSTABLE("serve"));
    write_schema("now.pkt", "protocol serve = 1;\npacket Hello { u8 a; reserved<64>; }\n"
                            "packet Refused @answers(Hello) { u8 a[4]; }\n");
    expect(
        "--upgrade answered --serve 1 -o none now.pkt", 1, "",
        "now.pkt:3:8: error: 'Refused' cannot be served to release 1: it can take 12 bytes there, and 'Hello', which it "
        "answers, as few as 9\n"
        "    3 | packet Refused @answers(Hello) { u8 a[4]; }\n"
        "      |        ^~~~~~~\n"
        "answered/serve-001-7f63154f04e519a5.pkt:2:8: note: release 1 has it here\n"
        "    2 | packet Hello { u8 a; }\n"
        "      |        ^~~~~\n");
}

/* What an older release cannot hold has a rule in the schema, or is refused with the line to write. */
TEST(test_serving_refuses)
{
    write_schema("serve.pkt", served);
    expect("archive served serve.pkt && rm -rf none", 0, "served/serve-001-12f6c60e28f893a2.pkt\n", "");
    /* A narrower range, a longer text, another member, and more elements. */
    refuse_serving(
        "protocol serve = 1;\n"
        "enum Team { red, blue, green }\n"
        "struct Hit { u8 who; }\n"
        "struct Flag { bool taken; }\n"
        "union Event { Hit hit; Flag flag; }\n"
        "packet State { u8<0, 200> health; string<9> name; Team team; Event events[<=4]; u8 slots[<=9]; }\n",
        "now.pkt:2:24: error: 'Team.green' cannot be served to release 1: it does not exist there\n"
        "    2 | enum Team { red, blue, green }\n"
        "      |                        ^~~~~\n"
        "      = help: `green else red` says what it becomes\n"
        "now.pkt:5:29: error: 'Event.flag' cannot be served to release 1: it does not exist there\n"
        "    5 | union Event { Hit hit; Flag flag; }\n"
        "      |                             ^~~~\n"
        "      = help: `flag else hit` says what it becomes\n"
        "now.pkt:6:27: error: 'State.health' cannot be served to release 1: it holds less there: it was int<0, 100>\n"
        "    6 | packet State { u8<0, 200> health; string<9> name; Team team; Event events[<=4]; u8 slots[<=9]; }\n"
        "      |                           ^~~~~~\n"
        "      = help: `@lossy(1)` after it allows this for release 1 and older ones\n"
        "served/serve-001-12f6c60e28f893a2.pkt:6:27: note: release 1 has it here\n"
        "    6 | packet State { u8<0, 100> health; string<5> name; Team team; Event events[<=4]; u8 slots[<=4]; }\n"
        "      |                           ^~~~~~\n"
        "now.pkt:6:45: error: 'State.name' cannot be served to release 1: it holds less there: it was string<5>\n"
        "    6 | packet State { u8<0, 200> health; string<9> name; Team team; Event events[<=4]; u8 slots[<=9]; }\n"
        "      |                                             ^~~~\n"
        "      = help: `@lossy(1)` after it allows this for release 1 and older ones\n"
        "served/serve-001-12f6c60e28f893a2.pkt:6:45: note: release 1 has it here\n"
        "    6 | packet State { u8<0, 100> health; string<5> name; Team team; Event events[<=4]; u8 slots[<=4]; }\n"
        "      |                                             ^~~~\n"
        "now.pkt:6:84: error: 'State.slots' cannot be served to release 1: it holds other elements there: it was u8[<=4]\n"
        "    6 | packet State { u8<0, 200> health; string<9> name; Team team; Event events[<=4]; u8 slots[<=9]; }\n"
        "      |                                                                                    ^~~~~\n"
        "served/serve-001-12f6c60e28f893a2.pkt:6:84: note: release 1 has it here\n"
        "    6 | packet State { u8<0, 100> health; string<5> name; Team team; Event events[<=4]; u8 slots[<=4]; }\n"
        "      |                                                                                    ^~~~~\n");
    /* The names of a baseline are the same numbers in all releases. */
    refuse_serving(
        "protocol serve = 1;\n"
        "struct World @delta { u8 things[8] @fit; }\n"
        "packet Down { u16 number; optional int<1, 63> back; World world delta(number from number - back) @fit; }\n",
        "now.pkt:3:47: error: 'Down.back' cannot be served to release 1: it holds less there: it was optional int<1, 31>\n"
        "    3 | packet Down { u16 number; optional int<1, 63> back; World world delta(number from number - back) @fit; }\n"
        "      |                                               ^~~~\n"
        "      = help: `@lossy(1)` after it allows this for release 1 and older ones\n"
        "served/serve-001-12f6c60e28f893a2.pkt:7:47: note: release 1 has it here\n"
        "    7 | packet Down { u16 number; optional int<1, 31> back; World world delta(number from number - back) @fit; }\n"
        "      |                                               ^~~~\n"
        "now.pkt:3:59: error: 'Down.world' cannot be served to release 1: it names its baselines by other fields, or by fields of other types, there\n"
        "    3 | packet Down { u16 number; optional int<1, 63> back; World world delta(number from number - back) @fit; }\n"
        "      |                                                           ^~~~~\n"
        "served/serve-001-12f6c60e28f893a2.pkt:7:59: note: release 1 has it here\n"
        "    7 | packet Down { u16 number; optional int<1, 31> back; World world delta(number from number - back) @fit; }\n"
        "      |                                                           ^~~~~\n");
    refuse_serving(
        "protocol serve = 1;\n"
        "enum Team { red, blue else green, green else blue, grey else black }\n"
        "packet State { Team team; }\n"
        "packet Seen @lossy { u8 x @lossy; local u8 y @lossy(1); }\n",
        "now.pkt:2:28: error: by its 'else', 'blue' becomes itself\n"
        "    2 | enum Team { red, blue else green, green else blue, grey else black }\n"
        "      |                            ^~~~~\n"
        "now.pkt:2:62: error: 'Team' has no member 'black'\n"
        "    2 | enum Team { red, blue else green, green else blue, grey else black }\n"
        "      |                                                              ^~~~~\n"
        "now.pkt:4:13: error: '@lossy' is only for fields and enums\n"
        "    4 | packet Seen @lossy { u8 x @lossy; local u8 y @lossy(1); }\n"
        "      |             ^~~~~~\n"
        "now.pkt:4:27: error: '@lossy' needs the number of the last release that may lose something, as in `@lossy(3)`\n"
        "    4 | packet Seen @lossy { u8 x @lossy; local u8 y @lossy(1); }\n"
        "      |                           ^~~~~~\n"
        "now.pkt:4:46: error: '@lossy' is for fields that are sent, but 'y' is local\n"
        "    4 | packet Seen @lossy { u8 x @lossy; local u8 y @lossy(1); }\n"
        "      |                                              ^~~~~~~~~\n");
    /* With rules, all of it is served. What only clients send needs none. */
    write_schema(
        "now.pkt",
        "protocol serve = 1;\n"
        "enum Team { red, blue, green else red }\n"
        "struct Hit { u8 who; }\n"
        "struct Flag { bool taken; }\n"
        "union Event { Hit hit; Flag flag else hit; }\n"
        "packet State { u8<0, 200> health @lossy(1); string<9> name @lossy(1); Team team; Event events[<=4]; }\n"
        "struct World @delta { u8 things[8] @fit; }\n"
        "packet Down @received { u16 number; optional int<1, 63> back; World world delta(number from number - back) @fit; }\n");
    expect("--no-runtime --upgrade served --serve 1 -o none now.pkt && ls none && rm -r none", 0,
           "now.c\nnow.h\nnow_codec.h\nnow_serve.c\nnow_serve.h\nnow_upgrade.c\nnow_upgrade.h\nnow_v1.c\nnow_v1.h\n"
           "now_v1_codec.h\n",
           "");
    refuse_serving(
        "protocol serve = 1;\n"
        "packet State @seed { u8<0, 100> health; }\n"
        "packet Down { u16 number; optional int<1, 31> back; }\n",
        "now.pkt:2:8: error: 'State' cannot be served to release 1: it has a seed in one of the two releases alone\n"
        "    2 | packet State @seed { u8<0, 100> health; }\n"
        "      |        ^~~~~\n"
        "      = help: with another name it is a new packet, which that release is not sent\n"
        "now.pkt:3:8: error: 'Down' cannot be served to release 1: it has parts in one of the two releases alone\n"
        "    3 | packet Down { u16 number; optional int<1, 31> back; }\n"
        "      |        ^~~~\n"
        "      = help: with another name it is a new packet, which that release is not sent\n");
    refuse_serving(
        "protocol serve = 1;\n"
        "struct Wind @delta { u8 x; }\n"
        "packet Down { u16 number; optional int<1, 31> back; Wind wind delta(number from number - back); }\n",
        "now.pkt:3:8: error: 'Down' cannot be served to release 1: it lacks the part 'world' of that release\n"
        "    3 | packet Down { u16 number; optional int<1, 31> back; Wind wind delta(number from number - back); }\n"
        "      |        ^~~~\n"
        "      = help: a part that is kept and `optional` can be absent\n");
    refuse_serving(
        "protocol serve = 1;\n"
        "struct Air @delta { u8 x; }\n"
        "packet Down { u16 number; optional int<1, 31> back; Air world delta(number from number - back) @convert(1); }\n",
        "now.pkt:3:57: error: 'Down.world' cannot be served to release 1: it is a part, which only functions of its type convert\n"
        "    3 | packet Down { u16 number; optional int<1, 31> back; Air world delta(number from number - back) @convert(1); }\n"
        "      |                                                         ^~~~~\n"
        "      = help: with another name 'Down' is a new packet, which that release is not sent\n"
        "served/serve-001-12f6c60e28f893a2.pkt:7:59: note: release 1 has it here\n"
        "    7 | packet Down { u16 number; optional int<1, 31> back; World world delta(number from number - back) @fit; }\n"
        "      |                                                           ^~~~~\n");
    refuse_serving(
        "protocol serve = 1;\n"
        "struct World @delta { u8 things[8]; u8 wind; }\n"
        "packet Down { u16 number; optional int<1, 31> back; World world delta(number from number - back) @convert(1); }\n",
        "now.pkt:3:59: error: 'Down.world' cannot be served to release 1: it is a part, which only functions of its type convert\n"
        "    3 | packet Down { u16 number; optional int<1, 31> back; World world delta(number from number - back) @convert(1); }\n"
        "      |                                                           ^~~~~\n"
        "      = help: `@convert(1)` of 'World' leaves it to them\n"
        "served/serve-001-12f6c60e28f893a2.pkt:7:59: note: release 1 has it here\n"
        "    7 | packet Down { u16 number; optional int<1, 31> back; World world delta(number from number - back) @fit; }\n"
        "      |                                                           ^~~~~\n");
    refuse_serving("protocol serve = 1;\n"
                   "struct State_served { u8 x; }\n"
                   "packet State { State_served x; }\n"
                   "enum World { peer, pack_for }\n",
                   "now.pkt:2:8: warning: 'State_served' is not in release 1\n"
                   "    2 | struct State_served { u8 x; }\n"
                   "      |        ^~~~~~~~~~~~\n"
                   "      = help: if this is a new name for 'Hit', write `State_served was \"Hit\"`\n"
                   "now.pkt:2:8: error: with --serve, 'State_served' is a name that 'State' needs\n"
                   "    2 | struct State_served { u8 x; }\n"
                   "      |        ^~~~~~~~~~~~\n");
    expect("--serve 1 -o none now.pkt", 2, "", "pktc: --serve needs --upgrade; try 'pktc --help'\n");
    expect("--upgrade served --serve 0 -o none now.pkt", 2, "",
           "pktc: --serve takes a number from 1 to 99, not '0'; try 'pktc --help'\n");
    expect(
        "--serve served -o none now.pkt", 2, "",
        "pktc: --serve takes a number from 1 to 99, not 'served': a directory is for --upgrade; try 'pktc --help'\n");
}

/* What a function of the program makes of a field decides neither how many elements there are, nor what the baseline is. */
TEST(test_serving_refuses_converted_numbers)
{
    write_schema("count.pkt",
                 "protocol count = 1;\n"
                 "struct World @delta { u8 wind; }\n"
                 "packet List { u8 n; u32 xs[n + 1]; }\n"
                 "packet Down { u16 number; optional u8<1, 9> back; World world delta(number from number - back); }\n");
    expect("archive counted count.pkt", 0, "counted/count-001-2e5c002f196fe7e9.pkt\n", "");
    write_schema(
        "now.pkt",
        "protocol count = 1;\n"
        "struct World @delta { u8 wind; }\n"
        "packet List { u8 n @convert(1); u32 xs[n + 1]; u8 more; }\n"
        "packet Down { u16 number @convert(1); optional u8<1, 9> back; World world delta(number from number - back); }\n");
    expect(
        "--upgrade counted --serve 1 -o none now.pkt", 1, "",
        "now.pkt:3:37: error: 'List.xs' cannot be served to release 1: it has a count of a field that the program "
        "converts\n"
        "    3 | packet List { u8 n @convert(1); u32 xs[n + 1]; u8 more; }\n"
        "      |                                     ^~\n"
        "counted/count-001-2e5c002f196fe7e9.pkt:3:25: note: release 1 has it here\n"
        "    3 | packet List { u8 n; u32 xs[n + 1]; }\n"
        "      |                         ^~\n"
        "now.pkt:4:69: error: 'Down.world' cannot be served to release 1: it names its baselines by a field that the "
        "program converts\n"
        "    4 | packet Down { u16 number @convert(1); optional u8<1, 9> back; World world delta(number from number - back); }\n"
        "      |                                                                     ^~~~~\n"
        "counted/count-001-2e5c002f196fe7e9.pkt:4:57: note: release 1 has it here\n"
        "    4 | packet Down { u16 number; optional u8<1, 9> back; World world delta(number from number - back); }\n"
        "      |                                                         ^~~~~\n");
}

/* Counterexamples of a server that keeps one world and one ring for all releases. Those with baselines, steps, base values
 * and unions are sound here (tests/upgrade/served); clamped names, cut arrays, orders and refs are refused. */
TEST(test_serving_counterexamples)
{
    write_schema(
        "ce.pkt",
        "protocol ce = 1;\n"
        "struct Player { u8 x; }\n"
        "struct World @delta { u8 x; }\n"
        "packet Order { u32 first; u32 last after first; ref<Player, 255> who; }\n"
        "packet Down { u16 number; optional int<1, 31> back; World world delta(number from number - back); }\n");
    expect("archive served ce.pkt && rm -rf none", 0, "served/ce-001-c374fecde7123107.pkt\n", "");
    refuse_serving(
        "protocol ce = 1;\n"
        "struct Player { u8 x; }\n"
        "struct World @delta { u8 x; }\n"
        "packet Order { u32 first; u32 last; ref<Player, 4095> who @lossy(1); }\n"
        "packet Down { u16 number; optional int<1, 31> back; World world delta(number from number - back - 1); }\n",
        "now.pkt:4:31: error: 'Order.last' cannot be served to release 1: it is always greater than 'first' there\n"
        "    4 | packet Order { u32 first; u32 last; ref<Player, 4095> who @lossy(1); }\n"
        "      |                               ^~~~\n"
        "served/ce-001-c374fecde7123107.pkt:4:31: note: release 1 has it here\n"
        "    4 | packet Order { u32 first; u32 last after first; ref<Player, 255> who; }\n"
        "      |                               ^~~~\n"
        "now.pkt:4:55: error: 'Order.who' cannot be served to release 1: it holds less there: it was ref<Player, 255>\n"
        "    4 | packet Order { u32 first; u32 last; ref<Player, 4095> who @lossy(1); }\n"
        "      |                                                       ^~~\n"
        "served/ce-001-c374fecde7123107.pkt:4:66: note: release 1 has it here\n"
        "    4 | packet Order { u32 first; u32 last after first; ref<Player, 255> who; }\n"
        "      |                                                                  ^~~\n"
        "now.pkt:5:59: error: 'Down.world' cannot be served to release 1: it names its baselines by other fields, or by fields of other types, there\n"
        "    5 | packet Down { u16 number; optional int<1, 31> back; World world delta(number from number - back - 1); }\n"
        "      |                                                           ^~~~~\n"
        "served/ce-001-c374fecde7123107.pkt:5:59: note: release 1 has it here\n"
        "    5 | packet Down { u16 number; optional int<1, 31> back; World world delta(number from number - back); }\n"
        "      |                                                           ^~~~~\n");
}

TEST(test_convert_refuses)
{
    write_schema("now.pkt", "protocol game = 1;\n"
                            "struct Spot { u8 x; }\n"
                            "union Event { Spot spot; }\n"
                            "packet Log { Event events[1]; }\n"
                            "packet Join { string<3> team; }\n");
    expect("convert --hex first.pkt now.pkt Join join.hex", 1, "",
           "now.pkt:5:25: error: 'Join.team' does not convert from the older schema: it was u8, and is string<3> now\n"
           "    5 | packet Join { string<3> team; }\n"
           "      |                         ^~~~\n"
           "first.pkt:4:18: note: the older schema has it here\n"
           "    4 | packet Join { u8 team; Place at; Team side; }\n"
           "      |                  ^~~~\n");
    write_schema("now.pkt", "protocol game = 1;\n"
                            "struct Spot { u8 x; }\n"
                            "union Event { Spot spot; }\n"
                            "packet union Any { Talk talk; }\n"
                            "packet Talk { u8 x @convert(1), text @convert(1); }\n");
    write_schema("talk.json", "{\"text\": \"hi\"}");
    expect("encode --hex first.pkt Talk talk.json | $pktc convert --hex old now.pkt Talk >talk.hex", 0, "",
           "pktc: warning: Talk.text: a program has a function that converts it (@convert), pktc has not\n");
}

TEST(test_completion)
{
    expect("complete -- convert ''", 0, ":pkt\n:directory\n", "");
    expect("complete -- convert old ''", 0, ":pkt\n:recording\n", "");
    expect("complete -- convert old first.pkt ''", 0,
           "Place\tstruct\nJoin\tpacket\nTalk\tpacket\nEvent\tunion\nLog\tpacket\n:recording\n", "");
    expect("complete -- convert old first.pkt Join ''", 0, ":file\n", "");
    expect("complete -- --upgrade ''", 0, ":directory\n", "");
}

int main(void)
{
    return set_up(NULL) != 0 || run_all(NULL);
}
