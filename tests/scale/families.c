/* families.c - see families.h.
 * SPDX-License-Identifier: MIT
 */
#include "families.h"

enum {
    /* Braces, parentheses, types and imports can be 200 deep; the test goes to twice this number. */
    NESTED = 90,
    /* Types that have the one below them twice, up to 2^90 parts in all. Where these are in memory too, they end at 1 GB. */
    DOUBLED = 45,
    DOUBLED_IN_MEMORY = 13,
    NINEFOLD_IN_MEMORY = 4,
    MANY = 400
};

const family families[] = {
    /* ---- types in types */

    {"structs",
     DOUBLED_IN_MEMORY,
     {"struct S0 { bool v; }\n", "struct S# { S~ a, b; }\n", "packet P @large { optional S# s; }\n"},
     {"{}"}},
    {"nothing", DOUBLED_IN_MEMORY, {"struct S0 { }\n", "struct S# { S~ a, b; }\n", "packet P @large { S# s; }\n"}},
    {"optionals",
     DOUBLED_IN_MEMORY,
     {"struct S0 { bool v; }\n", "struct S# { optional S~ a, b; }\n", "packet P @large { S# s; }\n"},
     {"{\"s\": ", "{\"a\": ", "{\"v\": true}", "}", "}"}},
    {"sides",
     DOUBLED_IN_MEMORY,
     {"struct S0 { int<3, 9> v = 4; }\n", "struct S# { bool v; if (v) { S~ a; } else { S~ b; } }\n",
      "packet P @large { S# s; }\n"},
     {"{}"}},
    {"counted",
     DOUBLED_IN_MEMORY,
     {"struct S0 { u8 v; }\n", "struct S# { S~ a[<=1], b[<=1]; }\n", "packet P @large { S# s; }\n"},
     {"{\"s\": ", "{\"a\": [", "{\"v\": 1}", "]}", "}"}},
    {"private",
     DOUBLED_IN_MEMORY,
     {"struct S0 { u8 v; local u8 own; }\n", "struct S# { S~ a; optional S~ b; }\n",
      "packet P @large { optional S# s; }\n"},
     {"{}"}},
    {"refs",
     DOUBLED_IN_MEMORY - 1,
     {"struct Other { u8 v; }\nstruct S0 { ref<Other, 9> r; }\n", "struct S# { optional S~ a, b; }\n",
      "packet P @large { optional S# s; }\n"},
     {"{}"}},
    {"kept",
     DOUBLED_IN_MEMORY - 1,
     {"struct S0 { sparse<count, keep> u8 v[3]; }\n", "struct S# { S~ a, b; }\n", "packet P @large { S# s; }\n"}},
    {"sparse",
     DOUBLED_IN_MEMORY - 1,
     {"struct S0 { u8 v; }\n", "struct S# { sparse S~ a[1], b[1]; }\n", "packet P @large { S# s; }\n"},
     {"{}"}},
    {"deltas",
     DOUBLED_IN_MEMORY,
     {"struct S0 @delta { u16 v delta<3, 5>; }\n", "struct S# @delta { S~ a; optional S~ b; }\n",
      "packet P @delta @large { optional S# s; }\n"},
     {"{}"}},
    {"unions",
     DOUBLED,
     {"struct S0 { float<0, 1, 0.01> v; }\n", "union U# { S~ a; S~ b; }\nstruct S# { U# u; }\n",
      "packet P { S# s; }\n"},
     {"{\"s\": ", "{\"u\": {\"b\": ", "{\"v\": 1}", "}}", "}"}},
    {"private unions",
     DOUBLED,
     {"struct S0 { u8 v; local u8 own; }\n", "union U# { S~ a; S~ b; }\nstruct S# { U# u; }\n", "packet P { U# u; }\n"},
     {"{}"}},
    {"delta unions",
     DOUBLED,
     {"struct S0 { u8 v; }\n", "union U# { S~ a; S~ b; }\nstruct S# @delta { optional U# u; }\n",
      "packet P @delta { S# s; }\n"},
     {"{\"s\": ", "{\"u\": {\"b\": ", "{\"v\": 1}", "}}", "}"}},
    {"structs in structs",
     NESTED,
     {"struct S0 { u8 v; string<3> w; }\n", "struct S# { S~ s; bool b; }\n", "packet P { S# s; }\n"},
     {"{\"s\": ", "{\"s\": ", "{\"v\": 1, \"w\": \"abc\"}", ", \"b\": true}", "}"}},
    {"arrays in arrays",
     NESTED,
     {"struct S0 { u8 v; }\n", "struct S# { S~ s[1][1][1]; }\n", "packet P { S# s[2][2]; bits<3> last; }\n"},
     {"{}"}},
    {"arrays unrolled",
     NINEFOLD_IN_MEMORY,
     {"struct S0 { bool v[9]; }\n", "struct S# @large { S~ s[9]; }\n", "packet P @large { S# s; }\n"}},
    {"subsets in subsets",
     NESTED,
     {"struct S0 { u8 v; }\n", "struct S# { sparse S~ s[1]; }\n", "packet P { S# s; }\n"},
     {"{}"}},
    {"deltas in deltas",
     NESTED,
     {"struct S0 { u8 v; }\n", "struct S# { S~ s[<=1]; bool b; }\n", "packet P @delta { S# s; }\n"},
     {"{\"s\": ", "{\"s\": [", "{\"v\": 1}", "], \"b\": true}", "}"}},

    /* ---- braces and parentheses */

    {"ifs in ifs",
     NESTED,
     {"packet P {\nu8 x;\n", "if (x != #) { u8 a#;\n", NULL, "}", "}\n"},
     {"{\"x\": 0", ", \"a#\": 1", "}"}},
    {"ifs in ifs, in deltas",
     NESTED,
     {"packet P @delta {\nu8 x;\n", "if (x != #) { u8 a#;\n", NULL, "}", "}\n"},
     {"{\"x\": 0", ", \"a#\": 1", "}"}},
    {"ifs in elses",
     NESTED,
     {"packet P {\nu8 x;\n", "if (x == #) { u8 a#; } else { string<3> b#;\n", NULL, "}", "}\n"},
     {"{\"x\": 0", ", \"b#\": \"s\"", "}"}},
    {"switches in switches",
     NESTED,
     {"packet P {\nu8 x;\n", "switch (x) { case #: u8 a#; default: u16 b#;\n", NULL, "}", "}\n"},
     {"{\"x\": 0", ", \"b#\": 1", "}"}},
    {"links",
     NESTED,
     {"packet P {\nu16 x;\nif (x == 0) { u8 a0; }\n", "else if (x == #) { u8 a#; u16 b#; }\n", "}\n"},
     {"{\"x\": 3, \"a3\": 1, \"b3\": 2}"}},
    {"links in deltas",
     NESTED,
     {"packet P @delta {\nu16 x;\nif (x == 0) { u8 a0; }\n", "else if (x == #) { u8 a#; u16 b#; }\n", "}\n"},
     {"{\"x\": 3, \"a3\": 1, \"b3\": 2}"}},
    {"parentheses", NESTED, {"packet P { u8 x; if (", "(", "x", " + 1)", " != 3) { u8 y; } }\n"}, {"{}"}},
    {"operators", 5 * NESTED, {"packet P { u8 x; if (x", " + #", " != 3) { u8 y; } }\n"}, {"{}"}},

    /* ---- side by side */

    {"fields",
     MANY,
     {"packet P @large {\n", "u16 a#; bool b#; float<0, 1, 0.01> c#;\n", "}\n"},
     {"{", "\"a#\": 1, \"b#\": true, ", "\"c1\": 1}"}},
    {"fields in a delta",
     MANY,
     {"packet P @large @delta {\n", "u16 a#; bool b#; float<0, 1, 0.01> c#;\n", "}\n"},
     {"{}"}},
    {"fields that vary",
     MANY,
     {"packet P @large {\n", "string<3> a#; optional u8 b#; u8 c# unless 3; u8 d#[<=3]; bytes<3> e#; compact u32 f#;\n",
      "}\n"},
     {"{}"}},
    {"fields in sequence", MANY, {"packet P @large {\nu32 a0;\n", "u32 a# after a~;\n", "}\n"}},
    {"subsets", MANY, {"packet P @large {\n", "sparse u8 a#[3];\n", "}\n"}, {"{}"}},
    {"fields of one type",
     MANY,
     {"struct S { string<3> s; u8 t[2][2]; bool b; if (b) { u8 c; } }\npacket P @large @delta {\n",
      "S a#; optional S b#;\n", "}\n"},
     {"{}"}},
    {"ifs",
     MANY,
     {"packet P @large {\nu8 x;\n", "if (x != # % 256) { u8 a#; string<3> b#; } else { u16 c#; }\n", "}\n"},
     {"{}"}},
    {"cases",
     MANY,
     {"packet P @large {\nu16 x;\nswitch (x) {\n", "case #: u8 a#; u16 b#;\n", "}\n}\n"},
     {"{\"x\": 3, \"a3\": 1, \"b3\": 2}"}},
    {"cases in a delta",
     MANY,
     {"packet P @large @delta {\nu16 x;\nswitch (x) {\n", "case #: u8 a#; u16 b#;\n", "}\n}\n"},
     {"{\"x\": 3, \"a3\": 1, \"b3\": 2}"}},
    {"labels", MANY, {"packet P {\nu16 x;\nswitch (x) {\ncase 0", ", #", ":\nu8 a;\n}\n}\n"}, {"{\"x\": 3, \"a\": 1}"}},
    {"members",
     MANY,
     {"enum E { a0", ", a#", " }\npacket P { E e = a#; bool b; switch (e) { case a#: E f; } }\n"},
     {"{\"e\": \"a#\", \"f\": \"a1\"}"}},
    {"members that are cases",
     MANY,
     {"enum E { a0", ", a#", " }\npacket P { E e; switch (e) {\n", "case a#: u8 x#;\n", "} }\n"},
     {"{\"e\": \"a#\"}"}},
    {"members of a union",
     MANY,
     {"struct S0 { u8 v; string<3> w; }\n", "struct S# { u8 v; string<3> w; }\n", "packet union P {\nS0 s0;\n",
      "S# s#;\n", "}\n"},
     {"{\"s#\": {\"v\": 3}}"}},
    {"types", MANY, {NULL, "struct S# { u8 v; string<3> w; }\npacket P# { S# s; }\n", "packet P { S# s; }\n"}, {"{}"}},
    {"sums", MANY, {"const C0 = 1;\n", "const C# = C0 + #;\n", "packet P { u32<0, C#> x; }\n"}, {"{}"}},
    {"comments", MANY, {NULL, "// comment #\n/// of packet #\n", "packet P { u8 x; }\n"}},
    {"documented",
     MANY,
     {"packet P @large {\n", "/// Field #.\n/// It has\n/// three lines.\nu8 a#; // and this\n", "}\n"}},
    {"imports", 150, {NULL, "import \"f#.pkt\";\n", "packet P { S# s; }\n"}, {"{}"}, "struct S# { u8 v; }\n"},
    {"imports in imports",
     NESTED,
     {NULL, "import \"f#.pkt\";\n", "packet P { S# s; }\n"},
     {"{}"},
     "import \"f~.pkt\";\nstruct S# { S~ v; bool b; }\n"},
    {"mistakes", MANY, {"packet P @large {\n", "Unknown# a#; u8 b[0]; u8 b;\n", "}\n"}, .status = 1},
};

const size_t family_count = sizeof families / sizeof *families;

void numbered_print(FILE *to, const char *text, int number)
{
    for (; text != NULL && *text != '\0'; text++)
        if (*text == '#' || *text == '~')
            (void)fprintf(to, "%d", *text == '#' ? number : number - 1);
        else
            (void)fputc(*text, to);
}

void growing_print(FILE *to, const growing *text, int n)
{
    numbered_print(to, text->head, n);
    for (int i = 1; i <= n; i++)
        numbered_print(to, text->each, i);
    numbered_print(to, text->middle, n);
    for (int i = n; i >= 1; i--)
        numbered_print(to, text->close, i);
    numbered_print(to, text->tail, n);
}
