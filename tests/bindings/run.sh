#!/bin/sh
# run.sh - tests what `pktc bind` writes: with the vectors of tests/data, the worlds of the example, a packet of an older
# release, and a library of another schema.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc VECTORS=build/vectors run.sh SCRATCH
#
# Without mono, the C that every language calls is compiled, and nothing runs.
# Lists of words are split on purpose.
# shellcheck disable=SC2086
scratch=$1
. tests/dist/common.sh
. tests/bindings/common.sh
: "${PKTC:?}" "${VECTORS:?}"
cc=${CC:-cc}
strict="-std=c99 $warnings -Wundef -Wmissing-prototypes"
library="$cc -std=c99 -O0 -fPIC -shared"
mono=
if command -v mcs >/dev/null && command -v mono >/dev/null; then
    mono='mcs -warnaserror -unsafe -langversion:7'
else
    skip 'C#: no mcs (package mono-mcs)'
fi

# The C of all kinds of schemas, without warnings.
# A local member of a C type that is no pointer is refused, as test_bind.c has it.
for schema in schemas/all.pkt schemas/mygame.pkt $(grep -L 'local "double"' tests/roundtrip/*.pkt); do
    stem=$(basename "$schema" .pkt)
    check "$PKTC" -o "$scratch/$stem" "$schema"
    check "$PKTC" bind cs -o "$scratch/$stem" "$schema"
    check $cc $strict -fsyntax-only -I"$scratch/$stem" -Itests/roundtrip "$scratch/$stem/${stem}_bind.c"
done

check "$PKTC" bind cs -o "$scratch" tests/commands/golden/bound.pkt
[ -z "$mono" ] || check $mono -target:library -out:"$scratch/bound.dll" "$scratch/bound.cs"

# Vectors: C# gives the bytes and values of each record, and the errors of C.
objects=
mkdir -p "$scratch/runtime"
for part in runtime/*.c tests/interop/replay/*.c; do
    object=$scratch/runtime/$(basename "$part" .c).o
    check $cc -std=c99 -O1 -fPIC -Iruntime -Itests/fuzz -c -o "$object" "$part"
    case $part in runtime/*) objects="$objects $object" ;; esac
done

# One schema of a vectors file.
vectors_of() {
    directory=$1
    name=$2
    "$PKTC" --reflect --no-runtime -o "$directory" "$directory/$name.pkt" 2>/dev/null &&
        "$PKTC" bind cs -o "$directory" "$directory/$name.pkt" &&
        $cc -std=c99 -O0 -I"$directory" -Iruntime -Itests/fuzz -o "$directory/$name" "$directory/${name}_glue.c" \
            "$scratch/runtime/replay.o" "$scratch/runtime/reflected.o" $objects -lm &&
        $library -I"$directory" -Iruntime -o "$directory/lib$name.so" "$directory/${name}_bind.c" "$directory/$name.c" $objects -lm &&
        $mono -out:"$directory/$name.exe" tests/bindings/Replay.cs tests/bindings/Values.cs tests/bindings/Json.cs "$directory/$name.cs" &&
        LD_LIBRARY_PATH=$directory mono "$directory/$name.exe" "$name" "$directory" >"$directory/$name.said" &&
        "$directory/$name" --errors <"$directory/$name.records" |
            sed -n 's/^\[  PASSED  \] \([0-9]*\) tests/passed \1/p; /^[0-9]*: /p' >"$directory/$name.wanted" &&
        diff "$directory/$name.wanted" "$directory/$name.said"
}

[ -z "$mono" ] || check_vectors

# The worlds of the example.
make_arena cs
check $cc -std=c99 -O1 -I"$arena" -o "$arena/play" tests/bindings/play.c "$arena/arena.c" "$arena/arena_upgrade.c" "$arena/pkt.c" -lm
check $library -I"$arena" -o "$arena/libarena.so" "$arena/arena_bind.c" "$arena/arena.c" "$arena/arena_upgrade.c" "$arena/pkt.c" -lm
if [ -n "$mono" ]; then
    check $mono -out:"$arena/Play.exe" tests/bindings/Play.cs "$arena/arena.cs"
    check sh -c "cd '$arena' && ./play old >wanted && LD_LIBRARY_PATH=. mono Play.exe old >said && diff wanted said"
fi

# An older release, and a library of another schema than the C#.
moved=$scratch/moved
check "$PKTC" archive "$moved/releases" tests/bindings/before.pkt
check "$PKTC" archive "$moved/releases" tests/bindings/moved.pkt
check "$PKTC" --upgrade "$moved/releases" -o "$moved" tests/bindings/moved.pkt
check "$PKTC" bind cs --releases -o "$moved" tests/bindings/moved.pkt
echo '{"x": 200, "name": "anna"}' >"$moved/old.json"
check sh -c "'$PKTC' encode tests/bindings/before.pkt Move '$moved/old.json' >'$moved/old'"
check $library -I"$moved" -o "$moved/libmoved.so" "$moved/moved_bind.c" "$moved/moved.c" "$moved/moved_upgrade.c" "$moved/pkt.c" -lm
mkdir -p "$moved/other"
sed 's/u16 x/u32 x/' tests/bindings/moved.pkt >"$moved/other/moved.pkt"
check "$PKTC" -o "$moved/other" "$moved/other/moved.pkt"
check "$PKTC" bind cs -o "$moved/other" "$moved/other/moved.pkt"
check $library -I"$moved/other" -o "$moved/other/libmoved.so" "$moved/other/moved_bind.c" "$moved/other/moved.c" "$moved/other/pkt.c" -lm
sed 's/UINT64_C(0x[0-9a-f]*),$/UINT64_C('"$(sed -n 's/.*Same("the protocol id", \*at++, \(0x[0-9a-f]*\)).*/\1/p' "$moved/moved.cs")"'),/' \
    "$moved/other/moved_bind.c" >"$moved/other/same_bind.c"
check $library -I"$moved/other" -o "$moved/other/libsame.so" "$moved/other/same_bind.c" "$moved/other/moved.c" "$moved/other/pkt.c" -lm
if [ -n "$mono" ]; then
    check $mono -out:"$moved/Moved.exe" tests/bindings/Moved.cs "$moved/moved.cs"
    prints 'True 1 200 anna
0 True True
a text that is 
14 True
size
0 capacity' env LD_LIBRARY_PATH="$moved" mono "$moved/Moved.exe" "$moved/old"
    ids=$(sed -n 's/.*Same("the protocol id", \*at++, \(0x[0-9a-f]*\)).*/\1/p' "$moved/moved.cs" "$moved/other/moved.cs")
    cp "$moved/Moved.exe" "$moved/other"
    # shellcheck disable=SC2046
    prints "moved.cs is not of the library moved: the protocol id is $(printf '%u in moved.cs and %u in the library' $ids). Make both of one schema." \
        env LD_LIBRARY_PATH="$moved/other" mono "$moved/other/Moved.exe" "$moved/old"
    mv "$moved/other/libsame.so" "$moved/other/libmoved.so"
    prints 'moved.cs is not of the library moved: the size of Move is 18 in moved.cs and 20 in the library. Make both of one schema.' \
        env LD_LIBRARY_PATH="$moved/other" mono "$moved/other/Moved.exe" "$moved/old"
fi
finish
