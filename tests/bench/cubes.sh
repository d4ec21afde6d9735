#!/bin/sh
# cubes.sh - checks that every frame of the cubes arrives as it was sent, that the last step needs few enough bits, also with
# a model of the other trace, and that the chart of the steps in docs/images is up to date.
# SPDX-License-Identifier: MIT
#
# usage: cubes.sh DIR     DIR has the programs cubes, trained1 and trained2, and their traces
set -u
if "$1/cubes" "$1/trace" >"$1/printed" && "$1/trained1" "$1/trace" 190 'coded by a model' >>"$1/printed" &&
    "$1/trained2" "$1/trace2" 232 'the busier recording' >>"$1/printed" &&
    tests/pictures.sh cubes "$1/printed" | diff docs/images/cubes.svg -; then
    echo '[  PASSED  ] 4 test(s).'
else
    cat "$1/printed"
    echo '[  FAILED  ] 1 test(s); make pictures draws the chart'
    exit 1
fi
