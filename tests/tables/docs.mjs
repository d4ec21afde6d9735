// docs.mjs - asks DuckDB the questions of docs/tables.md, and compares the answers with those behind them.
// SPDX-License-Identifier: MIT
//
// usage: node docs.mjs NPM PAGE [--refresh]     in a folder with `tables`; --refresh rewrites the answers
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [npm, page, refresh] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(path.resolve(npm, 'package.json'))('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
await connection.run("set timezone = 'UTC'");

async function answer(question) {
    const result = await connection.runAndReadAll(question);
    return [result.columnNames(), ...result.getRows()].map((row) => row.join(' | ')).join('\n');
}

const blocks = /```sql\n([^]*?)\n```\n(?:\n```\n([^]*?)\n```\n)?/g;
const text = fs.readFileSync(page, 'utf8');
let [asked, wrong, made, at] = [0, 0, '', 0];
for (const found of text.matchAll(blocks)) {
    if (found[1].startsWith('create')) {
        await connection.run(found[1]);
        continue;
    }
    const now = await answer(found[1]);
    asked++;
    if (now !== found[2]) {
        wrong++;
        if (!refresh) console.log(`${found[1]}\n  answers\n${now}\n  instead of\n${found[2]}`);
    }
    made += `${text.slice(at, found.index)}\`\`\`sql\n${found[1]}\n\`\`\`\n\n\`\`\`\n${now}\n\`\`\`\n`;
    at = found.index + found[0].length;
}
if (refresh) fs.writeFileSync(page, made + text.slice(at));
if (asked < 10) console.log(`only ${asked} questions`);
console.log(wrong === 0 || refresh ? `[  PASSED  ] ${asked} test(s).` : `[  FAILED  ] ${wrong} test(s)`);
process.exit((wrong === 0 || refresh) && asked >= 10 ? 0 : 1);
