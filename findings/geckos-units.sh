#!/bin/bash
# geckos-units.sh - @geckos.io/snapshot-interpolation takes the unit of a key only if the key is one letter, and not the first.
# SPDX-License-Identifier: MIT
#
# Seen with @geckos.io/snapshot-interpolation 1.1.1 from npm, in node 20.
#
# Guess: with turn(deg), halfway between 350 and 10 degrees is 0, for any key and at any place in the list.
#
# What happens: the first unit of the list is lost, so that key is linear and turns the long way round, through 180. In a
# later key only the letter before the parenthesis counts: turn(deg) is the key n. The value of turn is then that of the
# newer snapshot, and jumps. The result has a new member, "deg)" or n. Nothing is reported. A unit counts only with a key of
# one letter that is not the first.
#
# Why it matters: snapshots that pktc has read go into such a library, and an angle with `wrap` crosses the end of its
# circle. Name angles and rotations by one letter there, behind another key, or interpolate them without it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" @geckos.io/snapshot-interpolation@1.1.1
cat >"$dir/try.js" <<'END'
const { SnapshotInterpolation } = require('@geckos.io/snapshot-interpolation');
const si = new SnapshotInterpolation();
const older = { id: 'a', time: 0, state: [{ id: 'tank', x: 0, turn: 350, t: 350 }] };
const newer = { id: 'b', time: 100, state: [{ id: 'tank', x: 8, turn: 10, t: 10 }] };
for (const keys of ['x t(deg)', 't(deg) x', 't(deg)', 'turn(deg) x', 'x turn(deg)']) {
    const { x, turn, t, ...more } = si.interpolate(older, newer, 0.5, keys).state[0];
    console.log(`${keys}: x ${x}, turn ${turn}, t ${t}; others: ${Object.keys(more)}`);
}
END
cat >"$dir/seen" <<'END'
x t(deg): x 4, turn 10, t 0; others: id
t(deg) x: x 4, turn 10, t 180; others: id,deg)
t(deg): x 8, turn 10, t 180; others: id,deg)
turn(deg) x: x 4, turn 180, t 10; others: id,deg)
x turn(deg): x 4, turn 10, t 10; others: id,n
END
(cd "$dir" && node try.js) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
