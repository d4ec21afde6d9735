#!/bin/sh
# formed.sh - writes the inputs that fuzzing of pktc's parts starts with: formed ones, which random bytes would not become.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc formed.sh TARGET DIRECTORY     from the top directory; TARGET is lsp or recordings
#
# lsp: the questions and edits of an editor about a schema, in each of the three forms of fuzz_lsp.c. recordings: for each command of
# fuzz_recordings.c and each schema, packets of base values; and files of them, as tcpdump writes them and as pktc does.
set -u
target=$1
to=$2
made=$to.made
rm -rf "$to" "$made"
mkdir -p "$to" "$made/packets"
trap 'rm -rf "$made"' EXIT

# Bytes from decimal numbers.
bytes() {
    # shellcheck disable=SC2059 # the format is made of octal numbers
    printf "$(printf '\\%03o' "$@")"
}

# ---- lsp

uri=file:///nowhere/fuzzed.pkt

# A schema as the text of a JSON string.
json_text() {
    sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g; s/$/\\n/' "$1" | tr -d '\n\r'
}

# The messages about a schema, a line each.
messages() {
    about="\"textDocument\":{\"uri\":\"$uri\"},\"position\":{\"line\":3,\"character\":6}"
    echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    echo '{"jsonrpc":"2.0","method":"initialized","params":{}}'
    echo "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"$uri\",\"languageId\":\"pkt\",\"version\":1,\"text\":\"$(json_text "$1")\"}}}"
    echo "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":\"$uri\",\"version\":2},\"contentChanges\":[{\"range\":{\"start\":{\"line\":2,\"character\":0},\"end\":{\"line\":2,\"character\":1}},\"text\":\"u8 x;\"}]}}"
    for method in hover completion rename semanticTokens/full; do
        echo "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"textDocument/$method\",\"params\":{$about,\"newName\":\"renamed\"}}"
    done
    echo "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didClose\",\"params\":{\"textDocument\":{\"uri\":\"$uri\"}}}"
    echo '{"jsonrpc":"2.0","id":3,"method":"shutdown"}'
    echo '{"jsonrpc":"2.0","method":"exit"}'
}

# Each question at a place in the schema, an edit before every third one.
steps() {
    for question in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
        if [ $((question % 3)) = 0 ]; then
            bytes 128 $((question / 2 + 1)) 4 0 4 0 0 5
            printf 'u8 x;'
        fi
        bytes $question $((question / 2 + 1)) 6 1 9 1 1 0
    done
}

lsp_inputs() {
    for schema in schemas/vec.pkt schemas/cubes.pkt tests/roundtrip/small.pkt tests/check/errors/*.pkt; do
        [ "$(wc -c <"$schema")" -lt 1500 ] || continue
        {
            bytes 2
            cat "$schema"
            printf '.\n'
            steps
        } >"$to/session-$(basename "$schema")"
    done
    {
        bytes 1
        messages schemas/vec.pkt
    } >"$to/lines"
    messages schemas/vec.pkt | {
        bytes 8
        while IFS= read -r line; do
            printf 'Content-Length: %d\r\n\r\n%s' "$(printf %s "$line" | wc -c)" "$line"
        done
    } >"$to/stream"
}

# ---- recordings

# The packets of base values that a schema has, in files of their numbers; with --body, their bodies.
packets() {
    rm -f "$made"/packets/*
    number=0
    for packet in $(sed -n 's/^packet \([A-Za-z0-9_]*\).*/\1/p' "$1"); do
        # shellcheck disable=SC2086 # no option, or one
        echo '{}' | "$PKTC" encode ${2:-} "$1" "$packet" >"$made/packets/$number" 2>/dev/null || rm "$made/packets/$number"
        number=$((number + 1))
    done
}

little32() {
    bytes $(($1 % 256)) $(($1 / 256 % 256)) 0 0
}

# A capture of the packets, as tcpdump writes it: raw IPv4 with UDP.
capture() {
    printf '\324\303\262\241\002\000\004\000\000\000\000\000\000\000\000\000\000\000\004\000\145\000\000\000'
    for packet in "$made"/packets/*; do
        size=$(wc -c <"$packet")
        little32 1000
        little32 0
        little32 $((size + 28))
        little32 $((size + 28))
        bytes 69 0 $(((size + 28) / 256)) $(((size + 28) % 256)) 0 0 0 0 64 17 0 0 127 0 0 1 127 0 0 1
        bytes 35 40 35 40 $(((size + 8) / 256)) $(((size + 8) % 256)) 0 0
        cat "$packet"
    done
}

recording_inputs() {
    schema=0
    for file in schemas/example/arena.pkt tests/roundtrip/datagram.pkt schemas/mygame.pkt tests/fuzz/libfuzzer/trained.pkt; do
        packets "$file" --body
        for packet in "$made"/packets/*; do
            size=$(wc -c <"$packet")
            [ "$size" -lt 256 ] || continue
            # Sent, with a checksum and an end check.
            bytes $((2 * $(basename "$packet") + 1)) 2 "$size"
            cat "$packet"
        done >"$made/datagrams"
        packets "$file"
        capture >"$made/captured.pcap"
        "$PKTC" convert "$file" "$file" "$made/captured.pcap" >"$made/recorded.pcapng" || exit 1
        for how in 0 1 2 3 4 5 6 7 16 18; do
            {
                bytes $how $schema
                cat "$made/datagrams"
            } >"$to/packets-$schema-$how"
            {
                bytes $how $((28 + schema))
                cat "$made/captured.pcap"
            } >"$to/captured-$schema-$how"
            {
                bytes $how $((28 + schema))
                cat "$made/recorded.pcapng"
            } >"$to/recorded-$schema-$how"
        done
        schema=$((schema + 1))
    done
}

case $target in
lsp) lsp_inputs ;;
recordings) recording_inputs ;;
esac
