// language.js - colors of schemas: the grammar of the VS Code extension, so that words are in one place.
// SPDX-License-Identifier: MIT
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import grammar from '../../editors/vscode/pkt.tmLanguage.json';

/** The names of TextMate, the longest first, as those of CodeMirror. */
const NAMES = [
    ['comment.line.documentation', 'docComment'], ['comment', 'comment'], ['string', 'string'],
    ['constant.numeric', 'number'], ['constant.language', 'bool'], ['keyword', 'keyword'], ['storage.type', 'typeName'],
    ['entity.other.attribute', 'meta'], ['entity.name', 'variableName'],
];
const tokenOf = (name) => NAMES.find(([start]) => name.startsWith(start))?.[1] ?? null;

const patterns = grammar.patterns.map(({ name, match, begin, end }) => ({
    token: tokenOf(name),
    start: new RegExp(match ?? begin, 'y'),
    end: end && new RegExp(end, 'g'),
}));

function skip(stream, regex) {
    regex.lastIndex = stream.pos;
    const found = regex.exec(stream.string);
    if (found) stream.pos = regex.lastIndex;
    return found !== null && found[0] !== '';
}

export const pkt = StreamLanguage.define({
    name: 'pkt',
    startState: () => ({ inside: null }),
    token(stream, state) {
        if (!state.inside) {
            if (stream.eatSpace()) return null;
            const found = patterns.find((each) => skip(stream, each.start));
            if (!found) {
                stream.next();
                return null;
            }
            if (!found.end) return found.token;
            state.inside = found;
        }
        const { token, end } = state.inside;
        if (skip(stream, end)) state.inside = null;
        else stream.skipToEnd();
        return token;
    },
    languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } } },
});

export const colors = syntaxHighlighting(HighlightStyle.define([
    { tag: tags.docComment, class: 't-doc' },
    { tag: tags.comment, class: 't-comment' },
    { tag: tags.string, class: 't-string' },
    { tag: [tags.number, tags.bool], class: 't-number' },
    { tag: tags.keyword, class: 't-keyword' },
    { tag: [tags.typeName, tags.standard(tags.typeName)], class: 't-type' },
    { tag: [tags.meta, tags.processingInstruction], class: 't-meta' },
]));
