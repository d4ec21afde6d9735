#!/bin/sh
# parts.sh - pkt.c compiles and links with only some parts of the runtime.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc parts.sh DIR
scratch=$1/parts
. tests/dist/common.sh

# Without optimization, also what nothing calls has to be there. With it, other functions are compiled; -O2 would choose the
# same, and take longer.
links() {
    for level in -O0 -O1; do
        # shellcheck disable=SC2154
        check ${CC:-cc} -std=c99 $level $warnings -shared -fPIC -Wl,-z,defs -o "$1/program" "$1/pkt.c"
    done
}

for schema in schemas/mygame tests/emit/golden/subsets tests/emit/golden/codes tests/emit/golden/deltas tests/roundtrip/fit; do
    check "$PKTC" -o "$scratch/${schema##*/}" $schema.pkt
    links "$scratch/${schema##*/}"
done
check "$PKTC" --runtime -o "$scratch/whole"
links "$scratch/whole"
finish
