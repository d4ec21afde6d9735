#!/bin/sh
# run.sh - holds what generated code makes of packets of older versions to what pktc convert makes of them.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=pktc CC=cc run.sh UPGRADE_CASES SCRATCH pairs                      the pairs of tests/diff
#        PKTC=pktc CC=cc run.sh UPGRADE_CASES SCRATCH releases DIR FILE.pkt      the releases in DIR, with sanitizers
set -eu
cases=$1
scratch=$2
how=$3
shift 3
flags='-std=c99 -Itests -w -O0'
sanitize=
rm -rf "$scratch"
mkdir -p "$scratch/old" "$scratch/new"
if [ "$how" = pairs ]; then
    "$cases" "$scratch" pairs tests/diff/*.cases
    "$PKTC" archive "$scratch/releases" "$scratch"/old/*.pkt >/dev/null
    "$PKTC" --upgrade "$scratch/releases" -o "$scratch" "$scratch"/new/*.pkt
    # It takes a third of the time of gcc here.
    if command -v clang >/dev/null; then CC=clang; fi
else
    "$cases" "$scratch" releases "$@"
    "$PKTC" --upgrade "$1" -o "$scratch" "$2"
    sanitize='-g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'
fi
# Only what reads older versions is sanitized: the rest is in other tests.
# shellcheck disable=SC2086
$CC $flags -I"$scratch" -c -o "$scratch/writers.o" "$scratch/writers.c"
# shellcheck disable=SC2086
$CC $flags $sanitize -I"$scratch" -o "$scratch/play" tests/upgrade/play.c "$scratch/writers.o" "$scratch/pkt.c"
"$scratch/play" "$scratch/cases.txt"
