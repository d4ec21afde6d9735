// grammar_json.js - compares src/grammar.json of the tree-sitter grammar with grammar.js, from which it was generated.
// SPDX-License-Identifier: MIT
//
// usage: node grammar_json.js share/editors/tree-sitter
const assert = require('assert');
const { readFileSync } = require('fs');
const { resolve } = require('path');

const rule = value => typeof value === 'string' ? { type: 'STRING', value }
  : value instanceof RegExp ? { type: 'PATTERN', value: value.source } : value;
const list = type => (...members) => ({ type, members: members.map(rule) });
const blank = { type: 'BLANK' };

Object.assign(global, {
  seq: list('SEQ'),
  choice: list('CHOICE'),
  optional: content => ({ type: 'CHOICE', members: [rule(content), blank] }),
  repeat: content => ({ type: 'REPEAT', content: rule(content) }),
  repeat1: content => ({ type: 'REPEAT1', content: rule(content) }),
  field: (name, content) => ({ type: 'FIELD', name, content: rule(content) }),
  token: content => ({ type: 'TOKEN', content: rule(content) }),
  prec: (value, content) => ({ type: 'PREC', value, content: rule(content) }),
  alias: (content, to) => ({ type: 'ALIAS', content: rule(content), named: true, value: to.name }),
  grammar: written => written,
});
prec.left = (value, content) => ({ type: 'PREC_LEFT', value, content: rule(content) });

const symbols = new Proxy({}, { get: (_, name) => ({ type: 'SYMBOL', name }) });
const folder = resolve(process.argv[2]);
const written = require(`${folder}/grammar.js`);
const generated = JSON.parse(readFileSync(`${folder}/src/grammar.json`));
const rules = Object.fromEntries(Object.entries(written.rules).map(([name, of]) => [name, rule(of(symbols))]));
assert.deepStrictEqual(generated.rules, rules, 'src/grammar.json is not that of grammar.js: run `tree-sitter generate`');
assert.deepStrictEqual(generated.extras, written.extras(symbols).map(rule));
assert.strictEqual(generated.word, written.word(symbols).name);
