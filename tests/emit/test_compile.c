/* test_compile.c - tests that difficult names and comments give C that compiles without warnings, as C99 and C++11.
 * SPDX-License-Identifier: MIT
 */
#include "emit/names.h"
#include "process.h"
#include "unit.h"

#include <string.h>

#define WARNINGS "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only"

/* These warnings take clang most of its time. tests/emit/generated.sh has them. */
#define QUICK " -Wno-uninitialized -Wno-sometimes-uninitialized -Wno-conditional-uninitialized"

/* All compilers, as C and as C++; those that are not installed are skipped. */
static const char *const compilers[] = {
    "gcc -x c -std=c99 -Wbidi-chars=any -fmax-errors=20 " WARNINGS,
    "gcc -x c++ -std=c++11 -Wbidi-chars=any -fmax-errors=20 " WARNINGS,
    "clang -x c -std=c99 " WARNINGS QUICK,
    "clang -x c++ -std=c++11 " WARNINGS QUICK,
};
enum { COMPILERS = sizeof compilers / sizeof *compilers };

static bool there_is(const char *compiler)
{
    process_result result = process_run("command -v %.*s", (int)strcspn(compiler, " "), compiler);
    bool is = result.status == 0;
    process_free(&result);
    return is;
}

static char *directory_of(const char *test)
{
    char *directory = text_format("%s/compile-%s", setting("SCRATCH"), test);
    process_result result = process_run("rm -rf '%s' && mkdir -p '%s'", directory, directory);
    assert_int_equal(result.status, 0);
    process_free(&result);
    return directory;
}

static void write_to(const char *directory, const char *name, const char *text)
{
    char *file = text_format("%s/%s", directory, name);
    file_write(file, text);
    free(file);
}

/* Generates from DIRECTORY/test.pkt. */
static process_result generate(const char *directory)
{
    return process_run("%s --no-runtime --reflect -o '%s' '%s/test.pkt'", setting("PKTC"), directory, directory);
}

static void generate_well(const char *directory, const char *pkt)
{
    write_to(directory, "test.pkt", pkt);
    process_result result = generate(directory);
    assert_string_equal(result.err, "");
    assert_int_equal(result.status, 0);
    process_free(&result);
}

/* Compiles a file of the directory; the compilers must print nothing. */
static void compile_silently(const char *directory, const char *file, const bool *with)
{
    for (int i = 0; i < COMPILERS; i++) {
        if (!with[i] || !there_is(compilers[i]))
            continue;
        process_result result = process_run("%s -I'%s' -Iruntime '%s/%s'", compilers[i], directory, directory, file);
        if (result.status != 0)
            fail_msg("%s %s:\n%s", compilers[i], file, result.err);
        assert_string_equal(result.err, "");
        process_free(&result);
    }
}

static const bool all_compilers[COMPILERS] = {true, true, true, true};

static void compile_all(const char *directory, const bool *with)
{
    size_t count;
    char **files = directory_list(directory, ".c", &count);
    assert_int_not_equal(count, 0);
    for (size_t i = 0; i < count; i++)
        compile_silently(directory, files[i], with);
    directory_list_free(files);
}

/* ---- doc comments */

TEST(doc_comments)
{
    static const char *const docs[] = {
        "ends */ int evil; /* begins",
        "*",
        "/",
        "**/",
        "//",
        "/*/",
        "a\\",
        "a\?\?/",
        "\?\?/",
        "\?\?\?/",
        "*\?\?/",
        "a*",
        "/ b",
        "\xff not UTF-8 \xc3",
        "\x01 control \x1f \x7f",
        "\xe2\x80\xae right to left",
        "\xe2\x81\xa6 isolated",
        "\xd8\x9c",
        "größe ☃",
        "@param x",
        "\\return y",
        "$name ${name}",
        "%s %n",
    };
    char *directory = directory_of("docs"), *pkt = text_format("protocol docs = 1;\n");
    for (size_t i = 0; i < sizeof docs / sizeof *docs; i++) {
        char *more = text_format("%s/// %s\nconst C%zu = 1;\n/// %s\nenum E%zu {\n/// %s\n/// %s\na,\n/// %s\nb }\n"
                                 "/// %s\n///%s\n/// /%s\n/// end\nunion U%zu { S%zu a; }\n"
                                 "/// %s\npacket S%zu {\n/// %s\n///%s\nu8 x;\n}\n",
                                 pkt, docs[i], i, docs[i], i, docs[i], docs[i], docs[i], docs[i], docs[i], docs[i], i,
                                 i, docs[i], i, docs[i], docs[i]);
        free(pkt);
        pkt = more;
    }
    generate_well(directory, pkt);
    compile_all(directory, all_compilers);
    char *file = text_format("%s/test.h", directory), *header = file_read(file);
    assert_non_null(strstr(header, "größe ☃"));
    assert_non_null(strstr(header, "/** ends * / int evil; / * begins */"));
    free(header);
    free(file);
    free(pkt);
    free(directory);
}

/* ---- names */

/* Names that programs are likely to use, and those that generated code or the runtime uses. Those of the files that
 * pktc writes for the schemas of tests/emit/golden are added. */
static const char *const words[] = {
    "a",        "ack",    "add",        "after",    "all",       "any",       "arm",       "array",   "as",
    "at",       "b",      "base",       "baseline", "begin",     "bit",       "bits",      "blank",   "block",
    "body",     "byte",   "bytes_left", "c",        "capacity",  "changed",   "check",     "chosen",  "code",
    "codes",    "copy",   "count",      "crc",      "cursor",    "d",         "data",      "delta",   "depth",
    "differs",  "e",      "edge",       "element",  "end",       "end_check", "error",     "explain", "f",
    "failed",   "field",  "first",      "flags",    "from",      "g",         "given",     "h",       "has",
    "head",     "hi",     "high",       "i",        "i0",        "i1",        "id",        "in",      "index",
    "init",     "item",   "j",          "k",        "keep",      "key",       "kind",      "l",       "lane",
    "last",     "left",   "len",        "length",   "limit",     "list",      "lo",        "low",     "m",
    "m0",       "mark",   "mask",       "max",      "measure",   "measured",  "member",    "members", "message",
    "min",      "mode",   "n",          "n0",       "name",      "names",     "need",      "next",    "now",
    "number",   "o",      "object",     "of",       "offset",    "ok",        "old",       "op",      "out",
    "p",        "pack",   "packed",     "packet",   "part",      "parts",     "place",     "point",   "pointer",
    "position", "prefix", "present",    "q",        "quat",      "r",         "range",     "raw",     "read",
    "reader",   "reason", "record",     "ref",      "refs",      "rest",      "result",    "right",   "row",
    "run",      "s",      "s0",         "same",     "scale",     "sent",      "set",       "shift",   "side",
    "size",     "sound",  "span",       "start",    "start_bit", "state",     "step",      "steps",   "subset",
    "sum",      "t",      "tag",        "tail",     "text",      "then",      "there",     "tick",    "to",
    "took",     "type",   "u",          "unasked",  "unit",      "unpack",    "unused",    "used",    "usual",
    "v",        "valid",  "value",      "values",   "varying",   "vec",       "version",   "w",       "width",
    "word",     "words",  "write",      "writer",   "x",         "x_count",   "x_present", "x_sent",  "x_size",
    "y",        "z",      "T",          "I0",       "K",         "N",         "V",
};

/* Words with a special meaning in .pkt files. */
static const char keywords[] =
    " align bits bool bytes case compact const default double else enum false fixed float if import int local optional "
    "packet protocol quat ref reserved sparse string struct switch true union u8 u16 u32 u64 i8 i16 i32 i64 ";

static bool is_keyword(const char *word)
{
    char *spaced = text_format(" %s ", word);
    bool is = strstr(keywords, spaced) != NULL;
    free(spaced);
    return is;
}

typedef struct word_list {
    char **words;
    size_t count;
} word_list;

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_word(word_list *list, const char *word, size_t size)
{
    if (list->count % 64 == 0)
        list->words = realloc(list->words, (list->count + 64) * sizeof *list->words);
    assert_non_null(list->words);
    list->words[list->count++] = text_format("%.*s", (int)size, word);
}

/* Adds each identifier of those files that ends in an underscore, without the underscore. */
static void add_generated(word_list *list)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    process_result all = process_run("cat '%s'/*/*.[ch]", setting("GOLDEN"));
    assert_int_equal(all.status, 0);
    for (const char *at = all.out; *(at += strcspn(at, letters)) != 0;) {
        size_t size = strspn(at, letters);
        if (size > 1 && at[size - 1] == '_' && strncmp(at, "PKT_", 4) != 0)
            add_word(list, at, size - 1);
        at += size;
    }
    process_free(&all);
}

static word_list all_words(void)
{
    word_list list = {NULL, 0};
    size_t kept = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        add_word(&list, words[i], strlen(words[i]));
    add_generated(&list);
    qsort(list.words, list.count, sizeof *list.words, compare_words);
    for (size_t i = 0; i < list.count; i++)
        if (is_keyword(list.words[i]) || (kept > 0 && strcmp(list.words[kept - 1], list.words[i]) == 0))
            free(list.words[i]);
        else
            list.words[kept++] = list.words[i];
    list.count = kept;
    return list;
}

/* The text with each $ replaced by the word, and each # by the number. */
static char *fill(const char *pattern, const char *word, size_t number)
{
    char *text = text_format("%s", "");
    for (const char *at = pattern; *at != 0; at++) {
        char *more = *at == '$'   ? text_format("%s%s", text, word)
                     : *at == '#' ? text_format("%s%zu", text, number)
                                  : text_format("%s%c", text, *at);
        free(text);
        text = more;
    }
    return text;
}

/* A part of lexicon.pkt: a line for each word, between two lines. If there are three lines, words take turns. */
typedef struct section {
    const char *head, *lines[3], *tail;
} section;

static void write_words(const char *directory, const section *sections, size_t count, const word_list *list,
                        const bool *refused)
{
    char *path_name = text_format("%s/lexicon.pkt", directory);
    FILE *file = fopen(path_name, "wb");
    assert_non_null(file);
    for (size_t s = 0; s < count; s++) {
        fprintf(file, "%s\n", sections[s].head);
        for (size_t i = 0; i < list->count; i++) {
            const char *own = sections[s].lines[i % 3];
            char *line = fill(own != NULL ? own : sections[s].lines[0], list->words[i], i);
            fprintf(file, "%s\n", refused[i] ? "" : line);
            free(line);
        }
        fprintf(file, "%s\n", sections[s].tail);
    }
    fclose(file);
    free(path_name);
}

/* Whether a word, or its ending, is in a list. */
static bool is_own(const char *own, const char *word)
{
    const char *ending = strrchr(word, '_');
    return strstr(own, word) != NULL || (ending != NULL && strstr(own, ending) != NULL);
}

/* Marks the words whose lines have an error. They must be reserved, or in `own`, which are the names that the line
 * itself takes. A word can also be a function of a type in another file: then the error is there, with a note here. Returns whether any of them was not marked before. */
static bool mark_refused(const char *errors, const word_list *list, bool *refused, taken_as as, const char *own)
{
    bool any = false;
    for (const char *at = errors; (at = strstr(at, "lexicon.pkt:")) != NULL; at++) {
        size_t i = (strtoul(at + strlen("lexicon.pkt:"), NULL, 10) - 1) % (list->count + 2) - 1;
        const char *what = at + strcspn(at, " "), *other = " note: the other one is here";
        const bool is_other = strncmp(what, other, strlen(other)) == 0;
        if ((strncmp(what, " error:", 7) != 0 && !is_other) || i >= list->count || refused[i])
            continue;
        if (!is_other && name_reserved(list->words[i], as) == NULL && !is_own(own, list->words[i]))
            fail_msg("'%s' is refused: %s", list->words[i], at);
        any = refused[i] = true;
    }
    return any;
}

/* Compiles all.pkt, which has every construct, with an import of a file of words. */
static void compile_words(const char *test, const section *sections, size_t count, taken_as as, const char *own)
{
    word_list list = all_words();
    char *directory = directory_of(test), *all = file_read("schemas/all.pkt"), *vec = file_read("schemas/vec.pkt"),
         *import = strstr(all, "import \"vec.pkt\";"),
         *pkt = text_format("%.*simport \"lexicon.pkt\";\n%s", (int)(import - all), all, import);
    bool *refused = calloc(list.count, sizeof *refused);
    size_t refusals = 0;
    assert_non_null(refused);
    write_to(directory, "test.pkt", pkt);
    write_to(directory, "vec.pkt", vec);
    for (int status = 1; status != 0;) {
        write_words(directory, sections, count, &list, refused);
        process_result result = generate(directory);
        if (result.status != 0 && !mark_refused(result.err, &list, refused, as, own))
            fail_msg("%s", result.err);
        status = result.status;
        process_free(&result);
    }
    for (size_t i = 0; i < list.count; i++)
        refusals += refused[i];
    print_message("%zu of %zu names are refused\n", refusals, list.count);
    /* The language decides whether a name is in the way of another one, so one compiler for C and one for C++ is enough. */
    const bool clang = there_is("clang");
    compile_all(directory, (bool[COMPILERS]){true, !clang, false, clang});
    for (size_t i = 0; i < list.count; i++)
        free(list.words[i]);
    free(list.words);
    free(refused);
    free(all);
    free(vec);
    free(pkt);
    free(directory);
}

#define COUNT(sections) (sizeof(sections) / sizeof *(sections))

TEST(names_of_members)
{
    static const section sections[] = {
        {"enum Kind {", {"$,"}, "other }"},
        {"flags Mask {", {""}, "other }"},
        {"struct Part { u8 f_a; } union Union {", {"Part $;"}, "}"},
        {"", {"const $ = 5;"}, ""},
        {"", {"enum Kind# { $ }"}, ""},
    };
    compile_words("members", sections, COUNT(sections), TAKEN_AS_MEMBER, "name valid");
}

TEST(names_of_fields)
{
    static const section sections[] = {
        {"struct A @delta {", {"u8 $; if ($ == 2) { u8 c_#; } switch ($) { case 1: u8 d_#; }"}, "}"},
        {"struct B @delta {", {"optional i32<-5, 5> $;"}, "}"},
        {"struct C @delta {", {"float<-1, 1, 0.1> $ unless 0.5;"}, "}"},
        {"struct D @delta {", {"string<9> $;"}, "}"},
        {"struct E @delta {", {"bytes<9> $;"}, "}"},
        {"struct Small { bool f_a; } struct F @delta {", {"Small $[0..9];"}, "}"},
        {"struct G {", {"sparse Small $[9];"}, "}"},
        {"struct H @delta {", {"quat<9> $;"}, "}"},
        {"struct O @delta {", {"compact u32 $;"}, "}"},
        {"struct J @delta {", {"string<9> $[0..3];"}, "}"},
        {"struct K @delta {", {"ref<A, 5> $;"}, "}"},
        {"struct L {", {"u32 d_#; u32 $ after d_#;"}, "}"},
        {"struct M @delta {", {"bool $ unless true;"}, "}"},
        {"struct N @delta {", {"u8 $[7];"}, "}"},
    };
    compile_words("fields", sections, COUNT(sections), TAKEN_AS_MEMBER, "_count _size _present");
}

/* A type may be called like anything that generated functions use: in the functions of all.pkt and in its own. */
TEST(names_of_types)
{
    static const section sections[] = {
        {"struct Part { bool f_a; }",
         {"struct $ @delta { u8 f_a; string<9> f_b; bytes<5> f_c[3]; }", "union $ { Part f_a; }",
          "enum $ { f_a, f_b = 3, f_c = 70 }"},
         ""},
        {"struct Holder @delta {", {"$ f_#; optional $ o_#; $ g_#[0..3];"}, "}"},
        {"struct Sparse {", {"sparse $ f_#[4];"}, "}"},
    };
    compile_words("types", sections, COUNT(sections), TAKEN_AS_TYPE, "");
}

/* The names of the parameters in prototypes, which end in no underscore. */
TEST(names_of_packets)
{
    static const char pkt[] = "protocol packets = 1;\n"
                              "packet a @delta { ref<a, 5> f; } packet b @delta { ref<a, 5> f; }\n"
                              "packet base @delta { ref<a, 5> f; } packet data @delta { ref<a, 5> f; }\n"
                              "packet error @delta { ref<a, 5> f; } packet i { sparse a f[5]; }\n"
                              "packet r @delta { ref<a, 5> f; } packet refs @delta { ref<a, 5> f; }\n"
                              "packet size @delta { ref<a, 5> f; } packet start_bit @delta { ref<a, 5> f; }\n"
                              "packet union v @delta { a f; w g; } packet w @delta { ref<a, 5> f; }\n";
    char *directory = directory_of("packets");
    generate_well(directory, pkt);
    compile_all(directory, all_compilers);
    free(directory);
}

/* Parts are parameters, beside others and before variables of the functions that take them. */
TEST(names_of_parts)
{
    static const char *const parts[] = {"v",   "from", "order", "count", "max_bytes", "counts",
                                        "fit", "seed", "data",  "size",  "error"};
    char *pkt = text_format("protocol parts = 1;\nstruct W @delta(predict) { u32 tick coded; u16 xs[<=4] @fit; }\n");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *more = text_format("%spacket P%zu { u8 n; optional int<1, 10> back; u8 e[<=3] @fit;"
                                 " W %s delta(n from n - back after n - back - 1) @fit; }\n",
                                 pkt, i, parts[i]);
        free(pkt);
        pkt = more;
    }
    char *directory = directory_of("parts");
    generate_well(directory, pkt);
    compile_all(directory, all_compilers);
    free(directory);
    free(pkt);
}

/* Compiles a line of a program; with each compiler it has to be warned of `name` as deprecated, or if that is NULL of
 * nothing. */
static void compile_program(const char *directory, const char *line, const char *name)
{
    char *text = text_format("#include \"test.h\"\nint f(void);\nint f(void) { %s }\n", line);
    write_to(directory, "program.txt", text);
    for (int i = 0; i < COMPILERS; i++) {
        if (!there_is(compilers[i]))
            continue;
        process_result result =
            process_run("LC_ALL=C %s -I'%s' -Iruntime '%s/program.txt'", compilers[i], directory, directory);
        char *warning = text_format("%s' is deprecated", name ? name : "");
        if (name ? strstr(result.err, warning) == NULL : result.status != 0)
            fail_msg("%s: %s\n%s", compilers[i], line, result.err);
        free(warning);
        process_free(&result);
    }
    free(text);
}

/* A program is warned where it uses what is @deprecated, and nowhere else; the generated code is not. */
TEST(deprecated)
{
    static const char pkt[] =
        "protocol test = 1;\n"
        "enum Kind @deprecated { a, b } enum Wide @deprecated { c, d = 4000000000 } flags Bits @deprecated { e, f }\n"
        "struct Old @deprecated { u8 x; } union Either @deprecated { Old old; }\n"
        "struct New @delta {\n"
        "    u8 fresh; u8 stale @deprecated; optional u8 maybe[4] @deprecated; bytes<5> blob @deprecated;\n"
        "    u8 list[<=4] @deprecated, usual unless 3 @deprecated, five = 5 @deprecated; local u8 mine @deprecated;\n"
        "    Old old; Kind kind; Wide wide; Bits mask; Either either;\n"
        "    if (five == 5) { string<7> text @deprecated; Old olds[3] @deprecated; }\n"
        "    switch (kind) { case a: quat<5> q @deprecated; }\n"
        "    float<0, 1, 0.1> steps delta<1, 2> @deprecated; ref<Old, 100> target @deprecated;\n"
        "}\n"
        "struct Some { sparse Old olds[30] @deprecated; }\n"
        "packet Gone @deprecated @delta { New value; }\n"
        "packet union All @delta { Gone gone; New new_; }\n";
    static const struct {
        const char *line, *name;
    } uses[] = {
        {"New v; New_init(&v); return v.fresh;", NULL},
        {"New v; New_init(&v); return v.old.x + (int)v.kind;", NULL},
        {"All v; All_init(&v); return (int)v.as.gone.value.fresh;", NULL},
        {"New v; New_init(&v); return v.stale;", "stale"},
        {"New v; New_init(&v); return v.has_maybe;", "has_maybe"},
        {"New v; New_init(&v); return v.maybe[0];", "maybe"},
        {"New v; New_init(&v); return v.blob_size;", "blob_size"},
        {"New v; New_init(&v); return v.list_count;", "list_count"},
        {"New v; New_init(&v); v.mine = 3; return 0;", "mine"},
        {"New v; New_init(&v); return v.target == NULL;", "target"},
        {"Some v; Some_init(&v); return v.olds_present[0] == 0;", "olds_present"},
        {"return (int)sizeof(Kind);", "Kind"},
        {"return (int)sizeof(Wide);", "Wide"},
        {"return (int)sizeof(Bits);", "Bits"},
        {"return (int)sizeof(Old);", "Old"},
        {"return (int)sizeof(Either);", "Either"},
        {"Gone v; Gone_init(&v); return v.value.fresh;", "Gone"},
    };
    char *directory = directory_of("deprecated");
    generate_well(directory, pkt);
    compile_all(directory, all_compilers);
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        compile_program(directory, uses[i].line, uses[i].name);
    free(directory);
}
