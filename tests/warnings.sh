#!/bin/sh
# warnings.sh - the compiler and the runtime compile without a warning, with each C compiler there is.
# SPDX-License-Identifier: MIT
#
# usage: warnings.sh COMPILER_FLAGS RUNTIME_FLAGS      from the top directory, after the lexer and the parser were made
# Lists of words are split where they are used.
# shellcheck disable=SC2086
set -u
compiler_flags=$1
runtime_flags=$2
passed=0
failed=0

check() {
    if "$@" -Werror -O2 -c -o /dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "with: $*"
    fi
}

for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    for file in compiler/*.c compiler/*/*.c "${BUILD:-build}"/made/*.c; do
        check $cc $compiler_flags "$file"
    done
    for file in runtime/*.c; do
        check $cc $runtime_flags "$file"
    done
done
echo "[  PASSED  ] $passed test(s)."
[ $failed = 0 ] || { echo "[  FAILED  ] $failed test(s)"; exit 1; }
