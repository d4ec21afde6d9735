#!/bin/sh
# sections.sh - a program has only the functions that it calls, if each function has a section of its own.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc LIBRARY=build/libpkt.a sections.sh DIR
#
# A client that reads snapshots and writes inputs is linked in two ways: with the objects of the generated files and of pkt.c,
# and with a static library of the generated files and the installed runtime. Of functions that other files could call it has
# those below: nothing of the other packets, of streams, of the opposite directions or of deltas.
set -u
dir=$1
rm -rf "$dir" && mkdir -p "$dir" && "$PKTC" -o "$dir" schemas/mygame.pkt || exit 1
cat >"$dir/client.c" <<'END_OF_CLIENT'
#include "mygame.h"

#include <stdio.h>

int main(void)
{
    static Snapshot snapshot;
    Input input;
    unsigned char data[1200];
    Input_init(&input);
    input.commands_count = 1;
    fwrite(data, 1, Input_pack(&input, data, sizeof data), stdout);
    return Snapshot_unpack(&snapshot, data, fread(data, 1, sizeof data, stdin)) ? 0 : 1;
}
END_OF_CLIENT

# What the client may have: what it calls, the base values that this stores, and what finds out why bytes are refused. That
# knows the fields of all kinds.
called='Input_(init|write_|write_body)|Snapshot_read_(body)?|(Aim|Offset)_base|pkt_(crc32(_within)?|pack|pack_end|unpack|unpack_crc|unpack_end)'
explains='pkt_(explain|lines?|error)_.*|pkt_(difference_bits|present_count|subset_is_dense|quat_readable|text_.*)'
explains="$explains|pkt_(quats_differ|units_differ|are_coded_apart(64)?)"
# T_init goes by the table of the type, and the yaw of an Aim wraps.
explains="$explains|pkt_(value_init|entry_(after|after_inner|at|size|store)|quantize_turn)"
passed=0
failed=0
check() {
    nm -g --defined-only "$dir/client" | awk '$2 == "T" && $3 !~ /^_/ && $3 != "main" { print $3 }' | sort >"$dir/functions"
    if grep -vxE "$called|$explains" "$dir/functions" || ! grep -qx Snapshot_read_body "$dir/functions"; then
        failed=$((failed + 1))
        echo "in a client linked with $*"
    else
        passed=$((passed + 1))
    fi
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "[  SKIPPED ] sections with $compiler: it is not installed"; continue; }
    for level in -O2 -Os; do
        for file in client mygame vec pkt; do
            $compiler -std=c99 $level -ffunction-sections -fdata-sections -c -o "$dir/$file.o" "$dir/$file.c" || exit 1
        done
        link="$compiler -Wl,--gc-sections -o $dir/client $dir/client.o"
        $link "$dir/mygame.o" "$dir/vec.o" "$dir/pkt.o" || exit 1
        check "$compiler $level, objects"
        rm -f "$dir/libgame.a"
        ar rc "$dir/libgame.a" "$dir/mygame.o" "$dir/vec.o" || exit 1
        $link "$dir/libgame.a" "$LIBRARY" || exit 1
        check "$compiler $level, library"
    done
done
echo "[  PASSED  ] $passed test(s)."
[ $failed = 0 ] || { echo "[  FAILED  ] $failed test(s)"; exit 1; }
