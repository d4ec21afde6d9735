// links.mjs - the page from a file and from a server, its links, and that nothing leaves the machine.
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { run } from '../../share/web/src/wasi.js';
import { build, html, inScratch, linkTo, linkToSchema, native, openPage, schemaOf, status, test, typeSchema, waitForStatus } from './browser.mjs';

const SCHEMA = 'protocol demo = 1;\n\npacket Hello {\n    u16 number;\n    u8 after;\n}\n';

/** Without a network, chromium does not even ask this machine. */
async function reaches(browser, address) {
    const page = await browser.newPage();
    const reached = await page.goto(address).then(() => true, (problem) => {
        if (!/ERR_INTERNET_DISCONNECTED/.test(problem)) throw problem;
        return false;
    });
    await page.close();
    return reached;
}

export async function testLinks(browser, server) {
    const served = await reaches(browser, server.address);
    if (!served) console.log('[  SKIPPED ] the page from a server: chromium finds no network');
    server.got.length = 0;

    await test('a run of the program makes no use of what is in the memory', async () => {
        const Memory = WebAssembly.Memory, module = await WebAssembly.compile(readFileSync(join(build, 'pktc.wasm')));
        WebAssembly.Memory = class extends Memory {
            constructor(limits) {
                super(limits);
                new Uint8Array(this.buffer).fill(0xa5);
            }
        };
        const files = { 'demo.pkt': Buffer.from(SCHEMA) }, expected = native(['describe', 'demo.pkt'], { cwd: dirname(inScratch('memory/demo.pkt', SCHEMA)) });
        for (let i = 0; i < 3; i++) assert.equal(Buffer.from(run(module, ['pktc', 'describe', 'demo.pkt'], files).out).toString(), expected);
        WebAssembly.Memory = Memory;
    });

    await test('pktc for wasm is under 545 KB', () => {
        const size = gzipSync(readFileSync(join(build, 'pktc.wasm')), { level: 9 }).length;
        console.log(`pktc.wasm: ${size} bytes with gzip; the page: ${readFileSync(html).length}`);
        assert.ok(size < 545000, `${size} bytes`);
    });

    for (const [where, address] of [['a file', String(pathToFileURL(html))], ...served ? [['a server', server.address]] : []]) {
        await test(`from ${where}: the page asks for nothing but itself`, async () => {
            const page = await openPage(browser, address);
            assert.match(await status(page), /^no errors/);
            await page.click('#tab-packet');
            await waitForStatus(page, /bytes/);
            assert.deepEqual(page.asked.filter((each) => !/^(blob|data):/.test(each)), [address]);
            assert.deepEqual(page.wrong, []);
            const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
            console.log(`first paint from ${where}: ${Math.round(paint)} ms`);
            await page.close();
        });
    }

    if (served) await test('a script on the page could not send anything', async () => {
        const page = await openPage(browser, server.address);
        const sent = await page.evaluate(async (address) => {
            const ways = [
                () => fetch(`${address}there`),
                () => new Promise((done, fail) => Object.assign(new Image(), { onload: done, onerror: fail, src: `${address}there.png` })),
                () => new Promise((done, fail) => Object.assign(new WebSocket(address.replace('http', 'ws')), { onopen: done, onerror: fail })),
            ];
            return (await Promise.allSettled(ways.map((each) => each()))).map((each) => each.status);
        }, server.address);
        assert.deepEqual(sent, ['rejected', 'rejected', 'rejected']);
        assert.deepEqual(server.got.filter((each) => each !== '/'), []);
        await page.close();
    });

    await test('a link restores schema, tab, type and value', async () => {
        const page = await openPage(browser, linkToSchema(SCHEMA, { tab: 'packet', packet: { type: 'Hello', json: '{"number": 258}' } }));
        await waitForStatus(page, /^Hello: 11 bytes/);
        assert.equal(await page.getAttribute('#tab-packet', 'aria-selected'), 'true');
        assert.equal(await page.inputValue('#packet-json'), '{"number": 258}');
        assert.match(await page.inputValue('#packet-hex'), /^(.. ){4}02 01 00/);
        await page.close();
    });

    await test('the address is always a link to what the page shows', async () => {
        const page = await openPage(browser, String(pathToFileURL(html)));
        await typeSchema(page, SCHEMA);
        await waitForStatus(page, /^no errors: 1 packet/);
        await page.click('#tab-packet');
        await page.fill('#packet-hex', '00');
        await page.waitForSelector('#packet-problem:not([hidden])');
        await page.check('#packet-as-json');
        await page.fill('#packet-json', '{"after": 7}');
        await waitForStatus(page, /^Hello: 11 bytes/);
        await page.waitForTimeout(600);
        const { schema, tab, packet } = await schemaOf(page), address = page.url();
        assert.deepEqual([schema, tab, packet], [SCHEMA, 'packet', { type: 'Hello', json: '{"after": 7}' }]);
        await page.close();
        const again = await openPage(browser, address);
        await waitForStatus(again, /^Hello: 11 bytes/);
        assert.equal(await again.inputValue('#packet-json'), '{"after": 7}');
        await again.close();
    });

    await test('Copy link gives the link, and says so', async () => {
        const page = await openPage(browser, linkToSchema(SCHEMA));
        await page.click('#share');
        await waitForStatus(page, /^the link is /);
        assert.equal((await schemaOf(page)).schema, SCHEMA);
        await page.close();
    });

    await test('a fragment that is no link shows the first example', async () => {
        for (const fragment of ['#nonsense', `#${linkTo([1, 2]).split('#')[1]}`]) {
            const page = await openPage(browser, String(pathToFileURL(html)) + fragment);
            assert.match(await status(page), /^no errors: 10 packets/);
            await page.close();
        }
    });

    await test('a link that unpacks to more than 4 MB is not followed', async () => {
        const page = await openPage(browser, linkToSchema(' '.repeat(50 << 20)));
        assert.match(await status(page), /^no errors: 10 packets/);
        await page.close();
    });
}
