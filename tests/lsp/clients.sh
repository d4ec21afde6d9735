#!/bin/sh
# clients.sh - sessions of real clients with `pktc lsp`: neovim, and VS Code's library of the protocol, which npm fetches.
# SPDX-License-Identifier: MIT
#
# usage: clients.sh PKTC SCRATCH     from the top directory
set -u
top=$(pwd)
pktc=$(realpath "$1")
mkdir -p "$2"
scratch=$(realpath "$2")
grammar=$top/share/editors/tree-sitter
status=0

if command -v nvim >/dev/null; then
    rm -rf "$scratch/neovim"
    mkdir -p "$scratch/neovim"
    ${CC:-cc} -shared -fPIC -I"$grammar/src" -o "$scratch/parser.so" "$grammar/src/parser.c" || status=1
    (cd "$scratch/neovim" && PKTC=$pktc PARSER=$scratch/parser.so QUERY=$grammar/queries/highlights.scm \
        XDG_CACHE_HOME=$scratch XDG_STATE_HOME=$scratch \
        timeout 100 nvim --headless -u NONE -n -i NONE -c "luafile $top/tests/lsp/neovim.lua" -c 'cquit 1' 2>&1) || status=1
else
    echo '[  SKIPPED ] a session of neovim: there is no nvim'
fi

library='vscode-languageserver-protocol@3.17.5'
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "[  SKIPPED ] a session of VS Code's library: there is no node or no npm"
elif [ ! -d "$scratch/npm/node_modules/vscode-languageserver-protocol" ] &&
    ! npm install --prefix "$scratch/npm" --no-audit --no-fund --no-package-lock --loglevel=error "$library" >&2; then
    echo "[  SKIPPED ] a session of VS Code's library: npm cannot fetch it"
else
    NODE_PATH=$scratch/npm/node_modules timeout 100 node tests/lsp/vscode.js "$pktc" || status=1
fi
exit $status
