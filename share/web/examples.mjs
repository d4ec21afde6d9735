// examples.mjs - the schemas in the page's menu: those of schemas/, and the blocks of the cookbook.
// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';

const SCHEMAS = [
    ['mygame.pkt', 'A small arena shooter'], ['example/arena.pkt', 'Arena, the example with server and bots'],
    ['cubes.pkt', 'Cubes: snapshots, step by step'], ['all.pkt', 'Every construct of the language'],
    ['vec.pkt', 'Vectors, which others import'],
];

/** Blocks of the cookbook that declare a packet or a struct: { title, text }, with the heading before them. */
export function cookbookBlocks() {
    const list = [];
    let heading = '', block = null;
    for (const line of readFileSync('docs/cookbook.md', 'utf8').split('\n')) {
        if (block === null && line.startsWith('##')) heading = line.replace(/^#+ /, '');
        if (block !== null && line.startsWith('```')) {
            const text = block.lines.join('\n');
            if (block.isSchema && /^\s*(struct|packet|union) \w+/m.test(text)) list.push({ title: heading, text });
            block = null;
        } else if (block !== null) {
            block.lines.push(line);
        } else if (line.startsWith('```')) {
            block = { lines: [], isSchema: line.startsWith('```pkt') };
        }
    }
    return list;
}

/** All examples: { group, title, file, text }. */
export function examples() {
    const list = SCHEMAS.map(([path, title]) => ({
        group: 'Schemas', title, file: path.replace(/.*\//, ''), text: readFileSync(`schemas/${path}`, 'utf8'),
    }));
    const titles = new Map();
    for (const { title, text } of cookbookBlocks()) {
        const before = titles.get(title) ?? 0;
        titles.set(title, before + 1);
        list.push({
            group: 'Cookbook',
            title: before > 0 ? `${title} (${before + 1})` : title,
            file: 'mygame.pkt',
            text: /^protocol /m.test(text) ? `${text}\n` : `protocol mygame = 1;\n\n${text}\n`,
        });
    }
    return list;
}

/** What a schema on the page may import, by name. A model that nobody has trained yet is an empty file. */
export function imported() {
    const files = Object.fromEntries(examples().filter((each) => each.group === 'Schemas').map(({ file, text }) => [file, text]));
    for (const { text } of examples()) for (const [, model] of text.matchAll(/^model "(.*)";/gm)) files[model] = '';
    files['arena.model'] = readFileSync('schemas/example/arena.model', 'utf8');
    return files;
}
