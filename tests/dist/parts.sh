#!/bin/sh
# parts.sh - pkt.c compiles and links with only some parts of the runtime.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc parts.sh DIR
scratch=$1/parts
. tests/dist/common.sh

# Without optimization, also what nothing calls has to be there.
for schema in schemas/mygame tests/emit/golden/subsets tests/emit/golden/codes tests/emit/golden/deltas tests/roundtrip/fit; do
    dir=$scratch/${schema##*/}
    check "$PKTC" -o "$dir" $schema.pkt
    check ${CC:-cc} -std=c99 -O0 $warnings -shared -fPIC -Wl,-z,defs -o "$dir/program" "$dir/pkt.c"
done
check "$PKTC" --runtime -o "$scratch/whole"
check ${CC:-cc} -std=c99 -O0 $warnings -shared -fPIC -Wl,-z,defs -o "$scratch/whole/program" "$scratch/whole/pkt.c"
finish
