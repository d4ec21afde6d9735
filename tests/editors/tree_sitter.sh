#!/bin/sh
# tree_sitter.sh - tests share/editors/tree-sitter with the library of tree-sitter, and its grammar.json with node.
# SPDX-License-Identifier: MIT
#
# usage: tree_sitter.sh PROGRAM     from the top directory; PROGRAM is what tree_sitter.c becomes, or "none"
set -u
grammar=share/editors/tree-sitter
status=0
if [ "$1" = none ]; then
    echo '[  SKIPPED ] the tree-sitter grammar: there is no libtree-sitter-dev'
else
    # shellcheck disable=SC2046
    "$1" $(find schemas tests -name '*.pkt' | sort) || status=1
fi
if ! command -v node >/dev/null; then
    echo '[  SKIPPED ] grammar.json against grammar.js: there is no node'
elif node tests/editors/grammar_json.js $grammar; then
    echo '[  PASSED  ] 1 test(s).'
else
    echo '[  FAILED  ] 1 test(s)'
    status=1
fi
exit $status
