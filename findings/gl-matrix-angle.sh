#!/bin/bash
# gl-matrix-angle.sh - quat.getAngle of gl-matrix is rarely 0 between a rotation and itself; quat.equals takes 0.16 degrees for none.
# SPDX-License-Identifier: MIT
#
# Seen with gl-matrix 3.4.4 from npm, in node 20.
#
# Guess: the angle between a rotation and itself is 0, or nearly so, and quat.equals, whose EPSILON is 0.000001, tells
# rotations apart that are 0.1 degrees apart.
#
# What happens: the parts are float32, so their squares add up to a little more or less than 1. More makes the arc cosine NaN,
# less makes an angle of up to 0.04 degrees. Of 1000 rotations about an axis, two have the angle 0 to themselves.
# quat.equals compares the cosine of half the angle with 1 - EPSILON: all rotations within 0.16 degrees are equal to it.
#
# Why it matters: a web client that measures what `quat<B>` loses gets NaN or 0.04 degrees, more than the whole error of 13
# and more bits. A test that compares by quat.equals what was sent and what was read always passes with 11 bits and more.
# Measure the distance of the two quaternions instead, to q or -q, whichever is nearer: the angle is 4 * asin(distance / 2).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" gl-matrix@3.4.4
cat >"$dir/try.js" <<'END'
const { quat } = require('gl-matrix');
const about_z = (degrees) => quat.setAxisAngle(quat.create(), [0, 0, 1], degrees * Math.PI / 180);
const angles = Array.from({ length: 1000 }, (_, i) => about_z(i * 0.36)).map((q) => quat.getAngle(q, q) * 180 / Math.PI);
console.log('to itself: NaN', angles.filter(isNaN).length, 'zero', angles.filter((angle) => angle === 0).length,
    'greatest', Math.max(...angles.filter((angle) => angle >= 0)).toFixed(3));
for (const degrees of [0.05, 0.1, 0.15, 0.17])
    console.log(`0 and ${degrees} degrees: equal ${quat.equals(about_z(0), about_z(degrees))}`);
END
cat >"$dir/seen" <<'END'
to itself: NaN 520 zero 2 greatest 0.043
0 and 0.05 degrees: equal true
0 and 0.1 degrees: equal true
0 and 0.15 degrees: equal true
0 and 0.17 degrees: equal false
END
(cd "$dir" && node try.js) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
