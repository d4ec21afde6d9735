# common.sh - shared by the tests of building and installing, which source it with $scratch set to their directory. It
# empties that directory. They run in the top directory.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
set -u
passed=0
failed=0
rm -rf "$scratch"
mkdir -p "$scratch"
scratch=$(cd "$scratch" && pwd)
game=$PWD/tests/dist/game
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wredundant-decls -Wfloat-conversion -Werror'

# Runs a command that must succeed; prints its output only if it fails.
check() {
    if "$@" >"$scratch/output" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $*"
        tail -n 20 "$scratch/output" | cut -c 1-400
    fi
}

# Runs a command that must print exactly this.
prints() {
    wanted=$1
    shift
    check test "$("$@" 2>&1 | tr -d '\r')" = "$wanted"
}

skip() {
    echo "[  SKIPPED ] $*"
}

finish() {
    echo "[  PASSED  ] $passed test(s)."
    [ $failed = 0 ] || { echo "[  FAILED  ] $failed test(s)"; exit 1; }
    exit 0
}

# Runs a program whose settings, sockets and locks would stay in HOME and in the directory of temporary files. Theirs is removed with
# it, and has a short path, since a socket's path has at most 107 bytes.
leaving_nothing() {
    own=$(mktemp -d)
    HOME=$own TMPDIR=$own "$@"
    own_status=$?
    rm -rf "$own"
    return $own_status
}

# Sets run to what runs a program with wine, or fails without wine. wine takes seconds to start what belongs to Windows, and
# ends it with the last program, so one program waits until this test ends.
#
# Rarely (once in ten thousand starts here), wine ends with status 1 before the program begins. All programs of these tests say something
# if they end with this status, so one that has said nothing is started again, once.
start_wine() {
    wine=$(command -v wine64 || command -v /usr/lib/wine/wine64) || return 1
    run=$scratch/in-wine
    [ ! -e "$scratch/wine-waits" ] || return 0
    cat >"$run" <<END
#!/bin/sh
said=\$(mktemp "$scratch/wine-said-XXXXXX")
for again in yes no; do
    if [ /dev/fd/1 -ef /dev/fd/2 ]; then # what goes to one place keeps its order
        "$wine" "\$@" >"\$said" 2>&1
    else
        "$wine" "\$@" >"\$said" 2>"\$said.errors"
    fi
    status=\$?
    { [ \$again = yes ] && [ \$status = 1 ] && ! [ -s "\$said" ] && ! [ -s "\$said.errors" ]; } || break
done
[ ! -e "\$said.errors" ] || cat "\$said.errors" >&2
cat "\$said"
rm -f "\$said" "\$said.errors"
exit \$status
END
    chmod +x "$run"
    WINEPREFIX=$scratch/wine
    WINEDEBUG=-all
    TMPDIR=$scratch # of wine's server, which leaves a directory
    export WINEPREFIX WINEDEBUG TMPDIR
    mkfifo "$scratch/wine-waits" "$scratch/wine-says"
    "$wine" cmd /c 'echo ready & pause' <"$scratch/wine-waits" >"$scratch/wine-says" 2>/dev/null &
    exec 9>"$scratch/wine-waits" 8<"$scratch/wine-says"
    read -r _ <&8
}

# Writes everything that a pktc makes of all schemas into a directory: files, dumps, diagnostics.
run_pktc() {
    into=$1
    shift
    mkdir -p "$into"
    for schema in schemas/*.pkt; do
        for form in --projection --dump=wire describe --dump=ast; do
            "$@" $form "$schema" >>"$into/dumps" 2>&1
        done
    done
    "$@" -o "$into/generated/for/game" schemas/mygame.pkt schemas/vec.pkt >"$into/messages" 2>&1
    echo "status $?" >>"$into/messages"
    "$@" --check -o "$into/generated/for/game" schemas/mygame.pkt >>"$into/messages" 2>&1
    echo "status $?" >>"$into/messages"
    # The error for a directory instead of a file has different words on each system.
    { "$@" --error-format=json -o "$into/none" tests/check/errors/*.pkt tests/front/errors/*.pkt 2>&1
        echo "status $?"; } |
        sed "s/\(cannot read 'tests.check.errors.import': \)[A-Za-z ]*/\1.../" >"$into/errors"
    "$@" --help >"$into/help"
}
