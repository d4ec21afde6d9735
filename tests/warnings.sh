#!/bin/sh
# warnings.sh - checks that pktc and the runtime compile without warnings, with gcc and clang.
# SPDX-License-Identifier: MIT
#
# usage: warnings.sh COMPILER_FLAGS RUNTIME_FLAGS      from the top directory; needs the generated lexer and parser
# Lists of words are split on purpose.
# shellcheck disable=SC2086
set -u
compiler_flags=$1
runtime_flags=$2
passed=0
failed=0

# gcc has warnings of its optimizers; clang has all of them before it optimizes.
check() {
    how='-O2 -c -o /dev/null'
    [ "$1" = gcc ] || how=-fsyntax-only
    if "$@" -Werror $how; then
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
