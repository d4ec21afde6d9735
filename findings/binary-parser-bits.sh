#!/bin/bash
# binary-parser-bits.sh - little-endian bit fields of binary-parser begin at the lowest bit of the last byte.
# SPDX-License-Identifier: MIT
#
# Seen with binary-parser 2.3.0 from npm, in node 20.
#
# Guess: with endianess('little'), neighbouring bit fields are one little-endian number, and the first field has its lowest bits, as
# the bit fields of C compilers on x86 and the fields of pktc.
#
# What happens: neighbouring bit fields are one big-endian number, whatever is set; only the order of the fields in it turns
# round. So with up to 8 bits together, the result is as guessed; with 16 bits, the first field has the lowest bits of the second
# byte. A field of 12 bits of three bytes has bits of the third and of the second one.
#
# Why it matters: a web tool that reads a body of pktc, or a struct of C with bit fields, by this package gets wrong numbers
# without an error. Read uint16le or uint32le, and take the fields from the number by shifts, or turn the bytes of the group round first.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" binary-parser@2.3.0
cat >"$dir/try.js" <<'END'
const { Parser } = require('binary-parser');

// The bytes of fields that follow each other from the lowest bit of the first byte on.
const bytes = fields => {
    let all = 0n, at = 0n;
    for (const [bits, value] of fields) { all |= BigInt(value) << at; at += BigInt(bits); }
    return Buffer.from(Array.from({ length: Number(at / 8n) }, (_, i) => Number((all >> BigInt(8 * i)) & 255n)));
};
const hex = numbers => numbers.map(number => number.toString(16)).join(' ');
for (const fields of [[[3, 5], [5, 17]], [[3, 5], [10, 600], [3, 1]], [[12, 0xabc], [12, 0x123]]]) {
    const parser = new Parser().endianess('little');
    fields.forEach(([bits], i) => parser[`bit${bits}`](`f${i}`));
    const given = bytes(fields), turned = Buffer.from(given).reverse();
    const read = data => hex(Object.values(parser.parse(data)));
    console.log(`bits ${fields.map(([bits]) => bits)}: ${hex(fields.map(([, value]) => value))} is read as ${read(given)}; bytes turned round: ${read(turned)}`);
}
END
cat >"$dir/seen" <<'END'
bits 3,5: 5 11 is read as 5 11; bytes turned round: 5 11
bits 3,10,3: 5 258 1 is read as 2 a6 6; bytes turned round: 5 258 1
bits 12,12: abc 123 is read as a12 bc3; bytes turned round: abc 123
END
(cd "$dir" && node try.js) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
