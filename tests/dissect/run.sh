#!/bin/sh
# run.sh - tests `pktc wireshark` in tshark, if that is installed.
# SPDX-License-Identifier: MIT
#
# usage: [PKT_SEED=1] run.sh PROGRAM SCRATCH [OPTION...]     from the top directory; options of dissect.c
set -u
program=$1
scratch=$2
shift 2
if ! command -v tshark >/dev/null; then
    echo '[  SKIPPED ] everything: no tshark (package tshark)'
    exit 0
fi
rm -rf "$scratch"
mkdir -p "$scratch"
exec "$program" --seed "${PKT_SEED:-1}" --cases 1 --schemas 3 "$@" "$scratch" tests/data/*.txt tests/data/*.jsonl \
    schemas/mygame.pkt schemas/all.pkt tests/commands/dissected.pkt tests/roundtrip/*.pkt
