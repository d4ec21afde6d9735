// bits.js - the bits of a packet: a cell and a row for each item that `pktc decode --bits` lists.
// SPDX-License-Identifier: MIT
import { element } from './html.js';

const MOST_ITEMS = 1500, MOST_DIGITS = 64;

/** The lines of `pktc decode --bits`. */
export function itemsIn(listing) {
    return listing.split('\n').slice(1).map((line) => {
        const found = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*?)(?: = (.*))?$/.exec(line);
        return found && { bit: Number(found[1]), bits: Number(found[2]), raw: found[3], name: found[4], value: found[5] ?? found[3] };
    }).filter(Boolean);
}

export function bytesOfHex(hex) {
    const digits = hex.replace(/0x|[^0-9a-f]/gi, '');
    return Uint8Array.from({ length: digits.length >> 1 }, (_, i) => parseInt(digits.substr(2 * i, 2), 16));
}

const digitsOf = (bytes, bit, bits) => (
    Array.from({ length: Math.min(bits, MOST_DIGITS) }, (_, i) => bytes[(bit + i) >> 3] >> ((bit + i) & 7) & 1).join('')
    + (bits > MOST_DIGITS ? '…' : ''));

const shortName = (name) => name.replace(/^[^.]*\./, '');

function colorOf(item) {
    if (/(^|\.)(crc|end check|check)$/.test(item.name)) return 6;
    if (/_count$|has_|changes$|(^|\.)tag$/.test(item.name)) return 3;
    if (item.value === 'true' || item.value === 'false') return 1;
    if (/^-?\d+\.\d|e-/.test(item.value)) return 2;
    return item.value.startsWith('"') ? 5 : 0;
}

/** Cells, and a table of the same items. Those whose bits are not as before are lit. */
export function makeBits(label) {
    const cells = element('div.cells', { 'aria-hidden': 'true' });
    const body = element('tbody');
    const more = element('p.faint');
    const table = element('div.scrolls', { tabIndex: 0, role: 'region', 'aria-label': label }, element('table.items', {},
        element('thead', {}, element('tr', {}, ['bit', 'bits', 'field', 'value'].map((each, i) => (
            element(i < 2 ? 'th.n' : 'th', { scope: 'col' }, each))))), body));
    const whole = element('div.bits', {}, cells, table, more);
    let before = null, order = '';

    whole.addEventListener('mouseover', ({ target }) => {
        const index = target.closest('[data-item]')?.dataset.item;
        for (const lit of whole.querySelectorAll('.pointed')) lit.classList.remove('pointed');
        for (const each of index === undefined ? [] : whole.querySelectorAll(`[data-item="${index}"]`)) each.classList.add('pointed');
    });

    function show(listing, hex, { lit } = {}) {
        const all = itemsIn(listing), items = all.slice(0, MOST_ITEMS), bytes = bytesOfHex(hex);
        const kind = all[0]?.name.split('.')[0] ?? '';
        const now = new Map(all.map((each) => [each.name, each.raw]));
        const isLit = lit ?? ((each) => before !== null && order === kind && before.get(each.name) !== each.raw);
        cells.replaceChildren(...items.map((each, i) => element(`span.cell.k${colorOf(each)}${isLit(each) ? '.lit' : ''}`,
            { 'data-item': String(i), title: `${each.name} = ${each.value}` },
            element('b', {}, digitsOf(bytes, each.bit, each.bits)), element('i', {}, shortName(each.name)))));
        body.replaceChildren(...items.map((each, i) => element(isLit(each) ? 'tr.lit' : 'tr', { 'data-item': String(i) },
            element('td.n', {}, `${each.bit}`), element('td.n', {}, `${each.bits}`),
            element('th', { scope: 'row' }, element(`i.dot.k${colorOf(each)}`), shortName(each.name), isLit(each) && element('span.sr', {}, ' (changed)')),
            element('td', {}, each.value))));
        more.textContent = all.length > items.length ? `and ${all.length - items.length} more` : '';
        before = now;
        order = kind;
    }

    return { element: whole, show };
}
