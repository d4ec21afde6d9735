#!/bin/sh
# debugger.sh - debugs unoptimized generated code: a breakpoint is at one place, and steps go from field to field.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc CC=cc debugger.sh BUILD
set -u
build=$1
if ! command -v gdb >/dev/null; then
    echo '[  SKIPPED ] breakpoints and steps in generated code: gdb is not installed'
    exit 0
fi
rm -rf "$build" && mkdir -p "$build" && "$PKTC" -o "$build" schemas/mygame.pkt || exit 1
cat >"$build/main.c" <<'END_OF_MAIN'
#include "mygame.h"

static bool packed;

int main(void)
{
    Input input;
    unsigned char bytes[256];
    size_t size;
    Input_init(&input);
    input.tick = 1234;
    input.commands_count = 1;
    input.commands[0].weapon = Weapon_rifle;
    size = Input_pack(&input, bytes, sizeof bytes);
    packed = true;
    return Input_unpack(&input, bytes, size) ? 0 : 1;
}
END_OF_MAIN
${CC:-cc} -std=c99 -O0 -g -I"$build" -o "$build/main" "$build/main.c" "$build/mygame.c" "$build/vec.c" \
    "$build/pkt.c" || exit 1
if ! gdb -nx -batch -ex run "$build/main" 2>&1 | grep -q 'exited normally'; then
    echo '[  SKIPPED ] breakpoints and steps in generated code: gdb may not run programs here'
    exit 0
fi

passed=0
failed=0
check() {
    if diff -u "$build/$1.expected" "$build/$1"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "wrong: $1"
    fi
}

# Runs gdb with the commands on standard input, without the configuration of the user.
debug() {
    cat >"$build/commands"
    gdb -nx -batch -ex 'set breakpoint pending off' -x "$build/commands" "$build/main" 2>&1
}

# A breakpoint on the line of a field is on that line, and has at most 4 locations.
field='PKT_(BOOL|FIELD|COUNT|LENGTH|TEXT|TAG|QUANTIZED)[A-Z_0-9]*\('
grep -nE "^ *$field" "$build/mygame_codec.h" | sed 's/:.*//' >"$build/lines"
sed 's/.*/mygame_codec.h, line &./' "$build/lines" >"$build/places.expected"
sed 's/^/break mygame_codec.h:/' "$build/lines" | debug | grep -v '([2-4] locations)$' |
    sed 's/.*\(mygame_codec\.h, line\)/\1/' >"$build/places"
check places

# `step` goes through Input_pack field by field. Between two fields it may go through the runtime, unless gdb has been
# told `skip -gfi */pkt*.h`.
cat >"$build/steps.expected" <<'END_OF_STEPS'
tick
ack
ack_bits
commands_count
buttons
aim.yaw
aim.pitch
forward
strafe
weapon
END_OF_STEPS
for skip in '' 'skip -gfi */pkt*.h'; do
    printf 'break Input_pack\nrun\n%s\nwhile !packed\nstep\nend\n' "$skip" | debug >"$build/steps.log"
    grep -oE "^[0-9]+[[:blank:]]+($field|PKT_DIFFERS\().*" "$build/steps.log" |
        sed -E 's/.*PKT_DIFFERS\((.*)_sent_,.*/\1/; s/.*PKT_(FIELD|COUNT)\(([^,]*),.*/\2/; s/.*\([^,]*, ([^,]*),.*/\1/' >"$build/steps"
    check steps
done
# With skip, each step is a line of generated code.
grep -c ' at .*/pkt[a-z_]*\.h:' "$build/steps.log" >"$build/skipped"
echo 0 >"$build/skipped.expected"
check skipped

# There the value can be printed, by its name in Input_serialize.
in=$(sed -n 's/.*Input_serialize(.*const Input \*\([a-z_]*\),.*/\1/p' "$build/mygame_codec.h")
line=$(grep -n 'PKT_FIELD(ack,' "$build/mygame_codec.h" | sed 's/:.*//')
printf 'break mygame_codec.h:%s\nrun\nprint %s->tick\nprint *%s\n' "$line" "$in" "$in" | debug |
    sed -n 's/^\$[0-9]* = //p' | sed 's/, commands = .*/, .../' >"$build/value"
printf '1234\n{tick = 1234, ack = 0, ack_bits = 0, ...\n' >"$build/value.expected"
check value

# In the functions that the header declares, the value has the name that it has there.
v=$(sed -n 's/^PKT_INLINE .* Input_pack(const Input \*\([a-z_]*\),.*/\1/p' "$build/mygame.h")
printf 'break Input_pack\nrun\nprint %s->tick\n' "$v" | debug | sed -n 's/^\$[0-9]* = //p' >"$build/parameter"
echo 1234 >"$build/parameter.expected"
check parameter

echo "[  PASSED  ] $passed test(s)."
[ $failed = 0 ] || { echo "[  FAILED  ] $failed test(s)"; exit 1; }
