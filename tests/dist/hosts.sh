#!/bin/sh
# hosts.sh - checks what runs on other people's machines: the comment for a pull request word for word, the hooks of
# pre-commit, and that what .github/ runs exists here.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc hosts.sh SCRATCH
PKTC=$(cd "$(dirname "$PKTC")" && pwd)/pktc
scratch=$1
. tests/dist/common.sh
top=$PWD
make=${MAKE:-make}
PATH=$(dirname "$PKTC"):$PATH
export PATH PKTC
cd "$scratch" || exit 1

schema() { printf 'protocol %s = 1;\n\npacket Join {\n    %s salt;\n}\n' "$1" "$2" >"$1.pkt"; }
schema game u32
schema chat u8
check pktc archive releases game.pkt
check pktc archive releases chat.pkt
schema game u8

# ---- the comment

cat >expected <<'END2'
<!-- pktc diff -->
**`game.pkt`: new protocol id, recordings convert with loss**

<details><summary><code>pktc diff --against releases game.pkt</code></summary>

````text
old: releases/game-001-5974674fb74c911b.pkt: protocol game = 1, id 0x5974674fb74c911b
new: game.pkt: protocol game = 1, id 0x3dbbe7e8fa9e936e

packet Join: 12 bytes -> 9 bytes
  salt: narrower: u32 -> u8 (32 -> 8 bits); clamped to 255

verdict: new protocol id, recordings convert with loss
--serve: clients of the old version can be served
````

</details>

**`none.pkt`: not compared**

<details><summary><code>pktc diff --against releases none.pkt</code></summary>

````text
pktc: error: cannot read 'none.pkt': No such file or directory
````

</details>

END2
comment() { "$top/share/packaging/diff-comment.sh" releases "$@" >comment; }
check sh -c "! '$top/share/packaging/diff-comment.sh' releases game.pkt none.pkt >comment"
check diff expected comment
status_of() { comment "$@"; echo $?; }
prints 4 status_of game.pkt chat.pkt
prints 0 status_of chat.pkt
printf 'protocol chat = 1;\n\npacket Join {\n    u8 salt;\n    bool fair;\n}\n' >chat.pkt
prints 0 status_of chat.pkt
check grep -qF '**`chat.pkt`: new protocol id, every recording converts**' comment
check grep -qF 'startswith("<!-- pktc diff -->")' "$top/.github/actions/pktc-diff/action.yml"
check grep -qF 'share/packaging/diff-comment.sh" "$RELEASES" $SCHEMAS >' "$top/.github/actions/pktc-diff/action.yml"

# ---- the hooks: their entries, with the arguments that docs/build.md shows

hook() { sed -n "/^- id: $1\$/,/^- id/s/^  entry: //p" "$top/.pre-commit-hooks.yaml" | head -n 1; }
prints 'pktc fmt' hook pktc-fmt
prints 'pktc fmt --check' hook pktc-fmt-check
prints 'pktc --check' hook pktc-check
prints 'share/packaging/diff-comment.sh' hook pktc-diff
check pktc fmt --check game.pkt
check pktc -o generated game.pkt
check pktc --check -o generated game.pkt
printf 'packet  Odd { u8 n; }\n' >>game.pkt
check sh -c '! pktc fmt --check game.pkt && ! pktc --check -o generated game.pkt'

# ---- the workflow: its goals of make, and its scripts

cd "$top" || exit 1
for file in $(grep -ohE '(tests|share)/[a-z/_-]*\.sh' .github/workflows/*.yml .github/actions/*/*.yml .pre-commit-hooks.yaml |
    sort -u); do
    check test -x "$file"
done
grep -ohE 'make -j[0-9].*' .github/workflows/*.yml | while read -r _ _ goals; do
    MAKEFLAGS='' "$make" -n $goals >/dev/null 2>&1 || echo "$goals"
done >"$scratch/unknown"
check test ! -s "$scratch/unknown"
finish
