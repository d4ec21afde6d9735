#!/bin/sh
# contracts.sh - proves with Frama-C's WP that functions of the runtime keep their contracts, for data of every size,
# and have no undefined behaviour.
# SPDX-License-Identifier: MIT
#
# usage: contracts.sh SCRATCH [texts|bits|take|items|coded]
#
# texts, take, items and coded are the functions whose contracts prove.sh assumes. bits are words at the edge of a
# buffer, and presence bits. Contracts are before the functions, in prove.h and in prove_coded.h. The code is that of
# prove.sh. SOURCE is a changed copy of the runtime file with the functions. ONLY: some of the functions, instead of
# all. PROVED and UNTIL are those of prove.sh. Exits with 1 if a goal is not proved, with 2 if there is no result, with 3
# if the time is up. Lists of words are split on purpose.
# shellcheck disable=SC2086
set -u
scratch=$1
shift
[ $# != 0 ] || set -- texts bits take items coded
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../passed.sh"
root=$(cd "$here/../.." && pwd)
mkdir -p "$scratch"
WHY3CONFIG=$scratch/why3.conf
export WHY3CONFIG
[ -e "$WHY3CONFIG" ] || why3 config detect >"$scratch/why3.log" 2>&1
status=0

# Each pattern of coded.sed must be in the runtime: a rule for a line that has another form now would do nothing.
sed -n -e 's|^ *s/\([^/]*\)/.*|\1|p' -e 's/^ *s|\([^|]*\)|.*/\1/p' \
    -e 's|^ */\(\^.*\)/\(,/^.*/{\)*\([ia]\\\)*$|\1|p' "$here/coded.sed" | sed 's|\\/|/|g' >"$scratch/patterns"
while IFS= read -r pattern; do
    grep -q -e "$pattern" "$root"/runtime/pkt_coder* "$root/runtime/pkt_delta.c" && continue
    echo "no line of the runtime has the form '$pattern' that coded.sed names" >&2
    exit 2
done <"$scratch/patterns"

# NAME FILE FUNCTION...
hold() {
    what=$1
    file=$2
    log=$scratch/$file.log
    shift 2
    functions=''
    for function; do
        case " ${ONLY:-$*} " in *" $function "*) functions=${functions:+$functions,}$function ;; esac
    done
    [ -n "$functions" ] || return
    rm -rf "$scratch/annotated"
    mkdir -p "$scratch/annotated"
    for source in "$root/runtime/$file" "$root"/runtime/pkt_coder* ${SOURCE:+"$SOURCE"}; do
        sed -f "$here/coded.sed" "$source" >"$scratch/annotated/${source##*/}"
    done
    defines="-DPROVE_CONTRACTS -DPKT_PORTABLE -DPKT_BYTEWISE -U__GNUC__ -U__SSE2__ -U__SSE__"
    options="${INLINE:+-inline-calls $INLINE} -wp -wp-rte -wp-model Typed+Cast -wp-prover z3,cvc4 -wp-timeout 30
        -wp-fct $functions"
    key=$( (frama-c -version; echo "$file $defines $options"; cat "$root"/runtime/* "$scratch"/annotated/* "$here"/*.h) |
        key_of)
    goals=$(known "${PROVED:-}" "$key")
    if [ -z "$goals" ]; then
        [ "$(date +%s)" -lt "${UNTIL:-9999999999}" ] || exit 3
        frama-c -c11 -cpp-extra-args="-I$root/runtime -I$here -include prove.h $defines -CC" "$scratch/annotated/$file" \
            $options >"$log" 2>&1
        goals=$(sed -n 's/^\[wp\] Proved goals: *\([0-9]*\) *\/ *\([0-9]*\).*/\1 \2/p' "$log")
        # A prover that did not end in its time may do so next time.
        [ "${goals% *}" != "${goals#* }" ] || keep "${PROVED:-}" "$key" "$goals"
    fi
    if [ -z "$goals" ]; then
        tail -n 5 "$log"
        status=2
    elif [ "${goals% *}" = "${goals#* }" ]; then
        echo "proved: contracts of $what, $file: ${goals% *} goals"
    else
        grep 'Failed.*Goal' "$log"
        echo "not proved: contracts of $what, $file: ${goals% *} of ${goals#* } goals: $log"
        [ $status = 2 ] || status=1
    fi
}

for name; do
    case $name in
    texts)
        hold texts pkt_text.c pkt_word_is_plain pkt_text_is_between pkt_text_is_continuation pkt_sequence_length \
            pkt_is_well_formed_slowly pkt_is_well_formed pkt_copy_word pkt_copy_little pkt_copy_much \
            pkt_text_copy_all pkt_text_valid pkt_text_copy
        ;;
    bits)
        hold bits pkt_subset.c pkt_mask pkt_zeros pkt_low_bit pkt_load_few pkt_store_few pkt_load_edge pkt_load_end \
            pkt_store_edge pkt_load_ending pkt_load_varying \
            pkt_run pkt_varied pkt_present_next pkt_present_count
        ;;
    take)
        hold take pkt_explain.c pkt_explain_take
        ;;
    items)
        hold items pkt_delta.c pkt_mask pkt_peek pkt_get_item pkt_get_alone pkt_get_changes
        ;;
    coded)
        # Functions without a contract are a part of those that call them.
        INLINE=pkt_coder_difference_of,pkt_coder_difference_bits,pkt_value_difference,pkt_where_from,pkt_is_near
        INLINE=$INLINE,pkt_codes_for_part,pkt_count_forms
        hold coded pkt_coder.c pkt_bits_at_end pkt_bits_ahead pkt_distance pkt_code_bits pkt_code_of pkt_long_symbol \
            pkt_symbol_ahead pkt_code_get pkt_rest_get pkt_difference_get pkt_get_plain pkt_codes_for pkt_value_codes \
            pkt_value_get_plain pkt_value_get pkt_coded_value pkt_quat_differences pkt_quat_get_parts
        INLINE=pkt_count_forms
        hold coded pkt_coder_row.c pkt_row_changed pkt_coder_row_codes pkt_row_get_coded pkt_row_get_plain \
            pkt_coded_row
        INLINE=pkt_run_scan_of,pkt_count_forms
        hold coded pkt_coder_elements.c pkt_surprises_at pkt_run_next pkt_coder_elements_run_bits pkt_code_of_run \
            pkt_runs_put pkt_runs_get pkt_coded_count pkt_elements_get
        INLINE=''
        ;;
    *)
        echo "no functions by the name of '$name'" >&2
        exit 2
        ;;
    esac
done
exit $status
