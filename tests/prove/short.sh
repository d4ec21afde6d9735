#!/bin/sh
# short.sh - checks that the proofs notice bounds that are a bit, a byte and a word short.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc short.sh SCRATCH [PACKET...]
#
# For each bounds check of mygame on which the memory accesses of a packet depend, makes a mistake three times: the
# check passes although 1, 8 or 64 bits are missing. Each time the proof must fail. If it covers more than is accessed
# before the next check, the mistake is made in as many bits as it needs at least. A bit that is missing behind whole
# bytes at a whole byte makes no difference, so it is not tried there. The names that are printed end in the number of
# the mistake and the bits that are missing. APPLY: only checks that each mistake changes the code.
set -u
scratch=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
packets=$*
number=0
mkdir -p "$scratch"
status=0
sed='' drivers='' mains=''

# PACKET TYPE LINE SHORT [BITS]: in the body of TYPE, LINE becomes SHORT, in which % is the number of this mistake.
short() {
    number=$((number + 1))
    case " ${packets:-$1} " in *" $1 "*) ;; *) return ;; esac
    change="/^PKT_INLINE bool $2_serialize(/,/^}/s/$3/$(echo "$4" | sed "s/%/$number/")/"
    if [ -n "${APPLY:-}" ]; then
        MISTAKE=$change "$here/prove.sh" "$scratch/short" schemas/mygame.pkt
        [ $? = 1 ] || status=1
    fi
    sed="$sed
$change"
    for bits in ${5:-1 8 64}; do
        drivers="$drivers
PROVE_END_SHORT($1, $number, $bits)"
        mains="$mains $1_${number}_${bits}_end"
    done
}

short ConnectRequest ConnectRequest 'PKT_NEED(133);' 'PROVE_SHORT(113, %);'
short ConnectRequest ConnectRequest 'name_size_, 64);' 'name_size_, 64 - PROVE_FEWER(%));' '8 64'
short ConnectChallenge ConnectChallenge 'PKT_NEED(128);' 'PROVE_SHORT(128, %);'
short ConnectResponse ConnectResponse 'PKT_NEED(65);' 'PROVE_SHORT(65, %);'
short ConnectResponse ConnectResponse 'PKT_NEED(6);' 'PROVE_SHORT(6, %);'
short ConnectResponse ConnectResponse 'password_size_, 0);' 'password_size_, 0 - PROVE_FEWER(%));' '8 64'
short ConnectAccept ConnectAccept 'PKT_NEED(46);' 'PROVE_SHORT(46, %);'
short ConnectDeny ConnectDeny 'PKT_VARYING_END(2, 0);' 'PKT_VARYING_END(2, 0, %);'
short Disconnect Disconnect 'PKT_NEED(6);' 'PROVE_SHORT(6, %);'
short Disconnect Disconnect 'reason_size_, 0);' 'reason_size_, 0 - PROVE_FEWER(%));' '8 64'
short Chat Chat 'PKT_NEED(15);' 'PROVE_SHORT(15, %);'
short Chat Chat 'text_size_, 0);' 'text_size_, 0 - PROVE_FEWER(%));' '8 64'
short Input Input 'PKT_NEED(117);' 'PROVE_SHORT(105, %);'
short Input Command 'PKT_VARYING_END(34, 0);' 'PKT_VARYING_END(34, 0, %);'
short Snapshot Snapshot 'PKT_NEED(54);' 'PROVE_SHORT(54, %);'
short Snapshot Player 'PKT_NEED(9);' 'PROVE_SHORT(9, %);'
short Snapshot Player 'PKT_NEED(87);' 'PROVE_SHORT(87, %);'
short Snapshot Player 'PKT_NEED(40);' 'PROVE_SHORT(40, %);'
short Message Message 'PKT_NEED(6);' 'PROVE_SHORT(4, %);'
short Message Message 'PKT_NEED(128);' 'PROVE_SHORT(128, %);'
short Message Message 'PKT_NEED(46);' 'PROVE_SHORT(46, %);'

if [ -n "${APPLY:-}" ]; then
    [ $status != 0 ] || echo "[  PASSED  ] $number test(s)."
    exit $status
fi

# The list of mains is split on purpose.
# shellcheck disable=SC2086
EACH=1 UNION=Message EXTRA='-eva-partition-value prove_tag -eva-stop-at-nth-alarm 1' MISTAKE=$sed DRIVERS=$drivers \
    "$here/prove.sh" "$scratch/short" schemas/mygame.pkt $mains >"$scratch/short.log"
[ $? != 3 ] || exit 3
sed -e "s/^proved:/not noticed:/" -e "s/^alarms:/noticed:/" "$scratch/short.log"
[ "$(grep -c "^alarms:" "$scratch/short.log")" = "$(echo "$mains" | wc -w)" ]
