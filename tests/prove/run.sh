#!/bin/sh
# run.sh - make prove: proves properties of generated code, and checks that proofs of wrong code fail.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc run.sh SCRATCH [mistakes]
#
# With `mistakes`, proves nothing, and checks only that each mistake that a proof has to notice changes the code.
#
# SCRATCH/proved keeps the results of the proofs, each for the code that it was run on: the next run goes on where one was
# interrupted, and repeats only what a change of the code touches. PROVE_TIME: begins no proof after so many seconds. OPEN=1:
# also tries what is not proved.
# Lists of words are split on purpose.
# shellcheck disable=SC2086
set -u
here=$(cd "$(dirname "$0")" && pwd)
scratch=$1
export APPLY=${2:-}
status=0
export EACH='' EXTRA='' ROUNDS='' UNION='' RELEASES='' PROVED="$scratch/proved"
mkdir -p "$scratch"
touch "$PROVED"
[ -z "${PROVE_TIME:-}" ] || export UNTIL=$(($(date +%s) + PROVE_TIME))
rm -rf "$scratch/parsed"
# RESULT: the exit status of a script that proves.
take() {
    case $1 in
    0) ;;
    3) echo 'the time is up; make prove again goes on'; exit $status ;;
    *) status=1 ;;
    esac
}
prove() {
    [ -z "$APPLY" ] || return
    "$here/prove.sh" "$scratch" "$@"
    take $?
}
# What docs/security.md names as not proved, because there are alarms or no result in time. Without OPEN=1 it is not tried,
# so a run that fails has found something else.
unproved() {
    if [ -n "${OPEN:-}" ]; then
        "$@"
    elif [ -z "$APPLY" ]; then
        shift 2
        echo "not proved, and tried only with OPEN=1: $*"
    fi
}
# Packets and their bodies.
prove_both() {
    schema=$1
    shift
    for packet; do
        set -- "$@" "${packet}_body"
    done
    prove "$schema" "$@"
}

# mygame, with any number of bytes left in a stream: T_end for 8 or more, at any bit, and each length up to 8. Bodies
# whose first run begins at a known bit: each length.
EACH=1
MYGAME='ConnectRequest ConnectChallenge ConnectResponse ConnectAccept ConnectDeny Disconnect Chat Input Snapshot'
ends=
for packet in $MYGAME; do
    ends="$ends ${packet}_end"
done
prove schemas/mygame.pkt $ends
prove schemas/mygame.pkt ConnectRequest_body ConnectChallenge_body ConnectResponse_body \
    ConnectAccept_body ConnectDeny_body Input_body
export LEAST=0 MOST=8
prove_both schemas/mygame.pkt $MYGAME
TAG='-eva-partition-value prove_tag'
# Whether a read succeeded and where it ended are told apart only if the states inside are not joined.
EXTRA="$TAG -eva-slevel-function Message_serialize:1000,Message_read_:1000,Message_write_:1000"
UNION=Message
prove_both schemas/mygame.pkt Message
EXTRA=$TAG
unset LEAST MOST
prove schemas/mygame.pkt Message_end
UNION=''
EXTRA=''
EACH=''

# For all lengths of the data together. T_delta: deltas of T. T_refs: its body, with callbacks for refs.
prove schemas/mygame.pkt ConnectRequest ConnectRequest_body ConnectChallenge ConnectChallenge_body ConnectResponse \
    ConnectResponse_body ConnectAccept ConnectAccept_body ConnectDeny ConnectDeny_body Disconnect Disconnect_body \
    Chat Chat_body Input Input_body Snapshot Snapshot_body
prove_both schemas/all.pkt all_Scalars all_Bits all_Ranges all_Numbers all_Spans all_Texts all_Optionals \
    all_Defaults all_Initials \
    all_Conditions all_Layout all_Many all_Ping all_Old all_Refs all_Rows all_Words all_Usual all_Poses \
    all_Turns all_ExactTurns \
    all_Moods
prove schemas/all.pkt all_Refs_refs
EXTRA='-eva-auto-loop-unroll 32 -eva-slevel-function all_Compacts_serialize:1000'
prove_both schemas/all.pkt all_Compacts
# Many elements with many states: elements are not separate states. The codes of rotations are analyzed once.
EXTRA=''
ROUNDS=1
prove schemas/all.pkt rotations
prove_both schemas/all.pkt all_Rotations
# With 8 elements at a time, the paths through the packet are kept apart.
unproved prove_both schemas/all.pkt all_Arrays
EXTRA='-eva-slevel-function all_Deltas_serialize:1000'
unproved prove_both schemas/all.pkt all_Deltas
ROUNDS=''
# Unions: each member separately.
EXTRA=$TAG
UNION=all_Pair
ROUNDS=1
unproved prove_both schemas/all.pkt all_Nested
ROUNDS=''
EXTRA=$TAG
UNION=all_Any
unproved prove_both schemas/all.pkt all_Any
UNION=''

# Any bits begin with a code of each table, with and without a model.
EXTRA='-eva-auto-loop-unroll 12 -eva-slevel 5000 -eva-ilevel 128'
prove tests/fuzz/libfuzzer/trained.pkt codes
prove tests/prove/coders.pkt codes
# Reading coded deltas, by the contracts of prove_coded.h. Whether a row was read is known of its fields. MORE: states in
# which there is another element are kept apart from those in which there is none.
EXTRA=''
prove tests/prove/coders.pkt numbers
MORE='-eva-partition-value prove_more'
EXTRA="-eva-partition-history 1 $MORE"
prove tests/prove/coders.pkt Coders_coded

# The frames of packets and of streams.
FRAMES='-eva-slevel 2000 -eva-auto-loop-unroll 20'
EXTRA=$FRAMES
prove schemas/mygame.pkt crc frames

# Whole packets, for each length: T_packet with its checksum and end check, T_datagram with a seed, T_versions of this
# release or an older one. T_explain: why a body is refused, or cannot be written. For all lengths together: T_peek, the
# names of parts.
EACH=1
EXTRA=''
prove schemas/mygame.pkt ConnectRequest_packet ConnectChallenge_packet ConnectResponse_packet ConnectAccept_packet \
    ConnectDeny_packet Input_packet ConnectDeny_explain Input_explain
prove tests/roundtrip/datagram.pkt dg_Up_datagram
RELEASES=tests/upgrade/releases
prove tests/upgrade/mygame.pkt ConnectDeny_versions
RELEASES=''
EACH=''
prove tests/roundtrip/datagram.pkt dg_Down_peek

# If elements have indices, what is known of an index depends on the branches before.
HISTORY="-eva-partition-history 2 -eva-interprocedural-history $MORE"
EXTRA=$HISTORY
prove_both schemas/all.pkt all_Squads all_Subsets
prove schemas/all.pkt all_Many_delta
prove_both schemas/cubes.pkt ByFlag ByCount ByRelative ByBitmap
unproved prove_both schemas/cubes.pkt ByAuto
ROUNDS=1
prove_both schemas/cubes.pkt Raw Quantized AtRest State
unproved prove schemas/cubes.pkt State_delta
ROUNDS=''
# The same, if old values may also be blank: then the function of a delta calls itself once.
BLANK="$HISTORY -eva-unroll-recursive-calls 2"
EXTRA=$BLANK
prove schemas/all.pkt all_Rows_delta all_Refs_delta
# The same with unions. There the analysis finds bytes of another member in a bool.
EXTRA="$BLANK -no-warn-invalid-bool"
ROUNDS=1
limit=${PROVE_TIMEOUT:-900}
export PROVE_TIMEOUT=$((4 * limit))
unproved prove schemas/all.pkt all_Deltas_delta
PROVE_TIMEOUT=$limit
ROUNDS=''

# For each length of the data separately: packets for which that takes minutes at most.
EACH=1
EXTRA=''
prove schemas/all.pkt all_Refs all_Rows all_Usual all_Poses all_Turns all_ExactTurns all_Moods
prove_both schemas/all.pkt all_Scalars all_Bits all_Ranges all_Numbers all_Layout all_Ping all_Old

mistakes=0
seed() {
    mistakes=$((mistakes + 1))
    MISTAKE=$1 EXTRA="$EXTRA -eva-stop-at-nth-alarm 1" "$here/prove.sh" "$scratch/seeded" "$2" "$3" \
        >"$scratch/seeded.log" 2>&1
    noticed $? "$3" "$1"
}
# RESULT WHAT MISTAKE: the exit status of the proof of code with a mistake.
noticed() {
    case $1 in
    0)
        echo "the proof of $2 does not notice $3"
        status=1
        ;;
    1) [ -n "$APPLY" ] || echo "noticed: $3" ;;
    3) take 3 ;;
    *)
        cat "$scratch/seeded.log"
        status=1
        ;;
    esac
}

# A missing bounds check, a count one too great for its array, a word that is not checked against the end, another
# missing bounds check, an index that is too great.
seed 's/PKT_NEED(128);//' schemas/mygame.pkt ConnectChallenge_end
seed 's/players_count, PKT_AS_INT(uint8_t, 0, 32,/players_count, PKT_AS_INT(uint8_t, 0, 33,/' schemas/mygame.pkt Snapshot_end
seed 's/PKT_RUN_EDGE(0);/PKT_RUN();/' schemas/mygame.pkt Snapshot_end
seed 's/PKT_NEED(87);//' schemas/mygame.pkt Snapshot_end
EACH=''
EXTRA=$HISTORY
seed 's/NULL, 901, 901)/NULL, 902, 902)/' schemas/cubes.pkt ByFlag
# An element too many for its array; one that a bounds check covers only in part; a count one too great; a component
# of a quaternion that is too wide; a changed element too many.
ROUNDS=1
seed 's/n0_ = 901;/n0_ = 902;/' schemas/cubes.pkt Raw
seed 's/PKT_END(321);/PKT_END(322);/' schemas/cubes.pkt Raw
EXTRA=''
seed 's/bones_count, PKT_AS_INT(uint8_t, 0, 40,/bones_count, PKT_AS_INT(uint8_t, 0, 41,/' schemas/all.pkt all_Rotations
seed 's/PKT_QUAT(aim, 9, 1)/PKT_QUAT(aim, 21, 1)/' schemas/all.pkt all_Rotations
export SEEDED=pkt_rotation.h
seed 's/2 + (uint32_t)(w > z)/3 + (uint32_t)(w > z)/' schemas/all.pkt rotations
SEEDED=all.c EXTRA=$HISTORY ROUNDS=''
seed 's/subset1_, one_changed_, 1)/subset1_, one_changed_, 2)/' schemas/all.pkt all_Many_delta
SEEDED=all_codec.h EXTRA=$HISTORY
seed 's/flagged_present : NULL, 70, 70)/flagged_present : NULL, 71, 71)/' schemas/all.pkt all_Subsets
# A search for a long code that does not end with the last symbol.
SEEDED=pkt_coder_bits.h EXTRA='-eva-auto-loop-unroll 12 -eva-slevel 5000 -eva-ilevel 128'
seed 's/symbol < k->last/symbol <= k->last/' tests/fuzz/libfuzzer/trained.pkt codes
# Reading coded deltas: a number that is wider than its table, a table with a symbol too many, an array with more
# elements than its bitmap has bits, a row behind the bits of its mask, a mask of a row with more bits than its table, a
# group too many in a mask; an element that the array does not have; a number of digits that is one too great.
CODERS=tests/prove/coders.pkt
SEEDED=coders.c EXTRA="-eva-partition-history 1 $MORE"
seed 's/-5, 300, 9/-5, 3000, 9/' $CODERS Coders_coded
seed 's/Aim_masks0_, 0,/Aim_masks0_, 64,/' $CODERS Coders_coded
seed 's/Aim_masks0_ = {5,/Aim_masks0_ = {6,/' $CODERS Coders_coded
seed 's/ 9, Part_angle_codes_words_/ 10, Part_angle_codes_words_/' $CODERS Coders_coded
seed 's/map_changed_, NULL, 20,/map_changed_, NULL, 200,/' $CODERS Coders_coded
seed 's/pkt_scan_of(map_changed_, 20)/pkt_scan_of(map_changed_, 21)/' $CODERS Coders_coded
SEEDED=pkt_coder.c
seed 's/g < k->groups; g++) {/g <= k->groups; g++) {/' $CODERS Coders_coded
SEEDED=pkt_coder_bits.h EXTRA=''
seed 's/pkt_high_bit(v | 1) + (v/pkt_high_bit(v | 1) + 1 + (v/' $CODERS numbers
# A blank value that is not initialized; a member with another member's tag; a ref without callbacks; the result of a
# callback.
SEEDED=all.c EXTRA=$BLANK
seed 's/memset(&blank_, 0, sizeof blank_);//; s/all_[A-Za-z]*_base(&blank_);//' schemas/all.pkt all_Refs_delta
SEEDED=all_codec.h EXTRA=$TAG UNION=all_Any
seed 's/PKT_CHOOSE(all_Any_tag_old)/PKT_CHOOSE(all_Any_tag_scalars)/' schemas/all.pkt all_Any
SEEDED=pkt_leaf.h EXTRA='' UNION=''
seed 's/id == 0 || !c->refs/id == 0/' schemas/all.pkt all_Refs
seed 's/c->refs->unknown++/c->refs[1].unknown++/' schemas/all.pkt all_Refs_refs

# A frame with too little room for its end check, when written, as words too, and when read; a CRC of a byte after the end.
SEEDED=pkt_frame.c EXTRA=$FRAMES
seed 's|bits / 64 \* 64 + 128 <= room|bits / 64 * 64 + 120 <= room|' schemas/mygame.pkt frames
seed 's/(packet->has_end_check ? 64 : 32)/(packet->has_end_check ? 56 : 32)/' schemas/mygame.pkt frames
SEEDED=pkt_stream_frame.c
seed 's/pkt_reader_bits_left(r) < PKT_END_BITS/pkt_reader_bits_left(r) < PKT_END_BITS - 1/' schemas/mygame.pkt frames
SEEDED=pkt_crc32.c
seed 's/size >= 8/size >= 7/' schemas/mygame.pkt crc
EXTRA=''

# Whole packets: names of parts that were not read; an end check that lacks 3 bits; an item that is explained without its
# room; the checksum of 3 bytes.
SEEDED=pkt_datagram.c
seed 's/!read(r, NULL, v))/(read(r, NULL, v), false))/' tests/roundtrip/datagram.pkt dg_Down_peek
EACH=1
SEEDED=pkt_frame.c
seed 's/left < 32 ||/left < 29 ||/' schemas/mygame.pkt ConnectDeny_packet
SEEDED=pkt_explain.c
seed 's/!pkt_explain_room(c, bits, field)/bits > 64/' schemas/mygame.pkt ConnectDeny_explain
SEEDED=pkt_upgrade.h RELEASES=tests/upgrade/releases
seed 's/if (size < 4)/if (size < 3)/' tests/upgrade/mygame.pkt ConnectDeny_versions
EACH='' EXTRA='' RELEASES='' SEEDED=''

# Bounds that are a bit, a byte and a word short.
"$here/short.sh" "$scratch"
take $?

# Contracts for every size, including those of texts and of coded deltas, which the proofs above assume.
[ -n "$APPLY" ] || "$here/contracts.sh" "$scratch"
take $?
# MISTAKE FILE WHAT [FUNCTION...]: a mistake in a file of the runtime, which the proof of these functions must notice.
seed_contract() {
    seed=$1
    file=$2
    what=$3
    shift 3
    mistakes=$((mistakes + 1))
    if ! sed "$seed" "$here/../../runtime/$file" >"$scratch/$file" ||
        cmp -s "$here/../../runtime/$file" "$scratch/$file"; then
        echo "'$seed' changes nothing" >&2
        status=1
    elif [ -z "$APPLY" ]; then
        ONLY=$* SOURCE=$scratch/$file "$here/contracts.sh" "$scratch" "$what" >"$scratch/seeded.log" 2>&1
        noticed $? "$what" "$seed"
    fi
}
# A byte after the end must be noticed, in a sequence and in a word.
seed_contract 's/left < 3 ||/left < 2 ||/' pkt_text.c texts
seed_contract 's/pkt_load64(s + size - 8)/pkt_load64(s + size - 7)/' pkt_text.c texts
# Coded deltas: a word whose last byte is not there; a run up to the end of the array; bits after a code that are not
# there; a long code that no symbol has; a number out of range; a fourth component; in a row, a difference from an old
# number out of range, a number out of range, and the number after the last one.
seed_contract 's/at + 8 <= c->limit/at + 7 <= c->limit/' pkt_coder_bits.h coded pkt_bits_ahead
seed_contract 's/run >= n - at/run > n - at/' pkt_coder_elements.c coded pkt_runs_get
seed_contract '/^PKT_INLINE bool pkt_rest_get/,/^}/s/c, bits)/c, 0)/' pkt_coder_bits.h coded pkt_rest_get
seed_contract 's/symbol < k->last/symbol <= k->last/' pkt_coder_bits.h coded pkt_long_symbol
seed_contract 's/old : span - old/old : span/' pkt_coder.c coded pkt_difference_get
seed_contract '/^static pkt_code pkt_quat_get_parts/,/^}/s/i < 3/i < 4/' pkt_coder.c coded pkt_quat_get_parts
seed_contract 's/distance(old <= k->span ? old : 0, now)/distance(old, now)/' pkt_coder_row.c coded pkt_row_get_plain
seed_contract '/^static bool pkt_row_get_coded/,/^}/s/pkt_over(now, k->span)/false/' pkt_coder_row.c coded pkt_row_get_coded
seed_contract 's/numbers\[i\].now = now/numbers[i + 1].now = now/' pkt_coder_row.c coded pkt_row_get_coded
[ -z "$APPLY" ] || [ $status != 0 ] || echo "[  PASSED  ] $mistakes test(s)."
exit $status
