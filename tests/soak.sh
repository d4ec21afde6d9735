#!/bin/sh
# soak.sh - runs the long tests in turn, each time with another seed, until the time is up.
# SPDX-License-Identifier: MIT
#
# usage: MAKE=make TARGETS="..." soak.sh HOURS SEED DIR
#
# The row that has had the least of its share of the time runs next. A row that fails at once counts as a minute, so that
# it does not run all the time. DIR/slices has a line for each run that has ended: its number, row, seed, seconds, exit
# status and how much it did. A soak that was interrupted goes on from there. DIR/mutants has a line for each mistake that
# was tried, so that the next soak tries others. What a failed run has printed, its command, and the schemas and inputs that
# it has left are in DIR/found. TARGETS: those of `make fuzz`; each is a row. ROWS: only the
# rows of these names.
set -u
hours=$1 seed=$2 directory=$3
make=${MAKE:-make} targets=${TARGETS:-} slice=${SLICE:-120}
mkdir -p "$directory/found" || exit 1
touch "$directory/slices"
# Each run is a make of its own.
unset MAKEFLAGS MAKELEVEL MFLAGS

# The rows, and their shares of the time: that of fuzz is divided among its targets.
rows() {
    printf '%s\n' 'differential 60' 'held 10' 'dissect 10' 'together 8' 'upgrade-random 8' 'upgrade-serve-random 8' 'ranges 5' \
        'cross 10' 'load 10' 'prove 10' 'msan 5' 'valgrind 5' 'lsp-edits 5' 'mutate:runtime 8' 'mutate:generated 8' 'mutate:wire 8'
    count=$(echo "$targets" | wc -w)
    for target in $targets; do
        echo "fuzz:$target $((60 / count + 1))"
    done
}
rows | while read -r row share; do
    case " ${ROWS:-${row%%:*}} " in
    *" ${row%%:*} "*) echo "$row $share" ;;
    esac
done >"$directory/rows"
end=$(awk "BEGIN { printf \"%d\", $(date +%s) + 3600 * $hours }")

# What a row runs: about two minutes, or all of it if it cannot be divided.
command_of() {
    case $1 in
    differential) echo "$make differential SCHEMAS=20 CASES=3000 SEED=$2" ;;
    held) echo "$make held HELD=20000 HELD_SCHEMAS=2 SEED=$2" ;;
    together) echo "$make together CASES=3000 SEED=$2" ;;
    dissect) echo "$make dissect SCHEMAS=20 SEED=$2" ;;
    upgrade-*) echo "$make test-$1 AGAIN=1 PAIRS=20 SEED=$2" ;;
    ranges) echo "$make ranges RANGES=1000 SEED=$2" ;;
    lsp-edits) echo "$make lsp-edits EDITS=2000 SEED=$2" ;;
    prove) echo "$make prove PROVE_TIME=$((5 * slice))" ;;
    load) echo "$make load SECONDS=$slice" ;;
    fuzz:*) echo "$make fuzz TIME=$slice SEED=$2 TARGET=${1#*:}" ;;
    mutate:*) echo "$make mutate SAMPLE=8 SEED=$2 MUTATED=${1#*:} LEDGER=$directory/mutants" ;;
    *) echo "$make $1 SEED=$2" ;;
    esac
}

next_row() {
    awk '
        FILENAME == ARGV[1] { used[$2] += $4 < 60 && $5 != 0 ? 60 : $4; next }
        name == "" || used[$1] / $2 < least { least = used[$1] / $2; name = $1 }
        END { print name }' "$directory/slices" "$directory/rows"
}

# How much a run did: its packets, datagrams, inputs, mutants, ranges or proofs, as far as it says so; otherwise the tests
# that have passed.
amount_of() {
    awk '
        {
            gsub(/,/, "")
            for (i = 2; i <= NF; i++)
                if ($i ~ /^(packets|datagrams|inputs|hashes)[:;]?$/ && $(i - 1) ~ /^[0-9]+$/ || $i == "random" && $(i - 1) ~ /^[0-9]+$/)
                    sum += $(i - 1)
        }
        /^(proved|noticed): / && !/, before$/ { sum++ }
        /^[0-9]+ mistakes tried / { sum += $1 }
        match($0, /\[  PASSED  \] [0-9]+ test/) { passed += substr($0, RSTART + 13) }
        END { print sum ? sum : passed + 0 }' "$1"
}

summary() {
    awk '
        { runs[$2]++; seconds[$2] += $4; amount[$2] += $6; if ($5 == "stopped") stopped[$2]++; else found[$2] += $5 != 0 }
        END {
            for (row in runs)
                printf "%-50s %4d runs %7d s %10d done %4d failed %3d stopped\n", row, runs[row], seconds[row],
                    amount[row], found[row], stopped[row]
        }' "$directory/slices" | sort
}

# The process group of a run, so that all of it ends with the soak.
running=
trap '[ -z "$running" ] || kill -- "-$running" 2>/dev/null; summary; exit 130' INT TERM
number=$(wc -l <"$directory/slices")
while [ "$(date +%s)" -lt "$end" ]; do
    number=$((number + 1)) row=$(next_row)
    run=$(command_of "$row" $((seed + number)))
    file=$number-$(echo "$row" | tr ':/' '--')
    log=$directory/$file.log start=$(date +%s) minute=0 status=
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
    echo "$number $row $((seed + number)) $(($(date +%s) - start)) $status $(amount_of "$log")" >>"$directory/slices"
    case $status in
    0) rm -f "$log" ;;
    stopped) ;;
    *)
        kept=$directory/found/$file
        mkdir -p "$kept"
        mv "$log" "$kept/output"
        echo "$run" >"$kept/command"
        find "${B:-build}" -newermt "@$start" \( -name 'differs-*' -o -name 'crash-*' -o -name 'leak-*' -o -name 'timeout-*' \
            -o -name 'oom-*' \) -exec cp {} "$kept" \;
        echo "$(date +%H:%M) $number: $row FAILED; see $kept" ;;
    esac
done
summary
! grep -q '^[^ ]* [^ ]* [^ ]* [^ ]* [1-9]' "$directory/slices"
