#!/bin/sh
# vs.sh - builds a game with CMake's usual generator, on Windows that of Visual Studio: in a project in C, and in one that
# has C++ only.
# SPDX-License-Identifier: MIT
#
# usage: [LANGUAGES='C CXX'] [CONFIGURATION=Release] vs.sh PKTC SCRATCH        from the top directory
set -eu
top=$(pwd -W 2>/dev/null || pwd)
pktc=$(cd "$(dirname "$1")" && { pwd -W 2>/dev/null || pwd; })/${1##*/}
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
for language in ${LANGUAGES:-C CXX}; do
    mkdir -p "$scratch/$language"
    cp -R tests/dist/game/. "$scratch/$language"
    cat >"$scratch/$language/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(tiny $language)
add_subdirectory("$top" pktc)
add_executable(game game.c)
set_source_files_properties(game.c PROPERTIES LANGUAGE $language)
pktc_generate(TARGET game SCHEMAS game.pkt IMPORT_DIRS shared)
set_target_properties(game PROPERTIES RUNTIME_OUTPUT_DIRECTORY "\${CMAKE_BINARY_DIR}/made/\$<0:>")
END
    cmake -S "$scratch/$language" -B "$scratch/$language/build" "-DPKTC_EXECUTABLE=$pktc"
    cmake --build "$scratch/$language/build" --config ${CONFIGURATION:-Release}
    test "$("$scratch/$language/build/made/game" | tr -d '\r')" = 'anna pistol: 17 bytes'
done
