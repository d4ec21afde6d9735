// main.js - the page: a schema, what the language server says of it, and the tabs that show what it makes.
// SPDX-License-Identifier: MIT
import { makeCapture } from './capture.js';
import { makeCode } from './code.js';
import { makeDelta } from './delta.js';
import { LARGEST, makeEditor, problemsOf } from './editor.js';
import { byId, counted, element } from './html.js';
import { makeLayout } from './layout.js';
import { makePacket, reasonIn } from './packet.js';
import { Pktc, bytesOf, givePktc } from './pktc.js';
import { Server } from './server.js';
import { packState, unpackState } from './state.js';
import { examples, imported } from 'examples';

const LIMIT = 4; // seconds of a call
const FIRST = 'mygame.pkt';
const TABS = ['layout', 'packet', 'delta', 'code', 'capture'];

const data = (id) => byId(id).textContent.trim();
const packed = Uint8Array.from(atob(data('program')), (each) => each.charCodeAt(0));
givePktc(data('worker'), packed, Object.fromEntries(Object.entries(imported).map(([name, text]) => [name, bytesOf(text)])));

const pktc = new Pktc(LIMIT), server = new Server(pktc);
const page = { file: FIRST, tab: 'layout', types: new Map(), described: null, turn: 0, restored: false };
let editor;

// ---- what others see of the page

function say(text) {
    const status = byId('status');
    if (status.textContent !== text) status.textContent = text;
}

let saving;
function saved() {
    clearTimeout(saving);
    saving = setTimeout(async () => {
        const fragment = await packState(state());
        page.link = fragment;
        try {
            history.replaceState(null, '', `#${fragment}`);
        } catch {
            // Some browsers refuse this for a page from a file. Then the link is where "Copy link" puts it.
        }
    }, 250);
}

const state = () => ({
    file: page.file, schema: editor.text(), tab: page.tab, packet: page.types.size > 0 ? packet.state() : undefined,
    delta: page.types.size > 0 ? delta.state() : undefined,
});

const context = {
    pktc,
    schema: () => ({ file: page.file, files: { [page.file]: bytesOf(editor.text()) } }),
    types: () => page.types,
    say,
    saved,
    show: () => showTab('capture'),
    open: (name, text) => open(name.replace(/[^\w.-]/g, '_'), text),
};
const packet = makePacket(context), delta = makeDelta(context), code = makeCode(context);
const showLayout = makeLayout(byId('layout-cards'), (name) => {
    const { file, line, column } = page.types.get(name).at;
    if (file.replace(/^\//, '') !== page.file) return;
    const at = editor.view.state.doc.line(line);
    editor.goTo(at.from + column - 1);
});

// ---- checking

function showProblems(problems, elsewhere) {
    byId('problems').replaceChildren(...problems.slice(0, 30).map((each) => element(`li.${each.severity}`, {},
        element('button.link', { type: 'button', onclick: () => editor.goTo(each.from) }, `line ${each.line}: ${each.message.split('\nhelp: ')[0]}`),
        each.actions.map((action) => element('button.fix', { type: 'button', onclick: action.apply }, `Fix: ${action.name}`)))),
    ...elsewhere.slice(0, 5).map((each) => element('li.error', {}, `${each.uri.replace('file:///', '')}: ${each.message}`)));
}

async function check() {
    const turn = ++page.turn, began = performance.now(), whole = editor.range();
    const text = editor.text();
    const answer = await server.ask('check', page.file, text, [
        ['textDocument/inlayHint', { range: whole }], ['textDocument/codeLens', {}],
        ['textDocument/codeAction', { range: whole, context: { diagnostics: [] } }], ['pktc/describe', {}]]);
    if (turn !== page.turn || answer.status === null) return;
    if (answer.status !== 0) {
        showProblems([], []);
        byId('problems').append(element('li.error', {}, reasonIn(answer.err)));
        stale(reasonIn(answer.err));
        return;
    }
    const [hints, lenses, actions, described] = answer.results;
    const problems = problemsOf(editor.view, answer.diagnostics, actions ?? []);
    editor.show(problems, hints ?? [], lenses ?? []);
    showProblems(problems, answer.elsewhere);
    const errors = [...problems, ...answer.elsewhere].filter((each) => each.severity === 'error' || each.severity === 1).length;
    if (errors > 0) {
        stale(`${counted(errors, 'error')}. The first: line ${problems[0]?.line ?? 1}: ${(problems[0] ?? answer.elsewhere[0]).message.split('\n')[0]}`);
    } else {
        take(described, began);
    }
    saved();
}

/** The tabs stay as they were while the schema has errors. */
function stale(words) {
    document.body.classList.add('stale');
    document.body.classList.remove('loading');
    byId('latency').textContent = '';
    say(words);
}

/** `described`: what `pktc describe` prints. */
function take(described, began) {
    page.described = described;
    page.types = new Map(described.declarations.map((each) => [each.name, each]));
    document.body.classList.remove('stale', 'loading');
    const { protocol, version, id, declarations } = described;
    byId('layout-title').textContent = protocol ? `${protocol}, version ${version}` : 'no protocol';
    byId('layout-id').textContent = id ?? '';
    const packets = declarations.filter((each) => each.kind.startsWith('packet')).length;
    say(`no errors: ${counted(packets, 'packet')}, ${counted(declarations.length - packets, 'other declaration')}`);
    showCurrent();
    // The first time counts the compilation of pktc itself.
    if (page.taken) byId('latency').textContent = `${Math.round(performance.now() - began)} ms`;
    page.taken = true;
    document.body.dataset.checked = String(page.turn);
}

function showCurrent() {
    if (!page.described) return;
    if (page.tab === 'layout') showLayout(page.described);
    if (page.tab === 'packet') packet.update(page.described);
    if (page.tab === 'delta') delta.update(page.described);
    if (page.tab === 'code') code.update(page.described);
}

// ---- tabs

function showTab(name, focus) {
    page.tab = name;
    for (const each of TABS) {
        const tab = byId(`tab-${each}`), chosen = each === name;
        tab.setAttribute('aria-selected', String(chosen));
        tab.tabIndex = chosen ? 0 : -1;
        byId(`panel-${each}`).hidden = !chosen;
        if (chosen && focus) tab.focus();
    }
    showCurrent();
    saved();
}

for (const name of TABS) byId(`tab-${name}`).addEventListener('click', () => showTab(name));
byId('tabs').addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key], at = TABS.indexOf(page.tab);
    if (step) showTab(TABS[(at + step + TABS.length) % TABS.length], true);
    else if (key === 'Home') showTab(TABS[0], true);
    else if (key === 'End') showTab(TABS.at(-1), true);
});

// ---- schemas

function sayTooLarge() {
    say('refused: a schema on this page has at most 1 MB');
}

function open(file, text) {
    if (text.length > LARGEST) {
        sayTooLarge();
        return;
    }
    begin(file, {});
    document.body.classList.add('loading');
    editor.setText(text);
}

/** Another schema comes. `state`: what a link says of the tabs. */
function begin(file, state) {
    page.file = file;
    page.turn++;
    page.described = null;
    byId('file').textContent = file;
    packet.restore(state.packet);
    delta.restore(state.delta);
}

function fillMenu() {
    const groups = new Map();
    for (const [i, { group, title }] of examples.entries()) {
        if (!groups.has(group)) groups.set(group, element('optgroup', { label: group }));
        groups.get(group).append(new Option(title, String(i)));
    }
    byId('examples').append(...groups.values());
    byId('examples').addEventListener('change', ({ target }) => {
        const chosen = examples[Number(target.value)];
        if (chosen) open(chosen.file, chosen.text);
    });
}

byId('share').addEventListener('click', async () => {
    const link = `${location.href.split('#')[0]}#${await packState(state())}`;
    try {
        await navigator.clipboard.writeText(link);
        say('the link is on the clipboard');
    } catch {
        location.hash = link.split('#')[1];
        say('the link is in the address bar');
    }
});
byId('format').addEventListener('click', () => editor.format());

async function restore() {
    const given = await unpackState(location.hash);
    if (!given || given.schema.length > LARGEST) return false;
    begin(/^[\w-]+\.pkt$/.test(given.file) ? given.file : FIRST, given);
    if (TABS.includes(given.tab)) page.tab = given.tab;
    editor.setText(given.schema);
    return true;
}

async function start() {
    fillMenu();
    editor = makeEditor(byId('editor'), {
        text: '',
        changed: check,
        refused: sayTooLarge,
        ask: (lane, questions) => server.ask(lane, page.file, editor.text(), questions),
    });
    makeCapture(context);
    if (!await restore()) {
        const first = examples.find((each) => each.file === FIRST);
        byId('examples').value = String(examples.indexOf(first));
        open(first.file, first.text);
    }
    showTab(page.tab);
    addEventListener('hashchange', async () => {
        if (location.hash.slice(1) === page.link) return;
        if (await restore()) showTab(page.tab);
    });
}

start();
