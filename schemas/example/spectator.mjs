// spectator.mjs - a fourth client of the arena, in JavaScript, with what `pktc bind ts` writes: it stands still and counts what
// happens.
// SPDX-License-Identifier: MIT
//
//     node spectator.mjs PORT [SECONDS [LOG]]      beside arena.js and arena.wasm
//
// The log is that of spectator.cpp. The worlds stay in the memory of C: nothing of them is copied.
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import * as arena from './arena.js';

await arena.load();
const { Challenge, Event_tag, Hello, PROTOCOL_ID, PktError, Response, ToClient, ToClient_receiver, ToServer } = arena;
const FIRST_NUMBER = 0xffc0, REPEATED = 16; // links.h
const [port, seconds = 5, log] = process.argv.slice(2);

const socket = createSocket('udp4');
const receiver = ToClient_receiver.make(), arrived = ToClient.make(), sent = ToServer.make();
const salt = randomBytes(8).readBigUInt64LE();
const counts = { snapshots: 0, chats: 0, kills: 0, left: 0, errors: 0 };
const u16 = (number) => number & 0xffff;
const hex = (number) => number.toString(16).padStart(16, '0');
const lines = [];
let serverSalt = 0n, session = 0n; // 0n: there is none
let joined = false, leaving = false, asked = -1;
let next = FIRST_NUMBER, acknowledged = FIRST_NUMBER - 1; // the number of the next command; the newest that has arrived
let expected = FIRST_NUMBER, leaveExpected = FIRST_NUMBER;

// ---- what goes out

function handshake() {
    if (session === 0n) return Hello.make().set({ client_salt: salt, game_id: PROTOCOL_ID }).pack();
    return Response.make().set({ client_salt: salt, server_salt: serverSalt, game_id: PROTOCOL_ID, name: 'spectator in js' }).pack();
}

/** A command that does nothing, after those like it that have not arrived. */
function input() {
    const before = Math.min(u16(next - acknowledged - 1), REPEATED);
    sent.init(); // commands that do nothing
    sent.set({
        has_snapshot: receiver.acknowledges(),
        snapshot: u16(Number(receiver.newest())),
        newest: next,
        repeated: (1 << before) - 1,
        expected,
        first: leaveExpected,
    });
    if (leaving && leaveExpected === FIRST_NUMBER) sent.set({ events: [{ leave: {} }] });
    next = u16(next + 1);
    return sent.pack(session);
}

// ---- what arrives

const note = (what, number, hash) => lines.push(`${hex(session)} ${what} ${number} ${hex(hash)}\n`);

function onEvent(event) {
    note('event', expected, event.hash());
    if (event.tag === Event_tag.left) counts.left++;
    if (event.tag === Event_tag.killed) counts.kills++;
    if (event.tag === Event_tag.chat && ++counts.chats === 1) console.log(event.chat.text);
}

function onSnapshot(data) {
    try {
        if (!arrived.receive(receiver, session, data)) return;
    } catch (e) {
        if (!(e instanceof PktError)) throw e;
        if (e.code !== 'baseline') counts.errors++;
        return;
    }
    joined = true;
    counts.snapshots++;
    acknowledged = arrived.command;
    leaveExpected = arrived.expected;
    note('snapshot', arrived.number, arrived.snapshot.hash());
    for (const [i, event] of [...arrived.events].entries()) {
        if (u16(arrived.first + i) !== expected) continue;
        onEvent(event);
        expected = u16(expected + 1);
    }
}

socket.on('message', (data) => {
    const challenge = Challenge.make();
    if (session !== 0n) {
        onSnapshot(data);
    } else if (challenge.try_unpack(data) && challenge.client_salt === salt) {
        serverSalt = challenge.server_salt;
        session = salt ^ serverSalt;
        asked = -1;
    }
    challenge.free();
});

// ---- time

const start = performance.now();
const timer = setInterval(() => {
    const now = (performance.now() - start) / 1000;
    leaving = now > seconds;
    if (now > Number(seconds) + 0.3) {
        clearInterval(timer);
        socket.close();
        if (log) writeFileSync(log, lines.join(''));
        console.log(`${counts.snapshots} snapshots, ${counts.chats} chats, ${counts.kills} kills, ${counts.left} have left, ` +
            `${counts.errors} datagrams refused`);
        process.exitCode = counts.snapshots > 0 ? 0 : 1;
    } else if (joined) {
        socket.send(input(), port, '127.0.0.1');
    } else if (now - asked > 0.1) {
        asked = now;
        socket.send(handshake(), port, '127.0.0.1');
    }
}, 1000 / arena.TICK_RATE);
