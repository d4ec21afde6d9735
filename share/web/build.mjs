// build.mjs - makes the page: one file that has the program, the scripts, the style and the examples in it.
// SPDX-License-Identifier: MIT
//
// usage: node build.mjs WASM NODE_MODULES PAGE.html       from the top directory
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { examples, imported } from './examples.mjs';

const [wasm, modules, target] = process.argv.slice(2);
const here = 'share/web';
const esbuild = createRequire(import.meta.url)(resolve(modules, 'esbuild'));

/** A script with all that it imports. */
async function bundle(entry) {
    const { outputFiles } = await esbuild.build({
        entryPoints: [join(here, 'src', entry)],
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        target: 'es2022',
        charset: 'utf8',
        legalComments: 'none',
        nodePaths: [resolve(modules)],
        plugins: [{
            name: 'examples',
            setup(build) {
                build.onResolve({ filter: /^examples$/ }, () => ({ path: 'examples', namespace: 'made' }));
                build.onLoad({ filter: /.*/, namespace: 'made' }, () => ({ contents: JSON.stringify({ examples: examples(), imported: imported() }), loader: 'json' }));
            },
        }],
    });
    // In HTML the end of a script may only be its end.
    return outputFiles[0].text.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

const main = await bundle('main.js');
const hash = createHash('sha256').update(main).digest('base64');
const parts = {
    policy: `default-src 'none'; script-src 'sha256-${hash}' blob: 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; `
        + "img-src data:; base-uri 'none'; form-action 'none'",
    style: readFileSync(join(here, 'style.css'), 'utf8').replace(/\/\*.*?\*\/\n?/gs, '').replace(/\n\s*/g, '\n'),
    worker: await bundle('worker.js'),
    program: gzipSync(readFileSync(wasm), { level: 9 }).toString('base64'),
    main,
};
const page = readFileSync(join(here, 'page.html'), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
writeFileSync(target, page);
