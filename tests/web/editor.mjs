// editor.mjs - the schema as one writes it: problems and their fixes, sizes beside the text, hover, completion, format; and
// schemas that would hold the page up.
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { linkToSchema, openPage, settled, status, test, typeSchema, untilText, waitForStatus } from './browser.mjs';

const BALL = 'protocol ball = 1;\n\n/// What rolls.\npacket Ball {\n    bool moving;\n    float<-100, 100, 0.01> x;\n}\n';
const MISTAKE = BALL.replace('bool moving', 'boolean moving');

/** The longest time that the page did nothing, while `during` ran. */
async function longestPause(page, during) {
    await page.evaluate(() => {
        window.pause = 0;
        let last = performance.now();
        window.ticking = setInterval(() => {
            window.pause = Math.max(window.pause, performance.now() - last);
            last = performance.now();
        }, 10);
    });
    await during();
    return page.evaluate(() => {
        clearInterval(window.ticking);
        return window.pause;
    });
}

export async function testEditor(browser) {
    const page = await openPage(browser, linkToSchema(BALL));

    await test('sizes stand beside the fields and above the packet', async () => {
        assert.deepEqual(await page.$$eval('#editor .hint', (all) => all.map((each) => each.textContent)), ['10 bytes', '1 bit', '15 bits']);
        assert.deepEqual(await page.$$eval('#editor .lens', (all) => all.map((each) => each.textContent)), ['10 bytes, at most 0.8 % of 1200']);
    });

    await test('hover shows bits, error and the declaration in C', async () => {
        const at = await page.evaluate(() => {
            const line = [...document.querySelectorAll('.cm-line')].find((each) => each.textContent.includes('0.01> x'));
            const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
            for (let node; (node = walk.nextNode());) {
                const found = node.data.search(/\bx\b/);
                if (found < 0) continue;
                const range = document.createRange();
                range.setStart(node, found);
                range.setEnd(node, found + 1);
                const { x, y, width, height } = range.getBoundingClientRect();
                return { x: x + width / 2, y: y + height / 2 };
            }
            return null;
        });
        await page.mouse.move(at.x - 40, at.y);
        await page.mouse.move(at.x, at.y, { steps: 4 });
        await page.waitForSelector('.hover');
        const text = await page.textContent('.hover');
        assert.match(text, /15 bits/);
        assert.match(text, /from bit 33 of Ball on/);
        assert.match(text, /C: float x/);
        await page.mouse.move(5, 5);
    });

    await test('completion has the types of the language', async () => {
        await page.click('#editor .cm-line:nth-of-type(5)');
        await page.keyboard.press('End');
        await page.keyboard.type('\nqua');
        await page.keyboard.press('Control+Space');
        await page.waitForSelector('.cm-tooltip-autocomplete');
        assert.match(await page.textContent('.cm-tooltip-autocomplete'), /quat/);
        await page.waitForTimeout(120);
        await page.keyboard.press('Enter');
        await page.waitForFunction(() => /quat/.test(document.querySelector('.cm-content').textContent));
    });

    await test('format gives a schema the one style', async () => {
        await typeSchema(page, BALL.replaceAll('    ', ' ').replace('packet Ball {\n', 'packet Ball{'));
        await waitForStatus(page, /^no errors/);
        await page.click('#format');
        await untilText(page, BALL);
    });

    await test('an error has its line, is announced, and dims what is old', async () => {
        await typeSchema(page, MISTAKE);
        await waitForStatus(page, /^1 error/);
        assert.match(await status(page), /line 5/);
        assert.match(await page.textContent('#problems'), /line 5: .*boolean/);
        assert.equal(await page.$$eval('#editor .cm-lintRange-error', (all) => all.map((each) => each.textContent).join()), 'boolean');
        assert.ok(await page.$('body.stale'));
        assert.equal(await page.getAttribute('#status', 'aria-live'), 'polite');
    });

    await test('a quick fix of the list mends it', async () => {
        await page.click('#problems .fix');
        await waitForStatus(page, /^no errors: 1 packet/);
        await untilText(page, BALL);
        assert.equal(await page.textContent('#problems'), '');
    });

    await test('the same fix in the editor, by keyboard', async () => {
        await typeSchema(page, MISTAKE);
        await waitForStatus(page, /^1 error/);
        await page.keyboard.press('Control+Shift+M');
        await page.waitForSelector('.cm-panel-lint .cm-diagnosticAction');
        await page.click('.cm-panel-lint .cm-diagnosticAction');
        await waitForStatus(page, /^no errors/);
        await page.keyboard.press('Escape');
    });

    await test('a schema is text, also where it looks like markup', async () => {
        await typeSchema(page, BALL.replace('What rolls.', '<img src=x onerror="document.title=1"><b>bold</b>'));
        await page.waitForFunction(() => /<img src=x/.test(document.querySelector('.card .doc').textContent));
        assert.equal(await page.$('.card img, .card .doc b'), null);
    });

    await test('thousands of open braces do not hang the page', async () => {
        const pause = await longestPause(page, async () => {
            await typeSchema(page, `protocol deep = 1;\npacket A { ${'if (a) { '.repeat(20000)}`);
            await waitForStatus(page, /error/);
        });
        assert.ok(pause < 2000, `the page stood still for ${pause} ms`);
        await typeSchema(page, BALL);
        await waitForStatus(page, /^no errors: 1 packet/);
    });

    await test('a schema of 2 MB is refused, and the text stays', async () => {
        await page.evaluate(() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData('text/plain', '// long\n'.repeat(1 << 18));
            document.querySelector('#editor .cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
        });
        await waitForStatus(page, /at most 1 MB/);
        await untilText(page, BALL);
    });

    await test('a schema that takes too long is stopped, and the next one is checked', async () => {
        const many = Array.from({ length: 13000 }, (_, i) => `packet P${i} { u8 a; bool b; if (b) { float<0, 1, 0.01> c[9]; } }`);
        const slow = await openPage(browser, linkToSchema(`protocol many = 1;\n${many.join('\n')}`), { until: null });
        slow.setDefaultTimeout(60000);
        const pause = await longestPause(slow, () => slow.waitForFunction(() => /stopped after|^no errors|error/.test(document.getElementById('status').textContent)));
        assert.ok(pause < 10000, `the page stood still for ${pause} ms`);
        await slow.selectOption('#examples', { label: 'Deltas' });
        await waitForStatus(slow, /^no errors: 1 packet/);
        await slow.close();
    });

    await test('of thousands of packets, some are shown at a time', async () => {
        const many = Array.from({ length: 450 }, (_, i) => `packet P${i} { u8 a; }`);
        const large = await openPage(browser, linkToSchema(`protocol many = 1;\n${many.join('\n')}`));
        await waitForStatus(large, /^no errors: 450 packets/);
        const button = '#layout-cards > button';
        const shown = async () => [await large.$$eval('.card', (all) => all.length), await large.$eval(button, (each) => each.textContent)];
        assert.deepEqual(await shown(), [200, 'Show 200 of the other 250']);
        await large.click(button);
        assert.deepEqual(await shown(), [400, 'Show the other 50']);
        assert.equal(await large.evaluate(() => document.activeElement.textContent), 'P200');
        await large.click(button);
        assert.equal(await large.$$eval('.card', (all) => all.length), 450);
        assert.equal(await large.$(button), null);
        await large.close();
    });

    await test('what a key does is shown soon, in the largest schema too', async () => {
        await page.selectOption('#examples', { label: 'Every construct of the language' });
        await waitForStatus(page, /^no errors: \d\d/);
        // In a comment, so that the schema has no errors after any of the keys.
        await page.click('#editor .cm-line');
        await page.keyboard.press('End');
        const times = [];
        for (let i = 0; i < 70; i++) {
            const before = await page.evaluate(() => document.body.dataset.checked);
            await page.keyboard.press(i % 2 ? 'Backspace' : 'x');
            await page.waitForFunction((old) => document.body.dataset.checked !== old, before);
            times.push(Number((await page.textContent('#latency')).replace(' ms', '')));
        }
        times.splice(0, 10);
        times.sort((x, y) => x - y);
        console.log(`a key in all.pkt: median ${times[30]} ms, 95 % ${times[57]} ms, worst ${times.at(-1)} ms`);
        // Other tests run at the same time: the limit is one that no machine should need.
        assert.ok(times[30] < 1500, `${times}`);
    });

    await test('nothing went wrong in the page', () => assert.deepEqual(page.wrong, []));
    await page.close();
}
