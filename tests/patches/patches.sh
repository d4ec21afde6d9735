#!/bin/sh
# patches.sh - counts the files that a new kind of number, and a new attribute of a field, have to touch, and tests pktc
# with both.
# SPDX-License-Identifier: MIT
#
# usage: patches.sh count SCRATCH           applies the patches to copies of the files that they change, and counts
#        MAKE=make patches.sh whole SCRATCH   applies them to a copy of everything; `make check` passes there, and the bytes of the
#                                           new number are those of its vectors, in generated C, in the codec and in tshark
#
# bfloat.patch adds the upper half of a float as a type, secret.patch an attribute that the wire does not see. A patch may
# change so many files of compiler/ and runtime/ (docs/hacking.md, "To add a type").
set -u
extent=$1
scratch=$2
here=tests/patches
failed=0
rm -rf "$scratch" && mkdir -p "$scratch" || exit 1
scratch=$(cd "$scratch" && pwd)

changed_by() { sed -n 's|^+++ b/\([^	]*\).*|\1|p' "$here/$1.patch"; }

check() {
    if [ "$1" = 0 ]; then
        echo "[  PASSED  ] 1 test(s)."
    else
        failed=1
        echo "$2"
        echo "[  FAILED  ] 1 test(s)"
    fi
}

apply() {
    patch -d "$scratch" -p1 -s -f --no-backup-if-mismatch <"$here/$1.patch" >"$scratch/$1.log" 2>&1
    check $? "$(cat "$scratch/$1.log")
$here/$1.patch does not apply any more. To refresh it: patch -p1 <$here/$1.patch; make the changes of the *.rej files by hand,
and those that the compiler asks for; git add -AN; git diff -U2 >$1.new; git checkout .; mv $1.new $here/$1.patch; make test-patched"
}

count() {
    files=$(changed_by "$1" | grep -c '^compiler/\|^runtime/')
    echo "$1: $files files of compiler and runtime, at most $2"
    [ "$files" -le "$2" ]
    check $? "$(changed_by "$1" | grep '^compiler/\|^runtime/')"
}

if [ "$extent" = count ]; then
    for file in $(changed_by bfloat) $(changed_by secret); do
        [ ! -f "$file" ] || { mkdir -p "$scratch/$(dirname "$file")" && cp "$file" "$scratch/$file"; } || exit 1
    done
else
    for each in * .ci .clang-format; do
        [ "$each" = build ] || cp -R "$each" "$scratch/$each" || exit 1
    done
fi
apply bfloat
apply secret
count bfloat 12
count secret 8
[ "$extent" = whole ] && [ $failed = 0 ] || exit $failed

# `tree-sitter generate` would make parser.c anew. Without that it has the new words only for the test that looks for them.
cd "$scratch" || exit 1
echo '/* bfloat secret */' >>share/editors/tree-sitter/src/parser.c

run() {
    "$@" >"$scratch/log" 2>&1
    check $? "$*
$(tail -n 40 "$scratch/log")"
}
unset MAKEFLAGS MAKELEVEL
run "$MAKE" B=build check
run "$MAKE" B=build vectors FILE=tests/data/bfloat.jsonl
run "$MAKE" B=build build/differential build/dissect
run tests/fuzz/run.sh sample build/differential build/fuzz --schemas 4 --cases 200
if command -v tshark >/dev/null; then
    mkdir dissected && run env PKTC=build/pktc build/dissect --seed 1 --cases 1 --schemas 1 dissected tests/data/bfloat.jsonl
fi
exit $failed
