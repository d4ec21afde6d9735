// recording.js - writes a pcapng file of packets, as generated code of `pktc --capture` does: the schema is in it.
// SPDX-License-Identifier: MIT

const SECTION = 0x0a0d0d0a, INTERFACE = 1, PACKET = 6, COMMENT = 1, RAW_IP = 101, LONGEST = 63000;

function bytesOfAll(parts) {
    const made = new Uint8Array(parts.reduce((sum, each) => sum + each.length, 0));
    let at = 0;
    for (const each of parts) {
        made.set(each, at);
        at += each.length;
    }
    return made;
}

/** Numbers of 16 and 32 bits in the order of the file, which is little-endian. */
const shorts = (...list) => new Uint8Array(Uint16Array.from(list).buffer);
const words = (...list) => new Uint8Array(Uint32Array.from(list).buffer);
const padded = (bytes) => bytesOfAll([bytes, new Uint8Array((4 - bytes.length % 4) % 4)]);

function block(type, ...parts) {
    const inside = padded(bytesOfAll(parts));
    return bytesOfAll([words(type, inside.length + 12), inside, words(inside.length + 12)]);
}

/** The first comment, as pkt_capture writes it: text of programs that merge files comes behind it. */
const FIRST = new TextEncoder().encode('The next comments are the schemas of these packets, for pktc');

/** A comment holds up to 65535 bytes; one of LONGEST + 1 continues in the next. */
function comments(schema) {
    const made = [shorts(COMMENT, FIRST.length), padded(FIRST)];
    for (let at = 0; at === 0 || at < schema.length; at += LONGEST + 1) {
        const part = schema.subarray(at, at + LONGEST + 1);
        made.push(shorts(COMMENT, part.length), padded(part));
    }
    return [...made, words(0)];
}

function datagram(bytes) {
    const made = new Uint8Array(28 + bytes.length), v = new DataView(made.buffer);
    made.set([0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2, 9]);
    v.setUint16(2, made.length);
    v.setUint16(20, 40000);
    v.setUint16(22, 50000);
    v.setUint16(24, 8 + bytes.length);
    made.set(bytes, 28);
    return made;
}

/** schema: its text as `pktc archive` keeps it. packets: their bytes, sent at equal intervals of `seconds`. */
export function recordingOf(schema, packets, seconds) {
    const start = 1700000000e6;
    return bytesOfAll([
        block(SECTION, words(0x1a2b3c4d), shorts(1, 0), words(0xffffffff, 0xffffffff), ...comments(schema)),
        block(INTERFACE, shorts(RAW_IP, 0), words(0)),
        ...packets.map((each, i) => {
            const bytes = datagram(each), time = BigInt(Math.round(start + 1e6 * seconds * i));
            return block(PACKET, words(0, Number(time >> 32n), Number(time & 0xffffffffn), bytes.length, bytes.length), padded(bytes));
        }),
    ]);
}
