#!/bin/sh
# install.sh - checks make install with DESTDIR and with prefix, and a game that finds everything with pkg-config.
# SPDX-License-Identifier: MIT
#
# usage: install.sh SCRATCH
scratch=$1
. tests/dist/common.sh
make=${MAKE:-make}

check "$make" install DESTDIR="$scratch/stage" prefix=/opt/pktc
for file in bin/pktc include/pktc/pkt.h include/pktc/pkt_inside.h lib/libpkt.a lib/pkgconfig/pktc.pc share/man/man1/pktc.1 \
            share/cmake/pktc/pktcConfig.cmake share/pktc/runtime/pkt_stream.c share/pktc/handshake/handshake.pkt \
            share/bash-completion/completions/pktc \
            share/zsh/site-functions/_pktc share/fish/vendor_completions.d/pktc.fish; do
    check test -f "$scratch/stage/opt/pktc/$file"
done
check grep -q '^prefix=/opt/pktc$' "$scratch/stage/opt/pktc/lib/pkgconfig/pktc.pc"

check "$make" install prefix="$scratch/usr"
PKG_CONFIG_PATH=$scratch/usr/lib/pkgconfig
export PKG_CONFIG_PATH
if command -v pkg-config >/dev/null; then
    prints "pktc $(pkg-config --modversion pktc)" sh -c "'$scratch/usr/bin/pktc' --version | head -n 1"
    check "$(pkg-config --variable=pktc pktc)" --no-runtime -I "$game/shared" -o "$scratch/made" "$game/game.pkt"
    # shellcheck disable=SC2046
    check ${CC:-cc} -I"$scratch/made" -o "$scratch/game" "$game/game.c" "$scratch"/made/*.c \
        $(pkg-config --cflags --libs pktc)
    prints 'anna pistol: 17 bytes' "$scratch/game"

    # The lines of build.md, in front of its rule.
    mkdir -p "$scratch/rule"
    cp schemas/mygame.pkt schemas/vec.pkt "$scratch/rule"
    cp "$game/rule.c" "$scratch/rule/game.c"
    awk '/^```make$/ { inside = 1; blocks++; next } /^```/ { inside = 0 } inside { text[blocks] = text[blocks] $0 "\n" }
         END { sub(/PKTC = pktc\n/, text[2], text[1]); printf "%s", text[1] }' docs/build.md >"$scratch/rule/Makefile"
    check env -u MAKEFLAGS -u MAKELEVEL "$make" -C "$scratch/rule" game
    check test ! -e "$scratch/rule/generated/pkt.c"
    prints 'x 32' "$scratch/rule/game"
else
    skip 'no pkg-config'
fi

# The manual page has all options, and no others. Some are options of several commands.
"$scratch/usr/bin/pktc" --help | awk '/^  -/ { if ($1 == "-h,") $1 = $2; sub(/=.*/, "", $1); print $1 }' |
    sort -u >"$scratch/options"
awk '$1 == ".TP" { getline; gsub(/\\/, ""); gsub(/[="]/, ""); if ($2 ~ /^-/) print $2 }' docs/pktc.1 |
    sort -u >"$scratch/documented"
check diff "$scratch/options" "$scratch/documented"
finish
