#!/bin/bash
# notepack-arrays.sh - notepack.io sends one byte of each element of a typed array, and nothing of a DataView.
# SPDX-License-Identifier: MIT
#
# Seen with notepack.io 3.0.1 from npm, in node 20.
#
# Guess: any view of an ArrayBuffer is sent as its bytes, as a Uint8Array and an ArrayBuffer are.
#
# What happens: the length is the number of elements, and each element becomes one byte, its lowest. A Float32Array of 1.5 and -2
# arrives as 01 fe, a Uint16Array of 1 and 300 as 01 2c. A DataView arrives as no bytes. Nothing is reported.
#
# Why it matters: views of wasm memory, as those of `pktc bind ts`, and arrays of floats are what one wants to send beside a packet. Wrap
# them first: new Uint8Array(view.buffer, view.byteOffset, view.byteLength).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" notepack.io@3.0.1
cat >"$dir/try.js" <<'END'
const { encode, decode } = require('notepack.io');

const memory = Uint8Array.of(9, 9, 1, 2, 3, 9).buffer;
const show = (name, value) => console.log(`${name}: ${value.byteLength} bytes arrive as ${decode(encode(value)).toString('hex') || 'none'}`);
show('Uint8Array', new Uint8Array(memory, 2, 3));
show('ArrayBuffer', memory);
show('DataView', new DataView(memory, 2, 3));
show('Uint16Array', Uint16Array.of(1, 300));
show('Float32Array', Float32Array.of(1.5, -2));
const floats = Float32Array.of(1.5, -2);
show('wrapped', new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength));
END
cat >"$dir/seen" <<'END'
Uint8Array: 3 bytes arrive as 010203
ArrayBuffer: 6 bytes arrive as 090901020309
DataView: 3 bytes arrive as none
Uint16Array: 4 bytes arrive as 012c
Float32Array: 8 bytes arrive as 01fe
wrapped: 8 bytes arrive as 0000c03f000000c0
END
(cd "$dir" && node try.js) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
