#!/bin/sh
# decode.sh - prints a recording of the example as JSON, a line for each datagram; or what Wireshark needs to show it; or
# trains the model of arena.pkt on it.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=pktc decode.sh match.pcapng
#        PKTC=pktc decode.sh schemas/example/arena.pkt >arena.lua
#        PKTC=pktc decode.sh train -o schemas/example/arena.model schemas/example/arena.pkt match.pcapng
#
# The schemas are in the recording. What is in the frames is known only to the programs that write them: see arena.pkt.
#
# arena.model was trained on what 64 bots did in ten seconds. To train it again, record such a match, and look with --check
# what the model is worth on a match of other bots:
#
#     server 40000 server.log match.pcapng & bots 40000 --seconds 10 --seed 2
#     server 40000 server.log other.pcapng & bots 40000 --seconds 10 --seed 3
#     decode.sh train -o schemas/example/arena.model schemas/example/arena.pkt match.pcapng
#     decode.sh train --check schemas/example/arena.pkt other.pcapng
#
# All clients see the same world, so those of one are enough, which is much faster: --port with the number of its port.
case $1 in
    train)
        command=train
        shift
        ;;
    *.pkt) command=wireshark ;;
    *) command=decode ;;
esac
exec "${PKTC:-pktc}" "$command" \
    --stream 'ToClient=SnapshotHeader, Events, Event[Events.count],
              Snapshot delta(SnapshotHeader.number from SnapshotHeader.number - SnapshotHeader.back)' \
    --stream 'ToServer=InputHeader, Inputs, Command delta(previous)[1 + bits(Inputs.repeated)],
              Events, Event[Events.count]' "$@"
