#!/bin/sh
# debian_check.sh - checks the Debian packages, `make deb-check`: two builds give the same bytes, lintian has nothing to
# say, and the test of the package builds a game with what they install.
# SPDX-License-Identifier: MIT
#
# usage: debian_check.sh SCRATCH        from the top directory; takes a few minutes
set -eu
scratch=$1
packaging=share/packaging
rm -rf "$scratch"
mkdir -p "$scratch/root"
scratch=$(cd "$scratch" && pwd)
for build in first second; do $packaging/debian.sh "$scratch/$build"; done
for file in "$scratch"/first/*.deb; do cmp "$file" "$scratch/second/${file##*/}"; done
echo 'two builds: the same bytes'

# The address of the maintainer is that of whoever builds a package to publish it.
suppressed=
[ -n "${DEBEMAIL:-}" ] || suppressed=--suppress-tags=bogus-mail-host,bogus-mail-host-in-debian-changelog
lintian --allow-root --pedantic --fail-on=error,warning,pedantic $suppressed "$scratch"/first/*.changes
echo 'lintian: no tag'

# The test as autopkgtest runs it, with the packages in a folder instead of installed.
for file in "$scratch"/first/*.deb; do dpkg-deb -x "$file" "$scratch/root"; done
lib=$(dirname "$(find "$scratch/root/usr/lib" -name pkgconfig)")
mkdir "$scratch/test"
PATH=$scratch/root/usr/bin:$PATH PKG_CONFIG_LIBDIR=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$scratch/root \
    AUTOPKGTEST_TMP=$scratch/test $packaging/debian/tests/game
echo 'a game: builds and runs'
