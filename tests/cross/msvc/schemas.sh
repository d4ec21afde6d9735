#!/bin/sh
# schemas.sh - checks that the C of random schemas compiles without a warning where clang stands for MSVC: as C17, and each
# tenth schema as C++20 too; all files of a schema in one, as in a unity build.
# SPDX-License-Identifier: MIT
#
# usage: DIFFERENTIAL=build/differential schemas.sh SCRATCH SEED FIRST SCHEMAS
#
# A schema depends only on the seed and its number, so a large run can be made of several. Conditions such as `a >= a` are
# the schema's own; MSVC says nothing of them.
# shellcheck disable=SC2086,SC2154
scratch=$1
seed=$2
first=$3
schemas=$4
. tests/dist/common.sh
. tests/cross/msvc/msvc.sh
: "${DIFFERENTIAL:?}"
if ! make_strict 2>"$scratch/output"; then
    skip 'everything: no clang, or no headers of wine (libwine-dev)'
    finish
fi
strict="$strict -Wno-tautological-compare -Wno-tautological-overlap-compare"
check "$DIFFERENTIAL" --write --seed "$seed" --first "$first" --schemas "$schemas" "$scratch/drawn" .
i=$first
while [ "$i" -lt $((first + schemas)) ]; do
    drawn=$scratch/drawn/$i
    printf '#include "%s"\n' "$drawn"/schema*.c >"$drawn/all.c"
    accepts x86_64 /Zs /O2 $strict /TC /std:c17 -Iruntime -- "$drawn/all.c"
    [ $((i % 10)) != 0 ] || accepts x86_64 /Zs /O2 $strict /TP /std:c++20 -Iruntime -- "$drawn/all.c"
    [ $failed != 0 ] || rm -r "$drawn"
    i=$((i + 1))
done
echo "random schemas $first to $((i - 1)) of seed $seed"
finish
