#!/bin/sh
# wasm.sh - compiles the one-file pktc for wasm, with jansson.
# SPDX-License-Identifier: MIT
#
# usage: wasm.sh PKTC.c JANSSON SCRATCH FILE.wasm       from the top directory
#
# JANSSON is a folder with its sources.
# Lists of words are split on purpose.
# shellcheck disable=SC2086
set -eu
source=$1 jansson=$2 scratch=$3 target=$4
here=share/web/wasm
cc=${WASM_CC:-clang}
# Clang would look for missing headers among those of this machine, so the folders are named.
flags="--target=wasm32-wasi -Oz -w -ffunction-sections -fdata-sections -nostdlibinc -I$scratch -I$here
    -isystem /usr/include/wasm32-wasi -D_WASI_EMULATED_SIGNAL -I$jansson/src"

mkdir -p "$scratch"
rm -f "$scratch"/*.o
sed 's/@json_inline@/inline/; s/@json_have_long_long@/1/; s/@json_have_[a-z_]*@/0/' \
    "$jansson/src/jansson_config.h.in" >"$scratch/jansson_config.h"
for name in dump error hashtable hashtable_seed load memory pack_unpack strbuffer strconv utf value; do
    $cc $flags -DHAVE_CONFIG_H -c "$jansson/src/$name.c" -o "$scratch/jansson_$name.o"
done
$cc $flags -D_GNU_SOURCE -c $here/missing.c -o "$scratch/missing.o"
# Nothing on the page writes Parquet, bindings, or the runtime beside the generated files.
sed -e '/^    each(\(tables\|bindings\)) /d' -e '/^static const unsigned char runtime_file_[0-9]*\[\] = {$/,/^};$/d' \
    -e '/^const runtime_file runtime_files\[\] = {$/,/^};$/c const runtime_file runtime_files[1];' \
    -e 's/^\(const size_t runtime_file_count = \).*/\10;/' "$source" >"$scratch/pktc.c"
$cc $flags -std=c11 -D_GNU_SOURCE -DPKTC_JSON -c "$scratch/pktc.c" -o "$scratch/pktc.o"
# The stack is first in memory, so that a deep one ends the program instead of overwriting data. The page gives the memory,
# whatever is in it.
$cc --target=wasm32-wasi -Wl,--gc-sections,--strip-all,--import-memory,--stack-first,-z,stack-size=4194304,--max-memory=536870912 \
    "$scratch"/*.o -o "$target"
