# common.sh - what the tests of all languages share; after tests/dist/common.sh.
# SPDX-License-Identifier: MIT
#
# shellcheck shell=sh

# Calls vectors_of DIRECTORY NAME, a check of the caller, for each schema of the vectors in tests/data.
check_vectors() {
    for file in tests/data/vectors.txt tests/data/*.jsonl; do
        directory=$scratch/$(basename "$file")
        mkdir -p "$directory"
        "$VECTORS" "$file" "$directory" >/dev/null 2>&1 || { echo "failed: $file"; failed=$((failed + 1)); }
        for schema in "$directory"/*.pkt; do check vectors_of "$directory" "$(basename "$schema" .pkt)"; done
    done
}

# The schema of the example for a language, in $arena, and `old`: a packet of an older release. A ToServer of release 7 cannot be
# read, because it has a chain.
make_arena() {
    arena=$scratch/arena
    check "$PKTC" --upgrade schemas/example/releases -o "$arena" schemas/example/arena.pkt
    check "$PKTC" bind "$1" --releases -o "$arena" schemas/example/arena.pkt
    echo '{"newest": 9, "commands": [{}]}' >"$arena/old.json"
    check sh -c "'$PKTC' encode --seed 0x123456789 schemas/example/releases/arena-008*.pkt ToServer '$arena/old.json' >'$arena/old'"
}
