#!/bin/bash
# geckos-twice.sh - @geckos.io/typed-array-buffer-schema gives two fields of one schema the same value, and loses an empty array.
# SPDX-License-Identifier: MIT
#
# Seen with @geckos.io/typed-array-buffer-schema 1.2.1 from npm, in node 20.
#
# Guess: a schema can be used in several places, like a struct. A reader gets the arrays and objects that were written, and an
# empty array for an empty array.
#
# What happens: the bytes name the schema, not the field, so all fields of one schema get one of the values. Two single objects
# both get the last one, two arrays the first element that comes. An empty array has no bytes, and the reader's object has no
# such member. Nothing is reported.
#
# Why it matters: who moves to pktc from there has declared a schema twice under two names to use it twice, and one `struct` takes
# the place of both. A reader that puts each snapshot over the last one (`Object.assign`) keeps the last player who left. In pktc
# a list of length 0 is sent as such.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" @geckos.io/typed-array-buffer-schema@1.2.1
cat >"$dir/try.js" <<'END'
const { BufferSchema, Model, uint8 } = require('@geckos.io/typed-array-buffer-schema');

const point = BufferSchema.schema('point', { x: uint8 });
const other = BufferSchema.schema('other', { x: uint8 });
const show = (name, fields, value) => {
    const model = new Model(BufferSchema.schema(name, fields));
    console.log(`${name}: ${JSON.stringify(value)} arrives as ${JSON.stringify(model.fromBuffer(model.toBuffer(value)))}`);
};
show('objects', { from: point, to: point }, { from: { x: 1 }, to: { x: 2 } });
show('arrays', { red: [point], blue: [point] }, { red: [{ x: 1 }], blue: [{ x: 2 }, { x: 3 }] });
show('empty', { red: [point], blue: [point] }, { red: [], blue: [{ x: 2 }] });
show('two schemas', { red: [point], blue: [other] }, { red: [{ x: 1 }], blue: [{ x: 2 }, { x: 3 }] });
show('two schemas, empty', { red: [point], blue: [other] }, { red: [], blue: [{ x: 2 }] });
END
cat >"$dir/seen" <<'END'
objects: {"from":{"x":1},"to":{"x":2}} arrives as {"from":{"x":2},"to":{"x":2}}
arrays: {"red":[{"x":1}],"blue":[{"x":2},{"x":3}]} arrives as {"blue":[{"x":1}],"red":[{"x":1}]}
empty: {"red":[],"blue":[{"x":2}]} arrives as {"blue":[{"x":2}],"red":[{"x":2}]}
two schemas: {"red":[{"x":1}],"blue":[{"x":2},{"x":3}]} arrives as {"blue":[{"x":2},{"x":3}],"red":[{"x":1}]}
two schemas, empty: {"red":[],"blue":[{"x":2}]} arrives as {"blue":[{"x":2}]}
END
(cd "$dir" && node try.js) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
