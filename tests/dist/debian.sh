#!/bin/sh
# debian.sh - checks the Debian packages, `make package-debian`: two builds give the same bytes, lintian, piuparts and
# autopkgtest.
# SPDX-License-Identifier: MIT
#
# usage: BARE=DIRECTORY debian.sh SCRATCH        from the top directory; takes a few minutes
#
# piuparts and autopkgtest install into a bare machine, BARE/base, which tests/dist/bare.sh makes.
scratch=$1
. tests/dist/common.sh
mkdir "$scratch/root" "$scratch/test"

# The second build is in a folder with a longer name, in another time zone and language, with another umask and no home.
check env LC_ALL=C share/packaging/debian.sh "$scratch/first"
# Not in a folder with a blank: dpkg does not take the names of those out of what is compiled.
check env LC_ALL=C.UTF-8 TZ=Asia/Kathmandu HOME=/nonexistent \
    sh -c "umask 027 && share/packaging/debian.sh '$scratch/second/in/a/longer/path'"
for file in "$scratch"/first/*.deb "$scratch"/first/*.tar.* "$scratch"/first/*.dsc; do
    check cmp "$file" "$scratch/second/in/a/longer/path/${file##*/}"
done

# The address of the maintainer is that of whoever builds a package to publish it.
suppressed=
[ -n "${DEBEMAIL:-}" ] || suppressed=--suppress-tags=bogus-mail-host,bogus-mail-host-in-debian-changelog
check sh -c "lintian --allow-root --pedantic --fail-on=error,warning,pedantic $suppressed '$scratch'/first/*.changes"

# The test as autopkgtest runs it, with the packages in a folder instead of installed.
for file in "$scratch"/first/*.deb; do dpkg-deb -x "$file" "$scratch/root"; done
lib=$(dirname "$(find "$scratch/root/usr/lib" -name pkgconfig)")
check env PATH="$scratch/root/usr/bin:$PATH" PKG_CONFIG_LIBDIR="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$scratch/root" \
    AUTOPKGTEST_TMP="$scratch/test" share/packaging/debian/tests/game

if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    skip 'piuparts and autopkgtest: they need root and debootstrap'
    finish
fi
check tests/dist/bare.sh "$BARE" base

# Installs, removes and purges the packages: nothing of them is left.
if command -v piuparts >/dev/null; then
    check sh -c "piuparts --existing-chroot '$BARE/base' --keep-sources-list --warn-on-debsums-errors \
        '$scratch'/first/pktc_*.deb '$scratch'/first/libpkt-dev_*.deb"
else
    skip 'no piuparts'
fi

if command -v autopkgtest >/dev/null; then
    cp -a "$BARE/base" "$scratch/machine"
    check sh -c "autopkgtest --setup-commands='apt-get update' --no-built-binaries '$scratch'/first/pktc_*.dsc \
        '$scratch'/first/pktc_*.deb '$scratch'/first/libpkt-dev_*.deb -- chroot '$scratch/machine'"
    rm -rf "$scratch/machine"
else
    skip 'no autopkgtest'
fi
finish
