#!/bin/sh
# windows.sh - builds pktc and generated code with MinGW, and runs them with wine if that is installed.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc windows.sh SCRATCH DIST DIR       DIR has the generated code of schemas/*.pkt
# shellcheck disable=SC2086
pktc=$(cd "$(dirname "$PKTC")" && pwd)/${PKTC##*/}
scratch=$1
dist=$2
dir=$3
. tests/dist/common.sh
cc=x86_64-w64-mingw32-gcc
cxx=x86_64-w64-mingw32-g++
command -v $cc >/dev/null || { skip "everything: no $cc (package gcc-mingw-w64-x86-64-posix)"; finish; }
start_wine || { run=; skip 'running what was built: no wine64'; }

# ---- pktc

# Runs a pktc in a directory with letters of any language in its paths, also in imports, and with lines that end with CR and LF.
named() {
    into=$1
    shift
    mkdir -p "$into/größe/部分"
    printf 'protocol game = 1;\r\nimport "部分/цвет.pkt";\r\npacket Join {\r\n    Color color;\r\n}\r\n' >"$into/größe/spiel_ß.pkt"
    printf 'enum Color { red, green }\r\n' >"$into/größe/部分/цвет.pkt"
    printf 'struct Wrong {\r\n    u8 ж;\r\n}\r\n' >"$into/größe/falsch_é.pkt"
    for arguments in '-o größe/ausgabe größe/spiel_ß.pkt größe/部分/цвет.pkt' '--check -o größe/ausgabe größe/spiel_ß.pkt' \
        '-o größe/ausgabe größe/falsch_é.pkt' '-o größe/ausgabe größe/keine_é.pkt' \
        '--depfile - -o größe/ausgabe größe/spiel_ß.pkt' 'fmt größe/spiel_ß.pkt' 'archive größe/versionen größe/spiel_ß.pkt' \
        '--prune -o größe/ausgabe größe/部分/цвет.pkt'; do
        (cd "$into" && LC_ALL=C.UTF-8 "$@" $arguments)
        echo "status $?"
    done >"$into/said" 2>&1
}
check $cc "$dist/pktc.c" -o "$scratch/pktc.exe"
if [ -n "$run" ]; then
    run_pktc "$scratch/out" "$PKTC"
    mv "$scratch/out" "$scratch/expected"
    run_pktc "$scratch/out" "$run" "$scratch/pktc.exe"
    check diff -r "$scratch/expected" "$scratch/out"
    check "$run" "$scratch/pktc.exe" -o "Z:$(echo "$scratch/back/slash" | tr / '\\')" schemas/vec.pkt
    check test -f "$scratch/back/slash/vec.h"
    # Paths that differ in case or in separators are the same file. Outdated files are removed.
    cp schemas/vec.pkt "$scratch"
    ln "$scratch/vec.pkt" "$scratch/hard.pkt"
    for path in '.\none\..\VEC.pkt' hard.pkt; do
        prints "pktc: error: the output '$path' would replace the input 'vec.pkt'" \
            sh -c "cd '$scratch' && '$run' pktc.exe --depfile '$path' vec.pkt"
    done
    sed 's/vec[.]h/old.h/' "$scratch/back/slash/vec.h" >"$scratch/back/slash/old.h"
    check "$run" "$scratch/pktc.exe" --prune -o "Z:$(echo "$scratch/back/slash" | tr / '\')" schemas/vec.pkt
    check test ! -f "$scratch/back/slash/old.h"
    named "$scratch/named-there" "$pktc"
    named "$scratch/named-here" "$run" "$scratch/pktc.exe"
    check grep -q 'größe/keine_é.pkt' "$scratch/named-there/said"
    check test -f "$scratch/named-there/größe/ausgabe/цвет.h"
    check test ! -f "$scratch/named-there/größe/ausgabe/spiel_ß.h"
    check diff -r "$scratch/named-there" "$scratch/named-here"
    prints "$("$PKTC" --depfile - -o "$scratch/back/slash" schemas/vec.pkt | sed "s|$scratch/||")" \
        sh -c "'$run' '$scratch/pktc.exe' --depfile - -o '$scratch/back/slash' schemas/vec.pkt | sed 's|$scratch/||'"
fi

# ---- generated code, as C and as C++, and after windows.h

for file in "$dir"/*.c; do
    check $cc -std=c99 $warnings -fsyntax-only "$file"
    check $cxx -x c++ -std=c++11 $warnings -fsyntax-only "$file"
done
# Microsoft's headers have a macro `small` too.
for file in mygame.h all.h all.c pkt.c; do
    printf '#include <winsock2.h>\n#include <windows.h>\n#define small char\n#include "%s"\n' $file >"$scratch/after.c"
    check $cc -std=c99 $warnings -I"$dir" -fsyntax-only "$scratch/after.c"
    check $cxx -x c++ -std=c++11 $warnings -I"$dir" -fsyntax-only "$scratch/after.c"
done
${CXX:-c++} -std=c++11 -I"$dir" -c -o "$scratch/use.o" "$game/use.cpp" &&
    ${CC:-cc} -I"$dir" -c -o "$scratch/vec.o" "$dir/vec.c" &&
    ${CC:-cc} -I"$dir" -c -o "$scratch/mygame.o" "$dir/mygame.c" &&
    ${CC:-cc} -c -o "$scratch/pkt.o" "$dist/pkt.c" &&
    ${CXX:-c++} -o "$scratch/use" "$scratch"/*.o && "$scratch/use" >"$scratch/bytes"
for level in -O0 -O2; do
    check $cxx -static -std=c++11 $level -I"$dir" -o "$scratch/use.exe" -x c++ "$game/use.cpp" \
        "$dir/mygame.c" "$dir/vec.c" "$dir"/pkt*.c
    [ -n "$run" ] || continue
    "$run" "$scratch/use.exe" | tr -d '\r' >"$scratch/windows-bytes"
    check cmp "$scratch/bytes" "$scratch/windows-bytes"
done
check "$PKTC" --capture --upgrade schemas/example/releases --serve 2 -o "$scratch/arena" schemas/example/*.pkt
for part in 'server host admission numbers recorder snapshots world' 'bots client'; do
    files=
    for name in $part udp; do
        files="$files schemas/example/$name.c"
    done
    check $cc -static -std=gnu99 -Wall -Wextra -I"$scratch/arena" -o "$scratch/${part%% *}.exe" $files \
        "$scratch/arena"/*.c -lws2_32
done

# ---- CMake for Windows. cmake.sh builds pktc itself for this machine while it builds for another.

if command -v cmake >/dev/null; then
    cp -R "$game" "$scratch/game"
    cat >"$scratch/game/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(tiny C)
add_subdirectory($PWD pktc)
add_executable(game game.c)
pktc_generate(TARGET game SCHEMAS game.pkt IMPORT_DIRS shared)
END
    MAKEFLAGS=
    export MAKEFLAGS
    check cmake -S "$scratch/game" -B "$scratch/game/build" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$cc \
        -DPKTC_EXECUTABLE="$pktc" -DCMAKE_BUILD_TYPE=None
    check cmake --build "$scratch/game/build" --parallel 2
    [ -z "$run" ] || prints 'anna pistol: 17 bytes' "$run" "$scratch/game/build/game.exe"
else
    skip 'cross-compiling with CMake: no cmake'
fi

# ---- names: a schema cannot have a member with the name of a macro of windows.h, unless the macro does no harm

{
    printf '#include <winsock2.h>\n#include <windows.h>\n' | $cc -dM -E - |
        sed -n 's/^#define \([A-Za-z][A-Za-z0-9_]*\).*/\1/p' |
            grep -E '^[a-z][a-z0-9_]*$|^[A-Z]?[a-z]+[A-Z]?[A-Za-z0-9]*$' |
            grep -vE '__|^w?sz[A-Z]'
    echo near far pascal cdecl interface small hyper IN OUT OPTIONAL ERROR DELETE TRUE FALSE CONST VOID min max |
        tr ' ' '\n'
} | sort -u >"$scratch/words"
words_schema() {
    echo 'protocol words = 1 prefix words_;'
    awk '{ print "packet T" NR " { u8 " $1 "; }" }' "$@"
}
words_schema "$scratch/words" >"$scratch/words.pkt"
"$pktc" --error-format=json -o "$scratch/words-out" "$scratch/words.pkt" 2>&1 |
    sed -n 's/.*"message":".\([A-Za-z0-9_]*\). cannot name a member.*/\1/p' | sort >"$scratch/refused"
sort "$scratch/words" | comm -23 - "$scratch/refused" >"$scratch/accepted"
check test "$(wc -l <"$scratch/refused")" -gt 100
check test "$(wc -l <"$scratch/accepted")" -gt 500
check grep -qx near "$scratch/refused"
check grep -qx ERROR "$scratch/refused"
words_schema "$scratch/accepted" >"$scratch/words.pkt"
check "$pktc" -o "$scratch/words-out" "$scratch/words.pkt"
printf '#include <winsock2.h>\n#include <windows.h>\n#include "words.h"\n' >"$scratch/after.c"
check $cc -std=c99 -I"$scratch/words-out" -fsyntax-only "$scratch/after.c"
check $cxx -x c++ -std=c++11 -I"$scratch/words-out" -fsyntax-only "$scratch/after.c"
finish
