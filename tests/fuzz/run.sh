#!/bin/sh
# run.sh - the differential test with the compilers that are here.
# SPDX-License-Identifier: MIT
#
# usage: run.sh sample|long|address PROGRAM DIRECTORY OPTIONS...
#
# Every schema is compiled without the inlining that generated code asks for, which takes a tenth of the time, and so that undefined
# behaviour crashes. Of the long run each so many-th (--share) also goes through gcc and clang as a program would use them, plain
# and at -O3; of the sample one through gcc. address: PROGRAM was made by CC with the address sanitizer, and so is generated code.
# Lists of words are split where they are used.
# shellcheck disable=SC2086
set -u
extent=$1
program=$2
directory=$3
shift 3
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$directory"
mkdir -p "$directory" || exit 1
directory=$(cd "$directory" && pwd)
calls='-Dalways_inline=__unused__'
gcc=gcc
clang=clang
command -v gcc >/dev/null || gcc=
command -v clang >/dev/null || clang=
undefined='-fsanitize=undefined -fsanitize-undefined-trap-on-error'
if [ "$clang" ]; then
    quick="clang -O0 $calls -fsanitize=undefined -fsanitize-trap=all"
elif [ "$gcc" ]; then
    quick="gcc -O0 $calls $undefined"
else
    quick="${CC:-cc} -O0 $calls"
fi

if [ "$extent" = address ]; then
    # Schemas are libraries, each in the place of the one before, with the same names.
    ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_odr_violation=0:detect_leaks=0
    export ASAN_OPTIONS
    exec "$program" "$@" "$directory" "$root" "${CC:-cc} -O1 $calls -fsanitize=address"
fi
set -- "$@" "$directory" "$root" "$quick"
if [ "$extent" = sample ]; then
    # The bounds of arrays of structs are gcc's to watch.
    set -- "$@" ${gcc:+"gcc -O0 $calls $undefined"} ${gcc:+"gcc -O3 $calls"}
else
    set -- "$@" ${gcc:+'gcc -O0'} ${gcc:+'gcc -O3'} ${clang:+'clang -O0'} ${clang:+'clang -O3'}
fi
exec "$program" "$@"
