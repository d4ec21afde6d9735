#!/bin/sh
# prove.sh - generated readers and writers by Frama-C's EVA: no run-time error, whatever the bytes.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc prove.sh SCRATCH SCHEMA.pkt [PACKET...]       as C has their names; PACKET_body is its body's functions,
#                                                                     PACKET_delta its deltas; without any: each packet of the
#                                                                     schema and its body, but unions, which hand on to their members
#
# prove.h has what is run for each packet, and what is believed of some functions. The code is the one that programs compile,
# but for words, which are put together by bytes (PKT_BYTEWISE), and instructions of one processor; an edge word asks for each
# byte there. A float that is no number is no error. Exit status 1 if there is an alarm, 2 if
# there is no result.
# EACH: see prove.h. EXTRA: more options for Frama-C.
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
    packets=$(sed -n 's/^bool \([A-Za-z0-9_]*\)_unpack(.*/\1/p' "$generated/$stem.h")
    for packet in $packets; do
        grep -q "^typedef .* ${packet}_tag;" "$generated/$stem.h" || set -- "$@" "$packet" "${packet}_body"
    done
fi
# Loops over elements of a fixed size are bounded by one check, which a proof has to see for each number of elements by itself.
for codec in "$generated"/*_codec.h; do
    case ${codec##*/} in pkt_*) continue ;; esac
    awk '
        /const uint32_t n[0-9] = .*;/ { name = $3; at = match($0, /c/); fixed = 0 }
        /PKT_NEED\(.*\(uint64_t\)n[0-9]/ { print "/*@ split " name "; */"; end = at - 4 }
        /if \(mode == PKT_MEASURE\)/ { fixed = 1 }
        /for \(; (n[0-9] - i|i[0-9] < n)/ && fixed { print "/*@ loop unroll 1000; */" }
        $1 == "}" && match($0, /}/) == end { print "/*@ merge " name "; */"; end = 0 }
        { print }
    ' "$codec" >"$generated/before"
    mv "$generated/before" "$codec"
done
{
    printf '#include "%s.h"\n' "$stem"
    sed -n -e 's/^bool \(.*\)_unpack(.*/PROVE(\1)/p' -e 's/^bool \(.*\)_unpack_delta(.*/PROVE_DELTA(\1)/p' "$generated/$stem.h"
} >"$generated/driver.c"
rm -f "$generated/pkt_crc32.c" "$generated/pkt_reflect.c"
if ! frama-c -cpp-extra-args="-I$generated -I$here -include prove.h -DPKT_BYTEWISE ${EACH:+-DEACH} -U__GNUC__ -U__SSE2__ -U__SSE__ -CC" \
    "$generated"/*.c -save "$generated/parsed" >"$generated/parsed.log" 2>&1; then
    cat "$generated/parsed.log"
    exit 2
fi
status=0
for packet in "$@"; do
    start=$(date +%s)
    timeout "${PROVE_TIMEOUT:-900}" frama-c -load "$generated/parsed" -main "prove_$packet" -eva -eva-precision 1 \
        -eva-split-return auto -eva-plevel 1000 -eva-split-limit 1000 ${EXTRA:-} -warn-special-float none -eva-warn-key alarm=error \
        -eva-use-spec pkt_error_outer,pkt_writer_grow,pkt_text_valid,pkt_text_copy,pkt_text_size \
        >"$generated/$packet.log" 2>&1
    result=$?
    took="$stem: $packet${EACH:+, each length} ($(($(date +%s) - start)) s)"
    if [ $result = 0 ]; then
        echo "proved: $took"
    elif grep -q '^\[eva:alarm\]' "$generated/$packet.log"; then
        echo "alarms: $took: $generated/$packet.log"
        [ $status = 2 ] || status=1
    else
        echo "no result: $took: $generated/$packet.log"
        status=2
    fi
done
exit $status
