#!/bin/bash
# bit-buffer-unaligned.sh - bit-buffer reads and writes a number that lies in five bytes wrongly.
# SPDX-License-Identifier: MIT
#
# Seen with bit-buffer 0.3.0 from npm, in node 20.
#
# Guess: it has the order of bits that pktc has, the lowest bit first, so it reads a u32 behind a bool, and writes one.
#
# What happens: the order is the same, and small numbers agree at every bit. But a number is put together in 32 bits, with
# those before it in its first byte. If they need more, a reader loses the highest bits, and gets what follows the number
# among the lowest. A writer puts the first byte in the place of the fifth. Nothing is reported. A number of up to 25 bits is
# right at every bit, one of 32 bits only at a whole byte.
#
# Why it matters: JavaScript that reads bodies of pktc by hand can use this package, because the order of the bits agrees.
# Ticks, hashes and floats are then wrong in some packets and right in others. Read and write a number of more than 25 bits
# in two parts of up to 16 bits, the low one first.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" bit-buffer@0.3.0
cat >"$dir/try.js" <<'END'
const { BitStream } = require('bit-buffer');

// The bytes of a number that begins at a bit, the lowest bit first.
const bytes = (value, at) => {
    let all = BigInt(value) << BigInt(at);
    return Buffer.from(Array.from({ length: 8 }, () => { const low = Number(all & 255n); all >>= 8n; return low; }));
};

for (const [at, bits, value] of [[3, 7, 65], [7, 25, 0x1234567], [0, 32, 0x12345678], [1, 32, 0x92345678], [4, 32, 0x92345678]]) {
    const given = new BitStream(bytes(value, at));
    given.index = at;
    const own = new BitStream(new ArrayBuffer(8));
    own.index = at;
    own.writeBits(value, bits);
    const same = Buffer.compare(Buffer.from(own.buffer), bytes(value, at)) === 0;
    console.log(`bit ${at}, ${bits} bits, ${value.toString(16)}: reads ${given.readBits(bits, false).toString(16)},`,
        same ? 'writes the same bytes' : 'writes other bytes');
}

const before_ones = new BitStream(Buffer.from([0, 0, 0, 0, 0xfe]));
before_ones.index = 1;
console.log(`bit 1, 32 bits, 0, then ones: reads ${before_ones.readBits(32, false).toString(16)}`);
END
cat >"$dir/seen" <<'END'
bit 3, 7 bits, 41: reads 41, writes the same bytes
bit 7, 25 bits, 1234567: reads 1234567, writes the same bytes
bit 0, 32 bits, 12345678: reads 12345678, writes the same bytes
bit 1, 32 bits, 92345678: reads 12345678, writes other bytes
bit 4, 32 bits, 92345678: reads 2345678, writes other bytes
bit 1, 32 bits, 0, then ones: reads 7f
END
(cd "$dir" && node try.js) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
