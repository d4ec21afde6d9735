/* test_cli.c - tests the command line of pktc: options, exit statuses, and what goes to standard output.
 * SPDX-License-Identifier: MIT
 */
#include "commands/cli.h"

/* ---- options */

TEST(test_help_and_version)
{
    process_result help = run_for(0, "--help");
    static const char *const options[] = {"-o DIR",       "-I DIR",         "--check",   "--depfile",   "--runtime",
                                          "--no-runtime", "--reflect",      "--capture", "--no-checks", "--dump",
                                          "--projection", "--format",       "--layout",  "--mtu=BYTES", "--hz=N",
                                          "--html=FILE",  "--error-format", "--help",    "--version"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        assert_contains(help.out, options[i]);
    assert_string_equal(help.err, "");
    static const char *const same[] = {"-h", "help", "help.pkt --help", "-o out -h"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        process_result other = run_for(0, same[i]);
        assert_string_equal(other.out, help.out);
        process_free(&other);
    }
    process_free(&help);
    static const struct {
        const char *arguments, *has, *lacks;
    } commands[] = {
        {"help fmt", "--check", "--hz"},
        {"fmt -h", "pktc fmt [options] FILE.pkt...", "--prune"},
        {"help layout", "--hz=N", "--bits"},
        {"layout --hz 3 --help", "--html=FILE", "--runtime"},
        {"help layout", "--json", "--against"},
        {"help layout", "match.pcapng:2 for the second schema", "--dump"},
        {"help describe", "match.pcapng:2 for the second schema", "--dump"},
        {"help diff", "match.pcapng:2 for the second schema", "--dump"},
        {"help archive", "match.pcapng:2 for the second schema", "--dump"},
        {"help wireshark", "match.pcapng:2 for the second schema", "--dump"},
        {"help encode", "match.pcapng:2 for the second schema", "--dump"},
        {"help decode", "--hex", "--prune"},
        {"--layout -h", "--mtu=BYTES", "--prune"},
        {"help diff", "OLD.pkt NEW.pkt", "--hex"},
        {"diff -h", "--meanings", "--mtu"},
        {"help archive", "DIR FILE.pkt...", "--against"},
        {"help convert", "[OLD] NEW.pkt [TYPE] [INPUT]", "--base"},
        {"help encode", "FILE.pkt TYPE [INPUT]", "--dump"},
        {"help tally", "-j N", "--check"},
        {"help help", "pktc help [COMMAND]", "--dump"},
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        process_result about = run_for(0, commands[i].arguments);
        assert_contains(about.out, commands[i].has);
        assert_null(strstr(about.out, commands[i].lacks));
        process_free(&about);
    }
    process_result version = run_for(0, "--version");
    process_result projection = run_for(0, "--projection small.pkt");
    int major, minor, patch, size = 0;
    assert_int_equal(sscanf(version.out, "pktc %d.%d.%d\n%n", &major, &minor, &patch, &size), 3);
    char expected[400];
    snprintf(expected, sizeof expected,
             "wire format: %d\n"
             "reads JSON: yes\n"
#ifdef PKTC_ZLIB
             "reads gzip: yes\n"
#else
             "reads gzip: no, built without zlib\n"
#endif
#ifdef PKTC_ZSTD
             "reads zstd: yes\n"
#else
             "reads zstd: no, built without libzstd\n"
#endif
             "compiler: ",
             atoi(projection.out + strlen("pkt ")));
    assert_int_equal(strncmp(version.out + size, expected, strlen(expected)), 0);
    const char *compiler = version.out + size + strlen(expected);
    assert_ptr_equal(strchr(compiler, '\n'), compiler + strlen(compiler) - 1);
    process_free(&projection);
    process_free(&version);
}

TEST(test_wrong_command_lines)
{
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"", "pktc compiles packet schemas (.pkt) to C.\n"
             "\n"
             "    pktc mygame.pkt -o generated           # write the C, and the runtime that it needs\n"
             "    cc -Igenerated game.c generated/*.c    # compile a program with it\n"
             "\n"
             "'pktc help' lists the commands and options.\n"},
        {"help nothing", "pktc: there is no command 'nothing'; try 'pktc help'\n"},
        {"help laytou", "pktc: there is no command 'laytou' (did you mean 'layout'?); try 'pktc help'\n"},
        {"--hz 20 layout small.pkt", "pktc: the command comes first: 'pktc layout'; try 'pktc --help'\n"},
        {"small.pkt fmt", "pktc: the command comes first: 'pktc fmt'; try 'pktc --help'\n"},
        {"help fmt layout", "pktc: help takes only one command; try 'pktc help'\n"},
        {"complete small.pkt", "pktc: complete needs -- before the words; try 'pktc help complete'\n"},
        {"-o", "pktc: -o needs an argument: DIR; try 'pktc --help'\n"},
        {"-o '' small.pkt", "pktc: -o needs an argument: DIR; try 'pktc --help'\n"},
        {"small.pkt --depfile", "pktc: --depfile needs an argument: FILE; try 'pktc --help'\n"},
        {"--chekc small.pkt", "pktc: unknown option '--chekc' (did you mean '--check'?); try 'pktc --help'\n"},
        {"--output=out small.pkt", "pktc: unknown option '--output' (did you mean '-o'?); try 'pktc --help'\n"},
        {"--include . small.pkt", "pktc: unknown option '--include' (did you mean '-I'?); try 'pktc --help'\n"},
        {"-v", "pktc: unknown option '-v' (did you mean '--version'?); try 'pktc --help'\n"},
        {"fmt --write small.pkt", "pktc: unknown option '--write'; try 'pktc help fmt'\n"},
        {"-o small.c small.pkt", "pktc: -o takes a directory for all files: '-o generated', not '-o small.c'; "
                                 "try 'pktc --help'\n"},
        {"small.pkt -o out/small.hpp", "pktc: -o takes a directory for all files: '-o generated', not "
                                       "'-o out/small.hpp'; try 'pktc --help'\n"},
        {"-x small.pkt", "pktc: unknown option '-x'; try 'pktc --help'\n"},
        {"- small.pkt", "pktc: only fmt and diff read a schema from standard input; try 'pktc --help'\n"},
        {"layout -", "pktc: only fmt and diff read a schema from standard input; try 'pktc help layout'\n"},
        {"--check=yes small.pkt", "pktc: --check takes no argument; try 'pktc --help'\n"},
        {"--dump=everything small.pkt",
         "pktc: --dump takes tokens, ast or wire, not 'everything'; try 'pktc --help'\n"},
        {"--error-format=xml small.pkt", "pktc: --error-format takes text or json, not 'xml'; try 'pktc --help'\n"},
        {"--check --dump=ast small.pkt", "pktc: --check and --dump cannot be combined; try 'pktc --help'\n"},
        {"fmt", "pktc: no .pkt file given; try 'pktc help fmt'\n"},
        {"fmt -o out small.pkt", "pktc: fmt has no option -o; try 'pktc help fmt'\n"},
        {"fmt --layout small.pkt", "pktc: fmt and layout cannot be combined; try 'pktc help fmt'\n"},
        {"--hz 20 small.pkt", "pktc: --hz is an option of layout; try 'pktc --help'\n"},
        {"--bits small.pkt", "pktc: --bits is an option of decode and encode; try 'pktc --help'\n"},
        {"layout --hz 0 small.pkt", "pktc: --hz takes a number from 1 to 1000000, not '0'; try 'pktc help layout'\n"},
        {"layout --mtu 1k small.pkt",
         "pktc: --mtu takes a number of bytes from 1 to 1000000, not '1k'; try 'pktc help layout'\n"},
        {"layout --check small.pkt", "pktc: layout has no option --check; try 'pktc help layout'\n"},
        {"layout --html page.html small.pkt small.pkt", "pktc: --html takes one .pkt file; try 'pktc help layout'\n"},
        {"diff", "pktc: diff takes two schemas, the old one first; try 'pktc help diff'\n"},
        {"diff small.pkt", "pktc: diff takes two schemas, the old one first; try 'pktc help diff'\n"},
        {"diff small.pkt small.pkt small.pkt",
         "pktc: diff takes two schemas, the old one first; try 'pktc help diff'\n"},
        {"diff - -", "pktc: only one of the schemas can be standard input; try 'pktc help diff'\n"},
        {"diff -o out small.pkt small.pkt", "pktc: diff has no option -o; try 'pktc help diff'\n"},
        {"diff --against old small.pkt small.pkt", "pktc: diff --against DIR takes one schema; try 'pktc help diff'\n"},
        {"diff --against old", "pktc: diff --against DIR takes one schema; try 'pktc help diff'\n"},
        {"diff . small.pkt",
         "pktc: '.' is a directory: 'diff --against . small.pkt' compares with the newest release in it; "
         "try 'pktc help diff'\n"},
        {"--against old small.pkt", "pktc: --against is an option of diff and lsp; try 'pktc --help'\n"},
        {"describe", "pktc: no .pkt file given; try 'pktc help describe'\n"},
        {"describe small.pkt small.pkt", "pktc: describe takes one .pkt file; try 'pktc help describe'\n"},
        {"lsp small.pkt", "pktc: lsp takes no file: the editor says which ones are open; try 'pktc help lsp'\n"},
        {"archive old", "pktc: archive needs a directory and .pkt files; try 'pktc help archive'\n"},
        {"archive", "pktc: archive needs a directory and .pkt files; try 'pktc help archive'\n"},
        {"archive small.pkt old",
         "pktc: archive needs the directory first, and 'small.pkt' is a .pkt file; try 'pktc help archive'\n"},
        {"archive old -", "pktc: only fmt and diff read a schema from standard input; try 'pktc help archive'\n"},
        {"archive --json old small.pkt", "pktc: archive has no option --json; try 'pktc help archive'\n"},
        {"convert",
         "pktc: convert needs the older schema or a folder, the newer schema, and the name of a type or a recording; try "
         "'pktc help convert'\n"},
        {"convert small.pkt Point",
         "pktc: before 'small.pkt' has to be the older schema, or the folder of releases; try "
         "'pktc help convert'\n"},
        {"convert small.pkt Point point.bin",
         "pktc: before 'small.pkt' has to be the older schema, or the folder of releases; try 'pktc help convert'\n"},
        {"convert small.pkt small.pkt point.bin",
         "pktc: 'point.bin' is neither the name of a type nor a recording; try 'pktc help convert'\n"},
        {"convert small.pkt -  Point", "pktc: only fmt and diff read a schema from standard input; try 'pktc help "
                                       "convert'\n"},
        {"convert small.pkt small.pkt",
         "pktc: convert needs the older schema or a folder, the newer schema, and the name of a type or a recording; try "
         "'pktc help convert'\n"},
        {"convert small.pkt small.pkt Point in out",
         "pktc: convert needs the older schema or a folder, the newer schema, and the name of a type or a recording; try "
         "'pktc help convert'\n"},
        {"convert --bits small.pkt small.pkt Point", "pktc: convert has no option --bits; try 'pktc help convert'\n"},
        {"--upgrade", "pktc: --upgrade needs an argument: DIR; try 'pktc --help'\n"},
        {"layout --upgrade old small.pkt", "pktc: layout has no option --upgrade; try 'pktc help layout'\n"},
        {"--json small.pkt", "pktc: --json is an option of layout, diff and report; try 'pktc --help'\n"},
        {"--seed 1 small.pkt",
         "pktc: --seed is an option of decode, encode, convert, report, tally, table, wireshark and train; try 'pktc --help'\n"},
        {"decode --seed 1 --seed 0x2 small.pkt Ping",
         "pktc: --seed is given twice, and all is read with one; try 'pktc help decode'\n"},
        {"layout --csv small.pkt", "pktc: unknown option '--csv' (did you mean '--json'?); try 'pktc help layout'\n"},
        {"--meanings small.pkt", "pktc: --meanings is an option of diff; try 'pktc --help'\n"},
        {"layout --json --html x.html small.pkt",
         "pktc: --json and --html cannot be combined; try 'pktc help layout'\n"},
        {"--no-runtime", "pktc: no .pkt file given; try 'pktc --help'\n"},
        {"--runtime --no-runtime small.pkt",
         "pktc: --runtime and --no-runtime cannot be combined; try 'pktc --help'\n"},
        {"--check --prune small.pkt", "pktc: --prune and --check cannot be combined; try 'pktc --help'\n"},
        {"--prune --runtime", "pktc: no .pkt file given; try 'pktc --help'\n"},
        {"--runtime --projection", "pktc: no .pkt file given; try 'pktc --help'\n"},
        {"--dump=ast --projection small.pkt", "pktc: --dump and --projection cannot be combined; try 'pktc --help'\n"},
        {"--prune --dump=ast small.pkt", "pktc: --prune and --dump cannot be combined; try 'pktc --help'\n"},
        {"--format --layout small.pkt", "pktc: fmt and layout cannot be combined; try 'pktc help fmt'\n"},
        {"layout --format small.pkt", "pktc: layout and fmt cannot be combined; try 'pktc help layout'\n"},
        {"--format=x small.pkt", "pktc: --format takes no argument; try 'pktc --help'\n"},
        {"--laytou small.pkt", "pktc: unknown option '--laytou' (did you mean '--layout'?); try 'pktc --help'\n"},
        {"layout --hz 1000001 small.pkt",
         "pktc: --hz takes a number from 1 to 1000000, not '1000001'; try 'pktc help layout'\n"},
        {"layout --hz 18446744073709551617 small.pkt",
         "pktc: --hz takes a number from 1 to 1000000, not '18446744073709551617'; try 'pktc help layout'\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        process_result result = run_for(2, cases[i].arguments);
        assert_string_equal(result.err, cases[i].message);
        assert_string_equal(result.out, "");
        process_free(&result);
    }
    assert_nothing_written();
}

#define MODELLED(fields) \
    "protocol small = 1;\npacket Ping @delta { u8 a coded; u8 b coded; " fields " } model \"ping.model\";\n"
#define UNFIT                                                                                      \
    "ping.model:1:1: warning: 'Ping changes 0.0' has 8 codes in this schema, and 4 in the model\n" \
    "    1 | Ping changes 0.0: 2 2 2 2\n"                                                          \
    "      | ^~~~~~~~~~~~~~~~\n"                                                                   \
    "      = help: the schema is compared as if nothing was trained: with a new model, the id is another\n"

/* What it prints of schemas without errors is in tests/diff. */
TEST(test_diff)
{
    static const struct {
        int status;
        const char *arguments, *out, *err;
    } cases[] = {
        {0, "diff small.pkt - <small.pkt", "new: <stdin>: protocol small = 1", ""},
        {0, "diff - small.pkt <small.pkt", "old: <stdin>: protocol small = 1", ""},
        {0, "diff small.pkt small.pkt --json", "\"verdict\": \"same\"", ""},
        {0, "diff --json 'a\"\\\x01\xc2\x85\xff.pkt' small.pkt",
         "{\n    \"old\": {\"file\": \"a\\\"\\\\\\u0001\\u0085\\\\xff.pkt\", \"protocol\": \"small\", \"version\": 1, ",
         ""},
        {4, "diff --no-checks types.pkt small.pkt", "old: types.pkt: no protocol, id ", ""},
        {3, "diff swapped.pkt two.pkt", "; 2 CHANGES OF MEANING IN THE SAME BYTES", ""},
        {6, "diff --meanings swapped.pkt two.pkt", "; 2 CHANGES OF MEANING IN THE SAME BYTES", ""},
        {6, "diff --meanings --json swapped.pkt two.pkt",
         "    \"verdict\": \"converts\",\n    \"status\": 6,\n    \"left_out\": false,\n    \"meanings\": 2,", ""},
        {3, "diff --meanings renumbered.pkt small.pkt", "\nprotocol small\n  version: 2 -> 1\n", ""},
        {3, "diff fits.pkt unfit.pkt", "  c: added: u8 coded; defaulted to 0", UNFIT},
        {4, "diff unfit.pkt fits.pkt", "  c: removed: u8 coded", UNFIT},
        {1, "diff unfit.pkt wrong.pkt", "", "wrong.pkt:2:58: error: "},
        {1, "diff small.pkt none.pkt", "", "pktc: error: cannot read 'none.pkt': No such file or directory\n"},
        {1, "diff none.pkt small.pkt", "", "pktc: error: cannot read 'none.pkt': No such file or directory\n"},
        {1, "diff none.pkt nor.pkt", "", "pktc: error: cannot read 'nor.pkt': No such file or directory\n"},
        {1, "diff broken.pkt small.pkt", "", "broken.pkt:3:20: error: expected ';'"},
        {1, "diff small.pkt broken.pkt", "", "broken.pkt:3:20: error: expected ';'"},
        {1, "diff --error-format=json small.pkt broken.pkt", "", "{\"file\":\"broken.pkt\",\"line\":3"},
        {1, "--version >/dev/full", "", "pktc: error: cannot write to standard output: No space left on device\n"},
        {1, "--help >/dev/full", "", "pktc: error: cannot write to standard output: No space left on device\n"},
        {1, "diff small.pkt small.pkt >/dev/full", "", "pktc: error: cannot write to standard output"},
    };
    file_write("types.pkt", TYPES);
    file_write("broken.pkt", BROKEN);
    file_write("two.pkt", "protocol small = 1;\n\npacket Ping { u8 a; u8 b; }\n");
    file_write("swapped.pkt", "protocol small = 1;\n\npacket Ping { u8 b; u8 a; }\n");
    file_write("renumbered.pkt", "protocol small = 2;\n\npacket Ping { u8 n; }\n");
    file_write("a\"\\\x01\xc2\x85\xff.pkt", SMALL);
    file_write("ping.model", "Ping changes 0.0: 2 2 2 2\n");
    file_write("fits.pkt", MODELLED(""));
    file_write("unfit.pkt", MODELLED("u8 c coded;"));
    file_write("wrong.pkt", MODELLED("u8 c coded; u7 d;"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        process_result result = run_for(cases[i].status, cases[i].arguments);
        assert_contains(result.out, cases[i].out);
        assert_contains(result.err, cases[i].err);
        assert_true(*cases[i].out || !*result.out);
        assert_true(*cases[i].err || !*result.err);
        process_free(&result);
    }
    assert_nothing_written();
}

TEST(test_options_in_any_order)
{
    run_silently("small.pkt -o one");
    run_silently("-oone --no-checks small.pkt --error-format json");
    run_silently("-o one small.pkt");
    assert_true(exists("one/small.h"));
    assert_true(exists("one/small.c"));
    run_shell("mkdir -- -dash && cp -- small.pkt -dash");
    process_result result = process_run("%s -o two -- -dash/small.pkt", pktc);
    assert_string_equal(result.err, "");
    assert_int_equal(result.status, 0);
    process_free(&result);
}

/* ---- for build systems */

TEST(test_check)
{
    process_result result = run_for(1, "--check -o out small.pkt");
    assert_contains(result.out, "out/small.h\n");
    assert_contains(result.out, "out/small.c\n");
    assert_string_equal(result.err, "");
    process_free(&result);
    assert_false(exists("out"));

    run_silently("-o out small.pkt");
    run_silently("--check -o out small.pkt");
    run_shell("echo >> out/small.c");
    result = run_for(1, "--check -o out small.pkt --depfile dep");
    assert_string_equal(result.out, "out/small.c\n");
    process_free(&result);
    assert_false(exists("dep"));
}

TEST(test_depfile)
{
    run_shell("mkdir 'my types'");
    file_write("my types/types.pkt", TYPES);
    file_write("importer.pkt", IMPORTER);
    run_silently("-I 'my types' -o 'out#$dir' --depfile dep importer.pkt small.pkt");
    char *dep = file_read("dep");
    assert_non_null(dep);
    assert_int_equal(strncmp(dep, "out\\#$$dir/importer.h ", strlen("out\\#$$dir/importer.h ")), 0);
    assert_contains(dep, "out\\#$$dir/types.h");
    assert_contains(dep, "out\\#$$dir/small.c");
    assert_contains(dep, ": \\\n");
    assert_contains(dep, "  my\\ types/types.pkt");
    assert_contains(dep, "\n\nmy\\ types/types.pkt:\n");
    assert_contains(dep, "\n\nimporter.pkt:\n");
    assert_contains(dep, "\n\nsmall.pkt:\n");
    free(dep);
    /* What make does with it: nothing at first; then it sees a change; and it does not fail if a prerequisite is
     * removed. */
    file_write("Makefile", "include dep\n%.h %.c:\n\t@echo stale $@\nall: out\\#$$dir/types.h\n.DEFAULT_GOAL := all\n");
    run_shell("touch out*/* && make -rs all | grep -v 'Nothing to be done' | diff /dev/null -");
    run_shell("touch -d '+1 hour' 'my types/types.pkt' && make -rs all | grep stale");
    run_shell("rm 'my types/types.pkt' && make -rs all | grep stale");
}

/* A name that make would take for more than a name: a command, a variable, a pattern. */
TEST(test_names_that_no_depfile_can_have)
{
    static const char *const names[] = {"a;touch.pkt", "a=b.pkt", "a|b.pkt", "a%b.pkt",
                                        "a*b.pkt",     "a?b.pkt", "a[b.pkt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = text_format("protocol p = 1;\nimport \"%s\";\npacket P { Pair pair; }\n", names[i]);
        file_write(names[i], TYPES);
        file_write("importer.pkt", text);
        free(text);
        fails_with("pktc: error: a depfile cannot name '", "--depfile dep importer.pkt");
        assert_false(exists("dep"));
    }
}

/* Git may check generated files out with the line ends of Windows. */
TEST(test_check_with_other_line_ends)
{
    run_silently("-o out small.pkt");
    run_shell("sed -i 's/$/\\r/' out/*");
    run_silently("--check -o out small.pkt");
    run_shell("printf '\\r\\n' >> out/small.h");
    process_result result = run_for(1, "--check -o out small.pkt");
    assert_string_equal(result.out, "out/small.h\n");
    process_free(&result);
}

/* With --depfile-target, the target is what the build calls the step, such as a stamp; train has a depfile too. */
TEST(test_depfile_target)
{
    run_silently("-o out --depfile dep --depfile-target 'a stamp' small.pkt");
    char *dep = file_read("dep");
    assert_string_equal(dep, "a\\ stamp: \\\n  small.pkt\n\nsmall.pkt:\n");
    free(dep);
    process_result result = run_for(2, "--depfile-target x small.pkt");
    assert_contains(result.err, "pktc: --depfile-target needs --depfile");
    process_free(&result);
}

/* Two schemas of one run are for one program, which could not have both names. */
TEST(test_names_of_two_schemas)
{
    file_write("other.pkt", "protocol other = 1;\nconst MOST = 3;\npacket Pong { u8 n; }\nstruct Ping { u8 a; }\n");
    process_result result = run_for(1, "-o out small.pkt other.pkt");
    assert_string_equal(result.err,
                        "other.pkt:4:8: error: 'Ping' is a name in C of 'small.pkt' too\n"
                        "    4 | struct Ping { u8 a; }\n"
                        "      |        ^~~~\n"
                        "      = help: `prefix other_` after the version of a protocol comes before its names in C\n"
                        "small.pkt:3:8: note: it is declared here\n"
                        "    3 | packet Ping { u8 n; }\n"
                        "      |        ^~~~\n");
    process_free(&result);
    assert_false(exists("out"));
    file_write("other.pkt", "protocol other = 1 prefix other_;\npacket Ping { u8 a; }\n");
    run_silently("-o out small.pkt other.pkt");
}

TEST(test_depfile_to_a_stream)
{
    process_result plain = process_run("%s -o out --depfile dep small.pkt && cat dep", pktc);
    assert_contains(plain.out, "out/small.h");
    static const char *const paths[] = {"-", "/dev/stdout"};
    for (size_t i = 0; i < 2; i++) {
        process_result piped = process_run("%s -o out --depfile %s small.pkt | cat", pktc, paths[i]);
        assert_string_equal(piped.out, plain.out);
        process_free(&piped);
        /* Also if standard output goes to a file. */
        process_result file =
            process_run("echo before > file; %s -o out --depfile %s small.pkt >> file; cat file", pktc, paths[i]);
        assert_int_equal(strncmp(file.out, "before\n", 7), 0);
        assert_string_equal(file.out + 7, plain.out);
        process_free(&file);
    }
    process_result error = process_run("%s -o out --depfile /dev/stderr small.pkt", pktc);
    assert_string_equal(error.err, plain.out);
    process_free(&error);
    run_shell("test -e /dev/stdout && test ! -e ./-");
    process_result full = process_run("%s -o none --depfile /dev/full small.pkt", pktc);
    assert_int_equal(full.status, 1);
    assert_contains(full.err, "cannot write '/dev/full'");
    process_free(&full);
    run_shell("test ! -e none/small.h");
    process_free(&plain);
}

/* ---- what goes to standard output */

TEST(test_dumps_write_nothing)
{
    static const char *const kinds[] = {"--dump=tokens", "--dump=ast", "--dump=wire", "--projection"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char *arguments = text_format("%s small.pkt", kinds[i]);
        process_result result = run_for(0, arguments);
        assert_contains(result.out, "Ping");
        assert_string_equal(result.err, "");
        process_free(&result);
        free(arguments);
    }
    assert_nothing_written();
}

TEST(test_checks_change_the_projection)
{
    process_result with = run_for(0, "--projection small.pkt"),
                   without = run_for(0, "--projection --no-checks small.pkt");
    assert_string_not_equal(with.out, without.out);
    process_free(&without);
    process_free(&with);
}

TEST(test_json)
{
    file_write("broken.pkt", BROKEN);
    process_result result = run_for(1, "--error-format=json broken.pkt missing.pkt");
    int lines = 0;
    for (char *line = strtok(result.err, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *message = json_loads(line, 0, NULL);
        assert_non_null(message);
        assert_string_equal(json_string_value(json_object_get(message, "severity")), "error");
        const char *file = json_string_value(json_object_get(message, "file"));
        if (file && strcmp(file, "broken.pkt") == 0) {
            assert_int_equal(json_integer_value(json_object_get(message, "line")), 3);
            assert_int_equal(json_integer_value(json_object_get(message, "column")), 20);
        }
        json_decref(message);
        lines++;
    }
    assert_int_equal(lines, 2);
    process_free(&result);
}

int main(void)
{
    cli_begin("cli");
    return cli_end(run_all(set_up));
}
