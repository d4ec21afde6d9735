#!/bin/sh
# match.sh - sends the snapshots of recorded matches of OpenArena as packets of schemas, and prints what they take.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc BUILD=build/match OPENARENA=DIR [MATCHES="demo088-test1 stress_sago"] match.sh
#
# In the top directory; BUILD is a directory that it may delete.
#
# The demos are data of the Debian packages of OpenArena, in archives (pk3) in OPENARENA. For exact.pkt and rounded.pkt, and each mode:
#
#   plain        changed fields are sent whole
#   steps        as differences, with the steps of the schema
#   coded        with the codes of no model
#   trained      with a model: for demo088-test1, from the other demos, and for these, from demo088-test1
#   speeds       with a model, of rounded.pkt: against a prediction from one snapshot, positions of players go on by the speeds beside them
#   predicted    with a model, against a prediction from two snapshots, in which timers, clocks, angles and speeds go on too
#
# Each packet is read back and compared with the snapshot. Instructions are those of the first snapshots of demo088-test1, counted by
# callgrind. Lists of words are split on purpose.
# shellcheck disable=SC2046,SC2086
set -u
: "${PKTC:?}" "${BUILD:?}" "${OPENARENA:?}"
here=$(cd "$(dirname "$0")" && pwd)
counted=100
tested=${MATCHES:-demo088-test1 stress_schism stress_sago}
archives='pak6-misc pak6-patch088'

for archive in $archives; do
    [ -e "$OPENARENA/$archive.pk3" ] && continue
    echo "no $OPENARENA/$archive.pk3: make deps match installs it, on Debian and Ubuntu; or name its folder: make match OPENARENA=DIR"
    exit 0
done
command -v unzip >/dev/null || { echo "no unzip: make deps match installs it"; exit 0; }
rm -rf "$BUILD" && mkdir -p "$BUILD" || exit 1
for archive in $archives; do
    unzip -qjo "$OPENARENA/$archive.pk3" 'demos/*' -d "$BUILD/demos" || exit 1
done

demo() { echo "$BUILD/demos/$1".dm_7?; }

# The name of a match's model: the others have the same one.
model() { [ "$1" = demo088-test1 ] && echo "$1" || echo others; }

# Makes the schema of a form and a mode as $BUILD/FORM-MODE/match.pkt, and its program.
build() {
    made=$BUILD/$1-$2
    mkdir -p "$made"
    flags=
    [ "$1" = exact ] && flags=-DEXACT
    case $2 in
    plain) edit='s/ delta<[^>]*>//g' ;;
    steps) edit= ;;
    *) edit="s/ by id/& coded/; s/ delta<[^>]*>//g
            /^    (float|Whole|bits|i8|i16|i32)/{ s/, ([a-z])/ coded, \\1/g; s/;/ coded;/; }" ;;
    esac
    case $2 in
    speeds* | predicted*) edit="$edit; s/^struct World @delta/&(predict)/" ;;
    esac
    case $1-$2 in
    rounded-speeds* | rounded-predicted*) # of exact.pkt they cost bytes
        edit="$edit; /^    float</s/ x coded, y coded, z coded;/ x coded @speed(dx \\/ 20), y coded @speed(dy \\/ 20), z coded @speed(dz \\/ 20);/
            /^struct Path/,/^}/s/ \\/ 20\)/ \\/ 20 * (kind == 1))/g"
        ;;
    esac
    case $2 in
    speeds*) edit="$edit; /^    (float|Whole|bits|i8|i16|i32)/s/ coded([,;])/ coded still\\1/g" ;;
    predicted*)
        edit="$edit; /^struct World/,/^}/!{
                /^ *(bits<|i8|i16|i32)/{
                    /bob|(command|weapon|move)_time|legs_timer/!s/ coded/& still/g
                }
            }
            s/number - back else/number - back after number - back - gap else/
            /optional int<1, 31> back/a\\    optional int<1, 31> gap;"
        flags="$flags -DPREDICTED"
        ;;
    esac
    [ -e "$made/match.model" ] && edit="$edit
        /^protocol/a\\model \"match.model\";"
    sed -E "$edit" "$here/$1.pkt" >"$made/match.pkt" && "$PKTC" --capture -o "$made" "$made/match.pkt" &&
        ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -g1 -Wall -Wextra $flags -I"$made" -I"$here" -o "$made/match" \
            "$here"/match.c "$here"/demo*.c "$made"/*.c -lm
}

# The model that `pktc train` makes of recordings of a mode without a model.
train() {
    made=$BUILD/$1-$2-for-$3
    mkdir -p "$made"
    case $3 in
    demo088-test1) recordings=$(echo "$BUILD/$1-$2/recordings"/*.dm_70) ;;
    *) recordings=$BUILD/$1-$2/recordings/demo088-test1.dm_71 ;;
    esac
    "$PKTC" train -o "$made/match.model" "$BUILD/$1-$2/match.pkt" $recordings && build "$1" "$2-for-$3"
}

# The instructions of packing, unpacking and keeping a snapshot; - without valgrind.
instructions() {
    command -v valgrind >/dev/null || { echo - - -; return 0; }
    valgrind -q --tool=callgrind --toggle-collect=counted_pack --toggle-collect=counted_unpack --toggle-collect=counted_keep \
        --callgrind-out-file="$1/callgrind" "$1/match" "$2" $counted >"$1/counted" &&
        callgrind_annotate --inclusive=yes --threshold=100 --auto=no "$1/callgrind" >"$1/annotated" || return 1
    # Both sides keep a snapshot.
    awk -v snapshots=$counted '
        match($0, /:counted_[a-z]+/) {
            name = substr($0, RSTART + 9, RLENGTH - 9)
            gsub(/,/, "", $1)
            if ($1 + 0 > cost[name]) # a function also has lines for what is inlined from other files
                cost[name] = $1 + 0
        }
        END { printf "%.0f %.0f %.0f\n", cost["pack"] / snapshots, cost["unpack"] / snapshots, cost["keep"] / snapshots / 2 }
    ' "$1/annotated"
}

# Prints a row of the table.
measure() {
    printed=$("$4/match" $(demo "$3")) || return 1
    costs='- - -'
    if [ "$3" = demo088-test1 ]; then
        costs=$(instructions "$4" $(demo "$3")) || return 1
    fi
    echo $printed $costs | awk -v form="$1" -v mode="$2" -v name="$3" '
        function mean(bytes, count) { return count ? sprintf("%.1f", bytes / count) : "-" }
        {
            printf "%-14s %-8s %-10s %7s %7s %5.2f %7s %7s %5.2f %6s %6s %6s %9s %9s %9s\n", name, form, mode,
                mean($2, $1), mean($3, $1), $3 / $2, mean($5, $4), mean($6, $4), $6 / $5,
                sprintf("%.1f", $8 / 1000), sprintf("%.1f", $9 / 1e6), sprintf("%.1f", $10 / 1e6), $11, $12, $13
        }'
}

echo "Bytes a snapshot, of the game and of pktc, without framing: of all snapshots, and of those with a baseline. KB of a World, MB of"
echo "a ring of Worlds, and of its pages that were written. Instructions a snapshot of the first $counted, with"
echo "$(${CC:-cc} --version | head -n 1)."
printf '%-14s %-8s %-10s %7s %7s %5s %7s %7s %5s %6s %6s %6s %9s %9s %9s\n' match values mode game pktc ratio based pktc ratio world ring \
    used pack unpack keep
for form in exact rounded; do
    for mode in plain steps coded speeds predicted; do
        [ $form-$mode = exact-speeds ] && continue
        build $form $mode || exit 1
        case $mode in
        coded | speeds | predicted)
            mkdir "$BUILD/$form-$mode/recordings"
            for path in "$BUILD"/demos/*; do
                "$BUILD/$form-$mode/match" "$path" 0 "$BUILD/$form-$mode/recordings/${path##*/}" >/dev/null || exit 1
            done
            for name in $tested; do
                [ -e "$BUILD/$form-$mode-for-$(model "$name")" ] || train $form $mode "$(model "$name")" || exit 1
            done
            ;;
        esac
    done
done
for name in $tested; do
    for form in exact rounded; do
        for mode in plain steps coded; do
            measure $form $mode $name "$BUILD/$form-$mode" || exit 1
        done
        measure $form trained $name "$BUILD/$form-coded-for-$(model "$name")" || exit 1
        for mode in speeds predicted; do
            [ $form-$mode = exact-speeds ] && continue
            measure $form $mode $name "$BUILD/$form-$mode-for-$(model "$name")" || exit 1
        done
    done
done
