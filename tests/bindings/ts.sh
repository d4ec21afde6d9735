#!/bin/sh
# ts.sh - tests the JavaScript of `pktc bind ts` in node: with the vectors of tests/data, the worlds of the example, names and
# members of each kind, as a package that npm installs, and in a browser.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc VECTORS=build/vectors ts.sh SCRATCH
# Lists of words are split on purpose.
# shellcheck disable=SC2086
scratch=$1
. tests/dist/common.sh
. tests/bindings/common.sh
: "${PKTC:?}" "${VECTORS:?}"
cc=${CC:-cc}
for tool in clang-wasi node; do
    .ci/need $tool >/dev/null 2>&1 || { skip "TypeScript: there is no $tool"; exit 0; }
done
# As docs/engines.md says; clang would look for missing headers among those of this machine, so their folder is named.
wasm="clang --target=wasm32-wasi -nostdlibinc -isystem /usr/include/wasm32-wasi -mbulk-memory"
link='-nostartfiles -Wl,--no-entry,--strip-all,--stack-first,-z,stack-size=1048576'

# The files of a schema, and the wasm, in a folder.
bind() {
    folder=$1
    schema=$2
    shift 2
    "$PKTC" "$@" -o "$folder" "$schema" && "$PKTC" bind ts -o "$folder" "$schema" &&
        $wasm -O2 $link -o "$folder/$(basename "$schema" .pkt).wasm" "$folder"/*.c
}

# ---- vectors: JavaScript gives the bytes and values of each record, and the errors of C

native=
foreign=
mkdir -p "$scratch/runtime"
for part in runtime/*.c tests/interop/replay/*.c; do
    object=$scratch/runtime/$(basename "$part" .c)
    check $cc -std=c99 -O1 -Iruntime -Itests/fuzz -c -o "$object.o" "$part"
    case $part in
    */pkt_capture.c | */pkt_reflect.c | */pkt_replay.c) native="$native $object.o" ;; # wasm has no files
    runtime/*)
        native="$native $object.o"
        foreign="$foreign $object.wasm"
        check $wasm -O1 -Iruntime -c -o "$object.wasm" "$part"
        ;;
    esac
done

# One schema of a vectors file.
vectors_of() {
    directory=$1
    name=$2
    "$PKTC" --reflect --no-runtime -o "$directory" "$directory/$name.pkt" 2>/dev/null &&
        "$PKTC" bind ts -o "$directory" "$directory/$name.pkt" 2>/dev/null &&
        sed -i 's/^export function whole(.*{$/&\n    if (globalThis.unchecked) return v;/' "$directory/pkt.js" &&
        $cc -std=c99 -O0 -I"$directory" -Iruntime -Itests/fuzz -o "$directory/$name" "$directory/${name}_glue.c" \
            "$scratch/runtime/replay.o" "$scratch/runtime/reflected.o" $native -lm &&
        $wasm -O1 $link -I"$directory" -Iruntime -o "$directory/$name.wasm" "$directory/${name}_bind.c" "$directory/$name.c" $foreign &&
        node tests/bindings/replay.mjs "$name" "$directory" >"$directory/$name.said" &&
        "$directory/$name" --errors <"$directory/$name.records" |
            sed -n 's/^\[  PASSED  \] \([0-9]*\) tests/passed \1/p; /^[0-9]*: /p' >"$directory/$name.wanted" &&
        diff "$directory/$name.wanted" "$directory/$name.said"
}

check_vectors

# ---- the worlds of the example

make_arena ts
check $wasm -O2 -w $link -o "$arena/arena.wasm" "$arena"/*.c
check $cc -std=c99 -O2 -I"$arena" -o "$arena/play" tests/bindings/play.c "$arena/arena.c" "$arena/arena_upgrade.c" "$arena/pkt.c" -lm
check sh -c "'$arena/play' '$arena/old' >'$arena/wanted' && node tests/bindings/play.mjs '$arena' '$arena/old' >'$arena/said' &&
    diff '$arena/wanted' '$arena/said'"

# ---- names, members, memory, and C of another schema: of another id; of the same, but with a member in another place, or less

words=$scratch/words
check bind "$words" tests/bindings/words.pkt
id=$(sed -n 's/^export const PROTOCOL_ID = \(.*\)n;/\1/p' "$words/words.js")
for change in 'other s/i32 pack/u32 pack/' 'moved s/i16 try_unpack/i64 try_unpack/' 'fewer s/u8 constructor;//'; do
    other=$words/${change%% *}
    mkdir -p "$other"
    sed "${change#* }" tests/bindings/words.pkt >"$other/words.pkt"
    check bind "$other" "$other/words.pkt"
    [ "${change%% *}" = other ] || sed -i "s/^\(        [0-9]*, UINT64_C(\)0x[0-9a-f]*/\1$id/" "$other/words_bind.c"
    check $wasm -O2 $link -o "$words/${change%% *}.wasm" "$other"/*.c
done
check "$PKTC" bind ts -o "$words" share/handshake/handshake.pkt
prints passed node tests/bindings/words.mjs "$words"

# ---- the program of the docs

docs=$scratch/docs
mkdir -p "$docs"
for each in 'pkt game.pkt' 'js play.mjs'; do
    awk -v mark="\`\`\`$each" '/^```/ { inside = $0 == mark; next } inside' docs/engines.md >"$docs/${each#* }"
done
mkdir -p "$docs/node_modules/game"
cat >"$docs/node_modules/game/own.c" <<'END'
#include "game.h"

__attribute__((export_name("count_moving"))) int32_t count_moving(const game_State *state)
{
    int32_t count = 0;
    for (int i = 0; i < state->ships_count; i++)
        count += state->ships[i].moving;
    return count;
}
END
check bind "$docs/node_modules/game" "$docs/game.pkt"
cat >"$docs/run.mjs" <<'END'
import { State } from 'game';
import { addressOf, c } from 'game/pkt.js';
import { play } from './play.mjs';
const socket = { send: (data) => console.log(`${data.length} bytes`) };
play(socket, (x, y) => console.log(x, y));
socket.onopen();
socket.onmessage({ data: new ArrayBuffer(3) });
socket.onmessage({ data: State.make().set({ ships: [{ x: 0, y: -1024 }] }).pack().buffer });
console.log(c.count_moving(addressOf(State.make().set({ ships: [{ moving: true }, {}, { moving: true }] }))));
END
prints '17 bytes
0 -1024
2' node "$docs/run.mjs"

# ---- a package, and a program that installs it

package=$scratch/package
check bind "$package" schemas/mygame.pkt
if command -v npm >/dev/null; then
    mkdir -p "$scratch/program"
    check sh -c "cd '$package' && npm pack --offline --pack-destination '$scratch/program'"
    check sh -c "cd '$scratch/program' && echo '{\"type\": \"module\"}' >package.json && npm install --offline --no-audit --no-fund ./mygame-1.0.0.tgz"
    cp tests/bindings/program.ts "$scratch/program"
    sed 's/: [A-Z][A-Za-z0-9]* =/ =/' tests/bindings/program.ts >"$scratch/program/program.mjs"
    prints 'anna joins at 0.5' sh -c "cd '$scratch/program' && node program.mjs"
    # What a program changes in package.json stays.
    sed -i 's/"version": "1.0.0"/"version": "1.2.3"/' "$package/package.json"
    check "$PKTC" bind ts -o "$package" schemas/mygame.pkt
    check grep -q '"version": "1.2.3"' "$package/package.json"
    if (cd "$scratch" && npm_config_fetch_retries=0 timeout 100 npm install --no-audit --no-fund --prefix "$scratch/tsc" typescript@5.4) >/dev/null 2>&1; then
        tsc="$scratch/tsc/node_modules/.bin/tsc --strict --noEmit --target es2022 --module nodenext --moduleResolution nodenext"
        check sh -c "cd '$scratch/program' && $tsc program.ts"
        for each in arena words; do check sh -c "cd '$scratch/$each' && $tsc $each.d.ts pkt.d.ts"; done
        sed 's/slot = 3/slot = "3"/' tests/bindings/program.ts >"$scratch/program/wrong.ts"
        check sh -c "cd '$scratch/program' && $tsc wrong.ts | grep \"Type 'string' is not assignable to type 'number'\""
    else
        skip 'the types of TypeScript: npm cannot fetch tsc'
    fi
else
    skip 'a package: there is no npm'
fi

# ---- in a browser, packets of a WebSocket and of a data channel

if command -v chromium >/dev/null; then
    prints passed leaving_nothing timeout 100 node tests/bindings/browser.mjs "$package" "$scratch/profile"
else
    skip 'a browser: there is no chromium'
fi

# ---- how long a read takes beside C

# A machine that does other things measures more; the limits are twice what there is.
check $cc -std=c99 -O2 -I"$package" -o "$package/bench" tests/bindings/bench.c "$package/mygame.c" "$package/vec.c" "$package/pkt.c" -lm
check $cc -std=c99 -O2 -DWORLD -I"$arena" -o "$arena/bench" tests/bindings/bench.c "$arena/arena.c" "$arena/pkt.c" -lm
for each in "packet 9 $package" "world 3.5 $arena"; do
    check sh -c "cd '${each##* }' && node '$PWD/tests/bindings/bench.mjs' ${each% *} \$(./bench)"
    cat "$scratch/output"
done
finish
