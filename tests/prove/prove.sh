#!/bin/sh
# prove.sh - generated readers and writers by Frama-C's EVA: no run-time error for any bytes of any length up to 1,500.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc prove.sh SCRATCH SCHEMA.pkt [PACKET...]       without packets: each of the schema but unions, which
#                                                                     hand on to their members
#
# A driver for each packet reads arbitrary bytes of an arbitrary length into a struct, and writes what came of it, whether
# or not it was refused, into a buffer of an arbitrary length. The code is the one that programs compile, but for words, which
# are put together by bytes (PKT_BYTEWISE), and instructions of one processor; an edge word asks for each byte there. A float that
# is no number is no error. Exit status 1 if there is an alarm.
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
sources=$(ls "$generated"/*.c | grep -v '/pkt_crc32\.c$\|/pkt_reflect\.c$')
proved=0
failed=

for packet in "$@"; do
    cat >"$generated/$packet.driver.h" <<DRIVER
#include "$stem.h"
#include "__fc_builtin.h"

static uint8_t storage[1500];

int main(void)
{
    static $packet v;
    pkt_reader r;
    pkt_writer w;
    Frama_C_make_unknown((char *)storage, sizeof storage);
    ${packet}_init(&v);
    pkt_reader_init(&r, storage, Frama_C_unsigned_int_interval(0, sizeof storage));
    ${packet}_read(&r, &v);
    pkt_writer_init(&w, storage, Frama_C_unsigned_int_interval(0, sizeof storage));
    ${packet}_write(&w, &v);
    return 0;
}
DRIVER
    printf '#include "prove.h"\n#include "%s.driver.h"\n' "$packet" >"$generated/driver.c"
    if timeout "${PROVE_TIMEOUT:-600}" frama-c -eva -eva-precision "${PRECISION:-1}" -eva-split-return auto -eva-plevel ${PLEVEL:-1000} ${EXTRA:-} -eva-use-spec pkt_error_outer,pkt_writer_grow,pkt_text_valid,pkt_text_copy,pkt_text_size \
        -warn-special-float none -eva-warn-key alarm=error -cpp-extra-args="-I$generated -I$here -DPKT_BYTEWISE -U__GNUC__ -U__SSE2__ -U__SSE__" \
        "$generated/driver.c" $sources >"$generated/$packet.log" 2>&1; then
        proved=$((proved + 1))
    else
        failed="$failed $packet"
        echo "alarms: $stem: $packet: $generated/$packet.log"
    fi
done
echo "$stem: $proved of $# packets: no run-time error for any bytes"
[ -z "$failed" ]
