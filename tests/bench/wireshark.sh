#!/bin/sh
# wireshark.sh - how much of tshark's time a dissector takes, and what it does in a list.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc wireshark.sh RECORDING SCHEMA SCRATCH [OPTION...]     options of `pktc wireshark`
set -eu
recording=$1 schema=$2 scratch=$3
shift 3
mkdir -p "$scratch"
"$PKTC" wireshark "$@" "$schema" >"$scratch/dissector.lua" 2>"$scratch/warnings"

# seconds OPTION...: the user time of tshark
seconds() {
    { HOME=$scratch command time -f %U tshark -n -r "$recording" "$@" >"$scratch/shown" 2>"$scratch/errors"; } 2>&1
    tail -n 1 "$scratch/errors"
}
echo 'tshark      without      with     times'
for way in '' -2 '-Y udp.length==9' -V; do
    # shellcheck disable=SC2086 # several options, or none
    without=$(seconds $way)
    # shellcheck disable=SC2086
    with=$(seconds $way -X "lua_script:$scratch/dissector.lua")
    awk -v way="${way:-listed}" -v without="$without" -v with="$with" \
        'BEGIN { printf "%-18s %7.2f s %7.2f s %7.1f\n", way, without, with, with / (without > 0 ? without : 0.01) }'
done
# Of the list: thousands of instructions of Lua, and what has no quick form.
HOME=$scratch tshark -n -r "$recording" -X lua_script:tests/dissect/work.lua -X "lua_script:$scratch/dissector.lua" \
    2>"$scratch/errors" >"$scratch/shown"
grep -E '^(work|slow) ' "$scratch/errors"
