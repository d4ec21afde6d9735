#!/bin/sh
# load.sh - plays the example for long, with the address sanitizer: 64 clients, losses, and others that come and go.
# SPDX-License-Identifier: MIT
#
# usage: CC=cc load.sh DIR SCRATCH SECONDS     DIR has what `make example` builds
#
# The server and its clients begin again every ten minutes: 48 clients of this release and 8 of each of two older ones, on a
# network that loses a tenth of all datagrams and delivers others late, twice or damaged. Meanwhile 8 more clients come,
# play for some seconds, leave, and come again. It fails if a hash is wrong or an event is missing, if a client has seen
# less than half of the snapshots that were sent to it, if the memory of the server or of the clients grows after the first
# fifth of a round, or the first 30 seconds, or if a sanitizer finds anything.
set -u
dir=$(cd "$1" && pwd)
scratch=$2
seconds=$3
example=$(cd "$(dirname "$0")/../../schemas/example" && pwd)
flags="-std=gnu99 -g1 -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -Dalways_inline=__unused__"
# Freed memory must not look like growth.
export ASAN_OPTIONS=quarantine_size_mb=1
rm -rf "$scratch"
mkdir -p "$scratch" || exit 1
scratch=$(cd "$scratch" && pwd)

# PROGRAM GENERATED SOURCE...: compiles the sources of the example, and all that was generated.
build() {
    program=$1 generated=$2
    shift 2
    (cd "$example" && ${CC:-cc} $flags -w -I. -I"$generated" -o "$scratch/$program" "$@" udp.c \
        "$generated"/*.c -lm)
}
# Lists of words are split on purpose.
# shellcheck disable=SC2086
build server "$dir/generated" server.c host.c admission.c numbers.c recorder.c snapshots.c world.c || exit 1
build bots "$dir/generated" bots.c client.c || exit 1
for old in "$dir"/bots_v[0-9].made; do
    [ -d "$old" ] || continue
    # As the release has it, without what only newer ones have.
    build "$(basename "$old" .made)" "$old" bots.c client.c || exit 1
done

# The memory of a program in KB.
memory_of() {
    awk '/^VmRSS/ { print $2 }' "/proc/$1/status" 2>/dev/null
}

# Notes the memory of all programs of this directory, until there is none.
watch_memory() {
    while sleep 2; do
        running=
        for program in server bots bots_v6 bots_v7; do
            for pid in $(pgrep -f "^$scratch/$program "); do
                running=1
                echo "$(date +%s) $program-$pid $(memory_of "$pid")" >>"$scratch/memory"
            done
        done
        [ "$running" ] || [ ! -e "$scratch/playing" ] || continue
        [ -e "$scratch/playing" ] || break
    done
}

# 8 clients that come, play for some seconds, and leave.
guests() {
    number=0
    while [ -e "$scratch/playing" ]; do
        sleep 3
        port=$(awk '/^listening/ { print $4 }' "$scratch/server.out" 2>/dev/null)
        [ "$port" ] && [ -e "$scratch/playing" ] || continue
        number=$((number + 1))
        "$scratch/bots" "$port" --bots 8 --seconds 8 --seed $((100 + number)) --loss 0.1 --log "$scratch/guests-$number.log" \
            >"$scratch/guests-$number.out" 2>&1 || echo "guests $number" >>"$scratch/failed"
    done
}

status=0 left=$seconds round=0
while [ "$left" -gt 0 ]; do
    length=$((left > 600 ? 600 : left))
    left=$((left - length)) round=$((round + 1))
    rm -f "$scratch"/guests-* "$scratch/memory" "$scratch/failed" "$scratch/server.out"
    : >"$scratch/playing"
    watch_memory &
    watcher=$!
    guests &
    guests=$!
    (sleep $((length > 20 ? length - 14 : 0)) && rm -f "$scratch/playing") &
    "$example/run.sh" "$scratch" "$length" --loss 0.1 >"$scratch/played" 2>&1 || { cat "$scratch/played"; status=1; }
    rm -f "$scratch/playing"
    wait "$guests" "$watcher"
    [ ! -e "$scratch/failed" ] || { cat "$scratch/failed" "$scratch"/guests-*.out; status=1; }

    # What the guests have seen, and how much of it.
    awk -f "$example/compare.awk" "$scratch/server.log" "$scratch"/guests-*.log >"$scratch/compared" || status=1
    awk '
        $2 != "snapshot" { next }
        FILENAME ~ /server.log$/ { sent[$1]++; next }
        { seen[$1]++ }
        END {
            for (s in sent)
                if (sent[s] >= 60 && seen[s] < 0.5 * sent[s] && (s in seen))
                    behind++
            for (s in seen)
                clients++
            print (behind ? "  NO: " : "  yes: ") clients - behind " of " clients " clients have seen half of their snapshots, or more"
            exit behind > 0
        }' "$scratch/server.log" "$scratch"/bots*.log "$scratch"/guests-*.log >>"$scratch/compared" || status=1
    awk -v length_="$length" '
        !($2 in first) { first[$2] = $1 }
        $1 - first[$2] < length_ / 5 || $1 - first[$2] < 30 { early[$2] = $3 > early[$2] ? $3 : early[$2]; next }
        $3 > late[$2] { late[$2] = $3 }
        END {
            for (p in late)
                if (late[p] > early[p] * 1.05 + 512) {
                    grown++
                    print "  NO: " p " has grown from " early[p] " KB to " late[p] " KB"
                } else
                    printf "  yes: %s had %d KB at first, and then at most %d\n", p, early[p], late[p]
            exit grown > 0
        }' "$scratch/memory" >>"$scratch/compared" || status=1
    rm -f "$scratch/match.pcapng"
    echo "round $round, $length s:"
    grep 'hashes of\|events have' "$scratch/played"
    cat "$scratch/compared"
done
[ $status = 0 ] && echo "[  PASSED  ] $round test(s)."
exit $status
