#!/bin/sh
# pictures.sh - draws the pictures of the README from what pktc, make cubes and make match print.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc pictures.sh bits SCRATCH     in the top directory: a Player of the README's schema, bit by bit
#        PKTC=build/pktc pictures.sh editor SCRATCH   a schema in neovim, in a terminal of tmux
#        PKTC=build/pktc pictures.sh page BUILD/web SCRATCH light|dark PICTURE.png
#                                                     the page of share/web in chromium
#        pictures.sh cubes FILE                       a chart of the output of make cubes
#        pictures.sh match FILE                       a chart of the output of make match
#        pictures.sh tables FILE                      the match of docs/tables.md, as pktc decode prints it
#
# Prints SVG. That of bits, cubes, match and tables is the same every time, so that docs.sh, cubes.sh and tables/readers.sh can compare it with docs/images.
set -u
images=docs/images
case $1 in
bits)
    scratch=$2
    rm -rf "$scratch" && mkdir -p "$scratch" || exit 1
    awk '/^```/ { inside = $0 == "```pkt" && !seen++; next } inside' README.md >"$scratch/readme.pkt"
    echo '{ "slot": 7, "team": "blue", "x": 12.5, "y": -567.89, "alive": true, "health": 87 }' |
        "$PKTC" encode "$scratch/readme.pkt" Player >"$scratch/player" || exit 1
    "$PKTC" layout "$scratch/readme.pkt" >"$scratch/layout" &&
        "$PKTC" decode "$scratch/readme.pkt" Player "$scratch/player" >"$scratch/decoded" &&
        "$PKTC" decode --bits "$scratch/readme.pkt" Player "$scratch/player" >"$scratch/bits" || exit 1
    awk -f $images/style.awk -f $images/bits.awk "layout=$scratch/layout" \
        "decoded=$scratch/decoded" "bits=$scratch/bits"
    ;;
editor)
    here=$(pwd)
    scratch=$2
    rm -rf "$scratch" && mkdir -p "$scratch" || exit 1
    # A server of tmux of its own: its terminal knows which colors neovim shows.
    cat >"$scratch/start" <<-END
	cd '$here/$scratch' && PKTC='$here/$PKTC' VIM_FILES='$here/share/editors/vim' PICTURE=picture.svg
	export PKTC VIM_FILES PICTURE
	timeout --foreground 30 nvim --clean -u '$here/tests/pictures/editor.lua' || echo failed >failed
	END
    tmux -L "pktc$$" -f /dev/null new-session -d -x 94 -y 28 "sh $scratch/start; tmux -L pktc$$ wait-for -S drawn" &&
        tmux -L "pktc$$" wait-for drawn
    if [ -e "$scratch/failed" ] || [ ! -e "$scratch/picture.svg" ]; then
        cat "$scratch/picture.svg" >&2
        exit 1
    fi
    cat "$scratch/picture.svg"
    ;;
page)
    mkdir -p "$3" && node tests/pictures/page.mjs "$2" "$3" "$4" "$5"
    ;;
cubes | match | tables)
    awk -f $images/style.awk -f "$images/$1.awk" "$2"
    ;;
esac
