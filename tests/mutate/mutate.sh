#!/bin/sh
# mutate.sh - makes small mistakes in pktc and in its output, one at a time, and checks that the tests notice them.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=... MAIN=main.o LIBRARY=libpktc.a SCHEMAS=build/schemas DIFFERENTIAL=... MUTATOR=... TOOLS=... \
#            mutate.sh SCRATCH SAMPLE SEED [GROUP...]
#
# A group is runtime, generated (the C of schemas/all.pkt), wire (compiler/wire/), or a file: runtime/pkt_fit.c. SAMPLE
# mistakes are chosen at random in each group; 0 means all. A mistake does not count if it does not compile or gives the
# same object code, without optimization or, if no test noticed it, with it: a shift by 0 is the same in both
# directions. Of the others, tests have to notice 95 %:
#   runtime, generated   the differential test over schemas/all.pkt, as in make test; for the runtime also its own tests
#                        and the round trips of its .c files
#   wire                 the output of pktc, including layout, for the schemas of tests/emit/golden, tests/roundtrip and
#                        schemas/, and its diagnostics for those of tests/check/errors, which all have expected files;
#                        and tests/commands
# explained.txt lists mistakes that no test can notice, and why. Its lines have four parts, separated by tabs: the
# file; the line, without indentation and without a backslash at its end; the change, as `before -> after`; the
# reason. If a file has the same line several times, and not all for the same reason, " // " and the next line follow
# it, or the next two. Lists of words are split on purpose.
# shellcheck disable=SC2086
set -u
scratch=$1
sample=$2
seed=$3
shift 3
: "${PKTC:?}" "${MAIN:?}" "${LIBRARY:?}" "${SCHEMAS:?}" "${DIFFERENTIAL:?}" "${MUTATOR:?}" "${TOOLS:?}"
[ $# != 0 ] || set -- runtime generated wire
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
rm -rf "$scratch"
mkdir -p "$scratch/base" "$scratch/mutant" "$scratch/out" || exit 1
scratch=$(cd "$scratch" && pwd)
compiler='clang -O0 -Dalways_inline=__unused__ -w -fPIC -fsanitize=undefined -fsanitize-trap=all'
command -v clang >/dev/null ||
    compiler='gcc -O0 -Dalways_inline=__unused__ -w -fPIC -fsanitize=undefined -fsanitize-undefined-trap-on-error'
base=$scratch/base
mutant=$scratch/mutant

# Limits processor time and memory, because a mutant may loop.
seconds=20
limited() { (ulimit -t $seconds; ulimit -v 4000000; "$@") >"$scratch/output" 2>&1; }
differential() {
    cases=$1
    seconds=$((20 + cases / 2000))
    shift
    limited "$DIFFERENTIAL" --schema "$root/schemas/all.pkt" --cases "$cases" "$@" "$base/work" "$root" "$compiler"
    set -- $?
    seconds=20
    return "$1"
}

# The second compiler of the sample, if installed, because only gcc checks the bounds of arrays of structs.
second='gcc -O0 -Dalways_inline=__unused__ -w -fPIC -fsanitize=undefined -fsanitize-undefined-trap-on-error'
differential_second() {
    command -v gcc >/dev/null || return 0
    (cd "$mutant/runtime" && $second -I. -shared -o "$mutant/second.so" glue.c pkt*.c -lm) 2>/dev/null || return 1
    differential 400 --library "$mutant/second.so"
}

# ---- the C of all.pkt with the runtime

prepare_c() {
    differential 240000 || {
        cat "$scratch/output"
        exit 1
    }
    mkdir -p "$base/c"
    cp "$base/work"/*.c "$base/work"/*.h "$root"/runtime/*.c "$root"/runtime/*.h "$root"/tests/fuzz/entry.h "$base/c"
    (cd "$base/c" && for file in glue pkt*.c; do $compiler -I. -c "${file%.c}.c" || exit 1; done) || exit 1
}

prepare_runtime() {
    # Without a mistake all tests must pass.
    mutant=$base
    ln -s "$base/c" "$base/runtime"
    mkdir -p "$base/tests"
    if ! test_runtime pkt.h; then
        cat "$scratch/output"
        echo "the tests of the runtime fail without any change" >&2
        exit 1
    fi
    prepare_round_trips
    if ! test_round_trips; then
        cat "$scratch/output"
        echo "the round trips fail without any change" >&2
        exit 1
    fi
    mutant=$scratch/mutant
}

# Prints the sources that must be compiled again if a file changes.
units_of() {
    case $1 in
    pkt*.c) echo "${1%.c}" ;;
    pkt*.h) (cd "$root/runtime" && echo glue && ls pkt*.c | sed 's/\.c$//') ;;
    *) echo glue ;;
    esac
}

# Whether an optimizing compiler gives the same code for a changed file. The unchanged one is compiled once.
optimized() { (cd "$1" && ${compiler%% *} -O1 -Dalways_inline=__unused__ -w -fPIC -I. -c -o "$2" "$3") 2>/dev/null; }
same_optimized() {
    for unit in $(units_of "$1"); do
        [ -e "$base/$unit.optimized" ] || optimized "$base/c" "$base/$unit.optimized" "$unit.c" || exit 1
        optimized "$mutant/runtime" "$mutant/$unit.optimized" "$unit.c" || return 1
        cmp -s "$mutant/$unit.optimized" "$base/$unit.optimized" || return 1
    done
}

# Runs the tests of the runtime with the objects of a mutant. If a header changed, they are compiled again, with the
# address sanitizer for the code in headers.
test_runtime() {
    cp -r "$root/tests/runtime" "$mutant/tests/"
    for source in "$mutant"/tests/runtime/test_*.c; do
        test=$(basename "$source" .c)
        objects=$(ls "$mutant"/runtime/pkt*.o)
        if [ "${1%.h}" != "$1" ] || [ "$test.c" = "test${1#pkt}" ] || [ ! -e "$base/$test.o" ]; then
            $compiler -fsanitize=address -I"$root/tests" -I"$root/compiler" -I"$mutant/runtime" \
                -c -o "$mutant/$test.o" "$source" \
                2>"$scratch/output" || return 1
        else
            cp "$base/$test.o" "$mutant"
        fi
        ${compiler%% *} -fsanitize=address -o "$mutant/$test" "$mutant/$test.o" \
            $objects "$LIBRARY" -lcmocka -ljansson -lm \
            2>"$scratch/output" || return 1
        (ulimit -t 20; "$mutant/$test") >"$scratch/output" 2>&1 || return 1
    done
}

# Runs the round trips; their generated code does not change.
sanitized='-std=c11 -D_POSIX_C_SOURCE=200809L -O1 -fsanitize=address,undefined -fno-sanitize-recover=all'
prepare_round_trips() {
    for source in "$root"/tests/roundtrip/test_*.c; do
        ${CC:-cc} $sanitized -I"$SCHEMAS" -I"$root/tests" \
            -c -o "$base/$(basename "$source" .c).round.o" "$source" || exit 1
    done
}
test_round_trips() {
    for object in "$base"/*.round.o; do
        ${CC:-cc} $sanitized -o "$mutant/round" "$object" "$mutant"/runtime/pkt*.o \
            "$SCHEMAS/libschemas.a" -lcmocka -lm \
            2>"$scratch/output" || return 1
        (ulimit -t 20; "$mutant/round") >"$scratch/output" 2>&1 || return 1
    done
}

# Tries a mutant. Returns 0: noticed; 1: not noticed; 2: does not compile; 3: same code; 4: explained.
try_c() {
    name=$1
    changed=
    for other in "$base"/c/*.[ch]; do
        [ "${other##*/}" = "$name" ] || ln -s "$other" "$mutant/runtime/"
    done
    for unit in $(units_of "$name"); do
        (cd "$mutant/runtime" && $compiler -I. -c "$unit.c") 2>/dev/null || return 2
        cmp -s "$mutant/runtime/$unit.o" "$base/c/$unit.o" || changed=1
    done
    [ -n "$changed" ] || return 3
    [ -z "$explained" ] || return 4
    for object in "$base"/c/*.o; do
        [ -e "$mutant/runtime/${object##*/}" ] || ln -s "$object" "$mutant/runtime/"
    done
    ${compiler%% *} -shared -o "$mutant/schema.so" "$mutant"/runtime/*.o -lm 2>/dev/null || return 0
    # This notices most of them at once.
    differential 400 --library "$mutant/schema.so" || return 0
    differential 240000 --library "$mutant/schema.so" || return 0
    differential_second || return 0
    case $name in
    pkt*) test_runtime "$name" || return 0 ;;
    esac
    case $name in
    pkt*.c) test_round_trips || return 0 ;;
    esac
    same_optimized "$name" && return 3
    return 1
}

# ---- pktc with a changed file of compiler/wire/

outputs_of() {
    rm -rf "$scratch/out"
    for schema in "$root"/tests/emit/golden/*.pkt "$root"/tests/roundtrip/*.pkt "$root"/schemas/*.pkt; do
        to=$scratch/out/${schema#"$root/"}
        mkdir -p "$to"
        (ulimit -t 20; ulimit -v 4000000; "$1" -o "$to" "$schema" && "$1" --dump=wire "$schema" >"$to/wire" &&
            { [ "${schema##*/}" = vec.pkt ] || "$1" layout "$schema" >"$to/layout"; }) >/dev/null 2>&1 || return 1
    done
    for schema in "$root"/tests/check/errors/*.pkt "$root"/tests/front/errors/*.pkt; do
        (ulimit -t 20; ulimit -v 4000000; "$1" --check "$schema") >>"$scratch/out/errors" 2>&1
    done
    return 0
}

# These tests need paths below the top directory.
test_tools() {
    (
        cd "$root" || exit 1
        export PKTC="${1#"$root/"}" PKTC_SANITIZED="${1#"$root/"}" SCRATCH="$mutant/tools"
        limited "$TOOLS"
    )
}

prepare_wire() {
    for file in $(cd "$root/compiler/wire" && ls *.c); do
        file=${file%.c}
        $compiler -I"$root/compiler" -I"$root/runtime" -c -o "$base/$file.o" "$root/compiler/wire/$file.c" || exit 1
    done
    outputs_of "$PKTC" || exit 1
    rm -rf "$base/out"
    mv "$scratch/out" "$base/out"
    if ! test_tools "$PKTC"; then
        cat "$scratch/output"
        echo "the tests of the tools fail without any change" >&2
        exit 1
    fi
}

try_wire() {
    unit=${1%.c}
    $compiler -I"$root/compiler" -I"$root/runtime" -c -o "$mutant/$unit.o" "$mutant/runtime/$1" 2>/dev/null || return 2
    cmp -s "$mutant/$unit.o" "$base/$unit.o" && return 3
    [ -z "$explained" ] || return 4
    ${compiler%% *} -o "$mutant/pktc" "$mutant/$unit.o" "$MAIN" "$LIBRARY" -ljansson -lm 2>/dev/null || return 2
    outputs_of "$mutant/pktc" || return 0
    diff -rq "$base/out" "$scratch/out" >/dev/null 2>&1 || return 0
    test_tools "$mutant/pktc" || return 0
    return 1
}

# ---- the whole run

files_of() {
    case $1 in
    runtime) ls "$root"/runtime/*.c "$root"/runtime/*.h ;;
    generated) ls "$base"/work/all.c "$base"/work/all_codec.h ;;
    wire) ls "$root"/compiler/wire/*.c ;;
    runtime/*.[ch] | compiler/wire/*.c) ls "$root/$1" ;;
    *) echo "no group '$1'" >&2; exit 2 ;;
    esac
}

# Prints FILE NUMBER LINE CHANGE for each chosen mistake.
draw() {
    for file in $(files_of "$1"); do
        "$MUTATOR" "$file" | sed "s|^|$file |"
    done | awk -v sample="$sample" -v seed="$seed" '
        { line[NR] = $0 }
        END {
            srand(seed)
            if (sample == 0 || sample > NR) sample = NR
            for (i = 1; i <= sample; i++) {
                j = i + int(rand() * (NR - i + 1))
                t = line[i]; line[i] = line[j]; line[j] = t
                print line[i]
            }
        }' | sort
}

# Prints a line without its indentation and without the backslash of a macro.
stripped() { sed -n "$1{s/^[[:space:]]*//;s/[[:space:]]*\\\\\{0,1\}\$//;p;}" "$2"; }
is_explained() {
    text=$(stripped "$2" "$1")
    for more in 1 2 3; do
        grep -qF "$(printf '%s\t%s\t%s\t' "${1##*/}" "$text" "$3")" "$here/explained.txt" && return
        text="$text // $(stripped $(($2 + more)) "$1")"
    done
    return 1
}

mutate_group() {
    group=$1
    draw "$group" >"$scratch/drawn"
    : >"$scratch/verdicts"
    while read -r file number line what; do
        name=${file##*/}
        rm -rf "$mutant"
        mkdir -p "$mutant/runtime" "$mutant/tests"
        "$MUTATOR" "$file" "$number" >"$mutant/runtime/$name" || exit 1
        explained=
        is_explained "$file" "$line" "$what" && explained=1
        case $group in
        wire | compiler/wire/*) try_wire "$name" ;;
        *) try_c "$name" ;;
        esac
        verdict=$?
        [ $verdict = 1 ] && echo "survived: $name:$line: $what"
        echo "$name $verdict" >>"$scratch/verdicts"
    done <"$scratch/drawn"
    awk -v group="$group" '
        { files[$1] = 1; n[$1, $2]++; all[$2]++ }
        function row(name, caught, survived, explained, same, broken) {
            return sprintf("%-16s %8d %8d %9d %8d %8d %7.1f %%", name, caught, survived, explained, same, broken,
                   caught + survived ? 100 * caught / (caught + survived) : 100)
        }
        END {
            printf "%-16s %8s %8s %9s %8s %8s\n", group, "noticed", "survived", "explained", "the same", "invalid"
            for (f in files) print row(f, n[f, 0], n[f, 1], n[f, 4], n[f, 3], n[f, 2]) | "sort"
            close("sort")
            print row("all", all[0], all[1], all[4], all[3], all[2])
            exit all[0] < 0.95 * (all[0] + all[1])
        }' "$scratch/verdicts"
}

status=0
prepared=
for group; do
    case $group in
    wire | compiler/wire/*) prepare_wire ;;
    *) [ -n "$prepared" ] || prepare_c; prepared=1 ;;
    esac
    case $group in runtime*) prepare_runtime ;; esac
    mutate_group "$group" || status=1
done
exit $status
