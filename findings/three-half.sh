#!/bin/bash
# three-half.sh - DataUtils.toHalfFloat of three cuts numbers off: half of them are one step nearer to 0 than the nearest half.
# SPDX-License-Identifier: MIT
#
# Seen with three 0.180.0 from npm, in node 20.
#
# Guess: toHalfFloat rounds to the nearest half, and between two halves to the even one, as IEEE 754 and processors do.
#
# What happens: the bits of the float that a half lacks are dropped. Of the numbers 1.0001, 1.0002 ... 1.9999, 4992 of 9999
# become another half than the nearest one, always the lesser one, and the error is up to a whole step. 1.9995 becomes 1.999,
# though 2 is nearer. Infinity becomes 65504, with a warning.
#
# Why it matters: a web client that puts its numbers through toHalfFloat before it sends them has twice the error of a `half`
# field, and the errors all point to 0: a sum of a thousand of them is half a thousand steps too small. A server that rounds the
# same number to the nearest half finds another value than its client, and their hashes differ. Give the packet the float.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" three@0.180.0
cat >"$dir/try.mjs" <<'END'
import { DataUtils } from 'three';
const step = 1 / 1024; // of halves from 1 to 2
let other = 0, less = 0, worst = 0;
for (let i = 1; i < 10000; i++) {
    const number = Math.fround(1 + i / 10000), made = DataUtils.fromHalfFloat(DataUtils.toHalfFloat(number));
    const nearest = Math.round(number / step) * step;
    other += made !== nearest;
    less += made < nearest;
    worst = Math.max(worst, Math.abs(made - number) / step);
}
console.log(`not the nearest: ${other}, of these less: ${less}, greatest error: ${worst.toFixed(2)} steps`);
console.log('1.9995:', DataUtils.fromHalfFloat(DataUtils.toHalfFloat(1.9995)));
console.log('Infinity:', DataUtils.fromHalfFloat(DataUtils.toHalfFloat(Infinity)));
END
cat >"$dir/seen" <<'END'
not the nearest: 4992, of these less: 4992, greatest error: 1.00 steps
1.9995: 1.9990234375
Infinity: 65504
END
(cd "$dir" && node try.mjs 2>/dev/null) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
