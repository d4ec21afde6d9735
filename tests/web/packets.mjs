// packets.mjs - a packet as form, JSON, bytes and bits, and deltas: against `pktc encode` and `decode`.
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inScratch, linkToSchema, native, openPage, scratch, test, waitForStatus } from './browser.mjs';

const SCHEMA = `protocol demo = 1;

enum Team { none, red, blue }
flags Keys { fire, jump }
struct Coins { u8 coins; }
struct Label { string<7> name; }
union Item { Coins coins; Label label; }

packet Ship @delta {
    Team team;
    Keys keys;
    bool moving;
    if (moving) {
        float<-100, 100, 0.01> speed;
    }
    u8<0, 200> shields[<=4];
    optional u16 target;
    i64 serial;
    Item item;
    string<20> name;
}

struct Plain { u8 a; }
`;

const hexShown = async (page) => (await page.inputValue('#packet-hex')).replaceAll(' ', '');
const valueShown = async (page) => JSON.parse(await page.inputValue('#packet-json'));
const encoded = (path, value, ...more) => native(['encode', '--hex', ...more, path, 'Ship'], { input: JSON.stringify(value) }).trim();
const untilHex = (page, hex) => page.waitForFunction((wanted) => document.getElementById('packet-hex').value.replaceAll(' ', '') === wanted, hex);
/** Waits until the value on the page fits. The page lets no text become a script, so it is looked at here. */
async function untilValue(page, fits) {
    for (const end = Date.now() + 30000; ;) {
        try {
            if (fits(await valueShown(page))) return;
        } catch {
            // not yet whole
        }
        assert.ok(Date.now() < end, `no value such that ${fits}`);
        await page.waitForTimeout(30);
    }
}
const lit = (page, panel) => page.$$eval(`#${panel} tr.lit th`, (all) => all.map((each) => each.firstChild.nextSibling.textContent));

export async function testPackets(browser) {
    const path = inScratch('demo/mygame.pkt', SCHEMA);
    const page = await openPage(browser, linkToSchema(SCHEMA));
    await page.click('#tab-packet');
    await waitForStatus(page, /^Ship: \d+ bytes/);

    await test('the values to begin with have the bytes that pktc encode gives them', async () => {
        await untilValue(page, (value) => value.shields.length === 2);
        assert.equal(await hexShown(page), encoded(path, await valueShown(page)));
    });

    await test('the list has every type, packets first', async () => {
        assert.deepEqual(await page.$$eval('#packet-type option', (all) => all.map((each) => each.textContent)), ['Ship', 'Coins (struct)', 'Label (struct)', 'Plain (struct)', 'Item (union)']);
    });

    await test('the bits are those of pktc decode --bits', async () => {
        await page.waitForSelector('#packet-bits tbody tr');
        const listed = native(['decode', '--hex', '--bits', path, 'Ship'], { input: await hexShown(page) }).trim().split('\n').slice(1);
        const rows = await page.$$eval('#packet-bits tbody tr', (all) => all.map((each) => [...each.children].slice(0, 2).map((cell) => Number(cell.textContent))));
        assert.deepEqual(rows, listed.map((line) => line.trim().split(/\s+/).slice(0, 2).map(Number)));
    });

    await test('a cell has its bits in the order of the wire', async () => {
        // serial 41 in the first cell of 64 bits, the least bit first.
        const cell = await page.$eval('#packet-bits .cell[title^="Ship.serial ="]', (each) => [each.title, each.querySelector('b').textContent]);
        const value = BigInt(cell[0].split(' = ')[1]);
        assert.equal(cell[1], BigInt.asUintN(64, value).toString(2).padStart(64, '0').split('').reverse().join(''));
    });

    await test('an edit of the JSON changes the bytes', async () => {
        await page.check('#packet-as-json');
        const value = { team: 'blue', shields: [1, 2, 3], item: { coins: { coins: 4 } }, name: 'x' };
        await page.fill('#packet-json', JSON.stringify(value));
        await untilHex(page, encoded(path, value));
    });

    await test('an edit of the bytes changes the JSON', async () => {
        const value = { team: 'red', keys: ['jump'], moving: true, speed: 12.34, item: { label: { name: 'ab' } } };
        await page.fill('#packet-hex', encoded(path, value));
        await untilValue(page, (value) => value.team === "red");
        const shown = await valueShown(page);
        assert.deepEqual(shown.keys, ['jump']);
        assert.ok(Math.abs(shown.speed - 12.34) < 0.006);
    });

    await test('damaged bytes are refused, and the page says why', async () => {
        const hex = await hexShown(page);
        await page.fill('#packet-hex', hex.replace(/^../, hex.startsWith('00') ? 'ff' : '00'));
        await page.waitForSelector('#packet-problem:not([hidden])');
        assert.match(await page.textContent('#packet-problem'), /refused: Ship\.crc: /);
        assert.equal(await page.textContent('#packet-size'), 'refused');
        await page.fill('#packet-hex', '12345');
        await page.waitForFunction(() => !/Ship\.crc/.test(document.getElementById('packet-problem').textContent));
        await page.fill('#packet-hex', hex);
        await page.waitForSelector('#packet-problem', { state: 'hidden' });
    });

    await test('a value out of range is refused, and the page says where', async () => {
        await page.fill('#packet-json', JSON.stringify({ shields: [201], item: { coins: { coins: 1 } } }));
        await page.waitForFunction(() => /Ship\.shields\[0\]: the value must be from 0 to 200/.test(document.getElementById('packet-problem').textContent));
    });

    await test('fields that have changed are lit, and no others', async () => {
        const value = { team: 'red', moving: true, speed: 1, item: { coins: { coins: 1 } } };
        await page.fill('#packet-json', JSON.stringify(value));
        await untilHex(page, encoded(path, value));
        // The listing comes after the digits, and only this value has coins: the one before was red, too.
        await page.waitForSelector('#packet-bits .cell[title="Ship.item.coins.coins = 1"]');
        await page.fill('#packet-json', JSON.stringify({ ...value, team: 'blue' }));
        await page.waitForSelector('#packet-bits .cell[title="Ship.team = \\"blue\\""]');
        assert.deepEqual((await lit(page, 'packet-bits')).sort(), ['crc', 'team']);
    });

    await page.check('#packet-as-form');
    await page.click('#packet-sample');
    await untilValue(page, (value) => value.shields.length === 2 && value.moving === true);

    await test('the form: a switch brings and takes the fields that depend on it', async () => {
        await page.uncheck('#packet-form [aria-label=moving]');
        await page.waitForSelector('#packet-form [aria-label=speed]', { state: 'detached' });
        await page.check('#packet-form [aria-label=moving]');
        await page.waitForSelector('#packet-form [aria-label=speed]');
    });

    await test('the form: what is typed goes into the bytes, and the control keeps the focus', async () => {
        await page.fill('#packet-form [aria-label=speed]', '-12.5');
        await untilValue(page, (value) => Math.abs(value.speed + 12.5) < 0.006);
        assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'speed');
        assert.equal(await page.inputValue('#packet-form [aria-label=speed]'), '-12.5');
        assert.equal(await hexShown(page), encoded(path, await valueShown(page)));
    });

    await test('the form: enums, flags and unions', async () => {
        await page.selectOption('#packet-form [aria-label=team]', 'none');
        await untilValue(page, (value) => value.team === "none");
        await page.check('#packet-form [aria-label="keys jump"]');
        await untilValue(page, (value) => value.keys.includes("jump"));
        await page.selectOption('#packet-form [aria-label="member of item"]', 'label');
        await untilValue(page, (value) => "label" in value.item);
    });

    await test('the form: elements come and go within the bounds', async () => {
        for (let i = 3; i <= 4; i++) {
            await page.click('#packet-form [aria-label="add an element to shields"]');
            await untilValue(page, (value) => value.shields.length === i);
        }
        await page.waitForSelector('#packet-form [aria-label="add an element to shields"]:disabled');
        await page.click('#packet-form [aria-label="remove the last element of shields"]');
        await untilValue(page, (value) => value.shields.length === 3);
    });

    await test('the form: an optional field comes and goes', async () => {
        const has = (await valueShown(page)).target !== null;
        if (has) await page.click('#packet-form [aria-label="remove target"]');
        await untilValue(page, (value) => value.target === null);
        await page.click('#packet-form [data-path=target]');
        await untilValue(page, (value) => typeof value.target === "number");
    });

    await test('the form: whole numbers of 64 bits are exact', async () => {
        await page.fill('#packet-form [aria-label=serial]', '-9007199254740995');
        await page.waitForSelector('#packet-bits .cell[title="Ship.serial = -9007199254740995"]');
    });

    await test('all base values', async () => {
        await page.click('#packet-zero');
        await untilHex(page, encoded(path, {}));
        await page.check('#packet-as-form');
    });

    // ---- deltas

    const base = { team: 'red', moving: true, speed: 1, shields: [1, 2], item: { coins: { coins: 1 } }, name: 'a' };
    const deltaPage = await openPage(browser, linkToSchema(SCHEMA, {
        tab: 'delta', delta: { type: 'Ship', base: JSON.stringify(base), now: JSON.stringify(base) },
    }));
    await waitForStatus(deltaPage, /^delta of Ship/);
    const baseFile = inScratch('demo/base.json', JSON.stringify(base));

    await test('a delta to the same value has the size that pktc says', async () => {
        const hex = encoded(path, base, '--base', baseFile), whole = encoded(path, base);
        assert.equal(await deltaPage.textContent('#delta-size'), `${hex.length / 2} bytes instead of ${whole.length / 2}`);
    });

    await test('a delta has the bits of what has changed, lit', async () => {
        const now = { ...base, speed: 2 };
        await deltaPage.fill('#delta-now', JSON.stringify(now));
        await deltaPage.waitForSelector('#delta-bits tr.lit');
        const hex = encoded(path, now, '--base', baseFile);
        const listed = native(['decode', '--hex', '--bits', '--base', baseFile, path, 'Ship'], { input: hex }).trim().split('\n').slice(1);
        await deltaPage.waitForFunction((n) => document.querySelectorAll('#delta-bits tbody tr').length === n, listed.length);
        assert.deepEqual(await lit(deltaPage, 'delta-bits'), ['speed']);
    });

    await test('a baseline that is no JSON is refused', async () => {
        await deltaPage.fill('#delta-base', '{');
        await deltaPage.waitForSelector('#delta-problem:not([hidden])');
        assert.equal(await deltaPage.textContent('#delta-size'), 'refused');
    });

    await test('the baseline becomes the value now, and both change places', async () => {
        await deltaPage.click('#delta-same');
        await deltaPage.waitForSelector('#delta-problem', { state: 'hidden' });
        assert.equal(await deltaPage.inputValue('#delta-base'), await deltaPage.inputValue('#delta-now'));
        await deltaPage.fill('#delta-base', 'null');
        await deltaPage.click('#delta-swap');
        assert.equal(await deltaPage.inputValue('#delta-now'), 'null');
    });

    await test('a schema without deltas says so', async () => {
        const plain = await openPage(browser, linkToSchema('protocol p = 1;\npacket A { u8 a; }\n', { tab: 'delta' }));
        await plain.waitForSelector('#delta-none:not([hidden])');
        await plain.close();
    });

    await test('another schema with types of the same names begins with its own values', async () => {
        const one = (field, tab) => linkToSchema(`protocol p = 1;\npacket A @delta { ${field}; }\n`, { tab });
        const other = await openPage(browser, one('u16 number', 'packet'));
        await other.waitForSelector('#packet-bits .cell');
        await other.fill('#packet-form [aria-label=number]', '77');
        await waitForStatus(other, /^A: /);
        await other.click('#tab-delta');
        await waitForStatus(other, /^delta of A/);
        await other.fill('#delta-now', '{"number": 78}');
        await other.goto(one('string<9> text', 'packet'));
        await other.waitForSelector('#packet-form [aria-label=text]');
        assert.equal(await other.$('#packet-form [aria-label=number]'), null);
        assert.ok(!await other.isVisible('#packet-problem'));
        await other.click('#tab-delta');
        await other.waitForFunction(() => /text/.test(document.getElementById('delta-now').value));
        assert.ok(!await other.isVisible('#delta-problem'));
        await other.close();
    });

    // ---- the C

    await test('the C is what pktc writes', async () => {
        native(['--no-runtime', '-o', join(scratch, 'demo/generated'), path]);
        const written = readFileSync(join(scratch, 'demo/generated/mygame.h'), 'utf8').split('\n');
        await page.click('#tab-code');
        await page.waitForFunction(() => document.getElementById('code-file').options.length === 3);
        assert.deepEqual(await page.$$eval('#code-file option', (all) => all.map((each) => each.value)), ['mygame.h', 'mygame.c', 'mygame_codec.h']);
        await page.waitForSelector('#code-view .cm-line');
        const shown = await page.$$eval('#code-view .cm-line', (all) => all.map((each) => each.textContent));
        assert.deepEqual(shown, written.slice(0, shown.length));
        assert.ok(shown.length > 20);
    });

    await test('nothing went wrong in the page', () => assert.deepEqual([...page.wrong, ...deltaPage.wrong], []));
    await page.close();
    await deltaPage.close();
}
