#!/bin/sh
# sentences.sh - prints random sentences of the docs, for a reader who knows nothing of pktc: which of them can be understood?
# SPDX-License-Identifier: MIT
#
# usage: sentences.sh SEED [NUMBER [PAGE...]]     from the top directory; 100 sentences of docs/*.md and README.md by default
#
# Each is printed as FILE:LINE: SENTENCE, in the order of the docs; the same seed prints the same sentences of the same pages.
# Headings, code, tables and what `make docs-refresh` writes are left out: readers see these with what is around them.
set -eu
seed=$1
number=${2:-100}
shift
[ $# = 0 ] || shift
[ $# != 0 ] || set -- docs/*.md README.md

awk '
    # A sentence ends at a full stop or a question mark, and with its paragraph. Headers of lists, of up to three words, are none.
    function sentences_of(    i, n, words, text, last, parts) {
        n = split(paragraph, words, " ")
        text = ""
        for (i = 1; i <= n; i++) {
            if (text == "") began = line_of[i]
            text = text (text == "" ? "" : " ") words[i]
            last = words[i]
            if (i == n || last ~ /[.?!][)"*]*$/) {
                if (split(text, parts, " ") > 3) print page ":" began ": " text
                text = ""
            }
        }
        paragraph = ""
        count = 0
    }
    function add(    i, n, words) {
        n = split($0, words, " ")
        for (i = 1; i <= n; i++) line_of[++count] = FNR
        paragraph = paragraph " " $0
    }
    FNR == 1 { if (count) sentences_of(); page = FILENAME; code = made = 0 }
    /^ *```/ { if (count) sentences_of(); code = !code; next }
    code { next }
    /^<!-- (files|lines|manual) / || /^<!-- lines -->/ { made = 1 }
    /^<!-- end -->/ { made = 0 }
    made || /^<!--/ || /^#/ || /^ *\|/ || /^ *<\/?[a-z]/ || /^ *$/ { if (count) sentences_of(); next }
    /^ *([-*]|[0-9]+\.) / { if (count) sentences_of(); sub(/^ *([-*]|[0-9]+\.) /, "") }
    { add() }
    END { if (count) sentences_of() }
' "$@" |
    awk -v seed="$seed" -v number="$number" '
        # rand() differs from one awk to the next.
        function random(below) {
            state = (state * 69069 + 12345) % 4294967296
            return int(state / 65536) % below
        }
        { sentence[NR] = $0; order[NR] = NR }
        END {
            state = seed % 4294967296
            for (i = 1; i <= 10; i++) random(2)
            if (number > NR) number = NR
            for (i = 1; i <= number; i++) {
                j = i + random(NR - i + 1)
                swap = order[i]; order[i] = order[j]; order[j] = swap
                chosen[order[i]] = 1
            }
            for (i = 1; i <= NR; i++) if (i in chosen) print sentence[i]
        }'
