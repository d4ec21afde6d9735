// play.mjs - prints what play.c prints, through the JavaScript of `pktc bind ts`.
// SPDX-License-Identifier: MIT
//
// usage: node play.mjs DIRECTORY OLD
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [directory, old] = process.argv.slice(2);
const arena = await import(pathToFileURL(resolve(directory, 'arena.js')).href);
const { Kind, PktError, Snapshot, ToClient, ToClient_baselines, ToClient_receiver, ToClient_snapshot_ring, ToServer, pkt_element, pkt_error,
    pkt_fit_report } = arena;
const pkt = await import(pathToFileURL(resolve(directory, 'pkt.js')).href);
await arena.load();

const TICKS = 60, ROOM = 160, seed = 0x123456789n;
const codes = ['ok', 'end', 'range', 'order', 'padding', 'utf8', 'check', 'canonical', 'trailing', 'crc', 'capacity', 'value', 'baseline'];
const world = Snapshot.make(), sent = ToClient.make(), got = ToClient.make();
const ring = ToClient_snapshot_ring.make(), receiver = ToClient_receiver.make();
const hex = (number) => number.toString(16).padStart(16, '0');
const one = Number;

function sum(data) {
    let result = 0xcbf29ce484222325n;
    for (const byte of data) result = BigInt.asUintN(64, (result ^ BigInt(byte)) * 0x100000001b3n);
    return hex(result);
}

/** Calls, and prints the error if there is one. */
function said(call) {
    try {
        return call();
    } catch (e) {
        if (!(e instanceof PktError)) throw e;
        console.log(`${codes.indexOf(e.code)} ${e.bit} ${e.field}`);
        return null;
    }
}

function moveWorld(tick) {
    for (let i = 0; i < 24; i++) {
        const entity = world.entities_add(i * 7 + Math.floor(tick / 20));
        entity.set({ kind: i % 3 === 0 ? Kind.player : Kind.crate, at: { x: (i + tick) / 4, y: i - 8, z: 2 }, health: 90 });
    }
    world.entities_remove(Math.floor(tick / 20) * 7);
    world.quantize();
}

function playWorlds() {
    const order = pkt_element.makeArray(arena.MAX_ENTITIES), report = pkt_fit_report.make(), from = ToClient_baselines.make();
    let acknowledged = 0, any = false;
    for (let tick = 1; tick <= TICKS; tick++) {
        from.snapshot.set({ value: null, number: 0n, hash: 0n });
        moveWorld(tick);
        sent.init();
        sent.set({ number: tick, tick, has_back: any, back: any ? tick - acknowledged : 1, events: [{ chat: { slot: 3, text: 'café' } }] });
        if (any) ring.find(BigInt(acknowledged), from.snapshot);
        const count = { value: world.entities_count };
        for (let i = 0; i < count.value; i++) order.at(i).number = Snapshot.FIT_entities + (i + tick) % count.value;
        const fits = sent.fit_pack(from, world, order, count, ROOM, report);
        const data = sent.pack(from, seed);
        console.log(`${tick}: ${one(fits)} ${report.kept} ${report.left_out}, ${data.length} bytes ${sum(data)}`);
        ring.keep(BigInt(tick), sent.snapshot);
        if (tick % 5 === 0) continue;
        if (tick % 7 === 0) data[20] ^= 4;
        if (said(() => got.receive(receiver, seed, data))) {
            any = true;
            acknowledged = Number(receiver.newest());
            console.log(`  ${got.snapshot.entities_count} entities ${hex(got.snapshot.hash())} ${one(got.snapshot.equal(sent.snapshot))} ` +
                got.events.at(0).chat.text);
        }
    }
    const mixed = Snapshot.make();
    got.snapshot.mix(world, 0.5, mixed);
    console.log(`${hex(mixed.hash())} ${one(got.snapshot.near(world, null))}`);
}

function playCommands() {
    const command = ToServer.make(), taken = ToServer.make();
    command.repeated = 5;
    for (let i = 0; i < command.commands.length; i++) command.commands.at(i).yaw = 90 * i;
    const data = command.pack(seed);
    console.log(`${data.length} bytes ${sum(data)} ${one(taken.unpack(seed, data))}`);
    console.log(one(taken.try_unpack(seed + 1n, data)));
    said(() => taken.unpack(seed + 1n, data));
    const wrong = command.commands.at(2), was = pkt.u8.slice(wrong.at_, wrong.at_ + 64);
    wrong.forward = 1; // where it is shows in memory: a setter does not take 2
    pkt.u8[wrong.at_ + was.findIndex((byte, i) => byte !== pkt.u8[wrong.at_ + i])] = 2;
    console.log(0);
    said(() => command.pack(seed));
    const version = { value: 0 };
    const read = taken.unpack_any(seed, readFileSync(old), version);
    console.log(`${one(read)} of release ${version.value}, newest ${taken.newest}`);
}

playWorlds();
playCommands();
