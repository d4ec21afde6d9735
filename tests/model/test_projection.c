/* test_projection.c - tests that the projection has everything that decides the bytes, and nothing else.
 * SPDX-License-Identifier: MIT
 */
#include "check/check.h"
#include "unit.h"

#include <string.h>

static const schema *checked(arena *a, const char *text, bool checks)
{
    const check_options options = {.checks = checks};
    names *n = names_new(a);
    diag *d = diag_new(a);
    const schema *s = check(a, n, d, source_from(a, "game.pkt", text, strlen(text)), &options);
    if (s == NULL) {
        diag_print(d, DIAG_TEXT, stderr);
        fail_msg("%s", text);
    }
    return s;
}

TEST(every_construct)
{
    static const char source_text[] =
        "protocol game = 7 prefix g_;\n"
        "const MOST = 64;\n"
        "enum Team { blue = 2, none = 0, red = 1 }\n"
        "enum Weapon : bits<4> { fist = 1, laser }\n"
        "flags Keys { fire, jump }\n"
        "union Any { Point point; Ping ping; }\n"
        "struct Ping { }\n"
        "struct Point { float<-10, 10, 0.5> x, y; double<0, 1, 0.25> d; half soft; float raw; fixed<8, 8, -1, 1> f; }\n"
        "packet Everything {\n"
        "    bool yes; bits<3> three; u8 byte = 4; i16 wide; int<-5, MOST> ranged; u16<0, 5> few;\n"
        "    Team team = red; Weapon weapon; Keys keys; compact u32 small_mostly; quat<9> turn; unit<8> normal;\n"
        "    string<15> text; bytes<MOST> data; Any any;\n"
        "    u8 fixed_array[2][3]; u8 list[1..4]; optional Point maybe; u16 often unless 7; float half unless 0.5;\n"
        "    sparse<bitmap> Point points[<=8 of 100]; sparse<flag, keep> u8 bytes_of[9];\n"
        "    u32 start; u32 end after start; ref<Ping, MOST> target; local u8 mine; local \"void *\" theirs;\n"
        "    align; const<8> = 0x1f; reserved<3>; check 0x12345678;\n"
        "    if (yes && byte * 2 > MOST / 2 || has_maybe) { u8 a; } else if (!(list_count == 3)) { u8 b; } "
        "else { u8 c; }\n"
        "    switch (team) { case red, none: u8 d; case 2: default: u8 e; }\n"
        "}\n"
        "struct Delta @delta { i32<0, 100> x delta<3, 5>; Weapon w; }\n";
    static const char expected[] = "pkt 1\n"
                                   "protocol game 7\n"
                                   "checks on\n"
                                   "union Any\n"
                                   "    point 0 Point\n"
                                   "    ping 1 Ping\n"
                                   "struct Delta delta\n"
                                   "    x int 0 100 delta 3 5\n"
                                   "    w enum Weapon\n"
                                   "packet struct Everything\n"
                                   "    yes bool\n"
                                   "    three int 0 7\n"
                                   "    byte int 0 255\n"
                                   "    wide signed 16\n"
                                   "    ranged int -5 64\n"
                                   "    few int 0 5\n"
                                   "    team enum Team\n"
                                   "    weapon enum Weapon\n"
                                   "    keys flags Keys\n"
                                   "    small_mostly compact 32\n"
                                   "    turn quat 9 steps 510\n"
                                   "    normal unit 8 steps 254\n"
                                   "    text string 15\n"
                                   "    data bytes 64\n"
                                   "    any union Any\n"
                                   "    fixed_array[2][3] int 0 255\n"
                                   "    list[1..4] int 0 255\n"
                                   "    maybe struct Point optional\n"
                                   "    often int 0 65535 unless 7\n"
                                   "    half float unless 0x3f000000\n"
                                   "    points[bitmap 8 of 100] struct Point\n"
                                   "    bytes_of[flag 9 of 9] int 0 255\n"
                                   "    start int 0 4294967295\n"
                                   "    end int 0 4294967295 after start\n"
                                   "    target ref Ping 64\n"
                                   "    align\n"
                                   "    const 8 31\n"
                                   "    const 3 0\n"
                                   "    const 32 305419896\n"
                                   "    if ((yes && ((byte * 2) > 32)) || has maybe)\n"
                                   "        a int 0 255\n"
                                   "    else\n"
                                   "        if (!(count list == 3))\n"
                                   "            b int 0 255\n"
                                   "        else\n"
                                   "            c int 0 255\n"
                                   "    switch team\n"
                                   "    case 1 0\n"
                                   "        d int 0 255\n"
                                   "    case 2\n"
                                   "    default\n"
                                   "        e int 0 255\n"
                                   "flags Keys\n"
                                   "    fire 1\n"
                                   "    jump 2\n"
                                   "struct Ping\n"
                                   "struct Point\n"
                                   "    x float 0xc1200000 0x41200000 steps 40\n"
                                   "    y float 0xc1200000 0x41200000 steps 40\n"
                                   "    d double 0x0000000000000000 0x3ff0000000000000 steps 4\n"
                                   "    soft half\n"
                                   "    raw float\n"
                                   "    f fixed -256 256 fraction 8\n"
                                   "enum Team base 0\n"
                                   "    none 0\n"
                                   "    red 1\n"
                                   "    blue 2\n"
                                   "enum Weapon base 1 bits 4\n"
                                   "    fist 1\n"
                                   "    laser 2\n";
    arena *a = arena_new();
    const schema *s = checked(a, source_text, true);
    assert_string_equal(s->projection, expected);
    assert_true(s->id == fnv1a_64(expected));
    arena_free(a);
}

static bool same_projection(const char *one, const char *other)
{
    arena *a = arena_new();
    bool same = strcmp(checked(a, one, true)->projection, checked(a, other, true)->projection) == 0;
    arena_free(a);
    return same;
}

#define ENUM "protocol p = 1; enum E { a, b } struct S { u8 x; E e; "

TEST(same_bytes)
{
    static const char *const pairs[][2] = {
        {"struct A { } struct B { }", "struct B { }\n// a remark\nstruct A { }"},
        {"struct A { u16<0, 5> x; }", "/** doc */ struct A { int<0, 5> x = 3; }"},
        {"struct A { u8 x; }", "struct A { bits<8> x; }"},
        {"struct A { u8 x; }", "struct A @large @deprecated { u8 x; local u8 y; }"},
        {"struct A { u8 x, y; }", "struct A was \"B\" { u8 x was \"z\", y was \"v\" was \"w\"; }"},
        {"enum E { a, b } flags F { c }", "enum E was \"D\" { a was \"z\", b } flags F was \"G\" { c was \"d\" }"},
        {"struct A { } union U { A a; }", "struct A { } union U was \"V\" { A a was \"b\"; }"},
        {"struct A { reserved<5>; }", "struct A { const<5> = 0; }"},
        {"struct A { float<0, 1, 0.1> x; }", "const STEP = 0.1; struct A { float<0, 1.0, STEP> x; }"},
        {"struct A { float<0, 10, 3> x; }", "struct A { float<0, 10, 2.9> x; }"},
        {"enum E { a, b }", "enum E { b = 1, a = 0 }"},
        {"protocol p = 1;", "protocol p = 1 prefix q_;"},
        {ENUM "if (x > 64) { u8 y; } }", "const K = 32; " ENUM "if ((x) > K * 2) { u8 y; } }"},
        {ENUM "if (e == b) { u8 y; } }", ENUM "if (e == 1) { u8 y; } }"},
        {ENUM "if (x == 1) { u8 y; } else { if (x == 2) { u8 z; } } }",
         ENUM "if (x == 1) { u8 y; } else if (x == 2) { u8 z; } else { } }"},
        {"struct A as \"vec3\" from \"m.h\" { u8 x; }", "struct A { u8 x; }"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!same_projection(pairs[i][0], pairs[i][1]))
            fail_msg("differ: %s / %s", pairs[i][0], pairs[i][1]);
}

TEST(other_bytes)
{
    static const char *const pairs[][2] = {
        {"protocol p = 1;", "protocol p = 2;"},
        {"protocol p = 1;", "protocol q = 1;"},
        {"struct A { u8 x, y; }", "struct A { u8 y, x; }"},
        {"struct A { u8 x; }", "struct A { i8 x; }"},
        {"struct A { u8 x; }", "struct B { u8 x; }"},
        {"struct A { u8 x; }", "struct A { optional u8 x; }"},
        {"struct A { u8 x; }", "struct A { u8 x[1]; }"},
        {"struct A { u8 x[4]; }", "struct A { u8 x[<=4]; }"},
        {"struct A { u8 x[2][3]; }", "struct A { u8 x[3][2]; }"},
        {"struct A { u8 x; }", "struct A { u8 x unless 0; }"},
        {"struct A { u8 x unless 1; }", "struct A { u8 x unless 0; }"},
        {"struct A { float x; }", "struct A { double x; }"},
        {"struct A { float<0, 10, 3> x; }", "struct A { float<0, 10, 2> x; }"},
        {"struct A { float<0, 10, 1> x; }", "struct A { double<0, 10, 1> x; }"},
        {"struct A { const<5> = 1; }", "struct A { const<5> = 2; }"},
        {"struct A { check; }", "struct B { check; }"},
        {"struct A { u8 x; align; }", "struct A { u8 x; }"},
        {"enum E { a, b }", "enum E { b, a }"},
        {"enum E { a, b }", "enum E : bits<1> { a, b }"},
        {"enum E { a = 1, b = 2 }", "enum E { b = 2, a = 1 }"},
        {"flags E { a, b }", "flags E { b, a }"},
        {ENUM "if (x > 64) { u8 y; } }", ENUM "if (x >= 64) { u8 y; } }"},
        {ENUM "if (x + 1 * 2 > 64) { u8 y; } }", ENUM "if ((x + 1) * 2 > 64) { u8 y; } }"},
        {ENUM "switch (e) { case a: u8 y; } }", ENUM "switch (e) { case b: u8 y; } }"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (same_projection(pairs[i][0], pairs[i][1]))
            fail_msg("the same: %s / %s", pairs[i][0], pairs[i][1]);
}

TEST(without_checks)
{
    static const char text[] = "protocol p = 1; packet A { u8 x; check; u8 y; check; }";
    arena *a = arena_new();
    assert_string_equal(checked(a, text, false)->projection,
                        "pkt 1\nprotocol p 1\nchecks off\npacket struct A\n    x int 0 255\n    y int 0 255\n");
    assert_true(checked(a, text, true)->id != checked(a, text, false)->id);
    arena_free(a);
}

TEST(hash)
{
    assert_true(fnv1a_64("") == UINT64_C(0xcbf29ce484222325));
    assert_true(fnv1a_64("a") == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(fnv1a_64("foobar") == UINT64_C(0x85944171f73967e8));
}
