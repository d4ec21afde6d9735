#!/bin/sh
# dist.sh - checks that pktc as one C file behaves like pktc, and builds a game with the runtime as one header.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc dist.sh SCRATCH DIST
scratch=$1
dist=$2
. tests/dist/common.sh
run_pktc "$scratch/out" "$PKTC"
alone=$scratch/decode
mkdir -p "$alone"

for cc in gcc clang; do
    command -v $cc >/dev/null || { skip "no $cc"; continue; }
    mkdir -p "$scratch/alone-$cc"
    cp "$dist/pktc.c" "$scratch/alone-$cc"
    check sh -c "cd '$scratch/alone-$cc' && $cc pktc.c -o pktc"
    check sh -c "cd '$scratch/alone-$cc' && $cc -std=c11 -O1 -Wall -Wextra -Wno-unused-function -Werror \
        -fsyntax-only pktc.c"
    mv "$scratch/out" "$scratch/expected"
    run_pktc "$scratch/out" "$scratch/alone-$cc/pktc"
    check diff -r "$scratch/expected" "$scratch/out"
    rm -r "$scratch/expected"
    [ -e "$alone/pktc" ] || cp "$scratch/alone-$cc/pktc" "$alone"
done

# Without jansson, pktc from one file decodes, and reports that it cannot encode. With it, it does everything.
cp "$dist/pktc.c" "$alone"
[ -e "$alone/pktc" ] || check sh -c "cd '$alone' && ${CC:-cc} pktc.c -o pktc"
strict="-std=c11 -Wall -Wextra -Wno-unused-function -Werror"
check sh -c "cd '$alone' && ${CC:-cc} $strict -DPKTC_JSON -fsyntax-only pktc.c"
check sh -c "cd '$alone' && ${CC:-cc} $strict -DPKTC_JSON pktc.c -o pktc-json -ljansson"
forms='tests/codec/forms.pkt Forms'
# shellcheck disable=SC2086
check sh -c "'$PKTC' encode $forms <tests/codec/forms.json >'$alone/bytes' && \
    '$alone/pktc-json' encode $forms <tests/codec/forms.json |
    cmp - '$alone/bytes'"
check sh -c "'$alone/pktc' decode $forms <'$alone/bytes' | diff tests/codec/forms.decoded -"
prints 'pktc: error: this pktc was built without jansson, which encode needs' \
    sh -c "'$alone/pktc' encode $forms <tests/codec/forms.json"

prints 'reads JSON: no, built without jansson
reads gzip: no, built without zlib
reads zstd: no, built without libzstd' sh -c "'$alone/pktc' --version | sed -n 3,5p"

# The same for recordings that are compressed.
"$PKTC" --capture -o "$alone" tests/codec/forms.pkt
cat >"$alone/record.c" <<'END'
#include "forms_capture.h"
#include <stdio.h>
int main(void)
{
    FILE *file = fopen("match.pcapng", "wb");
    const char *const *schema = forms_PROTOCOL_SCHEMA;
    pkt_endpoint local = pkt_endpoint_of("\12\0\0\1", 4, 1);
    pkt_capture capture;
    return !pkt_capture_begin(&capture, pkt_capture_to_file, file, &local, &schema, 1) ||
           !pkt_capture_packet(&capture, 0, PKT_SENT, &local, "?", 1);
}
END
check sh -c "cd '$alone' && ${CC:-cc} -std=c99 record.c forms_capture.c pkt.c -o record && ./record"
check sh -c "cd '$alone' && ./pktc decode match.pcapng | grep -q '\"type\": null'"
gzip -k "$alone/match.pcapng"
prints "pktc: error: cannot read 'match.pcapng.gz': it is compressed with gzip, and this pktc was built without zlib" \
    sh -c "cd '$alone' && ./pktc-json decode match.pcapng.gz"
printf '\050\265\057\375' >"$alone/match.zst"
prints "pktc: error: cannot read 'match.zst': it is compressed with zstd, and this pktc was built without libzstd" \
    sh -c "cd '$alone' && ./pktc-json report match.zst"
if printf '#include <zlib.h>\n#include <zstd.h>\n' | ${CC:-cc} -E -x c - >/dev/null 2>&1; then
    check sh -c "cd '$alone' && ${CC:-cc} $strict -DPKTC_ZLIB -DPKTC_ZSTD \
        pktc.c -o pktc-all -lz -lzstd && ./pktc-all decode match.pcapng.gz | grep -q '\"type\": null'"
fi

# The runtime is the one that pktc writes.
check "$PKTC" --runtime -o "$scratch/runtime"
for file in pkt.h pkt_inside.h pkt.c; do check cmp "$dist/$file" "$scratch/runtime/$file"; done

# A file of the program may include pkt.c, in place of compiling it.
mkdir -p "$scratch/game"
cp "$dist"/pkt*.[ch] "$scratch/game" && rm "$scratch/game/pktc.c"
check "$PKTC" --no-runtime -o "$scratch/game" schemas/mygame.pkt
check "$PKTC" --no-runtime -I "$game/shared" -o "$scratch/game" "$game/game.pkt"
printf '#include "pkt.h"\n#include "pkt.c"\n#include "pkt.h"\n' >"$scratch/game/runtime.c"
for pair in gcc:g++ clang:clang++; do
    c=${pair%:*}
    cxx=${pair#*:}
    command -v "$c" >/dev/null && command -v "$cxx" >/dev/null || continue
    # shellcheck disable=SC2086
    check "$c" -std=c99 $warnings -Wmissing-prototypes -I"$scratch/game" -o "$scratch/game/program" "$game/game.c" \
        "$scratch/game/game.c" "$scratch/game/weapon.c" "$scratch/game/runtime.c"
    prints 'anna pistol: 17 bytes' "$scratch/game/program"
    # shellcheck disable=SC2086
    check "$cxx" -std=c++11 $warnings -I"$scratch/game" -o "$scratch/game/use" -x c++ "$game/use.cpp" \
        "$scratch/game/mygame.c" "$scratch/game/vec.c" "$scratch/game/runtime.c"
    check "$scratch/game/use"
done
finish
