#!/bin/sh
# cubes.sh - every frame of the cubes arrives as it was sent, in each step, and the last one stays within what it may cost.
# SPDX-License-Identifier: MIT
#
# usage: cubes.sh DIR     DIR holds cubes and trace
set -u
if "$1/cubes" "$1/trace"; then
    echo '[  PASSED  ] 1 test(s).'
else
    echo '[  FAILED  ] 1 test(s)'
    exit 1
fi
