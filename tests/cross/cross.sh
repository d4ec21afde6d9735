#!/bin/sh
# cross.sh - checks that generated code on other processors gives the bytes, values and errors of tests/data, and
# rounds alike; and that predictions, fits and frames work there.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc VECTORS=build/vectors DIFFERENTIAL=build/differential DIST=build/dist SCHEMAS=12 \
#            cross.sh SCRATCH [TARGET...]
#
# A target is a compiler, its options, and an emulator, see below; by default, all of them. A target whose compiler or
# emulator is not installed is skipped, and reported as skipped; with REQUIRED=1 that is a failure. SCHEMAS is the
# number of random schemas: reads on which generated code and codec agree on this machine must give the same result
# there. SCHEMAS=0 is a sample, without these reads and the round trips. DIST has the files of make dist.
#
# Programs have names that Windows accepts. Lists of words are split on purpose.
# shellcheck disable=SC2086
scratch=$1
shift
. tests/dist/common.sh
. tests/cross/msvc/msvc.sh
: "${PKTC:?}" "${VECTORS:?}" "${DIFFERENTIAL:?}" "${DIST:?}" "${SCHEMAS:?}"
# Without forced inlining, which takes long to compile; the vectors use it, unless this is a sample.
calls='-Dalways_inline=__unused__'
optimized=-O1
levels='-O0 -O3'
[ "$SCHEMAS" != 0 ] || optimized="-O0 $calls" levels=-O1
[ $# -gt 0 ] || set -- s390x aarch64 i386 native windows msvc wasm cortex-m

# Sets cc and run for a target, and lacking, what is said if they do not work.
target() {
    run=
    lacking=
    case $1 in
    s390x) cc='s390x-linux-gnu-gcc -static -fexcess-precision=fast' run=qemu-s390x-static ;; # big-endian
    aarch64) cc='aarch64-linux-gnu-gcc -static' run=qemu-aarch64-static ;; # fuses products and sums by default
    # 32-bit registers. Of the headers of the kernel, only those for the other size may be installed.
    i386) cc="gcc -m32 -msse2 -mfpmath=sse -idirafter /usr/include/$(gcc -print-multiarch 2>/dev/null)" ;;
    native) cc='gcc -O3 -march=native' ;; # all instructions of this processor
    windows) cc='x86_64-w64-mingw32-gcc -static -D__USE_MINGW_ANSI_STDIO=1'
        start_wine || run=false ;;
    msvc) cc=$msvc_strict lacking='no clang, lld, wine64, or headers of wine (libwine-dev)'
        make_strict && make_library && start_wine || run=false ;;
    # As large a stack as elsewhere, and at the end of memory, so that one that is too deep ends the program.
    wasm) cc='clang --target=wasm32-wasi -Itests/cross/wasm -Wl,-z,stack-size=1048576,--stack-first
            -Wno-unused-command-line-argument'
        run='node --no-warnings tests/cross/wasi.mjs' ;;
    cortex-m) cc='arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb' run=true ;; # only compiled
    *) echo "no target '$1'" >&2; exit 2 ;;
    esac
}

# Whether programs for a target can be built and run here.
usable() {
    printf '#include <stdlib.h>\n#include <stdio.h>\nint main(void) { puts("fine"); return 0; }\n' >"$scratch/usable.c"
    if [ "$1" = cortex-m ]; then
        $cc -c -o "$scratch/usable.exe" "$scratch/usable.c" >"$scratch/output" 2>&1
    else
        $cc -o "$scratch/usable.exe" "$scratch/usable.c" >"$scratch/output" 2>&1 &&
            test "$($run "$scratch/usable.exe" 2>/dev/null | tr -d '\r')" = fine
    fi
}

# Generates the code for the vectors, for all targets.
for file in tests/data/vectors.txt tests/data/vectors2.jsonl tests/data/coded.jsonl; do
    directory=$scratch/vectors-$(basename "$file")
    mkdir -p "$directory"
    "$VECTORS" "$file" "$directory" >/dev/null || { echo "failed: $file"; failed=$((failed + 1)); }
    for schema in "$directory"/*.pkt; do check "$PKTC" --reflect --no-runtime -o "$directory" "$schema"; done
done
check "$PKTC" -o "$scratch/rounding" tests/cross/rounding.pkt
trips='coded fit frames'
for name in $trips; do check "$PKTC" --no-runtime -o "$scratch/roundtrip" "tests/roundtrip/$name.pkt"; done
${CC:-cc} -O0 -I"$scratch/rounding" -o "$scratch/here" tests/cross/rounding.c \
    "$scratch"/rounding/*.c -lm && here=$("$scratch/here")

# Records reads of random schemas on this machine, and of one with deeply nested constructs.
record() { check "$DIFFERENTIAL" "$@" --record "$scratch/reads" "$scratch/drawn" "$PWD" "${CC:-cc} -O0 $calls"; }
if [ "$SCHEMAS" != 0 ]; then
    record --schemas "$SCHEMAS" --cases 2000
    record --schema tests/fuzz/nested.pkt --first "$SCHEMAS" --cases 6000
fi

# Repeats recorded reads on a target.
reads_of() {
    $cc -std=c99 -O1 $calls -I"$1" -Iruntime -Itests/fuzz -o "$scratch/program.exe" tests/cross/reads.c "$1/glue.c" \
        "$scratch/$2"/*.o -lm &&
        $run "$scratch/program.exe" <"$1/reads.txt"
}

# Runs the vectors of one schema on a target.
vectors_of() {
    stem=${1%.pkt}
    $cc -std=c99 $optimized -Itests/cross -I"$(dirname "$1")" -Itests/fuzz -Iruntime -o "$scratch/program.exe" \
        "${stem}_glue.c" "$scratch/$2"/replay/*.o "$scratch/$2"/*.o -lm &&
        $run "$scratch/program.exe" <"$stem.records"
}

# Runs a test of tests/roundtrip on a target.
round_trip_of() {
    $cc -std=gnu99 -O1 $calls -DWITH_UNIT_TESTS -Itests/cross -I"$scratch/roundtrip" -Itests/roundtrip -Itests \
        -Iruntime -o "$scratch/program.exe" "tests/roundtrip/test_$1.c" "$scratch/roundtrip/$1.c" "$scratch/$2"/*.o -lm &&
        $run "$scratch/program.exe"
}

# Runs a test of tests/runtime on a target.
unit_of() {
    $cc -std=gnu99 -O1 -DWITH_UNIT_TESTS -Itests/cross -Itests -Iruntime -o "$scratch/program.exe" \
        "tests/runtime/test_$1.c" "$scratch/$2"/*.o -lm &&
        $run "$scratch/program.exe"
}

for name in "$@"; do
    target "$name"
    if ! usable "$name"; then
        skip "$name: ${lacking:-no $cc, or nothing to run its programs}"
        [ "${REQUIRED:-}" = 1 ] && failed=$((failed + 1))
        continue
    fi
    mkdir -p "$scratch/$name"
    for part in runtime/*.c; do
        check $cc -std=c99 -O1 -Iruntime -c -o "$scratch/$name/$(basename "$part" .c).o" "$part"
    done
    if [ "$name" = cortex-m ]; then
        for source in "$scratch"/vectors*/*.c "$scratch"/rounding/rounding.c "$scratch"/roundtrip/*.c; do
            case $source in *_glue.c) continue ;; esac
            check $cc -std=c99 $warnings -O2 -I"$(dirname "$source")" -Iruntime -c -o "$scratch/program.o" "$source"
        done
        continue
    fi
    mkdir -p "$scratch/$name/replay"
    for part in tests/interop/replay/*.c; do
        check $cc -std=c99 $optimized -Itests/cross -Itests/fuzz -Iruntime \
            -c -o "$scratch/$name/replay/$(basename "$part" .c).o" "$part"
    done
    for schema in "$scratch"/vectors*/*.pkt; do check vectors_of "$schema" "$name"; done
    # What uses instructions of the processor, where it has them. On this machine they run as tests of their own.
    for unit in crc32 rows lanes text; do
        [ "$name" = native ] || check unit_of "$unit" "$name"
    done
    if [ "$SCHEMAS" != 0 ]; then
        for schema in "$scratch"/reads/*; do check reads_of "$schema" "$name"; done
        # On this machine they run as tests of their own.
        for trip in $trips; do
            [ "$name" = native ] || check round_trip_of "$trip" "$name"
        done
    fi
    for level in $levels; do
        check $cc -std=gnu99 $level -I"$scratch/rounding" -o "$scratch/program.exe" \
            tests/cross/rounding.c "$scratch"/rounding/*.c -lm
        prints "$here" $run "$scratch/program.exe"
    done
    if [ "$name" = msvc ]; then
        check_modes
        check_fast
        check_fused
        [ "$SCHEMAS" = 0 ] || { check_pktc; check_cl; }
    fi
done
finish
