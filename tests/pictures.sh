#!/bin/sh
# pictures.sh - draws the pictures of the README from what pktc and make cubes print.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc pictures.sh bits SCRATCH     in the top directory: a Player of the README's schema, bit by bit
#        pictures.sh cubes FILE                       a chart of the output of make cubes
#
# Prints SVG, which is the same every time, so that docs.sh and cubes.sh can compare it with docs/images.
set -u
images=docs/images
case $1 in
bits)
    scratch=$2
    rm -rf "$scratch" && mkdir -p "$scratch" || exit 1
    awk '/^```/ { inside = $0 == "```" && !seen++; next } inside' README.md >"$scratch/readme.pkt"
    echo '{ "slot": 7, "team": "blue", "x": 12.5, "y": -567.89, "alive": true, "health": 87 }' |
        "$PKTC" encode "$scratch/readme.pkt" Player >"$scratch/player" || exit 1
    "$PKTC" layout "$scratch/readme.pkt" >"$scratch/layout" &&
        "$PKTC" decode "$scratch/readme.pkt" Player "$scratch/player" >"$scratch/decoded" &&
        "$PKTC" decode --bits "$scratch/readme.pkt" Player "$scratch/player" >"$scratch/bits" || exit 1
    awk -f $images/style.awk -f $images/bits.awk "layout=$scratch/layout" \
        "decoded=$scratch/decoded" "bits=$scratch/bits"
    ;;
cubes)
    awk -f $images/style.awk -f $images/cubes.awk "$2"
    ;;
esac
