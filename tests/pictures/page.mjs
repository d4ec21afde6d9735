// page.mjs - the picture of the README of the page to try the language on: photographed in chromium, with at most 256 colors.
// SPDX-License-Identifier: MIT
//
// usage: PKTC=build/pktc node page.mjs BUILD/web SCRATCH light|dark PICTURE.png       from the top directory
import { readFileSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { linkToSchema, openPage, startBrowser } from '../web/browser.mjs';

const [colorScheme, target] = process.argv.slice(4);
const MOST_COLORS = 256;

// ---- PNG with a palette: a fourth of the size of what chromium writes

const crcTable = Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ n >>> 1 : n >>> 1;
    return n >>> 0;
});

function chunk(type, data) {
    const made = Buffer.alloc(12 + data.length);
    made.writeUInt32BE(data.length);
    made.write(type, 4, 'latin1');
    data.copy(made, 8);
    let crc = 0xffffffff;
    for (const byte of made.subarray(4, 8 + data.length)) crc = crcTable[(crc ^ byte) & 255] ^ crc >>> 8;
    made.writeUInt32BE((crc ^ 0xffffffff) >>> 0, 8 + data.length);
    return made;
}

/** The most frequent colors; every other one becomes the nearest of them. */
function paletteOf(pixels) {
    const counts = new Map();
    for (const each of pixels) counts.set(each, (counts.get(each) ?? 0) + 1);
    const sorted = [...counts].sort((x, y) => y[1] - x[1] || x[0] - y[0]).map(([color]) => color);
    const palette = sorted.slice(0, MOST_COLORS), places = new Map();
    const parts = (color) => [color & 255, color >> 8 & 255, color >> 16 & 255];
    const distance = (x, y) => parts(x).reduce((sum, each, i) => sum + (each - parts(y)[i]) ** 2, 0);
    for (const color of sorted) {
        let best = 0;
        for (let i = 1; i < palette.length && places.size >= palette.length; i++) if (distance(color, palette[i]) < distance(color, palette[best])) best = i;
        places.set(color, places.size < palette.length ? places.size : best);
    }
    return { palette: Buffer.from(palette.flatMap(parts)), places };
}

function pngOf(width, height, rgba) {
    const pixels = Array.from({ length: width * height }, (_, i) => rgba[4 * i] | rgba[4 * i + 1] << 8 | rgba[4 * i + 2] << 16);
    const { palette, places } = paletteOf(pixels);
    const rows = Buffer.alloc((width + 1) * height);
    for (const [i, color] of pixels.entries()) rows[Math.floor(i / width) * (width + 1) + 1 + i % width] = places.get(color);
    const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
    header.writeUInt32BE(width);
    header.writeUInt32BE(height, 4);
    return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('PLTE', palette),
        chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

// ---- the photograph

/** The schema that the README begins with, without its comments. */
const schema = readFileSync('README.md', 'utf8').match(/^```pkt\n([^]*?)\n```$/m)[1].replace(/ *\/\/.*/g, '').trim() + '\n';
const value = { slot: 7, team: 'blue', x: 12.5, y: -567.89, alive: true, health: 87 };

const browser = await startBrowser({ viewport: { width: 1060, height: 600 }, deviceScaleFactor: 1.5, colorScheme });
const page = await openPage(browser, linkToSchema(schema, { tab: 'packet', packet: { type: 'Player', json: JSON.stringify(value) } }));
await page.waitForSelector('#packet-bits .cell');
await page.fill('#packet-form [aria-label=health]', '88');
await page.waitForSelector('#packet-bits .cell.lit');
await page.addStyleTag({ content: '* { animation: none !important; caret-color: transparent !important; }' });
await page.waitForTimeout(500);
const photograph = await page.screenshot();
const blank = await browser.newPage();
const { width, height, base64 } = await blank.evaluate(async (png) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (each) => each.charCodeAt(0))]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext('2d');
    context.drawImage(bitmap, 0, 0);
    let binary = '';
    const bytes = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
    for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return { width: bitmap.width, height: bitmap.height, base64: btoa(binary) };
}, photograph.toString('base64'));
writeFileSync(target, pngOf(width, height, Buffer.from(base64, 'base64')));
await browser.close();
