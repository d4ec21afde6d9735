#!/bin/sh
# constructs.sh - a program with one construct of the language, or with it and an attribute, links with the pkt.c of its own
# call of pktc.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc DAY=n constructs.sh DIR [all]
#
# tests/dist/constructs.txt has the constructs. Each is compiled with the first of the attributes with which pktc takes it; and
# with the others, all of them or an eighth that depends on the day. Nothing is optimized, so that what no function calls
# has to be there too. A pkt.c that has the same parts as an earlier one is not compiled again.
scratch=$1/constructs
extent=${2:-}
. tests/dist/common.sh
attributes='packet T
packet T @delta
packet T @seed
packet T @delta(predict)
struct T
struct T @delta
packet T @large @budget(60000)
packet T @received
packet T @stable(1)
packet T @answers(Q)'
echo 'int main(void) { return 0; }' >"$scratch/main.c"
# shellcheck disable=SC2154
cc="${CC:-cc} -std=c99 -O0 -w"
$cc -c -o "$scratch/main.o" "$scratch/main.c" || exit 1
number=0
taken=0
day=${DAY:-0}

# The schema, with the id that pktc asks for if it is @stable.
generates() {
    rm -f "$scratch"/t*.[ch]
    "$PKTC" -o "$scratch" "$scratch/t.pkt" >"$scratch/output" 2>&1 && return
    id=$(sed -n 's/.*@stable(\(0x[0-9a-f]*\)).*/\1/p' "$scratch/output" | tail -n 1)
    [ "$id" ] || return
    sed "s/@stable(1)/@stable($id)/" "$scratch/t.pkt" >"$scratch/stable" && mv "$scratch/stable" "$scratch/t.pkt"
    "$PKTC" -o "$scratch" "$scratch/t.pkt" >"$scratch/output" 2>&1
}

links() {
    parts=$(sed -n 's/^#define PKT_WITHOUT_//p' "$scratch/pkt.h" | tr '\n' _)
    # shellcheck disable=SC2086
    [ -e "$scratch/pkt_$parts.o" ] || $cc -c -o "$scratch/pkt_$parts.o" "$scratch/pkt.c" || exit 1
    # shellcheck disable=SC2086
    if $cc -o "$scratch/program" "$scratch/main.o" "$scratch/t.c" "$scratch/pkt_$parts.o" 2>"$scratch/output"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "does not link:"
        cat "$scratch/t.pkt"
        sed -n 's/.*\(undefined reference.*\)/\1/p; /error:/p' "$scratch/output" | sort -u | head -n 5
    fi
}

# A part that an entry of a type table needs is there: what reads tables would call a stand-in.
has_part() {
    if grep -q "$2" "$scratch/t.c" && grep -q "^#define PKT_WITHOUT_$1\$" "$scratch/pkt.h"; then
        failed=$((failed + 1))
        echo "pkt.c lacks $1:"
        cat "$scratch/t.pkt"
    fi
}

tab=$(printf '\t')
# The first attribute that pktc takes is always compiled.
try() {
    first=1
    while read -r attribute; do
        number=$((number + 1))
        [ "$first" ] || [ "$extent" ] || [ $((number % 8)) = $((day % 8)) ] || continue
        {
            echo 'protocol p = 1;'
            case $attribute in *Q*) echo 'packet Q { u8 q[9000]; }' ;; esac
            echo "$1"
            echo "$attribute { $2 }"
        } >"$scratch/t.pkt"
        generates || continue
        first=
        taken=$((taken + 1))
        links
        has_part ROTATION 'PKT_LEAF[A-Z_]*(\(QUAT\|UNIT\),'
        has_part SUBSET 'PKT_ITEM_SPARSE('
        has_part CODED PKT_ENTRY_CODED
        has_part DELTA PKT_ITEM_DELTA
    done <<END
$attributes
END
    if [ "$first" ]; then
        failed=$((failed + 1))
        echo "pktc takes it with no attribute: $1 $2"
        tail -n 3 "$scratch/output"
    fi
}

# Attributes of fields stand behind other constructs too: the tab may come first.
sed '/^#/d' tests/dist/constructs.txt >"$scratch/constructs"
while IFS= read -r line; do
    try "${line%%"$tab"*}" "${line#*"$tab"}"
done <"$scratch/constructs"
echo "$taken programs, $(find "$scratch" -name 'pkt_*.o' | wc -l) runtimes"
finish
