#!/bin/sh
# searchable.sh - checks that each name of the runtime in generated C can be found by searching for it, in
# compiler/emit and in runtime/, so that readers find what writes a line, and what it means.
# SPDX-License-Identifier: MIT
#
# usage: searchable.sh GOLDEN     from the top directory; GOLDEN has the files of all schemas of tests/emit/golden
#
# Except names made of a schema's names, for include guards.
names=$(cat "$1"/*/*.[ch] | grep -o '\<[Pp][Kk][Tt]_[A-Za-z0-9_]*' |
    grep -v '^PKT_GENERATED_\|^PKT_DELTA_OF_\|\.h$' | sort -u)
passed=0
failed=0
for name in $names; do
    missing=
    grep -qw "$name" compiler/emit/*.c || missing=compiler/emit
    grep -qw "$name" runtime/*.h || missing="$missing runtime"
    if [ -n "$missing" ]; then
        echo "$name is in generated C, but not in $missing"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done
echo "[  PASSED  ] $passed test(s)."
[ $failed = 0 ] || echo "[  FAILED  ] $failed test(s)"
[ $passed != 0 ] && [ $failed = 0 ]
