#!/bin/sh
# example.sh - the example runs, ends by itself, and refuses what was injected, all of it and nothing else.
# SPDX-License-Identifier: MIT
#
# usage: example.sh DIR     DIR holds server and client
set -u
# What an earlier run left behind must not be taken for this one's.
echo 'listening on port 9' >"$1/server.log"
if timeout 60 schemas/example/run.sh "$1" 2; then
    echo '[  PASSED  ] 1 test(s).'
else
    echo '[  FAILED  ] 1 test(s)'
    exit 1
fi
