#!/bin/sh
# docs.sh - docs/hacking.md shows what pktc prints today, and every file of the compiler; with --refresh, makes it so.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc docs.sh [--refresh] SCRATCH     from the top directory
#
# A block ```pkt NAME becomes a file. In a block ```console each line `$ COMMAND` is run beside that file, and its output follows
# it. Between <!-- files FOLDER --> and <!-- end --> stands what the head of each file in the folder says.
set -u
refresh=
if [ "$1" = --refresh ]; then
    refresh=yes
    shift
fi
scratch=$1
rm -rf "$scratch" && mkdir -p "$scratch" || exit 1
PATH=$(cd "$(dirname "$PKTC")" && pwd):$PATH
export PATH

# The first sentence of a file, up to the line with its license.
head_of() {
    awk '/SPDX/ { exit } { sub(/^(\/\*|\/\/| \*) */, ""); text = text (NR > 1 ? " " : "") $0 } END { print text }' "$1"
}

# A source that has a header is described by that, since a header says what it is for.
files_of() {
    for file in "$1"/*.[chy] "$1"/*.re; do
        name=${file##*/}
        stem=${file%.*}
        case $file in
        *.h) [ -e "$stem.c" ] || [ -e "$stem.re" ] && continue ;;
        *.c | *.re) [ -e "$stem.h" ] && name="${stem##*/}.h\`, \`$name" && file=$stem.h ;;
        esac
        [ -e "$file" ] || continue
        text=$(head_of "$file" | sed 's/^[^ ]* - //; s/\.$//; s/</\&lt;/g')
        echo "- \`$name\`: $text."
    done
}

inside=
while IFS= read -r line; do
    case $inside$line in
    '<!-- files '*) inside=files: ;;
    'files:<!-- end -->' | 'pkt:```' | 'console:```') inside= ;;
    '```pkt '*) inside=pkt: made=$scratch/${line#* } ;;
    '```console') inside=console: ;;
    pkt:*) printf '%s\n' "$line" >>"$made" ;;
    'console:$ '*)
        printf '%s\n' "$line"
        (cd "$scratch" && sh -c "${line#??}" 2>&1)
        continue
        ;;
    files:* | console:*) continue ;;
    esac
    printf '%s\n' "$line"
    [ "$inside" = files: ] && folder=${line#* * } && files_of "${folder% *}"
done <docs/hacking.md >"$scratch/hacking.md"

if [ "$refresh" ]; then
    cp "$scratch/hacking.md" docs/hacking.md
elif diff -u docs/hacking.md "$scratch/hacking.md"; then
    echo '[  PASSED  ] 1 test(s).'
else
    echo '[  FAILED  ] 1 test(s); make docs-refresh writes what is new: read it'
    exit 1
fi
