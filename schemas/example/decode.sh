#!/bin/sh
# decode.sh - prints a recording of the example as JSON, a line for each datagram; or what Wireshark needs to show it.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=pktc decode.sh match.pcapng
#        PKTC=pktc decode.sh schemas/example/arena.pkt >arena.lua
#
# The schemas are in the recording. What is in the frames is known only to the programs that write them: see arena.pkt.
case $1 in
    *.pkt) command=wireshark ;;
    *) command=decode ;;
esac
exec "${PKTC:-pktc}" $command \
    --stream 'ToClient=SnapshotHeader, Events, Event[Events.count],
              Snapshot delta(SnapshotHeader.number from SnapshotHeader.number - SnapshotHeader.back)' \
    --stream 'ToServer=InputHeader, Inputs, Command delta(previous)[1 + bits(Inputs.repeated)],
              Events, Event[Events.count]' "$1"
