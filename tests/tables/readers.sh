#!/bin/sh
# readers.sh - compares the tables of recordings with what decode prints, as other programs read them.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc [FEW=build/few/pktc] RECORD=build/record_random NPM=build/tables readers.sh [--refresh] SCRATCH SEED CASES COUNT [FILE.pkt...]
#
# FEW: a pktc whose pages, groups of rows and files end after a few rows; it writes the tables of every second recording.
# Then it asks DuckDB the questions of docs/tables.md, and draws its picture; --refresh rewrites both. COUNT random schemas and the FILEs, with random values: see record_random.c. NPM: a folder in which npm has installed the
# readers of package.json; it is made if it is missing.
set -u
refresh=
[ "$1" != --refresh ] || { refresh=$1 && shift; }
scratch=$1 seed=$2 cases=$3 count=$4
shift 4
for tool in node npm; do
    .ci/need $tool >/dev/null 2>&1 || { echo "[  SKIPPED ] tables: there is no $tool"; exit 0; }
done
rm -rf "$scratch" && mkdir -p "$scratch" "$NPM" || exit 1
if ! cmp -s tests/tables/package-lock.json "$NPM/package-lock.json" || [ ! -e "$NPM/installed" ]; then
    cp tests/tables/package.json tests/tables/package-lock.json "$NPM"
    if ! (cd "$NPM" && npm_config_fetch_retries=1 timeout 200 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) \
        >"$scratch/npm" 2>&1; then
        tail -n 3 "$scratch/npm"
        echo '[  SKIPPED ] tables: npm cannot fetch the readers'
        exit 0
    fi
    touch "$NPM/installed"
fi
"$RECORD" "$seed" "$cases" "$scratch" "$count" "$@" || { echo '[  FAILED  ] 1 test(s)'; exit 1; }
wrong() {
    echo "schema $number of seed $seed: $1"
    echo '[  FAILED  ] 1 test(s)'
    exit 1
}
number=0
all=
until [ ! -e "$scratch/$number.pcap" ]; do
    schema=$scratch/$number.pkt
    if [ "$number" -ge "$count" ]; then
        schema=$1
        shift
    fi
    writer=$PKTC
    [ $((number % 2)) = 0 ] || writer=${FEW:-$PKTC}
    for changes in '' --changes; do
        [ "$changes" = '' ] || [ -s "$scratch/$number.streams" ] || continue
        folder=$scratch/$number$changes
        mkdir "$folder"
        cp "$scratch/$number.streams" "$folder/streams"
        [ "$changes" = '' ] || touch "$folder/changes"
        (
            set -- $changes
            while IFS= read -r list; do set -- "$@" --stream "$list"; done <"$folder/streams"
            "$PKTC" describe "$schema" >"$folder/schema.json" && "$PKTC" --projection "$schema" >"$folder/projection" &&
                "$writer" table "$@" -o "$folder/tables" "$schema" "$scratch/$number.pcap" >"$folder/rows"
        ) 2>"$folder/messages" || wrong "$(tail -n 3 "$folder/messages")"
        (
            set --
            while IFS= read -r list; do set -- "$@" --stream "$list"; done <"$folder/streams"
            "$PKTC" decode "$@" "$schema" "$scratch/$number.pcap" >"$folder/lines"
        ) 2>"$folder/messages" || wrong "$(tail -n 3 "$folder/messages")"
        echo "$scratch/$number.pcap" >"$folder/path"
        (cd "$folder/tables" && find . -name "*$number.pcap.parquet" -exec basename {} .parquet \; | sort -u) >"$folder/name"
        all="$all $folder"
    done
    number=$((number + 1))
done
# shellcheck disable=SC2086
node tests/tables/compare.mjs "$NPM" "${READERS:-hyparquet,duckdb,arrow}" $all || exit 1

# The questions of docs/tables.md.
match=$scratch/match
mkdir "$match" && awk '/^```pkt match.pkt/ { inside = 1; next } /^```/ { inside = 0 } inside' docs/tables.md >"$match/match.pkt"
"$PKTC" --capture -o "$match" "$match/match.pkt" &&
    ${CC:-cc} -O1 -w -DPKT_WITH_CAPTURE -I"$match" -o "$match/record" tests/tables/record_match.c "$match"/match.c \
        "$match"/match_capture.c "$match"/pkt.c -lm &&
    (cd "$match" && ./record match.pcapng) && "$PKTC" table -o "$match/tables" "$match/match.pcapng" >"$match/rows" ||
    { echo '[  FAILED  ] 1 test(s)'; exit 1; }
"$PKTC" decode "$match/match.pcapng" >"$match/lines"
tests/pictures.sh tables "$match/lines" >"$match/tables.svg"
[ "$refresh" = '' ] || cp "$match/tables.svg" docs/images
diff docs/images/tables.svg "$match/tables.svg" || { echo '[  FAILED  ] 1 test(s)'; exit 1; }
npm=$(cd "$NPM" && pwd) top=$PWD
cd "$match" && node "$top/tests/tables/docs.mjs" "$npm" "$top/docs/tables.md" $refresh
