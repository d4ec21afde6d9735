#!/bin/sh
# godot.sh - tests what `pktc bind gdextension` writes, in an engine of the test (godot/engine.h): with the vectors of tests/data,
# the worlds of the example, names and members of each kind, a library of another schema, and the commands of the docs.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc VECTORS=build/vectors [GODOT=FOLDER] godot.sh SCRATCH     FOLDER: with Godot's own
#                                                                                  gdextension_interface.h
# Lists of words are split on purpose.
# shellcheck disable=SC2086
scratch=$1
. tests/dist/common.sh
. tests/bindings/common.sh
: "${PKTC:?}" "${VECTORS:?}"
cc=${CC:-cc}
headers=$(cd "${GODOT:-tests/bindings/godot}" && pwd)
# Godot's header has pointers to functions that must be cast, and pointers to const that its functions do not have.
strict="-std=c99 $warnings -Wundef -Wno-cast-function-type -Wno-cast-qual -I$headers"
sanitized="$cc -std=c99 -O0 -g -w -I$headers -Itests/bindings/godot -fsanitize=address,undefined -fno-sanitize-recover=all"

# The C of all kinds of schemas, without warnings.
# A local member of a C type that is no pointer is refused, as test_bind.c has it.
for schema in schemas/all.pkt schemas/mygame.pkt tests/bindings/words.pkt $(grep -L 'local "double"' tests/roundtrip/*.pkt); do
    stem=$(basename "$schema" .pkt)
    check "$PKTC" -o "$scratch/$stem" "$schema"
    check "$PKTC" bind gdextension -o "$scratch/$stem" "$schema"
    check $cc $strict -fsyntax-only -I"$scratch/$stem" -Itests/roundtrip "$scratch/$stem/${stem}_godot.c"
done

# ---- vectors: objects give the bytes and values of each record, and the errors of C

objects=
mkdir -p "$scratch/runtime"
for part in runtime/*.c tests/interop/replay/*.c; do
    object=$scratch/runtime/$(basename "$part" .c)
    check $cc -std=c99 -O1 -Iruntime -Itests/fuzz -c -o "$object.o" "$part"
    case $part in runtime/*) objects="$objects $object.o" ;; esac
done
check $cc -std=c99 -O1 -Iruntime -Itests/bindings/godot -Itests/fuzz -c -o "$scratch/runtime/godot.o" tests/interop/replay/replay.c

# One schema of a vectors file.
vectors_of() {
    directory=$1
    name=$2
    built="$cc -std=c99 -O0 -w -I$headers -I$directory -Iruntime -Itests/bindings/godot -Itests/fuzz"
    "$PKTC" --reflect --no-runtime -o "$directory" "$directory/$name.pkt" 2>/dev/null &&
        "$PKTC" bind gdextension -o "$directory" "$directory/$name.pkt" &&
        $built -c -o "$directory/$name.o" "$directory/${name}_glue.c" &&
        $cc -o "$directory/$name" "$directory/$name.o" "$scratch/runtime/replay.o" "$scratch/runtime/reflected.o" $objects -lm &&
        $built -DGODOT="\"${name}_godot.c\"" -DENTRY="${name}_godot_init" -o "$directory/$name.godot" tests/bindings/godot/ask.c \
            "$directory/${name}_bind.c" "$directory/$name.o" "$scratch/runtime/godot.o" "$scratch/runtime/reflected.o" $objects -lm &&
        "$directory/$name" --errors <"$directory/$name.records" >"$directory/$name.wanted" &&
        "$directory/$name.godot" --errors <"$directory/$name.records" >"$directory/$name.said" &&
        diff "$directory/$name.wanted" "$directory/$name.said"
}

check_vectors

# ---- the worlds of the example

make_arena gdextension
check $cc -std=c99 -O1 -I"$arena" -o "$arena/play" tests/bindings/play.c "$arena/arena.c" "$arena/arena_upgrade.c" "$arena/pkt.c" -lm
check $sanitized -I"$arena" -o "$arena/godot" tests/bindings/godot/play.c "$arena/arena_bind.c" "$arena/arena.c" \
    "$arena/arena_upgrade.c" "$arena/pkt.c" -lm
check sh -c "cd '$arena' && ./play old >wanted && ./godot old >said && diff wanted said"

# ---- names, members, refusals; C of another schema, and of one with the same id but another member

words=$scratch/words
check $sanitized -I"$words" -o "$words/play" tests/bindings/godot/words.c "$words/words_bind.c" "$words/words.c" "$words/pkt.c" -lm
prints passed "$words/play"
id=$(sed -n 's/.*pkt_godot\.id = UINT64_C(\(.*\));/\1/p' "$words/words_godot.c")
for change in 'id s/i32 pack/u32 pack/' 'WordsData s/i16 try_unpack/i64 try_unpack/' 'members s/u8 constructor;//'; do
    other=$words/${change%% *}
    mkdir -p "$other"
    sed "${change#* }" tests/bindings/words.pkt >"$other/words.pkt"
    check "$PKTC" -o "$other" "$other/words.pkt"
    check "$PKTC" bind gdextension -o "$other" "$other/words.pkt"
    [ "${change%% *}" = id ] || sed -i "s/^\(        [0-9]*, UINT64_C(\)0x[0-9a-f]*/\1$id/" "$other/words_bind.c"
    for each in words words_bind pkt; do check $cc -std=c99 -O0 -I"$other" -c -o "$other/$each.o" "$other/$each.c"; done
    check $cc -std=c99 -O0 -w -I"$headers" -I"$words" -Itests/bindings/godot -o "$other/play" tests/bindings/godot/words.c "$other"/*.o -lm
    what=${change%% *}
    case $what in id) what='the protocol id' ;; members) what='the number of members' ;; esac
    prints "words_godot.c and words_bind.c are of different schemas: $what differs
0 classes" "$other/play" wrong
done

# ---- the commands of the docs, whose library exports its entry alone

docs=$scratch/docs
mkdir -p "$docs/generated"
awk '/^```/ { inside = $0 == "```pkt game.pkt"; next } inside' docs/engines.md >"$docs/game.pkt"
cp "$headers/gdextension_interface.h" "$docs/generated"
sed -n '/^## Godot/,/^## SDL/s/^\(pktc\|cc\) /\1 /p' docs/engines.md >"$docs/commands"
check grep -q gdextension "$docs/commands"
programs=$(cd "$(dirname "$PKTC")" && pwd)
check sh -ec "cd '$docs'; PATH='$programs:$PATH'; . ./commands"
prints game_godot_init sh -c "nm -D --defined-only '$docs/libgame.so' | sed 's/.* //'"
prints '[configuration]
entry_symbol = "game_godot_init"' head -2 "$docs/generated/game.gdextension"
finish
