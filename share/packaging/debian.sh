#!/bin/sh
# debian.sh - builds the Debian packages pktc and libpkt-dev from the committed files, `make deb`.
# SPDX-License-Identifier: MIT
#
# usage: debian.sh INTO        from the top directory
#
# Needs dpkg-dev, debhelper, re2c, lemon, and the headers of jansson, zlib and libzstd. The date of the last commit is in the
# packages, so two builds give the same bytes. DEBFULLNAME and DEBEMAIL are the maintainer, as for other tools of Debian.
set -eu
# The archive of the sources has the rights of its files.
umask 022
into=$1
version=$(sed -n 's/^#define PKTC_VERSION "\(.*\)"/\1/p' compiler/driver/*.c)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
maintainer="${DEBFULLNAME:-pktc} <${DEBEMAIL:-pktc@localhost}>"
rm -rf "$into"
mkdir -p "$into/pktc-$version"
into=$(cd "$into" && pwd)
git archive HEAD | tar -x -C "$into/pktc-$version"
cp -R share/packaging/debian "$into/pktc-$version/debian"
sed -i "s/@MAINTAINER@/$maintainer/" "$into/pktc-$version/debian/control"
cat >"$into/pktc-$version/debian/changelog" <<END
pktc ($version) unstable; urgency=medium

  * See CHANGELOG.md.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
cd "$into/pktc-$version"
# A make that is the parent of this one must not say how this build runs.
unset MAKEFLAGS MAKELEVEL MFLAGS CFLAGS
dpkg-buildpackage -us -uc >"$into/build.log" 2>&1 || { tail -n 30 "$into/build.log" >&2; exit 1; }
ls "$into"/*.deb
