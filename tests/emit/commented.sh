#!/bin/sh
# commented.sh - each function that a generated header declares has a comment above it, or above the group that it is in.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc commented.sh SCRATCH     from the top directory
#
# A group is lines without an empty one between them. NAME_codec.h explains its functions at its head.
set -u
scratch=$1
rm -rf "$scratch"
"$PKTC" --reflect -o "$scratch" schemas/all.pkt schemas/mygame.pkt schemas/cubes.pkt tests/emit/golden/subsets.pkt || exit 1
cd "$scratch" || exit 1
awk '
    FNR == 1 { commented = 0 }
    /^$/ { commented = 0 }
    /^\/\*/ || /^ \*/ { commented = 1; next }
    /^[A-Za-z_].*\(.*\);$/ || /^PKT_INLINE / {
        if (commented) { passed++; next }
        print FILENAME ":" FNR ": no comment: " $0
        failed++
    }
    /^}/ { commented = 0 }
    END {
        printf "[  PASSED  ] %d test(s).\n", passed
        if (failed) printf "[  FAILED  ] %d test(s)\n", failed
        exit failed > 0 || passed < 1000
    }' $(ls ./*.h | grep -v '/pkt\.h$\|_codec\.h$')
