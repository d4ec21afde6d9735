#!/bin/sh
# bound.sh - types of the program that a schema is bound to, in C and in C++: they work, T_init leaves the rest of them alone, and a
# member that is not what the schema says does not compile, with a message that names it.
# SPDX-License-Identifier: MIT
#
# usage: bound.sh SCRATCH PKTC
# shellcheck disable=SC2086
scratch=$1
pktc=$2
. tests/dist/common.sh
source=$PWD/tests/dist/bound
mkdir -p "$scratch/made" "$scratch/bare"
check "$pktc" -o "$scratch/made" "$source/arms.pkt"

# The same, as a compiler sees it that has neither C11 nor what gcc adds to C99.
cp "$scratch"/made/* "$scratch/bare"
sed '/pkt_bound.h/,/define PKT_BOUND_ARRAY/s/defined(__GNUC__)/0/' "$scratch/made/pkt_inside.h" >"$scratch/bare/pkt_inside.h"
check sh -c "! cmp -s '$scratch/made/pkt_inside.h' '$scratch/bare/pkt_inside.h'"

# compile TYPES MADE COMMAND...   the generated file, against the program's types in a folder
compile() {
    types=$1
    made=$2
    shift 2
    "$@" $warnings -I"$made" -I"$types" -fsyntax-only "$made/arms.c"
}

# As edited, the program's types do not compile, and the message says what they must be.
# refused LANGUAGE EDIT MESSAGE COMMAND...
refused() {
    language=$1
    edit=$2
    message=$3
    shift 3
    mkdir -p "$scratch/types"
    sed "$edit" "$source/$language/types.h" >"$scratch/types/types.h"
    if cmp -s "$source/$language/types.h" "$scratch/types/types.h"; then
        check false "$edit edits nothing"
    elif compile "$scratch/types" "$made" "$@" >"$scratch/said" 2>&1; then
        check false "$* compiles $edit"
    else
        check grep -F "$message" "$scratch/said"
    fi
}

try() {
    language=$1
    shift
    check "$@" $warnings -I"$scratch/made" -I"$source/$language" -o "$scratch/use" "$source/use.c" \
        "$scratch/made/arms.c" "$scratch/made/pkt.c"
    check sh -c "'$scratch/use' >'$scratch/bytes'"
    [ -f "$scratch/expected" ] || cp "$scratch/bytes" "$scratch/expected"
    check cmp "$scratch/expected" "$scratch/bytes"
}

for cc in gcc clang; do
    command -v $cc >/dev/null || { skip "no $cc"; continue; }
    for each in c99:-O0 c11:-O2; do
        try c $cc -std=${each%:*} ${each#*:}
    done
    made=$scratch/made
    c="$cc -std=c11"
    refused c 's/float x, y, z;/int x, y, z;/' 'Vec3.x must be of type float, as the schema says' $c
    refused c 's/float x, y, z;/double x, y, z;/' 'Vec3.x must be of type float, as the schema says' $c
    refused c 's/bool open;/uint8_t open;/' 'Bag.open must be of type bool, as the schema says' $c
    refused c 's/int64_t money;/uint64_t money;/' 'Bag.money must be of type int64_t, as the schema says' $c
    refused c 's/int64_t money;/double money;/' 'Bag.money must be of type int64_t, as the schema says' $c
    refused c 's/double length;/int64_t length;/' 'Bag.length must be of type double, as the schema says' $c
    refused c 's/int16_t counts/uint16_t counts/' 'Bag.counts must be an array of 6 int16_t, as the schema says' $c
    refused c 's/ids\[4\];/ids[5];/' 'Bag.ids must be an array of 4 uint32_t, as the schema says' $c
    refused c 's/uint8_t slots\[8\];/uint8_t *slots;/' 'Bag.slots must be an array of 8 uint8_t' $c
    refused c 's/char name\[8\];/const char *name;/' 'Bag.name must be an array of 8 char, as the schema says' $c
    refused c 's/char name\[8\];/uint8_t name[8];/' 'Bag.name must be an array of 8 char, as the schema says' $c
    refused c 's/pkt_quat turn;/float turn[4];/' 'Bag.turn must be of type pkt_quat, as the schema says' $c
    refused c 's/holes_present\[2\]/holes_present[1]/' 'Bag.holes_present must be an array of 2 uint64_t' $c
    refused c 's/uint8_t ids_count;/uint16_t ids_count;/' 'Bag.ids_count must be of type uint8_t' $c
    refused c 's/uint8_t team;/float team;/' 'Bag.team must be of type Team, as the schema says' $c
    # In C99 the message is the name of a type.
    c="$cc -std=c99"
    refused c 's/int64_t money;/uint64_t money;/' 'Bag_money_is_not_what_the_schema_says_' $c
    refused c 's/uint8_t slots\[8\];/uint8_t *slots;/' 'Bag_slots_is_not_what_the_schema_says_' $c
    # What the plainest C99 can tell.
    made=$scratch/bare
    check compile "$source/c" "$made" $c
    refused c 's/float x, y, z;/int x, y, z;/' 'Vec3_x_is_not_what_the_schema_says_' $c
    refused c 's/double length;/int64_t length;/' 'Bag_length_is_not_what_the_schema_says_' $c
    refused c 's/int64_t money;/double money;/' 'Bag_money_is_not_what_the_schema_says_' $c
    refused c 's/ids\[4\];/ids[5];/' 'Bag_ids_is_not_what_the_schema_says_' $c
done

for cxx in g++ clang++; do
    command -v $cxx >/dev/null || { skip "no $cxx"; continue; }
    for each in 11:-O0 20:-O2; do
        try cpp $cxx -std=c++${each%:*} ${each#*:} -x c++
    done
    made=$scratch/made
    c="$cxx -std=c++11 -x c++"
    refused cpp 's/= maths::vector<float>/= maths::vector<double>/' 'Vec3.x must be of type float, as the schema says' $c
    refused cpp 's/= maths::vector<float>/= maths::vector<int>/' 'Vec3.x must be of type float, as the schema says' $c
    refused cpp 's/bool open;/uint8_t open;/' 'Bag.open must be of type bool, as the schema says' $c
    refused cpp 's/int64_t money;/uint64_t money;/' 'Bag.money must be of type int64_t, as the schema says' $c
    refused cpp 's/double length;/int64_t length;/' 'Bag.length must be of type double, as the schema says' $c
    refused cpp 's/pkt_quat turn;/vec turn;/' 'Bag.turn must be of type pkt_quat, as the schema says' $c
done
finish
