#!/bin/sh
# unset.sh - looks for uses of memory that was never set, with clang's memory sanitizer or with valgrind.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc VECTORS=build/vectors SCHEMAS=build/schemas unset.sh msan SCRATCH FILE...
#        PKTC=build/pktc VECTORS=build/vectors DIFFERENTIAL=build/differential unset.sh valgrind SCRATCH SEED FILE...
#        PKTC=build/pktc VECTORS=build/vectors unset.sh sample SCRATCH FILE...
#
# Each runs the vectors of each FILE by generated code. msan also runs the round trips: generated code, the runtime and the
# tests themselves are compiled with the sanitizer; cmocka is not, which does no harm, since it gets nothing but numbers
# and texts. valgrind also runs random schemas, with generated code and codec, and pktc with what tests the codec, whose
# programs it finds in BUILD/test. The sample runs the vectors by both. A tool that is missing is skipped with a line that
# says so. Lists of words are split on purpose.
# shellcheck disable=SC2086
set -u
how=$1
scratch=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
: "${VECTORS:?}" "${PKTC:?}"
rm -rf "$scratch"
mkdir -p "$scratch" || exit 1
scratch=$(cd "$scratch" && pwd)
memory='-g1 -fsanitize=memory -fno-sanitize-recover=all'
check='valgrind -q --vgdb=no --error-exitcode=9'
plain='-g1 -DPKT_READS_PADDING=0'
passed=0
failed=0

# NAME COMMAND...: runs a command, and counts whether it succeeds.
count() {
    name=$1
    shift
    if "$@" >"$scratch/log" 2>&1; then
        passed=$((passed + 1))
    else
        cat "$scratch/log"
        echo "$how: $name failed"
        failed=$((failed + 1))
    fi
}

has_msan() { echo 'int main(void) { return 0; }' | clang -fsanitize=memory -x c - -o "$scratch/have" 2>/dev/null; }
has_valgrind() { command -v valgrind >/dev/null; }

# RUNTIME FLAGS: the runtime as a library.
make_runtime() {
    mkdir -p "$scratch/$1"
    for file in "$root"/runtime/*.c; do
        $compiler -std=c99 -O1 -w $2 -c -o "$scratch/$1/$(basename "$file" .c).o" "$file" || exit 1
    done
    ar rcs "$scratch/$1/libpkt.a" "$scratch/$1"/*.o
}

# FILE...: their vectors, with `compiler`, `sanitizers` and `under`.
run_vectors() {
    for file in "$@"; do
        count "vectors of $(basename "$file")" env CC="$compiler" CFLAGS="-w $debug" SANITIZERS="$sanitizers" UNDER="$under" \
            RUNTIME="$scratch/$kind/libpkt.a" BUILD="$scratch/$kind" VECTORS="$VECTORS" PKTC="$PKTC" \
            "$root/tests/interop/run.sh" "$file"
    done
}

vectors_with_msan() {
    compiler=clang sanitizers=$memory under='' debug='' kind=msan
    make_runtime msan "$memory"
    run_vectors "$@"
}

# valgrind of Debian 12 cannot read what clang writes for debuggers.
vectors_with_valgrind() {
    compiler=gcc sanitizers='' under=$check debug="$plain" kind=valgrind
    make_runtime valgrind "$plain"
    run_vectors "$@"
}

# all.pkt has every construct: optimized it would take longest.
round_trips() {
    mkdir -p "$scratch/schemas"
    for file in "$SCHEMAS"/*.c; do
        level=-O1
        [ "$(basename "$file")" != all.c ] || level=-O0
        clang -std=c99 -w $level $memory -c -o "$scratch/schemas/$(basename "$file" .c).o" "$file" || exit 1
    done
    ar rcs "$scratch/schemas/libschemas.a" "$scratch"/schemas/*.o
    for test in "$root"/tests/roundtrip/test_*.c; do
        program=$scratch/$(basename "$test" .c)
        clang -std=c11 -D_POSIX_C_SOURCE=200809L -w -O1 $memory -I"$root/tests" -I"$SCHEMAS" -o "$program" "$test" \
            "$scratch/schemas/libschemas.a" -lcmocka -lm || exit 1
        count "$(basename "$program")" "$program"
    done
}

case $how in
msan)
    if has_msan; then
        vectors_with_msan "$@"
        round_trips
    else
        echo '[  SKIPPED ] no clang with the memory sanitizer'
    fi
    ;;
valgrind)
    if has_valgrind; then
        seed=$1
        shift
        vectors_with_valgrind "$@"
        # Functions with frames of megabytes are no change of stacks.
        count "random schemas of seed $seed" $check --max-stackframe=8000000 "$DIFFERENTIAL" --schemas 4 --cases 60 \
            --seed "$seed" "$scratch" "$root" "gcc -O1 $plain -Dalways_inline=__unused__"
        printf '#!/bin/sh\nexec %s %s "$@"\n' "$check" "$(cd "$(dirname "$PKTC")" && pwd)/pktc" >"$scratch/pktc"
        chmod +x "$scratch/pktc"
        count 'encode and decode' env PKTC="$scratch/pktc" PKTC_SANITIZED="$scratch/pktc" SCRATCH="$scratch" \
            "$(dirname "$PKTC")/test/codec/test_codec"
    else
        echo '[  SKIPPED ] no valgrind'
    fi
    ;;
sample)
    if has_msan; then vectors_with_msan "$@"; else echo '[  SKIPPED ] no clang with the memory sanitizer'; fi
    if has_valgrind; then vectors_with_valgrind "$@"; else echo '[  SKIPPED ] no valgrind'; fi
    ;;
esac
[ "$passed" = 0 ] || echo "[  PASSED  ] $passed test(s)."
[ "$failed" = 0 ] || echo "[  FAILED  ] $failed test(s)."
[ "$failed" = 0 ]
