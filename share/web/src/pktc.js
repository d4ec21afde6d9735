// pktc.js - calls pktc in a worker. A call that takes too long ends with its worker, and the next one gets a new worker.
// SPDX-License-Identifier: MIT

const utf8 = new TextEncoder(), text = new TextDecoder();
export const bytesOf = (string) => utf8.encode(string);
export const textOf = (bytes) => text.decode(bytes);

/** The program as the page has it: packed, and after the first worker compiled. */
const program = { url: null, packed: null, module: null, files: {} };

export function givePktc(source, packed, files) {
    program.url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    program.packed = packed;
    program.files = files;
}

export class Pktc {
    /** seconds: how long a call may take. */
    constructor(seconds) {
        this.seconds = seconds;
        this.waiting = [];
        this.running = null;
        this.ids = 0;
        this.stops = 0;
    }

    /**
     * Resolves to { status, out, err, files }, with the output as text. The status is 'stopped' after the time limit, and
     * null if a newer call of the same lane came before this one began.
     */
    call(lane, args, files = {}, input = new Uint8Array(0)) {
        return new Promise((resolve) => {
            const older = this.waiting.findIndex((each) => each.lane === lane);
            if (older >= 0) this.waiting.splice(older, 1)[0].resolve({ status: null, out: '', err: '', files: {} });
            this.waiting.push({ lane, args, files, input, resolve });
            this.next();
        });
    }

    start() {
        this.worker = new Worker(program.url);
        this.worker.onmessage = ({ data }) => this.take(data);
        this.worker.postMessage({ packed: program.module ? null : program.packed, module: program.module, files: program.files });
        // The time limit is of pktc, not of its compilation.
        this.ready = Boolean(program.module);
    }

    next() {
        if (this.running || this.waiting.length === 0) return;
        if (!this.worker) this.start();
        const { args, files, input } = this.running = this.waiting.shift();
        this.running.id = ++this.ids;
        this.worker.postMessage({ id: this.ids, args, files, input });
        if (this.ready) this.watch();
    }

    watch() {
        this.timer = setTimeout(() => {
            this.stops++;
            this.worker.terminate();
            this.worker = null;
            this.finish({ status: 'stopped', out: '', err: `pktc was stopped after ${this.seconds} s`, files: {} });
        }, 1000 * this.seconds);
    }

    take({ id, module, status, out, err, files }) {
        if (module) {
            program.module = module;
            if (!this.ready && this.running) this.watch();
            this.ready = true;
        } else if (this.running && id === this.running.id) {
            this.finish({ status, out: textOf(out), err: textOf(err), files });
        }
    }

    finish(result) {
        clearTimeout(this.timer);
        const { resolve } = this.running;
        this.running = null;
        resolve(result);
        this.next();
    }
}
