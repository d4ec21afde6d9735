#!/bin/sh
# warnings.sh - checks that pktc and the runtime compile without warnings, with gcc and clang.
# SPDX-License-Identifier: MIT
#
# usage: CC=cc CFLAGS=-O2 BUILD=build warnings.sh COMPILER_FLAGS RUNTIME_FLAGS      from the top directory
#
# BUILD/obj has the objects of pktc, made by CC with CFLAGS, each with the messages of the compiler. If CC is gcc, and CFLAGS
# has -O2, these files are not compiled again. clang takes longer to start than to compile a file, so it compiles pktc.c of
# BUILD/dist, which has all of them but the programs of compiler/dist. There a local variable may have the name of what is
# private to another file, so it looks for no shadows: gcc does.
#
# Lists of words are split on purpose.
# shellcheck disable=SC2086
set -u
compiler_flags=$1
runtime_flags=$2
passed=0
failed=0
build=${BUILD:-build}

version() { "$@" --version 2>/dev/null | sed '1!d; s/^[^ ]* //'; }
case " ${CFLAGS:-} " in
*' -O2 '*) built_by=$(version ${CC:-cc}) ;;
*) built_by= ;;
esac

# COMPILER FILE FLAGS... gcc has warnings of its optimizers; clang has all of them before it optimizes.
compile() {
    how='-O2 -c -o /dev/null'
    [ "$1" = gcc ] || how=-fsyntax-only
    cc=$1
    file=$2
    shift 2
    messages=$build/obj/${file#"$build"/}
    messages=${messages%.c}.o.messages
    if [ "$cc" = gcc ] && [ "$built_by" = "$(version gcc)" ] && [ -e "$messages" ]; then
        cat "$messages"
        [ ! -s "$messages" ]
    else
        "$cc" "$@" -Werror $how "$file"
    fi
}

check() {
    if compile "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "with: $*"
    fi
}

for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    if [ $cc = gcc ]; then
        files="compiler/*.c compiler/*/*.c compiler/*/*/*.c $build/made/*.c" shadows=
    else
        files="compiler/dist/*.c $build/dist/pktc.c" shadows=-Wno-shadow
    fi
    for file in $files; do
        check $cc "$file" $compiler_flags $shadows
    done
    for file in runtime/*.c; do
        check $cc "$file" $runtime_flags
    done
done
echo "[  PASSED  ] $passed test(s)."
[ $failed = 0 ] || { echo "[  FAILED  ] $failed test(s)"; exit 1; }
