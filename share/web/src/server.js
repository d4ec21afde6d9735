// server.js - asks the language server. Each question is a session of its own with `pktc lsp`, which takes no longer than
// one message to a server that stays: either checks the schema once.
// SPDX-License-Identifier: MIT
import { bytesOf } from './pktc.js';

const URI = 'file:///';

/**
 * The messages in the output of the server, { text, message } each. Lengths count bytes, so it is looked at as bytes. A text that
 * is also in `before`, at the same place, is the same message: so who shows it sees that nothing has changed.
 */
function messagesIn(out, before) {
    const bytes = bytesOf(out), decoder = new TextDecoder(), list = [];
    for (let at = 0; at < bytes.length;) {
        const end = bytes.indexOf(13, at);
        const size = Number(decoder.decode(bytes.subarray(at, end)).split(' ')[1]);
        const text = decoder.decode(bytes.subarray(end + 4, end + 4 + size)), old = before[list.length];
        list.push(old?.text === text ? old : { text, message: JSON.parse(text) });
        at = end + 4 + size;
    }
    return list;
}

function framed(messages) {
    return bytesOf(messages.map((each) => {
        const body = JSON.stringify({ jsonrpc: '2.0', ...each });
        return `Content-Length: ${bytesOf(body).length}\r\n\r\n${body}`;
    }).join(''));
}

export class Server {
    constructor(pktc) {
        this.pktc = pktc;
        this.before = {}; // the messages of the last answer, for each lane
    }

    /** Resolves to { status, diagnostics, results }: a result for each of `questions`, [method, parameters]. */
    async ask(lane, file, text, questions) {
        const uri = URI + file;
        const { status, out, err } = await this.pktc.call(lane, ['lsp'], {}, framed([
            { id: 0, method: 'initialize', params: { capabilities: {} } },
            { method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'pkt', version: 1, text } } },
            ...questions.map(([method, parameters], i) => (
                { id: i + 1, method, params: { textDocument: { uri }, ...parameters } })),
            { id: -1, method: 'shutdown' },
            { method: 'exit' },
        ]));
        if (status !== 0) return { status, err, diagnostics: [], elsewhere: [], results: [] };
        this.before[lane] = messagesIn(out, this.before[lane] ?? []);
        const all = this.before[lane].map(({ message }) => message), published = all.filter((each) => each.method === 'textDocument/publishDiagnostics');
        const diagnostics = [], elsewhere = [];
        for (const { params } of published)
            (params.uri === uri ? diagnostics : elsewhere).push(...params.diagnostics.map((each) => ({ ...each, uri: params.uri })));
        const results = questions.map((_, i) => all.find((each) => each.id === i + 1)?.result);
        return { status, diagnostics, elsewhere, results };
    }
}
