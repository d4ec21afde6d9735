// looks.mjs - light and dark, narrow and wide, by keyboard, and for screen readers.
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { html, linkToSchema, need, openPage, test, waitForStatus } from './browser.mjs';

const TABS = ['layout', 'packet', 'delta', 'code', 'capture'];
const DELTAS = 'protocol demo = 1;\n\npacket Hello @delta {\n    u16 number;\n    optional u8 after;\n    bool shield[3];\n}\n';
const MISTAKE = DELTAS.replace('u16', 'uint16');

/** How light a color is, from 0 to 1. */
const lightness = (page, selector) => page.$eval(selector, (each) => {
    const [r, g, b] = getComputedStyle(each).backgroundColor.match(/\d+/g).map(Number);
    return (r + g + b) / 765;
});

const focused = (page) => page.evaluate(() => {
    const { id, className, textContent } = document.activeElement;
    return id || className || textContent;
});

/** Presses Tab until an element has the focus. */
async function tabTo(page, selector, most = 60) {
    for (let i = 0; i < most; i++) {
        if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
        await page.keyboard.press('Tab');
    }
    assert.fail(`Tab does not reach ${selector}; it is at ${await focused(page)}`);
}

export async function testLooks(browser) {
    const page = await openPage(browser, linkToSchema(DELTAS));

    await test('light and dark follow the system', async () => {
        await page.emulateMedia({ colorScheme: 'light' });
        assert.ok(await lightness(page, 'body') > 0.9);
        assert.ok(await lightness(page, '#editor .cm-editor') > 0.9);
        await page.emulateMedia({ colorScheme: 'dark' });
        assert.ok(await lightness(page, 'body') < 0.2);
        assert.ok(await lightness(page, '#editor .cm-editor') < 0.2);
        assert.ok(await lightness(page, '.strip .k6') < 0.5);
    });

    await test('the colors of bits are those of pktc layout --html', () => {
        const colorsIn = (file) => readFileSync(file, 'utf8').match(/--k\d: #\w+/g);
        assert.equal(colorsIn('share/web/style.css').length, 16);
        assert.deepEqual(colorsIn('share/web/style.css'), colorsIn('compiler/workshops/pages/page.c'));
    });

    const axe = need('axe-core').source;
    for (const colorScheme of ['light', 'dark']) {
        await test(`axe finds nothing to complain about, ${colorScheme}`, async () => {
            await page.emulateMedia({ colorScheme });
            for (const tab of TABS) {
                await page.click(`#tab-${tab}`);
                if (tab === 'packet') await page.waitForSelector('#packet-bits tbody tr');
                if (tab === 'delta') await page.waitForSelector('#delta-bits tbody tr');
                if (tab === 'code') await page.waitForSelector('#code-view .cm-line');
                if (tab === 'capture') {
                    await page.click('#capture-example');
                    await page.waitForSelector('#capture-result:not([hidden])');
                }
                await page.evaluate(axe);
                const found = await page.evaluate(async () => (await window.axe.run(document, { iframes: false })).violations
                    .map((each) => `${each.id}: ${each.nodes.map((node) => `${node.target} ${node.failureSummary.split('\n')[1]}`).slice(0, 3).join('; ')}`));
                assert.deepEqual(found, [], `on ${tab}`);
            }
        });
    }
    await page.close();

    await test('narrow: one column, and nothing wider than the page', async () => {
        const narrow = await openPage(browser, String(pathToFileURL(html)));
        await narrow.setViewportSize({ width: 390, height: 800 });
        for (const tab of TABS) {
            await narrow.click(`#tab-${tab}`);
            await narrow.waitForTimeout(150);
            const wide = await narrow.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= 390, `${tab}: ${wide} wide`);
        }
        const [left, right] = await narrow.$$eval('#left, #right', (all) => all.map((each) => each.getBoundingClientRect()).map(({ x, width, y, height }) => ({ x, width, y, end: y + height })));
        assert.equal(left.x, right.x);
        assert.ok(right.y >= left.end);
        await narrow.close();
    });

    await test('by keyboard alone: a fix, a tab, a value', async () => {
        const keys = await openPage(browser, linkToSchema(MISTAKE));
        await waitForStatus(keys, /^1 error/);
        await tabTo(keys, '#examples');
        await tabTo(keys, '#editor .cm-content');
        await tabTo(keys, '#problems .fix');
        await keys.keyboard.press('Enter');
        await waitForStatus(keys, /^no errors/);
        assert.match(await focused(keys), /cm-content/);
        await tabTo(keys, '#tab-layout');
        await keys.keyboard.press('ArrowRight');
        assert.equal(await focused(keys), 'tab-packet');
        await waitForStatus(keys, /^Hello: /);
        await tabTo(keys, '#packet-form input[aria-label=number]');
        await keys.keyboard.press('Control+a');
        await keys.keyboard.type('1234');
        await keys.waitForSelector('#packet-bits .cell[title="Hello.number = 1234"]');
        await keys.close();
    });

    await test('tabs have the roles and the keys of tabs', async () => {
        const tabs = await openPage(browser, linkToSchema(DELTAS));
        await tabs.focus('#tab-layout');
        for (const [key, wanted] of [['ArrowLeft', 'capture'], ['ArrowRight', 'layout'], ['End', 'capture'], ['Home', 'layout']]) {
            await tabs.keyboard.press(key);
            assert.equal(await focused(tabs), `tab-${wanted}`);
            assert.deepEqual(await tabs.$$eval('[role=tab][aria-selected=true]', (all) => all.map((each) => each.id)), [`tab-${wanted}`]);
            assert.deepEqual(await tabs.$$eval('[role=tabpanel]:not([hidden])', (all) => all.map((each) => each.id)), [`panel-${wanted}`]);
        }
        await tabs.close();
    });
}
