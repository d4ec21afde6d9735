#!/bin/sh
# example.sh - checks that the example runs, ends by itself, and refuses exactly the bad packets that were injected.
# SPDX-License-Identifier: MIT
#
# usage: example.sh DIR     DIR has server and client
set -u
# A log that an earlier run has left must not be used.
echo 'listening on port 9' >"$1/server.log"
if timeout 60 schemas/example/run.sh "$1" 2; then
    echo '[  PASSED  ] 1 test(s).'
else
    echo '[  FAILED  ] 1 test(s)'
    exit 1
fi
