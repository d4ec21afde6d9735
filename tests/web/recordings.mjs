// recordings.mjs - recordings on the page: with a schema in them, without one, and hostile ones.
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { recordingOf } from '../../share/web/src/recording.js';
import { inScratch, linkToSchema, native, openPage, scratch, test, typeSchema, waitForStatus } from './browser.mjs';

const SCHEMA = 'protocol demo = 1;\n\npacket Hello {\n    u16 number;\n    string<30> text;\n}\n';
const OTHER = 'protocol other = 1;\n\npacket Bye {\n    u8 a;\n}\n';

const bytesOf = (hex) => Buffer.from(hex.trim(), 'hex');
const rowsShown = (page) => page.$$eval('#capture-rows tr', (all) => all.map((each) => each.children[2].textContent));

async function drop(page, name, bytes) {
    const data = await page.evaluateHandle(([called, base64]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))], called));
        return transfer;
    }, [name, Buffer.from(bytes).toString('base64')]);
    await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

/** A file with errors that a seed decides. */
function damaged(bytes, seed) {
    const made = Buffer.from(bytes);
    let state = seed;
    const next = () => (state = (state * 1103515245 + 12345) % 2147483648);
    for (let i = 0; i < 1 + seed % 8; i++) made[next() % made.length] = next() & 255;
    return made.subarray(0, seed % 3 ? made.length : next() % made.length);
}

export async function testRecordings(browser) {
    const path = inScratch('recorded/mygame.pkt', SCHEMA), releases = join(scratch, 'recorded/releases');
    native(['archive', releases, path]);
    const text = readFileSync(join(releases, readdirSync(releases)[0]));
    const packets = [1, 2, 3].map((number) => bytesOf(native(['encode', '--hex', path, 'Hello'], { input: JSON.stringify({ number, text: '<b>hi</b>' }) })));
    const recording = Buffer.from(recordingOf(text, packets, 0.5)), without = Buffer.from(recordingOf(new Uint8Array(0), packets, 0.5));

    // What the page writes is a recording for the pktc of this machine too.
    await test('a recording of recording.js is read by pktc decode', () => {
        const lines = native(['decode', inScratch('recorded/demo.pcapng', recording)]).trim().split('\n').map((each) => JSON.parse(each));
        assert.deepEqual(lines.map((each) => [each.type, each.value.number, each.time]), [1, 2, 3].map((n) => ['Hello', n, 1700000000 + (n - 1) / 2]));
    });

    const page = await openPage(browser, linkToSchema(OTHER));

    await test('a recording that is dropped is decoded with the schema in it', async () => {
        await drop(page, 'demo.pcapng', recording);
        await waitForStatus(page, /^demo\.pcapng: 3 datagrams, with the schema that is in it/);
        assert.equal(await page.getAttribute('#tab-capture', 'aria-selected'), 'true');
        assert.deepEqual(await rowsShown(page), ['Hello', 'Hello', 'Hello']);
        assert.match(await page.textContent('#capture-rows'), /"text":"<b>hi<\/b>"/);
        assert.equal(await page.$('#capture-rows b'), null);
    });

    await test("the report's page says where the bytes go", async () => {
        const frame = await (await page.waitForSelector('#capture-report')).contentFrame();
        await frame.waitForSelector('h1');
        assert.match(await frame.textContent('body'), /demo: where the bytes go/);
        assert.match(await frame.textContent('body'), /Hello/);
        assert.equal(await page.getAttribute('#capture-report', 'sandbox'), '');
    });

    await test('a recording without a schema is decoded with the one on the page', async () => {
        await typeSchema(page, SCHEMA);
        await waitForStatus(page, /^no errors/);
        await drop(page, 'plain.pcapng', without);
        await waitForStatus(page, /^plain\.pcapng: 3 datagrams, with the schema on the page/);
        assert.deepEqual(await rowsShown(page), ['Hello', 'Hello', 'Hello']);
    });

    await test('a file can be chosen, too', async () => {
        await page.setInputFiles('#capture-file', { name: 'chosen.pcapng', mimeType: '', buffer: recording });
        await waitForStatus(page, /^chosen\.pcapng: 3 datagrams/);
    });

    await test('a schema that is dropped is opened', async () => {
        await drop(page, 'other.pkt', Buffer.from(OTHER));
        await page.waitForFunction(() => document.getElementById('file').textContent === 'other.pkt');
        await page.waitForFunction(() => /packet Bye/.test(document.querySelector('.cm-content').textContent));
    });

    await test('what is no recording is refused with a reason', async () => {
        await drop(page, 'picture.png', Buffer.from('89504e470d0a1a0a', 'hex'));
        await waitForStatus(page, /^picture\.png: /);
        assert.ok(!await page.isVisible('#capture-result'));
    });

    await test('hostile recordings do not hang the page', async () => {
        const huge = Buffer.from(recording);
        huge.writeUInt32LE(0xfffffff0, 4); // the size of the first block
        const endless = Buffer.concat([recording, Buffer.alloc(1 << 20, 0x0a)]);
        for (const [i, each] of [huge, endless, ...Array.from({ length: 12 }, (_, seed) => damaged(recording, seed))].entries()) {
            const name = `hostile${i}.pcapng`;
            await drop(page, name, each);
            await page.waitForFunction((called) => document.getElementById('capture-status').textContent.startsWith(`${called}:`), name);
            assert.equal(await page.evaluate(() => 1 + 1), 2);
        }
        await drop(page, 'demo.pcapng', recording);
        await waitForStatus(page, /^demo\.pcapng: 3 datagrams, with the schema that is in it/);
    });

    await test('the page records the schema that it shows', async () => {
        await typeSchema(page, SCHEMA);
        await waitForStatus(page, /^no errors/);
        await page.click('#capture-example');
        await waitForStatus(page, /^other\.pcapng: 4 datagrams, with the schema that is in it/);
        const [download] = await Promise.all([page.waitForEvent('download'), page.click('#capture-save')]);
        const saved = join(scratch, 'recorded/saved.pcapng');
        await download.saveAs(saved);
        assert.equal(native(['decode', saved]).trim().split('\n').length, 4);
    });

    await test('nothing went wrong in the page', () => assert.deepEqual(page.wrong, []));
    await page.close();
}
