#!/bin/sh
# kit.sh - puts what cl.sh needs, and cannot make on Windows, into a folder: pktc as one file, the vectors as schemas and
# C, and the hashes of rounding.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc VECTORS=build/vectors DIST=build/dist kit.sh KIT
set -eu
kit=$1
rm -rf "$kit"
mkdir -p "$kit/vectors"
cp "$DIST/pktc.c" "$kit"
for file in tests/data/vectors.txt tests/data/vectors2.jsonl tests/data/coded.jsonl; do
    mkdir "$kit/vectors/$(basename "$file")"
    "$VECTORS" "$file" "$kit/vectors/$(basename "$file")" >/dev/null
done
"$PKTC" -o "$kit/rounding" tests/cross/rounding.pkt
${CC:-cc} -I"$kit/rounding" -o "$kit/rounding/program" tests/cross/rounding.c "$kit"/rounding/*.c -lm
"$kit/rounding/program" >"$kit/rounding.txt"
rm -r "$kit/rounding"
