#!/bin/sh
# roundtrip.sh - make prove-roundtrips: proves that what is unpacked is what was packed, and packs to the same bytes, and
# checks that proofs of wrong code fail.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc roundtrip.sh SCRATCH [mistakes]
#
# roundtrip/roundtrip_mygame.h and roundtrip_delta.h have what is proved, roundtrip/roundtrip.py how. With `mistakes`, proves nothing, and checks only that
# each mistake that a proof has to notice changes the code.
#
# SCRATCH/proved keeps the results of the proofs, each for the code that it was run on. PROVE_TIME: begins no proof after so
# many seconds.
# Lists of words are split on purpose.
# shellcheck disable=SC2086
set -u
scratch=$1
apply=${2:-}
: "${PKTC:?}"
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../passed.sh"
proved=$scratch/proved
status=0
until=$(($(date +%s) + ${PROVE_TIME:-9999999}))
mkdir -p "$scratch"
touch "$proved"

# STEM: the schema, whose code is in SCRATCH/STEM, and the claims.
use() {
    stem=$1
    code=$scratch/$stem
}
# Generates the code. Quantizing becomes a call, so that roundtrip.py can take it for an unknown function.
generate() {
    rm -rf "$code"
    mkdir -p "$code" && "$PKTC" -o "$code" "$1" || exit 1
    cp "$code/pkt_inside.h" "$code/before"
    sed '/^PKT_INLINE uint64_t pkt_quantize64(/{
        i uint32_t prove_quantize(float v, float lo, float hi, uint32_t steps) __attribute__((const));
        i float prove_dequantize(uint32_t code, float lo, float hi, uint32_t steps) __attribute__((const));
        i #ifdef PROVE
        i #define pkt_quantize prove_quantize
        i #define pkt_dequantize prove_dequantize
        i #endif
    }' "$code/before" >"$code/pkt_inside.h"
    ! cmp -s "$code/before" "$code/pkt_inside.h" || exit 1
}
# Compiles the code as for a processor without vectors, which roundtrip.py does not follow.
compile() {
    case $stem in
    mygame) set -- pkt.c vec.c mygame.c roundtrip_mygame.h ;;
    *) set -- pkt.c "$stem.c" roundtrip_delta.h ;;
    esac
    printf '#include "%s"\n' "$@" >"$code/driver.c"
    clang -O1 -std=c99 -DPROVE -DPKT_PORTABLE -U__SSE2__ -U__SSE__ -fno-vectorize -fno-slp-vectorize -fno-unroll-loops \
        -I"$code" -I"$here/roundtrip" -S -emit-llvm "$code/driver.c" -o "$code/driver.ll"
}
# [N]: tries all quantized numbers, or every N-th.
quantized() {
    clang -O2 -std=c99 -I"$code" "$here/roundtrip/quantized.c" "$code/pkt.c" -lm -o "$code/quantized" &&
        "$code/quantized" ${1:-}
}

# Tries all coded numbers.
coded() {
    clang -O2 -std=c99 -I"$code" "$here/roundtrip/coded_step.c" "$code/coded_step.c" "$code/pkt.c" -lm -o "$code/coded" &&
        "$code/coded"
}

# WHAT COMMAND...: runs a proof, or takes its result if it was run on the same code before.
prove() {
    what=$1
    shift
    [ -z "$apply" ] || return
    key=$( (echo "$what"; clang --version; cat "$code"/*.[ch] "$here"/roundtrip/*.[chp]*) | key_of)
    known=$(known "$proved" "$key")
    if [ -n "$known" ]; then
        echo "$known, before"
        return
    fi
    if [ "$(date +%s)" -ge "$until" ]; then
        echo 'the time is up; make prove-roundtrips again goes on'
        exit $status
    fi
    start=$(date +%s)
    if "$@" >"$scratch/log" 2>&1; then
        known="proved: $what ($(($(date +%s) - start)) s)"
        keep "$proved" "$key" "$known"
        echo "$known"
    else
        echo "not proved: $what"
        tail -n 3 "$scratch/log"
        status=1
    fi
}
# FUNCTION NUMBERS...
claim() {
    function=$1
    shift
    prove "$function, $*" python3 -B "$here/roundtrip/roundtrip.py" "$code/driver.ll" "prove_$function" "$@"
}
# LAST [COUNT]: the sizes from 0 on, each with this count of elements.
sizes() { seq 0 "$1" | sed "s/\$/${2:+,$2}/"; }

use roundtrips
generate tests/prove/roundtrips.pkt
[ -n "$apply" ] || compile || exit 1
claim Ship_delta_values 0
claim Ship_delta_bytes $(sizes 20)
use coded_step
generate tests/prove/coded_step.pkt
prove 'coded numbers' coded
use mygame
generate schemas/mygame.pkt
[ -n "$apply" ] || compile || exit 1
for packet in ConnectRequest ConnectChallenge ConnectResponse ConnectAccept ConnectDeny Disconnect Chat; do
    claim "${packet}_values" 0
done
claim ConnectChallenge_bytes $(sizes 25)
claim ConnectAccept_bytes $(sizes 15)
claim ConnectDeny_bytes $(sizes 12)
for count in 1 2 3; do
    claim Input_values $count
    claim Input_bytes $(sizes 38 $count)
done
for count in 0 1 2; do
    claim Snapshot_values $count
    claim Snapshot_bytes $(sizes 49 $count)
done
# A text takes the longer, the longer it is: each size is a proof of its own.
for size in $(sizes 57); do
    claim ConnectRequest_bytes $size
done
for size in $(sizes 73); do
    claim Disconnect_bytes $size
done
for size in $(sizes 81); do
    claim ConnectResponse_bytes $size
done
prove 'quantized numbers' quantized

mistakes=0
# SED FILE PROOF [NUMBERS...]: a mistake in a generated file, which the proof of a function, `quantized` or `coded` has to
# notice.
mistake() {
    sed=$1
    file=$2
    proof=$3
    shift 3
    mistakes=$((mistakes + 1))
    cp "$code/$file" "$scratch/before"
    sed "$sed" "$scratch/before" >"$code/$file"
    if cmp -s "$scratch/before" "$code/$file"; then
        echo "'$sed' changes nothing" >&2
        status=1
    elif [ -z "$apply" ]; then
        case $proof in
        quantized) quantized 4097 >"$scratch/log" 2>&1 ;;
        coded) coded >"$scratch/log" 2>&1 ;;
        *)
            compile || exit 1
            python3 -B "$here/roundtrip/roundtrip.py" "$code/driver.ll" "prove_$proof" "$@" >"$scratch/log" 2>&1
            ;;
        esac
        result=$?
        if [ $result = 1 ] && ! grep -q '^Traceback' "$scratch/log"; then
            echo "noticed: $sed"
        else
            echo "the proof of $proof does not notice $sed"
            tail -n 3 "$scratch/log"
            status=1
        fi
    fi
    mv "$scratch/before" "$code/$file"
}
CODEC=mygame_codec.h RUNTIME=pkt_inside.h
# A range that begins or ends one off, for the writer and the reader; of a signed number, of a count, of a text.
mistake 's/uint32_t, 1, 525600, 20/uint32_t, 1, 525601, 20/' $CODEC ConnectDeny_values 0
mistake 's/uint32_t, 1, 525600, 20/uint32_t, 0, 525600, 20/' $CODEC ConnectDeny_values 0
mistake 's/int16_t, 0, 200, 8/int16_t, -1, 200, 8/' $CODEC Snapshot_values 1
mistake 's/commands_count, PKT_AS_INT(uint8_t, 1, 8, 3)/commands_count, PKT_AS_INT(uint8_t, 0, 7, 3)/' $CODEC Input_values 1
mistake 's/name_size_, name, 31, 5, 8/name_size_, name, 30, 5, 8/' $CODEC ConnectRequest_values 0
# Another number of steps; two fields swapped; a field in another place; a bit of a mask; a bit of a word.
mistake 's/PKT_CIRCLE(3600), 12/PKT_CIRCLE(3601), 12/' $CODEC Input_values 1
mistake '/^PKT_INLINE bool ConnectChallenge_serialize/,/^}/{s/(client_/(one_/;s/(server_/(client_/;s/(one_/(server_/}' $CODEC ConnectChallenge_values 0
mistake 's/tick, PKT_AS_BITS(uint32_t, 32), 6/tick, PKT_AS_BITS(uint32_t, 32), 5/' $CODEC ConnectAccept_values 0
mistake 's/c->word >> at & pkt_mask(bits)/c->word >> at \& pkt_mask(bits) >> 1/' $RUNTIME ConnectAccept_values 0
mistake 's/>> (at - 8 \* start) & pkt_mask/>> (at - 8 * start + 1) \& pkt_mask/' $RUNTIME ConnectChallenge_values 0
# Bits of the word before an absent part are lost; so is a word that is full.
mistake 's/c->carry |= c->word << c->shift/c->carry = c->word << c->shift/' $RUNTIME Input_values 2
mistake 's/if (filled + bits < 64)/if (filled + bits <= 64)/' $RUNTIME ConnectChallenge_values 0
# No check: of a form that a writer does not use, of zeros in a reserved field, in the last byte, of bytes after the end.
mistake 's/^        PKT_MUST_DIFFER.*forward.*//' $CODEC Input_bytes 25,1
mistake 's/pkt_get(c_, (bits), (at)) != (value))/pkt_get(c_, (bits), (at)) > (value) + 1)/' $RUNTIME ConnectRequest_bytes 30
mistake 's/return word >> bits % 8 == packet/return (uint32_t)(word >> bits % 8) == packet/' pkt.c ConnectAccept_bytes 14
mistake 's/left < 32 || left >= 40/left < 32 || left >= 48/' pkt.c ConnectAccept_bytes 15
# What is absent keeps the program's old value; a text has no end.
mistake 's/^        out_->forward = 0.0f;//' $CODEC Input_values 1
mistake 's/^            ConnectDeny_clear2_(out_, 2);//' $CODEC ConnectDeny_values 0
mistake 's/^        out_->password\[0\] = 0;//' $CODEC ConnectResponse_values 0
mistake 's/^        out\[size\] = 0;//' $RUNTIME ConnectRequest_bytes 30
# The end check in a wrong place; one that is not written as a word; a checksum without the last byte.
mistake 's/check >> 1 >> (63 - shift)/check >> (63 - shift)/' pkt.c Input_values 1
mistake 's/word = check << bits % 8/word = check << bits % 4/' pkt.c ConnectAccept_values 0
mistake 's/pkt_crc32(packet->crc_start, data + 4, (size_t)(limit \/ 8) - 4)/pkt_crc32(packet->crc_start, data + 4, (size_t)(limit \/ 8) - 5)/' pkt.c ConnectAccept_values 0
# Rounding, limits, the end of a circle, a value next to that of a code.
mistake 's/scaled + 0.5f)/scaled + 0.25f)/' $RUNTIME quantized
mistake 's/return n < 1.0f ? n : 1.0f;/return n < 1.0f ? n : 0.5f;/; s/_mm_set_ss(1.0f)/_mm_set_ss(0.5f)/' $RUNTIME quantized
mistake 's/return code == count ? 0 : code;/return code;/' pkt.c quantized
mistake 's/^    return scaled + lo;/    return scaled + (lo + scaled * 0.001f);/' $RUNTIME quantized
# Deltas: a change that is not noticed; a number that is sent although it is the same; one out of range.
use roundtrips
mistake 's/in_->health != base_->health/(in_->health ^ base_->health) > 1/' roundtrips.c Ship_delta_values 0
mistake 's/((now_ ^ old_) | kept_) == 0/false/' $RUNTIME Ship_delta_bytes 10
mistake 's/PKT_CHANGED(health, PKT_AS_INT(uint8_t, 0, 200/PKT_CHANGED(health, PKT_AS_INT(uint8_t, 0, 201/' roundtrips.c Ship_delta_bytes 10
# Coded numbers: a difference from the wrong side; the number that a number was before; a bit of a number less.
use coded_step
mistake 's/old : span - old/old : span/' pkt.c coded
mistake 's/in_->value != base_->value/in_->value > base_->value/' coded_step.c coded
mistake 's/int16_t, -5, 300, 9/int16_t, -5, 300, 8/' coded_step.c coded
[ -z "$apply" ] || [ $status != 0 ] || echo "[  PASSED  ] $mistakes test(s)."
exit $status
