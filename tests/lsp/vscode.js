// vscode.js - a session of VS Code's own library of the protocol with `pktc lsp`.
// SPDX-License-Identifier: MIT
//
// usage: node vscode.js PKTC     with vscode-languageserver-protocol in $NODE_PATH, as tests/lsp/clients.sh runs it
const assert = require('assert');
const { spawn } = require('child_process');
const p = require('vscode-languageserver-protocol/node');

const vec = 'struct Vec {\n    float<-1, 1, 0.5> x, y;\n}\n';
const game = `protocol game = 1;
import "vec.pkt";
enum Team { none, red }
/// What others see.
packet Ship @delta {
    Team team = red;
    Vec speed;
    u16 fuel;
}
`;
const uri = 'file:///unsaved/game.pkt', imported = 'file:///unsaved/vec.pkt';
const server = spawn(process.argv[2], ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const client = p.createMessageConnection(server.stdout, server.stdin);
const published = new Map();
let passed = 0, version = 1, waiting;

const check = (what, got, wanted) => {
  assert.deepStrictEqual(got, wanted, what);
  passed++;
};
const holds = (what, ok) => check(what, !!ok, true);
const at = (line, character, of = uri) => ({ textDocument: { uri: of }, position: { line, character } });
const of = { textDocument: { uri } };
const place = r => `${r.start.line}:${r.start.character}-${r.end.line}:${r.end.character}`;
const open = (of, text) => client.sendNotification(p.DidOpenTextDocumentNotification.type,
  { textDocument: { uri: of, languageId: 'pkt', version: 1, text } });
const type = (line, from, to, text) => client.sendNotification(p.DidChangeTextDocumentNotification.type, {
  textDocument: { uri, version: ++version },
  contentChanges: [{ range: { start: { line, character: from }, end: { line, character: to } }, text }],
});
/* The diagnostics after an edit that changes them. */
const problems = () => new Promise(done => { waiting = done; });

client.onNotification(p.PublishDiagnosticsNotification.type, sent => {
  published.set(sent.uri, sent);
  if (sent.uri === uri && waiting) {
    const done = waiting;
    waiting = undefined;
    done(sent.diagnostics);
  }
});
client.onError(error => { throw error; });
client.listen();

async function session() {
  const { capabilities } = await client.sendRequest(p.InitializeRequest.type,
    { processId: process.pid, rootUri: 'file:///unsaved', capabilities: {}, workspaceFolders: null });
  client.sendNotification(p.InitializedNotification.type, {});
  for (const provided of ['hoverProvider', 'inlayHintProvider', 'completionProvider', 'definitionProvider', 'referencesProvider',
    'renameProvider', 'documentSymbolProvider', 'workspaceSymbolProvider', 'foldingRangeProvider', 'semanticTokensProvider',
    'documentFormattingProvider', 'codeLensProvider', 'codeActionProvider', 'documentHighlightProvider'])
    holds(provided, capabilities[provided]);
  check('edits come as ranges', capabilities.textDocumentSync.change, p.TextDocumentSyncKind.Incremental);

  open(imported, vec);
  let next = problems();
  open(uri, game);
  check('no error, with an import that is not saved', await next, []);

  const hover = await client.sendRequest(p.HoverRequest.type, at(4, 8));
  holds('hover', /11 bytes/.test(hover.contents.value) && /What others see/.test(hover.contents.value));
  const hints = await client.sendRequest(p.InlayHintRequest.type,
    { ...of, range: { start: { line: 4, character: 0 }, end: { line: 8, character: 0 } } });
  check('hints', hints.map(h => h.label), ['11 bytes', '1 bit', '6 bits', '16 bits']);
  const lenses = await client.sendRequest(p.CodeLensRequest.type, of);
  check('lenses', lenses.map(l => l.command.title), ['11 bytes, at most 0.9 % of 1200; 9 to 12 as a delta']);
  const declared = await client.sendRequest(p.DefinitionRequest.type, at(6, 5));
  check('definition', [declared.uri, place(declared.range)], [imported, '0:7-0:10']);
  const uses = await client.sendRequest(p.ReferencesRequest.type, { ...at(0, 8, imported), context: { includeDeclaration: true } });
  check('references', uses.map(u => place(u.range)).sort(), ['0:7-0:10', '6:4-6:7']);
  const symbols = await client.sendRequest(p.DocumentSymbolRequest.type, of);
  check('symbols', symbols.map(s => `${s.name} ${s.children.length}`), ['game 0', 'Team 2', 'Ship 3']);
  const folds = await client.sendRequest(p.FoldingRangeRequest.type, of);
  check('folds', folds.map(f => `${f.startLine}-${f.endLine}`), ['4-7']);
  const tokens = await client.sendRequest(p.SemanticTokensRequest.type, of);
  check('tokens are groups of five', [tokens.data.length % 5, tokens.data.slice(0, 5)], [0, [0, 0, 8, 0, 0]]);
  type(7, 0, 0, ' ');
  const fewer = await client.sendRequest(p.SemanticTokensDeltaRequest.type, { ...of, previousResultId: tokens.resultId });
  check('of an edit, the tokens that it changes', fewer.edits.map(e => [e.deleteCount, e.data]), [[1, [5]]]);
  type(7, 0, 1, '');
  const edit = await client.sendRequest(p.RenameRequest.type, { ...at(6, 5), newName: 'Velocity' });
  check('rename', Object.entries(edit.changes).map(([of, edits]) => `${of} ${edits.map(e => place(e.range))}`).sort(),
    [`${uri} 6:4-6:7`, `${imported} 0:7-0:10`]);
  await assert.rejects(client.sendRequest(p.RenameRequest.type, { ...at(6, 5), newName: 'a b' }), /cannot be a name/);

  // Somebody types a field, with a mistake, and follows the advice.
  next = problems();
  type(7, 0, 13, '    uint16_t fuel;');
  const [problem] = await next;
  check('an error', [place(problem.range), problem.severity, problem.source], ['7:4-7:12', p.DiagnosticSeverity.Error, 'pktc']);
  check('its version', published.get(uri).version, version);
  const still = await client.sendRequest(p.HoverRequest.type, at(6, 9));
  holds('hover while there are errors', /6 bits/.test(still.contents.value));
  const actions = await client.sendRequest(p.CodeActionRequest.type,
    { ...of, range: problem.range, context: { diagnostics: [problem] } });
  check('a fix', actions.map(a => [a.title, a.kind]), [['write `u16 fuel;`', p.CodeActionKind.QuickFix]]);
  const [fix] = actions[0].edit.changes[uri];
  next = problems();
  type(fix.range.start.line, fix.range.start.character, fix.range.end.character, fix.newText);
  check('no error after the fix', await next, []);

  // A file of Windows, with characters of two units: a column counts units.
  const other = 'file:///unsaved/ends.pkt', ends = '// \u{1F600}\r\nstruct E { /* \u{1F600}\u00e9 */ uint8_t x; }\r\n';
  open(other, ends);
  const range = { start: { line: 1, character: 23 }, end: { line: 1, character: 23 } };
  const [mended] = await client.sendRequest(p.CodeActionRequest.type,
    { textDocument: { uri: other }, range, context: { diagnostics: [] } });
  check('its fix', mended.edit.changes[other].map(e => [place(e.range), e.newText]), [['1:21-1:30', 'u8 x']]);
  client.sendNotification(p.DidCloseTextDocumentNotification.type, { textDocument: { uri: other } });

  next = problems();
  type(7, 0, 13, '    if (team == ');
  await next;
  const items = await client.sendRequest(p.CompletionRequest.type, at(7, 16));
  holds('completion', items.some(i => i.label === 'red') && !items.some(i => i.label === 'u8'));

  next = problems();
  client.sendNotification(p.DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  check('a closed document has no diagnostics', await next, []);
  await client.sendRequest(p.ShutdownRequest.type);
  const ended = new Promise(done => server.on('exit', done));
  client.sendNotification(p.ExitNotification.type);
  check('the exit status', await ended, 0);
  console.log(`[  PASSED  ] ${passed} test(s).`);
}

session().catch(error => {
  console.log(`${error.stack}\n[  FAILED  ] 1 test(s)`);
  process.exit(1);
});
