#!/bin/sh
# builds.sh - what generated code costs a build: the compiler's seconds and memory, and the bytes of code that come of it.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc BUILD=build/builds builds.sh [SCHEMA]...
#
# A row is a schema and a compiler with its flags: the files of the schema and of those it imports, compiled one by one. The
# bytes are code and constants, `text` of the tool `size`, without the runtime, which is 20 KB and the same for all. ROWS
# ("gcc:-O2 clang:-Os") chooses the compilers.
# Lists of words are split where they are used.
# shellcheck disable=SC2086
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
: "${PKTC:?}" "${BUILD:?}"
runtime=${RUNTIME:-$root/runtime}
schemas=${*:-$root/schemas/mygame.pkt $here/game/skirmish.pkt $root/schemas/all.pkt}
rows=${ROWS:-gcc:-O0 gcc:-O2 gcc:-Os gcc:-O1,-fsanitize=address,undefined clang:-O0 clang:-O2 clang:-O1,-fsanitize=address,undefined
    arm-none-eabi-gcc:-Os,-mcpu=cortex-m4,-mthumb,-mfpu=fpv4-sp-d16,-mfloat-abi=hard}
mkdir -p "$BUILD" || exit 1
${CC:-cc} -O1 -o "$BUILD/cost" "$here/cost.c" || exit 1

# Compiles all C files of a directory with a compiler and flags: "SECONDS MB BYTES" in all, the most memory of one.
build() {
    directory=$1 compiler=$2
    shift 2
    rm -f "$directory"/*.o
    for source in "$directory"/*.c; do
        "$BUILD/cost" $compiler -std=c99 "$@" -I"$runtime" -c -o "${source%.c}.o" "$source" || return 1
    done >"$directory/costs"
    bytes=$(size "$directory"/*.o | awk 'NR > 1 { bytes += $1 } END { print bytes }')
    awk -v bytes="$bytes" '{ seconds += $1; if ($2 > most) most = $2 } END { print seconds, most, bytes }' "$directory/costs"
}

printf '%-10s %-52s %8s %6s %10s\n' schema compiler seconds MB bytes
for schema in $schemas; do
    name=$(basename "$schema" .pkt)
    rm -rf "${BUILD:?}/$name"
    mkdir -p "$BUILD/$name"
    "$PKTC" -o "$BUILD/$name" "$schema" || exit 1
    for row in $rows; do
        compiler=${row%%:*}
        flags=$(echo "${row#*:}" | sed 's/,-/ -/g')
        command -v "$compiler" >/dev/null || { echo "no $compiler here"; continue; }
        costs=$(build "$BUILD/$name" "$compiler" $flags) || exit 1
        printf '%-10s %-52s %8.2f %6d %10d\n' "$name" "$compiler $flags" $costs
    done
done
