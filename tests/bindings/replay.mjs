// replay.mjs - holds the JavaScript of `pktc bind ts` to the records of vectors files, as tests/interop/replay holds generated C.
// SPDX-License-Identifier: MIT
//
// usage: node replay.mjs NAME DIRECTORY     reads DIRECTORY/NAME.records; DIRECTORY has NAME.js and NAME.wasm. Prints the line,
//                                           code, bit and field of each refused read or write; then how many records passed
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [name, directory] = process.argv.slice(2);
const there = (file) => import(pathToFileURL(resolve(directory, file)).href);
const types = await there(`${name}.js`), pkt = await there('pkt.js');
await types.load();
const { PktError } = types;

class Inexpressible extends Error {}
const fail = (text) => { throw new Error(text); };
const classOf = (type) => types[type] ?? types[`${type}_`] ?? fail(`there is no type ${type}`);

// ---- base values: what a delta without changes reads as, where initial values are others

const bases = new Map();
function toBase(view) {
    const type = view.constructor;
    if (!bases.has(type)) {
        const fresh = type.make();
        for (let size = 1; fresh.try_read_delta && size < 64; size++)
            if (fresh.try_read_delta(null, new Uint8Array(size))) break;
            else fresh.init();
        bases.set(type, fresh);
    }
    view.set(bases.get(type));
}

// ---- from JSON

const memberOf = (view, member) => (view.constructor.members ?? view.constructor.arms).includes(member) ? member : `${member}_`;
const bitsOf = new DataView(new ArrayBuffer(8));

let refused; // a number of the record that a setter does not take

/** What setters refuse gets to C all the same, which has to refuse it, too. */
function setUnchecked(set) {
    refused = true;
    globalThis.unchecked = true; // for ts.sh's pkt.js
    set();
    globalThis.unchecked = false;
}

/** A number, or the bits of a real one. NaNs have bits that a number of JavaScript loses, so bits are stored by `store`. */
function putNumber(json, get, set, store) {
    if (typeof json === 'string' && json.startsWith('0x') && typeof get() === 'number') return store(BigInt(json));
    const is = typeof get();
    const value = is === 'bigint' ? BigInt(json) : is === 'boolean' ? json === true || json === '1' : Number(json);
    if (is === 'boolean' && json !== Boolean(Number(json))) throw new Inexpressible('out of the C type');
    try {
        set(value);
    } catch (e) {
        if (!(e instanceof RangeError)) throw e;
        setUnchecked(() => set(value));
    }
    if (get() !== value && (is === 'bigint' || (Number.isInteger(value) && get() !== Math.fround(value)))) throw new Inexpressible('out of the C type');
}

/** Stores the bits of a real member: where it is shows in memory when it changes. */
function storeReal(view, member, bits) {
    const { at_: at, constructor: { SIZE } } = view;
    view[member] = 0;
    const before = pkt.u8.slice(at, at + SIZE);
    for (const size of [4, 8]) {
        bitsOf.setBigUint64(0, 0x0101010101010101n, true);
        view[member] = size === 4 ? bitsOf.getFloat32(0, true) : bitsOf.getFloat64(0, true);
        const changed = [...before.keys()].filter((i) => before[i] !== pkt.u8[at + i]);
        if (changed.length !== size) continue;
        if (size === 4) pkt.dv.setUint32(at + changed[0], Number(bits), true);
        else pkt.dv.setBigUint64(at + changed[0], bits, true);
        return;
    }
    fail(`${member} is no real number`);
}

const isReal = (array) => array instanceof Float32Array || array instanceof Float64Array;

function putElement(array, index, json) {
    if (array.put) {
        if (typeof json !== 'string') put(array.at(index), json);
        else if (array.sizes_) array.put(index, Buffer.from(json, 'hex'));
        else array.put(index, textFor(json, array.size_));
    } else if (isReal(array) && typeof json === 'string') {
        const bits = array instanceof Float32Array ? new Uint32Array(array.buffer, array.byteOffset) : new BigUint64Array(array.buffer, array.byteOffset);
        bits[index] = array instanceof Float32Array ? Number(json) : BigInt(json);
    } else {
        const value = array instanceof BigUint64Array || array instanceof BigInt64Array ? BigInt(json) : Number(json);
        array[index] = value;
        if (array[index] !== value && !isReal(array)) throw new Inexpressible('out of the C type');
    }
}

function textFor(text, size) {
    if (text.includes('\0')) throw new Inexpressible('a zero byte in a string');
    if (Buffer.byteLength(text) >= size) throw new Inexpressible('a string too long for its array');
    return text;
}

/** The elements of all dimensions. Those of an array of vectors are arrays, too. */
function flat(json, vectors) {
    if (!Array.isArray(json) || (vectors && !Array.isArray(json[0]))) return [json];
    return json.flatMap((each) => flat(each, vectors));
}

function putMember(view, key, json) {
    const member = memberOf(view, key);
    if (`has_${key}` in view) view[`has_${key}`] = json !== null;
    if (json === null) return;
    const now = view[member], listed = now?.put !== undefined || (ArrayBuffer.isView(now) && !(`${key}_size` in view));
    if (`${key}_present` in view) {
        for (const [index, element] of json) {
            view[`${key}_present`][index >> 6] |= 1n << BigInt(index & 63);
            putElement(view[member], Number(index), element);
        }
    } else if (listed) {
        const counted = `${key}_count` in view && typeof view[`${key}_count`] !== 'function';
        if (counted) view[`${key}_count`] = json.length;
        if (counted && view[member].length !== json.length) throw new Inexpressible('more elements than their array has');
        if (counted && json.length > 0 && view[member].at(0).init) for (const each of view[member]) toBase(each);
        const vectors = now.put && now.length > 0 && ['pkt_quat', 'pkt_vec3'].includes(now.at(0).constructor.name);
        const elements = counted ? json : flat(json, vectors);
        if (view[member].length < elements.length) throw new Inexpressible('more elements than their array has');
        elements.forEach((each, i) => putElement(view[member], i, each));
    } else if (`${key}_size` in view) {
        try {
            view[member] = Buffer.from(json, 'hex');
        } catch (e) {
            throw e instanceof RangeError ? new Inexpressible('more bytes than their array has') : e;
        }
    } else if (typeof now === 'string') {
        if (json.includes('\0')) throw new Inexpressible('a zero byte in a string');
        view[member] = json;
        if (view[member] !== json) throw new Inexpressible('a string too long for its array');
    } else if (now instanceof Object) {
        put(now, json);
    } else {
        putNumber(json, () => view[member], (v) => { view[member] = v; }, (bits) => storeReal(view, member, bits));
    }
}

function put(view, json) {
    if (Array.isArray(json)) {
        ['x', 'y', 'z', 'w'].slice(0, json.length).forEach((each, i) => putMember(view, each, json[i]));
        return;
    }
    for (const [key, value] of Object.entries(json)) {
        if (view.constructor.arms) {
            const member = memberOf(view, key);
            view.set({ [member]: {} });
            toBase(view[member]);
            put(view[member], value);
        } else {
            putMember(view, key, value);
        }
    }
}

// ---- comparing

function same(what, got, want) {
    if (typeof want !== 'object' || want === null) {
        if (!Object.is(got, want)) fail(`${what} differs: ${got}, not ${want}`);
    } else if (want.constructor.arms) {
        same(`${what}.tag`, got.tag, want.tag);
        const arm = want.constructor.arms[want.tag];
        same(`${what}.${arm}`, got[arm], want[arm]);
    } else if (want.constructor.members) {
        for (const member of want.constructor.members) {
            if (want[`has_${member}`] === false || member.endsWith('_present')) continue;
            same(`${what}.${member}`, picked(got, member), picked(want, member));
        }
    } else {
        const [a, b] = [[...got], [...want]];
        same(`${what}.length`, a.length, b.length);
        b.forEach((each, i) => same(`${what}[${i}]`, a[i], each));
    }
}

/** Of a sparse array, the elements that there are, with their numbers. */
function picked(view, member) {
    if (!(`${member}_present` in view)) return view[member];
    return [...view[member]].flatMap((each, i) => (view[`${member}_has`](i) ? [i, each] : []));
}

// ---- the CRC of packets, independent of the runtime

function crcOf(crc, bytes) {
    crc = ~crc;
    for (const byte of bytes) {
        crc ^= byte;
        for (let bit = 0; bit < 8; bit++) crc = crc >>> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc >>> 0;
}

// ---- records

class Replay {
    constructor(record) {
        this.record = record;
        this.type = classOf(record.type);
        this.framed = record.id !== undefined;
        this.delta = record.base !== undefined;
        this.bytes = Uint8Array.from(Buffer.from(record.hex ?? '', 'hex'));
    }
    crc(id, packet) {
        const prefix = new Uint8Array(8);
        new DataView(prefix.buffer).setBigUint64(0, BigInt(id), true);
        return crcOf(crcOf(crcOf(0, prefix), Buffer.from(this.record.type)), packet.subarray(4));
    }
    isRight(id) {
        return this.bytes.length >= 4 && this.crc(id, this.bytes) === new DataView(this.bytes.buffer).getUint32(0, true);
    }
    signed(packet) {
        const copy = packet.slice();
        new DataView(copy.buffer).setUint32(0, this.crc(this.record.here_id, packet), true);
        return copy;
    }
    move() {
        if (this.isRight(this.record.id)) this.bytes = this.signed(this.bytes);
        else if (this.isRight(this.record.here_id)) this.bytes[0] ^= 1;
    }
    write(view) {
        const method = this.framed ? 'pack' : 'write';
        return this.delta ? view[`${method}_delta`](this.from, view) : view[method]();
    }
    read(view, data, how = '') {
        const method = `${how}${this.framed ? 'unpack' : 'read'}`;
        return this.delta ? view[`${method}_delta`](this.from, data) : view[method](data);
    }
    refusal(call, reason) {
        try {
            call();
        } catch (e) {
            if (!(e instanceof PktError)) throw e;
            if (e.code !== reason) fail(`${e.code} at bit ${e.bit} (${e.field}), not ${reason}`);
            return e;
        }
        return fail(`accepted, though it should be refused: ${reason}`);
    }
    place({ code, bit, field }) {
        const { record } = this;
        if (record.bit !== undefined && bit !== Number(record.bit)) fail(`refused at bit ${bit}, not ${record.bit}`);
        if (record.field !== undefined && field !== record.field) fail(`refused in ${field}, not in ${record.field}`);
        console.log(`${record.line}: ${code} ${bit} ${field}`);
    }
    value(key) {
        if (this.record[key] === undefined || this.record[key] === null) return null;
        const view = this.type.make();
        toBase(view);
        put(view, this.record[key]);
        return view;
    }
    baseline() {
        const last = this.value('base');
        if (!last || !this.type.prototype.predict) return last;
        const motion = types[`${this.record.type}_motion`].make(), seen = this.type.make();
        last.predict(this.value('before'), Number(this.record.back ?? 0), Number(this.record.gap ?? 0), motion);
        seen.expected(motion);
        const predicted = this.value('predicted');
        if (predicted) same('predicted', seen, predicted);
        return motion;
    }
    checkRefused(step, data, reason) {
        const error = this.refusal(() => this.read(this.type.make(), data), reason);
        if (this.read(this.type.make(), data, 'try_')) fail(`${step}: accepted without an error`);
        return error;
    }
    checkValue(value, want) {
        const start = this.framed ? 32n : 0n, around = this.framed ? 64n : 0n;
        const body = this.delta ? value.measure_delta(this.from, start) : value.measure(start);
        if ((body + around + 7n) / 8n !== BigInt(this.bytes.length) || (this.record.bits && body + around !== BigInt(this.record.bits)))
            fail(`${body} bits measured`);
        for (const each of [value, want])
            if (Buffer.compare(this.write(each), this.bytes) !== 0) fail(`written as ${Buffer.from(this.write(each)).toString('hex')}`);
        for (const noise of [undefined, 0, 0xa5, 1, 0xff]) {
            const fresh = this.type.make();
            if (noise !== undefined) pkt.u8.fill(noise, fresh.at_, fresh.at_ + this.type.SIZE);
            // What a server and a browser get: a view of a larger buffer, and a buffer.
            const data = noise === 1 ? this.bytes.buffer.slice(this.bytes.byteOffset, this.bytes.byteOffset + this.bytes.length) : this.bytes;
            if (this.read(fresh, data, noise === 0 ? 'try_' : '') !== true) fail('refused');
            same(this.record.type, fresh, want);
            if (Buffer.compare(this.write(fresh), this.bytes) !== 0) fail('what was read is written as other bytes');
            fresh.free();
        }
        for (let size = 0; size < this.bytes.length; size++) {
            const cut = this.bytes.slice(0, size), framed = this.framed && size >= 4;
            this.checkRefused('truncation', cut, framed ? 'crc' : 'end');
            if (framed) this.checkRefused('truncation with a right crc', this.signed(cut), 'end');
        }
        if (!value.equal(value)) fail('a writable value does not equal itself');
        if (this.delta) return;
        if (!value.equal(want) || !value.valid()) fail('the value does not equal what a reader sees of it');
        value.quantize();
        same('quantized', value, want);
    }
    check() {
        const { refuse, unwritable } = this.record;
        refused = false;
        if (this.framed && !unwritable) this.move();
        this.from = this.baseline();
        const value = this.value('value'), read = this.value('read');
        if (refuse) this.place(this.checkRefused('read', this.bytes, refuse));
        else if (unwritable) this.place(this.refusal(() => this.write(value), unwritable));
        else if (refused && !this.record.unsound) fail('a setter refuses what a packet may have');
        else this.checkValue(value, read ?? value);
    }
}

let passed = 0, failed = 0;
for (const line of readFileSync(resolve(directory, `${name}.records`), 'utf8').split('\n').filter(Boolean)) {
    // Integers that a number of JavaScript does not hold.
    const record = JSON.parse(line.replace(/(?<=[[:,])-?\d{16,}(?=[,\]}])/g, '"$&"'));
    try {
        new Replay(record).check();
        passed++;
    } catch (e) {
        if (e instanceof Inexpressible) continue;
        console.error(`line ${record.line}, of ${record.type}: ${e.stack}`);
        failed++;
    }
}
console.log(`passed ${passed}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
