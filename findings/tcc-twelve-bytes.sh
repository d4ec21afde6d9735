#!/bin/bash
# tcc-twelve-bytes.sh - tcc 0.9.27 writes over a local variable when a function returns a struct of 12 bytes.
# SPDX-License-Identifier: MIT
#
# Seen with tcc 0.9.27+git20200814.62c30a4a-1 from Debian's tcc, on x86-64.
#
# Guess: a struct that a function returns is stored in as many bytes as it has.
#
# What happens: a struct of three floats or three ints comes back in two registers, and both are stored whole: 16 bytes for a struct
# of 12. The four bytes behind them are whatever the function had on its stack behind its own struct. If a local variable lies
# there, it has another value after the call: a loop counter starts again. Structs of 8, 16 and 20 bytes are right, and those of 12
# that lie elsewhere. Nothing is reported.
#
# Why it matters: tcc compiles generated code in a sixth of the time of others, and is tempting for tests. A vector of three floats
# is what games return most. In generated code, pkt_vec3 of `unit<B>` is one: built by this tcc, deltas of arrays of `unit<B>` are
# refused or have other bytes. Use another version or compiler.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
[ "$(uname -m)" = x86_64 ] || { echo "for x86-64 only" >&2; exit 1; }
(cd "$dir" && apt-get download --quiet=2 tcc=0.9.27+git20200814.62c30a4a-1 && dpkg -x tcc_*.deb .)
cat >"$dir/try.c" <<'END'
#include <stdio.h>

#define TRY(n, type, name)                                                          \
    typedef struct { type part[n]; } name;                                          \
    static name make_##name(void)                                                   \
    {                                                                               \
        int behind[4] = {-1, -1, -1, -1};                                           \
        name made = {{1}};                                                          \
        return made;                                                                \
    }                                                                               \
    static int first_##name(name given) { return (int)given.part[0]; }              \
    static void try_##name(void)                                                    \
    {                                                                               \
        int before[2] = {0}, here = 7;                                              \
        before[0] = first_##name(make_##name());                                    \
        printf("%s: the variable that was 7 is %d\n", #name, here);                 \
    }
TRY(2, float, two_floats)
TRY(3, float, three_floats)
TRY(4, float, four_floats)
TRY(5, float, five_floats)
TRY(3, int, three_ints)

int main(void)
{
    try_two_floats();
    try_three_floats();
    try_four_floats();
    try_five_floats();
    try_three_ints();
    return 0;
}
END
cat >"$dir/seen" <<'END'
two_floats: the variable that was 7 is 7
three_floats: the variable that was 7 is -1
four_floats: the variable that was 7 is 7
five_floats: the variable that was 7 is 7
three_ints: the variable that was 7 is -1
END
cd "$dir"
usr/bin/tcc -B "$(echo usr/lib/*/tcc)" -w -o try try.c
./try >now
diff seen now && cat now
