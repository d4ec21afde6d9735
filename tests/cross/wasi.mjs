// wasi.mjs - runs a program for WASI: node wasi.mjs PROGRAM. Its exit status is the program's.
// SPDX-License-Identifier: MIT
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1', returnOnExit: true });
const program = await WebAssembly.compile(await readFile(process.argv[2]));
const instance = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport });
process.exit(wasi.start(instance));
