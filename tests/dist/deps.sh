#!/bin/sh
# deps.sh - checks that make installs nothing unasked: without lemon or a compiler it names `make deps`, which installs
# them before it makes anything, whatever -j says; and that make -n makes nothing.
# SPDX-License-Identifier: MIT
#
# usage: MAKE=make deps.sh SCRATCH
scratch=$1
. tests/dist/common.sh

# All programs of this machine but lemon, and an apt-get that writes down its arguments and installs lemon.
bin=$scratch/bin
mkdir -p "$bin"
(
    IFS=:
    for directory in $PATH; do ln -s "$directory"/* "$bin" 2>/dev/null; done
)
lemon=$(command -v lemon)
rm -f "$bin/lemon" "$bin/apt-get" "$bin/id" "$bin/sudo"
stub() {
    printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}
stub id 'echo 0'
stub apt-get "echo \"\$*\" >>'$scratch/asked'; [ -e '$scratch/down' ] || ln -sf '$lemon' '$bin/lemon'"

# Runs make with two jobs, and keeps its last message that is not make's own.
run_make() {
    PATH=$bin "$MAKE" -j2 B="$scratch/build" "$@" >"$scratch/made" 2>&1
    status=$?
    grep -v "^make" "$scratch/made" | tail -1 >"$scratch/last"
    return $status
}
failing_make() { ! run_make "$@"; }

check failing_make
prints 'not installed: lemon. This installs what is missing: make deps' cat "$scratch/last"
check failing_make dist
prints 'not installed: lemon. This installs what is missing: make deps dist' cat "$scratch/last"
check test ! -e "$scratch/asked"

touch "$scratch/down"
check failing_make deps dist
prints 'not installed: lemon; on Debian and Ubuntu: sudo apt-get install lemon' cat "$scratch/last"
rm "$scratch/down" "$scratch/asked"

check run_make deps "$scratch/build/made/grammar.c" "$scratch/build/made/lexer.c"
check grep -q 'install .* lemon' "$scratch/asked"
check test -s "$scratch/build/made/grammar.c"
check test -s "$scratch/build/made/lexer.c"

# A machine without a compiler: no header can be looked for, so the message names the compiler too.
rm -rf "$bin/cc" "$scratch/build"
check failing_make
prints 'not installed: cc jansson.h. This installs what is missing: make deps' cat "$scratch/last"
rm "$scratch/asked"
check failing_make deps dist
check grep -q 'install .* gcc libc6-dev libjansson-dev' "$scratch/asked"

# make -n makes nothing, also where a recipe would call make.
dry_run() { env -u MAKEFLAGS -u MAKELEVEL timeout 60 "$MAKE" -n B="$scratch/dry" check test soak >"$scratch/shown" 2>&1; }
check dry_run
check grep -q 'tests/dist/deps.sh' "$scratch/shown"
check test ! -e "$scratch/dry"
finish
