#!/bin/sh
# run.sh - make prove: what is proved of generated code, and that a proof fails where it has to.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc run.sh SCRATCH
set -u
here=$(cd "$(dirname "$0")" && pwd)
scratch=$1
status=0
prove() {
    "$here/prove.sh" "$scratch" "$@" || status=1
}

# All lengths at once. T_delta: deltas of T. Not proved are, of all.pkt, Rotations, Arrays, Subsets, Nested and Deltas with its
# deltas; of cubes.pkt, Raw, Quantized, AtRest and State with its deltas: their analysis takes too long, or has alarms, of which
# nobody has looked at all.
prove schemas/mygame.pkt
prove schemas/all.pkt all_Scalars all_Bits all_Ranges all_Numbers all_Spans all_Texts all_Optionals all_Defaults all_Initials \
    all_Conditions all_Layout all_Many all_Ping all_Old
EXTRA='-eva-auto-loop-unroll 32' prove schemas/all.pkt all_Compacts

# Where elements come by their indices, what is known of an index depends on the branches behind.
HISTORY='-eva-partition-history 2 -eva-interprocedural-history -eva-slevel 0'
EXTRA=$HISTORY prove schemas/all.pkt all_Squads all_Many_delta
EXTRA=$HISTORY prove schemas/cubes.pkt ByFlag ByCount ByRelative ByBitmap ByAuto

# Each length by itself: of those for which that takes minutes at most.
EACH=1 prove schemas/mygame.pkt ConnectRequest ConnectChallenge ConnectResponse ConnectAccept ConnectDeny Disconnect Chat Input

# A count one too many for its array, a word that is not asked whether it fits, a missing check of bounds.
for seed in 's/players_count, 0, 32,/players_count, 0, 33,/' 's/PKT_RUN_EDGE();/PKT_RUN();/' 's/PKT_NEED(87);//'; do
    if SEED=$seed "$here/prove.sh" "$scratch/seeded" schemas/mygame.pkt Snapshot >"$scratch/seeded.log" 2>&1; then
        echo "the proof does not notice $seed"
        status=1
    elif [ $? = 1 ]; then
        echo "noticed: $seed"
    else
        cat "$scratch/seeded.log"
        status=1
    fi
done
exit $status
