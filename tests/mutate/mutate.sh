#!/bin/sh
# mutate.sh - small mistakes in what pktc is made of and makes, one at a time: do the tests notice?
# SPDX-License-Identifier: MIT
#
# usage: PKTC=... MAIN=main.o LIBRARY=libpktc.a SCHEMAS=build/schemas DIFFERENTIAL=... MUTATOR=... TOOLS=... \
#            mutate.sh SCRATCH SAMPLE SEED [GROUP...]
#
# A group is runtime, generated (the C of schemas/all.pkt) or wire (compiler/wire/). SAMPLE changes are drawn of each group;
# 0 stands for all. One that does not compile, or gives the same object code, does not count: the same without optimization, or, where
# nobody noticed, with it: a shift by 0 is the same in both directions. Of the rest 95 % have to be noticed:
#   runtime, generated   the differential test over schemas/all.pkt, as make test has it; of the runtime also its tests, and the round
#                        trips of its .c
#   wire                 what pktc makes of the schemas of tests/emit/golden, tests/roundtrip and schemas/ with their layout, and says of
#                        those of tests/check/errors; all of that is pinned by tests; and tests/commands
# explained.txt lists those that no test can notice, with the reason. Its lines have four parts with tabs between: the file; the line as
# it is there, without its indentation and a backslash at its end; what is there -> what would be; why. If a line is there more than once
# and not for the same reason, " // " and the next line follow it, or the next two.
# Lists of words are split where they are used.
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

# As the mutants, which may loop: a limit of processor time, and of memory.
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

# The other compiler of the sample, where it is there: its bounds of arrays of structs.
second='gcc -O0 -Dalways_inline=__unused__ -w -fPIC -fsanitize=undefined -fsanitize-undefined-trap-on-error'
differential_second() {
    command -v gcc >/dev/null || return 0
    (cd "$mutant/runtime" && $second -I. -shared -o "$mutant/second.so" glue.c pkt*.c -lm) 2>/dev/null || return 1
    differential 400 --library "$mutant/second.so"
}

# ---- the C of all.pkt over the runtime

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
    # Without a change all of them have to pass.
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

# The units that have to be compiled again for a file.
units_of() {
    case $1 in
    pkt*.c) echo "${1%.c}" ;;
    pkt*.h) echo glue pkt pkt_explain pkt_frame pkt_crc32 pkt_delta pkt_reflect pkt_rotation pkt_subset pkt_text ;;
    *) echo glue ;;
    esac
}

# Whether a compiler that optimizes makes the same of a file that has been changed. What has not been is compiled once.
optimized() { (cd "$1" && ${compiler%% *} -O1 -Dalways_inline=__unused__ -w -fPIC -I. -c -o "$2" "$3") 2>/dev/null; }
same_optimized() {
    for unit in $(units_of "$1"); do
        [ -e "$base/$unit.optimized" ] || optimized "$base/c" "$base/$unit.optimized" "$unit.c" || exit 1
        optimized "$mutant/runtime" "$mutant/$unit.optimized" "$unit.c" || return 1
        cmp -s "$mutant/$unit.optimized" "$base/$unit.optimized" || return 1
    done
}

# The tests of the runtime over the objects of a mutant; where a header changed, they are compiled again, too. The address sanitizer
# watches what of headers is in them.
test_runtime() {
    cp -r "$root/tests/runtime" "$mutant/tests/"
    for source in "$mutant"/tests/runtime/test_*.c; do
        test=$(basename "$source" .c)
        objects=$(ls "$mutant"/runtime/pkt*.o)
        if [ "${1%.h}" != "$1" ] || [ "$test.c" = "test${1#pkt}" ] || [ ! -e "$base/$test.o" ]; then
            $compiler -fsanitize=address -I"$root/tests" -I"$root/compiler" -I"$mutant/runtime" -c -o "$mutant/$test.o" "$source" \
                2>"$scratch/output" || return 1
        else
            cp "$base/$test.o" "$mutant"
        fi
        ${compiler%% *} -fsanitize=address -o "$mutant/$test" "$mutant/$test.o" $objects "$LIBRARY" -lcmocka -ljansson -lm \
            2>"$scratch/output" || return 1
        (ulimit -t 20; "$mutant/$test") >"$scratch/output" 2>&1 || return 1
    done
}

# The round trips, whose generated code stays as it is.
sanitized='-std=c11 -D_POSIX_C_SOURCE=200809L -O1 -fsanitize=address,undefined -fno-sanitize-recover=all'
prepare_round_trips() {
    for source in "$root"/tests/roundtrip/test_*.c; do
        ${CC:-cc} $sanitized -I"$SCHEMAS" -I"$root/tests" -c -o "$base/$(basename "$source" .c).round.o" "$source" || exit 1
    done
}
test_round_trips() {
    for object in "$base"/*.round.o; do
        ${CC:-cc} $sanitized -o "$mutant/round" "$object" "$mutant"/runtime/pkt*.o "$SCHEMAS/libschemas.a" -lcmocka -lm \
            2>"$scratch/output" || return 1
        (ulimit -t 20; "$mutant/round") >"$scratch/output" 2>&1 || return 1
    done
}

# 0: noticed; 1: not; 2: does not compile; 3: nothing changes; 4: explained.
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
    # Most are noticed at once.
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

# ---- pktc with another wire.c

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

# They want names below the top directory.
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

# ---- the run

files_of() {
    case $1 in
    runtime) ls "$root"/runtime/*.c "$root"/runtime/*.h ;;
    generated) ls "$base"/work/all.c "$base"/work/all_codec.h ;;
    wire) ls "$root"/compiler/wire/*.c ;;
    *) echo "no group '$1'" >&2; exit 2 ;;
    esac
}

# FILE NUMBER LINE WHAT of those drawn.
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

# A line without its indentation and the backslash of a macro.
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
        wire) try_wire "$name" ;;
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
    wire) prepare_wire ;;
    *) [ -n "$prepared" ] || prepare_c; prepared=1 ;;
    esac
    [ "$group" != runtime ] || prepare_runtime
    mutate_group "$group" || status=1
done
exit $status
