#!/bin/sh
# run.sh - runs the differential test with the compilers that are installed.
# SPDX-License-Identifier: MIT
#
# usage: run.sh sample|long|address|clang|gcc|gcc-O2|gcc-O3 PROGRAM DIRECTORY OPTIONS...
#
# Each schema is compiled without forced inlining, which is ten times faster, and so that undefined behaviour traps.
# In a long run every Nth schema (--share N) is also compiled as programs do it, with gcc and clang, at their default
# level and at -O3, and at -O2 with traps; in a sample, one with gcc. clang, gcc and the next ones are one compiler of a sample,
# or the first if gcc is not installed. For `address`, PROGRAM was built by CC with the address sanitizer, and
# generated code is too. ENGINE: another compiler for each schema. tcc 0.9.28 takes a sixth of the time, but does not trap
# undefined behaviour; tcc 0.9.27 stores 16 bytes where a function returns 12, as pkt_vec3 has
# (findings/tcc-twelve-bytes.sh). Lists of words are split on purpose.
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
if [ "${ENGINE:-}" ]; then
    quick="$ENGINE $calls"
elif [ "$clang" ]; then
    quick="clang -O0 $calls -fsanitize=undefined -fsanitize-trap=all"
elif [ "$gcc" ]; then
    quick="gcc -O0 $calls $undefined"
else
    quick="${CC:-cc} -O0 $calls"
fi

case $extent in
gcc) one="gcc -O0 $calls $undefined" ;;
gcc-O2) one="gcc -O2 $calls $undefined" ;;
gcc-O3) one="gcc -O3 $calls" ;;
*) one= ;;
esac
[ -z "$one" ] || [ -z "$gcc" ] || [ "${ENGINE:-}" ] || quick=$one

if [ "$extent" = address ]; then
    # Each schema is a library that replaces the one before, with the same names.
    ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_odr_violation=0:detect_leaks=0
    export ASAN_OPTIONS
    exec "$program" "$@" "$directory" "$root" "${CC:-cc} -O1 $calls -fsanitize=address"
fi
set -- "$@" "$directory" "$root" "$quick"
case $extent in
clang | gcc*) ;;
sample)
    # Only gcc checks the bounds of arrays of structs.
    set -- "$@" ${gcc:+"gcc -O0 $calls $undefined"} ${gcc:+"gcc -O2 $calls $undefined"} ${gcc:+"gcc -O3 $calls"}
    ;;
long)
    set -- "$@" ${gcc:+'gcc -O0'} ${gcc:+'gcc -O3'} ${clang:+'clang -O0'} ${clang:+'clang -O3'} \
        ${gcc:+"gcc -O2 $calls $undefined"} ${clang:+"clang -O2 $calls -fsanitize=undefined -fsanitize-trap=all"}
    ;;
esac
exec "$program" "$@"
