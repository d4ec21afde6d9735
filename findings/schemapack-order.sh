#!/bin/bash
# schemapack-order.sh - schemapack sends fields in the order of their names, so a new name moves the others.
# SPDX-License-Identifier: MIT
#
# Seen with schemapack 1.4.2 from npm, in node 20.
#
# Guess: the fields of an object are sent in the order of the schema, so a renamed field stays where it was.
#
# What happens: the names are sorted first, at every level and by the codes of their letters: B, a10, a9. After armor is renamed to
# shield, the old client's armor is read as health, and its health as shield. Both ends agree on the types, so nothing is refused.
#
# Why it matters: a schema that is translated from schemapack has to list its fields by name to have the same bytes. In pktc
# the order of the schema is the order of the bits. A new name makes another protocol id, so the older release is refused, or
# served if `was` says what was renamed.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" schemapack@1.4.2
cat >"$dir/try.js" <<'END'
const { build } = require('schemapack');
const older = build({ health: 'uint8', armor: 'uint8' });
const newer = build({ health: 'uint8', shield: 'uint8' });
console.log('old to new:', JSON.stringify(newer.decode(older.encode({ health: 100, armor: 25 }))));
const item = build({ at: { y: 'uint8', x: 'uint8' }, name: 'uint8', a10: 'uint8', a9: 'uint8', B: 'uint8' });
console.log('bytes:', item.encode({ at: { y: 2, x: 1 }, name: 5, a10: 10, a9: 9, B: 66 }).toString('hex'));
END
cat >"$dir/seen" <<'END'
old to new: {"health":25,"shield":100}
bytes: 420a09010205
END
(cd "$dir" && node try.js) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
