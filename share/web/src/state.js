// state.js - what the page shows, as the fragment of its address: JSON, compressed, in base64url.
// SPDX-License-Identifier: MIT

async function through(stream, bytes) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

const LARGEST = 4 << 20; // what a link may unpack to: a short one must not fill the memory

export async function packState(state) {
    const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(state)));
    let binary = '';
    for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Null if the fragment is not one of packState. */
export async function unpackState(fragment) {
    try {
        const binary = atob(fragment.replace(/^#/, '').replaceAll('-', '+').replaceAll('_', '/'));
        const packed = Uint8Array.from(binary, (c) => c.charCodeAt(0));
        const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
        const parts = [];
        let size = 0;
        for (let part; !(part = await reader.read()).done;) {
            parts.push(part.value);
            size += part.value.length;
            if (size > LARGEST) return null;
        }
        const state = JSON.parse(await new Blob(parts).text());
        return typeof state === 'object' && typeof state?.schema === 'string' ? state : null;
    } catch {
        return null;
    }
}
