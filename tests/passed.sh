# passed.sh - what has passed before, by the content of all that it read: for tests/report and make prove.
# SPDX-License-Identifier: MIT
#
# Read with `.` by scripts. A file of results has lines KEY RESULT; results of older content stay there, so what has passed on
# another branch is known when it comes back.

# The key of what stands in the input.
key_of() { sha256sum | cut -c1-32; }

# FILE KEY: prints the results that are kept for a key.
known() { sed -n "s/^$2 //p" "${1:-/dev/null}" 2>/dev/null; }

# FILE KEY RESULT: keeps a result. Without FILE, does nothing.
keep() { [ -z "$1" ] || echo "$2 $3" >>"$1"; }
