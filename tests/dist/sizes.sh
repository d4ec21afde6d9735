#!/bin/sh
# sizes.sh - how much of the runtime programs carry that are compiled with -O2 and no other flag, and programmers read.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc sizes.sh DIR
#
# The bytes of code and constants in pkt.c have upper bounds, and the lines of pkt.h. Lower one when the runtime has become
# smaller.
scratch=$1/sizes
. tests/dist/common.sh

# at_most BYTES COMPILER DIRECTORY
at_most() {
    $2 -O2 -c -o "$3/pkt.o" "$3/pkt.c" && set -- "$@" "$(size "$3/pkt.o" | awk 'NR == 2 { print $1 + $2 }')" || return 1
    echo "$3: $4 bytes with $2, which may be $1"
    [ "$4" -le "$1" ]
}

# The first has no deltas, the second has deltas, fits and coded fields, the third has lists, packets with parts, T_mix and
# clocks too, and the last has all parts.
check "$PKTC" -o "$scratch/mygame" schemas/mygame.pkt
mkdir -p "$scratch"
check sh -c "sed 's/\[<=MAX_ENTITIES\] by id/[MAX_ENTITIES]/; /Entity changes/d' schemas/example/releases/arena-004-*.pkt \
    >'$scratch/coded.pkt'"
check "$PKTC" -o "$scratch/coded" "$scratch/coded.pkt"
check "$PKTC" -o "$scratch/arena" schemas/example/arena.pkt
check "$PKTC" -o "$scratch/whole" --runtime
# What a programmer reads from top to bottom. All parts together are 2,005 lines.
check test "$(wc -l <"$scratch/mygame/pkt.h")" -le 1223
check test "$(wc -l <"$scratch/whole/pkt.h")" -le 2005
for row in gcc:50000:127000:179900:201700 clang:55000:141700:199300:227200; do
    compiler=${row%%:*} bounds=${row#*:}
    command -v "$compiler" >/dev/null || { skip "sizes with $compiler: it is not installed"; continue; }
    for program in mygame coded arena whole; do
        check at_most "${bounds%%:*}" "$compiler" "$scratch/$program"
        bounds=${bounds#*:}
    done
done
finish
