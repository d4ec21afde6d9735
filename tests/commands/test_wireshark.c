/* test_wireshark.c - tests what `pktc wireshark` prints, and its errors; tests/dissect runs it.
 * SPDX-License-Identifier: MIT
 *
 * dissected.lua has the Lua of tests/commands/dissected.pkt, without the files of compiler/workshops/dissect between them.
 * `test_wireshark --refresh` rewrites it.
 */
#include "cli.h"

#define DIRECTORY "tests/commands"

static char *schema_path, *expected_path;

/* What is printed, without the files that are the same for every schema. Each of these begins with its name. */
static char *printed_lines(void)
{
    char *arguments =
        text_format("wireshark --port 7777 --seed 0x100000002 --stream 'Update=Header, State delta, Event*' --stream "
                    "'Turn=Header, State delta(Header.number from Header.number - Header.back), State "
                    "delta(previous)[1 + bits(Header.number)]' --stream 'Header, Event' '%s'",
                    schema_path);
    process_result result = run_for(0, arguments);
    assert_string_equal(result.err, "");
    char *schema = strstr(result.out, "\n-- ---- the schema\n"),
         *packets = strstr(result.out, "\n-- ---- the packets\n");
    char *end = strstr(result.out, "\n-- packets.lua - ");
    assert_true(schema && packets && end);
    char *head = strstr(result.out, "\n-- bits.lua - ");
    char *lines = text_format("%.*s%.*s%s", (int)(head - result.out), result.out, (int)(end - schema), schema, packets);
    free(arguments);
    process_free(&result);
    return lines;
}

TEST(test_lines)
{
    char *lines = printed_lines(), *expected = file_read(expected_path);
    assert_non_null(expected);
    assert_string_equal(lines, expected);
    free(expected);
    free(lines);
}

/* How many local variables the chunk of a dissector has: those of the lines that begin with `local`. */
static int locals_of(const char *lua)
{
    int count = 0;
    for (const char *at = strstr(lua, "\nlocal "); at; at = strstr(at + 1, "\nlocal ")) {
        count++;
        for (const char *name = at + 1; strncmp(at, "\nlocal function ", 16) != 0 && !strchr("=-\n", *name); name++)
            count += *name == ',';
    }
    return count;
}

/* Lua has at most 200 in a function, and does not load a dissector that has more. There is room for some that are added. */
TEST(test_locals)
{
    process_result result = run_for(0, "wireshark small.pkt");
    const int count = locals_of(result.out);
    assert_true(count > 100);
    assert_true(count <= 180);
    process_free(&result);
}

static void assert_refused(const char *arguments, const char *message)
{
    fails_saying(message, arguments);
}

TEST(test_errors)
{
    file_write("types.pkt", TYPES);
    assert_refused("wireshark types.pkt", "pktc: error: 'types.pkt' declares no protocol, so it has no packets\n");
    assert_refused("wireshark --stream 'Up=Pong' small.pkt",
                   "pktc: error: there is no struct, packet or union 'Pong'\n      = help: did you mean 'Ping'?\n");
    file_write("listed.pkt", "protocol listed = 1; struct Ship { u8 id; } packet Fleet { Ship ships[<=4] by id; }");
    assert_refused("wireshark --stream Ship* listed.pkt",
                   "pktc: error: 'Ship' is the struct of a list, which sends its key "
                   "'id', so it cannot be sent alone\n");
    assert_refused("wireshark --stream 'Up=Ping;' small.pkt",
                   "pktc: error: 'Ping;' is not a list of types: expected ',' or the end, found ';'\n"
                   "      = help: a list looks like 'Header, State delta, Event*'\n");
    assert_refused("wireshark --stream =Ping small.pkt", "pktc: error: '=Ping' has no name for its frame\n"
                                                         "      = help: without a frame, write 'Ping'\n");
    assert_refused("wireshark --stream 'Ping delta' small.pkt",
                   "pktc: error: 'Ping' cannot be sent as a delta, because it is not @delta\n");
    assert_refused("wireshark --stream Up=Ping --stream Up=Ping small.pkt",
                   "pktc: error: there are two streams in frames of the name 'Up'\n");
    assert_refused("wireshark --seed 1 small.pkt",
                   "pktc: error: --seed needs --stream, or a packet with parts or @seed\n");
    assert_refused("wireshark --stream Ping --stream Ping* small.pkt",
                   "pktc: error: there are two streams without a frame, which nothing could tell apart\n");
}

TEST(test_wrong_command_lines)
{
    static const char *const cases[][2] = {
        {"wireshark", "no .pkt file given"},
        {"wireshark small.pkt small.pkt", "wireshark takes one .pkt file"},
        {"wireshark --port 0 small.pkt", "--port takes a number from 1 to 65535, not '0'"},
        {"wireshark --port 65536 small.pkt", "--port takes a number from 1 to 65535, not '65536'"},
        {"wireshark --json 20 small.pkt", "wireshark has no option --json"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        process_result result = run_for(2, cases[i][0]);
        char *wanted = text_format("pktc: %s; try 'pktc help wireshark'\n", cases[i][1]);
        assert_string_equal(result.err, wanted);
        free(wanted);
        process_free(&result);
    }
}

/* A packet that a stream describes is not shown as a whole, unless the stream has a seed. */
TEST(test_stream_of_packet)
{
    static const char *const cases[][2] = {{"", ""}, {"--seed 5 ", "packet(types[\"Ping\"])\n"}};
    for (size_t i = 0; i < 2; i++) {
        char *arguments = text_format("wireshark %s--stream Ping=Ping small.pkt", cases[i][0]);
        process_result result = run_for(0, arguments);
        const bool is_packet = strstr(result.out, "\n    packet(types[\"Ping\"])\n") != NULL;
        assert_int_equal(is_packet, *cases[i][1] != '\0');
        process_free(&result);
        free(arguments);
    }
}

int main(int argc, char **argv)
{
    char *directory = getcwd(NULL, 0);
    schema_path = text_format("%s/" DIRECTORY "/dissected.pkt", directory);
    expected_path = text_format("%s/" DIRECTORY "/dissected.lua", directory);
    free(directory);
    cli_begin("wireshark");
    if (argc > 1 && strcmp(argv[1], "--refresh") == 0) {
        char *lines = printed_lines();
        file_write(expected_path, lines);
        free(lines);
        return 0;
    }
    const int failed = cli_end(run_all(set_up));
    free(schema_path);
    free(expected_path);
    return failed;
}
