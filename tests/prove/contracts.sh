#!/bin/sh
# contracts.sh - functions of the runtime by Frama-C's WP: for every size, no run-time error, and what their contracts promise.
# SPDX-License-Identifier: MIT
#
# usage: contracts.sh SCRATCH
#
# Those that prove.sh believes something of: texts. The code is the one of prove.sh, the contracts stand before the functions and
# in prove.h. Exit status 1 if a goal is not proved, 2 if there is no result.
set -u
scratch=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$scratch"
WHY3CONFIG=$scratch/why3.conf
export WHY3CONFIG
[ -e "$WHY3CONFIG" ] || why3 config detect >"$scratch/why3.log" 2>&1
functions=pkt_load32,pkt_load64,pkt_store32,pkt_store64,word_is_plain,is_between,is_continuation,sequence_length
functions=$functions,is_well_formed_slowly,is_well_formed,copy_word,copy_little,copy_much,copy_all,pkt_text_valid,pkt_text_copy
log=$scratch/contracts.log
frama-c -cpp-extra-args="-I$root/runtime -I$here -include prove.h -DPROVE_CONTRACTS -DPKT_PORTABLE -DPKT_BYTEWISE -U__GNUC__ -U__SSE2__ -U__SSE__ -CC" \
    "${SOURCE:-$root/runtime/pkt_text.c}" -wp -wp-rte -wp-model Typed+Cast -wp-prover z3,cvc4 -wp-timeout 20 -wp-fct "$functions" >"$log" 2>&1
goals=$(sed -n 's/^\[wp\] Proved goals: *\([0-9]*\) *\/ *\([0-9]*\).*/\1 \2/p' "$log")
if [ -z "$goals" ]; then
    tail -n 5 "$log"
    exit 2
fi
if [ "${goals% *}" = "${goals#* }" ]; then
    echo "proved: texts: ${goals% *} goals"
    exit 0
fi
grep 'Goal.*Failed\|Failed.*Goal' "$log"
echo "not proved: texts: ${goals% *} of ${goals#* } goals: $log"
exit 1
