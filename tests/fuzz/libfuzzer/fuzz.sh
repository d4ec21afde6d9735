#!/bin/sh
# fuzz.sh - libFuzzer on generated readers and on pktc itself, with the address and undefined behaviour sanitizers.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc PKTC_LIBRARY="FILE.c..." fuzz.sh SCRATCH SECONDS TARGET...
#
# A target is a schema, whose packets are read from whatever bytes there are: what is accepted has to be written again as the same
# bytes, and its delta to another value has to come back. Or it is `pktc`: any text is checked, and translated where it is right.
# Inputs that find something new are kept in SCRATCH/NAME/corpus. Exit status 1 if anything was found.
# Lists of words are split where they are used.
# shellcheck disable=SC2086
set -u
scratch=$1
seconds=$2
shift 2
: "${PKTC:?}"
here=$(cd "$(dirname "$0")" && pwd)
sanitize='-g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all'
found=0

# The bytes of the first packet of each input say which of the schema's packets it is.
make_schema_target() {
    directory=$1
    schema=$2
    stem=$(basename "$schema" .pkt)
    # with what it imports
    imports=$(sed -n "s|^import \"\(.*\)\";|$(dirname "$schema")/\1|p" "$schema")
    "$PKTC" --runtime -o "$directory" "$schema" $imports || return 1
    {
        printf '#include "%s.h"\n' "$stem"
        echo '#define PACKETS(X) \'
        sed -n 's/^bool \([A-Za-z0-9_]*\)_unpack(.*/    X(\1) \\/p' "$directory/$stem.h"
        echo
        echo '#define DELTAS(X) \'
        sed -n 's/^bool \([A-Za-z0-9_]*\)_unpack_delta(.*/    X(\1) \\/p' "$directory/$stem.h"
        echo
    } >"$directory/packets.h"
    # Without the inlining that generated code asks for, which takes the sanitizers minutes.
    clang -std=c11 $sanitize '-Dalways_inline=__unused__' -I"$directory" -o "$directory/fuzz" "$here/fuzz_packets.c" \
        "$directory"/*.c -lm
}

make_pktc_target() {
    clang -std=c11 -D_POSIX_C_SOURCE=200809L $sanitize $PKTC_FLAGS -o "$1/fuzz" "$here/fuzz_pktc.c" $PKTC_LIBRARY -lm
}

for target in "$@"; do
    name=$(basename "$target" .pkt)
    directory=$scratch/$name
    rm -f "$directory"/*.c "$directory"/*.h
    mkdir -p "$directory/corpus" "$directory/seeds"
    if [ "$target" = pktc ]; then
        make_pktc_target "$directory" || exit 1
        cp schemas/*.pkt tests/errors/*.pkt "$directory/seeds"
        options="-max_len=4096 -dict=$here/pkt.dict"
    else
        make_schema_target "$directory" "$target" || exit 1
        options='-max_len=1500'
    fi
    if "$directory/fuzz" -max_total_time="$seconds" -timeout=10 -print_final_stats=1 -artifact_prefix="$directory/" $options \
        "$directory/corpus" "$directory/seeds" >"$directory/log" 2>&1; then
        echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$directory/log") inputs, nothing found"
    else
        echo "$name: found something"
        tail -n 40 "$directory/log"
        found=1
    fi
done
exit $found
