#!/bin/sh
# cubes.sh - follows what `pktc report` advises about the cubes without delta steps, and compares the bytes with those of
# the steps in schemas/cubes.pkt, which were chosen by hand.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc CC=cc cubes.sh DIR TRACE     DIR may be deleted
set -u
dir=$1
trace=$2
here=$(cd "$(dirname "$0")" && pwd)
stream='Frame=DeltaHeader, State delta(DeltaHeader.sequence from DeltaHeader.sequence - DeltaHeader.baseline.back)'

fail() {
    echo "$1"
    echo '[  FAILED  ] 1 test(s)'
    exit 1
}

# Prints the bytes of all frames with this schema, and leaves the recording.
record() {
    made=$dir/$1
    "$PKTC" --capture -o "$made" "$made/cubes.pkt" &&
        ${CC:-cc} -O0 -w -DPKT_WITH_CAPTURE -I"$made" -o "$made/record" "$here/record_cubes.c" "$made"/cubes.c \
            "$made"/cubes_capture.c "$made"/pkt.c -lm &&
        "$made/record" "$trace" "$made/recording.pcapng"
}

rm -rf "$dir" && mkdir -p "$dir/hand" "$dir/none" "$dir/advice" || exit 1
cp schemas/cubes.pkt "$dir/hand"
sed 's/ delta<[0-9, ]*>//g' schemas/cubes.pkt >"$dir/none/cubes.pkt"
hand=$(record hand) && none=$(record none) || fail 'the cubes cannot be recorded'
"$PKTC" report --json --stream "$stream" "$dir/none/recording.pcapng" >"$dir/report.json" || fail 'no report'

# "x delta<9, 10>" for each line of advice about steps, in the declaration of Cube only.
sed -n 's/.*"kind": "steps", "field": "State.cubes\[\].\([a-z]*\)", "change": "\(delta<[0-9]*, [0-9]*>\)".*/\1 \2/p' \
    "$dir/report.json" >"$dir/steps"
cat "$dir/steps"
awk -v steps="$dir/steps" '
    BEGIN { while ((getline line < steps) > 0) { split(line, word, " "); sub(/^[a-z]* /, "", line); step[word[1]] = line } }
    /^struct Cube / { inside = 1 }
    inside { for (name in step) if (match($0, " " name "[,;]"))
        $0 = substr($0, 1, RSTART + RLENGTH - 2) " " step[name] substr($0, RSTART + RLENGTH - 1) }
    /^}/ { inside = 0 }
    { print }' "$dir/none/cubes.pkt" >"$dir/advice/cubes.pkt"
advice=$(record advice) || fail 'the schema with the advice does not compile'
echo "bytes without steps: $none; by hand: $hand; by the advice: $advice"

promised=$(sed -n 's/.*"kind": "steps".*"bits": \([0-9]*\)}.*/\1/p' "$dir/report.json" | awk '{ sum += $1 } END { print sum / 8 }')
saved=$((none - advice))
echo "promised: $promised bytes; saved: $saved"
[ "$(wc -l <"$dir/steps")" -eq 4 ] || fail 'there are not four pieces of advice about steps'
[ "$advice" -le "$hand" ] || fail 'the advice costs more bytes than the steps by hand'
# Each frame ends with a whole byte, so that the sum is not exact.
awk "BEGIN { exit !($promised - $saved < 600 && $saved - $promised < 600) }" || fail 'it saved another number of bytes'
echo '[  PASSED  ] 1 test(s).'
