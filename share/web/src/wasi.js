// wasi.js - the system that a program for WASI sees: arguments, standard streams, and files in memory.
// SPDX-License-Identifier: MIT

const BADF = 8, EXIST = 20, ISDIR = 31, NOENT = 44, NOSYS = 52, SPIPE = 70;
const CHARACTERS = 2, DIRECTORY = 3, REGULAR = 4;
const CREATE = 1, MUST_BE_DIRECTORY = 2, EXCLUSIVE = 4, TRUNCATE = 8;
const APPEND = 1, ROOT = 3, NOSPC = 51;
const LARGEST_FILE = 32 << 20; // what a program may write into one file: the page has to hold all of it
const ALL_RIGHTS = 0xffffffffffffffffn;

class Exit {
    constructor(status) {
        this.status = status;
    }
}

/** A file that grows as it is written. */
class File {
    constructor(bytes, number) {
        this.bytes = bytes;
        this.size = bytes.length;
        this.number = number;
    }

    write(at, bytes) {
        const end = at + bytes.length;
        if (end > this.bytes.length) {
            const larger = new Uint8Array(Math.max(end, 2 * this.bytes.length, 4096));
            larger.set(this.bytes.subarray(0, this.size));
            this.bytes = larger;
        }
        this.bytes.set(bytes, at);
        this.size = Math.max(this.size, end);
    }

    contents() {
        return this.bytes.subarray(0, this.size);
    }
}

const nothing = new Uint8Array(0);
const utf8 = new TextEncoder();
const text = new TextDecoder();

// ---- memory: pages of 64 KB

const PAGES = 256, MOST_PAGES = 8192, LARGEST_KEPT = 64 << 20;
let kept = null;

/**
 * The memory for a run: that of the run before, because a system takes longer to hand out new pages than pktc needs for a small
 * schema. A program makes no use of what is in it. A large memory is not kept.
 */
function memoryForRun() {
    if (kept === null || kept.buffer.byteLength > LARGEST_KEPT) kept = new WebAssembly.Memory({ initial: PAGES, maximum: MOST_PAGES });
    return kept;
}

/** Runs a compiled program. files: an object of bytes by name. Returns its status, its output, and the files it wrote. */
export function run(module, args, files, input = nothing) {
    const known = new Map(), written = new Set(), folders = new Map([['', 1]]);
    let numbers = 1, memory;
    for (const name of Object.keys(files)) {
        known.set(name, new File(files[name], ++numbers));
        const folder = name.lastIndexOf('/');
        if (folder > 0) folders.set(name.slice(0, folder), ++numbers);
    }
    const streams = [new File(input, 1), new File(nothing, 2), new File(nothing, 3)];
    const open = [0, 1, 2].map((i) => ({ file: streams[i], at: 0, kind: CHARACTERS }));
    open[ROOT] = { path: '', kind: DIRECTORY };

    const view = () => new DataView(memory.buffer);
    const bytes = (at, size) => new Uint8Array(memory.buffer, at, size);
    const clean = (path) => path.split('/').filter((part) => part && part !== '.').join('/');
    const path = (at, size) => clean(text.decode(bytes(at, size).slice()));
    const strings = args.map((each) => utf8.encode(each + '\0'));

    function stat(at, device, number, kind, size) {
        const v = view();
        bytes(at, 64).fill(0);
        v.setBigUint64(at, BigInt(device), true);
        v.setBigUint64(at + 8, BigInt(number), true);
        v.setUint8(at + 16, kind);
        v.setBigUint64(at + 24, 1n, true);
        v.setBigUint64(at + 32, BigInt(size), true);
        return 0;
    }

    /** Calls `each` with the part of memory of each buffer in a list, until it returns less than that. */
    function scatter(list, count, result, each) {
        let total = 0;
        for (let i = 0; i < count; i++) {
            const v = view(), size = v.getUint32(list + 8 * i + 4, true);
            const done = each(bytes(v.getUint32(list + 8 * i, true), size));
            total += done;
            if (done < size) break;
        }
        view().setUint32(result, total, true);
        return 0;
    }

    const system = {
        args_sizes_get(count, size) {
            view().setUint32(count, strings.length, true);
            view().setUint32(size, strings.reduce((sum, each) => sum + each.length, 0), true);
            return 0;
        },
        args_get(list, at) {
            for (const each of strings) {
                view().setUint32(list, at, true);
                bytes(at, each.length).set(each);
                list += 4;
                at += each.length;
            }
            return 0;
        },
        clock_time_get(clock, precision, at) {
            view().setBigUint64(at, BigInt(Date.now()) * 1000000n, true);
            return 0;
        },
        fd_close(fd) {
            if (!open[fd]) return BADF;
            delete open[fd];
            return 0;
        },
        fd_fdstat_get(fd, at) {
            if (!open[fd]) return BADF;
            bytes(at, 24).fill(0);
            view().setUint8(at, open[fd].kind);
            view().setUint16(at + 2, open[fd].append ? APPEND : 0, true);
            view().setBigUint64(at + 8, ALL_RIGHTS, true);
            view().setBigUint64(at + 16, ALL_RIGHTS, true);
            return 0;
        },
        fd_fdstat_set_flags: () => 0,
        fd_filestat_get(fd, at) {
            const o = open[fd];
            if (!o) return BADF;
            if (o.kind === DIRECTORY) return stat(at, 1, folders.get(o.path), DIRECTORY, 0);
            return stat(at, o.kind === REGULAR ? 1 : 0, o.file.number, o.kind, o.file.size);
        },
        fd_prestat_get(fd, at) {
            if (fd !== ROOT) return BADF;
            view().setUint32(at, 0, true);
            view().setUint32(at + 4, 1, true);
            return 0;
        },
        fd_prestat_dir_name(fd, at) {
            bytes(at, 1)[0] = '/'.charCodeAt(0);
            return 0;
        },
        fd_read(fd, list, count, result) {
            const o = open[fd];
            if (!o || !o.file) return o ? ISDIR : BADF;
            return scatter(list, count, result, (to) => {
                const part = o.file.contents().subarray(o.at, o.at + to.length);
                to.set(part);
                o.at += part.length;
                return part.length;
            });
        },
        fd_write(fd, list, count, result) {
            const o = open[fd];
            if (!o || !o.file) return o ? ISDIR : BADF;
            if (o.file.size > LARGEST_FILE) return NOSPC;
            return scatter(list, count, result, (from) => {
                if (o.append || o.kind === CHARACTERS) o.at = o.file.size;
                o.file.write(o.at, from);
                o.at += from.length;
                return from.length;
            });
        },
        fd_seek(fd, offset, whence, result) {
            const o = open[fd];
            if (!o || o.kind !== REGULAR) return o ? SPIPE : BADF;
            o.at = [0, o.at, o.file.size][whence] + Number(offset);
            view().setBigUint64(result, BigInt(o.at), true);
            return 0;
        },
        fd_readdir(fd, at, size, cookie, result) {
            const o = open[fd];
            if (!o || o.kind !== DIRECTORY) return BADF;
            const inside = o.path ? o.path + '/' : '';
            const names = new Set([...known.keys(), ...folders.keys()].filter((each) => each && each.startsWith(inside))
                .map((each) => each.slice(inside.length).split('/')[0]));
            let used = 0;
            for (const [i, name] of [...names].entries()) {
                if (i < cookie || used === size) continue;
                const entry = new Uint8Array(24 + name.length), v = new DataView(entry.buffer);
                v.setBigUint64(0, BigInt(i + 1), true);
                v.setBigUint64(8, BigInt(i + 1), true);
                v.setUint32(16, name.length, true);
                v.setUint8(20, known.has(inside + name) ? REGULAR : DIRECTORY);
                entry.set(utf8.encode(name).subarray(0, name.length), 24);
                bytes(at + used, size - used).set(entry.subarray(0, size - used));
                used += Math.min(entry.length, size - used);
            }
            view().setUint32(result, used, true);
            return 0;
        },
        path_create_directory(fd, at, size) {
            const name = path(at, size);
            if (folders.has(name) || known.has(name)) return EXIST;
            folders.set(name, ++numbers);
            return 0;
        },
        path_filestat_get(fd, flags, at, size, result) {
            const name = path(at, size), file = known.get(name);
            if (file) return stat(result, 1, file.number, REGULAR, file.size);
            return folders.has(name) ? stat(result, 1, folders.get(name), DIRECTORY, 0) : NOENT;
        },
        path_open(fd, follow, at, size, how, rights, inherited, flags, result) {
            const name = path(at, size);
            let file = known.get(name), entry = { path: name, kind: DIRECTORY };
            if (file && how & EXCLUSIVE) return EXIST;
            if (!folders.has(name) || file) {
                if (!file && !(how & CREATE)) return NOENT;
                if (how & MUST_BE_DIRECTORY) return NOENT;
                if (!file) known.set(name, file = new File(nothing, ++numbers));
                if (how & (CREATE | TRUNCATE)) written.add(name);
                if (how & TRUNCATE) file.size = 0;
                entry = { file, at: 0, kind: REGULAR, append: Boolean(flags & APPEND) };
            }
            view().setUint32(result, open.push(entry) - 1, true);
            return 0;
        },
        path_readlink: () => 28, // there are no links
        path_rename(fd, at, size, to, toAt, toSize) {
            const from = path(at, size), name = path(toAt, toSize);
            if (!known.has(from)) return NOENT;
            known.set(name, known.get(from));
            known.delete(from);
            if (written.delete(from)) written.add(name);
            return 0;
        },
        path_unlink_file(fd, at, size) {
            const name = path(at, size);
            written.delete(name);
            return known.delete(name) ? 0 : NOENT;
        },
        proc_exit(status) {
            throw new Exit(status);
        },
    };

    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
        imports[from] ??= {};
        imports[from][name] = system[name] ?? (() => NOSYS);
    }
    memory = imports.env.memory = memoryForRun();
    let status = 0;
    try {
        new WebAssembly.Instance(module, imports).exports._start();
    } catch (thrown) {
        if (!(thrown instanceof Exit)) return { status: 'trap', out: nothing, err: utf8.encode(String(thrown)), files: {} };
        status = thrown.status;
    }
    const made = {};
    for (const name of written) made[name] = known.get(name).contents().slice();
    return { status, out: streams[1].contents().slice(), err: streams[2].contents().slice(), files: made };
}
