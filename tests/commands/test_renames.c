/* test_renames.c - names that have changed since the newest release, and no `was` says so: --upgrade and --serve warn.
 * SPDX-License-Identifier: MIT
 */
#include "commands/cli.h"

#define STABLE "packet Hello @stable(0xa4ad3c9adc859909) { u8 release; }\n"

static const char old[] = "protocol game = 1;\n" STABLE "enum Team { red, green, blue }\n"
                          "packet Move { u8 x; }\n"
                          "packet Join { string<9> name; Team team; }\n"
                          "packet Talk @delta { u8 hp; bool up; }\n";
static const char new[] = "protocol game = 1;\n" STABLE "enum Team { red, lime else red, blue }\n"
                          "packet Step { u8 x; }\n"
                          "packet Join { string<9> nick; Team team; }\n"
                          "packet Talk @delta { u8 health; bool up; }\n";
static const char renamed[] = "protocol game = 1;\n" STABLE "enum Team { red, lime was \"green\", blue }\n"
                              "packet Step was \"Move\" { u8 x; }\n"
                              "packet Join { string<9> nick was \"name\"; Team team; }\n"
                              "packet Talk @delta { u8 health was \"hp\"; bool up; }\n";

static const char warnings[] = "game.pkt:3:18: warning: 'Team.lime' is not in release 1\n"
                               "    3 | enum Team { red, lime else red, blue }\n"
                               "      |                  ^~~~\n"
                               "      = help: if this is a new name for 'green', write `lime was \"green\"`\n"
                               "game.pkt:4:8: warning: 'Step' is not in release 1\n"
                               "    4 | packet Step { u8 x; }\n"
                               "      |        ^~~~\n"
                               "      = help: if this is a new name for 'Move', write `Step was \"Move\"`\n"
                               "game.pkt:5:25: warning: 'Join.nick' is not in release 1\n"
                               "    5 | packet Join { string<9> nick; Team team; }\n"
                               "      |                         ^~~~\n"
                               "      = help: if this is a new name for 'name', write `nick was \"name\"`\n"
                               "game.pkt:6:25: warning: 'Talk.health' is not in release 1\n"
                               "    6 | packet Talk @delta { u8 health; bool up; }\n"
                               "      |                         ^~~~~~\n"
                               "      = help: if this is a new name for 'hp', write `health was \"hp\"`\n";

static void warns(const char *arguments, const char *wanted)
{
    process_result made = process_run("%s --no-runtime -o out --upgrade=releases %s game.pkt", pktc, arguments);
    assert_string_equal(made.err, wanted);
    process_free(&made);
}

static void archive(void)
{
    process_result made = run_for(0, "archive releases game.pkt");
    process_free(&made);
}

TEST(test_renames)
{
    file_write("game.pkt", old);
    archive();
    warns("", "");
    file_write("game.pkt", new);
    warns("", warnings);
    warns("--serve=1", warnings);
    /* What pktc diff says of the same two. */
    process_result diff = process_run("%s diff --against=releases game.pkt", pktc);
    assert_contains(diff.out, "help: if this is a new name for 'name', write `nick was \"name\"`\n");
    process_free(&diff);
    file_write("game.pkt", renamed);
    warns("--serve=1", "");
    /* A released schema can no longer change: it is not warned of at each build. */
    file_write("game.pkt", new);
    archive();
    warns("--serve=1", "");
}

/* `else` and `@convert` would also end the errors, with the values lost: the warnings offer `was` before them. */
TEST(test_renames_with_errors)
{
    file_write("game.pkt", "protocol game = 1;\n" STABLE "enum Team { red, green, blue }\n"
                           "struct Shot { u8 power, angle; }\n"
                           "packet Join { Team team; Shot shot; }\n");
    archive();
    file_write("game.pkt", "protocol game = 1;\n" STABLE "enum Team { red, lime, blue }\n"
                           "struct Bullet { u8 power, angle; }\n"
                           "packet Join { Team team; Bullet shot; }\n");
    warns("--serve=1",
          "game.pkt:3:18: warning: 'Team.lime' is not in release 1\n"
          "    3 | enum Team { red, lime, blue }\n"
          "      |                  ^~~~\n"
          "      = help: if this is a new name for 'green', write `lime was \"green\"`\n"
          "game.pkt:3:18: error: 'Team.lime' cannot be served to release 1: it does not exist there\n"
          "    3 | enum Team { red, lime, blue }\n"
          "      |                  ^~~~\n"
          "      = help: `lime else red` says what it becomes\n"
          "game.pkt:4:8: warning: 'Bullet' is not in release 1\n"
          "    4 | struct Bullet { u8 power, angle; }\n"
          "      |        ^~~~~~\n"
          "      = help: if this is a new name for 'Shot', write `Bullet was \"Shot\"`\n"
          "game.pkt:5:33: error: 'Join.shot' does not convert from release 1: it was Shot, and is Bullet now\n"
          "    5 | packet Join { Team team; Bullet shot; }\n"
          "      |                                 ^~~~\n"
          "      = help: `@convert(1)` behind it leaves it to a function of the program; under another name it is new\n"
          "releases/game-001-d9ed24e71a462610.pkt:5:31: note: release 1 has it here\n"
          "    5 | packet Join { Team team; Shot shot; }\n"
          "      |                               ^~~~\n"
          "game.pkt:5:33: error: 'Join.shot' cannot be served to release 1: it has another kind of type there\n"
          "    5 | packet Join { Team team; Bullet shot; }\n"
          "      |                                 ^~~~\n"
          "      = help: `@convert(1)` leaves it to functions of the program, in both directions\n"
          "releases/game-001-d9ed24e71a462610.pkt:5:31: note: release 1 has it here\n"
          "    5 | packet Join { Team team; Shot shot; }\n"
          "      |                               ^~~~\n");
}

int main(void)
{
    cli_begin("renames");
    return cli_end(run_all(set_up));
}
