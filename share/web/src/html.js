// html.js - makes elements. Text always becomes text, so that nothing in a schema or a recording can become markup.
// SPDX-License-Identifier: MIT

/** element('td.n', { title: 'x' }, child, ...): names after dots are classes; children are elements or text. */
export function element(name, attributes = {}, ...children) {
    const [tag, ...classes] = name.split('.');
    const made = document.createElement(tag);
    if (classes.length > 0) made.className = classes.join(' ');
    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
        else if (key in made && typeof value !== 'string') made[key] = value;
        else made.setAttribute(key, value);
    }
    made.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== false));
    return made;
}

export const byId = (id) => document.getElementById(id);

/** Blocks of code, paragraphs, and `code` in them: the Markdown that the language server writes. */
export function markdown(text) {
    const made = document.createDocumentFragment();
    for (const [i, part] of text.split('```').entries()) {
        if (i % 2 === 1) {
            made.append(element('pre', {}, part.replace(/^\w*\n/, '').trimEnd()));
            continue;
        }
        for (const paragraph of part.split('\n\n').filter((each) => each.trim()))
            made.append(element('p', {}, paragraph.trim().split('`').map((each, k) => (k % 2 ? element('code', {}, each) : each))));
    }
    return made;
}

export const amount = ({ least, most }) => (least === most ? `${least}` : `${least} to ${most}`);
export const counted = (n, noun) => `${n} ${noun}${String(n) === '1' ? '' : 's'}`;
