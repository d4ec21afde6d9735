#!/bin/sh
# packages.sh - makes and tests what share/packaging has: one package, or each that takes only seconds.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc DIST=build/dist BUILD=build packages.sh SCRATCH [NAME]
#
# `make package-NAME` runs it with a name. Of the systems that are not to be had here, tests/dist/packages has stand-ins,
# which run what a recipe says.
scratch=$1
name=${2-}
. tests/dist/common.sh
top=$PWD
version=$("$PKTC" --version | sed -n 's/^pktc //p')
packaging=share/packaging
standing=tests/dist/packages
has() { check grep -qF "$2" "$packaging/$1"; }

# A function named meson would be what `command -v meson` finds.
test_meson() {
    has meson/subprojects/pktc.wrap "directory = pktc-$version"
    has meson/subprojects/pktc.wrap "source_filename = pktc-$version.tar.gz"
    has meson/subprojects/packagefiles/pktc/meson.build "version: '$version'"
    command -v meson >/dev/null || { skip 'a game with Meson: no meson'; return; }
    mkdir "$scratch/meson"
    cp -R "$game/." $packaging/meson/meson.build "$scratch/meson"
    check env DIST="$DIST" $packaging/meson.sh "$scratch/meson"
    check meson setup "$scratch/meson/build" "$scratch/meson"
    check meson compile -C "$scratch/meson/build" -j 2
    prints 'anna pistol: 17 bytes' "$scratch/meson/build/game"
}

test_conan() {
    has conan/conanfile.py "version = \"$version\""
    check "$PKTC" -o "$scratch/conan" $packaging/conan/test_package/game.pkt
    check ${CC:-cc} -I"$scratch/conan" -o "$scratch/conan/game" $packaging/conan/test_package/game.c "$scratch"/conan/*.c
    check "$scratch/conan/game"
    command -v python3 >/dev/null || { skip 'the recipe of Conan: no python3'; return; }
    for file in conanfile.py test_package/conanfile.py; do
        check python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$packaging/conan/$file"
    done
}

test_homebrew() {
    command -v ruby >/dev/null || { skip 'the formula of Homebrew: no ruby'; return; }
    mkdir -p "$scratch/homebrew/prefix" "$scratch/homebrew/test"
    check env MAKEFLAGS="B=$BUILD" ruby -w $standing/formula.rb $packaging/homebrew/pktc.rb "$scratch/homebrew/prefix" \
        "$scratch/homebrew/test"
    command -v rubocop >/dev/null || { skip 'the style of the formula: no rubocop'; return; }
    check rubocop --cache false --only Lint,Security $packaging/homebrew/pktc.rb
}

test_vcpkg() {
    has vcpkg/ports/pktc/vcpkg.json "\"version\": \"$version\""
    command -v cmake >/dev/null || { skip 'the port of vcpkg: no cmake'; return; }
    packages=$scratch/vcpkg/packages
    check env PKTC_SOURCE="$top" PKTC_PROGRAM="$(cd "$(dirname "$PKTC")" && pwd)/pktc" cmake \
        -DPORT="$top/$packaging/vcpkg/ports/pktc" -DCURRENT_PACKAGES_DIR="$packages" -DBUILD="$scratch/vcpkg/build" \
        -P $standing/vcpkg.cmake
    check test -x "$packages/tools/pktc/pktc"
    check test ! -e "$packages/bin"
    check sh -c "test ! -e '$packages/debug/include' && test ! -e '$packages/debug/share'"
    check cmp LICENSE "$packages/share/pktc/copyright"
    cp -R "$game" "$scratch/vcpkg/game"
    cat >"$scratch/vcpkg/game/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(tiny C)
find_package(pktc REQUIRED)
add_executable(game game.c)
pktc_generate(TARGET game SCHEMAS game.pkt IMPORT_DIRS shared)
END
    check cmake -S "$scratch/vcpkg/game" -B "$scratch/vcpkg/made" -DCMAKE_PREFIX_PATH="$packages"
    check grep -qF "$packages/tools/pktc/pktc" "$scratch/vcpkg/made/CMakeCache.txt"
    check cmake --build "$scratch/vcpkg/made"
    prints 'anna pistol: 17 bytes' "$scratch/vcpkg/made/game"
}

test_nix() {
    has nix/flake.nix "version = \"$version\""
    if ! command -v nix >/dev/null || ! git rev-parse --git-dir >/dev/null 2>&1; then
        skip 'the flake of Nix: no nix, or no clone'
        return
    fi
    flake="git+file://$top?dir=$packaging/nix"
    # In a store of its own, without a network.
    run_nix() {
        HOME=$scratch/nix NIX_CONFIG='build-users-group =' nix --store "$scratch/nix/store" \
            --extra-experimental-features 'nix-command flakes' "$@" --offline --no-write-lock-file \
            --override-input nixpkgs "path:$top/$standing/nixpkgs" 2>"$scratch/nix/said" || cat "$scratch/nix/said"
    }
    mkdir "$scratch/nix"
    prints '' run_nix flake check --no-build "$flake"
    for system in x86_64-linux aarch64-darwin; do
        prints "pktc-$version" run_nix eval --raw "$flake#packages.$system.default.name"
        prints '[ "re2c" "lemon" "jansson" "zlib" "zstd" ]' run_nix eval "$flake#packages.$system.default" \
            --apply 'made: map (tool: tool.name) (made.nativeBuildInputs ++ made.buildInputs)'
    done
}

case $name in
'') for each in meson conan homebrew vcpkg nix; do "test_$each"; done ;;
cmake) exec tests/dist/cmake.sh "$scratch" ;;
dist) exec tests/dist/dist.sh "$scratch" "$DIST" ;;
debian) exec tests/dist/debian.sh "$scratch" ;;
docker)
    [ "$(id -u)" = 0 ] || { skip 'the Dockerfile: a bare machine needs root'; finish; }
    check tests/dist/bare.sh "$BARE" docker
    ;;
*) "test_$name" ;;
esac
finish
