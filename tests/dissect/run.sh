#!/bin/sh
# run.sh - tests `pktc wireshark` in tshark, if that is installed.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc [PKT_SEED=1] run.sh PROGRAM SCRATCH [OPTION...]     from the top directory; options of dissect.c
#        run.sh PROGRAM SCRATCH random SEED SCHEMAS                          only random schemas, four in each run of tshark
set -u
program=$1
scratch=$2
shift 2
if ! command -v tshark >/dev/null; then
    echo '[  SKIPPED ] everything: no tshark (package tshark)'
    exit 0
fi
rm -rf "$scratch"
mkdir -p "$scratch"
failed=0
if [ "${1:-}" = random ]; then
    seed=$2 left=$3
    while [ "$left" -gt 0 ]; do
        "$program" --seed "$seed" --cases 1 --schemas $((left < 4 ? left : 4)) "$scratch" || failed=1
        left=$((left - 4)) seed=$((seed + 1))
    done
    exit $failed
fi
mygame=$(printf '%s+' tests/upgrade/releases/*.pkt)
stable=tests/roundtrip/stable.pkt+tests/roundtrip/stable_next.pkt
# A whole value of vast.pkt is longer than a datagram.
round_trips=$(ls tests/roundtrip/*.pkt | grep -v /vast.pkt)
"$program" --seed "${PKT_SEED:-1}" --cases 1 --schemas 1 "$@" "$scratch" "$mygame" "$stable" tests/data/vectors.txt tests/data/*.jsonl \
    schemas/mygame.pkt schemas/all.pkt tests/commands/dissected.pkt tests/dissect/numbered.pkt tests/dissect/moving.pkt tests/dissect/lists.pkt tests/dissect/masks.pkt $round_trips ||
    failed=1

# ---- bytes that could keep a dissector busy: it has to be done soon, without an error of Lua

# A datagram to a port, as a file for text2pcap: its bytes in hexadecimal.
datagram() {
    echo "$2" | sed 's/../& /g; s/^/0000 /' >"$scratch/hex"
    text2pcap -q -u "1000,$1" "$scratch/hex" "$scratch/$3.pcap" 2>/dev/null
}

# In Empty: 16777216 elements without bits in a counted array, none in a sparse one. In Long: such counts, again and again.
datagram 9001 0500000081c1ff7f empty
long=0300000818fcff0700000818fcffdfffff3f80e0ffffffff3f80e0ffff0000000206ffff0100000206fffff7ffff0f20f8
datagram 9002 "${long}ffffffff0f20f8ff3f00008080c1ff7f00008080c1fffffdffff0308feffffffff0308feff03" long
zeros=$(printf '%01200d' 0)
datagram 9001 "$zeros$zeros" zeros
datagram 9002 "$(echo "$zeros" | tr 0 f)" ones
# A list of 65536 elements, of which each further value lacks one more: about 6800 times, most of the list moves.
datagram 9003 "$(awk '
function put(number, bits) {
    for (; bits > 0; bits--) {
        byte += number % 2 * 2 ^ count
        number = int(number / 2)
        if (++count == 8) {
            printf "%02x", byte
            byte = count = 0
        }
    }
}
BEGIN {
    put(1, 2) # the list has changed; none gone
    for (left = 0; left < 65536; left++)
        put(3, 2) # a new key, which is the next one
    put(2, 2) # no new key; no changed element, as a bitmap
    for (bytes = 16386; bytes < 60000; bytes += 51 / 8) {
        put(11, 4) # the list has changed; some gone, as differences: the first one
        put(0, 6); put(left - 126, 16) # the end
        put(0, 2); put(0, 6); put(left + 1 - 126, 16) # no new key; no changed element, as differences
        left--
    }
    put(0, 7)
}')" keys
"$PKTC" wireshark --port 9003 --stream 'Keys delta(previous)*' tests/dissect/hostile.pkt >"$scratch/keys.lua"
"$PKTC" wireshark --port 9001 --stream Empty tests/dissect/hostile.pkt >"$scratch/empty.lua"
# Their protocols have the same name: the second and the third one get others.
"$PKTC" wireshark --port 9002 --stream 'Long delta(previous)*' tests/dissect/hostile.pkt >"$scratch/long.lua"
for each in empty long keys zeros ones; do
    HOME=$scratch timeout 20 tshark -n -r "$scratch/$each.pcap" -V -X "lua_script:$scratch/empty.lua" \
        -X "lua_script:$scratch/long.lua" -X "lua_script:$scratch/keys.lua" >"$scratch/$each.txt" 2>"$scratch/$each.errors"
    status=$?
    if [ $status != 0 ] || grep -q 'Lua' "$scratch/$each.errors" || grep -q 'Lua Error' "$scratch/$each.txt" ||
        ! grep -q '^hostile' "$scratch/$each.txt"; then
        echo "hostile bytes, $each: status $status"
        cat "$scratch/$each.errors"
        failed=1
    fi
done

# ---- words of filters, and a single letter, as names of protocols: each protocol is there, and tshark goes on

port=9100
known=udp
set --
for word in w eq ne gt ge lt le all any all_eq any_eq all_ne any_ne contains matches in bitand bitwise_and and or xor not \
    nan inf; do
    echo "protocol $word = 1; packet P { u8 a; }" >"$scratch/$word.pkt"
    "$PKTC" wireshark --port $port "$scratch/$word.pkt" >"$scratch/$word.lua"
    set -- "$@" -X "lua_script:$scratch/$word.lua"
    port=$((port + 1))
    known="$known or ${word}_pkt"
done
if ! HOME=$scratch timeout 60 tshark -n -r "$scratch/zeros.pcap" "$@" -Y "$known" >/dev/null 2>"$scratch/words.errors"; then
    echo 'words of filters:'
    cat "$scratch/words.errors"
    failed=1
fi

# ---- three releases of a protocol, on the same port: each packet is shown by the dissector of its release

set --
for release in 1 2 3; do
    fields=$(seq 1 $release | sed 's/.*/u8 a&;/' | tr '\n' ' ')
    echo "protocol again = $release; packet P { $fields}" >"$scratch/again$release.pkt"
    "$PKTC" wireshark --port 9001 "$scratch/again$release.pkt" >"$scratch/again$release.lua"
    set -- "$@" -X "lua_script:$scratch/again$release.lua"
    echo "{\"a$release\": $release}" | "$PKTC" encode "$scratch/again$release.pkt" P >"$scratch/bytes" || failed=1
    od -An -v -tx1 "$scratch/bytes" | tr -d '\n' | sed 's/^/0000/; s/$/\n/' >>"$scratch/again.hex"
done
for port in 9001 9002; do
    text2pcap -q -u 1000,$port "$scratch/again.hex" "$scratch/again.pcap" 2>/dev/null
    HOME=$scratch tshark -n -r "$scratch/again.pcap" "$@" -T fields -E 'separator= ' -e again.p.a1 -e again_pkt.p.a2 \
        -e again_pkt2.p.a3 -e _ws.expert.message >"$scratch/again.txt" 2>"$scratch/again.errors"
    if [ "$(tr -s ' \n' ' ' <"$scratch/again.txt")" != '1 2 3 ' ]; then
        echo "releases on port $port:"
        cat "$scratch/again.errors" "$scratch/again.txt"
        failed=1
    fi
done

# ---- two releases: where the crc is not compared, an earlier datagram between the same two ends tells the release

scripts=
for release in 1 2; do
    more=$([ $release = 1 ] || echo 'u8 more;')
    {
        echo "protocol spoken = 1; packet Hello @stable(0x531f5cdefd29fd9e) { u8 game; }"
        echo "struct World @delta { u8 x; } struct Up { $more u8 y; }"
        echo "packet Down { u8 number; optional int<1, 7> back; $more World world delta(number from number - back); }"
    } >"$scratch/spoken$release.pkt"
    "$PKTC" wireshark --stream Input=Up "$scratch/spoken$release.pkt" >"$scratch/spoken$release.lua"
    scripts="$scripts -X lua_script:$scratch/spoken$release.lua"
done
echo null >"$scratch/null.json"
echo '{"world": {"x": 3}}' >"$scratch/bases"
count=100
# speaks RELEASE FROM,TO VALUE TYPE OPTION...: a datagram from one port to another; 9001 is that of the server
speaks() {
    schema=$scratch/spoken$1.pkt ports=$2 value=$3 type=$4 count=$((count + 1))
    shift 4
    echo "$value" | "$PKTC" encode "$@" "$schema" "$type" >"$scratch/bytes" || failed=1
    od -An -v -tx1 "$scratch/bytes" | tr -d '\n' | sed 's/^/0000/; s/$/\n/' >"$scratch/hex"
    case $ports in
    9001,*) addresses=192.0.2.1,192.0.2.2 ;;
    *) addresses=192.0.2.2,192.0.2.1 ;;
    esac
    text2pcap -q -4 $addresses -u "$ports" "$scratch/hex" "$scratch/spoken$count.pcap" 2>/dev/null
}
speaks 1 9001,5001 '{"number": 1, "world": {"x": 3}}' Down --base="$scratch/null.json"
speaks 2 9001,5002 '{"number": 1, "more": 21, "world": {"x": 3}}' Down --base="$scratch/null.json"
speaks 1 9001,5001 '{"number": 2, "back": 1, "world": {"x": 12}}' Down --base="$scratch/bases"
speaks 2 9001,5002 '{"number": 2, "back": 1, "more": 22, "world": {"x": 23}}' Down --base="$scratch/bases"
speaks 2 5002,9001 '{"game": 24}' Hello
speaks 1 5001,9001 '[{"Up": {"y": 13}}]' Up --frame=Input --seed=77
speaks 2 5002,9001 '[{"Up": {"more": 25, "y": 26}}]' Up --frame=Input --seed=77
# The player of port 5001 has got the update.
speaks 2 9001,5001 '{"number": 1, "more": 27, "world": {"x": 3}}' Down --base="$scratch/null.json"
speaks 2 5001,9001 '[{"Up": {"more": 28, "y": 29}}]' Up --frame=Input --seed=77
mergecap -a -w "$scratch/spoken.pcap" "$scratch"/spoken1??.pcap
expected='3 21 3 12 22 23 24 13 25 26 27 3 28 29 '
for twice in '' -2; do
    # shellcheck disable=SC2086 # several options, or none
    HOME=$scratch tshark -n $twice -r "$scratch/spoken.pcap" $scripts -T fields -E 'separator= ' -E occurrence=l \
        -e spoken.world.x -e spoken.up.y -e spoken.hello.game -e spoken_pkt.hello.game -e spoken_pkt.down.more \
        -e spoken_pkt.up.more -e spoken_pkt.world.x -e spoken_pkt.up.y -e _ws.expert.message >"$scratch/spoken.txt" 2>"$scratch/spoken.errors"
    if [ "$(tr -s ' \n' ' ' <"$scratch/spoken.txt" | sed 's/^ //')" != "$expected" ]; then
        echo "releases of two ends $twice:"
        cat "$scratch/spoken.errors" "$scratch/spoken.txt"
        failed=1
    fi
done

# ---- long lists, beside which the dissector keeps its own variables: labels, terms of a sum, and types of a stream

{
    echo 'protocol long = 1; struct H { u16 n; } packet S @delta { u8 a; } packet P { u16 k; switch (k) {'
    echo "case $(seq -s ', ' 0 3 900): u8 third; case $(seq -s ', ' 1 3 901): u8 other; default: u16 none; } }"
} >"$scratch/labels.pkt"
terms="H.n$(printf ' + H.n%.0s' $(seq 300))"
"$PKTC" wireshark --stream "L=H, S delta($terms from $terms)$(printf ', S%.0s' $(seq 300))" "$scratch/labels.pkt" >"$scratch/labels.lua"
for value in '0, "third": 1' '900, "third": 1' '901, "other": 2' '902, "none": 3'; do
    echo "{\"k\": $value}" | "$PKTC" encode "$scratch/labels.pkt" P >"$scratch/bytes" || failed=1
    od -An -v -tx1 "$scratch/bytes" | tr -d '\n' | sed 's/^/0000/; s/$/\n/' >>"$scratch/labels.hex"
done
{
    echo "[{\"H\": {\"n\": 0}}"
    seq 301 | sed 's/.*/, {"S": {"a": 7}}/'
    echo ']'
} | "$PKTC" encode --frame=L --base="$scratch/null.json" "$scratch/labels.pkt" "H, S delta$(printf ', S%.0s' $(seq 300))" >"$scratch/bytes" || failed=1
od -An -v -tx1 "$scratch/bytes" | tr -d '\n' | sed 's/^/0000/; s/$/\n/' >>"$scratch/labels.hex"
text2pcap -q -u 1000,9001 "$scratch/labels.hex" "$scratch/labels.pcap" 2>/dev/null
HOME=$scratch tshark -n -r "$scratch/labels.pcap" -X "lua_script:$scratch/labels.lua" -T fields -E 'separator= ' -e long.p.third \
    -e long.p.other -e long.p.none -e long.s.a -e _ws.expert.message >"$scratch/labels.txt" 2>"$scratch/labels.errors"
if [ "$(tr -s ' ,\n' ' ' <"$scratch/labels.txt")" != "1 1 2 3 $(printf '7 %.0s' $(seq 302))" ]; then
    echo 'long lists:'
    cat "$scratch/labels.errors" "$scratch/labels.txt"
    failed=1
fi

# ---- filters, and the text of a line

cat >"$scratch/asked.pkt" <<'END'
protocol asked = 1;
struct Place { float<0, 100, 0.03125> x; double<0, 1.0e-100, 1.0e-103> tiny; }
union Thing { Place place; }
struct Ship { u16 id; u8 hp; }
packet P @delta { u8 a; Place home; Place list[<=3]; optional Place gone; Thing thing; string<20> name; Ship ships[<=4] by id; }
END
"$PKTC" wireshark --port 9001 --stream 'Q=P delta' --stream 'R=P delta(previous)*' "$scratch/asked.pkt" \
    >"$scratch/asked.lua"
value='{"a": 5, "home": {"x": 25.28125, "tiny": 2e-101}, "list": [{"x": 1.5}], "name": "a\u0085\u061c\u202eb\u2069"}'
listed='{"ships": {"7": {}, "700": {"hp": 3}}}'
echo "$value" | "$PKTC" encode "$scratch/asked.pkt" P >"$scratch/asked.bytes"
datagram 9001 "$(od -An -v -tx1 "$scratch/asked.bytes" | tr -d ' \n')" plain
echo "[{\"P\": $value}]" | "$PKTC" encode --frame=Q --base="$scratch/null.json" "$scratch/asked.pkt" 'P delta' >"$scratch/asked.bytes"
datagram 9001 "$(od -An -v -tx1 "$scratch/asked.bytes" | tr -d ' \n')" sent
echo "$listed" | "$PKTC" encode "$scratch/asked.pkt" P >"$scratch/asked.bytes"
datagram 9001 "$(od -An -v -tx1 "$scratch/asked.bytes" | tr -d ' \n')" listed
echo "[{\"P\": $listed}]" | "$PKTC" encode --frame=R "$scratch/asked.pkt" 'P delta(previous)*' >"$scratch/asked.bytes"
datagram 9001 "$(od -An -v -tx1 "$scratch/asked.bytes" | tr -d ' \n')" changed

# finds FILE FILTER INFO: the Info column of what the filter finds in the file; or nothing
finds() {
    found=$(HOME=$scratch tshark -n -r "$scratch/$1.pcap" -X "lua_script:$scratch/asked.lua" -Y "$2" -T fields -e _ws.col.Info \
        2>"$scratch/finds.errors")
    if [ "$found" != "$3" ]; then
        printf '%s, filter %s: found %s\n' "$1" "$2" "$found"
        cat "$scratch/finds.errors"
        failed=1
    fi
}
plain='P: a 5, name "a\u0085\u061c\u202eb\u2069"'
finds plain asked.p.home "$plain"
finds plain asked.place "$plain"
finds plain 'asked.place.x == 25.28125' "$plain"
finds plain 'asked.place.tiny == 1.998001998001998e-101' "$plain"
finds plain asked.thing "$plain"
finds plain asked.p.gone ''
finds listed 'asked.ship.id == 700 and asked.p.ships' 'P: a 0, name ""'
finds listed 'asked.ship.id == 8' ''
finds changed 'asked.ship.id == 700 and asked.p.ships' 'R: P a 0, name ""'
finds changed 'asked.ship.id == 8' ''
finds sent asked.place "Q: P a 5, name ${plain#*name }"
finds sent asked.thing ''

# ---- packets with parts: each says what `pktc decode` says

cat >"$scratch/parts.pkt" <<'END'
protocol parts = 1;
struct World @delta { u8 phase; u16 x coded; }
struct Bird @delta(predict) { int<0, 1000> at coded; }
packet Down {
    u16 number;
    optional int<1, 31> back, bird_back;
    optional int<1, 8> gap;
    optional World world delta(number from number - back);
    optional Bird bird delta(number from number - bird_back after number - bird_back - gap);
}
packet Two {
    u8 number;
    optional int<1, 7> back;
    World mine delta(number from number - back);
    World yours delta(number + 1 from number + 1 - back);
}
packet Long {
    u64 number;
    optional int<1, 31> back;
    Bird bird delta(number from number - back after number - back - 1);
}
struct Cave @delta { u8 phase; if (phase > 3) { u16 x; } }
packet Dark {
    u16 number;
    optional int<1, 31> back, world_back;
    optional Cave cave delta(number from number - back);
    World world delta(number from number - world_back);
}
packet Hello @seed { u16 x; }
END
: >"$scratch/hex"

# sends OPTIONS BASES TYPE VALUE: adds a packet to the capture; BASES is '' for one without parts
sends() {
    echo "$2" >"$scratch/bases"
    # shellcheck disable=SC2086 # several options
    echo "$4" | "$PKTC" encode $1 ${2:+--base "$scratch/bases"} "$scratch/parts.pkt" "$3" >"$scratch/bytes" || failed=1
    od -An -v -tx1 "$scratch/bytes" | tr -d '\n' | sed 's/^/0000/; s/$/\n/' >>"$scratch/hex"
}
one='{"world": {"x": 500}, "bird": {"at": 40}}'
two='{"world": {"x": 501}, "bird": {"at": 50}, "bird_before": {"at": 40}}'
sends '' null Down '{"number": 1, "world": {"x": 500}, "bird": {"at": 40}}'
sends '' "$one" Down '{"number": 2, "back": 1, "bird_back": 1, "world": {"x": 501}, "bird": {"at": 50}}'
sends '' "$two" Down '{"number": 3, "back": 1, "bird_back": 1, "gap": 1, "world": {"x": 503}, "bird": {"at": 61}}'
sends '' "$one" Down '{"number": 50, "back": 2, "world": {"x": 9}}'
sends '' "$two" Down '{"number": 4, "bird_back": 2, "gap": 3, "bird": {"at": 80}}'
sends '--seed 77' "$one" Down '{"number": 5, "back": 4, "world": {"x": 7}}'
sends '--seed 77' null Down '{"number": 6, "world": {"x": 8}}'
sends '' null Two '{"number": 255, "mine": {"x": 1}, "yours": {"x": 2}}'
sends '' '{"mine": {"x": 1}, "yours": {"x": 2}}' Two '{"number": 0, "back": 1, "mine": {"x": 3}, "yours": {"x": 4}}'
sends '' '{"mine": {"x": 1}, "yours": {"x": 2}}' Two '{"number": 1, "back": 2, "mine": {"x": 5}, "yours": {"x": 6}}'
# long NUMBER NUMBER NUMBER: three packets, of which the last one has the one before as its baseline
long() {
    sends '' null Long '{"number": '"$1"', "bird": {"at": 3}}'
    sends '' null Long '{"number": '"$2"', "bird": {"at": 13}}'
    sends '' '{"bird": {"at": 13}, "bird_before": {"at": 3}}' Long '{"number": '"$3"', "back": 1, "bird": {"at": 24}}'
}
long 1152921504606846977 1152921504606846978 1152921504606846979
long '"18446744073709551614"' '"18446744073709551615"' 0
sends '' '{"bird": {"at": 40}, "bird_before": {"at": 39}}' Long '{"number": "9223372036854775809", "back": 2, "bird": {"at": 41}}'
sends '' null Down '{"number": 255, "world": {"x": 21}}'
sends '' null Down '{"number": 511, "world": {"x": 22}}'
sends '' '{"world": {"x": 21}}' Down '{"number": 256, "back": 1, "world": {"x": 23}}'
# The second one cannot be read beyond its cave, but it has another world of number 60.
sends '' null Dark '{"number": 60, "cave": {"phase": 4, "x": 1}, "world": {"x": 3}}'
sends '' '{"cave": {"phase": 4, "x": 1}}' Dark '{"number": 60, "back": 2, "cave": {"phase": 4, "x": 7}, "world": {"x": 5}}'
sends '' '{"world": {"x": 5}}' Dark '{"number": 61, "world_back": 1, "world": {"x": 6}}'
sends '--seed 77' '' Hello '{"x": 5}'
sends '' '' Hello '{"x": 6}'
text2pcap -q -u 1000,9001 "$scratch/hex" "$scratch/parts.pcap" 2>/dev/null
# A value that was sent is shown twice: as it was sent, and in the whole value.
# A seed has to be right. The dissector names the packet of a datagram with another one, and all baselines that are not in
# the capture; decode does not know the packet, and names the first.
brief() { sed 's/.*damaged, or of another protocol, seed or baseline.*/damaged/; s/^$/damaged/; s/\(not in the capture\).*/\1/' "$1"; }
for seed in 77 0; do
    "$PKTC" decode --seed $seed "$scratch/parts.pkt" "$scratch/parts.pcap" | while read -r line; do
        echo "$line" | grep -oE '"(type|x|at|refused)": ("[^"]*"|[0-9]+)' | sed 's/^"[a-z]*": //; s/"//g; s/recording/capture/' | xargs
    done >"$scratch/decoded"
    "$PKTC" wireshark --seed $seed "$scratch/parts.pkt" >"$scratch/parts.lua"
    HOME=$scratch tshark -n -r "$scratch/parts.pcap" -X "lua_script:$scratch/parts.lua" -T fields -E 'separator= ' -E 'aggregator= ' \
        -e parts.packet-type -e parts.cave.x -e parts.world.x -e parts.hello.x -e parts.bird.at -e _ws.expert.message \
        2>"$scratch/parts.errors" | sed 's/ what follows depends.*//' |
        awk '{ line = $1; for (i = 2; i <= NF; i++) if ($i != $(i - 1)) line = line " " $i; print line }' >"$scratch/dissected"
    if [ $seed != 0 ]; then
        for list in decoded dissected; do brief "$scratch/$list" >"$scratch/brief" && mv "$scratch/brief" "$scratch/$list"; done
    fi
    if ! diff "$scratch/decoded" "$scratch/dissected"; then
        echo "packets with parts, seed $seed: what decode says, and what tshark says"
        failed=1
    fi
done

# A number comes again, with a value that is not known: then the older value of the number is not the baseline.
: >"$scratch/hex"
sends '' null Down '{"number": 60, "world": {"x": 1}}'
sends '' "$one" Down '{"number": 60, "back": 2, "world": {"x": 11}}'
sends '' '{"world": {"x": 11}}' Down '{"number": 61, "back": 1, "world": {"x": 12}}'
text2pcap -q -u 1000,9001 "$scratch/hex" "$scratch/parts.pcap" 2>/dev/null
HOME=$scratch tshark -n -r "$scratch/parts.pcap" -X "lua_script:$scratch/parts.lua" -T fields -e _ws.expert.message \
    2>"$scratch/parts.errors" | sed 's/; what.*//' >"$scratch/dissected"
if [ "$(xargs <"$scratch/dissected")" != 'Down.world: its baseline, 58, is not in the capture Down.world: its baseline, 60, is not in the capture' ]; then
    echo 'a number that comes again:'
    cat "$scratch/parts.errors" "$scratch/dissected"
    failed=1
fi

# ---- structs that are too large for a function of Lua, which has at most 200 local variables and levels of blocks

{
    echo 'protocol large = 1; struct Head { u16 n; optional int<1, 9> back; } struct Many @delta { u8 m0;'
    seq 6500 | sed 's/.*/bool b&;/'
    echo '} struct Deep @delta { u8 d0;'
    seq 98 | sed 's/.*/if (d0 != &) { u8 d&;/'
    echo "u8 last; $(printf '} %.0s' $(seq 99))"
    echo 'struct Within { u8 w0;'
    seq 98 | sed 's/.*/if (w0 != &) { u8 w&;/'
    printf '} %.0s' $(seq 99)
} >"$scratch/large.pkt"
delta='delta(Head.n from Head.n - Head.back)'
"$PKTC" wireshark --port 9001 --stream "Q=Head, Many $delta" --stream "R=Head, Deep $delta" --stream 'S=Head, Within' "$scratch/large.pkt" \
    >"$scratch/large.lua"
# large FRAME VALUE TYPE OPTION...: lists a value, which has a small number as its first field
large() {
    frame=$1 value=$2 type=$3
    shift 3
    echo "[{\"Head\": {\"n\": 1}}, {\"${type% delta}\": {$value}}]" |
        "$PKTC" encode --frame="$frame" "$@" "$scratch/large.pkt" "Head, $type" >"$scratch/bytes" || failed=1
    datagram 9001 "$(od -An -v -tx1 "$scratch/bytes" | tr -d ' \n')" large
    HOME=$scratch tshark -n -r "$scratch/large.pcap" -X "lua_script:$scratch/large.lua" >"$scratch/large.txt" 2>"$scratch/large.errors"
    if ! grep -q " $frame: Head n 1; ${type% delta} .. 99" "$scratch/large.txt"; then
        echo "a $type that is too large for a function of Lua:"
        cat "$scratch/large.errors" "$scratch/large.txt"
        failed=1
    fi
}
large Q '"m0": 99, "b6500": true' 'Many delta' --base="$scratch/null.json"
large R '"d0": 99, "last": 8' 'Deep delta' --base="$scratch/null.json"
large S '"w0": 99, "w97": 6' Within

# ---- what nobody looks at takes less work: half of what it takes if a filter asks for a field of it, or less

{
    echo 'protocol work = 1; enum Kind { none, tank, crate } struct Place @delta { float<0, 64, 0.01> x delta<6, 9>, y delta<6, 9>; }'
    echo 'struct Thing @delta { Kind kind; if (kind != none) { Place at; int<0, 359> yaw wrap delta<5, 7>; bool fires; } }'
    echo 'struct Head { u16 number; optional int<1, 9> back; } packet State @delta { Thing things[32]; int<0, 3> cells[999]; }'
} >"$scratch/work.pkt"
{
    printf '[{"Head": {"number": 7}}, {"State": {"things": ['
    seq 32 | sed 's|.*|{"kind": "tank", "at": {"x": &, "y": 0.5}, "yaw": 3&, "fires": true},|; $s/,$//'
    printf '], "cells": ['
    seq 999 | awk '{ printf "%s%d", (NR > 1 ? ", " : ""), (NR % 7 < 2) }'
    echo ']}}]'
} >"$scratch/work.json"
"$PKTC" encode --frame=W --base="$scratch/null.json" "$scratch/work.pkt" 'Head, State delta' <"$scratch/work.json" >"$scratch/bytes" || failed=1
: >"$scratch/hex"
for _ in $(seq 300); do
    od -An -v -tx1 "$scratch/bytes" | tr -d '\n' | sed 's/^/0000/; s/$/\n/' >>"$scratch/hex"
done
text2pcap -q -u 1000,9001 "$scratch/hex" "$scratch/work.pcap" 2>/dev/null
"$PKTC" wireshark --stream 'W=Head, State delta(Head.number from Head.number - Head.back)' "$scratch/work.pkt" >"$scratch/work.lua"

# works OPTION...: how many thousands of instructions of Lua it takes
works() {
    HOME=$scratch tshark -n -r "$scratch/work.pcap" -X lua_script:tests/dissect/work.lua -X "lua_script:$scratch/work.lua" "$@" \
        2>"$scratch/work.errors" >"$scratch/work.txt"
    sed -n 's/^work //p' "$scratch/work.errors"
}
listed=$(works)
sed -n 's/^slow /work: the functions for all cases read /p' "$scratch/work.errors"
asked=$(works -Y 'work.place.x == 3')
if ! [ "$listed" -gt 0 ] || ! [ "$((2 * listed))" -le "$asked" ]; then
    echo "work: $listed thousand instructions to list what takes $asked with a filter"
    failed=1
fi
exit $failed
