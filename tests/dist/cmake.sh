#!/bin/sh
# cmake.sh - builds a game with CMake: with add_subdirectory, FetchContent, and find_package after each way to
# install.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc cmake.sh SCRATCH
scratch=$1
. tests/dist/common.sh
top=$PWD
make=${MAKE:-make}
command -v cmake >/dev/null || { skip 'no cmake'; finish; }
MAKEFLAGS=
MAKELEVEL=
export MAKEFLAGS MAKELEVEL
# A build type without flags, as packages of Debian have: nothing here needs a fast program, and an optimized build of
# pktc or the runtime takes several times as long.
CMAKE_BUILD_TYPE=None
export CMAKE_BUILD_TYPE

# Copies the game, with a CMakeLists.txt that gets pktc by these lines.
project() {
    name=$1
    mkdir -p "$scratch/$name"
    cp -R "$game/." "$scratch/$name"
    {
        echo 'cmake_minimum_required(VERSION 3.16)'
        echo 'project(tiny C)'
        cat
        echo 'add_executable(game game.c)'
        echo 'pktc_generate(TARGET game SCHEMAS game.pkt IMPORT_DIRS shared OUT_DIR generated)'
    } >"$scratch/$name/CMakeLists.txt"
}

build() {
    name=$1
    shift
    check cmake -S "$scratch/$name" -B "$scratch/$name/build" "$@"
    check cmake --build "$scratch/$name/build" --parallel 2
    prints 'anna pistol: 17 bytes' "$scratch/$name/build/game"
}

echo "add_subdirectory($top pktc)" | project subdirectory
build subdirectory

# If an imported file changes, the program is built again; otherwise nothing is done.
sed -i.before 's/pistol/musket/' "$scratch/subdirectory/shared/weapon.pkt" "$scratch/subdirectory/game.c"
check cmake --build "$scratch/subdirectory/build"
prints 'anna musket: 17 bytes' "$scratch/subdirectory/build/game"
check sh -c "cmake --build '$scratch/subdirectory/build' | grep -v Built | { ! grep -q 'pktc game.pkt'; }"

# A schema that names a model: if the model changes, the code is generated again.
printf 'model "game.model";\nstruct Ball @delta { u8<0, 3> x coded; }\n' >>"$scratch/subdirectory/game.pkt"
: >"$scratch/subdirectory/game.model"
check cmake --build "$scratch/subdirectory/build"
cp "$scratch/subdirectory/generated/game.c" "$scratch/before.c"
echo 'Ball.x 0: 2 2 1' >"$scratch/subdirectory/game.model"
touch -d '+2 seconds' "$scratch/subdirectory/game.model" 2>/dev/null || sleep 1
check cmake --build "$scratch/subdirectory/build"
check sh -c "! cmp -s '$scratch/subdirectory/generated/game.c' '$scratch/before.c'"

# The runtime is optimized unless the program chooses a build type.
check cmake -S "$scratch/subdirectory" -B "$scratch/optimized" -DCMAKE_BUILD_TYPE=
check grep -q 'C_FLAGS.*-O2' "$scratch/optimized/pktc/CMakeFiles/pktc_runtime.dir/flags.make"
check cmake -S "$scratch/subdirectory" -B "$scratch/debug" -DCMAKE_BUILD_TYPE=Debug
check sh -c "! grep -q 'C_FLAGS.*-O' '$scratch/debug/pktc/CMakeFiles/pktc_runtime.dir/flags.make'"

# In a project in C++, with a generator that has configurations in one build directory, as that of Visual Studio has.
if command -v ninja >/dev/null; then
    check env CMAKE_GENERATOR='Ninja Multi-Config' LANGUAGES=CXX CONFIGURATION=Debug tests/cross/msvc/vs.sh "$PKTC" "$scratch/configurations"
else
    skip 'several configurations: no ninja'
fi

# The example, with the pktc that has been built.
check cmake -S schemas/example -B "$scratch/example" -DPKTC_EXECUTABLE="$top/$PKTC"
check cmake --build "$scratch/example" --parallel 2
check sh -c "cd '$scratch/example' && test -x server && test -x bots && test -x spectator"

# A C++ program with its own types and with reflection, all through an INTERFACE target.
mkdir -p "$scratch/bound/include"
cat >"$scratch/bound/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(bound CXX)
add_subdirectory($top pktc)
add_library(net INTERFACE)
target_include_directories(net INTERFACE include)
pktc_generate(TARGET net SCHEMAS bound.pkt REFLECT UPGRADE releases CXX)
pktc_generate(TARGET net SCHEMAS more.pkt)
add_executable(game game.cpp)
target_link_libraries(game net)
END
cat >"$scratch/bound/include/point.hpp" <<'END'
#include <cmath>
namespace geometry { struct Point { float x, y; float length() const { return std::sqrt(x * x + y * y); } }; }
using Point = geometry::Point;
END
mkdir "$scratch/bound/releases"
cat >"$scratch/bound/releases/bound-001-f697bc4cc2b128e0.pkt" <<'END'
protocol bound = 1;
struct Spot as "Old" from "gone.hpp" { half x, y; }
packet Move { Spot to; }
END
cat >"$scratch/bound/bound.pkt" <<'END'
protocol bound = 1;
struct Spot as "Point" from "point.hpp" { float x, y; }
packet Move { Spot to; }
END
echo 'struct More { u8 n; }' >"$scratch/bound/more.pkt"
cat >"$scratch/bound/game.cpp" <<'END'
#include "bound_reflect.h"
#include "bound_upgrade.h"
#include "more.h"
int main()
{
    bound_v1_Move old = {{3, 4}};
    Move newer;
    if (!Move_from_v1(&newer, &old) || newer.to.length() != 5)
        return 1;
    Move move;
    Move_init(&move);
    move.to.x = 3;
    move.to.y = 4;
    More more;
    More_init(&more);
    pkt_print(stdout, &Move_reflection, &move);
    return move.to.length() == 5 && more.n == 0 ? 0 : 1;
}
END
if command -v c++ >/dev/null; then
    check cmake -S "$scratch/bound" -B "$scratch/bound/build" -DPKTC_EXECUTABLE="$top/$PKTC"
    check cmake --build "$scratch/bound/build" --parallel 2
    check "$scratch/bound/build/game"
else
    skip 'no C++ compiler'
fi

# Which release is served follows the folder of releases: the newest one that is not the schema itself.
mkdir -p "$scratch/served"
cat >"$scratch/served/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(served C)
add_subdirectory($top pktc)
add_executable(server server.c)
pktc_generate(TARGET server SCHEMAS game.pkt UPGRADE releases SERVE 1)
END
cat >"$scratch/served/server.c" <<'END'
#include "game_serve.h"

#include <stdio.h>

/* The bytes of a packet for a client of each release; 0 if it is not served. */
int main(void)
{
    Ping ping;
    pkt_error error;
    uint8_t data[Ping_MAX_BYTES];
    Ping_init(&ping);
    for (uint32_t release = 1; release <= game_PROTOCOL_VERSION; release++)
        printf("%d ", (int)Ping_pack_for_error(release, &ping, data, sizeof data, &error));
    return 0;
}
END
# Changes the fields of the packet, and builds: the server writes so many bytes for each release.
serves() {
    echo "protocol game = 1; packet Ping { $2 }" >"$scratch/served/game.pkt"
    check cmake -S "$scratch/served" -B "$scratch/served/build" -DPKTC_EXECUTABLE="$top/$PKTC"
    check cmake --build "$scratch/served/build" --parallel 2
    prints "$1" "$scratch/served/build/server"
}
release() { check "$PKTC" archive "$scratch/served/releases" "$scratch/served/game.pkt"; }
echo 'protocol game = 1; packet Ping { u8 a; }' >"$scratch/served/game.pkt"
release
serves '9 10 ' 'u8 a, b;'
release
serves '9 10 ' 'u8 a, b;'
serves '0 10 11 ' 'u8 a, b, c;'

# What cannot work is refused before anything is built. A client and a server share a library.
refused() {
    mkdir -p "$scratch/refused"
    cp -R "$game/." "$scratch/refused"
    {
        printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(tiny C)' 'find_package(pktc REQUIRED)'
        cat
    } >"$scratch/refused/CMakeLists.txt"
    rm -rf "$scratch/refused/build"
    check sh -c "! cmake -S '$scratch/refused' -B '$scratch/refused/build' -DCMAKE_PREFIX_PATH='$scratch/made' \\
        >'$scratch/said' 2>&1"
    check sh -c "tr -s ' \\n' ' ' <'$scratch/said' | grep -qF '$1'"
}
check "$make" install prefix="$scratch/made"
refused 'pktc_generate: there is no target game; call add_executable or add_library first' <<'END'
pktc_generate(TARGET game SCHEMAS game.pkt IMPORT_DIRS shared)
add_executable(game game.c)
END
refused "pktc_generate: there is no schema $scratch/refused/none.pkt" <<'END'
add_executable(game game.c)
pktc_generate(TARGET game SCHEMAS none.pkt)
END
refused "pktc_generate: another call generates $scratch/refused/generated/game.h too." <<'END'
add_executable(client game.c)
add_executable(server game.c)
pktc_generate(TARGET client SCHEMAS game.pkt IMPORT_DIRS shared OUT_DIR generated)
pktc_generate(TARGET server SCHEMAS game.pkt IMPORT_DIRS shared OUT_DIR generated)
END
mkdir -p "$scratch/two"
cp -R "$game/." "$scratch/two"
cat >"$scratch/two/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(tiny C)
find_package(pktc REQUIRED)
add_library(protocol STATIC)
pktc_generate(TARGET protocol SCHEMAS game.pkt IMPORT_DIRS shared)
add_executable(game game.c)
target_link_libraries(game protocol)
END
build two -DCMAKE_PREFIX_PATH="$scratch/made"

project fetch <<END
include(FetchContent)
FetchContent_Declare(pktc SOURCE_DIR $top)
FetchContent_MakeAvailable(pktc)
END
build fetch -DPKTC_EXECUTABLE="$scratch/subdirectory/build/pktc/pktc"

echo 'find_package(pktc 0.1 REQUIRED)' | project package
build package -DCMAKE_PREFIX_PATH="$scratch/made"

echo 'find_package(pktc 0.1 REQUIRED)' | project package2
# Alone, pktc is a release unless the user chooses a build type.
check cmake -S "$top" -B "$scratch/release" -DPKTC_EXECUTABLE="$top/$PKTC" -DCMAKE_BUILD_TYPE=
check grep -q 'C_FLAGS.*-O3' "$scratch/release/CMakeFiles/pktc_runtime.dir/flags.make"
check cmake -S "$top" -B "$scratch/own" -DCMAKE_INSTALL_PREFIX="$scratch/installed" \
    -DPKTC_EXECUTABLE="$scratch/made/bin/pktc"
check cmake --build "$scratch/own"
check cmake --install "$scratch/own"
(cd "$scratch/made" && find . -type f | sort) >"$scratch/by_make"
(cd "$scratch/installed" && find . -type f | sort) >"$scratch/by_cmake"
check diff "$scratch/by_make" "$scratch/by_cmake"
build package2 -DCMAKE_PREFIX_PATH="$scratch/installed"

# Cross-compiling, with a compiler that only claims to be one for another machine: what runs here must be built by the
# host's compiler.
cat >"$scratch/other.cmake" <<END
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_C_COMPILER "$scratch/other-cc")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
END
cat >"$scratch/other-cc" <<'END'
#!/bin/sh
exec cc -DOTHER_MACHINE "$@"
END
# The compiler for this machine is found, or given: this one does not optimize.
cat >"$scratch/host-cc" <<'END'
#!/bin/sh
exec cc "$@" -O0
END
chmod +x "$scratch/other-cc" "$scratch/host-cc"
echo "add_subdirectory($top pktc)" | project cross
check cmake -S "$scratch/cross" -B "$scratch/found" -DCMAKE_TOOLCHAIN_FILE="$scratch/other.cmake"
check sh -c "grep '^PKTC_HOST_COMPILER:' '$scratch/found/CMakeCache.txt' | grep -q '/cc$'"
build cross -DCMAKE_TOOLCHAIN_FILE="$scratch/other.cmake" -DPKTC_HOST_COMPILER="$scratch/host-cc"
check test -x "$scratch/cross/build/pktc/host/pktc"
finish
