// compare.mjs - compares tables with what `pktc decode` prints, value for value, through readers that are not pktc's own.
// SPDX-License-Identifier: MIT
//
// usage: node compare.mjs NPM READERS CASE...
// NPM has node_modules. READERS: hyparquet,duckdb,arrow, or some. A CASE is a folder with `schema.json` of describe, a `projection`, `lines` of decode,
// `tables`, the recording's `path` and the `name` of its files; perhaps `streams`, a list of --stream in each line, and `changes`.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Tables, parse, realText } from './expected.mjs';

const [npm, readers, ...cases] = process.argv.slice(2);
const require = createRequire(path.resolve(npm, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)));

// ---- readers: each gives the names of the columns, and rows of values as JavaScript has them

async function hyparquet() {
    const { parquetReadObjects, parquetMetadata } = await load('hyparquet');
    const { compressors } = await load('hyparquet-compressors');
    const parsers = { timestampFromMicroseconds: (micros) => micros };
    return async (file) => {
        const bytes = fs.readFileSync(file);
        const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
        const names = parquetMetadata(buffer).schema.slice(1).map((s) => s.name);
        const rows = await parquetReadObjects({ file: buffer, compressors, utf8: false, parsers });
        return { names, rows: rows.map((row) => names.map((name) => row[name])) };
    };
}

async function duckdb() {
    const { DuckDBInstance } = await load('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    return async (file) => {
        const result = await connection.runAndReadAll(`select * from '${file.replaceAll("'", "''")}'`);
        const plain = (v) => v?.micros ?? v?.bytes ?? v;
        return { names: result.columnNames(), rows: result.getRows().map((row) => row.map(plain)) };
    };
}

async function arrow() {
    const wasm = require('parquet-wasm');
    const { tableFromIPC } = require('apache-arrow');
    return async (file) => {
        const table = tableFromIPC(wasm.readParquet(new Uint8Array(fs.readFileSync(file))).intoIPCStream());
        const names = table.schema.fields.map((f) => f.name);
        const columns = names.map((_, i) => table.getChildAt(i));
        const isTime = table.schema.fields.map((f) => String(f.type).startsWith('Timestamp'));
        const read = (i, row) => {
            if (!isTime[i]) return columns[i].get(row);
            let at = row; // Arrow's own getter has only milliseconds
            const chunk = columns[i].data.find((each) => at < each.length || ((at -= each.length), false));
            return chunk.values[chunk.offset * 0 + at];
        };
        return { names, rows: Array.from({ length: table.numRows }, (_, row) => names.map((_, i) => read(i, row))) };
    };
}

// ---- comparing

function textOf(v, kind) {
    if (v === null || v === undefined) return 'null';
    if (kind === 'float' || kind === 'double') return realText(v, kind === 'float' ? 4 : 8);
    if (kind === 'bytes') return Buffer.from(v).toString('hex');
    return String(v);
}

function expectedText(v) {
    return v === null || v === undefined ? 'null' : String(v);
}

let values = 0;
let failures = 0;
function fail(text) {
    if (failures++ < 10) console.log(text);
}

function compareTable(where, table, found) {
    const names = table.columns.map((c) => c.name);
    if (String(found.names) !== String(names)) return fail(`${where}: columns ${found.names} instead of ${names}`);
    if (found.rows.length !== table.rows.length)
        return fail(`${where}: ${found.rows.length} rows instead of ${table.rows.length}`);
    table.rows.forEach((wanted, i) => {
        table.columns.forEach(({ name, kind }, c) => {
            if (kind === 'unknown') return;
            const [got, want] = [textOf(found.rows[i][c], kind), expectedText(wanted[name])];
            if (got !== want) fail(`${where}: row ${i}, ${name}: ${got} instead of ${want}`);
            values++;
        });
    });
}

const read = [];
for (const name of readers.split(',')) read.push([name, await { hyparquet, duckdb, arrow }[name]()]);

let tables = 0;
for (const each of cases) {
    const text = (name) => fs.readFileSync(path.join(each, name), 'utf8');
    const lines = (name) => (fs.existsSync(path.join(each, name)) ? text(name).split('\n').filter(Boolean) : []);
    const expected = new Tables(parse(text('schema.json')), text('projection'), lines('streams'), fs.existsSync(path.join(each, 'changes')));
    const name = text('name').trim();
    for (const line of lines('lines')) expected.addLine(text('path').trim(), line);
    for (const table of expected.tables) {
        const folder = path.join(each, 'tables', table.name);
        const wanted = table.rows.length > 0 ? `${name}.parquet` : 'empty.parquet';
        if (!fs.existsSync(path.join(folder, wanted))) {
            fail(`${folder} has no ${wanted}`);
            continue;
        }
        tables++;
        const parts = [path.join(folder, wanted)];
        for (let n = 2; fs.existsSync(path.join(folder, `${name}-${n}.parquet`)); n++)
            parts.push(path.join(folder, `${name}-${n}.parquet`));
        for (const [by, reader] of read) {
            const found = { rows: [] };
            for (const part of parts) {
                const { names, rows } = await reader(part);
                found.names = names;
                for (const row of rows) found.rows.push(row);
            }
            compareTable(`${folder}, ${by}`, table, found);
        }
    }
}
console.log(`${cases.length} recordings, ${tables} tables, ${values} values with ${readers}`);
if (failures > 0) console.log(`[  FAILED  ] ${failures} test(s)`);
process.exit(failures > 0 ? 1 : 0);
