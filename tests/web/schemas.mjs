// schemas.mjs - each schema of the cookbook and of schemas/: the sizes on the page are those of `pktc describe`.
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { examples, imported } from '../../share/web/examples.mjs';
import { inScratch, native, openPage, settled, status, test, waitForStatus } from './browser.mjs';
import { pathToFileURL } from 'node:url';
import { html } from './browser.mjs';

const sizeIn = ({ least, most }) => (least === most ? `${least}` : `${least} to ${most}`);

/** What the page has to show of each packet: its size in bytes. */
function expectedSizes(description) {
    return description.declarations.filter((each) => each.kind === 'packet').map(({ name, bits }) => {
        const size = sizeIn({ least: Math.ceil(bits.least / 8), most: Math.ceil(bits.most / 8) });
        return `${name}: ${size} byte${size === '1' ? '' : 's'}`;
    });
}

const sizesShown = (page) => page.$$eval('.card', (cards) => cards.filter((each) => each.querySelector('h3 small').textContent === 'packet')
    .map((each) => `${each.querySelector('h3 button').textContent}: ${each.querySelector('.size').firstChild.textContent}`));

export async function testSchemas(browser) {
    const page = await openPage(browser, String(pathToFileURL(html)));
    for (const [name, text] of Object.entries(imported())) inScratch(`schemas/${name}`, text);

    // The blocks are counted here once more: examples.mjs must not lose one.
    await test('the menu has every schema of the cookbook', async () => {
        const blocks = readFileSync('docs/cookbook.md', 'utf8').split(/^```/m).filter((each, i) => i % 2 === 1 && /^pkt( .*)?\n/.test(each));
        const schemas = blocks.filter((each) => /^(packet|struct) /m.test(each)).length;
        const listed = await page.$$eval('#examples optgroup[label=Cookbook] option', (options) => options.length);
        assert.equal(listed, schemas);
        assert.ok(schemas >= 10, `${schemas} schemas`);
    });

    for (const [i, { group, title, file, text }] of examples().entries()) {
        const path = inScratch(`schemas/${file}`, text);
        await test(`${group}: ${title}`, async () => {
            const description = JSON.parse(native(['describe', path]));
            await page.selectOption('#examples', String(i));
            await settled(page);
            await waitForStatus(page, /^no errors/);
            assert.deepEqual(await sizesShown(page), expectedSizes(description));
            assert.equal(await page.textContent('#layout-id'), description.id ?? '');
            assert.match(await status(page), new RegExp(`, ${description.declarations.filter((each) => !each.kind.startsWith('packet')).length} other`));
            assert.deepEqual(page.wrong, []);
        });
        await test(`${group}: ${title}: the packet to begin with`, async () => {
            await page.click('#tab-packet');
            await waitForStatus(page, /: \d+ bytes?$|^refused/);
            await page.waitForSelector('#packet-bits .cell');
            assert.match(await status(page), /: \d+ bytes?$/);
            const [type, hex] = [await page.inputValue('#packet-type'), await page.inputValue('#packet-hex')];
            assert.equal(native(['encode', '--hex', path, type], { input: await page.inputValue('#packet-json') }).trim(), hex.replaceAll(' ', ''));
            await page.click('#tab-layout');
        });
    }
    await page.close();
}
