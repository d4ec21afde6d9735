#!/bin/sh
# run.sh - tests generated code with vectors files: makes test programs, generates code, compiles and runs them.
# SPDX-License-Identifier: MIT
#
#     VECTORS=build/vectors RUNTIME=build/san/libpkt.a PKTC=build/pktc CC=gcc BUILD=build/interop \
#         tests/interop/run.sh [FILE...]
#
# VECTORS is the program built from vectors*.c. RUNTIME is compiled with sanitizers. BUILD is a directory for files. CFLAGS
# are added. Without files it uses those in tests/data. It tries all schemas, and exits with 1 if one failed.
# SANITIZERS: other sanitizers than address and undefined, those of RUNTIME. UNDER: a command before each program, such as
# `valgrind`.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
: "${VECTORS:?}" "${RUNTIME:?}" "${PKTC:?}" "${BUILD:?}"
: "${CC:=cc}" "${CFLAGS:=}"
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wfloat-conversion"
sanitizers=${SANITIZERS--fsanitize=address,undefined -fno-sanitize-recover=all}
[ $# -gt 0 ] || set -- "$root"/tests/data/vectors.txt "$root"/tests/data/*.jsonl

# Compiles a file to an object. CFLAGS are added.
object() {
    # shellcheck disable=SC2086
    $CC -std=c99 $warnings -O1 -g $sanitizers $CFLAGS -I"$directory" -I"$here/../fuzz" -I"$root/runtime" -c "$1" -o "$2"
}

check_schema() {
    name=$1
    "$PKTC" --reflect --no-runtime "$directory/$name.pkt" -o "$directory" || return 1
    object "$directory/${name}_glue.c" "$directory/${name}_glue.o" || return 1
    # shellcheck disable=SC2086
    $CC $sanitizers "$directory/${name}_glue.o" $replay "$RUNTIME" -lm -o "$directory/${name}_test" || return 1
    # A check that fails skips the code that frees its buffers.
    # shellcheck disable=SC2086
    ASAN_OPTIONS=detect_leaks=0 ${UNDER:-} "$directory/${name}_test" <"$directory/$name.records"
}

failed=
replay=
for file in "$@"; do
    directory=$BUILD/$(basename "$file")
    rm -rf "$directory"
    mkdir -p "$directory" || exit 1
    if [ -z "$replay" ]; then
        replay="$directory/replay.o $directory/reflected.o"
        for object in $replay; do
            object "$here/replay/$(basename "$object" .o).c" "$object" || exit 1
        done
    fi
    tally=$("$VECTORS" "$file" "$directory") || failed="$failed $(basename "$file")"
    for pkt in "$directory"/*.pkt; do
        [ -e "$pkt" ] || continue
        name=$(basename "$pkt" .pkt)
        check_schema "$name" || failed="$failed $(basename "$file"):$name"
    done
    echo "$tally"
done
[ -z "$failed" ] && exit 0
echo "failed:$failed" >&2
exit 1
