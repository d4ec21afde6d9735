#!/bin/sh
# commented.sh - checks that each function in a generated header has a comment, above it or above its group.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc commented.sh SCRATCH     from the top directory
#
# A group has no empty lines. The comment of an inline function is above its prototype. NAME_codec.h is left out, because
# it explains its functions at the top.
set -u
scratch=$1
rm -rf "$scratch"
"$PKTC" --reflect -o "$scratch" schemas/all.pkt schemas/mygame.pkt schemas/cubes.pkt \
    tests/emit/golden/subsets.pkt || exit 1
cd "$scratch" || exit 1
awk '
    FNR == 1 { commented = 0 }
    /^$/ { commented = 0 }
    /^\/\*/ || /^ \*/ { commented = 1; next }
    /^[A-Za-z_].*\(.*\);$/ || /^PKT_INLINE / {
        name = $0
        sub(/\(.*/, "", name)
        sub(/.*[ *]/, "", name)
        if (commented) explained[name] = 1
        if (name in explained) { passed++; next }
        print FILENAME ":" FNR ": no comment: " $0
        failed++
    }
    /^}/ { commented = 0 }
    END {
        printf "[  PASSED  ] %d test(s).\n", passed
        if (failed) printf "[  FAILED  ] %d test(s)\n", failed
        exit failed > 0 || passed < 1000
    }' $(ls ./*.h | grep -v '/pkt\.h$\|/pkt_inside\.h$\|_codec\.h$')
