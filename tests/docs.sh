#!/bin/sh
# docs.sh - checks the docs: their schemas, the output of pktc that they show, what they say of commands and options, their
# links, and the pictures that are drawn from output.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc MANUAL=build/manual docs.sh [--refresh] SCRATCH     from the top directory
#
# A block ```pkt NAME or ```c NAME becomes the file NAME. In a block ```console each line `$ COMMAND` is run beside that file, and
# must print the lines that follow. Between <!-- manual PART --> and <!-- end --> is what manual prints, and the manual page is
# what it makes of its template. --refresh rewrites all of this. Every relative link must lead to a file that exists, and
# to a heading of that page if it has an #anchor. Each source file begins with its name and a sentence on what it owns.
#
# pktc must accept each block ```pkt without a word. It is a part of a schema if it has no `protocol`: then it gets one, and is put
# into a packet if it begins with a field. <!-- around TEXT ... TEXT --> before the block is what else a part needs: the
# block stands at the three dots. A block without a language must not look like a schema.
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

# The server that a page shows has a fixed port, so builds on one machine take turns.
exec 9>"${TMPDIR:-/tmp}/pktc-docs.lock"
command -v flock >/dev/null && flock 9

page() {
    inside=
    while IFS= read -r line; do
        case $inside$line in
        '<!-- manual '*) inside=manual: ;;
        'manual:<!-- end -->' | 'pkt:```' | 'console:```') inside= ;;
        '```pkt '* | '```c '*) inside=pkt: made=$beside/${line#* } ;;
        '```console') inside=console: ;;
        pkt:*) printf '%s\n' "$line" >>"$made" ;;
        'console:$ '*)
            printf '%s\n' "$line"
            (cd "$beside" && sh -c "${line#??}" 2>&1)
            continue
            ;;
        manual:* | console:*) continue ;;
        esac
        printf '%s\n' "$line"
        part=${line#* * }
        [ "$inside" = manual: ] && "$MANUAL" "${part% *}"
    done <"$1"
}

# The targets of a page's links and pictures, outside of code.
links_of() {
    awk '/^```/ { code = !code } !code { gsub(/`[^`]*`/, ""); print }' "$1" |
        grep -oE '\]\([^) ]*\)|src(set)?="[^"]*"' | sed 's/^](//; s/^src.*="//; s/[)"]$//'
}

# PAGE#ANCHOR for each heading of pages. GitHub makes anchors so: lower case, without punctuation, with - for spaces.
anchors_of() {
    awk '
        /^```/ { code = !code }
        !code && /^#+ / {
            sub(/^#+ /, "")
            text = tolower($0)
            gsub(/[^a-z0-9 _-]/, "", text)
            gsub(/ /, "-", text)
            print FILENAME "#" text
        }' "$@"
}

# Prints the links of a page that lead nowhere. $anchors has PAGE#HEADING for all headings, each on a line.
broken_links() {
    links_of "$1" | while read -r link; do
        case $link in
        *://* | mailto:*) continue ;;
        '#'*) target=$1$link ;;
        *) target=${1%"${1##*/}"}$link ;;
        esac
        case $target in */../*) target=${target#*/../} ;; esac
        if [ ! -e "${target%%#*}" ]; then
            echo "$1: there is no file $link"
            continue
        fi
        case $target in
        *'#'*)
            case $anchors in
            *"$newline$target$newline"*) ;;
            *) echo "$1: there is no heading $link" ;;
            esac
            ;;
        esac
    done
}

# Writes each schema of a page as FOLDER/LINE/part.pkt, LINE being where its block begins. Prints the lines of blocks that
# look like a schema and have no language.
snippets_of() {
    awk -v folder="$2" '
        function end_schema(    path, dots) {
            path = folder "/" began "/part.pkt"
            system("mkdir -p " folder "/" began)
            if (text !~ /(^|\n)protocol /) {
                if (around == "" && first !~ /^(import|model|const|enum|flags|struct|union|packet)$/) around = "packet Part { ... }"
                if (around == "") around = "..."
                dots = index(around, "...")
                text = "protocol part = 1; " substr(around, 1, dots - 1) "\n" text substr(around, dots + 3) "\n"
            }
            printf "%s", text >path
            close(path)
        }
        /^<!-- around / { around = $0; sub(/^<!-- around /, "", around); sub(/ *-->$/, "", around) }
        /^```/ && kind == "" {
            kind = /^```pkt( |$)/ ? "schema" : /^```$/ ? "plain" : "other"
            began = FNR
            text = first = ""
            looks = 0
            next
        }
        /^```/ {
            if (kind == "schema") end_schema()
            if (looks) print FILENAME ":" began ": a block that looks like a schema: ```pkt, or its language"
            kind = around = ""
            next
        }
        kind == "schema" {
            text = text $0 "\n"
            if (first == "" && !/^ *\/\//) first = $1
        }
        kind == "plain" && (/; *(\/\/.*)?$/ || /^ *(protocol|import|model|const|enum|flags|struct|union|packet|if|switch) .*[{}]/) { looks = 1 }
    ' "$1"
}

failed=0
checked=0
compiled=0
for document in README.md docs/*.md; do
    checked=$((checked + 1))
    folder=$scratch/snippets/$(basename $document)
    unlabelled=$(snippets_of $document "$folder")
    [ -z "$unlabelled" ] || { echo "$unlabelled" && failed=$((failed + 1)); }
    for part in "$folder"/*/part.pkt; do
        [ -e "$part" ] || continue
        compiled=$((compiled + 1))
        # A model that nobody has trained yet is an empty file.
        (cd "${part%/*}" && sed -n 's/^model "\(.*\)";/\1/p' part.pkt | while read -r model; do : >"$model"; done)
        said=$(pktc -I schemas --no-runtime -o "${part%/*}/c" "$part" 2>&1) && [ -z "$said" ] || { echo "$said" && failed=$((failed + 1)); }
    done
done
labelled=$(cat README.md docs/*.md | grep -c '^```pkt')
[ $compiled = "$labelled" ] || { echo "$compiled of $labelled schemas are compiled" && failed=$((failed + 1)); }
for document in docs/hacking.md docs/language.md docs/wire.md docs/tools.md docs/describe.md docs/versions.md docs/cookbook.md docs/first-datagram.md docs/formats.md; do
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
checked=$((checked + 1))
tests/pictures.sh bits "$scratch/bits" >"$scratch/bits.svg" || failed=$((failed + 1))
tests/pictures.sh match tests/match/results.txt >"$scratch/match.svg" || failed=$((failed + 1))
"$MANUAL" page compiler/dist/install/pktc.1.in >"$scratch/pktc.1" || failed=$((failed + 1))
if [ "$refresh" ]; then
    cp "$scratch/bits.svg" "$scratch/match.svg" docs/images
    cp "$scratch/pktc.1" docs/pktc.1
    exit
fi
diff docs/images/bits.svg "$scratch/bits.svg" || failed=$((failed + 1))
diff docs/images/match.svg "$scratch/match.svg" || failed=$((failed + 1))
checked=$((checked + 1))
diff docs/pktc.1 "$scratch/pktc.1" || failed=$((failed + 1))
[ $failed = 0 ] || echo 'make docs-refresh writes the new output: read it'
# The pictures of the editor and the page, which make pictures draws again: each is in the README, and they load soon.
checked=$((checked + 1))
shown='docs/images/editor.svg docs/images/page-light.png docs/images/page-dark.png'
for picture in $shown; do
    if ! grep -q "=\"$picture\"" README.md || [ ! -s "$picture" ]; then
        echo "README.md does not show $picture"
        failed=$((failed + 1))
    fi
done
# shellcheck disable=SC2086
[ "$(cat $shown | wc -c)" -le 150000 ] || { echo "the pictures of the editor and the page have more than 150000 bytes"; failed=$((failed + 1)); }
checked=$((checked + 1))
for file in $(find compiler runtime -name '*.[chy]' -o -name '*.re' -o -name '*.lua' -o -name '*.txt'); do
    head -n 1 "$file" | grep -qE "^(/\*|//|--|#) ${file##*/} - " && continue
    echo "$file: does not begin with its name and a sentence on what it owns"
    failed=$((failed + 1))
done
newline='
'
anchors=$newline$(anchors_of README.md docs/*.md tests/README.md)$newline
for document in README.md docs/*.md tests/README.md; do
    checked=$((checked + 1))
    broken=$(broken_links "$document")
    [ -z "$broken" ] || { echo "$broken" && failed=$((failed + 1)); }
done
if [ $failed = 0 ]; then
    echo "[  PASSED  ] $checked test(s); $compiled schemas compiled."
else
    echo "[  FAILED  ] $failed test(s)"
    exit 1
fi
