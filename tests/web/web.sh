#!/bin/sh
# web.sh - makes the page of share/web, and tests it in chromium.
# SPDX-License-Identifier: MIT
#
# usage: MAKE=make BUILD=build PKTC=build/pktc web.sh SCRATCH
scratch=$1
. tests/dist/common.sh
for tool in clang-wasi node npm dpkg-source chromium; do
    .ci/need $tool >/dev/null 2>&1 || { skip "the page: there is no $tool"; exit 0; }
done
fetched="$BUILD/web/sources/jansson $BUILD/web/npm/stamp"
# shellcheck disable=SC2086
if ! npm_config_fetch_retries=1 timeout 200 "${MAKE:-make}" B="$BUILD" $fetched >"$scratch/fetched" 2>&1; then
    tail -n 5 "$scratch/fetched"
    skip 'the page: apt-get or npm cannot fetch what it is made of'
    exit 0
fi
check "${MAKE:-make}" B="$BUILD" web
[ $failed = 0 ] || finish
leaving_nothing timeout 500 node tests/web/page.mjs "$BUILD/web" "$scratch"
