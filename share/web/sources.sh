#!/bin/sh
# sources.sh - unpacks the sources of a library from Debian's source package, for wasm, which Debian has no binaries for.
# SPDX-License-Identifier: MIT
#
# usage: sources.sh DIR PACKAGE     makes DIR
#
# Needs apt-get and dpkg-source, but not root: apt-get works in a folder of its own, with the archives of Debian that this
# machine installs from, and their keys.
set -eu
to=$1 package=$2
mkdir -p "$(dirname "$to")"
rm -rf "$to" "$to.apt"
mkdir -p "$to.apt/lists/partial" "$to.apt/cache/archives/partial" "$to.apt/parts" "$to.apt/unpacked"
apt=$(cd "$to.apt" && pwd)
# shellcheck disable=SC2016
apt-get indextargets --format 'deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
    grep -v security | sort -u >"$apt/sources"
if [ ! -s "$apt/sources" ]; then
    echo "no archive of Debian: unpack the sources of $package, and name the folder with make web $(echo "$package" | tr a-z A-Z)_SOURCE=" >&2
    exit 1
fi
get() {
    apt-get -qq -o Dir::Etc::sourcelist="$apt/sources" -o Dir::Etc::sourceparts="$apt/parts" \
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User= "$@"
}
get update
(cd "$apt/unpacked" && get source "$package" >/dev/null 2>&1)
mv "$apt/unpacked/$package"-*/ "$to"
rm -rf "$apt"
