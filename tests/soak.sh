#!/bin/sh
# soak.sh - runs the long tests in turn, each time with another seed, until the time is up.
# SPDX-License-Identifier: MIT
#
# usage: MAKE=make soak.sh HOURS SEED DIR
#
# The row that has had the least of its share of the time runs next. DIR/slices has a line for each run that has ended:
# its number, row, seed, seconds and exit status. A soak that was interrupted goes on from there. What a failed run has
# printed, its command, and the schemas and inputs that it has left are in DIR/found.
set -u
hours=$1 seed=$2 directory=$3
make=${MAKE:-make}
end=$(awk "BEGIN { printf \"%d\", $(date +%s) + 3600 * $hours }")
mkdir -p "$directory/found" || exit 1
touch "$directory/slices"

# The rows, and their shares of the time.
rows='differential:6 fuzz:4 cross:1 mutate:2 prove:1'

# What a row runs: some minutes, or all of it if it cannot be divided.
command_of() {
    case $1 in
    differential) echo "$make differential SCHEMAS=20 CASES=3000 SEED=$2" ;;
    fuzz) echo "$make fuzz TIME=20" ;;
    mutate) echo "$make mutate SAMPLE=4 SEED=$2" ;;
    *) echo "$make $1" ;;
    esac
}

next_row() {
    awk -v rows="$rows" '
        { used[$2] += $4 }
        END {
            count = split(rows, row, " ")
            for (i = 1; i <= count; i++) {
                split(row[i], part, ":")
                if (i == 1 || used[part[1]] / part[2] < least) {
                    least = used[part[1]] / part[2]
                    name = part[1]
                }
            }
            print name
        }' "$directory/slices"
}

summary() {
    awk '
        { runs[$2]++; seconds[$2] += $4; if ($5 == "stopped") stopped[$2]++; else found[$2] += $5 != 0 }
        END {
            for (row in runs)
                printf "%-14s %4d runs %8d s %4d failed %3d stopped\n", row, runs[row], seconds[row], found[row], stopped[row]
        }' "$directory/slices" | sort
}

# The process group of a run, so that all of it ends with the soak.
running=
trap '[ -z "$running" ] || kill -- "-$running" 2>/dev/null; summary; exit 130' INT TERM
number=$(wc -l <"$directory/slices")
while [ "$(date +%s)" -lt "$end" ]; do
    number=$((number + 1)) row=$(next_row)
    run=$(command_of "$row" $((seed + number)))
    log=$directory/$number-$row.log start=$(date +%s) minute=0 status=
    echo "$(date +%H:%M) $number: $run"
    setsid sh -c "$run" >"$log" 2>&1 &
    running=$!
    while kill -0 "$running" 2>/dev/null; do
        sleep 1
        now=$(date +%s)
        if [ "$now" -ge "$end" ]; then
            kill -- "-$running" 2>/dev/null
            status=stopped
        elif [ $((now - start)) -ge $((60 * (minute + 1))) ]; then
            minute=$((minute + 1))
            echo "$(date +%H:%M) $number: $row, $minute min, $(((end - now) / 60)) min left"
        fi
    done
    wait "$running" 2>/dev/null
    status=${status:-$?}
    running=
    echo "$number $row $((seed + number)) $(($(date +%s) - start)) $status" >>"$directory/slices"
    case $status in
    0) rm -f "$log" ;;
    stopped) ;;
    *)
        kept=$directory/found/$number-$row
        mkdir -p "$kept"
        mv "$log" "$kept/output"
        echo "$run" >"$kept/command"
        find "${B:-build}" -newermt "@$start" \( -name 'differs-*' -o -name 'crash-*' -o -name 'leak-*' -o -name 'timeout-*' \) \
            -exec cp {} "$kept" \;
        echo "$(date +%H:%M) $number: $row FAILED; see $kept" ;;
    esac
done
summary
! grep -q '^[^ ]* [^ ]* [^ ]* [^ ]* [1-9]' "$directory/slices"
