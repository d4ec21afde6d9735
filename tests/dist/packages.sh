#!/bin/sh
# packages.sh - checks share/packaging: its versions, the program of Conan's test, and a game built by Meson.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc DIST=build/dist packages.sh SCRATCH
scratch=$1
. tests/dist/common.sh
version=$("$PKTC" --version | sed -n 's/^pktc //p')
packaging=share/packaging
has() { check grep -qF "$2" "$packaging/$1"; }
has vcpkg/ports/pktc/vcpkg.json "\"version\": \"$version\""
has conan/conanfile.py "version = \"$version\""
has nix/flake.nix "version = \"$version\""
has meson/subprojects/pktc.wrap "directory = pktc-$version"
has meson/subprojects/pktc.wrap "source_filename = pktc-$version.tar.gz"
has meson/subprojects/packagefiles/pktc/meson.build "version: '$version'"

check "$PKTC" -o "$scratch/conan" $packaging/conan/test_package/game.pkt
check ${CC:-cc} -I"$scratch/conan" -o "$scratch/conan/game" $packaging/conan/test_package/game.c "$scratch"/conan/*.c
check "$scratch/conan/game"

if command -v meson >/dev/null; then
    mkdir "$scratch/meson"
    cp -R "$game/." $packaging/meson/meson.build "$scratch/meson"
    check env DIST="$DIST" $packaging/meson.sh "$scratch/meson"
    check meson setup "$scratch/meson/build" "$scratch/meson"
    check meson compile -C "$scratch/meson/build" -j 2
    prints 'anna pistol: 17 bytes' "$scratch/meson/build/game"
else
    skip 'a game with Meson: no meson'
fi
finish
