// worker.js - runs pktc apart from the page, so that the page never waits for it.
// SPDX-License-Identifier: MIT
import { run } from './wasi.js';

let module, shared = {};

async function compiled(packed) {
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}

async function take({ id, packed, module: given, files, args, input }) {
    if (packed || given) {
        module = given ?? await compiled(packed);
        shared = files;
        return { id, module };
    }
    return { id, ...run(module, ['pktc', ...args], { ...shared, ...files }, input) };
}

// One after the other: a call that comes while the program is compiled waits.
let last = Promise.resolve();
onmessage = ({ data }) => {
    last = last.then(() => take(data)).then(postMessage, (problem) => {
        postMessage({ id: data.id, status: 'trap', out: new Uint8Array(0), err: new TextEncoder().encode(String(problem)), files: {} });
    });
};
