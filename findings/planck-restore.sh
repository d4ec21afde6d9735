#!/bin/bash
# planck-restore.sh - a world that planck's Serializer restores goes another way than the world that was saved.
# SPDX-License-Identifier: MIT
#
# Seen with planck 1.4.2 from npm, in node 20.
#
# Guess: planck is deterministic, and JSON keeps doubles exactly. A world that is saved as JSON and restored takes the same steps
# as the world that was saved.
#
# What happens: contacts are not saved, so the first step after a restore has no impulses to start from. Eight boxes on each other
# are millimetres apart after one step, and metres after five seconds. Angles are saved and turned into sine and cosine again,
# which changes last digits, so even boxes that hardly touch differ in them. Two worlds from the same JSON take the same steps.
#
# Why it matters: rollback restores a state and simulates again, and compares hashes. With this Serializer, the computer that
# rolled back has another world than the one that did not, although every input arrived. Bytes of T_save have the same limit: a
# physics engine needs a save of its own with contacts, or every computer continues from the restored world after each save.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" planck@1.4.2
cat >"$dir/try.mjs" <<'END'
import { Box, Edge, Serializer, Vec2, World } from 'planck';

const tower = gap => {
    const world = new World({ gravity: new Vec2(0, -10) });
    world.createBody().createFixture(new Edge(new Vec2(-40, 0), new Vec2(40, 0)), 0);
    for (let i = 0; i < 8; i++)
        world.createDynamicBody(new Vec2(i * 0.1, 1 + i * gap)).createFixture(new Box(0.5, 0.5), { density: 1, friction: 0.3 });
    return world;
};
const step = (world, steps) => { for (let i = 0; i < steps; i++) world.step(1 / 60); };
const save = world => JSON.stringify(Serializer.toJson(world));
const restore = text => Serializer.fromJson(JSON.parse(text));
const places = world => {
    const all = [];
    for (let body = world.getBodyList(); body; body = body.getNext()) all.push(body.getPosition());
    return all.sort((a, b) => a.y - b.y);
};
const apart = (a, b) => {
    const there = places(b);
    const most = Math.max(...places(a).map((here, i) => Math.hypot(here.x - there[i].x, here.y - there[i].y)));
    return most === 0 ? 'the same places' : most < 0.0001 ? 'last digits' : most < 0.1 ? 'millimetres' : most > 1 ? 'metres' : 'in between';
};
for (const [name, gap, steps] of [['falling', 100, 30], ['touching', 1.2, 60]]) {
    const world = tower(gap);
    step(world, steps);
    const text = save(world), restored = restore(text), again = restore(text);
    console.log(`${name}: contacts ${world.getContactCount()} and ${restored.getContactCount()}`);
    for (const more of [1, 299]) {
        for (const each of [world, restored, again]) step(each, more);
        console.log(`${more} more steps: saved and restored ${apart(world, restored)}; restored twice ${apart(restored, again)}`);
    }
}
END
cat >"$dir/seen" <<'END'
falling: contacts 1 and 0
1 more steps: saved and restored last digits; restored twice the same places
299 more steps: saved and restored last digits; restored twice the same places
touching: contacts 8 and 0
1 more steps: saved and restored millimetres; restored twice the same places
299 more steps: saved and restored metres; restored twice the same places
END
(cd "$dir" && node try.mjs) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
