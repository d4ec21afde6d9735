#!/bin/sh
# prove.sh - proves with Frama-C's EVA that generated readers and writers have no undefined behaviour, whatever the
# bytes.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc prove.sh SCRATCH SCHEMA.pkt [PACKET...]
#
# PACKET is the name of a packet in C. PACKET_body stands for the functions of its body, PACKET_end for the packet at
# any bit of a stream, PACKET_packet for the whole packet with its checksum, PACKET_datagram for one with a seed,
# PACKET_peek for the names of its parts, PACKET_versions for reading it from any release, PACKET_explain for finding
# out why its body was refused, PACKET_delta for its deltas, PACKET_coded for reading its coded deltas, PACKET_refs for its
# body with refs; codes for the code tables of the schema, numbers for what prove_coded.h assumes of arithmetic, and
# frames and crc for prove_frame.h. Without names, proves all packets of the schema and their bodies, except unions,
# which only pass on to their members.
#
# prove.h has the function that is analyzed for each packet, and the contracts that are assumed. The code is what
# programs compile, except that no processor-specific instructions are used, and that a few conditions are written in
# another form (PKT_BYTEWISE). NaN is not an error. Exits with 1 if there is an alarm, with 2 if there is no result. The
# logs of such packets stay in SCRATCH, also when other packets of the schema are proved later.
#
# DRIVERS: more functions to analyze. EACH: see prove.h; LEAST and MOST: only the lengths from LEAST to MOST. ROUNDS:
# analyzes loops round by round, not for each element. UNION: see below. RELEASES: a folder of older releases. EXTRA:
# options for Frama-C. MISTAKE: a sed command that puts one into the generated bodies, or into the file SEEDED; the
# proof must fail. APPLY: only makes the mistake, and exits with 1 if it changes the code. PROVED: a file with the results
# of earlier analyses, one a line; those of the same code with the same options are not repeated. UNTIL: when this time
# has come, in seconds since 1970, exits with 3 before the next analysis.
# Lists of words are split on purpose.
# shellcheck disable=SC2086
set -u
scratch=$1
schema=$2
shift 2
: "${PKTC:?}"
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../passed.sh"
stem=$(basename "$schema" .pkt)
generated=$scratch/$stem
rm -rf "$generated"
mkdir -p "$generated"
"$PKTC" --no-runtime ${RELEASES:+--upgrade "$RELEASES"} -o "$generated" "$schema" &&
    cp "$here"/../../runtime/* "$generated" || exit 1
if [ -n "${MISTAKE:-}" ]; then
    seeded=$generated/${SEEDED:-${stem}_codec.h}
    cp "$seeded" "$generated/before" || exit 2
    sed "$MISTAKE" "$generated/before" >"$seeded"
    if cmp -s "$generated/before" "$seeded"; then
        echo "'$MISTAKE' changes nothing" >&2
        exit 2
    fi
    [ -z "${APPLY:-}" ] || exit 1
fi
if [ $# = 0 ]; then
    packets=$(sed -n 's/^\(PKT_[A-Z]* \)*bool \([A-Za-z0-9_]*\)_unpack(.*/\2/p' "$generated/$stem.h")
    for packet in $packets; do
        grep -q "^typedef .* ${packet}_tag;" "$generated/$stem.h" || set -- "$@" "$packet" "${packet}_body"
    done
fi
# One bounds check covers a loop over elements of a fixed size, and the analysis has to see that it is enough for each
# number of elements. With ROUNDS, elements are not separate states. A round begins at first + bits * i, a product
# that the analysis cannot derive, so it is told, in the loop and after it. In return it has to prove, at the end of
# each round, that the round has used the right number of bits, which `moved` counts like `bit`, and, at the end of
# the loop, that no element is left. After each block, states that a split does not keep apart are joined. An
# annotation directly before a closing brace would be ignored.
for codec in "$generated"/*_codec.h; do
    case ${codec##*/} in pkt_*) continue ;; esac
    [ -n "${ROUNDS:-}" ] || awk '
        /const uint32_t n[0-9]_ = .*;/ { name = $3; at = match($0, /c/); fixed = 0 }
        /PKT_NEED\(.*\(uint64_t\)n[0-9]_/ { print "/*@ split " name "; */"; end = at - 4 }
        /if \(mode_ == PKT_MEASURE\)/ { fixed = 1 }
        /for \(; (n[0-9]_ - i|i[0-9]_ < n)/ && fixed { print "/*@ loop unroll 1000; */" }
        $1 == "}" && match($0, /}/) == end { print "/*@ merge " name "; */"; end = 0 }
        { print }
    ' "$codec" >"$generated/before"
    [ -z "${ROUNDS:-}" ] || awk '
        { match($0, /[^ ]/); at = RSTART }
        /const uint32_t n[0-9]_ = .*;/ { name = $3 }
        /PKT_NEED\(.*\(uint64_t\)n[0-9]_/ { print "if (PROVE_ROUNDS_COUNT) { /*@ split " name "; */ c_->moved += 0; }";
            split_at[at - 4] = name }
        /c_->bit \+= [0-9]+ \* \(uint64_t\)n[0-9]_;/ { bits[at - 4] = $3; count[at - 4] = name; fresh = at - 4 }
        $1 == "}" && at in round { print "PROVE_ROUND_END(" bits[at] " * " round[at] ");"; delete round[at] }
        $1 == "}" && at + 4 in bits && !(at in bits) {
            print "PROVE_ROUNDS_END(" at + 4 ", " bits[at + 4] " * (uint64_t)" count[at + 4] \
                ", i" substr(count[at + 4], 2) " >= " \
                count[at + 4] ");"
            delete bits[at + 4]
        }
        $1 == "}" && at in split_at { print "/*@ merge " split_at[at] "; */";
            print "c_->moved += 0;"; delete split_at[at] }
        $1 == "for" && at in bits {
            number = $2 == "(;" ? substr($3, 1, 3) : ""
            if (match($0, /n[0-9]_ - i[0-9]_ >= [0-9]+/)) {
                number = "i" substr($3, 2, 2)
                match($0, /\+= [0-9]+/)
                round[at] = substr($0, RSTART + 3, RLENGTH - 3)
                sub(/n[0-9]_ - i[0-9]_ >= [0-9]+/, "(uint64_t)" number " + " round[at] " <= " count[at])
            } else {
                round[at] = 1
            }
            print "/*@ loop unroll 0; */"
            print
            print "PROVE_ROUND(" at ", " bits[at] " * (uint64_t)" number ");"
            next
        }
        { print }
        $1 == "}" && at == fresh { print "PROVE_ROUNDS(" at ");"; fresh = 0 }
        /_serialize\(const pkt_mode mode_/ { serialize = 1 }
        /^}$/ { serialize = 0 }
        /^    }$/ && serialize { print "/*@ slevel merge; */"; print "c_->moved += 0;" }
    ' "$codec" >"$generated/before"
    mv "$generated/before" "$codec"
done
# Where in its byte a run begins is gone through case by case: then its bits tell how many bytes of it there are. The
# same of what is written apart from runs. At the end of a varying run, so is how many bits of it are present.
for codec in "$generated"/*_codec.h; do
    case ${codec##*/} in pkt_*) continue ;; esac
    awk '
        /^ *PKT_[A-Z_]*RUN[A-Z_]*\(/ { print "/*@ split c_->bit % 8; */" }
        /^ *PKT_VARYING_END\(/ {
            match($0, /END\(/)
            count = split(substr($0, RSTART + RLENGTH), argument, /, |\)/)
            need = "(" argument[1] ") + (" argument[2] ")"
            print count == 3 ? "PKT_NEED(" need ");" : "PROVE_SHORT(" need ", " argument[3] ");"
            print "PROVE_VARIED();"
            print "PKT_END(" argument[1] ");"
            print "/*@ merge c_->shift; */ c_->byte += 0;"
            print "/*@ merge c_->bit % 8; */ c_->byte += 0;"
            next
        }
        { print }
        /^ *PKT_COMPACT\(/ { print "/*@ slevel merge; */ c_->byte += 0;" }
        /^ *PKT_END\(/ { print "/*@ merge c_->bit % 8; */ c_->byte += 0;" }
    ' "$codec" >"$generated/before"
    mv "$generated/before" "$codec"
done
sed 's|^    const unsigned shift = (unsigned)(c->bit % 8), end = .*|    /*@ split c->bit % 8; */ c->byte += 0;&|' \
    "$generated/pkt_subset.h" >"$generated/before"
mv "$generated/before" "$generated/pkt_subset.h"
# A variable for -eva-partition-value: whether there is another element. After many elements the analysis joins all states
# that a function ends with, and would no longer know that the index of an element is in the array.
case ${EXTRA:-} in
*prove_more*)
    sed -e 's/^    return\( mode == PKT_READ  *? pkt_subset_read_next(.*\)/    extern bool prove_more;\n    prove_more =\1/' \
        -e 's/^ *: pkt_subset_measure_next(.*;/&\n    return prove_more;/' "$generated/pkt_subset.h" >"$generated/before"
    mv "$generated/before" "$generated/pkt_subset.h"
    sed 's/^    return \(s->index < s->n\);/    extern bool prove_more;\n    prove_more = \1;\n    return prove_more;/' \
        "$generated/pkt_scan.h" >"$generated/before"
    mv "$generated/before" "$generated/pkt_scan.h"
    DRIVERS="${DRIVERS:-} bool prove_more;"
    ;;
esac
# The forms of a compact number are gone through one by one: then what follows it is known to be in the buffer.
form='\/*@ split zeros_; *\/ c->byte += 0; const pkt_compact_form form = pkt_compact_form_of(zeros_, bytes);'
form_of='const pkt_compact_form form = pkt_compact_form_of'
form_for='const pkt_compact_form form = pkt_compact_form_for'
sed -e "s/$form_of(\(pkt_zeros(.*)\), bytes);/const unsigned zeros_ = \1; $form/" \
    -e "s/$form_for(v, bytes);/const unsigned zeros_ = pkt_compact_form_for(v, bytes).zeros; $form/" \
    -e 's/^    return \(pkt_compact_form_for(.*\);/if (!(\1)) return false; return true;/' \
    "$generated/pkt_varying.h" >"$generated/before"
mv "$generated/before" "$generated/pkt_varying.h"
# That a row is set is known if the states with and without them are not joined.
sed -e 's/if (!pkt_\(de\)*quantize_row(/\/*@ slevel 60; *\/ &/' \
    -e 's/\(pkt_row_store(row_,\|pkt_put(c_, raw_, pkt_row_width(\)/\/*@ slevel default; *\/ &/' \
    "$generated/pkt_leaf.h" >"$generated/before"
mv "$generated/before" "$generated/pkt_leaf.h"
# At the end of a packet the bits of its last byte are cases of their own, and at the end of a frame all bits: they tell
# how many bytes are left.
sed -e 's|^    size = pkt_body_bytes(bits);|    /*@ split bits % 8; */\n&|' \
    -e 's|^    end = data + 4 + bits / 8;|    /*@ split left; */ bits = limit - 32 - left;\n&|' \
    "$generated/pkt_frame.c" >"$generated/before"
mv "$generated/before" "$generated/pkt_frame.c"
sed -e 's|^    if (frame->end_check && .*|    /*@ split w->bit; */\n&|' \
    -e 's|^    if (frame->end_check) {|    /*@ split r->bit; */\n&|' \
    "$generated/pkt_stream_frame.c" >"$generated/before"
mv "$generated/before" "$generated/pkt_stream_frame.c"
for file in "$generated"/pkt_*.[ch]; do
    [ -n "${ROUNDS:-}" ] || break
    sed -e 's/uint64_t bit, limit;/uint64_t bit, limit, moved;/' \
        -e 's/\(c_*\)->bit += \(.*\);/PROVE_MOVE(\1, \2);/' \
        -e 's/\([^a-z]\)\(c_*\)->bit = \(.*\);/\1PROVE_JUMP(\2, \3);/' \
        "$file" >"$generated/before"
    mv "$generated/before" "$file"
done
# The contracts of what reads coded deltas.
case "$* " in
*_coded\ *)
    sed '/^# ---- for contracts.sh/,$d' "$here/coded.sed" >"$generated/coded.sed"
    for file in "$generated"/pkt_coder*; do
        sed -f "$generated/coded.sed" "$file" >"$generated/before"
        mv "$generated/before" "$file"
    done
    ;;
esac
# The code tables of the schema.
{
    printf '#include "prove_coder.h"\nPROVE_CODES_BEGIN()\n'
    sed -n 's/^extern const pkt_codes \(.*\)\[\(.*\)\];/PROVE_CODES(\1, \2)/p' "$generated/${stem}_codec.h"
    echo 'PROVE_CODES_END()'
} >>"$generated/pkt_coder.c"
# A variable for -eva-partition-value, which analyzes its values separately: which member of the union UNION was read,
# because the analysis does not know that a tag says which member is valid.
for file in "$generated"/*.[ch]; do
    [ -n "${UNION:-}" ] || break
    sed "s/PKT_CHOOSE(\\(${UNION}_tag_[A-Za-z0-9_]*\\));/& if (PKT_READING) prove_tag = \\1;/" "$file" \
        >"$generated/before"
    mv "$generated/before" "$file"
done
{
    printf '#include "%s_codec.h"\n#include "prove_frame.h"\n' "$stem"
    [ -z "${RELEASES:-}" ] || printf '#include "%s_upgrade.h"\n' "$stem"
    printf '#include "prove_datagram.h"\nint prove_tag;\nunsigned prove_short;\n'
    printf 'uint64_t prove_fewer;\nPROVE_ROTATIONS()\n'
    # A function may be declared, and defined later.
    packet='PROVE(\2)\nPROVE_END(\2)\nPROVE_PACKET(\2)\nPROVE_EXPLAIN(\2)'
    sed -n -e "s/^\(PKT_[A-Z]* \)*bool \(.*\)_unpack(\2 \*v_, const void .*/$packet/p" \
        -e 's/^\(PKT_[A-Z]* \)*bool \(.*\)_unpack(\2 \*v_, uint64_t .*/PROVE_END(\2)\nPROVE_SEEDED(\2)/p' \
        -e 's/^PKT_[A-Z]* bool \(.*\)_unpack_refs(\1 \*v_, uint64_t .*/PROVE_SEEDED_REFS(\1)/p' \
        -e 's/^\(PKT_[A-Z]* \)*bool \(.*\)_peek(.*/PROVE_PEEK(\2)/p' \
        -e 's/^PKT_[A-Z]* bool \(.*\)_unpack_body_refs(.*/PROVE_REFS(\1)/p' \
        -e 's/^PKT_[A-Z]* bool \(.*\)_unpack_delta(const \1 .*/PROVE_DELTA(\1)\nPROVE_CODED(\1)/p' \
        -e 's/^PKT_[A-Z]* bool \(.*\)_unpack_any(.*/PROVE_VERSIONS(\1)/p' \
        "$generated/$stem.h" ${RELEASES:+"$generated/${stem}_upgrade.h"} |
        awk '!seen[$0]++'
    echo "${DRIVERS:-}"
} >"$generated/driver.c"
# No proof goes into these.
rm -f "$generated/pkt_reflect.c" "$generated/pkt_fit.c"
defines="-DPKT_BYTEWISE ${EACH:+-DEACH} ${LEAST:+-DPROVE_LEAST=$LEAST -DPROVE_MOST=$MOST}"
defines="$defines -U__GNUC__ -U__SSE2__ -U__SSE__"
code=$( (frama-c -version; echo "$defines"; cat "$generated"/*.[ch] "$here"/*.h) | key_of)
# The same code is parsed once.
parsed=$generated/parsed
if [ -z "${MISTAKE:-}" ]; then
    mkdir -p "$scratch/parsed"
    parsed=$scratch/parsed/$code
fi
parse() {
    [ ! -e "$parsed" ] || return
    if ! frama-c -c11 -cpp-extra-args="-I$generated -I$here -include prove.h $defines -CC" \
        "$generated"/*.c -save "$parsed.new" >"$generated/parsed.log" 2>&1; then
        cat "$generated/parsed.log"
        exit 2
    fi
    mv "$parsed.new" "$parsed"
}
status=0
loops=$(awk '/^PKT_INLINE bool [A-Za-z0-9_]*_serialize\(/ { sub(/\(.*/, "", $3); name = $3 }
    /^ *for \(; i[0-9]+_ < n[0-9]+_;/ && name != "" { printf "%s%s:0", comma, name; comma = ","; name = "" }' \
    "$generated/${stem}_codec.h")
names=pkt_error_outer,pkt_error_outer_part,pkt_error_element,pkt_error_ending
texts=pkt_text_valid,pkt_text_copy,pkt_text_size
others=pkt_load64,pkt_load32,pkt_store64,pkt_store32,pkt_explain_delta,pkt_writer_grow
others=$others,pkt_explain_coded_delta,pkt_explain_predicted
# With all lengths together, the analysis does not know how many of the last bytes are left.
[ -n "${EACH:-}" ] || others=$others,pkt_load_few,pkt_store_few
for packet in "$@"; do
    rotations=pkt_quat_value,pkt_quat_code,pkt_unit_value,pkt_unit_code,
    [ "$packet" != rotations ] || rotations=''
    # At any bit of a stream, the rounds of a loop over elements are not separate states, but all states of a round are.
    coded=
    case $packet in
    *_coded)
        coded=,pkt_code_get,pkt_count_forms,pkt_coded_value,pkt_coded_row,pkt_quat_get_parts,pkt_quat_differences
        coded=$coded,pkt_coded_count,pkt_elements_get
        ;;
    esac
    explain=,pkt_explain_type
    [ "${packet%_explain}" = "$packet" ] || explain=,pkt_explain_take
    # Whether a packet was accepted, and its bits, are told apart.
    split=auto
    case $packet in *_packet | *_peek | *_datagram | *_versions) split=full ;; esac
    crc=,pkt_crc32
    [ "$packet" != crc ] || crc=
    precision=
    [ "${packet%_end}" = "$packet" ] ||
        precision="-eva-slevel 200 -eva-auto-loop-unroll 1 -eva-slevel-function pkt_text:5000${loops:+,$loops}"
    # Base values are set by a loop over the table of a type.
    levels=pkt_blank_items:1000,pkt_blank_elements:1000,pkt_dequantize_row:60,pkt_quantize_row:60
    levels=$levels,pkt_compact_get:100,pkt_compact_put:100
    # The function that sets initial values calls itself for a struct in a struct: it is followed there too. Otherwise
    # nothing would be known of the values, and each access to them would raise an alarm.
    options="-main prove_$packet -eva -eva-precision 1 -eva-unroll-recursive-calls 8 -eva-split-return $split
        -eva-plevel 1000 -eva-split-limit 1000 -eva-slevel-function $levels $precision ${EXTRA:-}
        -warn-special-float none -eva-warn-key alarm=error
        -eva-use-spec $rotations$names,$texts,$others$coded$explain$crc"
    limit=${PROVE_TIMEOUT:-900}
    key=$(echo "$code $limit $options" | key_of)
    log=$scratch/$stem-$packet${EACH:+-each}${LEAST:+-$LEAST-$MOST}.log
    known=$(known "${PROVED:-}" "$key")
    if [ -z "$known" ]; then
        [ "$(date +%s)" -lt "${UNTIL:-9999999999}" ] || exit 3
        parse
        start=$(date +%s)
        timeout "$limit" frama-c -load "$parsed" $options >"$generated/$packet.log" 2>&1
        result=$?
        took="$stem: $packet${EACH:+, each length} ($(($(date +%s) - start)) s)"
        [ $result = 0 ] || mv "$generated/$packet.log" "$log"
        if [ $result = 0 ]; then
            known="proved: $took"
        elif grep -q '^\[eva:alarm\]' "$log"; then
            known="alarms: $took"
        else
            known="no result: $took"
        fi
        keep "${PROVED:-}" "$key" "$known"
    else
        known="$known, before"
    fi
    case $known in
    proved:*) echo "$known" ;;
    alarms:*)
        echo "$known: $log"
        [ $status = 2 ] || status=1
        ;;
    *)
        echo "$known: $log"
        status=2
        ;;
    esac
done
exit $status
