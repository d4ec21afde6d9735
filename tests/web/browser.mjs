// browser.mjs - a browser with the page, what tests ask of it, and the totals.
// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';

export const [build, scratch] = process.argv.slice(2);
export const html = resolve(build, 'index.html');
export const need = createRequire(resolve(build, 'npm/x.js'));
const PKTC = resolve(process.env.PKTC);
const PATIENCE = 20000; // a machine may have other things to do

/** The output of the pktc of this machine, which the page has to agree with. */
export const native = (args, options = {}) => execFileSync(PKTC, args, { encoding: 'utf8', maxBuffer: 1 << 26, ...options });

export function inScratch(name, contents) {
    const path = join(scratch, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, contents);
    return path;
}

export async function startBrowser(options = {}) {
    const { chromium } = need('playwright-core');
    const profile = mkdtempSync(join(scratch, 'profile-'));
    return chromium.launchPersistentContext(profile, {
        executablePath: '/usr/bin/chromium',
        viewport: { width: 1300, height: 850 },
        ...options,
        args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync'],
    });
}

export function startServer() {
    const page = readFileSync(html);
    const got = [];
    return new Promise((started) => {
        const server = createServer((request, response) => {
            got.push(request.url);
            response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' });
            response.end(request.url === '/' ? page : '');
        }).listen(0, '127.0.0.1', () => started({ got, address: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() }));
    });
}

/** A link as the page makes them. */
export const linkTo = (state) => `${pathToFileURL(html)}#${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;

export const linkToSchema = (schema, more = {}) => linkTo({ file: 'mygame.pkt', schema, tab: 'layout', ...more });

/** The page at an address, when it has checked its schema. What goes wrong in it is in `wrong`, what it asks for in `asked`. */
export async function openPage(context, address, { until = 'settled' } = {}) {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    page.wrong = [];
    page.asked = [];
    page.on('pageerror', (problem) => page.wrong.push(String(problem)));
    page.on('console', (message) => message.type() === 'error' && page.wrong.push(message.text()));
    page.on('request', (request) => page.asked.push(request.url()));
    await page.goto(address);
    if (until) await settled(page);
    return page;
}

/** Waits until the page has nothing more to say about its schema. */
export const settled = (page) => page.waitForFunction(() => !document.body.classList.contains('loading'));

export const status = (page) => page.textContent('#status');

export const waitForStatus = (page, pattern) => page.waitForFunction(
    (source) => new RegExp(source).test(document.getElementById('status').textContent), pattern.source);

export async function typeSchema(page, text) {
    const before = await page.evaluate(() => document.body.dataset.checked);
    await page.click('#editor .cm-content');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
    return before;
}

/** Waits until the editor shows this text. Sizes beside it do not count. */
export const untilText = (page, text) => page.waitForFunction((wanted) => wanted === [...document.querySelectorAll('#editor .cm-line')].map((each) => {
    const line = each.cloneNode(true);
    line.querySelectorAll('.hint').forEach((hint) => hint.remove());
    return line.textContent;
}).join('\n'), text);

/** The schema in the editor, which shows only the lines in sight: as a link has it. */
export const schemaOf = (page) => page.evaluate(async () => {
    const packed = Uint8Array.from(atob(location.hash.slice(1).replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return JSON.parse(await new Response(stream).text());
});

// ---- tests and their totals

const totals = { passed: 0, failed: 0 };

export async function test(name, run) {
    try {
        await run();
        totals.passed++;
    } catch (problem) {
        totals.failed++;
        console.log(`failed: ${name}\n${problem.stack ?? problem}`);
    }
}

export function finish() {
    console.log(`[  PASSED  ] ${totals.passed} test(s).`);
    if (totals.failed > 0) console.log(`[  FAILED  ] ${totals.failed} test(s)`);
    process.exitCode = totals.failed > 0 ? 1 : 0;
}
