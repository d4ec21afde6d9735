#!/bin/sh
# run.sh - tests `pktc wireshark` in tshark, if that is installed.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc [PKT_SEED=1] run.sh PROGRAM SCRATCH [OPTION...]     from the top directory; options of dissect.c
set -u
program=$1
scratch=$2
shift 2
if ! command -v tshark >/dev/null; then
    echo '[  SKIPPED ] everything: no tshark (package tshark)'
    exit 0
fi
rm -rf "$scratch"
mkdir -p "$scratch"
failed=0
"$program" --seed "${PKT_SEED:-1}" --cases 1 --schemas 3 "$@" "$scratch" tests/data/*.txt tests/data/*.jsonl \
    schemas/mygame.pkt schemas/all.pkt tests/commands/dissected.pkt tests/dissect/numbered.pkt tests/dissect/moving.pkt tests/roundtrip/*.pkt ||
    failed=1

# ---- bytes that could keep a dissector busy: it has to be done soon, without an error of Lua

# A datagram to a port, as a file for text2pcap: its bytes in hexadecimal.
datagram() {
    echo "$2" | sed 's/../& /g; s/^/0000 /' >"$scratch/hex"
    text2pcap -q -u "1000,$1" "$scratch/hex" "$scratch/$3.pcap" 2>/dev/null
}

# In Empty: 16777216 elements without bits in a counted array, none in a sparse one. In Long: such counts, again and again.
datagram 9001 0500000081c1ff7f empty
long=0300000818fcff0700000818fcffdfffff3f80e0ffffffff3f80e0ffff0000000206ffff0100000206fffff7ffff0f20f8
datagram 9002 "${long}ffffffff0f20f8ff3f00008080c1ff7f00008080c1fffffdffff0308feffffffff0308feff03" long
zeros=$(printf '%01200d' 0)
datagram 9001 "$zeros$zeros" zeros
datagram 9002 "$(echo "$zeros" | tr 0 f)" ones
"$PKTC" wireshark --port 9001 --stream Empty tests/dissect/hostile.pkt >"$scratch/empty.lua"
# Its protocol has the same name: the second one gets another.
"$PKTC" wireshark --port 9002 --stream 'Long delta(previous)*' tests/dissect/hostile.pkt >"$scratch/long.lua"
for each in empty long zeros ones; do
    HOME=$scratch timeout 20 tshark -n -r "$scratch/$each.pcap" -V -X "lua_script:$scratch/empty.lua" \
        -X "lua_script:$scratch/long.lua" >"$scratch/$each.txt" 2>"$scratch/$each.errors"
    status=$?
    if [ $status != 0 ] || grep -q 'Lua' "$scratch/$each.errors" || grep -q 'Lua Error' "$scratch/$each.txt" ||
        ! grep -q '^hostile' "$scratch/$each.txt"; then
        echo "hostile bytes, $each: status $status"
        cat "$scratch/$each.errors"
        failed=1
    fi
done
exit $failed
