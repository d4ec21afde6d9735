#!/bin/sh
# flags.sh - each option of a compiler that can change the arithmetic of floats changes no byte, no value and no refusal of
# rounding.c, or the files of pktc do not compile with it.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc flags.sh SCRATCH     from the top directory; compilers that are not installed are skipped
#
# The options are given to the generated files alone, as a program would round its own numbers otherwise too. Lists of
# words are split on purpose.
# shellcheck disable=SC2086
scratch=$1
. tests/dist/common.sh
: "${PKTC:?}"
rounding=$scratch/rounding
check "$PKTC" -o "$rounding" tests/cross/rounding.pkt

associative='-fassociative-math -fno-signed-zeros -fno-trapping-math'
# Of gcc and of clang; one list in a line, and options that belong together in one of its words.
both="-freciprocal-math $(echo $associative | tr ' ' ,) -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros
    -fno-trapping-math -frounding-math -fno-math-errno -ffp-contract=fast -Ofast -ffast-math"
of_gcc='-fcx-limited-range -fexcess-precision=fast -fsingle-precision-constant -fsignaling-nans -fno-fp-int-builtin-inexact'
of_clang='-fno-honor-nans -fno-honor-infinities -fapprox-func,-mrecip=all -ffp-model=fast -ffp-model=strict
    -ffp-model=precise -ffp-exception-behavior=strict -fdenormal-fp-math=positive-zero'
of_x86='-ffp-contract=fast,-mfma -ffp-contract=fast,-mfma,-funsafe-math-optimizations -march=native,-freciprocal-math'
of_gcc_x86="$of_x86 -mfpmath=387 -mfpmath=both"
# In clang an intrinsic keeps the options under which its header was read.
of_clang_x86="$of_x86 -freciprocal-math,-include,immintrin.h $(echo $associative -include immintrin.h | tr ' ' ,)
    -fno-honor-nans,-include,immintrin.h -fapprox-func,-include,immintrin.h"
# What a gcc says that does not name its options.
silent='-U__RECIPROCAL_MATH__,-U__ASSOCIATIVE_MATH__,-D__GNUC__=11,-Wno-builtin-macro-redefined'
of_old_gcc="-freciprocal-math,$silent $(echo $associative | tr ' ' ,),$silent -funsafe-math-optimizations,$silent"
build() {
    $compiler $1 -c -o "$scratch/packet.o" "$rounding/rounding.c" >"$scratch/said" 2>&1 &&
        $compiler $1 -c -o "$scratch/runtime.o" "$rounding/pkt.c" >>"$scratch/said" 2>&1
}

hashes() {
    $linker -o "$scratch/program" "$scratch/rounding.o" "$scratch/packet.o" "$scratch/runtime.o" -lm &&
        $run "$scratch/program"
}

# One option: nothing changes, or the message says what to leave out.
option() {
    words=$(echo "$1" | tr ',' ' ')
    if build "-O1 $words"; then
        prints "$here" hashes
        [ "$passed" != "$before" ] || echo "$name $words"
    else
        check grep -qE "pkt needs|pkt_needs|unit is not supported" "$scratch/said"
        [ "$passed" != "$before" ] || { echo "$name $words" && cat "$scratch/said"; }
    fi
}

# sweep NAME 'COMPILER of C for rounding.c' 'COMPILER' 'RUN' OPTION...
sweep() {
    name=$1 linker=$2 compiler="$3 -w -I$rounding" run=$4
    shift 4
    if ! command -v ${linker%% *} >/dev/null || ! command -v ${compiler%% *} >/dev/null ||
        ! $linker -std=gnu99 -O1 -I"$rounding" -c -o "$scratch/rounding.o" tests/cross/rounding.c 2>"$scratch/said" ||
        ! build -O0 || ! here=$(hashes 2>"$scratch/said"); then
        skip "$name: no ${compiler%% *} that makes programs which run here"
        return
    fi
    [ "${first:=$here}" = "$here" ] || check test "$name: $first" = "$here"
    for words in "$@"; do
        before=$passed
        option "$words"
    done
}

sweep gcc gcc gcc '' $both $of_gcc $of_gcc_x86 $of_old_gcc
sweep g++ gcc 'g++ -x c++' '' -freciprocal-math -funsafe-math-optimizations $of_old_gcc
sweep clang clang clang '' $both $of_clang $of_clang_x86
sweep clang++ clang 'clang++ -x c++' '' -freciprocal-math -funsafe-math-optimizations -fno-honor-nans
sweep aarch64 'aarch64-linux-gnu-gcc -static' aarch64-linux-gnu-gcc qemu-aarch64-static $both $of_gcc $of_old_gcc
wasm='clang --target=wasm32-wasi -Itests/cross/wasm -Wno-unused-command-line-argument'
sweep wasm "$wasm -Wl,-z,stack-size=1048576,--stack-first" "$wasm" 'node --no-warnings tests/cross/wasi.mjs' -freciprocal-math \
    $(echo $associative | tr ' ' ,) -funsafe-math-optimizations -fno-honor-nans -fapprox-func

# Without what forbids them, these options do change the hashes: the sweep would see it.
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    linker=$compiler run=
    $compiler -std=gnu99 -O1 -I"$rounding" -c -o "$scratch/rounding.o" tests/cross/rounding.c
    mkdir -p "$scratch/bare"
    cp "$rounding"/*.[ch] "$scratch/bare"
    sed 's/^#pragma float_control.*//; s/defined(__RECIPROCAL_MATH__)/0/; s/defined(__ASSOCIATIVE_MATH__)/0/' \
        "$rounding/pkt_inside.h" >"$scratch/bare/pkt_inside.h"
    for words in -freciprocal-math "$associative"; do
        check $compiler -w -O2 $words -I"$scratch/bare" -c -o "$scratch/packet.o" "$scratch/bare/rounding.c"
        check $compiler -w -O2 $words -I"$scratch/bare" -c -o "$scratch/runtime.o" "$scratch/bare/pkt.c"
        check test "$(hashes)" != "$first"
    done
done
finish
