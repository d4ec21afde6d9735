# compared.sh - for scripts that compare texts; they source it.
# SPDX-License-Identifier: MIT

passed=0 failed=0

# check WHAT TEXT EXPECTED
check() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        echo "$1: expected '$3', not '$2'"
        failed=$((failed + 1))
    fi
}

finish() {
    echo "[  PASSED  ] $passed test(s)."
    [ $failed = 0 ] || { echo "[  FAILED  ] $failed test(s)"; exit 1; }
}
