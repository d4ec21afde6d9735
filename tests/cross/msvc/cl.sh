#!/bin/sh
# cl.sh - checks with MSVC itself that pktc and generated code compile without a warning, and gives generated code the
# bytes of tests/data. For Windows; cross.sh checks the same with clang in place of MSVC.
# SPDX-License-Identifier: MIT
#
# usage: [COMPILER=cl] [RUN=] cl.sh KIT SCRATCH
#
# `make windows-kit` makes the kit, build/windows-kit, on another system. On Windows this runs in the shell of Git, started
# from a developer command prompt, in the top directory. COMPILER is cl or clang-cl, and RUN runs what it makes. For the
# processor of another machine, CROSS=1 leaves out what runs programs. NAMES are the schemas whose code is compiled in
# each language. Options have a - in front, because that shell takes what begins with a / for a path. Lists of words are split
# on purpose.
# shellcheck disable=SC2086,SC2154
kit=$1
scratch=$2
. tests/dist/common.sh
: "${COMPILER:=cl}" "${RUN:=}" "${CROSS:=}" "${NAMES:=mygame all}"
compile() { check $COMPILER -nologo "$@"; }

# pktc as one file. It says C4996 of the names of C that MSVC would have otherwise.
mkdir -p "$scratch/std" "$scratch/plain"
compile -O2 -wd4996 "-Fo$scratch/std/" "-Fe$scratch/std/pktc.exe" -std:c11 "$kit/pktc.c"
compile -O2 -wd4996 "-Fo$scratch/plain/" "-Fe$scratch/pktc.exe" "$kit/pktc.c"
pktc="$RUN $scratch/pktc.exe"
[ -z "$CROSS" ] || pktc=${PKTC:?}
check $pktc --version
for name in $NAMES; do check $pktc --reflect --capture -o "$scratch/generated/$name" "schemas/$name.pkt"; done
check $pktc -o "$scratch/rounding" tests/cross/rounding.pkt

# Generated code in each language. Without -permissive-, which is for C++ alone, in C.
for mode in -TC '-TC -std:c17' '-TP -std:c++14 -permissive-' '-TP -std:c++20 -permissive-'; do
    for level in -Od -O2; do
        for file in "$scratch"/generated/*/*.c; do
            compile -c -W4 -WX $level $mode "-Fo$scratch/object.obj" "$file"
        done
    done
done
[ -z "$CROSS" ] || finish

# The hashes of rounding, also where a product and a sum may be fused.
for options in '-O2' '-O2 -arch:AVX2' '-O2 -arch:AVX2 -fp:contract'; do
    mkdir -p "$scratch/objects"
    # Two files are called rounding.c.
    compile -c $options "-I$scratch/rounding" "-Fo$scratch/hashes.obj" tests/cross/rounding.c
    compile $options "-I$scratch/rounding" "-Fo$scratch/objects/" "-Fe$scratch/program.exe" "$scratch/hashes.obj" \
        "$scratch"/rounding/*.c
    prints "$(cat "$kit/rounding.txt")" $RUN "$scratch/program.exe"
done

# The vectors: a program for each schema.
mkdir -p "$scratch/runtime"
compile -c -O2 -Iruntime "-Fo$scratch/runtime/" runtime/*.c
vectors_of() {
    $COMPILER -nologo -O1 "-I$scratch/made" -Itests/fuzz -Iruntime "-Fo$scratch/objects/" "-Fe$scratch/program.exe" \
        "${1%.pkt}_glue.c" tests/interop/replay/*.c "$scratch"/runtime/*.obj &&
        $RUN "$scratch/program.exe" <"${1%.pkt}.records"
}
for schema in "$kit"/vectors/*/*.pkt; do
    rm -rf "$scratch/made"
    check $pktc --reflect --no-runtime -o "$scratch/made" "$schema"
    check vectors_of "$schema"
done
finish
