#!/bin/sh
# docs.sh - checks what the pages in docs show: output of pktc, and the files of the compiler.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc docs.sh [--refresh] SCRATCH     from the top directory
#
# With --refresh it updates the pages instead. A block ```pkt NAME becomes a file. In a block ```console each line `$ COMMAND` is run
# beside that file, and its output follows the line. Between <!-- files FOLDER --> and <!-- end --> is the list of the files in the
# folder, each with the first sentence of its head.
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

page() {
    inside=
    while IFS= read -r line; do
        case $inside$line in
        '<!-- files '*) inside=files: ;;
        'files:<!-- end -->' | 'pkt:```' | 'console:```') inside= ;;
        '```pkt '*) inside=pkt: made=$beside/${line#* } ;;
        '```console') inside=console: ;;
        pkt:*) printf '%s\n' "$line" >>"$made" ;;
        'console:$ '*)
            printf '%s\n' "$line"
            (cd "$beside" && sh -c "${line#??}" 2>&1)
            continue
            ;;
        files:* | console:*) continue ;;
        esac
        printf '%s\n' "$line"
        [ "$inside" = files: ] && folder=${line#* * } && files_of "${folder% *}"
    done <"$1"
}

failed=0
checked=0
for document in docs/hacking.md docs/wire.md docs/tools.md docs/versions.md; do
    checked=$((checked + 1))
    beside=$scratch/$(basename $document .md)
    mkdir "$beside"
    page $document >"$scratch/page.md"
    if [ "$refresh" ]; then
        cp "$scratch/page.md" $document
    else
        diff -u $document "$scratch/page.md" || failed=$((failed + 1))
    fi
done
[ "$refresh" ] && exit
if [ $failed = 0 ]; then
    echo "[  PASSED  ] $checked test(s)."
else
    echo "[  FAILED  ] $failed test(s); make docs-refresh writes what is new: read it"
    exit 1
fi
