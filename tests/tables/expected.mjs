// expected.mjs - the tables that docs/tables.md promises, made of what `pktc describe` and `pktc decode` print.
// SPDX-License-Identifier: MIT

// ---- JSON whose numbers keep their digits

class Digits {
    constructor(text) {
        this.text = text;
    }
    toJSON() {
        return `#${this.text}`;
    }
}

export function parse(text) {
    let at = 0;
    const space = () => {
        while (' \n\r\t'.includes(text[at]) && at < text.length) at++;
    };
    const list = (end, each) => {
        at++;
        for (space(); text[at] !== end; space()) {
            each();
            space();
            if (text[at] === ',') at++;
        }
        at++;
    };
    const string = () => {
        const begin = at++;
        while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
        return JSON.parse(text.slice(begin, ++at));
    };
    const value = () => {
        space();
        if (text[at] === '"') return string();
        if (text[at] === '[') {
            const made = [];
            list(']', () => made.push(value()));
            return made;
        }
        if (text[at] === '{') {
            const made = new Map();
            list('}', () => {
                const key = string();
                space();
                at++;
                made.set(key, value());
            });
            return made;
        }
        const word = /[^,\]}\s]+/y;
        word.lastIndex = at;
        const [found] = word.exec(text);
        at += found.length;
        return found === 'null' ? null : { true: true, false: false }[found] ?? new Digits(found);
    };
    return value();
}

const same = (a, b) => JSON.stringify(a, entries) === JSON.stringify(b, entries);
const entries = (_, v) => (v instanceof Map ? [...v] : v);

// ---- scalars: as text, so that readers with other types of numbers can be compared

const floats = new DataView(new ArrayBuffer(8));

export function realText(number, bytes) {
    if (Number.isNaN(number)) return 'nan';
    floats.setFloat64(0, 0);
    if (bytes === 4) floats.setFloat32(0, number);
    else floats.setFloat64(0, number);
    return `r${floats.getBigUint64(0).toString(16)}`;
}

function realOf(v, bytes) {
    if (v instanceof Digits) return realText(Number(v.text), bytes);
    return realText(v === 'inf' ? Infinity : v === '-inf' ? -Infinity : NaN, bytes);
}

const whole = (v) => BigInt(v instanceof Digits ? v.text : v);

// ---- types, as `pktc describe` prints them

function sortOf(item, decls) {
    const word = item.get('type').split(/[ <]/)[0];
    const of = decls.get(item.get('of'));
    if (word === 'ref') return 'ref';
    if (of) return { enum: 'enum', flags: 'flags', struct: 'struct', packet: 'struct' }[of.get('kind')] ?? 'union';
    return { bool: 'bool', string: 'text', bytes: 'bytes', quat: 'quat', unit: 'unit', fixed: 'fixed', half: 'float',
        float: 'float', double: 'double' }[word] ?? 'whole';
}

// ---- tables

class Table {
    constructor(name) {
        this.name = name;
        this.columns = [];
        this.taken = new Set();
        this.rows = [];
    }
    column(name, kind) {
        while (this.taken.has(name.toLowerCase())) name += '_';
        this.taken.add(name.toLowerCase());
        this.columns.push({ name, kind });
        return name;
    }
}

// All tables. Each field of a type in a table is planned: `put` fills its columns, `change` only where it differs.
export class Tables {
    // projection: `pktc --projection` says which fields of packets are parts.
    constructor(describe, projection, lists, changes) {
        this.protocol = describe.get('protocol');
        this.release = describe.get('version').text;
        this.decls = new Map(describe.get('declarations').map((d) => [d.get('name'), d]));
        this.changes = changes;
        this.parts = new Set();
        let owner;
        for (const line of projection.split('\n')) {
            owner = line.match(/^(?:packet )?struct (\w+)/)?.[1] ?? owner;
            if (/^ .* delta .* from /.test(line)) this.parts.add(`${owner}.${line.trim().split(' ')[0]}`);
        }
        this.tables = [];
        this.values = new Map();
        this.last = new Map();
        const streamed = lists.flatMap((list) =>
            list.replace(/^[^=,(\[]*=/, '').split(/,(?![^(]*\))/).map((each) => each.trim().match(/^\w+/)[0]));
        this.datagrams = this.add('datagrams');
        for (const [name, kind] of [['nanoseconds', 'whole'], ['direction', 'text'], ['sender', 'text'],
            ['receiver', 'text'], ['protocol', 'text'], ['release', 'whole'], ['packet', 'text'], ['bytes', 'whole'],
            ['unchecked', 'bool'], ['refused', 'text']])
            this.datagrams.column(name, kind);
        for (const name of streamed) this.addValues(name, true);
        for (const d of this.decls.values())
            if (d.get('kind').startsWith('packet')) this.addValues(d.get('name'), false);
    }

    add(name) {
        const t = new Table(name);
        for (const [key, kind] of [['recording', 'text'], ['datagram', 'whole'], ['time', 'time']]) t.column(key, kind);
        this.tables.push(t);
        return t;
    }

    addValues(name, streamed) {
        if (this.values.has(name)) return;
        const t = this.add(`${this.protocol}/${name}`);
        const d = this.decls.get(name);
        this.values.set(name, { table: t, streamed });
        if (streamed) t.column('place', 'whole');
        t.keys = t.columns.map((c) => c.name);
        if (this.changes && d.has('delta_bits')) t.delta = t.column('delta', 'bool');
        this.values.get(name).place = d.get('kind').endsWith('union') ? this.planUnion(t, d, name, '') : this.planStruct(t, d, '');
    }

    planUnion(t, d, name, prefix) {
        const column = t.column(name, 'text');
        const members = new Map();
        for (const item of d.get('items'))
            if (item.get('kind') === 'member')
                members.set(item.get('name'), this.planStruct(t, this.decls.get(item.get('of')), `${prefix}${item.get('name')}_`));
        return {
            put: (row, v) => {
                const [[member, value]] = v;
                row[column] = member;
                members.get(member).put(row, value);
            },
            change: (row, v, base) => {
                const [[member, value]] = v;
                row[column] = member;
                if (base.has(member)) members.get(member).change(row, value, base.get(member));
                else members.get(member).put(row, value);
            },
        };
    }

    planStruct(t, d, prefix) {
        const fields = d.get('items').filter((item) => item.get('kind') === 'field' && !item.get('key'));
        const places = fields.map((item) => [item.get('name'), this.planField(t, item, prefix, d)]);
        return {
            put: (row, v) => {
                for (const [name, place] of places) if (v.has(name)) place.put(row, v.get(name));
            },
            change: (row, v, base) => {
                for (const [name, place] of places)
                    if (v.has(name) && !base.has(name)) place.put(row, v.get(name));
                    else if (v.has(name) && !same(v.get(name), base.get(name)))
                        place.change(row, v.get(name), base.get(name));
            },
        };
    }

    planField(t, item, prefix, owner) {
        const name = item.get('name');
        const sort = sortOf(item, this.decls);
        const composite = sort === 'struct' || sort === 'union';
        const optional = item.get('optional');
        const has = optional && (this.changes || (!item.has('dims') && composite)) ? t.column(`${prefix}has_${name}`, sort === 'ref' ? 'unknown' : 'bool') : null; // null is also a ref to nothing
        const delta = this.changes && this.parts.has(`${owner.get('name')}.${name}`) ? t.column(`${prefix}${name}_delta`, 'bool') : null;
        const inner = item.has('dims') ? this.planArray(t, item, sort, prefix) : this.planOne(t, item, sort, name, prefix);
        return {
            put: (row, v) => {
                if (has) row[has] = v !== null;
                if (delta) row[delta] = false;
                if (v !== null) inner.put(row, v);
            },
            change: (row, v, base) => {
                if (optional && (v === null || base === null)) {
                    if (has) row[has] = v !== null;
                    if (v !== null) inner.put(row, v);
                } else inner.change(row, v, base);
            },
        };
    }

    planOne(t, item, sort, name, prefix) {
        const of = this.decls.get(item.get('of'));
        if (sort === 'struct') return this.planStruct(t, of, `${prefix}${name}_`);
        if (sort === 'union') return this.planUnion(t, of, `${prefix}${name}`, `${prefix}${name}_`);
        return this.planScalar(t, item, sort, `${prefix}${name}`);
    }

    planScalar(t, item, sort, name) {
        let put;
        if (sort === 'flags') {
            const members = this.decls.get(item.get('of')).get('members').map((m) => [m.get('name'), t.column(`${name}_${m.get('name')}`, 'bool')]);
            put = (row, v) => members.forEach(([flag, column]) => (row[column] = v.includes(flag)));
        } else if (sort === 'quat' || sort === 'unit') {
            const columns = ['x', 'y', 'z', 'w'].slice(0, sort === 'quat' ? 4 : 3).map((axis) => t.column(`${name}_${axis}`, 'float'));
            put = (row, v) => columns.forEach((column, i) => (row[column] = realOf(v[i], 4)));
        } else {
            const kind = { enum: 'text', fixed: 'double', ref: 'whole' }[sort] ?? sort;
            const column = t.column(name, kind);
            const fraction = sort === 'fixed' ? 2 ** Number(item.get('type').match(/,\s*(\d+)/)?.[1]) : 1;
            put = (row, v) => {
                if (v === null) return;
                if (sort === 'float' || sort === 'double') row[column] = realOf(v, sort === 'float' ? 4 : 8);
                else if (sort === 'fixed') row[column] = realText(Number(whole(v)) / fraction, 8);
                else if (sort === 'whole' || sort === 'ref') row[column] = whole(v);
                else row[column] = v instanceof Digits ? v.text : v;
            };
        }
        return { put, change: put };
    }

    planArray(around, item, sort, prefix) {
        const name = item.get('name');
        const count = around.column(`${prefix}${name}_count`, 'whole');
        const t = this.add(`${around.name}.${prefix}${name}`);
        const [by, sparse] = [item.get('by'), item.has('sparse')];
        const dims = item.get('dims').split('[').length - 1;
        for (const key of around.keys.slice(3)) t.column(key, around.columns.find((c) => c.name === key).kind);
        const of = this.decls.get(item.get('of'));
        const keyItem = by && of.get('items').find((each) => each.get('name') === by);
        const own = by ? [t.column(`${name}_${by}`, sortOf(keyItem, this.decls) === 'enum' ? 'text' : 'whole')]
            : Array.from({ length: dims }, (_, i) => t.column(`${name}_index${i > 0 ? i + 1 : ''}`, 'whole'));
        t.keys = t.columns.map((c) => c.name);
        const gone = by && this.changes ? t.column('gone', 'bool') : null;
        const element = sort === 'struct' ? this.planStruct(t, of, '')
            : sort === 'union' ? this.planUnion(t, of, name, '') : this.planScalar(t, item, sort, name);
        const key = (text) => (sortOf(keyItem, this.decls) === 'enum' ? text : BigInt(text));
        const begin = (row, subscripts, isGone) => {
            const made = {};
            around.keys.forEach((each, i) => (made[t.columns[i].name] = row[each]));
            own.forEach((column, i) => (made[column] = subscripts[i]));
            if (gone) made[gone] = isGone;
            t.rows.push(made);
            return made;
        };
        // [subscripts, element] of all that there are.
        const flat = (v, depth) => {
            if (by) return [...v].map(([k, each]) => [[key(k)], each]);
            if (sparse) return v.map(([i, each]) => [[whole(i)], each]);
            return v.flatMap((each, i) => (depth === 1 ? [[[BigInt(i)], each]]
                : flat(each, depth - 1).map(([inner, one]) => [[BigInt(i), ...inner], one])));
        };
        const put = (row, v) => {
            const all = flat(v, dims);
            row[count] = BigInt(all.length);
            for (const [subscripts, each] of all) element.put(begin(row, subscripts, false), each);
        };
        const change = (row, v, base) => {
            if (sparse) return put(row, v);
            const [now, was] = [flat(v, dims), new Map(flat(base, dims).map(([s, each]) => [s.join(), [s, each]]))];
            if (now.length !== was.size) row[count] = BigInt(now.length);
            const rows = now.filter(([s, each]) => !(was.has(s.join()) && same(each, was.get(s.join())[1])));
            const here = new Set(now.map(([s]) => s.join()));
            const left = by ? [...was.values()].filter(([s]) => !here.has(s.join())).map(([s]) => [s, undefined]) : [];
            const numbers = keyItem && new Map((this.decls.get(keyItem.get('of'))?.get('members') ?? []).map((m) => [m.get('name'), whole(m.get('value'))]));
            const order = ([s]) => (by ? numbers.get(s[0]) ?? BigInt(s[0]) : 0n);
            const all = by ? [...rows, ...left].sort((a, b) => (order(a) < order(b) ? -1 : 1)) : rows;
            for (const [s, each] of all) {
                const made = begin(row, s, each === undefined);
                if (each === undefined) continue;
                if (was.has(s.join()) && element.change) element.change(made, each, was.get(s.join())[1]);
                else element.put(made, each);
            }
        };
        return { put, change };
    }

    // ---- datagrams

    addLine(recording, line) {
        const d = parse(line);
        const [seconds, fraction] = d.get('time').text.split('.');
        const nanoseconds = BigInt(seconds) * 1000000000n + BigInt(fraction);
        const keys = { recording, datagram: whole(d.get('index')), time: nanoseconds / 1000n };
        const known = d.get('type') !== null;
        this.datagrams.rows.push({
            ...keys, nanoseconds, direction: d.get('direction') ?? null, sender: d.get('from'), receiver: d.get('to'),
            protocol: known ? this.protocol : null, release: known ? BigInt(this.release) : null, packet: d.get('type'),
            bytes: whole(d.get('size')), unchecked: d.has('crc'), refused: d.get('refused') ?? null,
        });
        if (d.has('value')) this.addValue(d.get('type'), d.get('value'), keys, 0n, null);
        (d.get('values') ?? []).forEach((each, i) => {
            const [[name, v]] = each;
            this.addValue(name, v, keys, BigInt(i), this.changes && !d.has('refused') ? this.last.get(name) ?? null : null);
            if (!d.has('refused')) this.last.set(name, v);
        });
    }

    addValue(name, v, keys, at, base) {
        const { table, streamed, place } = this.values.get(name);
        const row = { ...keys };
        if (streamed) row.place = at;
        if (table.delta) row[table.delta] = base !== null;
        table.rows.push(row);
        if (base !== null) place.change(row, v, base);
        else place.put(row, v);
    }
}
