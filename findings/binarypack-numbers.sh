#!/bin/bash
# binarypack-numbers.sh - peerjs-js-binarypack, which PeerJS sends data with, changes negative integers of more than 32 bits, and NaN.
# SPDX-License-Identifier: MIT
#
# Seen with peerjs-js-binarypack 2.1.0 from npm, in node 20.
#
# Guess: numbers of JavaScript are doubles, so every number arrives as it was sent; what cannot be sent is refused.
#
# What happens: a negative integer below -2^31 is sent in two words of 32 bits, and the words do not fit together: -2147483649
# arrives as -2147483648, and -22001103019668 with other last digits. NaN arrives as a number near 0, and the smallest numbers
# as great ones. Infinity, and numbers of 1e21 and more, are refused. Positive integers up to 2^53 and common fractions are right.
#
# Why it matters: a browser game with PeerJS can send a struct as an object of numbers, or as the bytes that pktc has packed. A score,
# a time difference or a hash in two's complement is then another number, without an error. Send the bytes: a Uint8Array arrives
# whole, as an ArrayBuffer.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" peerjs-js-binarypack@2.1.0
cat >"$dir/try.mjs" <<'END'
import { pack, unpack } from 'peerjs-js-binarypack';

const sent = async value => unpack(await pack(value));
for (const value of [-2147483648, -2147483649, -22001103019668, 22001103019668, 2 ** 53, NaN, 5e-324, 0.1])
    console.log(`${value} arrives as ${await sent(value)}`);
const memory = new Uint8Array([9, 9, 1, 2, 3, 9]);
console.log('bytes in the middle of memory arrive as', new Uint8Array(await sent(memory.subarray(2, 5))).join(' '));
END
cat >"$dir/seen" <<'END'
-2147483648 arrives as -2147483648
-2147483649 arrives as -2147483648
-22001103019668 arrives as -22001103020032
22001103019668 arrives as 22001103019668
9007199254740992 arrives as 9007199254740992
NaN arrives as 1.1125369292536007e-308
5e-324 arrives as -1.596672247627776e+293
0.1 arrives as 0.1
bytes in the middle of memory arrive as 1 2 3
END
(cd "$dir" && node try.mjs) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
