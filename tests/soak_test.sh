#!/bin/sh
# soak_test.sh - soaks for a few seconds with a make that does nothing, and with one that fails.
# SPDX-License-Identifier: MIT
#
# usage: soak_test.sh SCRATCH     from the top directory
set -u
scratch=$1
rm -rf "$scratch"
. tests/compared.sh
soak() { MAKE=$1 TARGETS=glue ROWS='differential fuzz' B=$scratch tests/soak.sh 0.001 "$2" "$scratch/$1"; }

soak true 100 >"$scratch.output"
check 'a soak without a mistake' $? 0
first=$(wc -l <"$scratch/true/slices")
soak true 200 >>"$scratch.output"
check 'each run has a row' "$(cut -d' ' -f2 "$scratch/true/slices" | sort -u | tr '\n' ,)" 'differential,fuzz:glue,'
check 'the second soak goes on' "$(sed -n $((first + 1))p "$scratch/true/slices" | cut -d' ' -f1)" $((first + 1))

soak false 100 >"$scratch.output"
check 'a soak with mistakes' $? 1
check 'what failed is kept' "$(cat "$scratch/false/found/1-differential/command")" \
    'false differential SCHEMAS=20 CASES=3000 SEED=101'

printf '#!/bin/sh\necho "$@" >>%s/commands\necho "20 mistakes tried, 1,060 of 3,422 with those of earlier runs"\n' \
    "$scratch" >"$scratch/tries"
chmod +x "$scratch/tries"
MAKE=$scratch/tries ROWS=mutate B=$scratch tests/soak.sh 0.001 100 "$scratch/mistakes" >"$scratch.output"
check 'the mistakes of the run count' "$(head -n 1 "$scratch/mistakes/slices" | cut -d' ' -f2,6)" 'mutate:runtime 20'
check 'all runs have one ledger' "$(sed 's/.* LEDGER=//' "$scratch/commands" | sort -u)" "$scratch/mistakes/mutants"

# says NAME LINE AMOUNT: a make that prints a line has done so much of the row NAME
says() {
    printf '#!/bin/sh\necho "$*" >>%s\necho "%s"\nsleep 0.2\n' "$scratch/asked" "$2" >"$scratch/make"
    chmod +x "$scratch/make"
    rm -rf "$scratch/said"
    MAKE=$scratch/make ROWS=$1 B=$scratch tests/soak.sh 0.0006 100 "$scratch/said" >"$scratch.output"
    check "$1 says how much it did" "$(sed -n 1p "$scratch/said/slices" | cut -d' ' -f2,6)" "$1 $3"
}
says dissect '3480 datagrams: 1744 refused; 491690 values and 24 differences of single items' 3480
says upgrade-random 'upgrade-random 12 s: [  PASSED  ] 20 test(s).' 20
says upgrade-serve-random '[  PASSED  ] 20 test(s).' 20
says valgrind '[  PASSED  ] 14 test(s).' 14
says msan '[  PASSED  ] 15 test(s).' 15
check 'what the rows run first' "$(grep -F SEED=101 "$scratch/asked" | sort -u | tr '\n' ,)" 'dissect SCHEMAS=20 SEED=101,'\
'msan SEED=101,test-upgrade-random AGAIN=1 PAIRS=20 SEED=101,test-upgrade-serve-random AGAIN=1 PAIRS=20 SEED=101,valgrind SEED=101,'

finish
