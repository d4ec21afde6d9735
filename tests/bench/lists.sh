#!/bin/sh
# lists.sh - counts the instructions for a world of 32 entities in a list of at most 4,096, beside those for an array of 32.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc BUILD=build/lists CC=cc lists.sh
#
# The entities are those of tests/match/rounded.pkt; their key is the last field, so that the others have the same places. BUILD is a directory that it may delete. Fails if anything takes more than 1.1
# times the instructions with the list, but to save it: to save an array is memcpy. The list of flags is split on purpose.
# shellcheck disable=SC2086
set -u
: "${PKTC:?}" "${BUILD:?}"
here=$(cd "$(dirname "$0")" && pwd)
command -v valgrind >/dev/null || { echo "lists.sh needs valgrind" >&2; exit 1; }
rm -rf "$BUILD"

schema() {
    cat <<END
protocol lists = 1 prefix list_;
$(sed -n '/^struct Path /,/^struct Act /{ /^struct Act /q; p }' "$here/../match/rounded.pkt" |
    sed '/^    int<0, 1022> id/d; /^    Spin spin/a\    int<0, 4095> id;')
struct World @delta @save @large {
    i32 time;
    Entity entities[<=4096] by id;
}
packet ToClient @large {
    u16 number;
    optional int<1, 31> back;
    World world delta(number from number - back);
}
END
}

# measure NAME EDITS FLAGS: with the schemas that EDITS make.
measure() {
    made=$BUILD/$1
    mkdir -p "$made"
    schema | sed "$2" >"$made/lists.pkt" &&
        sed 's/lists = 1 prefix list_/arrays = 1 prefix array_/; s/\[<=4096\] by id/[32]/; s/ @large//' "$made/lists.pkt" \
            >"$made/arrays.pkt" &&
        "$PKTC" -o "$made" "$made/lists.pkt" && "$PKTC" -o "$made" "$made/arrays.pkt" &&
        ${CC:-cc} -std=c11 -O2 -gdwarf-4 -Wall -Wextra $3 -I"$made" -o "$made/lists" "$here/lists.c" "$made"/*.c -lm \
            -Wl,-z,now &&
        valgrind -q --tool=callgrind --toggle-collect='counted_*' --callgrind-out-file="$made/callgrind" "$made/lists" &&
        callgrind_annotate --inclusive=yes --threshold=100 --auto=no "$made/callgrind" >"$made/annotated" || return 1
    awk -v mode="$1" '
        match($0, /:counted_(list|array)_[a-z_]+/) {
            name = substr($0, RSTART + 9, RLENGTH - 9)
            gsub(/,/, "", $1)
            if ($1 + 0 > cost[name]) # a function also has lines for what is inlined from other files
                cost[name] = $1 + 0
        }
        END {
            count = split("write read write_delta read_delta copy equal quantize keep", names)
            for (i = 1; i <= count; i++) {
                list = cost["list_" names[i]]
                array = cost["array_" names[i]]
                if (array == 0)
                    continue
                printf "%-10s %-12s %9d %9d %6.2f\n", mode, names[i], list, array, list / array
                over = over || list > 1.1 * array
            }
            count = split("save restore", names) # of the array, memcpy: so there is no limit
            for (i = 1; i <= count; i++)
                printf "%-10s %-12s %9d %9d %6.2f\n", mode, names[i], cost["list_" names[i]], cost["array_" names[i]],
                    cost["list_" names[i]] / cost["array_" names[i]]
            exit over
        }' "$made/annotated" && "$made/lists" time
}

printf 'Instructions for a world of 32 entities, in a list of at most 4,096 and in an array of 32, with %s\n' \
    "$(${CC:-cc} --version | head -n 1)"
printf '%-10s %-12s %9s %9s %6s\n' fields '' list array ratio
status=0
measure steps '' '' || status=1
measure predicted 's/ delta<[^>]*>/ coded/g; s/\[<=4096\] by id/& coded/; s/^struct World @delta/&(predict)/' -DMOVING || status=1
exit $status
