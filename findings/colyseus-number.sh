#!/bin/bash
# colyseus-number.sh - the type "number" of @colyseus/schema changes values: by up to 0.0001, and what is not finite entirely.
# SPDX-License-Identifier: MIT
#
# Seen with @colyseus/schema 5.0.34 from npm, in node 20.
#
# Guess: a number takes the fewest bytes that keep it: an integer, else a float32 if it is exact, else a float64. So every
# number of JavaScript arrives as it was sent.
#
# What happens: a float32 is taken if it is within 0.0001 of the value, whatever the value is. So 1000.00001 arrives as 1000
# and 0.1 as 0.10000000149011612, but 12345.678 is sent whole. NaN arrives as 0, and an infinity as the greatest or least
# integer that is safe. A field of the type float32 keeps NaN and infinities.
#
# Why it matters: who moves a schema from there to pktc asks how exact the values were on the wire. Their error was up to
# 0.0001, so a quantized double in steps of 0.0002 loses no more. And where clients have got 0 for a NaN, pktc refuses to
# write it in a quantized number (`value`), and sends it as it is in a float.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" @colyseus/schema@5.0.34
cat >"$dir/try.js" <<'END'
const { schema, t, Encoder, Decoder } = require('@colyseus/schema');
const State = schema({ n: t.number(), f: t.float32() }, 'State');
for (const value of [0.1, 1000.00001, 12345.678, 1e-10, NaN, Infinity, -Infinity]) {
    const sent = new State(), encoder = new Encoder(sent), received = new State(), decoder = new Decoder(received);
    decoder.decode(encoder.encodeAll());
    encoder.discardChanges();
    sent.n = value;
    sent.f = value;
    decoder.decode(encoder.encode());
    console.log(`${value}: number ${received.n}, float32 ${received.f}`);
}
END
cat >"$dir/seen" <<'END'
0.1: number 0.10000000149011612, float32 0.10000000149011612
1000.00001: number 1000, float32 1000
12345.678: number 12345.678, float32 12345.677734375
1e-10: number 1.000000013351432e-10, float32 1.000000013351432e-10
NaN: number 0, float32 NaN
Infinity: number 9007199254740991, float32 Infinity
-Infinity: number -9007199254740991, float32 -Infinity
END
(cd "$dir" && node try.js) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
