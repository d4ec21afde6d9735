// code.js - the C that pktc generates, file by file.
// SPDX-License-Identifier: MIT
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { StreamLanguage } from '@codemirror/language';
import { c } from '@codemirror/legacy-modes/mode/clike';
import { search, searchKeymap } from '@codemirror/search';
import { byId } from './html.js';
import { textOf } from './pktc.js';
import { colors } from './language.js';

const language = StreamLanguage.define(c);

export function makeCode(context) {
    const select = byId('code-file');
    const setup = [lineNumbers(), search(), keymap.of(searchKeymap), language, colors, EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ 'aria-label': 'Generated C', tabindex: '0' }), EditorView.editable.of(false)];
    const view = new EditorView({ parent: byId('code-view'), state: EditorState.create({ extensions: setup }) });
    let made = {}, described = null;

    function show() {
        const text = made[select.value] ?? '';
        if (text !== view.state.doc.toString()) view.setState(EditorState.create({ doc: text, extensions: setup }));
    }
    select.addEventListener('change', show);

    return {
        async update(description) {
            if (description === described) return;
            const { file, files } = context.schema();
            const { status, files: written } = await context.pktc.call('code', ['--no-runtime', '-o', 'generated', file], files);
            if (status !== 0) return;
            described = description;
            made = Object.fromEntries(Object.entries(written).map(([name, bytes]) => [name.replace(/^generated\//, ''), textOf(bytes)]));
            const stem = file.replace(/\.pkt$/, ''), chosen = select.value;
            const names = Object.keys(made).sort((x, y) => (y.startsWith(`${stem}.`) - x.startsWith(`${stem}.`)) || x.localeCompare(y));
            names.sort((x, y) => (y === `${stem}.h`) - (x === `${stem}.h`));
            select.replaceChildren(...names.map((name) => new Option(name, name)));
            if (names.includes(chosen)) select.value = chosen;
            show();
        },
    };
}
