#!/bin/sh
# cplusplus.sh - checks that C++ programs can use generated code, compiled as C++ or linked as C: in each standard
# from C++11 on, at each optimization level, with the same bytes each time.
# SPDX-License-Identifier: MIT
#
# usage: cplusplus.sh SCRATCH DIR       DIR has the generated code of schemas/mygame.pkt
# shellcheck disable=SC2086
scratch=$1
dir=$2
. tests/dist/common.sh
command -v g++ >/dev/null || command -v clang++ >/dev/null || { skip 'no C++ compiler'; finish; }

for pair in gcc:g++ clang:clang++; do
    c=${pair%:*}
    cxx=${pair#*:}
    command -v "$c" >/dev/null && command -v "$cxx" >/dev/null || { skip "no $c or no $cxx"; continue; }
    for each in 11:-O0 14:-O1 17:-O2 20:-O3; do
        standard=-std=c++${each%:*}
        level=${each#*:}
        check "$cxx" $standard $level $warnings -I"$dir" -o "$scratch/all" -x c++ "$game/use.cpp" \
            "$dir/mygame.c" "$dir/vec.c" "$dir"/pkt*.c
        check sh -c "'$scratch/all' >'$scratch/bytes'"
        [ -f "$scratch/expected" ] || cp "$scratch/bytes" "$scratch/expected"
        check cmp "$scratch/expected" "$scratch/bytes"

        # As C only with the first and the last standard.
        case $level in -O0 | -O3) ;; *) continue ;; esac
        rm -f "$scratch"/*.o
        for file in "$dir/mygame.c" "$dir/vec.c" "$dir"/pkt*.c; do
            name=${file##*/}
            check "$c" -std=c99 $level $warnings -I"$dir" -c -o "$scratch/${name%.c}.o" "$file"
        done
        check "$cxx" $standard $level $warnings -I"$dir" -o "$scratch/linked" "$game/use.cpp" "$scratch"/*.o
        check sh -c "'$scratch/linked' >'$scratch/bytes'"
        check cmp "$scratch/expected" "$scratch/bytes"
    done
done
finish
