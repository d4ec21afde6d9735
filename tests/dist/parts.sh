#!/bin/sh
# parts.sh - pkt.c links with any parts of the runtime that pktc chooses, by every compiler that is here.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc USES=build/made/runtime_uses.c parts.sh DIR
#
# pktc chooses a part together with those that it uses (dist/uses.c), so what it chooses is a union of such sets. It is
# enough that pkt.c links without parts, with each such set, and with all parts. Take a function that a part calls: with the set of
# that part it is defined, by a part of the set or by a stand-in for one outside of it. With more parts it still is, by the
# part or the stand-in; and never twice, or it would be so with the set of the part that defines it.
scratch=$1/parts
. tests/dist/common.sh
check "$PKTC" --runtime -o "$scratch/whole"

# The parts: a name, the set as a number, and the number of the part itself.
bit=1
sed -n 's/^    {"\([A-Z]*\)", 0x\([0-9a-f]*\)},$/\1 \2/p' "$USES" | while read -r part uses; do
    echo "$part $((0x$uses)) $bit"
    bit=$((bit * 2))
done >"$scratch/rows"
check test "$(cd "$scratch/whole" && sed -n 's/^#ifndef PKT_WITHOUT_//p' pkt.h pkt_inside.h pkt.c | awk '!seen[$0]++')" = "$(cut -d' ' -f1 "$scratch/rows")"
# A file that needs a part says so if pkt.c lacks it.
check test "$(grep -o 'defined(PKT_WITHOUT_[A-Z]*) && defined(PKT_WITH_[A-Z]*)' "$scratch/whole/pkt.h" |
    sed -n 's/.*WITHOUT_\([A-Z]*\)) && defined(PKT_WITH_\1)/\1/p' | sort)" = \
    "$(cut -d' ' -f1 "$scratch/rows" | sort)"

# The macros that leave out what is not in a set.
without() {
    while read -r part _ own; do
        [ $(($1 & own)) != 0 ] || printf -- '-DPKT_WITHOUT_%s ' "$part"
    done <"$scratch/rows"
}

# Without optimization, also what nothing calls has to be there. With it, other functions are compiled.
links() {
    for level in -O0 -O2; do
        # shellcheck disable=SC2046,SC2086
        check $2 $level $warnings $(without "$1") -shared -o "$scratch/program" "$scratch/whole/pkt.c"
    done
}

for compiler in gcc clang g++ x86_64-w64-mingw32-gcc; do
    command -v $compiler >/dev/null || { skip "parts with $compiler: it is not installed"; continue; }
    case $compiler in
    *mingw*) how="$compiler -std=c99" ;; # refuses what is undefined, as the others do with -z defs
    *++) how="$compiler -std=c++11 -x c++ -fPIC -Wl,-z,defs" ;;
    *) how="$compiler -std=c99 -fPIC -Wl,-z,defs" ;;
    esac
    links 0 "$how"
    links -1 "$how"
    while read -r _ uses _; do
        links "$uses" "$how"
    done <"$scratch/rows"
done
finish
