#!/bin/sh
# meson.sh - puts pktc as a wrap into a project of Meson: subprojects/pktc.wrap and its packagefiles.
# SPDX-License-Identifier: MIT
#
# usage: [DIST=build/dist] meson.sh PROJECT        from the top directory, after make dist
set -eu
project=$1
name=pktc-$(sed -n 's/^#define PKTC_VERSION "\(.*\)"/\1/p' compiler/driver/*.c)
mkdir -p "$project/subprojects"
project=$(cd "$project" && pwd)
cp -R share/packaging/meson/subprojects/. "$project/subprojects"
tar -C "${DIST:-build/dist}" --transform "s|^|$name/|" -czf "$project/subprojects/packagefiles/$name.tar.gz" \
    pktc.c pkt.h pkt_inside.h pkt.c
