#!/bin/sh
# cubes.sh - checks that every frame of the cubes arrives as it was sent, and that the last step needs few enough
# bits.
# SPDX-License-Identifier: MIT
#
# usage: cubes.sh DIR     DIR has the program cubes and its trace
set -u
if "$1/cubes" "$1/trace"; then
    echo '[  PASSED  ] 1 test(s).'
else
    echo '[  FAILED  ] 1 test(s)'
    exit 1
fi
