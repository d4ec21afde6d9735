#!/bin/sh
# msvc.sh - compares generated code of MinGW with that of clang in place of MSVC, by itself (clang) and without the macros
# that MSVC lacks (strict): the time of packets of mygame, with wine.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc msvc.sh SCRATCH
#
# Lists of words are split on purpose.
# shellcheck disable=SC2046,SC2086,SC2154
scratch=$1
. tests/dist/common.sh
. tests/cross/msvc/msvc.sh
: "${PKTC:?}"
mingw=x86_64-w64-mingw32-gcc
if ! { command -v $mingw && make_strict && make_library && start_wine; } >/dev/null; then
    echo 'no MinGW, clang, lld, wine64, or headers of wine (libwine-dev)'
    exit 1
fi
check "$PKTC" -o "$scratch/made" schemas/mygame.pkt
sources="tests/bench/msvc_packets.c $scratch/made/mygame.c $scratch/made/vec.c $scratch/made/pkt.c"
library() {
    name=$1
    shift
    check "$@" -std=gnu11 -O2 -I"$scratch/made" -o "$scratch/$name.dll" $sources
}
as_library='-Xlinker /dll -Xlinker /entry:load_library'
library mingw $mingw -shared
library clang $(echo "$msvc_strict" | sed 's/-include [^ ]*//; s/-mpclmul -msse4.1//') $as_library
library strict $msvc_strict $as_library
check $mingw -O2 -o "$scratch/msvc.exe" tests/bench/msvc.c
[ $failed = 0 ] || exit 1
cd "$scratch" && "$run" msvc.exe mingw.dll clang.dll strict.dll
