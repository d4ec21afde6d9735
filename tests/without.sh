#!/bin/sh
# without.sh - checks that pktc can be built without each of its workshops: it then has the commands of the others, which
# do what they do in the whole pktc. The tests of each workshop pass in a pktc that has only what they need.
# SPDX-License-Identifier: MIT
#
# usage: BUILD=build MAKE=make PKTC=build/pktc without.sh SCRATCH [WORKSHOP...]     from the top directory, with all tests that run pktc in BUILD
#
# A workshop goes with its folder and its line in compiler/workshops.c, and with the workshops that use it, as
# tests/arrows.sh says. Objects of BUILD are taken as they are; make compiles what it has to.
# Lists of words are split on purpose.
# shellcheck disable=SC2046,SC2086
set -u
scratch=$1
shift
top=$PWD
passed=0
failed=0
rm -rf "$scratch" && mkdir -p "$scratch" || exit 1
scratch=$(cd "$scratch" && pwd)
whole=$(cd "$(dirname "$PKTC")" && pwd)/${PKTC##*/}

check() {
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$2"
    fi
}

all() { sed -n 's/^    each(\([a-z]*\)).*/\1/p' compiler/workshops.c; }

# WORKSHOPS WHICH: they, and all that use them (users), or all that they use (used).
closure_of() {
    sed -n 's/" *$//; s/^ *sees\["\([a-z]*\)"\] = core "\(.*\)/\1 \2/p' tests/arrows.sh | awk -v of="$1" -v which="$2" '
        BEGIN { count = split(of, begun); for (i = 1; i <= count; i++) in_it[begun[i]] = 1 }
        { for (i = 2; i <= NF; i++) if (which == "users") next_of[$i, $1] = 1; else next_of[$1, $i] = 1 }
        END {
            do {
                more = 0
                for (arrow in next_of) {
                    split(arrow, end, SUBSEP)
                    if (end[1] in in_it && !(end[2] in in_it)) { in_it[end[2]] = 1; more = 1 }
                }
            } while (more)
            for (each in in_it) print each
        }' | sort
}

# The tests of a workshop: programs that run pktc, and after -- those that call its functions. Behind a colon stand other
# workshops that a test uses.
tests_of() {
    case $1 in
    codec) echo codec/test_codec:dissect:costs -- codec/test_framing codec/test_kept codec/test_packet_parts codec/test_quantized ;;
    releases) echo diff/test_diff commands/test_archive:phases commands/test_upgrade:convert:completion -- ;;
    convert | completion) echo -- ;;
    recordings)
        echo commands/test_recorded_releases commands/test_convert_recording commands/test_report \
            commands/test_train commands/test_datagrams -- record/test_network record/test_spoken record/test_train_model \
            traffic/test_savings traffic/test_steps
        ;;
    tables) echo commands/test_table -- ;;
    bindings) echo commands/test_bind -- ;;
    dissect) echo commands/test_wireshark -- ;;
    format) echo commands/test_fmt -- ;;
    editor) echo lsp/test_lsp:habits -- ;;
    costs) echo layout/test_layout describe/test_describe:codec -- ;;
    esac
}

# ---- what each command does, in the folder $scratch/data

# A pcap file with one datagram: a packet of up to 200 bytes.
record() {
    size=$(wc -c <"$1")
    byte() { printf "\\$(printf %o "$1")"; }
    printf '\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0\145\0\0\0\0\0\0\0\0\0\0\0'
    byte $((28 + size)) && printf '\0\0\0' && byte $((28 + size)) && printf '\0\0\0'
    printf '\105\0\0' && byte $((28 + size)) && printf '\0\0\0\0\100\21\0\0\177\0\0\1\177\0\0\1'
    printf '\23\210\23\211\0' && byte $((8 + size)) && printf '\0\0'
    cat "$1"
}

prepare() {
    mkdir "$scratch/data" && cd "$scratch/data" || exit 1
    printf 'protocol ball = 1;\n\npacket Ball {\n    bool moving;\n    u8 x;\n}\n' >old.pkt
    printf 'protocol ball = 2;\n\npacket Ball {\n    bool moving;\n    u16 x;\n}\n' >ball.pkt
    printf 'protocol coded = 1;\n\nmodel "coded.model";\n\npacket State @delta(predict) {\n    i16<-500, 500> x : coded;\n}\n' >coded.pkt
    echo '{"moving": true, "x": 7}' >ball.json
    "$whole" encode old.pkt Ball ball.json >old.bytes && "$whole" encode ball.pkt Ball ball.json >ball.bytes &&
        record old.bytes >old.pcap && record ball.bytes >ball.pcap && "$whole" archive releases old.pkt >/dev/null 2>&1 || exit 1
    cd "$top" || exit 1
}

# Runs a command with the pktc $1 in the place of $2.
does() {
    pktc=$1
    case $2 in
    '') "$pktc" -o made ball.pkt && cat made/*.[ch] ;;
    fmt) "$pktc" fmt - <ball.pkt ;;
    layout | describe | wireshark) "$pktc" "$2" ball.pkt ;;
    decode) "$pktc" decode --bits ball.pkt Ball ball.bytes ;;
    encode) "$pktc" encode --hex ball.pkt Ball ball.json ;;
    diff) "$pktc" diff old.pkt ball.pkt ;;
    archive) "$pktc" archive --check releases ball.pkt ;;
    convert) "$pktc" convert --hex old.pkt ball.pkt Ball old.bytes ;;
    report) "$pktc" report ball.pkt ball.pcap ;;
    tally) "$pktc" tally -o made/tally ball.pkt ball.pcap && cat made/tally ;;
    table) "$pktc" table -o made/tables ball.pkt ball.pcap && cat made/tables/*/*/*.parquet made/tables/datagrams/* ;;
    bind) "$pktc" bind cs -o made ball.pkt && cat made/* ;;
    train) "$pktc" train schema.pkt ball.pcap ;;
    lsp) printf 'Content-Length: 44\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"shutdown"}Content-Length: 33\r\n\r\n{"jsonrpc":"2.0","method":"exit"}' | "$pktc" lsp ;;
    *) "$pktc" "$2" ;;
    esac
}

# All that a command prints, and its exit status.
result() {
    cd "$scratch/data" || exit 1
    rm -rf made && mkdir made
    does "$1" "$2" 2>&1
    echo "status $?"
    cd "$top" || exit 1
}

commands_of() { "$1" help | sed -n 's/^  pktc \([a-z][a-z]*\) .*/\1/p'; }

# ---- pktc without some workshops

# Makes it in a folder.
make_without() {
    tree=$1
    shift
    mkdir -p "$tree/build" || return 1
    mkdir "$tree/scratch" && cp -a compiler "$tree/compiler" || return 1
    for each in Makefile LICENSE runtime tests schemas share .ci; do ln -s "$top/$each" "$tree/$each" || return 1; done
    for each in obj made embed amalgamate have-build-tools have-test-tools; do
        [ ! -e "$BUILD/$each" ] || cp -a "$BUILD/$each" "$tree/build/$each" || return 1
    done
    for each; do
        rm -r "$tree/compiler/workshops/$each" "$tree/build/obj/compiler/workshops/$each" || return 1
        sed -i "/each($each)/d" "$tree/compiler/workshops.c" || return 1
    done
    rm -f "$tree/build/obj/libpktc.a" "$tree/build/obj/compiler/workshops.o"
    (cd "$tree" && $MAKE -s B=build build/pktc) >"$tree/messages" 2>&1
}

prepare
commands_of "$whole" >"$scratch/commands"
[ $# != 0 ] || set -- $(all)
for workshop; do
    gone=$(closure_of "$workshop" users)
    tree=$scratch/$workshop
    if ! make_without "$tree" $gone; then
        check 1 "pktc does not build without $workshop: $(tail -n 5 "$tree/messages")"
        continue
    fi
    pktc=$tree/build/pktc
    commands_of "$pktc" >"$tree/commands"
    # Each command of a workshop that is gone is in a row of it, and the others are not.
    for each in $gone; do sed -n 's/^ *{\.word = "\(.*\)",/\1/p' "compiler/workshops/$each/${each}_rows.c"; done | sort >"$tree/gone"
    sort "$scratch/commands" | comm -23 - "$tree/gone" | cmp -s - "$(sort -o "$tree/sorted" "$tree/commands" && echo "$tree/sorted")"
    check $? "without $workshop, pktc has other commands than it should"
    while read -r word; do
        [ "$word" != help ] || continue
        [ "$(result "$pktc" "$word")" = "$(result "$whole" "$word")" ]
        check $? "without $workshop, '$word' does something else: $(result "$pktc" "$word" | head -n 3)"
    done <"$tree/commands"
    [ "$(result "$pktc" '')" = "$(result "$whole" '')" ]
    check $? "without $workshop, pktc generates something else"
    rm -rf "$tree"
done

# The tests of each workshop, with what they need.
for workshop; do
    kind=program
    for test in $(tests_of "$workshop"); do
        [ "$test" != -- ] || { kind=unit && continue; }
        needs=$(closure_of "$workshop $(echo "${test#"${test%%:*}"}" | tr ':' ' ')" used)
        test=${test%%:*}
        tree=$scratch/$(echo $needs | tr ' ' -)
        if [ ! -d "$tree" ]; then
            make_without "$tree" $(all | grep -vxF "$needs")
            check $? "pktc does not build with $needs alone: $(tail -n 5 "$tree/messages")"
        fi
        if [ $kind = unit ]; then
            (cd "$tree" && $MAKE -s B=build "build/test/$test") >"$tree/messages" 2>&1
            check $? "$test does not build with $needs alone: $(tail -n 3 "$tree/messages")"
            program=$tree/build/test/$test
        else
            program=$BUILD/test/$test
        fi
        PKTC=${tree#"$top/"}/build/pktc PKTC_SANITIZED=${tree#"$top/"}/build/pktc SCRATCH=${tree#"$top/"}/scratch \
            GOLDEN=$BUILD/golden "$program" >"$tree/messages" 2>&1
        check $? "$test fails with $needs alone: $(grep -m 3 'ERROR\|FAILED\|error' "$tree/messages")"
    done
done
echo "[  PASSED  ] $passed test(s)."
[ $failed = 0 ] || { echo "[  FAILED  ] $failed test(s)" && exit 1; }
