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

# All packets of mygame. Of all.pkt and cubes.pkt those that are not here have alarms still: what they say is not judged.
prove schemas/mygame.pkt
prove schemas/all.pkt all_Scalars all_Bits all_Ranges all_Numbers all_Defaults all_Initials all_Conditions all_Layout all_Ping all_Old

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
