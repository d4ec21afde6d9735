#!/bin/sh
# format.sh - checks that all C files have the style of .clang-format; with --fix, formats them.
# SPDX-License-Identifier: MIT
#
# usage: format.sh [--fix]     from the top directory
#
# Versions of clang-format differ in details, so only version 14 is used.
set -u
how='--dry-run -Werror'
[ "${1-}" = --fix ] && how=-i

formatter=$(command -v clang-format-14 || command -v clang-format)
if ! { [ -n "$formatter" ] && "$formatter" --version | grep -q 'version 14\.'; }; then
    echo '[  SKIPPED ] the style of C files: clang-format 14 is not installed'
    exit 0
fi
# Except generated files and the article's code, which keeps its author's layout.
files=$(find compiler runtime tests schemas -name '*.[ch]' |
    grep -v '/golden/\|/article_\|/bench_article\|/corpus/' | sort)
# Lists of words are split on purpose.
# shellcheck disable=SC2086
if "$formatter" $how $files; then
    echo "[  PASSED  ] $(echo "$files" | wc -l) test(s)."
else
    echo '[  FAILED  ] 1 test(s); make format fixes them'
    exit 1
fi
