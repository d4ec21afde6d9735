#!/bin/sh
# run.sh - plays the example, and checks that nobody saw anything that the server did not send.
# SPDX-License-Identifier: MIT
#
# usage: run.sh DIR [SECONDS [OPTION...]]    DIR has server, bots, and perhaps spectator, spectator_cs, spectator_js and bots
#                                            of older releases (bots_v6), which all end by themselves. The options are for the bots
set -u
dir=$1
length=${2:-5}
shift $(($# < 2 ? 1 : 2))
rm -f "$dir/server.out"     # of an earlier run, with another port
"$dir/server" 0 "$dir/server.log" "$dir/match.pcapng" >"$dir/server.out" &
server=$!
port=
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    port=$(awk '/^listening/ { print $4 }' "$dir/server.out" 2>/dev/null)
    [ -n "$port" ] && break
    sleep 0.1
done
spectators=
for spectator in "$dir/spectator" "$dir/spectator_cs" "$dir/spectator_js"; do
    : >"$spectator.log"
    [ -x "$spectator" ] || continue
    "$spectator" "${port:-0}" "$length" "$spectator.log" >"$spectator.out" &
    spectators="$spectators $!"
done
old=
for bots in "$dir"/bots_v[0-9]; do
    [ -x "$bots" ] || continue
    "$bots" "${port:-0}" --bots 8 --seed 9 --seconds "$length" --log "$bots.log" "$@" >"$bots.out" &
    old="$old $!"
done
"$dir/bots" "${port:-0}" --bots 48 --seconds "$length" --log "$dir/bots.log" --wrong-baseline "$@" >"$dir/bots.out"
status=$?
[ $status -le 1 ] || kill $server     # they have not begun
for bots in $old; do
    wait "$bots" || status=1
done
for spectator in $spectators; do
    wait "$spectator" || status=1
done
wait $server || status=1

echo "The server:"
sed '/^listening/d; s/^/  /' "$dir/server.out"
echo "The bots:"
sed 's/^/  /' "$dir/bots.out"
for out in "$dir"/bots_v[0-9].out; do
    [ ! -f "$out" ] || sed -n '/^release/,$p' "$out" | sed 's/^/  /'
done
for spectator in "$dir/spectator" "$dir/spectator_cs" "$dir/spectator_js"; do
    [ -x "$spectator" ] || continue
    case $spectator in *_cs) in='C#' ;; *_js) in=JavaScript ;; *) in=C++ ;; esac
    echo "The spectator, in $in:"
    sed 's/^/  /' "$spectator.out"
done

awk -f "$(dirname "$0")/compare.awk" "$dir/server.log" "$dir/bots.log" $(ls "$dir"/bots_v[0-9].log 2>/dev/null) "$dir"/spectator*.log || status=1
echo "What the server sent and received is in $dir/match.pcapng: pktc decode shows it as JSON."
exit $status
