// grammar.js - the tree-sitter grammar of .pkt files.
// SPDX-License-Identifier: MIT
//
// It follows compiler/front/grammar.y. `tree-sitter generate` makes src/ from it; `make check-editors` compares its words
// with those of the compiler, and src/grammar.json with this file.
//
// Words such as `after` are names wherever they are not words of the language. tree-sitter sees to that: a word counts
// as a keyword only where the grammar has it.

const types = [
  'bool', 'bits', 'int', 'half', 'float', 'double', 'fixed', 'quat', 'unit', 'string', 'bytes', 'ref',
  'u8', 'u16', 'u32', 'u64', 'i8', 'i16', 'i32', 'i64',
];

const attributes = [
  'answers', 'budget', 'convert', 'delta', 'deprecated', 'fit', 'large', 'lossy', 'mix', 'near', 'received', 'save', 'seed', 'speed', 'stable',
];

const list = rule => seq(rule, repeat(seq(',', rule)));

// Operators, loosest first. All are left-associative.
const sums = [['+', 5], ['-', 5], ['*', 6], ['/', 6], ['%', 6]];
const operators = [
  ['||', 0], ['&&', 1], ['==', 2], ['!=', 2], ['<', 3], ['<=', 3], ['>', 3], ['>=', 3], ['&', 4], ...sums,
];
const binary = (table, operand) => choice(...table.map(([operator, level]) =>
  prec.left(level, seq(field('left', operand), field('operator', operator), field('right', operand)))));

module.exports = grammar({
  name: 'pkt',

  word: $ => $._word,

  extras: $ => [/\s/, $.doc_comment, $.line_comment, $.block_comment],

  rules: {
    file: $ => repeat($._declaration),

    _declaration: $ => choice(
      $.protocol, $.import, $.model, $.constant, $.alias, $.enum, $.flags, $.struct, $.packet, $.union),

    protocol: $ => seq('protocol', field('name', $.name), '=', field('version', $._expression),
      optional(seq('prefix', field('prefix', $.name))), ';'),
    import: $ => seq('import', field('file', $.string), ';'),
    model: $ => seq('model', choice(seq(field('file', $.string), ';'), $.model_lines)),
    model_lines: $ => seq('{', list($.string), optional(','), '}'),
    constant: $ => seq('const', field('name', $.name), '=', field('value', $._expression), ';'),

    alias: $ => seq('type', field('name', $.type_name), '=', field('type', $.type), optional(choice('wrap', seq('or', 'raw'))), ';'),

    enum: $ => seq('enum', field('name', $.type_name), optional(seq(':', field('type', $.type))),
      repeat($._attribute), field('members', $.enum_members)),
    enum_members: $ => seq('{', list($.enum_member), optional(','), '}'),
    enum_member: $ => seq(field('name', $.name), optional(seq('=', field('value', $._expression))),
      repeat($.old_name), optional($.else_name)),

    flags: $ => seq('flags', field('name', $.type_name), repeat($._attribute), field('members', $.flag_members)),
    flag_members: $ => seq('{', list($.flag_member), optional(','), '}'),
    flag_member: $ => seq(field('name', $.name), repeat($.old_name)),

    struct: $ => seq('struct', field('name', $.type_name), optional($.c_type), repeat($._attribute),
      field('body', $.body)),
    c_type: $ => seq('as', field('type', $.string), 'from', field('header', $.string)),
    packet: $ => seq('packet', field('name', $.type_name), repeat($._attribute), field('body', $.body)),
    union: $ => seq(optional('packet'), 'union', field('name', $.type_name), repeat($._attribute),
      field('members', $.union_members)),
    union_members: $ => seq('{', repeat($.union_member), '}'),
    union_member: $ => seq(field('type', $._type_of_name), field('name', $.name), repeat($.old_name),
      optional($.else_name), ';'),

    _attribute: $ => choice($.attribute, $.old_name),
    attribute: $ => seq('@', field('name', $.attribute_name), optional(seq('(', $._expression, ')'))),
    attribute_name: $ => choice(...attributes),
    old_name: $ => seq('was', $.string),
    else_name: $ => seq('else', $.name),

    body: $ => seq('{', repeat($._item), '}'),
    _item: $ => choice($.field, $.align, $.bits, $.reserved, $.check, $.if, $.switch),

    field: $ => seq(
      choice(
        seq(optional(choice('optional', $.sparse, 'local')), field('type', $.type)),
        seq('local', field('type', $.string))),
      list($.declarator), ';'),
    sparse: $ => seq('sparse', optional(seq('<', list($.mode), '>'))),
    mode: $ => $._word,
    align: $ => seq('align', ';'),
    bits: $ => seq('const', '<', $._sum, choice(seq('>', '='), '>='), $._expression, ';'),
    reserved: $ => seq('reserved', '<', $._sum, '>', ';'),
    check: $ => seq('check', optional($.integer), ';'),

    if: $ => seq('if', '(', field('condition', $._expression), ')', $.body, optional($.else)),
    else: $ => seq('else', choice($.body, $.if)),
    switch: $ => seq('switch', '(', field('subject', $._expression), ')', $.cases),
    cases: $ => seq('{', repeat1($.case), '}'),
    case: $ => seq(choice(seq('case', list($._expression)), 'default'), ':', repeat($._item)),

    type: $ => choice(
      $._type_of_name,
      seq($._type_of_name, '<', list($._sum), '>'),
      seq('compact', $._type_of_name)),
    // `check` begins an item of its own, or is the name of a type.
    _type_of_name: $ => choice($.primitive_type, $.type_name, alias('check', $.type_name)),
    primitive_type: $ => choice(...types),

    declarator: $ => seq(field('name', $.name), repeat($.dimension), optional($.by), optional($.after),
      optional(choice('wrap', 'clamp', seq('or', 'raw'))), optional($.unless), optional(choice($.initial, $.delta, $.coded)), repeat($._attribute)),
    dimension: $ => seq('[', choice(
      $._expression,
      seq('<=', $._expression, optional(seq('of', $._expression))),
      seq($._expression, '..', $._expression)), ']'),
    by: $ => seq('by', $.name),
    after: $ => seq('after', $.name),
    unless: $ => seq('unless', $._expression),
    initial: $ => seq('=', $._expression),
    delta: $ => seq('delta', choice(
      seq('<', list($._sum), '>'),
      seq('<', list($._sum), choice(seq('>', '='), '>='), $._expression),
      seq('(', $._sum, optional(seq('from', $._sum, optional(seq('after', $._sum)), optional($.else_name))), ')'))),
    coded: $ => seq('coded', optional('still'), optional(seq('=', $._expression))),

    // Arguments in <> are sums, since < and > need parentheses there.
    _expression: $ => choice($.binary, $._unary),
    _sum: $ => choice(alias($._binary_sum, $.binary), $._unary),
    binary: $ => binary(operators, $._expression),
    _binary_sum: $ => binary(sums, $._sum),
    _unary: $ => choice($.unary, $._primary),
    unary: $ => prec(7, seq(field('operator', choice('!', '-')), $._unary)),
    _primary: $ => choice($.integer, $.real, $.boolean, $.path, $.count_of_bits, $.parenthesized),
    count_of_bits: $ => seq($.primitive_type, '(', $.path, ')'),
    parenthesized: $ => seq('(', $._expression, ')'),
    path: $ => seq($.name, repeat(seq('.', $.name))),
    boolean: $ => choice('true', 'false'),

    name: $ => $._word,
    type_name: $ => $._word,
    _word: $ => /[A-Za-z_][A-Za-z0-9_]*/,
    integer: $ => /0[xX][0-9A-Fa-f]+|[0-9]+/,
    real: $ => /[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?/,
    string: $ => /"[^"\r\n]*"/,

    // Of two that match the same text, the first one counts.
    doc_comment: $ => token(/\/\/\/([^\/\n][^\n]*)?/),
    line_comment: $ => token(/\/\/[^\n]*/),
    block_comment: $ => token(/\/\*([^*]|\*+[^*\/])*\*+\//),
  },
});
