// browser.mjs - runs the package of schemas/mygame.pkt in chromium: packets go through a WebSocket to this server and back, and
// through a data channel of WebRTC.
// SPDX-License-Identifier: MIT
//
// usage: node browser.mjs DIRECTORY PROFILE
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';

const [directory, profile] = process.argv.slice(2);
const page = `<!DOCTYPE html><script type="module">
import { load, Chat, Snapshot, PktError } from './mygame.js';
const said = [];
async function play() {
    await load();
    const chat = Chat.make().set({ from_slot: 3, text: 'über' }), got = Chat.make();
    const read = (data) => { got.set({ text: '' }); got.unpack(data); said.push(data.constructor.name + ' ' + got.text); };

    const socket = new WebSocket('ws://' + location.host);
    socket.binaryType = 'arraybuffer';
    await new Promise((done, fail) => {
        socket.onopen = () => socket.send(chat.pack());
        socket.onmessage = ({ data }) => { read(data); done(); };
        socket.onerror = fail;
    });

    const here = new RTCPeerConnection(), there = new RTCPeerConnection();
    here.onicecandidate = ({ candidate }) => there.addIceCandidate(candidate);
    there.onicecandidate = ({ candidate }) => here.addIceCandidate(candidate);
    const channel = here.createDataChannel('game', { ordered: false, maxRetransmits: 0 });
    const arrived = new Promise((done) => {
        there.ondatachannel = ({ channel: other }) => {
            other.binaryType = 'arraybuffer';
            other.onmessage = ({ data }) => { read(data); done(); };
        };
    });
    await here.setLocalDescription();
    await there.setRemoteDescription(here.localDescription);
    await there.setLocalDescription();
    await here.setRemoteDescription(there.localDescription);
    await new Promise((done) => { channel.onopen = done; });
    channel.send(chat.pack());
    await arrived;
    try {
        Snapshot.make().unpack(chat.pack());
    } catch (e) {
        said.push(e instanceof PktError && e.code);
    }
}
play().catch((e) => said.push(String(e))).then(() => fetch('/said', { method: 'POST', body: JSON.stringify(said) }));
</script>`;
const kinds = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

const server = createServer((request, response) => {
    const file = basename(request.url);
    if (request.method === 'POST') {
        let body = '';
        request.on('data', (data) => { body += data; }).on('end', () => finish(body));
    } else if (request.url === '/') {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    } else if (/^[a-z]+[.](js|wasm)$/.test(file)) {
        response.writeHead(200, { 'content-type': kinds[file.slice(file.indexOf('.'))] }).end(readFileSync(join(directory, file)));
    } else {
        response.writeHead(404).end();
    }
});

// A message of a client is masked; the answer has the same bytes without a mask.
server.on('upgrade', (request, socket) => {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    socket.on('data', (frame) => {
        const size = frame[1] & 127, mask = frame.subarray(2, 6), data = frame.subarray(6, 6 + size).map((byte, i) => byte ^ mask[i % 4]);
        if ((frame[0] & 15) === 2) socket.write(Buffer.concat([Buffer.from([0x82, size]), data]));
    });
    socket.on('error', () => {});
});

let browser;
function finish(body) {
    browser.on('exit', () => process.exit());
    browser.kill();
    console.log(body === '["ArrayBuffer über","ArrayBuffer über","crc"]' ? 'passed' : body);
}
server.listen(0, '127.0.0.1', () => {
    browser = spawn('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
        '--disable-sync', `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore' });
});
