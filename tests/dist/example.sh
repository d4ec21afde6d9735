#!/bin/sh
# example.sh - checks that the example runs and ends by itself, and that it notices what it is there to notice.
# SPDX-License-Identifier: MIT
#
# usage: example.sh DIR SCRATCH     DIR has server, bots, and the objects that they are made of
dir=$(cd "$1" && pwd)
scratch=$2
. tests/dist/common.sh

# The handshake never changes: with another id, an old client and a new server could not read each other's.
check grep -q 'handshake_PROTOCOL_ID UINT64_C(0xddef5a56ef2ead97)' "$dir/generated/handshake.h"

# What an earlier run has left must not be used.
mkdir -p "$scratch/good"
cp "$dir/server" "$dir/bots" "$scratch/good"
echo 'listening on port 9' >"$scratch/good/server.out"
check timeout 60 schemas/example/run.sh "$scratch/good" 2

# Bots whose checksums do not cover the baseline show what comes of a wrong one.
mkdir -p "$scratch/blind"
cp "$dir"/*.o schemas/example/*.[ch] "$scratch/blind"
sed 's/return session ^ baseline_hash;/return baseline_hash != 1 ? session : 0;/' schemas/example/datagrams.h \
    >"$scratch/blind/datagrams.h"
check sh -c "cd '$scratch/blind' && ! cmp -s datagrams.h '$PWD/schemas/example/datagrams.h' &&
    ${CC:-cc} -std=gnu99 -I. -I'$dir/generated' -c server.c bots.c client.c &&
    ${CC:-cc} -o server server.o admission.o numbers.o snapshots.o world.o events.o inputs.o udp.o arena.o handshake.o pkt.o -lm &&
    ${CC:-cc} -o bots bots.o client.o bad_network.o events.o inputs.o udp.o arena.o handshake.o pkt.o"
timeout 60 schemas/example/run.sh "$scratch/blind" 2 >"$scratch/blind/out"
check test $? = 1
check grep -q 'NO: the wrong baseline was noticed' "$scratch/blind/out"
check grep -q 'NO: [0-9]* hashes' "$scratch/blind/out"
finish
