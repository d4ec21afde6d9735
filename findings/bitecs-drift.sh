#!/bin/bash
# bitecs-drift.sh - with { diff: true }, bitECS never sends what moves slowly.
# SPDX-License-Identifier: MIT
#
# Seen with bitecs 0.4.0 from npm, in node 20.
#
# Guess: a float is sent as soon as it differs by more than epsilon from the value that was sent last. The receiver is then never
# wrong by more than epsilon.
#
# What happens: a float is compared with its value at the call before, sent or not. With the default epsilon of 0.0001, a
# platform that moves by 0.00009 a tick is never sent, however far it has gone. With an epsilon of 0.01, a step of 0.009 is
# lost. Zeros at the start are not sent either: the receiver's array has undefined there.
#
# Why it matters: a delta has to be made against what the receiver holds. pktc quantizes first, and compares the codes of the value
# with those of the acknowledged baseline, so an error never exceeds half a step.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" bitecs@0.4.0
cat >"$dir/try.mjs" <<'END'
import { createSoASerializer, createSoADeserializer, f32 } from 'bitecs/serialization';
const run = (epsilon, step) => {
    const here = { x: f32([]) }, there = { x: f32([]) };
    const options = epsilon ? { diff: true, epsilon } : { diff: true };
    const write = createSoASerializer([here], options), read = createSoADeserializer([there], options);
    here.x[1] = 0;
    for (let tick = 0; tick < 1000; tick++) {
        read(write([1]));
        here.x[1] += step;
    }
    console.log(`epsilon ${epsilon}, step ${step}: sender ${here.x[1].toFixed(3)}, receiver ${there.x[1]?.toFixed(3)}`);
};
run(undefined, 0.00009);
run(undefined, 0.0002);
run(0.01, 0.009);
run(0.01, 0.011);
END
cat >"$dir/seen" <<'END'
epsilon undefined, step 0.00009: sender 0.090, receiver undefined
epsilon undefined, step 0.0002: sender 0.200, receiver 0.200
epsilon 0.01, step 0.009: sender 9.000, receiver undefined
epsilon 0.01, step 0.011: sender 11.000, receiver 10.989
END
(cd "$dir" && node try.mjs) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
