#!/bin/sh
# recipes.sh - checks that the commands and programs in the docs work exactly as they are written.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc recipes.sh SCRATCH
scratch=$1
. tests/dist/common.sh
make=${MAKE:-make}
PATH=$(cd "$(dirname "$PKTC")" && pwd):$PATH
export PATH

# Prints the first code block of a page in a language.
block() {
    awk -v mark="\`\`\`$2" '/^```/ { inside = $0 == mark && !seen++; next } inside' "$1"
}

# Prints the code blocks of a section of a page in a language.
section() {
    awk -v title="## $2" -v mark="\`\`\`$3" '/^## / { here = $0 == title }
        /^```/ { code = !code; inside = code && here && index($0 " ", mark " ") == 1; next } inside' "docs/$1.md"
}

# Prints the first code block of the README that has a command.
commands() {
    awk -v has="$1" '/^```/ { if (inside && text ~ has) { printf "%s", text; exit } inside = !inside; text = ""; next }
                     inside { text = text $0 "\n" }' README.md
}

# ---- The README's commands, with the program it shows, in a directory that has only the files it mentions.

mkdir -p "$scratch/readme/schemas"
cp schemas/mygame.pkt schemas/vec.pkt "$scratch/readme/schemas"
block README.md c >"$scratch/readme/game.c"
commands '^pktc schemas' >"$scratch/readme/commands"
check test "$(wc -l <"$scratch/readme/commands")" = 2
check sh -c "cd '$scratch/readme' && sh -e commands"
prints hello "$scratch/readme/a.out"
command -v c++ >/dev/null && check sh -c "cd '$scratch/readme' && c++ -x c++ -Wall -Wextra -Werror -Igenerated -c -o game.o game.c"
mv "$scratch/readme/schemas"/*.pkt "$scratch/readme"
commands '^pktc --check' >"$scratch/readme/commands"
check test "$(wc -l <"$scratch/readme/commands")" = 2
check sh -c "cd '$scratch/readme' && pktc fmt *.pkt && sh -e commands"

# ---- The rule for make. It follows imports, also to other names, and does nothing if
# nothing has changed.

mkdir -p "$scratch/rule"
cp schemas/mygame.pkt schemas/vec.pkt "$scratch/rule"
cp "$game/rule.c" "$scratch/rule/game.c"
block docs/build.md make >"$scratch/rule/Makefile"
rule() { env -u MAKEFLAGS -u MAKELEVEL "$make" -C "$scratch/rule" "$@"; }
check rule
prints 'x 32' "$scratch/rule/game"
check rule -q
sed 's/float<-32, 32, 0.03125>/float<-64, 64, 0.03125>/' schemas/vec.pkt >"$scratch/rule/vec.pkt"
touch -d '+2 seconds' "$scratch/rule/vec.pkt" 2>/dev/null || { sleep 1; touch "$scratch/rule/vec.pkt"; }
check rule
prints 'x 64' "$scratch/rule/game"
mv "$scratch/rule/vec.pkt" "$scratch/rule/vectors.pkt"
sed 's/vec.pkt/vectors.pkt/' schemas/mygame.pkt >"$scratch/rule/mygame.pkt"
touch -d '+4 seconds' "$scratch/rule/mygame.pkt" 2>/dev/null || { sleep 1; touch "$scratch/rule/mygame.pkt"; }
check rule
check test ! -e "$scratch/rule/generated/vec.c"

# ---- The same with ninja: up to date the second time, and after a change that is in a comment of the schema nothing is
# compiled. Without --depfile-target the first output is the first one of the depfile too.

if command -v ninja >/dev/null; then
    mkdir -p "$scratch/ninja"
    cp schemas/mygame.pkt schemas/vec.pkt "$scratch/ninja"
    cp "$game/rule.c" "$scratch/ninja/game.c"
    up_to_date() { ninja -C "$scratch/ninja" | grep -q 'no work to do'; }
    for form in target outputs; do
        block docs/build.md ninja >"$scratch/ninja/build.ninja"
        [ $form = target ] || sed -i.old 's/ --depfile-target $out//; s/^build generated.mygame.c | generated.mygame.h/build generated\/mygame.h | generated\/mygame.c/' \
            "$scratch/ninja/build.ninja"
        rm -rf "$scratch/ninja/generated" "$scratch/ninja/.ninja"*
        check ninja -C "$scratch/ninja"
        prints 'x 32' "$scratch/ninja/game"
        check up_to_date
        touch -d '+2 seconds' "$scratch/ninja/vec.pkt" 2>/dev/null || { sleep 1; touch "$scratch/ninja/vec.pkt"; }
        check sh -c "ninja -C '$scratch/ninja' | grep -q pktc"
        cp schemas/vec.pkt "$scratch/ninja"
    done
else
    skip 'no ninja (package ninja-build)'
fi

# ---- build.md: the example, built by hand.

mkdir -p "$scratch/schemas/example"
cp -R schemas/example/*.[ch] schemas/example/*.pkt schemas/example/*.model schemas/example/releases "$scratch/schemas/example"
awk '/^## The example/ { found = 1 } found && /^```/ { inside = !inside; next } found && inside && !/^\.\// { print }' \
    docs/build.md >"$scratch/schemas/example/commands"
check test "$(wc -l <"$scratch/schemas/example/commands")" = 3
check sh -c "cd '$scratch/schemas/example' && sh -e commands && test -x server && test -x bots"

# ---- cookbook.md: the program of a section works with its schema, and with a main in tests/dist/game/cookbook.

check pktc --runtime -o "$scratch/recipes/runtime"
check ${CC:-cc} -c -o "$scratch/recipes/pkt.o" "$scratch/recipes/runtime/pkt.c"

# Runs the program NAME. SCHEMA.pkt is in its directory already.
cook() {
    dir=$scratch/recipes/$1
    { cat "schemas/cookbook/$1.c"; printf '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'; cat "$game/cookbook/$1.c"; } >"$dir/main.c"
    check pktc -o "$dir" --no-runtime "$dir/$2.pkt"
    check sh -c "cd '$dir' && ${CC:-cc} -std=c99 -Wall -Wextra -Werror -I../runtime -o main main.c $2.c ../pkt.o -lm"
    prints "$3" "$dir/main"
}

# The same with the schemas of that section.
recipe() {
    mkdir -p "$scratch/recipes/$1"
    { echo 'protocol mygame = 1;'; section cookbook "$3" pkt; } >"$scratch/recipes/$1/mygame.pkt"
    cook "$1" mygame "$2"
}

# Runs the commands `$ COMMAND` of the file `wanted` of a recipe, which must print the lines that follow.
shows() {
    (cd "$scratch/recipes/$1" && sed -n 's/^\$ //p' wanted | while IFS= read -r command; do echo "\$ $command"; sh -c "$command" 2>&1; done >made)
    check test -s "$scratch/recipes/$1/wanted"
    check diff "$scratch/recipes/$1/wanted" "$scratch/recipes/$1/made"
}

recipe filling 'nothing is older than 20 ticks, and none goes back' 'Filling a packet'
recipe baselines '77 shown, 15 without a baseline, 3 of another baseline' 'Baselines and acknowledgements'
recipe draw '419 frames, 419 of them at the speed of the kart' 'What a client shows'
recipe inputs '100 commands, 0 wrong, the last datagram has 55 bits' 'Input redundancy'
recipe predict '7 bumps, 7 corrections, 0 leaps' 'Prediction'
recipe events '100 events, 0 waiting' 'Reliable events'
recipe rollback 'no difference, many frames played again' 'Rollback'

mkdir -p "$scratch/recipes/handshake"
cp share/handshake/handshake.pkt "$scratch/recipes/handshake"
cook handshake handshake '31, 32, 1, 0 1 0 0 1'

mkdir -p "$scratch/recipes/desync"
section cookbook 'Finding a desync' 'pkt desync.pkt' >"$scratch/recipes/desync/desync.pkt"
cook desync desync 'tick 400, 1'

# The commands of the section about models print what they print there.
mkdir -p "$scratch/recipes/model"
section cookbook 'A trained model' 'pkt swarm.pkt' >"$scratch/recipes/model/swarm.pkt"
: >"$scratch/recipes/model/swarm.model"
{ cat schemas/cookbook/model.c; echo '#include <stdlib.h>'; cat "$game/cookbook/model.c"; } \
    >"$scratch/recipes/model/main.c"
check pktc -o "$scratch/recipes/model" --no-runtime "$scratch/recipes/model/swarm.pkt"
check sh -c "cd '$scratch/recipes/model' && ${CC:-cc} -std=c99 -Wall -Wextra -Werror -I../runtime -o play main.c swarm.c ../pkt.o"
section cookbook 'A trained model' shell >"$scratch/recipes/model/wanted"
shows model

# ---- runtime.md: a recording, and its replay.

mkdir -p "$scratch/recipes/replay"
section runtime Recordings 'pkt tank.pkt' >"$scratch/recipes/replay/tank.pkt"
section runtime Recordings console >"$scratch/recipes/replay/wanted"
cp schemas/cookbook/record.c schemas/cookbook/replay.c "$scratch/recipes/replay"
shows replay

# ---- versions.md: its program reads an old packet, and says so to its sender; the Hello of another release can be read; a
# prefix changes no id.

mkdir -p "$scratch/versions"
for name in game game2; do
    awk -v mark="\`\`\`pkt $name.pkt" '/^```/ { inside = $0 == mark; next } inside' \
        docs/versions.md >"$scratch/versions/$name.pkt"
done
sed 's/game = 1/game = 1 prefix old_/' "$scratch/versions/game.pkt" >"$scratch/versions/old_game.pkt"
sed 's/game = 1/game = 1 prefix new_/' "$scratch/versions/game2.pkt" >"$scratch/versions/new_game.pkt"
{ printf '#include "%s.h"\n' game old_game new_game; cat "$game/versions.c"; } >"$scratch/versions/main.c"
check pktc -o "$scratch/versions" "$scratch/versions/game.pkt" "$scratch/versions/old_game.pkt" "$scratch/versions/new_game.pkt"
check sh -c "cd '$scratch/versions' && cc -o main *.c"
prints 'welcome, please update your game, refused, joined' "$scratch/versions/main"
mkdir -p "$scratch/upgrade"
{ section versions 'Old packets' c; cat "$game/upgrade.c"; } >"$scratch/upgrade/main.c"
check sh -c "cd '$scratch/versions' && pktc archive ../upgrade/releases game.pkt && pktc archive ../upgrade/releases game2.pkt"
check pktc --upgrade "$scratch/upgrade/releases" -o "$scratch/upgrade" "$scratch/versions/game2.pkt"
check sh -c "cd '$scratch/upgrade' && cc -o main *.c"
check sh -c "cd '$scratch' && echo '{ \"class_wanted\": \"tank\", \"salt\": 7 }' |
             pktc encode versions/game.pkt Join >upgrade/join.bin"
prints 'your version is 1, this is 2
class tank, nonce 7
damaged, or of another game' "$scratch/upgrade/main" "$scratch/upgrade/join.bin"
finish
