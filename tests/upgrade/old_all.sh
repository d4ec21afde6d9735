#!/bin/sh
# old_all.sh - writes an older all.pkt, with other types and shorter arrays, and what it imports.
# SPDX-License-Identifier: MIT
#
# usage: old_all.sh DIR
set -eu
cp schemas/vec.pkt "$1"
sed 's/\[<=[0-9]*\]/[<=2]/; s/string<[0-9]*>/string<5>/; s/bytes<[0-9]*>/bytes<3>/; s/unit<[0-9]*>/unit<4>/
     s/float \([a-z]\)/double \1/; s/u8 /u16 /; s/ unless [^;,]*//' schemas/all.pkt >"$1/all.pkt"
