// values.js - a value as a form, by the description of its type; and values to begin with.
// SPDX-License-Identifier: MIT
import { element } from './html.js';

const itemNamed = (declaration, name) => declaration?.items?.find((each) => each.name === name && each.kind !== 'local');
const isNumber = (type) => /^([iu](8|16|32|64)|int|bits|float|half|double|fixed|ref)\b/.test(type.replace('compact ', ''));

// ---- values to begin with

/** A value of an item without its dimensions: one that is not the base value, where the type has others. */
function sampleOf(item, types, depth, n) {
    const of = types.get(item.of), type = item.type.replace('compact ', '');
    if (of?.kind === 'enum') return of.members[Math.min(n, of.members.length - 1)].name;
    if (of?.kind === 'flags') return of.members.slice(0, 1).map((each) => each.name);
    if (of) return sample(of, types, depth + 1, n);
    if (type === 'bool') return n % 2 === 1;
    if (type.startsWith('string')) return 'hi';
    if (type.startsWith('bytes')) return '';
    if (type.startsWith('quat')) return [0, 0, 0, 1];
    if (type.startsWith('unit')) return [0, 0, 1];
    if (type.startsWith('ref')) return null;
    const { low, high } = item.values ?? {};
    if (low === undefined) return n;
    // Counters and ids look like those of a game that has just begun.
    if (/^([iu]\d|int|bits)/.test(type) && high - low > 60000 && low <= 0) return 40 + n;
    const number = low + (high - low) * Math.min(0.25 + 0.2 * n, 0.9);
    const whole = type.startsWith('fixed') ? NaN : /^(float|half|double)/.test(type) ? Number(number.toPrecision(3)) : Math.round(number);
    return Number.isFinite(whole) && Math.abs(whole) < 2 ** 53 && whole >= low && whole <= high ? whole : undefined;
}

/** A value of a type, without the members that only some values have. Those that it leaves out get base values. */
export function sample(declaration, types, depth = 0, n = 1) {
    if (depth > 6) return {};
    const made = {};
    if (declaration.kind.endsWith('union')) {
        const member = declaration.items.find((each) => each.kind === 'member');
        return { [member.name]: sampleOf({ type: '', ...member }, types, depth, n) ?? {} };
    }
    for (const item of declaration.items ?? []) {
        if (item.kind !== 'field' || item.when || item.sparse || item.after) continue;
        if (item.optional && n % 2 === 0) continue;
        if (item.dims) {
            const plain = /^\[[^\]]*\]$/.test(item.dims);
            const elements = Math.min(2, item.count?.most ?? 0);
            const list = Array.from({ length: elements }, (_, i) => sampleOf(item, types, depth + 1, n + i));
            if (plain && item.count.least <= 2 && item.count.least !== item.count.most && !list.includes(undefined)) made[item.name] = list;
            continue;
        }
        const value = sampleOf(item, types, depth, n + Object.keys(made).length % 2);
        if (value !== undefined && value !== null) made[item.name] = value;
    }
    return made;
}

// ---- the form

function setAt(value, path, to) {
    const copy = structuredClone(value);
    let at = copy;
    for (const key of path.slice(0, -1)) at = at[key];
    at[path.at(-1)] = to;
    return copy;
}

/** makeForm(parent, changed): a function that shows a value; `changed` gets the value after an edit. */
export function makeForm(parent, changed) {
    let value, types;
    const edit = (path, to) => changed(path.length === 0 ? to : setAt(value, path, to));

    function input(path, label, attributes, read) {
        const made = element('input', { 'aria-label': label, 'data-path': path.join('.'), autocomplete: 'off', ...attributes });
        made.addEventListener(attributes.type === 'checkbox' ? 'change' : 'input', () => {
            const got = read(made);
            if (got !== undefined) edit(path, got);
        });
        return made;
    }

    const numberIn = (made) => (made.value.trim() === '' || !Number.isFinite(Number(made.value)) ? undefined
        : /^-?\d{16,}$/.test(made.value.trim()) ? made.value.trim() : Number(made.value));

    function leaf(now, item, path, label) {
        const of = types.get(item?.of);
        if (of?.kind === 'enum' && of.members.some((each) => each.name === now)) {
            return element('select', { 'aria-label': label, 'data-path': path.join('.'), onchange: ({ target }) => edit(path, target.value) },
                of.members.map(({ name }) => element('option', { value: name, selected: name === now }, name)));
        }
        if (of?.kind === 'flags' && Array.isArray(now)) {
            return element('span.flags', {}, of.members.map(({ name }) => element('label', {},
                input([...path], `${label} ${name}`, { type: 'checkbox', checked: now.includes(name) }, (made) => (
                    made.checked ? [...now, name] : now.filter((each) => each !== name))), name)));
        }
        if (typeof now === 'boolean') return input(path, label, { type: 'checkbox', checked: now }, (made) => made.checked);
        if (typeof now === 'number' || (typeof now === 'string' && item && isNumber(item.type) && !of)) {
            const { low, high } = item?.values ?? {};
            const title = low === undefined ? '' : `${low} to ${high}`;
            return input(path, label, { type: 'text', inputmode: 'decimal', value: String(now), title }, numberIn);
        }
        return input(path, label, { type: 'text', value: String(now) }, (made) => made.value);
    }

    /** The value of an item, or of an element of its array: the control, and what is below it. */
    function parts(now, item, path, label, inArray) {
        const of = types.get(item?.of);
        const isList = Array.isArray(now) && of?.kind !== 'flags';
        if (now === null) {
            const start = () => edit(path, sampleOf(item, types, 1, 1) ?? (of?.kind === 'struct' ? {} : 0));
            return [item?.optional || inArray ? element('button.small', { type: 'button', onclick: start, 'data-path': path.join('.') }, 'add') : element('span.faint', {}, 'null'), null];
        }
        const remove = item?.optional && !inArray && element('button.small', { type: 'button', 'aria-label': `remove ${label}`, onclick: () => edit(path, null) }, 'remove');
        if (isList) {
            const varies = !inArray && item?.count && item.count.least !== item.count.most && /^\[[^\]]*\]$/.test(item.dims ?? '') && !item.sparse;
            const element_ = () => now.at(-1) ?? sampleOf(item, types, 1, 1) ?? 0;
            const tools = varies && element('span', {},
                element('button.small', { type: 'button', 'aria-label': `add an element to ${label}`, 'data-path': `${path.join('.')}+`, onclick: () => edit(path, [...now, element_()]), disabled: now.length >= item.count.most }, '+'),
                element('button.small', { type: 'button', 'aria-label': `remove the last element of ${label}`, 'data-path': `${path.join('.')}-`, onclick: () => edit(path, now.slice(0, -1)), disabled: now.length <= item.count.least }, '−'));
            const few = now.slice(0, 64);
            return [element('span', {}, element('span.faint', {}, `${now.length} `), tools, remove),
                element('div.below', {}, few.map((each, i) => row(`[${i}]`, each, item, [...path, i], `${label}[${i}]`, true)),
                    now.length > few.length && element('p.faint', {}, `and ${now.length - few.length} more`))];
        }
        if (typeof now === 'object' && !Array.isArray(now)) return [element('span', {}, remove), element('div.below', {}, rows(now, of, path, label))];
        return [element('span', {}, leaf(now, item, path, label), remove), null];
    }

    function row(name, now, item, path, label, inArray) {
        const [control, below] = parts(now, item, path, label, inArray);
        const bits = !inArray && item?.bits && (item.bits.least === item.bits.most ? `${item.bits.most}` : `${item.bits.least}–${item.bits.most}`);
        const line = element('div.line', {}, element('span.name', {}, name), control, bits && element('span.cost', {}, `${bits} bit${bits === '1' ? '' : 's'}`));
        return element('div.row', {}, line, below);
    }

    function rows(now, declaration, path, label) {
        if (declaration?.kind.endsWith('union')) {
            const chosen = Object.keys(now)[0];
            const choose = ({ target }) => {
                const item = itemNamed(declaration, target.value);
                edit(path, { [target.value]: sampleOf(item, types, 1, 1) ?? (types.get(item.of)?.kind === 'enum' ? types.get(item.of).members[0].name : {}) });
            };
            const select = element('select', { 'aria-label': `member of ${label}`, 'data-path': `${path.join('.')}?`, onchange: choose },
                declaration.items.filter((each) => each.kind === 'member').map(({ name }) => element('option', { value: name, selected: name === chosen }, name)));
            return [element('div.row', {}, element('div.line', {}, element('span.name', {}, 'member'), select)),
                row(chosen, now[chosen], itemNamed(declaration, chosen), [...path, chosen], `${label}.${chosen}`)];
        }
        return Object.entries(now).map(([name, each]) => row(name, each, itemNamed(declaration, name), [...path, name], label ? `${label}.${name}` : name));
    }

    /** Keeps the control that has the focus, and the text in it. */
    return (shown, declaration, known) => {
        value = shown;
        types = known;
        const focused = parent.contains(document.activeElement) ? document.activeElement : null;
        const { selectionStart, value: typed } = focused ?? {};
        const path = focused?.dataset.path, label = focused?.getAttribute('aria-label');
        parent.replaceChildren(...[rows(value, declaration, [], '')].flat());
        const again = path !== undefined && [...parent.querySelectorAll('[data-path]')]
            .find((each) => each.dataset.path === path && (each.getAttribute('aria-label') === label));
        if (!again) return;
        if (again.type === 'text') again.value = typed;
        again.focus({ preventScroll: true });
        if (again.type === 'text') again.setSelectionRange(selectionStart, selectionStart);
    };
}
