#!/bin/sh
# one_file.sh - checks that pktc.c compiles: each name of a file, a static one too, is the only one in compiler/ and runtime/.
# so without warnings, which take five times as long, is a test of dist.sh.
# SPDX-License-Identifier: MIT
#
# usage: CC=cc one_file.sh pktc.c
if ${CC:-cc} -std=c11 -w -fsyntax-only "$1"; then
    echo '[  PASSED  ] 1 test(s).'
else
    echo '[  FAILED  ] 1 test(s)'
    exit 1
fi
