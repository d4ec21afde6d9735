#!/bin/sh
# run.sh - runs the example: a server and a client process; prints which packets the server refused, and which bad
# ones the client sent.
# SPDX-License-Identifier: MIT
#
# usage: run.sh DIR [SECONDS]       DIR has server and client, which both end by themselves
set -u
dir=$1
rm -f "$dir/server.log"     # of an earlier run, with another port
"$dir/server" >"$dir/server.log" &
server=$!
port=
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    port=$(awk '/^listening/ { print $4 }' "$dir/server.log" 2>/dev/null)
    [ -n "$port" ] && break
    sleep 0.1
done
"$dir/client" "${port:-0}" "${2:-5}" >"$dir/client.log" || { kill $server; exit 1; }
wait $server || exit 1

echo "The server:"
grep -v '^refused\|^listening' "$dir/server.log"
awk '
    /^dropped/ { dropped = $2 }
    /^injected/ { injected[$2] = $3; reasons[$2] = 1 }
    /^refused/ { refused[$2] = $3; reasons[$2] = 1 }
    /^[a-z ]+packets +bytes/ { part = FILENAME ~ /client/ ? $1 : "" }
    part == "sent" && /^  / { whole += $2 }
    FILENAME ~ /server/ && /^received/ { arriving = 1 }
    FILENAME ~ /server/ && /^sent/ { arriving = 0 }
    arriving && /^  / { arrived += $2 }
    END {
        printf "%-24s %10s %10s\n", "the clients\047 datagrams", "sent", "arrived"
        printf "  %-22s %10d %10d\n", "whole", whole, arrived
        printf "  %-22s %10d %10d\n", "dropped", dropped, 0
        bad = whole != arrived
        for (r in reasons) {
            printf "  %-22s %10d %10d\n", "refused: " r, injected[r], refused[r] | "sort"
            bad = bad || injected[r] != refused[r]
        }
        close("sort")
        print bad ? "FAILED: the server did not refuse exactly what was injected." \
            : "All undamaged packets arrived, and all injected ones were refused for the right reason."
        exit bad
    }' "$dir/client.log" "$dir/server.log"
