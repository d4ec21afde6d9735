#!/bin/sh
# format.sh - every C file has the one style, that of .clang-format; with --fix, gives it to them.
# SPDX-License-Identifier: MIT
#
# usage: format.sh [--fix]     from the top directory
#
# Versions of clang-format differ in details, so only version 14 judges.
set -u
how='--dry-run -Werror'
[ "${1-}" = --fix ] && how=-i

formatter=$(command -v clang-format-14 || command -v clang-format)
if ! { [ -n "$formatter" ] && "$formatter" --version | grep -q 'version 14\.'; }; then
    echo '[  SKIPPED ] the style of C files: clang-format 14 is not installed'
    exit 0
fi
# Not ours: what pktc generated, and the article's code, which keeps its author's layout.
files=$(find compiler runtime tests schemas -name '*.[ch]' | grep -v '/golden/\|/article_\|/bench_article\|/corpus/' | sort)
# Lists of words are split where they are used.
# shellcheck disable=SC2086
if "$formatter" $how $files; then
    echo "[  PASSED  ] $(echo "$files" | wc -l) test(s)."
else
    echo '[  FAILED  ] 1 test(s); make format mends them'
    exit 1
fi
