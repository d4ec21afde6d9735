#!/bin/sh
# one_file.sh - checks that pktc.c compiles: a name of a file, a static one too, must differ from those of all others. That it
# compiles without warnings, which take five times as long, is a test of dist.sh.
# SPDX-License-Identifier: MIT
#
# usage: CC=cc one_file.sh pktc.c
if ${CC:-cc} -std=c11 -w -fsyntax-only "$1"; then
    echo '[  PASSED  ] 1 test(s).'
else
    echo '[  FAILED  ] 1 test(s)'
    exit 1
fi
