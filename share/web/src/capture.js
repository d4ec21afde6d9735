// capture.js - a recording that is dropped on the page: its packets, and the report of where its bytes go.
// SPDX-License-Identifier: MIT
import { bytesOfHex } from './bits.js';
import { byId, counted, element } from './html.js';
import { Pktc, bytesOf, textOf } from './pktc.js';
import { sample } from './values.js';
import { recordingOf } from './recording.js';

const LARGEST = 64 << 20, MOST_ROWS = 500, LIMIT = 20;

function rowOf(line) {
    const { index, time, direction, from, to, size, type, value, values, refused } = JSON.parse(line);
    const shown = refused ? `refused: ${refused}` : JSON.stringify(value ?? values ?? null);
    return element(refused ? 'tr.refused' : 'tr', {},
        element('td.n', {}, `${index}`), element('td.n', {}, `${size}`), element('th', { scope: 'row' }, type ?? '?'),
        element('td', {}, element('details', {}, element('summary', {}, element('code', {}, shown.slice(0, 120))),
            element('pre', {}, refused ? shown : JSON.stringify(value ?? values ?? null, null, 2)),
            element('p.faint', {}, [direction, from && `${from} to ${to}`, `${time}`].filter(Boolean).join(' · ')))));
}

export function makeCapture(context) {
    // A worker of its own: a large recording does not hold up the editor.
    const pktc = new Pktc(LIMIT);
    const status = byId('capture-status'), result = byId('capture-result'), rows = byId('capture-rows');
    let turn = 0;

    function say(text) {
        status.textContent = text;
        context.say(text);
    }

    async function read(name, bytes) {
        const mine = ++turn, { file, files } = context.schema(), recording = 'recording.pcapng';
        const given = { ...files, [recording]: bytes };
        result.hidden = true;
        say(`reading ${name}…`);
        let schemas = [];
        let decoded = await pktc.call('decode', ['decode', recording], given);
        if (/has no schema in it/.test(decoded.err)) {
            schemas = [file];
            decoded = await pktc.call('decode', ['decode', ...schemas, recording], given);
        }
        const report = await pktc.call('report', ['report', '--html', 'report.html', ...schemas, recording], given);
        if (mine !== turn) return;
        const lines = decoded.out.split('\n').filter((line) => line.endsWith('}'));
        if (lines.length === 0) {
            say(`${name}: ${decoded.err.trim().replaceAll('pktc: error: ', '').replaceAll('recording.pcapng', name) || 'there are no packets of UDP in it'}`);
            return;
        }
        rows.replaceChildren(...lines.slice(0, MOST_ROWS).map(rowOf));
        byId('capture-more').textContent = lines.length > MOST_ROWS ? `and ${lines.length - MOST_ROWS} more` : '';
        byId('capture-report').hidden = report.status !== 0;
        if (report.status === 0) byId('capture-report').srcdoc = textOf(report.files['report.html']);
        result.hidden = false;
        const how = schemas.length > 0 ? 'with the schema on the page' : 'with the schema that is in it';
        const complaint = decoded.err.trim().split('\n')[0].replace(/^pktc: (error|warning): /, '');
        say(`${name}: ${counted(lines.length, 'datagram')}, ${how}${complaint ? `; ${complaint}` : ''}`);
    }

    async function take(file) {
        context.show();
        if (file.size > LARGEST) say(`${file.name} is larger than 64 MB; pktc report on your machine reads any size`);
        else await read(file.name, new Uint8Array(await file.arrayBuffer()));
    }

    /** A recording of the schema on the page: each of its packets several times, with other values. */
    async function makeExample() {
        const { file, files } = context.schema(), types = context.types(), packets = [];
        const names = [...types.values()].filter((each) => each.kind === 'packet' && !each.items.some((item) => item.type && / delta\(/.test(item.type)));
        if (names.length === 0) return say('the schema has no packet to record');
        say('recording…');
        for (let n = 0; n < 4; n++) {
            for (const each of names.slice(0, 12)) {
                const value = JSON.stringify(sample(each, types, 0, n));
                const { status: made, out } = await pktc.call('example', ['encode', '--hex', file, each.name], files, bytesOf(value));
                if (made === 0) packets.push(bytesOfHex(out));
            }
        }
        const archived = await pktc.call('example', ['archive', 'releases', file], files);
        const text = Object.entries(archived.files).find(([name]) => name.endsWith('.pkt'))?.[1];
        if (!text || packets.length === 0) return say('no packet of this schema could be recorded');
        const bytes = recordingOf(text, packets, 0.05);
        const link = byId('capture-save');
        URL.revokeObjectURL(link.href);
        link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/x-pcapng' }));
        link.download = file.replace(/\.pkt$/, '.pcapng');
        link.hidden = false;
        return read(link.download, bytes);
    }

    byId('capture-file').addEventListener('change', ({ target }) => target.files[0] && take(target.files[0]));
    byId('capture-example').addEventListener('click', makeExample);
    addEventListener('dragover', (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        document.body.classList.add('dragged');
    });
    addEventListener('dragleave', (event) => {
        if (!event.relatedTarget) document.body.classList.remove('dragged');
    });
    addEventListener('drop', (event) => {
        document.body.classList.remove('dragged');
        const file = event.dataTransfer?.files[0];
        if (!file) return;
        event.preventDefault();
        if (file.name.endsWith('.pkt')) file.text().then((text) => context.open(file.name, text));
        else take(file);
    });
}
