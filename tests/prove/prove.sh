#!/bin/sh
# prove.sh - generated readers and writers by Frama-C's EVA: no run-time error, whatever the bytes.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc prove.sh SCRATCH SCHEMA.pkt [PACKET...]       as C has their names; without packets: each of the schema
#                                                                     but unions, which hand on to their members
#
# prove.h has what is run for each packet, and what is believed of some functions. The code is the one that programs compile,
# but for words, which are put together by bytes (PKT_BYTEWISE), and instructions of one processor; an edge word asks for each
# byte there. A float that is no number is no error. Exit status 1 if there is an alarm.
# SEED is a command of sed for the generated bodies: a mistake that has to be found.
# Lists of words are split where they are used.
# shellcheck disable=SC2086
set -u
scratch=$1
schema=$2
shift 2
: "${PKTC:?}"
here=$(cd "$(dirname "$0")" && pwd)
stem=$(basename "$schema" .pkt)
generated=$scratch/$stem
rm -rf "$generated"
mkdir -p "$generated"
"$PKTC" --runtime -o "$generated" "$schema" || exit 1
if [ -n "${SEED:-}" ]; then
    cp "$generated/${stem}_codec.h" "$generated/before"
    sed "$SEED" "$generated/before" >"$generated/${stem}_codec.h"
    if cmp -s "$generated/before" "$generated/${stem}_codec.h"; then
        echo "'$SEED' changes nothing" >&2
        exit 2
    fi
fi
if [ $# = 0 ]; then
    for packet in $(sed -n 's/^bool \([A-Za-z0-9_]*\)_unpack(.*/\1/p' "$generated/$stem.h"); do
        grep -q "^typedef .* ${packet}_tag;" "$generated/$stem.h" || set -- "$@" "$packet"
    done
fi
{
    printf '#include "prove.h"\n#include "%s.h"\n' "$stem"
    for packet in "$@"; do
        if grep -q "^bool ${packet}_read_delta(" "$generated/$stem.h"; then echo "PROVE_DELTA($packet)"; else echo "PROVE($packet)"; fi
    done
} >"$generated/driver.c"
rm -f "$generated/pkt_crc32.c" "$generated/pkt_reflect.c"
if ! frama-c -cpp-extra-args="-I$generated -I$here -DPKT_BYTEWISE -U__GNUC__ -U__SSE2__ -U__SSE__" "$generated"/*.c \
    -save "$generated/parsed" >"$generated/parsed.log" 2>&1; then
    cat "$generated/parsed.log"
    exit 2
fi
failed=0
for packet in "$@"; do
    start=$(date +%s)
    if timeout "${PROVE_TIMEOUT:-600}" frama-c -load "$generated/parsed" -main "prove_$packet" -eva -eva-precision 1 \
        -eva-split-return auto -eva-plevel 1000 ${EXTRA:-} -warn-special-float none -eva-warn-key alarm=error \
        -eva-use-spec pkt_error_outer,pkt_writer_grow,pkt_text_valid,pkt_text_copy,pkt_text_size \
        >"$generated/$packet.log" 2>&1; then
        echo "proved: $stem: $packet ($(($(date +%s) - start)) s)"
    else
        echo "not proved: $stem: $packet ($(($(date +%s) - start)) s): $generated/$packet.log"
        failed=$((failed + 1))
    fi
done
[ $failed = 0 ]
