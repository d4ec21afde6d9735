#!/bin/sh
# one_file.sh - checks that pktc.c and pkt.c compile, each of which has all private names of many files: a name, a static
# one too, must differ from all others, also of the files that need libraries. pkt.c also compiles without the parts that
# a program may lack. dist.sh tests that there are no warnings, which takes five times as long.
# SPDX-License-Identifier: MIT
#
# usage: CC=cc FLAGS='those of the libraries that are there' one_file.sh pktc.c pkt.c
without=$(grep -oh 'PKT_WITHOUT_[A-Z]*' "${2%.c}.h" "${2%.c}_inside.h" "$2" | sort -u | sed 's/^/-D/')
compiles() {
    ${CC:-cc} -w -fsyntax-only "$@"
}
# The list of macros is split on purpose.
# shellcheck disable=SC2086
if compiles -std=c11 "$1" && compiles -std=c11 -DPKTC_JSON $FLAGS "$1" && compiles -std=c99 "$2" && compiles -std=c99 $without "$2"; then
    echo '[  PASSED  ] 4 test(s).'
else
    echo '[  FAILED  ] 1 test(s)'
    exit 1
fi
