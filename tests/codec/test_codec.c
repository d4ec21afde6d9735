/* test_codec.c - tests the commands pktc decode and pktc encode: their output and their errors.
 * SPDX-License-Identifier: MIT
 *
 * NAME.json in this directory is encoded to NAME.hex, and that is decoded to NAME.decoded and NAME.bits. `test_codec
 * --refresh` rewrites these files. Read what has changed. The vectors and `make differential` test that bytes and
 * errors are right.
 */
#include "process.h"
#define OWN_MAIN
#include "unit.h"

#include <string.h>

#define DIRECTORY "tests/codec"
#define SCHEMA DIRECTORY "/forms.pkt"

static const struct {
    const char *name, *type;
} samples[] = {{"forms", "Forms"}, {"subsets", "Subsets"}, {"bare", "Bare"}, {"halves", "Halves"}, {"steps", "Steps"}};
enum { SAMPLE_COUNT = sizeof samples / sizeof samples[0] };

/* A shell command that prints the bytes of hexadecimal digits. */
static char *printing(const char *hex)
{
    size_t count = strlen(hex) / 2;
    char *command = malloc(16 + 4 * count), *to = command;
    to += sprintf(to, "printf '");
    for (size_t i = 0; i < count; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        to += sprintf(to, "\\%03o", byte);
    }
    strcpy(to, "'");
    return command;
}

static process_result decode(const char *options, const char *type, const char *hex)
{
    char *bytes = printing(hex);
    process_result result =
        process_run("%s | %s decode %s " SCHEMA " %s", bytes, setting("PKTC_SANITIZED"), options, type);
    free(bytes);
    return result;
}

static process_result encode(const char *options, const char *type, const char *json)
{
    char *path = text_format("%s/codec.json", setting("SCRATCH"));
    file_write(path, json);
    process_result result = process_run("%s encode %s " SCHEMA
                                        " %s < '%s' > '%s.bytes'; status=$?; od -An -v -tx1 '%s.bytes' | tr -d ' \\n';"
                                        " exit $status",
                                        setting("PKTC_SANITIZED"), options, type, path, path, path);
    free(path);
    return result;
}

static char *expected_path(const char *name, const char *ending)
{
    return text_format(DIRECTORY "/%s.%s", name, ending);
}

static char *expected(const char *name, const char *ending)
{
    char *path = expected_path(name, ending), *text = file_read(path);
    free(path);
    assert_non_null(text);
    return text;
}

static void check_prints(process_result result, const char *wanted)
{
    assert_string_equal(result.err, "");
    assert_int_equal(result.status, 0);
    assert_string_equal(result.out, wanted);
    process_free(&result);
}

TEST(test_samples)
{
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        const char *type = samples[i].type;
        char *json = expected(samples[i].name, "json"), *hex = expected(samples[i].name, "hex");
        char *decoded = expected(samples[i].name, "decoded"), *bits = expected(samples[i].name, "bits");
        check_prints(encode("", type, json), hex);
        check_prints(decode("", type, hex), decoded);
        check_prints(decode("--bits", type, hex), bits);
        check_prints(encode("", type, decoded), hex);
        free(bits);
        free(decoded);
        free(hex);
        free(json);
    }
}

static void refresh(const char *name, const char *ending, process_result result)
{
    char *path = expected_path(name, ending);
    file_write(path, result.out);
    fputs(result.err, stderr);
    process_free(&result);
    free(path);
}

static void refresh_samples(void)
{
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        char *json = expected(samples[i].name, "json");
        refresh(samples[i].name, "hex", encode("", samples[i].type, json));
        char *hex = expected(samples[i].name, "hex");
        refresh(samples[i].name, "decoded", decode("", samples[i].type, hex));
        refresh(samples[i].name, "bits", decode("--bits", samples[i].type, hex));
        free(hex);
        free(json);
    }
}

/* ---- empty texts */

static void check_bits_of_empty(const char *options, const char *type, const char *json, const char *wanted)
{
    char *path = text_format("%s/empty.pkt", setting("SCRATCH"));
    const char *pktc = setting("PKTC_SANITIZED");
    file_write(path, "protocol empty = 1;\n"
                     "struct Inner { bytes<3> blob; string<3> text; }\n"
                     "union Either { Inner inner; }\n"
                     "struct Texts @delta {\n"
                     "    string<5> row[2], list[<=2], grid[1][2];\n"
                     "    bytes<2> blobs[<=1];\n"
                     "    Inner inner[1];\n"
                     "    Either either;\n"
                     "    optional string<3> maybe;\n"
                     "    u8 end;\n"
                     "}\n"
                     "struct Sparse { sparse<bitmap> string<1> some[2]; u8 end; }\n");
    check_prints(process_run("printf '%%s' '%s' | %s encode %s '%s' %s | %s decode --bits %s '%s' %s", json, pktc,
                             options, path, type, pktc, options, path, type),
                 wanted);
    free(path);
}

/* The third item of an empty text is not there, so its value is shown at no other item. */
/* Null of an optional ref is absent, and 0 a present null. */
TEST(test_optional_refs)
{
    static const char *const values[] = {"{\"o\":0,\"all\":[null,5],\"r\":null}",
                                         "{\"o\":null,\"all\":[null,null],\"r\":3}",
                                         "{\"o\":4,\"all\":null,\"r\":null}"};
    char *schema = text_format("%s/refs.pkt", setting("SCRATCH")),
         *path = text_format("%s/refs.json", setting("SCRATCH"));
    file_write(schema, "protocol r = 1; struct D { optional ref<D, 5> o; optional ref<D, 5> all[2]; ref<D, 5> r; }");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        file_write(path, values[i]);
        process_result result = process_run("%s encode '%s' D '%s' | %s decode '%s' D | tr -d ' \n'", setting("PKTC"),
                                            schema, path, setting("PKTC"), schema);
        assert_string_equal(result.out, values[i]);
        process_free(&result);
    }
    free(schema);
    free(path);
}

TEST(test_bits_of_empty_texts)
{
    static const char json[] = "{\"row\": [\"\", \"a\"], \"list\": [\"\", \"\"], \"blobs\": [\"\"],"
                               " \"inner\": [{}], \"maybe\": \"\"}";
    char *base = text_format("%s/empty.json", setting("SCRATCH")), *delta = text_format("--base '%s'", base);
    file_write(base, "{\"row\": [\"x\", \"a\"], \"grid\": [[\"y\", \"z\"]],"
                     " \"inner\": [{\"blob\": \"07\", \"text\": \"w\"}], \"either\": {\"inner\": {\"text\": \"v\"}}}");
    check_bits_of_empty("", "Texts", json,
                        "     bit   bits  raw                   field\n"
                        "       0      3  0                     Texts.row[0]\n"
                        "       3      5  0                     Texts.row[0]\n"
                        "       8      3  1                     Texts.row[1]\n"
                        "      11      5  0                     Texts.row[1]\n"
                        "      16      8  97                    Texts.row[1] = \"a\"\n"
                        "      24      2  2                     Texts.list_count\n"
                        "      26      3  0                     Texts.list[0]\n"
                        "      29      3  0                     Texts.list[0]\n"
                        "      32      3  0                     Texts.list[1]\n"
                        "      35      5  0                     Texts.list[1]\n"
                        "      40      3  0                     Texts.grid[0][0]\n"
                        "      43      5  0                     Texts.grid[0][0]\n"
                        "      48      3  0                     Texts.grid[0][1]\n"
                        "      51      5  0                     Texts.grid[0][1]\n"
                        "      56      1  1                     Texts.blobs_count\n"
                        "      57      2  0                     Texts.blobs_size[0]\n"
                        "      59      5  0                     Texts.blobs[0]\n"
                        "      64      2  0                     Texts.inner[0].blob_size\n"
                        "      66      6  0                     Texts.inner[0].blob\n"
                        "      72      2  0                     Texts.inner[0].text\n"
                        "      74      6  0                     Texts.inner[0].text\n"
                        "      80      0  0                     Texts.either.tag = inner\n"
                        "      80      2  0                     Texts.either.inner.blob_size\n"
                        "      82      6  0                     Texts.either.inner.blob\n"
                        "      88      2  0                     Texts.either.inner.text\n"
                        "      90      6  0                     Texts.either.inner.text\n"
                        "      96      1  1                     Texts.has_maybe\n"
                        "      97      2  0                     Texts.maybe\n"
                        "      99      5  0                     Texts.maybe\n"
                        "     104      8  0                     Texts.end\n");
    check_bits_of_empty(
        delta, "Texts", json,
        "     bit   bits  raw                   field\n"
        "       0      8  127                   Texts.changes = row, list, grid, blobs, inner, either, maybe\n"
        "       8      1  1                     Texts.row\n"
        "       9      2  1                     Texts.row\n"
        "      11      3  0                     Texts.row[0]\n"
        "      14      2  0                     Texts.row[0]\n"
        "      16      2  2                     Texts.list_count\n"
        "      18      1  1                     Texts.list\n"
        "      19      2  0                     Texts.list\n"
        "      21      1  1                     Texts.grid\n"
        "      22      1  1                     Texts.grid\n"
        "      23      1  1                     Texts.grid[0]\n"
        "      24      2  3                     Texts.grid[0]\n"
        "      26      3  0                     Texts.grid[0][0]\n"
        "      29      3  0                     Texts.grid[0][0]\n"
        "      32      3  0                     Texts.grid[0][1]\n"
        "      35      5  0                     Texts.grid[0][1]\n"
        "      40      1  1                     Texts.blobs_count\n"
        "      41      1  1                     Texts.blobs\n"
        "      42      1  0                     Texts.blobs\n"
        "      43      1  1                     Texts.inner\n"
        "      44      1  1                     Texts.inner\n"
        "      45      2  3                     Texts.inner[0].changes = blob, text\n"
        "      47      2  0                     Texts.inner[0].blob_size\n"
        "      49      7  0                     Texts.inner[0].blob\n"
        "      56      2  0                     Texts.inner[0].text\n"
        "      58      6  0                     Texts.inner[0].text\n"
        "      64      0  0                     Texts.either.tag = inner\n"
        "      64      2  2                     Texts.either.inner.changes = text\n"
        "      66      2  0                     Texts.either.inner.text\n"
        "      68      4  0                     Texts.either.inner.text\n"
        "      72      1  1                     Texts.has_maybe\n"
        "      73      2  0                     Texts.maybe\n"
        "      75      5  0                     Texts.maybe\n");
    check_bits_of_empty("", "Sparse", "{\"some\": [[0, \"\"], [1, \"\"]]}",
                        "     bit   bits  raw                   field\n"
                        "       0      2  3                     Sparse.some\n"
                        "       2      1  0                     Sparse.some[0]\n"
                        "       3      5  0                     Sparse.some[0]\n"
                        "       8      1  0                     Sparse.some[1]\n"
                        "       9      7  0                     Sparse.some[1]\n"
                        "      16      8  0                     Sparse.end\n");
    free(delta);
    free(base);
}

/* ---- deltas */

TEST(test_deltas)
{
    char *base = expected("forms", "json"), *hex, *path = text_format("%s/base.json", setting("SCRATCH"));
    char *none = text_format("%s/null.json", setting("SCRATCH")), *option = text_format("--base '%s'", path);
    char *without = text_format("--base '%s'", none);
    file_write(path, base);
    file_write(none, "null\n");
    process_result same = encode(option, "Forms", base), more;
    assert_int_equal(same.status, 0);
    hex = text_format("%s", same.out);
    /* The CRC, the mask of 26 fields and that of the branch, padding, the check, the end check. */
    assert_int_equal(strlen(hex), 2 * 16);
    process_free(&same);
    same = decode(option, "Forms", hex);
    more = decode("", "Forms", hex);
    char *decoded = expected("forms", "decoded");
    /* What has not changed is as in the baseline, not rounded. */
    assert_non_null(strstr(same.out, "\"turn\": [0.0, 0.0, 0.6, 0.8]"));
    assert_int_equal(same.status, 0);
    assert_int_equal(more.status, 1);
    assert_string_equal(more.err,
                        "pktc: error: refused: Forms.least: data ends too early at bit 97 (end)\n"
                        "      = help: its crc is right, so it can be a delta; --base FILE names its baseline\n");
    process_free(&more);
    process_free(&same);
    free(hex);
    hex = expected("forms", "hex");
    hex[strcspn(hex, "\n")] = '\0';
    more = decode(without, "Forms", hex);
    assert_string_equal(more.err, "pktc: error: refused: Forms.turn: value out of range at bit 418 (range)\n"
                                  "      = help: it is no delta: leave out --base\n");
    process_free(&more);
    free(hex);
    more = encode(without, "Forms", base);
    assert_int_equal(more.status, 0);
    check_prints(decode(without, "Forms", more.out), decoded);
    process_free(&more);
    more = encode(without, "Subsets", "{}");
    assert_string_equal(more.err, "pktc: error: 'Subsets' cannot be sent as a delta, because it is not @delta\n");
    process_free(&more);
    free(decoded);
    free(without);
    free(option);
    free(none);
    free(path);
    free(base);
}

/* ---- streams */

static void check_says(process_result result, int status, const char *message)
{
    char *wanted = text_format("pktc: error: %s\n", message);
    assert_string_equal(result.err, wanted);
    assert_int_equal(result.status, status);
    free(wanted);
    process_free(&result);
}

#define FRAMES "tests/roundtrip/frames.pkt"
#define PARTS "'Header, State delta, Event*'"

/* The bytes that generated code writes in tests/roundtrip/test_frames.c. */
static const char update_hex[] = "4c46fc6d07000100ffffffff9b018c8e15836aa88aeaa8926a5fb16809";

static process_result stream(const char *command, const char *options, const char *types, const char *input)
{
    return process_run("printf '%%s' '%s' | %s %s --hex %s " FRAMES " %s", input, setting("PKTC_SANITIZED"), command,
                       options, types);
}

TEST(test_frames)
{
    char *path = text_format("%s/frame-base.json", setting("SCRATCH"));
    char *options = text_format("--frame Update --seed 0x2222222222222222 --base '%s'", path);
    char *unseeded = text_format("--frame Update --base '%s'", path);
    file_write(path, "{\"tick\": 101, \"bodies\": [{\"x\": 1}, {\"x\": 2.5}, {\"x\": 4}]}");
    process_result read = stream("decode", options, PARTS, update_hex);
    assert_string_equal(read.err, "");
    assert_memory_equal(read.out, "[\n    {\"Header\": {\n        \"sequence\": 7,\n", 41);
    assert_non_null(strstr(read.out, "    }},\n    {\"State\": {\n        \"tick\": 102,\n"));
    assert_non_null(
        strstr(read.out, "    {\"Event\": {\"hit\": {\n        \"body\": 4,\n        \"damage\": 42\n    }}}\n]\n"));
    process_result written = stream("encode", options, PARTS, read.out);
    assert_string_equal(written.err, "");
    assert_memory_equal(written.out, update_hex, sizeof update_hex - 1);
    process_free(&written);
    process_free(&read);
    read = stream("decode --bits", options, PARTS, update_hex);
    assert_non_null(strstr(read.out, "       0     32  1845249612            Update.crc\n"
                                     "      32     16  7                     Header.sequence\n"));
    assert_non_null(strstr(read.out, "     197     32  "));
    assert_non_null(strstr(read.out, "            Update.end check\n"));
    process_free(&read);
    read = stream("decode", unseeded, PARTS, update_hex);
    assert_string_equal(
        read.err,
        "pktc: error: refused: Update.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)\n");
    assert_int_equal(read.status, 1);
    process_free(&read);
    read = stream("decode", options, "'Header, State delta'", update_hex);
    assert_string_equal(read.err, "pktc: error: refused: Update.end check: constant differs at bit 137 (check)\n");
    process_free(&read);
    free(unseeded);
    free(options);
    free(path);
}

/* Without a frame a stream is its values alone. A type may occur more than once. */
TEST(test_bare_streams)
{
    static const char json[] = "[{\"Hit\": {\"body\": 3}}, {\"Hit\": {}}, {\"Header\": {\"sequence\": 1}}]";
    process_result written = stream("encode", "", "'Hit*,Header'", json);
    assert_string_equal(written.err, "");
    assert_string_equal(written.out, "0300400000000000000000\n");
    process_free(&written);
    check_prints(stream("encode", "", "'Hit *'", "[]"), "\n");
    check_prints(stream("decode", "", "'Hit *'", ""), "[]\n");
    check_prints(stream("encode --seed 1", "--frame F", "Hit", "[{\"Hit\":{}}]"), "9015189d00d0420b7605\n");
}

TEST(test_wrong_streams)
{
    static const struct {
        const char *command, *options, *types, *input;
        const char *message;
    } cases[] = {
        {"decode", "", "'Header, Sate'", "",
         "there is no struct, packet or union 'Sate'\n      = help: did you mean 'State'?"},
        {"decode", "", "'Header,'", "",
         "'Header,' is not a list of types: expected the name of a type, found the end\n      = help: a list looks like 'Header, State delta, Event*'"},
        {"decode", "", "'Header; State'", "",
         "'Header; State' is not a list of types: expected ',' or the end, found '; State'\n      = help: a list looks like 'Header, State delta, Event*'"},
        {"decode", "--frame F", "Heade", "",
         "there is no struct, packet or union 'Heade'\n      = help: did you mean 'Header'?"},
        {"decode", "", "'State delta'", "", "'State delta' needs --base"},
        {"decode", "--base none.json", "'Header, Hit'", "",
         "--base needs a type in the list that is followed by 'delta'"},
        {"decode", "--base none.json", "'State delta, State delta'", "",
         "only one value of a stream can be a delta to --base"},
        {"decode", "--base none.json", "'State delta*'", "", "only one value of a stream can be a delta to --base"},
        {"decode", "--base none.json", "'Header delta'", "",
         "'Header' cannot be sent as a delta, because it is not @delta"},
        {"decode", "--frame F", "Header", "012345", "refused: F.crc: data ends too early at bit 0 (end)"},
        {"decode", "", "'Header, Hit'", "0700000000000000", "refused: Hit.body: data ends too early at bit 64 (end)"},
        {"encode", "", "'Header, Hit'", "{}", "standard input: stream: expected an array of values, found an object"},
        {"encode", "", "'Header, Hit'", "[1]",
         "standard input: stream[0]: expected an object with one member, named like its type"},
        {"encode", "", "'Header, Hit'", "[{\"Hit\":{}}]", "standard input: stream[0]: expected 'Header', found 'Hit'"},
        {"encode", "", "'Header, Hit'", "[{\"Header\":{}}]", "standard input: stream: 'Hit' is missing at the end"},
        {"encode", "", "'Header, Hit*'", "[{\"Header\":{}},{\"Header\":{}}]",
         "standard input: stream[1]: 'Header' is one value too many"},
        {"encode", "", "'Hit*'", "[{\"Hit\":{\"body\":16}}]",
         "standard input: stream[0].Hit.body: the value must be from 0 to 15, not 16"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_says(stream(cases[i].command, cases[i].options, cases[i].types, cases[i].input), 1, cases[i].message);
}

/* ---- bytes that are part of something else, or not what was asked for */

TEST(test_parts)
{
    char *hex = expected("forms", "hex"), *decoded = expected("forms", "decoded");
    hex[strcspn(hex, "\n")] = '\0';
    process_result body = encode("--body", "Forms", decoded);
    assert_string_equal(body.err, "");
    assert_memory_equal(body.out, hex + 8, 40);
    body.out[strcspn(body.out, "\n")] = '\0';
    check_prints(decode("--body", "Forms", body.out), decoded);
    check_says(decode("", "Forms", body.out), 1,
               "refused: Forms.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)\n"
               "      = help: it can be a body without crc; --body reads those");
    check_says(decode("--body", "Forms", hex), 1,
               "refused: Forms.way: value out of range at bit 392 (range)\n"
               "      = help: it is a whole packet, with its crc: leave out --body");
    check_says(decode("--skip 32", "Bare", "000000002061ff"), 1, "refused: bytes left over at bit 48 (trailing)");
    check_says(decode("--skip 3", "Forms", hex), 1, "--skip 3: a packet or frame begins at a whole byte");
    check_says(decode("--body", "Bare", ""), 1, "--body is for packets, and 'Bare' is none");
    check_says(decode("--ignore-crc", "Bare", ""), 1, "--ignore-crc is for packets and frames, and 'Bare' has no crc");
    char *after = text_format("ffff%s", hex);
    check_prints(decode("--skip 16", "Forms", after), decoded);
    after[4] = after[4] == '0' ? '1' : '0';
    check_says(decode("--skip 16", "Forms", after), 1,
               "refused: Forms.crc: damaged, or of another protocol, seed or baseline at bit 16 (crc)");
    check_prints(decode("--skip 16 --ignore-crc", "Forms", after), decoded);
    check_says(decode("", "Subsets", hex), 1,
               "refused: Subsets.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)\n"
               "      = help: its crc is that of packet 'Forms'");
    free(after);
    process_free(&body);
    free(decoded);
    free(hex);
}

/* ---- errors */

TEST(test_refusals)
{
    static const struct {
        const char *type, *hex, *message;
    } cases[] = {
        {"Bare", "20", "refused: Bare.s: data ends too early at bit 8 (end)"},
        {"Bare", "0800", "refused: Bare.reserved: constant differs at bit 3 (check)"},
        {"Bare", "c000", "refused: Bare.s: value out of range at bit 5 (range)"},
        {"Bare", "2080", "refused: Bare.s: text is not valid UTF-8 at bit 8 (utf8)"},
        {"Bare", "2061ff", "refused: bytes left over at bit 16 (trailing)"},
        {"Bare", "", "refused: Bare.a: data ends too early at bit 0 (end)"},
        {"Forms", "010203", "refused: Forms.crc: data ends too early at bit 0 (end)"},
        {"Forms", "0102030405", "refused: Forms.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_says(decode("", cases[i].type, cases[i].hex), 1, cases[i].message);
    process_result listed = decode("--bits", "Bare", "2061ff");
    assert_int_equal(listed.status, 1);
    assert_non_null(strstr(listed.out, "Bare.s\n"));
    process_free(&listed);
}

TEST(test_wrong_json)
{
    static const struct {
        const char *type, *json, *message;
    } cases[] = {
        {"Bare", "{\"a\": 8}", "Bare.a: the value must be from 0 to 7, not 8"},
        {"Bare", "{\"a\": 1.5}", "Bare.a: expected an integer, found a number with a fraction or an exponent"},
        {"Bare", "{\"a\": 1e3}", "Bare.a: expected an integer without a point or an exponent: write 1000"},
        {"Bare", "{\"a\": -2.0}", "Bare.a: expected an integer without a point or an exponent: write -2"},
        {"Bare", "{\"a\": 1e300}", "Bare.a: expected an integer, found a number with a fraction or an exponent"},
        {"Bare", "{\"a\": \"x\"}", "Bare.a: 'x' is not an integer"},
        {"Bare", "{\"b\": 1}", "Bare: Bare has no field 'b'"},
        {"Bare", "[]", "Bare: expected an object, found an array"},
        {"Bare", "{\"s\": \"abcdef\"}", "Bare.s: the string has 6 bytes; at most 5 are allowed"},
        {"Bare", "{\"s\": null}", "Bare.s: expected a string, found null"},
        {"Bare", "{\"a\": 1, \"a\": 2}", "line 1, column 12: duplicate object key near '\"a\"'"},
        {"Bare", "{", "line 1, column 1: string or '}' expected near end of file"},
        {"Forms", "{\"on\": 1}", "Forms.on: expected true or false, found an integer"},
        {"Forms", "{\"large\": -1}", "Forms.large: the value must be from 0 to 18446744073709551615, not -1"},
        {"Forms", "{\"large\": \"18446744073709551616\"}", "Forms.large: '18446744073709551616' is not an integer"},
        {"Forms", "{\"large\": 9223372036854775808}",
         "line 1, column 29: too big integer near '9223372036854775808'; write it in quotes, or with a point in a real field"},
        {"Forms", "{\"large\": -9223372036854775809}",
         "line 1, column 30: too big negative integer near '-9223372036854775809'; write it in quotes, or with a point in a "
         "real field"},
        {"Forms", "{\"keys\": [\"fire\", \"fire\"]}", "Forms.keys: 'fire' is named twice"},
        {"Forms", "{\"team\": \"pink\"}", "Forms.team: Team has no member 'pink'"},
        {"Forms", "{\"team\": 3}", "Forms.team: Team has no member of value 3"},
        {"Forms", "{\"weapon\": 16}", "Forms.weapon: the value must be from 0 to 15, not 16"},
        {"Forms", "{\"keys\": [\"fire\", \"run\"]}", "Forms.keys: Keys has no member 'run'"},
        {"Forms", "{\"raw\": 1e39}", "Forms.raw: the number is too large for a float"},
        {"Forms", "{\"raw\": \"0x1\"}",
         "Forms.raw: expected \"inf\", \"-inf\" or the bits as 0x and 8 digits, found \"0x1\""},
        {"Forms", "{\"turn\": [0, 0, 1]}", "Forms.turn: expected an array of 4 numbers"},
        {"Forms", "{\"turn\": [0, 0, 1, \"x\"]}",
         "Forms.turn[3]: expected \"inf\", \"-inf\" or the bits as 0x and 8 digits, found \"x\""},
        {"Forms", "{\"blob\": \"0\"}", "Forms.blob: expected a string of hexadecimal digits, two per byte"},
        {"Forms", "{\"blob\": \"0001020304\"}", "Forms.blob: there are 5 bytes; at most 4 are allowed"},
        {"Forms", "{\"target\": 101}", "Forms.target: the value must be from 0 to 100, not 101"},
        {"Forms", "{\"shape\": {}}", "Forms.shape: expected an object with one member, named like a member of Shape"},
        {"Forms", "{\"shape\": {\"box\": {}}}", "Forms.shape: Shape has no member 'box'"},
        {"Forms", "{\"shape\": {\"label\": {\"y\": 1}}}", "Forms.shape.label: Label has no field 'y'"},
        {"Forms", "{\"pair\": [1, 2, 3]}", "Forms.pair: expected an array of at most 2 elements, found 3"},
        {"Forms", "{\"keys\": \"fier\"}", "Forms.keys: Keys has no member 'fier': did you mean 'fire'?"},
        {"Forms", "{\"paor\": 1}", "Forms: Forms has no field 'paor': did you mean 'pair'?"},
        {"Forms", "{\"grid\": [[1, 2, 3], [4, 5, 256]]}", "Forms.grid[1][2]: the value must be from 0 to 255, not 256"},
        {"Forms", "{\"path\": [{}, {}, {}, {}]}", "Forms.path: expected an array of 0 to 3 elements, found 4"},
        {"Forms", "{\"path\": [{}, {\"x\": true}]}", "Forms.path[1].x: expected an integer, found a bool"},
        {"Forms", "{\"score\": 1}",
         "Forms.score: with the values of the fields before it, this field is not on the wire"},
        {"Subsets", "{\"levels\": [[300, 1]]}", "Subsets.levels[0]: the value must be from 0 to 299, not 300"},
        {"Subsets", "{\"levels\": [[3, 1], [3, 2]]}", "Subsets.levels[1]: indices must be in ascending order"},
        {"Subsets", "{\"levels\": [1]}", "Subsets.levels[0]: expected [index, element]"},
        {"Subsets", "{\"bodies\": [[8, {\"x\": true}]]}", "Subsets.bodies[8].x: expected an integer, found a bool"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *message = text_format("standard input: %s", cases[i].message);
        check_says(encode("", cases[i].type, cases[i].json), 1, message);
        free(message);
    }
    check_says(encode("", "Forms", "{\"turn\": [0, 0, 0, 0]}"), 1,
               "cannot be written: Forms.turn: value out of range at bit 370 (range)");
}

/* Hexadecimal digits in the forms that other programs print. */
TEST(test_hex)
{
    const char *pktc = setting("PKTC_SANITIZED"), *room = setting("SCRATCH");
    char *hex = expected("forms", "hex"), *decoded = expected("forms", "decoded"), *bits = expected("forms", "bits");
    static const char *const forms[] = {"s/../& /g",      "s/../&:/g",  "s/../0x&, /g",
                                        "s/../0X&,\\n/g", "s/.*/\\U&/", "s/^/0x/"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        check_prints(process_run("printf '%s' | sed '%s' | %s decode --hex " SCHEMA " Forms", hex, forms[i], pktc),
                     decoded);
    check_prints(process_run("printf '%s' | %s decode --hex --bits " SCHEMA " Forms -", hex, pktc), bits);
    check_prints(process_run("printf '%s' > '%s/forms.hex' && %s decode --hex " SCHEMA " Forms '%s/forms.hex'", hex,
                             room, pktc, room),
                 decoded);
    char *line = text_format("%s\n", hex);
    check_prints(process_run("%s encode --hex " SCHEMA " Forms " DIRECTORY "/forms.json", pktc), line);
    check_prints(process_run("%s encode " SCHEMA " Forms " DIRECTORY "/forms.json > '%s/forms.bin' &&"
                             " %s decode " SCHEMA " Forms '%s/forms.bin'",
                             pktc, room, pktc, room),
                 decoded);
    process_result forgotten = process_run("printf '%s\n' | %s decode " SCHEMA " Forms", hex, pktc);
    assert_string_equal(
        forgotten.err,
        "pktc: error: refused: Forms.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)\n"
        "      = help: the input is hexadecimal digits; --hex reads those\n");
    process_free(&forgotten);
    static const char *const wrong[] = {"0", "0 1", "0x", "0x1", "12\\ng1", "12 x34", "ab-cd", "1 23"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        process_result result = process_run("printf '%s' | %s decode --hex " SCHEMA " Forms", wrong[i], pktc);
        char *message =
            text_format("pktc: error: standard input: line %d: expected two hexadecimal digits for each byte\n"
                        "      = help: `xxd -p FILE` prints bytes as such digits\n",
                        strchr(wrong[i], 'n') ? 2 : 1);
        assert_string_equal(result.err, message);
        assert_int_equal(result.status, 1);
        free(message);
        process_free(&result);
    }
    free(line);
    free(bits);
    free(decoded);
    free(hex);
}

/* The messages in a terminal, which script of util-linux simulates. */
TEST(test_terminal)
{
    process_result there = process_run("script --version");
    bool lacks = there.status != 0 || !strstr(there.out, "util-linux");
    process_free(&there);
    if (lacks)
        skip();
    process_result result =
        process_run("printf '\\004' | script -qec '%s decode " SCHEMA " Bare' /dev/null", setting("PKTC"));
    assert_non_null(strstr(result.out, "pktc: reading bytes from the terminal, until Ctrl-D at the start of a line"));
    process_free(&result);
    result = process_run("script -qec '%s encode " SCHEMA " Forms " DIRECTORY "/forms.json' /dev/null < /dev/null",
                         setting("PKTC"));
    assert_non_null(strstr(result.out, "standard output is a terminal, and the bytes are not text"));
    process_free(&result);
}

TEST(test_wrong_use)
{
    static const struct {
        const char *arguments;
        int status;
        const char *message;
    } cases[] = {
        {"decode", 2,
         "pktc: decode needs one .pkt file and the name of a type, or a recording; try 'pktc help decode'\n"},
        {"decode " SCHEMA, 2,
         "pktc: decode needs one .pkt file and the name of a type, or a recording; try 'pktc help decode'\n"},
        {"encode " SCHEMA " Forms a.json b.json", 2,
         "pktc: encode needs one .pkt file and the name of a type; try 'pktc help encode'\n"},
        {"encode --hex --bits " SCHEMA " Forms", 2,
         "pktc: --hex and --bits cannot be combined; try 'pktc help encode'\n"},
        {"encode -o x " SCHEMA " Forms", 2, "pktc: encode has no option -o; try 'pktc help encode'\n"},
        {"encode " SCHEMA " Forms none.json", 1, "pktc: error: cannot read 'none.json': No such file or directory\n"},
        {"decode " SCHEMA " Forms none.bin", 1, "pktc: error: cannot read 'none.bin': No such file or directory\n"},
        {"encode --layout " SCHEMA " Forms", 2, "pktc: encode and layout cannot be combined; try 'pktc help encode'\n"},
        {"--bits " SCHEMA, 2, "pktc: --bits is an option of decode and encode; try 'pktc --help'\n"},
        {"decode " SCHEMA " Form </dev/null", 1,
         "pktc: error: there is no struct, packet or union 'Form'\n      = help: did you mean 'Forms'?\n"},
        {"decode --seed 5 " SCHEMA " Forms", 1, "pktc: error: --seed needs --frame, or a packet with parts or @seed\n"},
        {"wireshark --seed 5 " SCHEMA, 1, "pktc: error: --seed needs --stream, or a packet with parts or @seed\n"},
        {"decode --frame F --seed -1 " SCHEMA " Forms", 2,
         "pktc: --seed takes a number from 0 to 2^64 - 1, not '-1'; try 'pktc help decode'\n"},
        {"decode --frame F --seed 18446744073709551616 " SCHEMA " Forms", 2,
         "pktc: --seed takes a number from 0 to 2^64 - 1, not '18446744073709551616'; try 'pktc help decode'\n"},
        {"decode --frame F --seed 0x " SCHEMA " Forms", 2,
         "pktc: --seed takes a number from 0 to 2^64 - 1, not '0x'; try 'pktc help decode'\n"},
        {"decode --base none.json " SCHEMA " Forms </dev/null", 1,
         "pktc: error: cannot read 'none.json': No such file or directory\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        process_result result = process_run("%s %s", setting("PKTC_SANITIZED"), cases[i].arguments);
        assert_string_equal(result.err, cases[i].message);
        assert_int_equal(result.status, cases[i].status);
        process_free(&result);
    }
}

/* --changes: members, elements and sides that differ from the baseline. */
TEST(test_changes)
{
    static const char schema[] = "protocol ch = 1;\n"
                                 "struct A { u8 x; u8 y; }\n"
                                 "struct B { u16 z; }\n"
                                 "union U { A a; B b; }\n"
                                 "struct State @delta {\n"
                                 "    u32 tick;\n"
                                 "    bool fast;\n"
                                 "    if (fast) { u8 speed; u8 gear; }\n"
                                 "    A one;\n"
                                 "    A list[<=4];\n"
                                 "    u8 grid[2][3];\n"
                                 "    optional A maybe;\n"
                                 "    U u;\n"
                                 "    string<8> name;\n"
                                 "    quat<9> turn;\n"
                                 "}\n";
    static const char *const values[] = {
        "{\"tick\":1,\"fast\":true,\"speed\":3,\"gear\":1,\"one\":{\"x\":1,\"y\":2},\"list\":[{\"x\":1,\"y\":1},{\"x\":2,\"y\":2}],\"grid\":[[1,2,3],[4,5,6]],\"maybe\":{\"x\":1,\"y\":2},\"u\":{\"a\":{\"x\":1}},\"name\":\"hi\",\"turn\":[0,0,0,1]}",
        "{\"tick\":2,\"fast\":true,\"speed\":4,\"gear\":1,\"one\":{\"x\":1,\"y\":3},\"list\":[{\"x\":1,\"y\":1},{\"x\":2,\"y\":5},{\"x\":3,\"y\":3}],\"grid\":[[1,2,3],[4,7,6]],\"maybe\":null,\"u\":{\"a\":{\"y\":1}},\"name\":\"ho\",\"turn\":[0,0,0,1]}",
        "{\"tick\":2,\"fast\":false,\"one\":{\"x\":1,\"y\":3},\"list\":[{\"x\":1,\"y\":1}],\"grid\":[[1,2,3],[4,7,6]],\"maybe\":{\"x\":4},\"u\":{\"b\":{\"z\":9}},\"name\":\"ho\",\"turn\":[0,0,1,0]}",
    };
    static const char *const changes[] = {
        "{\n"
        "    \"tick\": 2,\n"
        "    \"speed\": 4,\n"
        "    \"one\": {\n"
        "        \"y\": 3\n"
        "    },\n"
        "    \"list_count\": 3,\n"
        "    \"list\": [\n"
        "        [1, {\n"
        "            \"y\": 5\n"
        "        }],\n"
        "        [2, {\n"
        "            \"x\": 3,\n"
        "            \"y\": 3\n"
        "        }]\n"
        "    ],\n"
        "    \"grid\": [[1, [[1, 7]]]],\n"
        "    \"maybe\": null,\n"
        "    \"u\": {\"a\": {\n"
        "        \"x\": 0,\n"
        "        \"y\": 1\n"
        "    }},\n"
        "    \"name\": \"ho\"\n"
        "}\n",
        "{\n"
        "    \"fast\": false,\n"
        "    \"list_count\": 1,\n"
        "    \"list\": [],\n"
        "    \"maybe\": {\n"
        "        \"x\": 4,\n"
        "        \"y\": 0\n"
        "    },\n"
        "    \"u\": {\"b\": {\n"
        "        \"z\": 9\n"
        "    }},\n"
        "    \"turn\": [0.0, 0.0, 1.0, 0.0]\n"
        "}\n",
        "{}\n",
    };
    char *path = text_format("%s/changes.pkt", setting("SCRATCH")),
         *base = text_format("%s/before.json", setting("SCRATCH"));
    file_write(path, schema);
    for (size_t i = 0; i < 3; i++) {
        const char *now = values[i < 2 ? i + 1 : i];
        file_write(base, values[i]);
        process_result r = process_run("echo '%s' | %s encode --base '%s' '%s' State | "
                                       "%s decode --changes --base '%s' '%s' State",
                                       now, setting("PKTC"), base, path, setting("PKTC_SANITIZED"), base, path);
        assert_string_equal(r.err, "");
        assert_string_equal(r.out, changes[i]);
        process_free(&r);
    }
    /* A delta to base values is a whole value. */
    file_write(base, "null");
    process_result whole = process_run("echo '%s' | %s encode --base '%s' '%s' State | "
                                       "%s decode --changes --base '%s' '%s' State | head -n 3",
                                       values[1], setting("PKTC"), base, path, setting("PKTC"), base, path);
    assert_string_equal(whole.out, "{\n    \"tick\": 2,\n    \"fast\": true,\n");
    process_free(&whole);
    free(path);
    free(base);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--refresh") == 0) {
        refresh_samples();
        return 0;
    }
    return run_all(NULL);
}
