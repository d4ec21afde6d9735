#!/bin/sh
# run.sh - builds the benchmark with several compilers and optimization levels, and runs it.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc BUILD=build/bench run.sh time [MESSAGE]
#        PKTC=build/pktc BUILD=build/bench run.sh instructions [MESSAGE]
#
# time: with gcc and clang, at -O2, -O3 and -O0, the time of each message; also the size of functions, and how long
# they take to compile. instructions: with gcc and clang at -O2, the instructions for one message, counted by
# callgrind. CONFIGURATIONS="gcc:-O2 clang:-O3" selects others. BUILD is a directory that it may delete. Other
# libraries are compared if peers.sh finds them. Lists of words are split on purpose.
# shellcheck disable=SC2086
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
: "${PKTC:?}" "${BUILD:?}"
mode=$1
shift
flags="-std=c11 -D_POSIX_C_SOURCE=200809L -DNDEBUG -Wall -Wextra -Wshadow -I$BUILD/generated -I$root/runtime -I$here"

generate() {
    rm -rf "$BUILD"
    mkdir -p "$BUILD/generated" || return 1
    "$PKTC" --no-runtime -o "$BUILD/generated" "$here/messages.pkt"
}

# Builds the program for a compiler and a level, in a directory named after both.
build() {
    compiler=$1
    level=$2
    objects=$BUILD/$compiler$level
    mkdir -p "$objects"
    # Keeps functions with the same code separate, so that they are counted by name.
    apart=
    [ "$compiler" = gcc ] && apart=-fno-ipa-icf
    for source in "$here"/bench*.c "$BUILD/generated/messages.c" "$root"/runtime/*.c; do
        name=$(basename "$source" .c)
        $compiler $flags $level $apart -c -o "$objects/$name.o" "$source" || return 1
    done
    $link_with -o "$objects/bench" "$objects"/*.o $peers -lm
}

# Prints the time of deltas of whole worlds, as ratios to writing them without a baseline.
run_deltas() {
    compiler=$1
    level=$2
    made=$BUILD/$compiler$level/deltas
    mkdir -p "$made"
    "$PKTC" --no-runtime -o "$made" "$root/schemas/cubes.pkt" && "$PKTC" --no-runtime -o "$made" "$here/grid.pkt" &&
        "$PKTC" --no-runtime -o "$made" "$here/game/skirmish.pkt" 2>"$made/warnings" || return 1
    $compiler $flags $level -I"$made" -o "$made/deltas" "$here/deltas.c" "$made"/*.c "$root"/runtime/*.c -lm &&
        "$made/deltas"
}

# Prints the time of deltas that a model codes, as ratios to those of the same values without a model. -ffp-contract=off as in
# the Makefile: the program predicts floats.
run_coded() {
    compiler=$1
    level=$2
    made=$BUILD/$compiler$level/coded
    mkdir -p "$made"
    command -v xz >/dev/null || { echo "no xz here"; return 0; }
    xz -dc "$root/tests/data/cubes-901.trace.xz" >"$made/trace" &&
        sed 's/^protocol trained = 1;/protocol trained = 1 prefix coded_;/' "$here/trained.pkt" >"$made/trained.pkt" &&
        sed 's/ coded//g; s/^protocol small = 1 prefix small_/protocol plain = 1 prefix plain_/' "$here/small.pkt" \
            >"$made/plain.pkt" &&
        cp "$here/trained.model" "$made" || return 1
    for schema in "$root/schemas/cubes.pkt" "$made/trained.pkt" "$made/plain.pkt" "$here/small.pkt"; do
        "$PKTC" --no-runtime -o "$made" "$schema" || return 1
    done
    $compiler $flags $level -ffp-contract=off -I"$made" -o "$made/measure" "$here/coded.c" "$made"/*.c "$root"/runtime/*.c \
        -lm && "$made/measure" "$made/trace"
}

# Prints the seconds of processor time that a command takes.
seconds() {
    bash -c 'TIMEFORMAT=%U; time "$@"' timed "$@" 2>&1
}

# Prints the bytes of machine code of functions: generated ones, and the article's, which check nothing when writing.
print_sizes() {
    nm -S -t d --defined-only "$1/messages.o" "$1/bench_messages.o" | awk '
        NF == 4 { size[$4] = $2 + 0 }
        NF == 4 && /_type_$/ { packets[++count] = substr($4, 1, length($4) - 6) }
        END {
            printf "%-12s %8s %8s %8s %8s %8s %8s %8s\n", "code, bytes", "write", "article",
                   "read", "article", "pack", "unpack", "measure"
            for (i = 1; i <= count; i++) {
                p = packets[i]
                if (!(("article_" p "_write") in size)) continue
                printf "%-12s %8d %8d %8d %8d %8d %8d %8d\n", p, size[p "_write_"], size["article_" p "_write"],
                       size[p "_read_"], size["article_" p "_read"],
                       size[p "_pack"] + size[p "_pack_body"] + size[p "_write_body"],
                       size[p "_unpack"] + size[p "_unpack_body"] + size[p "_read_body"], size[p "_measure"]
            }
        }'
}

print_compile_time() {
    packets=$(grep -c '^packet' "$here/messages.pkt")
    for level in -O0 -O2; do
        echo "$(seconds $1 $flags $level -c -o "$BUILD/timed.o" "$BUILD/generated/messages.c") $packets" |
            awk -v what="$1 $level" '{ printf "compiling: %s: %.2f s a packet, %.2f s in all\n", what, $1 / $2, $1 }'
    done
}

run_time() {
    for configuration in ${CONFIGURATIONS:-gcc:-O2 clang:-O2 gcc:-O3 clang:-O3 gcc:-O0 clang:-O0}; do
        compiler=${configuration%:*}
        level=${configuration#*:}
        command -v "$compiler" >/dev/null || { echo "no $compiler here"; continue; }
        build "$compiler" "$level" || return 1
        wanted=none
        [ "$level" = -O2 ] && wanted=$compiler
        printf '\n---- %s %s\n' "$compiler $($compiler -dumpversion)" "$level"
        "$BUILD/$compiler$level/bench" $wanted "$@" || return 1
        if [ "$level" = -O2 ] && [ $# = 0 ]; then
            echo
            print_sizes "$BUILD/$compiler$level"
            print_compile_time "$compiler"
            echo
            run_deltas "$compiler" "$level" || return 1
            echo
            run_coded "$compiler" "$level" || return 1
        fi
    done
}

# Prints the instructions of the loops over all values, with everything that they call, divided by the number of
# values.
run_instructions() {
    command -v valgrind >/dev/null || { echo "bench-instructions needs valgrind" >&2; return 1; }
    for configuration in ${CONFIGURATIONS:-gcc:-O2 clang:-O2}; do
        compiler=${configuration%:*}
        level=${configuration#*:}
        command -v "$compiler" >/dev/null || { echo "no $compiler here"; continue; }
        build "$compiler" "$level" || return 1
        objects=$BUILD/$compiler$level
        printf '\n---- %s %s: instructions a message\n' "$compiler $($compiler -dumpversion)" "$level"
        valgrind -q --tool=callgrind --toggle-collect='*_write_all' --toggle-collect='*_read_all' \
            --callgrind-out-file="$objects/callgrind" "$objects/bench" instructions "$@" >"$objects/counts" || return 1
        callgrind_annotate --inclusive=yes --threshold=100 --auto=no \
            "$objects/callgrind" >"$objects/annotated" || return 1
        awk '
            FNR == NR { count[$1] = $2; names[++n] = $1; next }
            {
                gsub(/,/, "", $1)
                for (i = 2; i <= NF; i++)
                    if (match($i, /:(article|body|streams|framed)_[A-Za-z0-9_]+_(write|read)_all$/))
                        cost[substr($i, RSTART + 1)] = $1
            }
            function mean(who, name, what) { return cost[who "_" name "_" what "_all"] / count[name] }
            END {
                printf "%-12s %9s %9s %6s %9s %9s %9s %9s %6s %9s %9s\n", "",
                       "write:", "body", "ratio", "streams", "framed",
                       "read:", "body", "ratio", "streams", "framed"
                for (i = 1; i <= n; i++) {
                    name = names[i]
                    w = mean("article", name, "write"); g = mean("body", name, "write")
                    r = mean("article", name, "read"); h = mean("body", name, "read")
                    printf "%-12s %9.0f %9.0f %6.2f %9.0f %9.0f %9.0f %9.0f %6.2f %9.0f %9.0f\n", name, w, g, w / g,
                           mean("streams", name, "write"), mean("framed", name, "write"), r, h, r / h,
                           mean("streams", name, "read"), mean("framed", name, "read")
                }
            }' "$objects/counts" "$objects/annotated"
    done
}

# shellcheck source=tests/bench/peers.sh
. "$here/peers.sh"

generate || exit 1
build_peers
case $mode in
time) run_time "$@" ;;
instructions) run_instructions "$@" ;;
esac
