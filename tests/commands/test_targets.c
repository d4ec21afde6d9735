/* test_targets.c - tests which files pktc writes, and which it leaves alone.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

/* ---- the files that are written */

TEST(test_default_directory)
{
    run_silently("small.pkt");
    assert_true(exists("small.h"));
    assert_true(exists("small.c"));
}

TEST(test_several_files_and_imports)
{
    file_write("types.pkt", TYPES);
    file_write("importer.pkt", IMPORTER);
    run_silently("-o out small.pkt importer.pkt types.pkt");
    assert_true(exists("out/small.h"));
    assert_true(exists("out/importer.h"));
    assert_true(exists("out/types.h"));
}

TEST(test_import_directories)
{
    run_shell("mkdir -p first second");
    file_write("importer.pkt", IMPORTER);
    process_result missing = run_for(1, "-o out importer.pkt");
    assert_contains(missing.err, "importer.pkt:2:8: error:");
    assert_contains(missing.err, "types.pkt");
    process_free(&missing);
    assert_false(exists("out"));
    file_write("second/types.pkt", TYPES);
    run_silently("-I first -Isecond -o out importer.pkt");
    assert_true(exists("out/types.h"));
}

TEST(test_same_name_twice)
{
    run_shell("mkdir other && sed s/u8/u16/ small.pkt > other/small.pkt");
    fails_with("the given files would generate two different versions of 'out/small",
               "-o out small.pkt other/small.pkt");
    assert_false(exists("out"));
    run_silently("-o out small.pkt small.pkt");
}

/* The files that pktc writes are enough to compile a program, and there are no others. */
TEST(test_a_program_needs_nothing_else)
{
    file_write("game.c", "#include \"small.h\"\n"
                         "int main(void) { Ping ping; Ping_init(&ping); uint8_t data[16]; ping.n = 7;\n"
                         "return Ping_pack(&ping, data, sizeof data) == 9 ? 0 : 1; }\n");
    run_silently("small.pkt -o generated/");
    run_shell("test \"$(ls generated | tr '\\n' ' ')\" = 'pkt.c pkt.h pkt_inside.h small.c small.h small_codec.h '");
    run_shell("cc -Igenerated -o game game.c generated/*.c && ./game");
    run_silently("--check small.pkt -o generated");
}

TEST(test_runtime)
{
    run_silently("--runtime -o alone");
    run_shell("test \"$(ls alone | tr '\\n' ' ')\" = 'pkt.c pkt.h pkt_inside.h '");
    run_silently("--runtime -o both small.pkt");
    run_silently("-o same small.pkt");
    run_shell("for file in alone/*; do cmp \"$file\" \"both/${file#alone/}\" || exit 1; done");
    run_shell("for file in both/small*; do cmp \"$file\" \"same/${file#both/}\" || exit 1; done");
    run_silently("--no-runtime -o without small.pkt");
    run_shell("test \"$(ls without | tr '\\n' ' ')\" = 'small.c small.h small_codec.h '");
    run_shell("cc -c -o small.o -Ialone without/small.c");
    /* A program with two protocols, each in its own directory. */
    file_write("other.pkt", "protocol other = 1;\npacket Pong { u8 n; }\n");
    run_silently("--no-runtime -o other other.pkt");
    file_write(
        "both.c",
        "#include \"small.h\"\n#include \"other.h\"\n"
        "int main(void) { Ping ping; Pong pong; Ping_init(&ping); Pong_init(&pong); return ping.n + pong.n; }\n");
    run_shell("cc -Isame -Iother -o both.out both.c same/*.c other/*.c && ./both.out");
}

/* ---- the parts of the runtime */

static const char moving[] = "protocol moving = 1;\n"
                             "packet World @delta { u16 health[100] @fit; quat<10> aim; float<0, 1, 0.1> x coded; }\n";

/* That pkt.h in `out` leaves out exactly these parts, and that a program has all that its other files call. */
static void leaves_out(const char *parts)
{
    char *line = text_format("sed -n 's/^#define PKT_WITHOUT_//p' out/pkt.h | sort >left && "
                             "echo '%s' | tr ' ' '\\n' | sed '/^$/d' | sort | cmp - left && "
                             "cc -w -shared -fPIC -Wl,-z,defs -Iout -o program out/*.c -lm",
                             parts);
    run_shell(line);
    free(line);
}

#define ALL_BUT_MOVING "REFLECT CAPTURE MIX SAVE LIST UPGRADE PREDICT SEED DATAGRAM "
#define ALL "REFLECT CAPTURE MIX SAVE ROTATION SUBSET DELTA LIST CODED UPGRADE PREDICT FIT SEED DATAGRAM "

/* pkt.c has the parts that the generated files beside it need, whichever run made them. */
TEST(test_parts)
{
    file_write("moving.pkt", moving);
    run_silently("-o out small.pkt");
    leaves_out(ALL);
    run_silently("-o out moving.pkt");
    leaves_out(ALL_BUT_MOVING);
    run_silently("-o other moving.pkt");
    run_silently("-o other small.pkt");
    run_silently("-o once small.pkt moving.pkt");
    run_shell("diff -r out other && diff -r out once");
    run_silently("--check -o out small.pkt moving.pkt");
    run_silently("--reflect -o out small.pkt");
    leaves_out("CAPTURE MIX SAVE LIST UPGRADE PREDICT SEED DATAGRAM ");
    run_silently("--capture -o out small.pkt");
    leaves_out("MIX SAVE LIST UPGRADE PREDICT SEED DATAGRAM ");
    /* A schema that loses what needed a part, and one that is gone. */
    run_shell("sed -i 's/ @fit//; s/quat<10>/u8/; s/ coded//' moving.pkt");
    run_silently("-o out moving.pkt");
    leaves_out("MIX SAVE ROTATION LIST CODED UPGRADE PREDICT FIT SEED DATAGRAM ");
    run_silently("--prune -o out small.pkt");
    leaves_out(ALL);
    /* All parts, until a run does not ask for them. */
    run_silently("--runtime -o out small.pkt");
    leaves_out("");
    run_silently("--runtime --check -o out small.pkt");
    process_result check = run_for(1, "--check -o out small.pkt");
    assert_string_equal(check.out, "out/pkt.h\nout/pkt_inside.h\nout/pkt.c\n");
    process_free(&check);
    run_silently("-o out small.pkt");
    leaves_out(ALL);
}

TEST(test_parts_of_versions)
{
    file_write("game.pkt", "protocol game = 1;\npacket Move { u8 n; sparse u8 s[9]; unit<8> up; }\n");
    process_result archive = run_for(0, "archive old game.pkt");
    process_free(&archive);
    file_write("game.pkt", "protocol game = 2;\npacket Move { u8 n; }\n");
    process_result compiled = run_for(0, "--upgrade old -o out game.pkt");
    process_free(&compiled);
    leaves_out("REFLECT CAPTURE MIX SAVE DELTA LIST CODED PREDICT FIT SEED DATAGRAM ");
}

/* Two runs at the same time, each of which may write the runtime last. */
TEST(test_parts_of_parallel_runs)
{
    char *both = text_format("rm -rf out && mkdir out && { %s -o out small.pkt & } && %s -o out moving.pkt && wait &&"
                             "diff -r once out",
                             pktc, pktc);
    file_write("moving.pkt", moving);
    run_silently("-o once small.pkt moving.pkt");
    for (int i = 0; i < 40; i++)
        run_shell(both);
    free(both);
}

/* The runtime of another directory may lack what a file needs. */
TEST(test_a_part_that_is_missing)
{
    file_write("moving.pkt", moving);
    run_silently("-o out small.pkt");
    run_silently("--no-runtime -o other moving.pkt");
    run_shell("cc -c -o small.o -Iout out/small.c && ! cc -c -o moving.o -Iout other/moving.c 2> error &&"
              "grep -q 'error: .*this file needs a part of the runtime that pkt.c lacks: pktc --runtime writes' error");
    run_silently("--runtime -o out small.pkt");
    run_shell("cc -c -o moving.o -Iout other/moving.c");
}

TEST(test_reflect)
{
    run_silently("-o without small.pkt");
    assert_false(exists("without/small_reflect.h"));
    run_silently("--reflect -o with small.pkt");
    run_shell("for file in without/small*; do cmp \"$file\" \"with/${file#without/}\" || exit 1; done");
    file_write("print.c", "#include \"small_reflect.h\"\n"
                          "int main(void) { Ping ping; Ping_init(&ping);\n"
                          "pkt_print(stdout, &Ping_reflection, &ping); return 0; }\n");
    run_shell("cc -Iwith -o print print.c with/*.c && ./print | grep -q 'n: 0'");
}

/* The text is what an archive keeps, whatever it has that C would read in another way. */
TEST(test_capture)
{
    char *line = text_format("%02000d", 7);
    char *schema = text_format("protocol small = 1;\nimport \"types.pkt\";\n"
                               "/// \"why?"
                               "?/ \\n\" \xc3\xbc, %s\xe2\x82\xac\npacket Ping { Pair pair; }\n",
                               line);
    file_write("small.pkt", schema);
    file_write("types.pkt", TYPES);
    file_write("print.c", "#include \"small_capture.h\"\n#include <stdio.h>\n"
                          "int main(void) { for (const char *const *text = small_PROTOCOL_SCHEMA; *text; text++)\n"
                          "    fputs(*text, stdout);\nreturn 0; }\n");
    run_silently("--capture -o out small.pkt");
    assert_false(exists("out/types_capture.h"));
    process_result kept = run_for(0, "archive kept small.pkt");
    process_free(&kept);
    run_shell("cc -std=c99 -Wall -Wextra -Wpedantic -Werror -Iout -o print print.c out/*.c && ./print | cmp - kept/*");
    run_shell("c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -Iout -o printed -x c++ print.c out/*.c && "
              "./printed | cmp - kept/*");

    file_write("small.pkt", "struct Ping { u8 n; }\n");
    fails_saying("pktc: error: 'small.pkt' declares no protocol, so a recording cannot have it\n",
                 "--capture small.pkt");
    assert_false(exists("small.h"));
    free(schema);
    free(line);
}

TEST(test_unchanged_files_are_not_touched)
{
    run_silently("-o out small.pkt");
    run_shell("touch -d '2001-01-01 00:00:00' out/*");
    struct stat before, after;
    assert_int_equal(stat("out/small.h", &before), 0);
    run_silently("-o out small.pkt");
    assert_int_equal(stat("out/small.h", &after), 0);
    assert_true(before.st_mtime == after.st_mtime && before.st_ino == after.st_ino);
    file_write("small.pkt", "protocol small = 2;\n\npacket Ping { u8 n; }\n");
    run_silently("-o out small.pkt");
    assert_int_equal(stat("out/small.h", &after), 0);
    assert_true(before.st_mtime != after.st_mtime);
}

TEST(test_permissions_and_links_are_kept)
{
    run_silently("-o out small.pkt");
    struct stat status;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat("out/small.h", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0666 & ~mask);
    run_shell("mkdir real && mv out/small.h real/header.h && ln -s ../real/header.h out/small.h"
              " && sed s/Ping/Pong/ real/header.h > old && cp old real/header.h && chmod 640 real/header.h && "
              "rm out/small.c && ln -s ../real/new.c out/small.c");
    run_silently("-o out small.pkt");
    run_shell("test -L out/small.h && test -L out/small.c && test -s real/new.c && ! cmp -s old real/header.h");
    assert_int_equal(stat("real/header.h", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

TEST(test_errors_write_nothing)
{
    file_write("broken.pkt", BROKEN);
    process_result result = run_for(1, "small.pkt broken.pkt missing.pkt --depfile dep");
    assert_contains(result.err, "broken.pkt:3:20: error: ");
    assert_contains(result.err, "error: cannot read 'missing.pkt': No such file or directory");
    assert_string_equal(result.out, "");
    process_free(&result);
    assert_nothing_written();
    assert_false(exists("dep"));
    fails_saying("pktc: error: cannot read 'layuot': No such file or directory\n"
                 "      = help: it is not a command either; 'pktc help' lists them\n",
                 "layuot small.pkt");
    fails_saying("pktc: error: cannot read 'layuot': No such file or directory\n", "fmt layuot");
    run_silently("-o out small.pkt");
    fails_saying("pktc: error: 'out/small.c' is no schema: pktc generated it\n"
                 "pktc: error: 'out/pkt.h' is no schema: pktc generated it\n",
                 "small.pkt out/small.c out/pkt.h");
    fails_saying("pktc: error: cannot read 'small': No such file or directory\n"
                 "      = help: 'small.pkt' exists\n",
                 "small");
}

TEST(test_a_target_that_cannot_be_written)
{
    run_shell("mkdir -p out/small.h");
    fails_with("cannot write 'out/small.h': it is not a regular file", "-o out small.pkt");
    size_t count;
    char **list = directory_list("out", ".c", &count);
    assert_int_equal(count, 0);
    directory_list_free(list);
    run_shell("test \"$(ls -A out)\" = small.h");

    file_write("blocked", "");
    process_result result = run_for(1, "-o blocked/out small.pkt");
    assert_contains(result.err, "cannot write 'blocked/out/small");
    assert_contains(result.err, "Not a directory");
    process_free(&result);
    if (geteuid() != 0) {
        run_shell("mkdir locked && chmod 555 locked");
        fails_with("Permission denied", "-o locked small.pkt");
    }
}

TEST(test_a_full_disk)
{
    if (!exists("/dev/full"))
        skip();
    process_result result = process_run("%s --help > /dev/full", pktc);
    assert_int_equal(result.status, 1);
    process_free(&result);
    result = process_run("%s --dump=wire small.pkt > /dev/full", pktc);
    assert_int_equal(result.status, 1);
    process_free(&result);
    /* A limit for the size of files stands for a full disk: writing fails in the middle of a file. */
    result = process_run("trap '' XFSZ; ulimit -f 1; %s --runtime -o out small.pkt", pktc);
    assert_int_equal(result.status, 1);
    assert_contains(result.err, "cannot write 'out/");
    process_free(&result);
    run_shell("test -z \"$(ls -A out)\"");
}

/* ---- files that are left alone */

TEST(test_inputs_are_not_replaced)
{
    run_shell("mkdir src link && cp small.pkt src/base.h && cp small.pkt before && ln -s ../small.pkt link/small.pkt"
              " && ln small.pkt hard.pkt && ln -s ../small.pkt src/small.d");
    file_write("types.pkt", TYPES);
    file_write("importer.pkt", IMPORTER);
    fails_with("the output 'small.pkt' would replace the input 'small.pkt'", "--depfile small.pkt small.pkt");
    fails_with("the output './small.pkt' would replace the input 'small.pkt'",
               "-o out --depfile ./small.pkt small.pkt");
    fails_with("the output 'src/../small.pkt' would replace", "-o out --depfile src/../small.pkt small.pkt");
    fails_with("the output 'link/small.pkt' would replace the input 'small.pkt'",
               "-o out --depfile link/small.pkt small.pkt");
    fails_with("the output 'hard.pkt' would replace the input 'small.pkt'", "-o out --depfile hard.pkt small.pkt");
    fails_with("the output 'small.pkt' would replace", "-o out --depfile small.pkt link/small.pkt");
    fails_with("the output 'src/small.d' would replace", "-o out --depfile src/small.d small.pkt");
    fails_with("the output 'types.pkt' would replace the input 'types.pkt'", "-o out --depfile types.pkt importer.pkt");
    fails_with("the output 'small.pkt' would replace", "layout --html small.pkt small.pkt");
    run_shell(
        "printf '\\324\\303\\262\\241\\2\\0\\4\\0\\0\\0\\0\\0\\0\\0\\0\\0\\377\\377\\0\\0\\1\\0\\0\\0' >empty.pcap && "
        "cp empty.pcap recorded");
    fails_with("the output 'empty.pcap' would replace the input 'empty.pcap'",
               "report --html empty.pcap small.pkt empty.pcap");
    fails_with("the output 'small.pkt' would replace the input 'small.pkt'",
               "report --html small.pkt small.pkt empty.pcap");
    fails_with("the output 'types.pkt' would replace", "report --html types.pkt importer.pkt empty.pcap");
    run_shell("cmp empty.pcap recorded");
    fails_with("the output 'types.pkt' would replace", "layout --html types.pkt importer.pkt");
    fails_with("the output 'src/base.h' would replace the input 'src/base.h'", "-o src src/base.h");
    fails_with("the output 'src/base.h' would replace the input 'src/base.h'", "--check -o src src/base.h");
    run_shell("cmp small.pkt before && cmp src/base.h before && test ! -e out && "
              "test \"$(ls src)\" = \"$(printf 'base.h\\nsmall.d')\"");
    assert_nothing_written();
}

TEST(test_two_outputs_of_one_name)
{
    fails_with("the outputs 'small.h' and './small.h' are the same file", "--depfile ./small.h small.pkt");
    fails_with("the outputs 'new/small.h' and 'new/../new//small.h' are the same file",
               "-o new --depfile new/../new//small.h small.pkt");
    run_shell("mkdir out && ln -s there out/small.h && ln -s there out/dep");
    fails_with("the outputs 'out/small.h' and 'out/dep' are the same file", "-o out --depfile out/dep small.pkt");
    /* On a file system that ignores case they would be one file. */
    run_shell("mkdir other && sed 's/= 1/= 2/; s/Ping/Pong/' small.pkt > other/SMALL.pkt");
    fails_with("the outputs 'cases/small.h' and 'cases/SMALL.h' are the same file",
               "-o cases small.pkt other/SMALL.pkt");
    assert_nothing_written();
    assert_false(exists("new"));
    assert_false(exists("cases"));
}

/* Nor a file that the user names: pktc replaces pages, models and depfiles of its own. */
TEST(test_foreign_files_are_not_replaced)
{
    static const char *const texts[] = {"all: small.h\n\techo done\n", "<!DOCTYPE html>\n<title>mine</title>\n",
                                        "struct Pair { u8 a, b; }\n", "small.o: small.c \\\n small.h\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        file_write("mine", texts[i]);
        fails_with("'mine' exists, and pktc did not generate it", "-o out --depfile mine small.pkt");
        fails_with("'mine' exists, and pktc did not generate it", "layout --html mine small.pkt");
        char *text = file_read("mine");
        assert_string_equal(text, texts[i]);
        free(text);
    }
    run_silently("-o out --depfile dep small.pkt");
    run_shell(
        "echo >> small.pkt && mkdir more && sed 's/Ping/Pong/' small.pkt >more/other.pkt && echo '// a change' >> small.pkt");
    run_silently("-o out --depfile dep more/other.pkt small.pkt");
    run_silently("layout --html page.html small.pkt");
    run_silently("layout --html page.html --hz 20 small.pkt");
    run_silently("layout --html dep small.pkt");
    run_silently("-o out --depfile page.html small.pkt");
}

/* A pipe has no end as long as somebody could write to it. */
TEST(test_pipes_are_no_schemas)
{
    run_shell("mkfifo pipe.pkt && printf 'protocol p = 1;\nimport \"pipe.pkt\";\npacket P { u8 a; }\n' >importer.pkt");
    fails_with("pktc: error: cannot read 'pipe.pkt': it is a pipe or a device, and no file\n", "pipe.pkt");
    fails_with("error: cannot read 'pipe.pkt': it is a pipe or a device, and no file\n", "importer.pkt");
    fails_with("pktc: error: cannot read 'pipe.pkt': it is a pipe or a device, and no file\n", "layout pipe.pkt");
    run_shell("mkdir releases && mkfifo releases/small-001-0123456789abcdef.pkt");
    fails_with("it is a pipe or a device, and no file\n", "--upgrade releases small.pkt");
}

/* A program often has the same name as its schema. */
TEST(test_programs_are_not_replaced)
{
    file_write("small.c", "int main(void) { return 0; }\n");
    fails_with("'small.c' exists, and pktc did not generate it", "small.pkt");
    run_shell("grep -q main small.c && test ! -e small.h");
    file_write("small.c", "/* small.c - functions, not generated by pktc: edit this file. */\n");
    fails_with("'small.c' exists, and pktc did not generate it", "small.pkt");
    file_write("small.c", "");
    run_silently("small.pkt");
    /* A generated file is recognized even if a formatter or a person has changed it. */
    run_shell("{ printf '/*\\n * small.c - functions of small.pkt, generated\\n * by pktc: "
              "edit that file, not this one.\\n */\\n';"
              " echo changed; } > small.c");
    run_silently("small.pkt");
    run_shell("! grep changed small.c");
}

TEST(test_left_files)
{
    file_write("types.pkt", TYPES);
    file_write("importer.pkt", IMPORTER);
    run_silently("-o out --reflect importer.pkt");
    file_write("out/own.c", "/* own.c - helpers for the code generated by pktc. */\n");
    file_write("out/other.h", "#include \"types.h\"\n");
    file_write("out/pkt_codec.c", "/* pkt_codec.c - a part of the runtime, as an earlier pktc wrote it. */\n");
    run_shell(
        "cp out/types.c out/renamed.c && cp out/types.c out/types.txt && mkdir out/inner && cp out/types.c out/inner");
    file_write("importer.pkt", "protocol importer = 1;\npacket P { u8 n; }\n");
    run_silently("-o out importer.pkt");
    process_result result = run_for(1, "--check -o out importer.pkt");
    assert_string_equal(result.out,
                        "out/importer_reflect.c\nout/importer_reflect.h\nout/pkt_codec.c\nout/types.c\nout/types.h\n"
                        "out/types_codec.h\nout/types_reflect.c\nout/types_reflect.h\n");
    assert_contains(result.err, "warning: 'out/types.c' is left from an earlier run: no input makes it\n"
                                "      = help: --prune removes it\n");
    process_free(&result);
    run_silently("--prune -o out/ importer.pkt");
    run_shell("test \"$(ls out | tr '\\n' ' ')\" = 'importer.c importer.h importer_codec.h inner other.h own.c pkt.c "
              "pkt.h pkt_inside.h renamed.c types.txt '"
              " && test -e out/inner/types.c");
    run_silently("--check -o out importer.pkt");
    run_silently("--prune --no-runtime -o out importer.pkt");
    run_shell("test ! -e out/pkt.c && test ! -e out/pkt.h && test ! -e out/pkt_inside.h");
    file_write("importer.pkt", BROKEN);
    process_result broken = run_for(1, "--prune -o out importer.pkt");
    process_free(&broken);
    assert_true(exists("out/importer.c"));
    file_write("out/gone.pkt", "protocol gone = 1;\npacket P { u8 n; }\n");
    run_silently("out/gone.pkt");
    assert_true(exists("gone.h"));
    run_silently("--prune small.pkt");
    assert_false(exists("gone.h"));
    assert_true(exists("small.h"));
}

int main(void)
{
    cli_begin("targets");
    return cli_end(run_all(set_up));
}
