// editor.js - the schema in CodeMirror, with what the language server says about it.
// SPDX-License-Identifier: MIT
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
    Decoration, EditorView, WidgetType, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap,
    lineNumbers,
} from '@codemirror/view';
import { colors, pkt } from './language.js';
import { markdown } from './html.js';

/** The offset of a position of the protocol, whose columns count units of UTF-16 as JavaScript does. */
function offsetOf(doc, { line, character }) {
    const at = doc.line(Math.min(line + 1, doc.lines));
    return Math.min(at.from + character, at.to);
}

function positionOf(doc, offset) {
    const at = doc.lineAt(offset);
    return { line: at.number - 1, character: offset - at.from };
}

// ---- sizes beside the text: hints at the end of a declaration, lenses above a packet

class Words extends WidgetType {
    constructor(text, kind) {
        super();
        Object.assign(this, { text, kind });
    }

    eq(other) {
        return other.text === this.text && other.kind === this.kind;
    }

    toDOM() {
        const made = document.createElement(this.kind === 'lens' ? 'div' : 'span');
        made.className = this.kind;
        made.textContent = this.text;
        return made;
    }
}

const showSizes = StateEffect.define();
const sizes = StateField.define({
    create: () => Decoration.none,
    update(shown, transaction) {
        for (const effect of transaction.effects) if (effect.is(showSizes)) return effect.value;
        return shown.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
});

function sizesOf(doc, hints, lenses) {
    const made = [];
    for (const { position, label } of hints)
        made.push(Decoration.widget({ widget: new Words(label, 'hint'), side: 1 }).range(offsetOf(doc, position)));
    for (const { range, command } of lenses) {
        const at = doc.lineAt(offsetOf(doc, range.start)).from;
        made.push(Decoration.widget({ widget: new Words(command.title, 'lens'), side: -1, block: true }).range(at));
    }
    return Decoration.set(made, true);
}

// ---- problems

function applyAction(view, action) {
    const changes = Object.values(action.edit.changes).flat().map(({ range, newText }) => (
        { from: offsetOf(view.state.doc, range.start), to: offsetOf(view.state.doc, range.end), insert: newText }));
    view.dispatch({ changes, userEvent: 'input.fix' });
    view.focus();
}

/** Diagnostics with the actions that mend them, for the editor and for the list under it. */
export function problemsOf(view, diagnostics, actions) {
    const doc = view.state.doc;
    return diagnostics.map((each) => {
        const same = (other) => other.message === each.message && JSON.stringify(other.range) === JSON.stringify(each.range);
        const from = offsetOf(doc, each.range.start), line = doc.lineAt(from);
        return {
            from,
            to: Math.max(from, offsetOf(doc, each.range.end)),
            line: line.number,
            severity: each.severity === 1 ? 'error' : 'warning',
            message: each.message,
            actions: actions.filter((action) => action.diagnostics.some(same))
                .map((action) => ({ name: action.title, apply: () => applyAction(view, action) })),
        };
    });
}

// ---- the editor

export const LARGEST = 1 << 20; // the characters of a schema: the editor would slow down the page with more

const KINDS = { 3: 'function', 5: 'property', 6: 'variable', 7: 'type', 14: 'keyword', 17: 'text', 20: 'enum', 21: 'constant', 22: 'type' };

/** ask(lane, questions): resolves to what the language server answers about the text as it is. refused(): a text is too large. */
export function makeEditor(parent, { ask, changed, refused, text }) {
    async function complete(context) {
        if (context.tokenBefore(['comment', 'docComment'])) return null;
        const before = context.matchBefore(/[@"]?[\w.]*/);
        if (!context.explicit && (!before || before.from === before.to)) return null;
        const { results } = await ask('complete', [
            ['textDocument/completion', { position: positionOf(context.state.doc, context.pos) }]]);
        const list = results[0]?.items ?? results[0] ?? [];
        const start = /[@"]$/.test(before.text[0] ?? '') ? before.from + 1 : before.from;
        const from = list.some(({ label }) => /^[@"]/.test(label)) ? before.from : start;
        return list.length === 0 ? null : {
            from,
            options: list.map(({ label, kind, detail, documentation, insertText }) => ({
                label, type: KINDS[kind] ?? 'text', detail, apply: insertText ?? label, info: documentation?.value ?? documentation,
            })),
            validFor: /^[@"]?\w*$/,
        };
    }

    const hover = hoverTooltip(async (view, offset) => {
        const { results } = await ask('hover', [['textDocument/hover', { position: positionOf(view.state.doc, offset) }]]);
        const found = results[0];
        if (!found) return null;
        return {
            pos: offsetOf(view.state.doc, found.range.start),
            end: offsetOf(view.state.doc, found.range.end),
            above: true,
            create() {
                const dom = document.createElement('div');
                dom.className = 'hover';
                dom.append(markdown(found.contents.value));
                return { dom };
            },
        };
    }, { hoverTime: 250 });

    const view = new EditorView({
        parent,
        state: EditorState.create({
            doc: text,
            extensions: [
                lineNumbers(), lintGutter(), highlightActiveLineGutter(), highlightActiveLine(), drawSelection(), history(), search(),
                bracketMatching(), closeBrackets(), indentUnit.of('    '), pkt, colors, sizes, hover,
                autocompletion({ override: [complete] }),
                keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap,
                    ...defaultKeymap]),
                EditorView.contentAttributes.of({ 'aria-label': 'Schema', spellcheck: 'false', autocapitalize: 'off' }),
                EditorState.transactionFilter.of((transaction) => {
                    if (!transaction.docChanged || transaction.newDoc.length <= LARGEST) return transaction;
                    refused();
                    return [];
                }),
                EditorView.updateListener.of((update) => {
                    if (update.docChanged) changed();
                }),
            ],
        }),
    });

    return {
        view,
        text: () => view.state.doc.toString(),
        setText: (insert) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } }),
        range: () => ({ start: { line: 0, character: 0 }, end: { line: view.state.doc.lines, character: 0 } }),
        show(problems, hints, lenses) {
            view.dispatch(setDiagnostics(view.state, problems), { effects: showSizes.of(sizesOf(view.state.doc, hints, lenses)) });
        },
        goTo(offset) {
            view.dispatch({ selection: { anchor: offset }, effects: EditorView.scrollIntoView(offset, { y: 'center' }) });
            view.focus();
        },
        async format() {
            const asked = view.state.doc;
            const { results } = await ask('format', [['textDocument/formatting', { options: { tabSize: 4, insertSpaces: true } }]]);
            if (view.state.doc !== asked || !results[0]) return;
            view.dispatch({
                changes: results[0].map(({ range, newText }) => (
                    { from: offsetOf(asked, range.start), to: offsetOf(asked, range.end), insert: newText })),
            });
        },
    };
}
