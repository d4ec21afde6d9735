// bench.mjs - times the reads of bench.c in JavaScript, and prints how many times as long as C they take.
// SPDX-License-Identifier: MIT
//
// usage: node bench.mjs packet|world LIMIT NANOSECONDS_OF_C     in the directory with the package and the packet
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [what, limit, c] = process.argv.slice(2);
const ROUNDS = 300, ENTITIES = 200;
const types = await import(pathToFileURL(resolve(what === 'world' ? 'arena.js' : 'mygame.js')).href);
await types.load();
const packet = readFileSync('packet');
let sum = 0;

function move(world, tick) {
    for (let i = 0; i < ENTITIES; i++) {
        world.entities_add(i * 5).set({
            kind: i % 3 === 0 ? types.Kind.player : types.Kind.crate,
            yaw: i + 3 * tick,
            at: { x: (i % 60) + tick * (i % 4) / 8, y: (i % 50) - 25 + tick / 8, z: 2 },
        });
    }
    world.quantize();
}

function worlds() {
    const { Entity, Snapshot, ToClient, ToClient_baselines, ToClient_snapshot_ring } = types;
    const base = Snapshot.make(), ring = ToClient_snapshot_ring.make(), from = ToClient_baselines.make(), got = ToClient.make();
    move(base, 1);
    ring.keep(1n, base);
    ring.find(1n, from.snapshot);
    return () => {
        got.unpack(from, 7n, packet);
        const { entities } = got.snapshot, entity = new Entity(0);
        for (let i = 0; i < entities.length; i++) {
            const { at } = entities.at(i, entity);
            sum += at.x + at.y;
        }
    };
}

function packets() {
    const got = types.Input.make();
    return () => {
        got.unpack(packet);
        const command = got.commands.at(0);
        sum += got.tick + got.ack + got.ack_bits + command.buttons + command.forward;
    };
}

const [run, count] = what === 'world' ? [worlds(), 50] : [packets(), 2000];
let best = Infinity;
for (let round = 0; round < ROUNDS; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < count; i++) run();
    best = Math.min(best, Number(process.hrtime.bigint() - start) / count);
}
console.log(`a ${what} of ${packet.length} bytes: ${best.toFixed(0)} ns, ${(best / c).toFixed(1)} times C's ${c}`);
process.exitCode = sum > 0 && best / c < limit ? 0 : 1;
