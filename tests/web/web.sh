#!/bin/sh
# web.sh - makes the page of share/web, and tests it in chromium.
# SPDX-License-Identifier: MIT
#
# usage: MAKE=make BUILD=build PKTC=build/pktc web.sh SCRATCH
scratch=$1
. tests/dist/common.sh
for tool in wasm-ld-14 node npm dpkg-source chromium; do
    command -v $tool >/dev/null || { skip "no $tool"; finish; }
done
check "${MAKE:-make}" B="$BUILD" web
[ $failed = 0 ] || finish
PKTC=$PKTC NODE_PATH=$BUILD/web/npm/node_modules node tests/web/page.mjs "$BUILD/web" "$scratch"
