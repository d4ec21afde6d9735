#!/bin/sh
# transports.sh - checks that a game over ENet, with two clients and loss, behaves as docs/transports.md says.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc transports.sh SCRATCH
scratch=$1
. tests/dist/common.sh
if ! printf '#include <enet/enet.h>\n' | ${CC:-cc} -E -x c - >/dev/null 2>&1; then
    skip 'ENet: no enet/enet.h (package libenet-dev)'
    finish
fi
check "$PKTC" -o "$scratch/made" tests/dist/enet/net.pkt
check ${CC:-cc} -std=gnu99 -Wall -Wextra -Werror -I"$scratch/made" -o "$scratch/game" tests/dist/enet/enet.c \
    "$scratch"/made/*.c -lenet
prints '20 chats each, in order; a snapshot is 8 bytes' "$scratch/game"
finish
