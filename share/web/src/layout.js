// layout.js - each packet and type with its bits: a strip of its fields, and a table.
// SPDX-License-Identifier: MIT
import { amount, counted, element } from './html.js';

const MTU = 1200;
const CARDS = 200; // the cards that are made at a time: thousands would stop the page for seconds
const bytes = (bits) => ({ least: Math.ceil(bits.least / 8), most: Math.ceil(bits.most / 8) });

/** One of the eight colors, by what an item is. */
export function colorOf(item) {
    const type = item.type ?? '';
    if (item.kind === 'frame' || item.kind === 'check') return 6;
    if (item.kind === 'reserved' || item.kind === 'align' || item.kind === 'const') return 7;
    if (item.kind === 'tag' || item.of && !item.dims) return 3;
    if (item.dims) return 4;
    if (type === 'bool') return 1;
    if (/^(float|half|double|quat|unit|fixed)/.test(type)) return 2;
    return /^(string|bytes)/.test(type) ? 5 : 0;
}

function strip(items) {
    const total = items.reduce((sum, each) => sum + Math.sqrt(each.bits.most), 0);
    return element('div.strip', { 'aria-hidden': 'true' }, items.map((each) => {
        const varies = each.bits.least !== each.bits.most || each.when;
        const made = element(`span.k${colorOf(each)}${varies ? '.varies' : ''}`, { title: `${each.name}: ${amount(each.bits)} bits` },
            element('b', {}, each.name), element('i', {}, amount(each.bits).replace(' to ', '–')));
        made.style.flexGrow = Math.max(1, Math.round(100 * Math.sqrt(each.bits.most) / total));
        return made;
    }));
}

/** "-100 to 100 in steps of 0.01", "only if (moving)", "default 64" */
function remarks(item) {
    const made = [];
    const { low, high, step, error } = item.values ?? {};
    if (low !== undefined && item.type !== 'bool') made.push(`${low} to ${high}${step ? ` in steps of ${step}` : ''}`);
    if (error) made.push(`±${error}`);
    if (item.wraps) made.push('wraps');
    if (item.clamps) made.push('clamped');
    if (item.or_raw) made.push('or raw');
    if (item.optional) made.push('optional');
    if (item.sparse) made.push(`sparse, ${item.sparse}`);
    if (item.coded) made.push(item.still ? 'coded, still' : item.speed ? `coded, moved by ${item.speed}` : 'coded');
    if (item.delta) made.push(`delta steps of ${item.delta.join(' and ')} bits`);
    if (item.unless !== undefined) made.push(`left out if ${item.unless}`);
    return made.join(' · ');
}

function row(item) {
    return element('tr', {},
        element('th', { scope: 'row' }, element(`i.dot.k${colorOf(item)}`), item.name,
            item.when && element('small', {}, item.when.join(', '))),
        element('td.type', {}, element('code', {}, `${item.type ?? item.kind}${item.dims ?? ''}`)),
        element('td.n', {}, amount(item.place)),
        element('td.n', {}, amount(item.bits)),
        element('td.remarks', {}, remarks(item), item.doc && element('small', {}, item.doc)));
}

function sizeOf(declaration) {
    if (!declaration.kind.startsWith('packet')) return counted(amount(declaration.bits), 'bit');
    return counted(amount(bytes(declaration.bits)), 'byte');
}

function meter(declaration) {
    const { least, most } = bytes(declaration.bits);
    const made = element('span.meter', { title: `${(100 * most / MTU).toFixed(1)} % of ${MTU} bytes` }, element('b.most'), element('b.least'));
    made.children[0].style.width = `${Math.min(100, 100 * most / MTU)}%`;
    made.children[1].style.width = `${Math.min(100, 100 * least / MTU)}%`;
    made.classList.toggle('over', most > MTU);
    return made;
}

function members(declaration) {
    return element('p.members', {}, declaration.members.map(({ name, value }) => element('span', {}, element('code', {}, name), ` ${value}`)));
}

function card(declaration, goTo) {
    const items = (declaration.items ?? []).filter((each) => each.bits);
    const deltas = declaration.delta_bits;
    return element('article.card', {},
        element('header', {},
            element('h3', {}, element('small', {}, declaration.kind), ' ',
                element('button.link', { type: 'button', title: 'Show it in the schema', onclick: () => goTo(declaration.name) }, declaration.name)),
            element('p.size', {}, sizeOf(declaration), deltas && element('small', {}, ` · delta ${counted(amount(deltas), 'bit')}`)),
            declaration.kind.startsWith('packet') && meter(declaration)),
        declaration.doc && element('p.doc', {}, declaration.doc),
        items.length > 0 && strip(items),
        items.length > 0 && element('div.scrolls', { tabIndex: 0, role: 'region', 'aria-label': `Fields of ${declaration.name}` }, element('table', {},
            element('thead', {}, element('tr', {}, ['field', 'type', 'from bit', 'bits', ''].map((each, i) => (
                element(i === 2 || i === 3 ? 'th.n' : 'th', { scope: 'col' }, each || element('span.sr', {}, 'values')))))),
            element('tbody', {}, items.map(row)))),
        declaration.members && members(declaration));
}

/** What a card shows. Places in the schema are not in it: a line more at the top changes no card. */
const keyOf = (declaration) => JSON.stringify(declaration, (name, value) => (name === 'at' ? undefined : value));

/**
 * A function that shows a description, the first cards of it, and a button for more. Only the cards that are not as before
 * are made again. goTo gets a name.
 */
export function makeLayout(parent, goTo) {
    let cards = new Map(), last = null, most = CARDS;
    const more = element('button', { type: 'button', onclick: showMore });

    function show(described) {
        const made = new Map();
        const order = ['packet', 'packet union', 'struct', 'union', 'flags', 'enum'];
        const all = described.declarations.filter((each) => each.kind !== 'constant');
        all.sort((x, y) => order.indexOf(x.kind) - order.indexOf(y.kind));
        for (const each of all.slice(0, most)) {
            const key = keyOf(each);
            made.set(key, cards.get(key) ?? card(each, goTo));
        }
        cards = made;
        const list = [...made.values()];
        if (all.length > most) {
            const others = all.length - most;
            more.textContent = others > CARDS ? `Show ${CARDS} of the other ${others}` : `Show the other ${others}`;
            list.push(more);
        }
        const stays = new Set(list);
        for (const each of [...parent.children]) if (!stays.has(each)) each.remove();
        for (const [i, each] of list.entries()) if (parent.children[i] !== each) parent.insertBefore(each, parent.children[i] ?? null);
    }

    function showMore() {
        const first = most;
        most += CARDS;
        show(last);
        parent.children[first].querySelector('button').focus();
    }

    return (described) => {
        if (described === last) return;
        last = described;
        show(described);
    };
}
