#!/bin/sh
# passed_test.sh - what has passed is not run again with the same content, and is with any other.
# SPDX-License-Identifier: MIT
#
# usage: passed_test.sh SCRATCH     from the top directory
set -u
scratch=$1
. tests/compared.sh
rm -rf "$scratch" && mkdir -p "$scratch/read" "$scratch/beside" && export BUILD="$scratch" READS="$scratch/read" AGAIN='' TRACE='' || exit 1

# A test that counts its runs, reads a file, and fails if it says so.
cat >"$scratch/test" <<'END'
#!/bin/sh
echo run >>"${0%/*}/runs"
cat "$1"
! grep -q wrong "$1" && echo '[  SKIPPED ] half: no tool' && echo '[  PASSED  ] 3 test(s).'
END
chmod +x "$scratch/test"
run() { tests/report run "$scratch/log/part.log" "$scratch/test" "$@" | sed 's/, [0-9]* s:/, N s:/' | grep '^part' | tr '\n' ' '; }
runs() { wc -l <"$scratch/runs"; }
total() { tests/report total "$scratch/log/part.log"; }
file=$scratch/read/file
first='part, N s: [  SKIPPED ] half: no tool part, N s: [  PASSED  ] 3 test(s). '
before='part, before: [  SKIPPED ] half: no tool part, before: [  PASSED  ] 3 test(s). '

echo right >"$file"
check 'a first run' "$(run "$file")" "$first"
check 'a second run' "$(run "$file")" "$before"
check 'runs until then' "$(runs)" 1
check 'the total names what is skipped, and what passed before' "$(total)" \
    'total: 3 tests passed, 0 failed; 1 of 1 test programs passed, 1 of them before; skipped in part: half: no tool'
check 'another argument' "$(run "$file" other)" "$first"
check 'another variable' "$(PKT_SEED=7 run "$file")" "$first"
check 'another variable of make' "$(GIVEN='CFLAGS=-O0' run "$file")" "$first"
check 'another variable that no test sees' "$(COLUMNS=7 run "$file")" "$before"
echo also >>"$file"
check 'another file' "$(run "$file")" "$first"
touch "$scratch/read/new"
check 'one more file' "$(run "$file")" "$first"
check 'AGAIN' "$(AGAIN=1 run "$file")" "$first"
rm "$scratch/read/new"
check 'what was there once' "$(run "$file")" "$before"
echo wrong >>"$file"
check 'a failure' "$(run "$file")" 'part: FAILED with status 1 '
check 'a failure again' "$(run "$file")" 'part: FAILED with status 1 '
total >/dev/null
check 'the total of a failure' $? 1
check 'runs in all' "$(runs)" 9

# What passed, and then fails with the same content, has not passed.
echo wrong >"$scratch/beside/file"
echo right >"$file"
printf '#!/bin/sh\n[ ! -e "%s" ] && echo "[  PASSED  ] 1 test(s)."\n' "$scratch/fails" >"$scratch/test"
check 'before it fails' "$(run)" 'part, N s: [  PASSED  ] 1 test(s). '
touch "$scratch/fails"
check 'as it was' "$(run)" 'part, before: [  PASSED  ] 1 test(s). '
check 'when it fails' "$(AGAIN=1 run)" 'part: FAILED with status 1 '
check 'after it failed' "$(run)" 'part: FAILED with status 1 '

if command -v strace >/dev/null; then
    printf '#!/bin/sh\ncat "%s" "%s" && echo "[  PASSED  ] 1 test(s)."\n' "$file" "$scratch/beside/file" >"$scratch/test"
    check 'a file that it is not said to read' "$(TRACE=1 READS="$scratch/read $scratch/test" run)" 'part: FAILED with status 1 '
    check 'its name' "$(grep ^opens "$scratch/log/part.log")" "opens $scratch/beside/file, which is not among what it reads"
    check 'the same, if it is said to' "$(TRACE=1 READS="$scratch/read $scratch/test $scratch/beside" run)" 'part, N s: [  PASSED  ] 1 test(s). '
else
    echo '[  SKIPPED ] what a test opens: no strace'
fi
finish
