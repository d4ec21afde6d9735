#!/bin/sh
# engines.sh - checks the programs of docs/engines.md: each is compiled against a few declarations in place of the engine, and
# runs; that a library exports what its headers declare; and that generated files compile in one file.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc engines.sh SCRATCH
# Lists of words are split on purpose.
# shellcheck disable=SC2086
scratch=$1
. tests/dist/common.sh
stubs=tests/dist/engines
page=docs/engines.md
cc=${CC:-cc}
cxx=${CXX:-c++}
strict="$warnings -Wundef"

# Writes the block of the page that has this name, and is in this language, into a folder.
block() {
    mkdir -p "$3"
    awk -v mark="\`\`\`$1 $2" '/^```/ { inside = $0 == mark; next } inside' $page >"$3/$2"
    check test -s "$3/$2"
}

block pkt game.pkt "$scratch"
check "$PKTC" -o "$scratch/made" "$scratch/game.pkt"

# ---- Unreal: the module as a library of which only GAMENET_API is visible, and another module that uses it

unreal=$scratch/unreal
block cs GameNet.Build.cs "$unreal"
block cpp Packets.cpp "$unreal"
block cpp Player.cpp "$unreal"
unreal_flags="-Wall -Wextra -Wshadow -Wundef -Wcast-qual -Werror -std=c++20 -I$stubs/unreal -I$scratch/made -DPKT_API=GAMENET_API"
for each in g++ clang++; do
    command -v $each >/dev/null || { skip "Unreal with $each"; continue; }
    check $each $unreal_flags -DGAMENET_API=DLLEXPORT -O2 -fPIC -fvisibility=hidden -shared -o "$unreal/libGameNet.so" "$unreal/Packets.cpp"
    check $each $unreal_flags -DGAMENET_API=DLLIMPORT -o "$unreal/play" "$unreal/Player.cpp" $stubs/unreal/play.cpp \
        "$unreal/libGameNet.so" "-Wl,-rpath,$unreal"
    prints 'anna 7
63 of 18 bytes' "$unreal/play"
done
if command -v mcs >/dev/null && command -v mono >/dev/null; then
    check mcs -warnaserror -out:"$unreal/rules.exe" "$unreal/GameNet.Build.cs" $stubs/unreal/ModuleRules.cs
    prints 'NoPCHs Precise Source/GameNet/../../Packets PKT_API=GAMENET_API' mono "$unreal/rules.exe"
else
    skip 'C# of Unreal: no mcs (package mono-mcs)'
fi
# The same with the libraries of Windows, where what is not exported is not there.
if command -v x86_64-w64-mingw32-g++ >/dev/null; then
    check x86_64-w64-mingw32-g++ $unreal_flags -DGAMENET_API=DLLEXPORT -static -shared -o "$unreal/GameNet.dll" \
        "-Wl,--out-implib,$unreal/GameNet.lib" "$unreal/Packets.cpp"
    check x86_64-w64-mingw32-g++ $unreal_flags -DGAMENET_API=DLLIMPORT -static -o "$unreal/play.exe" "$unreal/Player.cpp" \
        $stubs/unreal/play.cpp "$unreal/GameNet.lib"
    if start_wine; then
        prints 'anna 7
63 of 18 bytes' "$run" "$unreal/play.exe"
    else
        skip 'Unreal on Windows: no wine64'
    fi
else
    skip 'Unreal on Windows: no x86_64-w64-mingw32-g++'
fi

# ---- Unity: the commands of the page, and its C#

unity=$scratch/unity
block cs Player.cs "$unity"
check cp -R "$scratch/made" "$unity/generated"
check "$PKTC" bind cs -o "$unity/generated" "$scratch/game.pkt"
sed -n '/^## Unity/,/^## Browsers/s/^cc \(.*libgame\.so .*\)/\1/p' $page >"$unity/command"
check sh -c "cd '$unity' && $cc $strict \$(cat command | sed \"s/'//g\")"
check $cc $strict -I"$scratch/made" -o "$unity/play" $stubs/unity/play.c "$scratch"/made/*.c
check sh -c "'$unity/play' '$unity/state' >'$unity/wanted'"
if command -v mcs >/dev/null && command -v mono >/dev/null; then
    check mcs -warnaserror -unsafe -langversion:7 -out:"$unity/play.exe" "$unity/Player.cs" "$unity/generated/game.cs" $stubs/unity/Play.cs
    check sh -c "cd '$unity' && LD_LIBRARY_PATH=. mono play.exe state >said && diff wanted said"
else
    skip 'C# of Unity: no mcs (package mono-mcs)'
fi

# ---- SDL

# Runs the program of the page for an engine in C.
engine() {
    block c "$2" "$scratch/$1"
    check $cc -std=c99 $strict -I$stubs/$1 -I"$scratch/made" -o "$scratch/$1/play" "$scratch/$1/$2" $stubs/$1/play.c \
        "$scratch"/made/*.c
    prints "$3" "$scratch/$1/play"
}
engine sdl sdl.c '1 9 3'

# ---- PKT_API: a library exports all functions and constants that its headers declare, but those that the program defines

check "$PKTC" --reflect --capture --upgrade schemas/example/releases --serve 2 -o "$scratch/arena" schemas/example/arena.pkt
check "$PKTC" --reflect --capture -o "$scratch/all" schemas/all.pkt tests/roundtrip/fit.pkt tests/roundtrip/datagram.pkt
for dir in arena all; do
    headers=$(ls "$scratch/$dir"/*.h | grep -v '_codec\.h$\|/pkt\.h$\|/pkt_inside\.h$')
    grep -hE '^(extern )?[a-z][A-Za-z0-9_ *]*[ *][A-Za-z0-9_]+(\(|\[|;)' $headers |
        grep -vE '^(typedef|static|struct|enum|union|extern "C"|.* the program defines it)' >"$scratch/plain"
    check test ! -s "$scratch/plain"
done

# ---- unity builds: all files in one, in both orders, as C and as C++

for dir in arena all; do
    for order in '' -r; do
        ls $order "$scratch/$dir"/*.c | sed 's/.*/#include "&"/' >"$scratch/one.c"
        check $cc -std=c99 $strict -fsyntax-only "$scratch/one.c"
        if command -v $cxx >/dev/null; then
            check $cxx -x c++ -std=c++11 $strict -fsyntax-only "$scratch/one.c"
        fi
    done
done
finish
