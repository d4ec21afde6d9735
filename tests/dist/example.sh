#!/bin/sh
# example.sh - checks that the example runs and ends by itself, and that it notices what it is there to notice.
# SPDX-License-Identifier: MIT
#
# usage: example.sh DIR SCRATCH     DIR has the objects that the example is made of
dir=$(cd "$1" && pwd)
scratch=$2
. tests/dist/common.sh

# The handshake never changes: with other ids, an old client and a new server could not read each other's.
for id in 111f2c3be925d582 55e6cb2181c06351 5bdd3311cc842f17 9c26e8a33142a33f; do
    check grep -q "@stable(0x$id)" schemas/example/arena.pkt
done

# Compiles the example with flags in a directory that has its sources and the objects of what is generated.
build() {
    check sh -c "cd '$1' && ${CC:-cc} -std=gnu99 $2 -I. -I'$dir/generated' -c arena_serve.c &&
        hosting='host.c admission.c numbers.c recorder.c snapshots.c world.c' &&
        ${CC:-cc} -std=gnu99 $2 -I. -I'$dir/generated' -o rehearsal rehearsal.c client.c \$hosting *.o -lm &&
        ${CC:-cc} -std=gnu99 $2 -I. -I'$dir/generated' -c udp.c &&
        ${CC:-cc} -std=gnu99 $2 -I. -I'$dir/generated' -o server server.c \$hosting *.o -lm &&
        ${CC:-cc} -std=gnu99 $2 -I. -I'$dir/generated' -o bots bots.c client.c *.o -lm"
}

for name in sound blind; do
    mkdir -p "$scratch/$name"
    cp "$dir"/arena*.o "$dir/pkt.o" "$dir/generated/arena_serve.c" $(find schemas/example -maxdepth 1 -type f) "$scratch/$name"
done

# With sanitizers in all that is written by hand. What an earlier run has left must not be used.
sanitize='-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all'
build "$scratch/sound" "$sanitize"
if command -v c++ >/dev/null; then
    check sh -c "cd '$scratch/sound' && c++ -std=c++17 $sanitize -I. -I'$dir/generated' -o spectator spectator.cpp *.o"
fi
if command -v mcs >/dev/null && command -v mono >/dev/null; then
    sharp=$scratch/sharp
    check "$PKTC" bind cs -o "$sharp" schemas/example/arena.pkt
    check sh -c "${CC:-cc} -std=c99 -O1 -fPIC -shared -I'$dir/generated' -o '$sharp/libarena.so' '$sharp/arena_bind.c' \
        '$dir/generated/arena.c' '$dir/generated/pkt.c' -lm"
    check mcs -warnaserror -unsafe -langversion:7 -out:"$sharp/spectator.exe" schemas/example/Spectator.cs "$sharp/arena.cs"
    printf '#!/bin/sh\nexec mono "%s" "$@"\n' "$sharp/spectator.exe" >"$scratch/sound/spectator_cs"
    chmod +x "$scratch/sound/spectator_cs"
else
    skip 'the spectator in C#: no mcs (package mono-mcs)'
fi
if .ci/need clang-wasi node >/dev/null 2>&1; then
    script=$scratch/script
    mkdir -p "$script"
    cp schemas/example/spectator.mjs "$script"
    check "$PKTC" bind ts -o "$script" schemas/example/arena.pkt
    check clang --target=wasm32-wasi -nostdlibinc -isystem /usr/include/wasm32-wasi -w -O2 -mbulk-memory -nostartfiles \
        -Wl,--no-entry,--stack-first,-z,stack-size=1048576 -I"$dir/generated" -o "$script/arena.wasm" "$script/arena_bind.c" \
        "$dir/generated/arena.c" "$dir/generated/pkt.c"
    printf '#!/bin/sh\nexec node "%s" "$@"\n' "$script/spectator.mjs" >"$scratch/sound/spectator_js"
    chmod +x "$scratch/sound/spectator_js"
else
    skip 'the spectator in JavaScript: no node, or no clang for wasm'
fi
echo 'listening on port 9' >"$scratch/sound/server.out"
check sh -c "timeout 60 schemas/example/run.sh '$scratch/sound' 2 >'$scratch/sound/played' || { cat '$scratch/sound/played'; false; }"

check grep -qx '  the old client: "please update: your version is 1, the server.s is 8"' "$scratch/sound/played"
for each in "$scratch/sound/spectator_cs" "$scratch/sound/spectator_js"; do
    [ ! -x "$each" ] || check test "$(grep -c ' snapshot ' "$each.log")" -gt 10
done
check grep -Eqx '  told to update: release 1 +[1-9][0-9]*' "$scratch/sound/played"

# Every datagram that the server sent is decoded, each snapshot as a delta to its baseline.
recording=$scratch/sound/match.pcapng
check test "$(head -c 4 "$recording" | od -An -tx1)" = ' 0a 0d 0d 0a'
check sh -c "$PKTC decode '$recording' >'$scratch/sound/decoded'"
check test "$(grep -c '"direction": "sent".*"type": "ToClient".*"snapshot": {' "$scratch/sound/decoded")" = \
    "$(grep -c snapshot "$scratch/sound/server.log")"
check test "$(grep -c '"type": "ToServer".*"commands": \[{' "$scratch/sound/decoded")" -gt 1000
check sh -c "! grep '\"direction\": \"sent\".*\"refused\": \"' '$scratch/sound/decoded'"
check sh -c "! grep '\"crc\": \"unchecked\"' '$scratch/sound/decoded'"

# A match in one thread is the same each time that its seed is.
for seed in 1 1 2; do
    check sh -c "'$scratch/sound/rehearsal' $seed 2000 >>'$scratch/sound/rehearsed'"
done
check test "$(sort -u "$scratch/sound/rehearsed" | wc -l)" = 2
check sh -c "! grep -v ' [1-9][0-9]* joined again, 0 wrong, ' '$scratch/sound/rehearsed'"

# The server removes clients that stand still for longer than its patience. They join again, each with a new session.
mkdir -p "$scratch/again"
"$scratch/sound/server" 0 "$scratch/again/server.log" >"$scratch/again/server.out" &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    grep -q '^listening' "$scratch/again/server.out" && break
    sleep 0.1
done
"$scratch/sound/bots" "$(awk '/^listening/ { print $4 }' "$scratch/again/server.out")" --bots 8 --seconds 16 \
    --log "$scratch/again/bots.log" >"$scratch/again/bots.out" &
bots=$!
sleep 2
kill -STOP $bots
sleep 4
kill -CONT $bots
check wait $bots
check wait $server
check test "$(awk '$2 == "snapshot" { print $1 }' "$scratch/again/bots.log" | sort -u | wc -l)" -ge 16
check grep -Eq '^joined again +[1-9]' "$scratch/again/bots.out"
check awk -f schemas/example/compare.awk "$scratch/again/server.log" "$scratch/again/bots.log"

# With clients of the releases before, too. Their packets are decoded by the schemas of their releases.
mkdir -p "$scratch/served"
cp "$scratch/sound/server" "$scratch/sound/bots" "$dir/bots_v6" "$dir/bots_v7" "$scratch/served"
check sh -c "timeout 60 schemas/example/run.sh '$scratch/served' 4 >'$scratch/served/played' || { cat '$scratch/served/played'; false; }"
check grep -qx '  release 6, 8 bots' "$scratch/served/played"
check grep -qx '  release 7, 8 bots' "$scratch/served/played"
if [ -f "$scratch/sound/decoded" ]; then
    check sh -c "$PKTC decode '$scratch/served/match.pcapng' >'$scratch/served/decoded'"
    check test "$(grep -c '"direction": "sent".*"type": "ToClient".*"snapshot": {' "$scratch/served/decoded")" = \
        "$(grep -c snapshot "$scratch/served/server.log")"
    check sh -c "! grep '\"direction\": \"sent\".*\"refused\": \"' '$scratch/served/decoded'"

    # All seeds are recorded. So nothing is unchecked, and as a recording of the newest release it is that of a session too.
    check sh -c "! grep '\"crc\": \"unchecked\"' '$scratch/served/decoded'"
    check sh -c "$PKTC convert schemas/example/arena.pkt '$scratch/served/match.pcapng' >'$scratch/served/new.pcapng'"
    check sh -c "$PKTC decode '$scratch/served/new.pcapng' >'$scratch/served/new'"
    check sh -c "! grep '\"crc\": \"unchecked\"\|\"refused\": \"' '$scratch/served/new'"
    check test "$(wc -l <"$scratch/served/new")" = "$(grep -vc '"refused": "' "$scratch/served/decoded")"

    # A program replays the recording by itself, each client with the packets of its release, and reads what decode reads.
    check sh -c "${CC:-cc} -std=gnu99 $sanitize -I'$dir/generated' -o '$scratch/served/replayed' tests/dist/replayed.c \
        '$dir'/arena*.o '$dir/pkt.o' -lm && '$scratch/served/replayed' '$scratch/served/match.pcapng' >'$scratch/served/replay'"
    seen() { grep -c "$1" "$scratch/served/decoded"; }
    check test "$(cat "$scratch/served/replay")" = "ToClient $(seen '"type": "ToClient", "value"')
ToServer $(seen '"type": "ToServer", "value"')
greetings $(seen '"type": "[HCR][a-z]*", "value"')
refused $(seen '"refused": "')"
fi

# Wireshark sees the same, with right checksums.
if command -v tshark >/dev/null; then
    check sh -c "tshark -r '$recording' -Y udp -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE -T fields -e frame.number \
        -e frame.p2p_dir -e ip.src -e udp.srcport -e ip.dst -e udp.dstport -e udp.length -e ip.checksum.status \
        -e udp.checksum.status 2>'$scratch/sound/tshark.err' | awk '{ print \$1, \$2 ? \"received\" : \"sent\", \$3 \":\" \$4, \
        \$5 \":\" \$6, \$7 - 8; if (\$8 != 1 || \$9 != 1) print \"checksum\" }' >'$scratch/sound/seen'"
    check sh -c "sed 's/^{\"index\": \([0-9]*\),.*\"direction\": \"\([a-z]*\)\", \"from\": \"\([0-9.:]*\)\", \"to\": \
\"\([0-9.:]*\)\", \"size\": \([0-9]*\),.*/\1 \2 \3 \4 \5/' '$scratch/sound/decoded' | cmp - '$scratch/sound/seen'"

    # The dissector shows what decode prints: all datagrams of the clients of which most was refused, and of the old client.
    # Heuristics first: a client may have got a port that is known to tshark as one of another protocol.
    {
        sed -n '/"refused": "/s/.*"from": "127.0.0.1:\([0-9]*\)".*/\1/p' "$scratch/sound/decoded" | sort | uniq -c |
            sort -rn | awk 'NR <= 4 { print $2 }'
        sed -n '/"type": "Refused"/s/.*"to": "127.0.0.1:\([0-9]*\)".*/\1/p' "$scratch/sound/decoded" | sed 1q
    } >"$scratch/sound/ports"
    check tshark -r "$recording" -w "$scratch/sound/part.pcapng" \
        -Y "udp.port in {$(paste -s -d , "$scratch/sound/ports")} or ip.proto == 253"
    check sh -c "$PKTC wireshark schemas/example/arena.pkt >'$scratch/sound/arena.lua'"
    check sh -c "HOME='$scratch' tshark -n -r '$scratch/sound/part.pcapng' -Y udp -T pdml -o udp.try_heuristic_first:TRUE \
        -X lua_script:'$scratch/sound/arena.lua' 2>'$scratch/sound/tshark.err' |
        '$COMPARE' decode '$scratch/sound/part.pcapng'"
fi

# Programs whose checksums do not cover the baseline show what comes of a wrong one: the hash of each is the same.
cp "$dir"/generated/*.h "$scratch/blind"
sed 's/= Snapshot_hash(value_);/= sizeof *value_;/' "$dir/generated/arena.h" \
    >"$scratch/blind/arena.h"
sed 's/= Snapshot_hash(&ring->value\[i\]);/= sizeof ring->value[i];/' schemas/example/bots.c >"$scratch/blind/bots.c"
check sh -c "! cmp -s '$scratch/blind/arena.h' '$dir/generated/arena.h'"
check sh -c "! cmp -s '$scratch/blind/bots.c' schemas/example/bots.c"
build "$scratch/blind" ''
timeout 60 schemas/example/run.sh "$scratch/blind" 2 >"$scratch/blind/out"
check test $? = 1
check grep -q 'NO: the wrong baseline was noticed' "$scratch/blind/out"
check grep -q 'NO: [0-9]* hashes' "$scratch/blind/out"

# The world that moves is not rounded.
slow_crate() {
    ${CC:-cc} -std=gnu99 $sanitize -I"$1" -I"$dir/generated" -o "$1/slow_crate" tests/dist/slow_crate.c "$1/world.c" \
        "$dir"/arena.o "$dir/pkt.o" -lm && "$1/slow_crate" >"$1/slow_crate.out"
}
check slow_crate "$scratch/sound"
sed 's/Snapshot_copy(&w->settled, &w->exact);/Snapshot_quantize(\&w->exact);/
     s/Snapshot_quantize(&w->settled);/Snapshot_copy(\&w->settled, \&w->exact);/' \
    schemas/example/world.c >"$scratch/blind/world.c"
check sh -c "! cmp -s '$scratch/blind/world.c' schemas/example/world.c"
check test "$(slow_crate "$scratch/blind" >/dev/null; echo $?)" = 1
finish
