#!/bin/sh
# searchable.sh - checks that each name of the runtime in generated C can be found by searching for it, in
# compiler/emit, the files emit_* of releases, and in runtime/, so that readers find what writes a line, and what it means.
# SPDX-License-Identifier: MIT
#
# usage: searchable.sh GOLDEN     from the top directory; GOLDEN has the files of all schemas of tests/emit/golden
#
# Except names made of a schema's names, for include guards, and those that pktc makes of the parts of the runtime.
words() { grep -oh '\<[Pp][Kk][Tt]_[A-Za-z0-9_]*' "$@" | sort -u; }
{
    words compiler/emit/*.c compiler/workshops/releases/emit_*.c | sed 's|$| compiler/emit|'
    words runtime/*.h | sed 's|$| runtime|'
    words "$1"/*/*.[ch] | grep -v '^PKT_GENERATED_\|^PKT_DELTA_OF_\|^PKT_WITH_\|\.h$'
} | awk '
    NF == 2 { there[$1, $2]; next }
    {
        missing = (($1, "compiler/emit") in there ? "" : " compiler/emit") (($1, "runtime") in there ? "" : " runtime")
        if (missing) { print $1 " is in generated C, but not in" missing; failed++ } else passed++
    }
    END {
        print "[  PASSED  ] " passed + 0 " test(s)."
        if (failed) print "[  FAILED  ] " failed " test(s)"
        exit !passed || failed > 0
    }'
