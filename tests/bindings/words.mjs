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

const { Around, Data_, Large, Listed, Lists, Object_, arguments_, function_, let_, let_tag, load_, null_, yield_, Point, PktError, Wide } = words;
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
refuses(() => { data.limited = true; }, 'Data.limited: true is not a whole number from 0 to 100');
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
refuses(() => data.set({ with: { tag: 'var' } }), 'let.tag: var is not a whole number from 0 to 1');
refuses(() => data.set({ maybe: { await: 'one' } }), 'arguments.await: one is not a whole number from 0 to 4');
refuses(() => { data.has_maybe = 2; }, 'Data.has_maybe: 2 is not from 0 to 1');
refuses(() => data.set({ has_maybe: 'false' }), 'Data.has_maybe: false is not a whole number from 0 to 1');
refuses(() => { data.lights = [2]; }, 'Data.lights[0]: 2 is not from 0 to 1');
data.set({ limited: 100, few: [-7, 7, 0], clamped: 255, has_maybe: 1, lights: [true, false, 1] });
assert.deepEqual([data.limited, ...data.few, data.clamped, data.has_maybe, ...data.lights], [100, -7, 7, 0, 255, true, 1, 0, 1]);

// Bytes, texts and members that are none, as a stranger's JSON has them. A short text ends nothing else.
function refuses_json(json, message) {
    const before = data.toObject();
    assert.throws(() => data.set(JSON.parse(json)), { message });
    assert.deepEqual(data.toObject(), before);
}
for (const [none, said] of [['7', '7'], ['4000000000', '4000000000'], ['"abc"', 'abc'], ['null', 'null'], ['true', 'true'],
    ['{"length": 300000000}', '[object Object]'], ['{"byteLength": 3, "length": 3}', '[object Object]']]) {
    refuses_json(`{"blob": ${none}}`, `${said} is not bytes`);
    refuses_json(`{"blobs": [${none}]}`, `${said} is not bytes`);
}
refuses_json('{"blob": [1, 2, 3, 4, 5]}', '5 bytes do not fit into 4');
refuses_json('{"blob": [1, 256]}', 'byte[1]: 256 is not from 0 to 255');
refuses_json('{"blob": [1, "2"]}', 'byte[1]: 2 is not a whole number from 0 to 255');
for (const none of [7, ['ab'], null, {}]) refuses_json(JSON.stringify({ name: none }), `${none} is not a text`);
refuses_json('{"names": [7]}', '7 is not a text');
for (const none of ['7', 'true', '"abc"', 'null']) refuses_json(`{"maybe": ${none}}`, `arguments_.set: ${JSON.parse(none)} is not an object`);
refuses_json('{"turns": [7]}', 'pkt_quat.set: 7 is not an object');
data.set(JSON.parse('{"blob": [255, 0], "blobs": [[1], [2, 3]]}'));
assert.deepEqual([...data.blob, ...[...data.blobs].flatMap((each) => [...each])], [255, 0, 1, 2, 3]);
data.set({ blob: new Uint16Array([0x201]), blobs: [new Uint8Array([9, 8, 7]).subarray(1), new SharedArrayBuffer(1)] });
assert.deepEqual([...data.blob, ...[...data.blobs].flatMap((each) => [...each])], [1, 2, 8, 7, 0]);
data.set({ blob: everything.blob, blobs: everything.blobs });

// Data is bytes, too. A stranger chooses whether a message is a text: that throws no more than wrong bytes.
assert.equal(copy.try_unpack('abc'), false);
assert.throws(() => copy.unpack('abc'), { name: 'PktError', code: 'end', bit: 0 });
for (const none of [10, [1, 2], null, undefined, {}])
    for (const read of [() => copy.unpack(none), () => copy.try_unpack(none)])
        assert.throws(read, { name: 'TypeError', message: `${none} is not bytes` });

// Keys are not changed. Those that the memory holds, but the list does not, are of no element.
const lists = Lists.make();
assert.equal(lists.byte_add(5).id, 5);
for (const call of ['byte_add', 'byte_find', 'byte_remove'])
    for (const [key, what] of [[261, '261 is not'], [-1, '-1 is not'], [5.5, '5.5 is not a whole number'], ['5', '5 is not a whole number']])
        assert.throws(() => lists[call](key), { name: 'RangeError', message: `Lists.${call}: key: ${what} from 0 to 255` });
assert.throws(() => lists.byte_unused(261, { value: 0 }), { message: 'Lists.byte_unused: from: 261 is not from 0 to 255' });
assert.equal(lists.byte_add(61), null);
assert.equal(lists.byte_find(61), null);
assert.equal(lists.byte_remove(0), false);
assert.deepEqual(lists.toObject().byte.map((each) => each.id), [5]);
assert.equal(lists.valid(), true);

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

// Only what make has made is freed: not a member, an element, or another view of a value.
const around = Around.make(), owner = Data_.make(), many_of = Object_.makeArray(3), moved = Object_.make();
many_of.at(1, moved);
for (const view of [around.only, owner.with, owner.grid.at(0), lists.byte_find(5), many_of.at(0), moved, new Data_(owner.at_), new Object_(0)])
    assert.throws(() => view.free(), { name: 'Error', message: 'only a value that make has made can be freed' });
const places = new Set(Array.from({ length: 100 }, () => Object_.make().at_));
assert.equal(places.size, 100);
for (const taken of [0, around.at_, many_of.at_, many_of.at(1).at_]) assert.ok(!places.has(taken));
owner.free();
const again = Object_.make();
again.free();
Object_.makeArray(1).at(0, again);
assert.throws(() => again.free(), { message: 'only a value that make has made can be freed' });

// A size that memory cannot have changes nothing.
for (const length of [-1, 0.5, NaN, '3', 2 ** 31, 2 ** 40]) assert.throws(() => Object_.makeArray(length), RangeError);
for (const size of [2 ** 31, 2 ** 32, 2 ** 32 + 16]) assert.throws(() => pkt.room(size), RangeError);
assert.equal(data.unpack(packed), true);

// Data in the memory itself, as a packet in a packet is: also when the memory grows to read it.
const reader = Large.make(), { buffer } = pkt.u8;
while (pkt.u8.length - pkt.allocate(4096) > 12288);
assert.throws(() => reader.unpack_body(pkt.u8.subarray(many_of.at_, many_of.at_ + 20000)), { code: 'trailing', bit: Number(reader.measure(0n)) });
assert.notEqual(pkt.u8.buffer, buffer);

// Data that is longer than each packet is refused with the error of C for all of it, and costs no memory.
const all = pkt.allocate(100000), why = new words.pkt_error(pkt.allocate(words.pkt_error.SIZE));
for (const blob of [[], [1, 2, 3], new Uint8Array(20000).fill(200)]) {
    const large = Large.make().set({ blob }), read = Large.make();
    for (const [method, start] of [['unpack', large.pack()], ['unpack_body', large.pack_body()], ['read', large.write()], ['unpack', new Uint8Array(4)]]) {
        for (const length of [Large.MAX_BYTES + 1, Large.MAX_BYTES + 2, 100000]) {
            const bytes = new Uint8Array(length);
            bytes.set(start);
            pkt.u8.set(bytes, all);
            assert.equal(pkt.c[`bind_Large_${method}_`](read.at_, all, length, why.at_), 0);
            const { code, field, bit } = why;
            assert.throws(() => read[method](bytes), (e) => {
                assert.deepEqual([code, field, bit], [method === 'unpack' ? 9 : 8, e.field, BigInt(e.bit)]);
                return e.code === (method === 'unpack' ? 'crc' : 'trailing');
            });
            assert.equal(read[`try_${method}`](bytes), false);
        }
    }
}
const size = pkt.u8.length;
for (const length of [30e6, 2200e6])
    for (const method of ['try_unpack', 'try_unpack_body', 'try_read']) assert.equal(Large.make()[method](new Uint8Array(length)), false);
assert.equal(pkt.u8.length, size);

// When memory is full, data for which there is no room is not written over values, and neither is what comes after it.
const { grow } = WebAssembly.Memory.prototype;
WebAssembly.Memory.prototype.grow = () => { throw new RangeError('full'); };
const values = [];
assert.throws(() => { for (;;) values.push(Point.make().set({ pack_: values.length })); }, { message: 'full' });
for (const bytes of [20e6, 20000, 1e6, 20000, 100]) {
    const filled = new Uint8Array(bytes).fill(0xee);
    if (bytes > 50000) assert.throws(() => pkt.put(filled), { message: 'full' });
    else pkt.put(filled);
    assert.equal(reader.try_unpack(filled), false);
    values.forEach((each, i) => assert.equal(each.pack_, i));
}
WebAssembly.Memory.prototype.grow = grow;
assert.equal(data.unpack(packed), true);
console.log('passed');
