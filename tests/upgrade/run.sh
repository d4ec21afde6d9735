#!/bin/sh
# run.sh - holds what generated code makes of packets of older versions to what pktc convert makes of them.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=pktc CC=cc run.sh UPGRADE_CASES SCRATCH pairs                      the pairs of tests/diff
#        PKTC=pktc CC=cc run.sh UPGRADE_CASES SCRATCH releases DIR FILE.pkt      the releases in DIR, with sanitizers
#        PKTC=pktc CC=cc run.sh UPGRADE_CASES SCRATCH serve SEED                what is written for the older ones of pairs
#        PKTC=pktc CC=cc run.sh UPGRADE_CASES SCRATCH serve-releases SEED DIR FILE.pkt N   the N newest ones in DIR
#        PKTC=pktc CC=cc run.sh UPGRADE_CASES SCRATCH random SEED COUNT         random schemas with random next releases
#        PKTC=pktc CC=cc run.sh UPGRADE_CASES SCRATCH serve-random SEED COUNT   the same, and what is written for the older ones
#                                                               ...random SEED COUNT FILE.pkt: of one schema
#        PKTC=pktc CC=cc run.sh UPGRADE_CASES SCRATCH served SEED TICKS         clients of three releases on one server,
#                                                               and what cannot be written
#        PKTC=pktc CC=cc run.sh UPGRADE_CASES SCRATCH all                       all.pkt from an all.pkt with other types
#        PKTC=pktc CC=cc run.sh UPGRADE_CASES SCRATCH hooks                      what a program converts itself
set -eu
cases=$1
scratch=$2
how=$3
shift 3
flags='-std=c99 -Itests -w -O0'
sanitize=
least=
play=tests/upgrade/play.c
# It takes a third of the time of gcc here.
if [ "$how" != hooks ] && command -v clang >/dev/null; then CC=clang; fi
rm -rf "$scratch"
mkdir -p "$scratch/old" "$scratch/new"
if [ "$how" = hooks ]; then
    old=tests/emit/releases/upgrade
    "$PKTC" --upgrade "$old" -o "$scratch" tests/emit/golden/upgrade.pkt
    echo '{ "tick": 1, "speed": 200, "players": [{ "name": "Ann", "health": 500 }, { "health": 999 },
            { "name": "Robert", "health": 65535 }] }' >"$scratch/1.json"
    echo '{ "tick": 1, "speed": 200, "players": [{ "name": "Ann", "health": 150 },
            { "health": 99 }] }' >"$scratch/2.json"
    for version in 1 2; do
        "$PKTC" encode "$old"/upgrade-00$version-*.pkt State "$scratch/$version.json" >"$scratch/$version.bin"
    done
    echo 'protocol kept = 1; struct Item { u8 id; u16 rounds = 30; } packet Other { u8 a; Item items[<=4] by id; }
          packet Kept { u8 x; sparse<count, keep> u8 t[<=2 of 8]; local u32 cache; }' >"$scratch/old/kept.pkt"
    sed 's/u8 a/u16 a/; s/u16 rounds/u8 rounds/' "$scratch/old/kept.pkt" >"$scratch/kept.pkt"
    echo '{ "x": 5, "t": [[1, 6]] }' | "$PKTC" encode "$scratch/old/kept.pkt" Kept >"$scratch/kept.bin"
    "$PKTC" archive "$scratch/releases" "$scratch/old/kept.pkt" >/dev/null 2>&1
    "$PKTC" --upgrade "$scratch/releases" -o "$scratch" "$scratch/kept.pkt"
    $CC -std=c99 -Wall -Wextra -Werror -I"$scratch" -o "$scratch/hooks" tests/upgrade/hooks.c "$scratch"/*.c
    printed=$("$scratch/hooks" "$scratch/kept.bin" "$scratch/1.bin" "$scratch/2.bin")
    wanted='version 1, speed 61.00: [0] old Ann 50 [2] old Robe 100
version 2, speed 255.00: [0] Ann 100 [1]  99'
    if [ "$printed" = "$wanted" ]; then
        echo '[  PASSED  ] 1 test(s).'
        exit 0
    fi
    printf '%s\n' "$printed" '[  FAILED  ] 1 test(s)'
    exit 1
elif [ "$how" = served ]; then
    from=tests/upgrade/served
    sed 's/^protocol served = 1/& prefix one_/' "$from"/releases/served-001-*.pkt >"$scratch/one.pkt"
    sed 's/^protocol served = 1/& prefix two_/' "$from"/releases/served-002-*.pkt >"$scratch/two.pkt"
    sed 's/^protocol served = 1/& prefix three_/' "$from/served.pkt" >"$scratch/three.pkt"
    "$PKTC" --upgrade "$from/releases" --serve 2 -o "$scratch" "$from/served.pkt"
    "$PKTC" -o "$scratch" "$scratch/one.pkt" "$scratch/two.pkt" "$scratch/three.pkt"
    # Where releases differ in what is chosen, the functions for both must compile.
    "$PKTC" --upgrade "$from/turns" --serve 1 -o "$scratch/turns" "$from/turns.pkt"
    for file in "$scratch"/turns/*.c; do
        $CC -std=c99 -Wall -Wextra -Werror -I"$scratch/turns" -fsyntax-only "$file"
    done
    if command -v c++ >/dev/null; then
        for file in "$scratch"/*.c "$scratch"/turns/*.c; do
            c++ -x c++ -std=c++11 -Wall -Wextra -Werror -I"${file%/*}" -fsyntax-only "$file"
        done
        # A type of the program may have constructors, and absent elements base values that are not zero.
        echo 'struct Spot { float x, y; Spot() : x(0), y(0) {} Spot(const Spot &o) : x(o.x), y(o.y) {}
              Spot &operator=(const Spot &o) { x = o.x; y = o.y; return *this; } };' >"$scratch/spot.hpp"
        mkdir -p "$scratch/bound"
        echo 'protocol bound = 1; struct Spot as "Spot" from "spot.hpp" { float x, y; }
              struct World @delta { Spot at; u8 a; } packet Chat @delta { Spot at; u8 a; }
              packet Down { u16 number; optional int<1, 9> back; World world delta(number from number - back); }
              struct Tile { u8 a; i8 height unless 3; } packet Map { sparse<auto> Tile tiles[9]; }' \
            >"$scratch/old/bound.pkt"
        sed 's/u8 a;/u16 a @lossy(1);/g' "$scratch/old/bound.pkt" >"$scratch/bound.pkt"
        "$PKTC" archive "$scratch/bound" "$scratch/old/bound.pkt" >/dev/null 2>&1
        "$PKTC" --upgrade "$scratch/bound" --serve 1 -o "$scratch/bound" "$scratch/bound.pkt"
        echo '#include "bound_serve.h"
              int main(void) {
                  World world; World_served served; Chat_served chat; pkt_error error; uint8_t data[99];
                  static Down_peer sender, receiver; Down down, read;
                  World_init(&world); Down_init(&down); world.at.y = 5; world.a = 7; down.number = 1;
                  sender.release = receiver.release = chat.release = 1;
                  const size_t size = World_serve(&served, 1, &world, &error) ?
                      Down_pack_for_error(&sender, &down, &served, 0, data, sizeof data, &error) : 0;
                  return Down_unpack_for_error(&receiver, &read, 0, data, size, &error) && read.world.at.y == 5 ? 0 : 1;
              }' >"$scratch/bound/main.cpp"
        c++ -x c++ -std=c++11 -Wall -Wextra -Werror -I"$scratch" -I"$scratch/bound" -o "$scratch/bound/main" \
            "$scratch/bound/main.cpp" "$scratch"/bound/*.c
        "$scratch/bound/main"
    fi
    # A packet with @seed and an array with delta(previous) of a release that is served is read by T_unpack_any, too.
    mkdir -p "$scratch/chain"
    echo 'protocol chain = 1; struct Command @delta { u8 buttons; u8 a; }
          packet Seeded @seed { Command commands[<=4] delta(previous); }' >"$scratch/old/chain.pkt"
    sed 's/u8 a;/u16 a @lossy(1);/' "$scratch/old/chain.pkt" >"$scratch/chain.pkt"
    "$PKTC" archive "$scratch/chain" "$scratch/old/chain.pkt" >/dev/null 2>&1
    "$PKTC" --upgrade "$scratch/chain" --serve 1 -o "$scratch/chain" "$scratch/chain.pkt"
    echo '#include "chain_serve.h"
          int main(void) {
              Seeded v, read; uint8_t data[99]; uint32_t version = 0;
              Seeded_init(&v); v.commands_count = 2; v.commands[1].buttons = 7;
              const size_t size = Seeded_pack_for(1, &v, 99, data, sizeof data);
              return Seeded_version(99, data, size) == 1 && Seeded_unpack_any(&read, 99, data, size, &version) &&
                     version == 1 && read.commands_count == 2 && read.commands[1].buttons == 7 ? 0 : 1;
          }' >"$scratch/chain/main.c"
    $CC -std=c99 -Wall -Wextra -Werror -I"$scratch/chain" -o "$scratch/chain/main" "$scratch"/chain/*.c
    "$scratch/chain/main"
    # After an optional part was absent for more than half of all numbers, both sides of a release have a baseline again.
    mkdir -p "$scratch/pause"
    echo 'protocol pause = 1; struct World @delta { u8 a; u8 mood; }
          packet Down { u8 number; optional int<1, 9> back; optional World world delta(number from number - back); }' \
        >"$scratch/old/pause.pkt"
    sed 's/u8 a;/u16 a @lossy(1);/' "$scratch/old/pause.pkt" >"$scratch/pause.pkt"
    "$PKTC" archive "$scratch/pause" "$scratch/old/pause.pkt" >/dev/null 2>&1
    "$PKTC" --upgrade "$scratch/pause" --serve 1 -o "$scratch/pause" "$scratch/pause.pkt"
    echo '#include "pause_serve.h"
          static Down_peer sender, receiver;
          static bool send(uint32_t number, bool based, bool there)
          {
              static World world; static World_served served; Down v, read; uint8_t data[99]; pkt_error error;
              Down_init(&v); v.number = (uint8_t)number; v.has_world = there;
              v.has_back = based; v.back = based ? 1 : 0;
              world.mood = (uint8_t)number;
              if (!World_serve(&served, 1, &world, &error)) return false;
              const size_t size = Down_pack_for(&sender, &v, &served, 0, data, sizeof data);
              return Down_unpack_for(&receiver, &read, 0, data, size) && (!there || read.world.mood == world.mood);
          }
          int main(void)
          {
              uint32_t n = 0;
              sender.release = receiver.release = 1;
              for (; n < 3; n++) if (!send(n, n != 0, true)) return 1;
              for (; n < 200; n++) if (!send(n, false, false)) return 2;
              if (!send(n++, false, true)) return 3;
              return send(n, true, true) ? 0 : 4;
          }' >"$scratch/pause/main.c"
    $CC -std=c99 -Wall -Wextra -Werror -I"$scratch/pause" -o "$scratch/pause/main" "$scratch"/pause/*.c
    "$scratch/pause/main"
    # Values that are garbage have bools and enums without a meaning too.
    $CC -std=c99 -Wall -Wextra -Werror -O1 -g1 -fsanitize=address,undefined -fno-sanitize=bool,enum \
        -fno-sanitize-recover=all -Itests -I"$scratch" \
        -o "$scratch/served" "$from/served.c" "$scratch"/*.c
    # Faults are reported alike for each release.
    faults=tests/upgrade/faults
    "$PKTC" --upgrade "$faults/releases" --serve 1 -o "$scratch/faults" "$faults/faults.pkt"
    if command -v c++ >/dev/null; then
        c++ -x c++ -std=c++11 -Wall -Wextra -Werror -I"$scratch/faults" -fsyntax-only "$scratch/faults/faults_serve.c"
    fi
    $CC -std=c99 -Wall -Wextra -Werror -O1 -g1 -fsanitize=address,undefined -fno-sanitize=bool,enum \
        -fno-sanitize-recover=all -I"$scratch/faults" -o "$scratch/faults/faults" "$faults/faults.c" "$scratch"/faults/*.c -lm
    "$scratch/faults/faults"
    # Parts start from values that the program sets, in the form of each release.
    started=tests/upgrade/started
    "$PKTC" --upgrade "$started/releases" --serve 1 -o "$scratch/started" "$started/started.pkt" 2>/dev/null
    $CC -std=c99 -Wall -Wextra -Werror -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all \
        -I"$scratch/started" -o "$scratch/started/started" "$started/started.c" "$scratch"/started/*.c
    "$scratch/started/started"
    exec "$scratch/served" "$@"
elif [ "$how" = pairs ]; then
    "$cases" "$scratch" pairs tests/diff/*.cases
    "$PKTC" archive "$scratch/releases" "$scratch"/old/*.pkt >/dev/null
    "$PKTC" --upgrade "$scratch/releases" -o "$scratch" "$scratch"/new/*.pkt
elif [ "$how" = serve ]; then
    "$cases" "$scratch" serve "$1" tests/diff/*.cases
    "$PKTC" archive "$scratch/releases" "$scratch"/old/*.pkt >/dev/null
    "$PKTC" --upgrade "$scratch/releases" --serve 1 -o "$scratch" "$scratch"/new/*.pkt
    play=tests/upgrade/serve.c
    sanitize='-g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'
elif [ "$how" = random ] || [ "$how" = serve-random ]; then
    "$cases" "$scratch" "$how" "$@"
    "$PKTC" archive "$scratch/releases" "$scratch"/old/*.pkt >/dev/null
    if [ "$how" = random ]; then
        "$PKTC" --upgrade "$scratch/releases" -o "$scratch" "$scratch"/new/*.pkt
    else
        "$PKTC" --upgrade "$scratch/releases" --serve 1 -o "$scratch" "$scratch"/new/*.pkt
        play=tests/upgrade/serve.c least=50
    fi
    sanitize='-g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'
elif [ "$how" = serve-releases ]; then
    "$cases" "$scratch" served "$@"
    "$PKTC" --upgrade "$2" --serve "$4" -o "$scratch" "$3"
    play=tests/upgrade/serve.c
    sanitize='-g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'
elif [ "$how" = all ]; then
    tests/upgrade/old_all.sh "$scratch/old"
    "$PKTC" archive "$scratch/releases" "$scratch/old/all.pkt" >/dev/null 2>&1
    "$cases" "$scratch" releases "$scratch/releases" schemas/all.pkt
    "$PKTC" --upgrade "$scratch/releases" -o "$scratch" schemas/all.pkt
else
    "$cases" "$scratch" releases "$@"
    "$PKTC" --upgrade "$1" -o "$scratch" "$2"
    sanitize='-g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'
fi
# Only what reads older versions is sanitized: the rest is in other tests.
# shellcheck disable=SC2086
$CC $flags -I"$scratch" -c -o "$scratch/writers.o" "$scratch/writers.c"
# shellcheck disable=SC2086
$CC $flags $sanitize -I"$scratch" -o "$scratch/play" "$play" "$scratch/writers.o" "$scratch/pkt.c"
"$scratch/play" "$scratch/cases.txt" $least
