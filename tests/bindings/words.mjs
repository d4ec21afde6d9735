// words.mjs - what a program in JavaScript sees of words.pkt: names, members, memory, errors.
// SPDX-License-Identifier: MIT
//
// usage: node words.mjs DIRECTORY
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const url = (file) => pathToFileURL(resolve(process.argv[2], file));
const words = await import(url('words.js').href), pkt = await import(url('pkt.js').href);

// Before load there is nothing.
for (const early of [() => words.Data_.make(), () => words.Data_.makeArray(1), () => pkt.c.anything()])
    assert.throws(early, { name: 'Error', message: 'await load() first' });

// The wasm of another schema is refused, wherever it differs.
await assert.rejects(words.load(readFileSync(url('other.wasm'))), { message: 'the wasm is of another schema than words.js: PROTOCOL_ID differs' });
await assert.rejects(words.load(readFileSync(url('moved.wasm'))), { message: 'the wasm is of another schema than words.js: Data_ differs' });
await assert.rejects(words.load(readFileSync(url('fewer.wasm'))), { message: 'the wasm is of another schema than words.js: the number of members differs' });
assert.throws(() => words.Data_.make(), { message: 'await load() first' });

// Loaded again, also at the same time, values stay. Another schema has other C.
const loads = [words.load(await WebAssembly.compile(readFileSync(url('words.wasm')))), words.load(readFileSync(url('words.wasm')))];
assert.equal(loads[0], loads[1]);
await loads[0];
const kept = words.Data_.make().set({ pack_: -70000, name: 'kept' });
await words.load();
const handshake = await import(url('handshake.js').href);
await assert.rejects(handshake.load(), { message: 'handshake.js shares pkt.js with another schema: bind each schema into a directory of its own' });
assert.equal(kept.pack_, -70000);
assert.equal(kept.name, 'kept');
assert.equal(words.Data_.make().name, '');
assert.equal(kept.name, 'kept');

const { Data_, Object_, arguments_, function_, let_, let_tag, load_, null_, yield_, Point, PktError, Wide } = words;
assert.equal(yield_, 3);
assert.deepEqual({ ...null_ }, { none: 0, one: 4 });
assert.equal(Wide.far, 0x8000000000000001n);
assert.equal(load_.jump, 2);
assert.equal(function_.make().pack().length, 8);

const everything = {
    equal_: -5n,
    try_unpack_: -7,
    pack_: -70000,
    short_one: 0.5,
    large: -0.1,
    lights: [1, 0, 1],
    longs: [-1n, 2n ** 62n],
    name: 'Jörg',
    names: ['a', 'äb'],
    blob: new Uint8Array([1, 2, 3]),
    blobs: [new Uint8Array([9]), new Uint8Array([])],
    grid: [{ set_: -1 }, { constructor_: 2 }, { free_: true }, { toObject_: 500 }],
    turns: [{ x: 1, w: 0 }],
    with: { var: { wide: Wide.far, keys: load_.jump } },
    has_maybe: true,
    maybe: { await: null_.one },
    count: 2,
    marks: [3, 65535],
    target: 4,
    targets: [0, 9],
};
const data = Data_.make().set(everything);
assert.equal(data.cells_set(69), true);
data.cells[69] = 8;
assert.equal(data.with.tag, let_tag.var);
assert.equal(data.name.length, 4);

const packed = data.pack();
for (const form of [packed, packed.buffer, new DataView(packed.buffer), Buffer.from(packed)]) {
    const read = Data_.make();
    assert.equal(read.unpack(form), true);
    assert.equal(read.equal(data), true);
    const object = read.toObject();
    assert.equal(object.equal_, -5n);
    assert.equal(object.large, -0.1);
    assert.deepEqual(object.longs, [-1n, 2n ** 62n]);
    assert.deepEqual(object.names, ['a', 'äb']);
    assert.deepEqual(object.blob, [1, 2, 3]);
    assert.deepEqual(object.blobs.map((each) => [...each]), [[9], []]);
    assert.deepEqual(object.grid.map((each) => each.set_), [-1, 0, 0, 0]);
    assert.equal(object.grid[3].toObject_, 500);
    assert.deepEqual(object.turns, [{ x: 1, y: 0, z: 0, w: 0 }]);
    assert.deepEqual(object.with, { tag: 1, var: { await: 0, wide: Wide.far, keys: 2 } });
    assert.deepEqual(object.marks, [3, 65535]);
    assert.deepEqual([object.target, ...object.targets], [4, 0, 9]);
    assert.equal(read.cells_count(), 1);
    assert.equal(read.cells_has(69), true);
    assert.equal(read.cells_next(0), 69);
    read.free();
}

// A copy of a value is a value.
const copy = Data_.make().set(data);
assert.equal(copy.equal(data), true);
copy.grid.at(3).toObject_ = 1;
assert.equal(copy.equal(data), false);
copy.set({ grid: data.grid });
assert.equal(copy.equal(data), true);

// Deltas.
const old = Point.make().set({ pack_: 1, text: 'the same in both' }), now = Point.make().set(old).set({ init_: -3 }), next = Point.make();
const delta = now.pack_delta(old);
assert.equal(next.unpack_delta(old, delta), true);
assert.deepEqual(next.toObject(), { pack_: 1, init_: -3, text: 'the same in both' });
assert.ok(delta.length + 10 < now.pack().length);
assert.equal(next.try_unpack_delta(old, now.pack_delta(null)), false);
assert.equal(next.unpack_delta(null, now.pack_delta(null)), true);

// What does not fit.
data.name = 'more text than fits';
assert.equal(data.name, 'more te');
data.name = 'sechsüü';
assert.equal(data.name, 'sechsü');
data.name = 'a\0b';
assert.equal(data.name, 'a');
assert.throws(() => { data.blob = new Uint8Array(5); }, RangeError);
assert.throws(() => data.set({ longs: [1n, 2n, 3n] }), RangeError);
assert.throws(() => data.set({ none: 1 }), { name: 'TypeError', message: 'Data_ has no none' });
for (const name of ['__proto__', 'free', 'constructor'])
    assert.throws(() => data.set(JSON.parse(`{"${name}": 1}`)), { name: 'TypeError', message: `Data_ has no ${name}` });
for (const index of [-1, 4, NaN, undefined]) assert.throws(() => data.grid.at(index), RangeError);
assert.throws(() => data.turns.at(1), RangeError);
assert.equal([...data.grid].length, 4);
assert.throws(() => data.names.put(2, ''), RangeError);

// Integers that are none, or that memory or a packet would not hold: nothing is set.
function refuses(set, message) {
    const before = data.toObject();
    assert.throws(set, { name: 'RangeError', message });
    assert.deepEqual(data.toObject(), before);
}
refuses(() => { data.limited = 356; }, 'Data.limited: 356 is not from 0 to 100');
refuses(() => { data.limited = -1; }, 'Data.limited: -1 is not from 0 to 100');
refuses(() => { data.limited = 50.7; }, 'Data.limited: 50.7 is not a whole number from 0 to 100');
refuses(() => data.set({ limited: NaN }), 'Data.limited: NaN is not a whole number from 0 to 100');
refuses(() => data.set({ limited: '50' }), 'Data.limited: 50 is not a whole number from 0 to 100');
refuses(() => { data.limited = undefined; }, 'Data.limited: undefined is not a whole number from 0 to 100');
refuses(() => { data.tilt = 25601; }, 'Data.tilt: 25601 is not from -25600 to 25600');
refuses(() => { data.pack_ = 2 ** 31; }, 'Data.pack: 2147483648 is not from -2147483648 to 2147483647');
refuses(() => { data.equal_ = 2n ** 63n; }, `Data.equal: ${2n ** 63n} is not from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`);
refuses(() => { data.maybe.await = 5; }, 'arguments.await: 5 is not from 0 to 4');
refuses(() => { data.maybe.wide = -1n; }, `arguments.wide: -1 is not from 0 to ${2n ** 64n - 1n}`);
refuses(() => { data.maybe.keys = 4; }, 'arguments.keys: 4 is not from 0 to 3');
refuses(() => { data.with.tag = 2; }, 'let.tag: 2 is not from 0 to 1');
refuses(() => { data.longs_count = 3; }, 'Data.longs_count: 3 is not from 0 to 2');
refuses(() => { data.blob_size = 5; }, 'Data.blob_size: 5 is not from 0 to 4');
refuses(() => { data.target = 10; }, 'Data.target: 10 is not from 0 to 9');
refuses(() => { data.targets = [10]; }, 'Data.targets[0]: 10 is not from 0 to 9');
refuses(() => { data.marks = [70000]; }, 'Data.marks[0]: 70000 is not from 0 to 65535');
refuses(() => { data.few = [-8]; }, 'Data.few[0]: -8 is not from -7 to 7');
refuses(() => data.set({ few: [0.5] }), 'Data.few[0]: 0.5 is not a whole number from -7 to 7');
refuses(() => data.cells_set(2 ** 32), 'Data.cells_set: index: 4294967296 is not from 0 to 4294967295');
assert.throws(() => data.set({ few: [1, 8, 2] }), { message: 'Data.few[1]: 8 is not from -7 to 7' });
assert.throws(() => { data.equal_ = 5; }, TypeError);
data.set({ limited: 100, few: [-7, 7, 0], clamped: 255, has_maybe: 1 });
assert.deepEqual([data.limited, ...data.few, data.clamped, data.has_maybe], [100, -7, 7, 0, 255, true]);

// Errors, of which the one of a read does not need an exception.
const broken = packed.slice();
broken[9] ^= 1;
assert.throws(() => copy.unpack(broken), (e) => e instanceof PktError && e.code === 'crc' && e.bit === 0 && e.name === 'PktError');
assert.equal(copy.try_unpack(broken), false);
assert.throws(() => copy.unpack(new Uint8Array(0)), { code: 'end', bit: 0 });
data.turns.at(0).x = NaN;
assert.throws(() => data.pack(), { code: 'range', field: 'Data.turns[0]', message: /^Data.turns\[0\]: range at bit \d+$/ });
assert.throws(() => data.valid(), { code: 'range', field: 'Data.turns[0]' });
data.turns.at(0).x = 1;
assert.equal(data.valid(), true);

// Memory grows; views stay, and arrays of numbers are asked for again.
const { longs } = data, before = pkt.u8.length;
const many = Array.from({ length: 4000 }, () => Data_.make());
assert.ok(pkt.u8.length > before);
assert.equal(longs.length, 0);
assert.equal(data.longs[0], 1n);
assert.equal(data.unpack(packed), true);
assert.equal(data.name, 'Jörg');
many.forEach((each) => each.free());
const grown = pkt.u8.length;
Array.from({ length: 4000 }, () => Data_.make());
assert.equal(pkt.u8.length, grown);

// What was freed is not used again, and its memory is given away once.
const gone = Data_.make(), { grid } = gone;
gone.free();
for (const use of [() => gone.free(), () => gone.pack_, () => { gone.equal_ = 1n; }, () => { gone.name = ''; }, () => { gone.has_maybe = true; },
    () => gone.grid.at(0).set_, () => gone.pack(), () => gone.try_unpack(packed), () => data.equal(gone), () => gone.init(),
    () => gone.set(data), () => data.set(gone), () => gone.toObject(), () => { gone.with.tag = 0; }])
    assert.throws(use, { name: 'Error', message: 'this value was freed' });
assert.equal(grid.length, 4);
assert.notEqual(Data_.make().at_, Data_.make().at_);
assert.equal(Object_.make().constructor_, 0);
assert.equal(arguments_.make().await, 0);
assert.equal(let_.make().tag, 0);
console.log('passed');
