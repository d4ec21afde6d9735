#!/bin/sh
# format.sh - checks that all C files have the style of .clang-format, and that conditions ask pointers without NULL; with
# --fix, formats them.
# SPDX-License-Identifier: MIT
#
# usage: format.sh --fix | STAMP     from the top directory
#
# STAMP is as old as the last time that all files were right: those older than it are not read again. Versions of
# clang-format differ in details, so only version 14 is used.
set -u
stamp=$1

# `if (p)` and not `if (p != NULL)`: only where the truth of a pointer is a value is it compared. In emit/ and emit_*.c such a line may be
# a template, which is C of its own.
compared='(if|while) \(.*[!=]= NULL|[!=]= NULL (&&|\|\||\?)|(&&|\|\|) [^;]*[!=]= NULL[;)]'
if grep -rnE --include='*.[ch]' --exclude-dir=emit --exclude='emit_*.c' --exclude-dir=dist "$compared" compiler; then
    echo '[  FAILED  ] 1 test(s): a condition compares a pointer with NULL'
    exit 1
fi

formatter=$(command -v clang-format-14 || command -v clang-format)
if ! { [ -n "$formatter" ] && "$formatter" --version | grep -q 'version 14\.'; }; then
    echo '[  SKIPPED ] the style of C files: clang-format 14 is not installed'
    exit 0
fi
# Except generated files and the article's code, which keeps its author's layout.
files=$(find compiler runtime tests schemas share/web -name '*.[ch]' |
    grep -v '/golden/\|/article_\|/corpus/' | sort)
count=$(echo "$files" | wc -l)
if [ "$stamp" -nt .clang-format ]; then
    # shellcheck disable=SC2086
    files=$(find $files -newer "$stamp")
fi
# Lists of words are split on purpose.
# shellcheck disable=SC2086
if [ "$stamp" = --fix ]; then
    "$formatter" -i $files
    exit
fi
touch "$stamp.new"
# shellcheck disable=SC2086
if [ -z "$files" ] || "$formatter" --dry-run -Werror $files; then
    mv "$stamp.new" "$stamp"
    echo "[  PASSED  ] $count test(s)."
else
    echo '[  FAILED  ] 1 test(s); make format fixes them'
    exit 1
fi
