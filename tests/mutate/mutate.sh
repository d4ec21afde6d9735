#!/bin/sh
# mutate.sh - makes small mistakes in pktc and in its output, one at a time, and checks that the tests notice them.
# SPDX-License-Identifier: MIT
#
# usage: BUILD=build CC=... FLAGS=... LIBRARIES=... DRIVERS=... UNIT_TESTS=... [LEDGER=...]
#            mutate.sh SCRATCH SAMPLE SEED [GROUP...]
#
# FLAGS and LIBRARIES are those of the compiler's files; DRIVERS are programs below BUILD/test that test pktc, and
# UNIT_TESTS those that test functions of a room.
#
# A group is runtime, generated (the C of schemas/all.pkt), a room of the compiler (wire), or a file: runtime/pkt_fit.c,
# compiler/workshops/recordings/training.c. SAMPLE mistakes are chosen at random in each group; 0 means all. A mistake does not count
# if it does not compile or gives the same object code, without optimization or, if a few cases and the tests of its file
# do not notice it, with it: a shift by 0 is the same in both directions. Of the others, tests have to notice 95 %:
#   generated            the differential test over schemas/all.pkt, as in make test, and the round trips of that schema
#   runtime              the same, those over coded.pkt, fit.pkt, datagram.pkt and every.pkt, the tests of the runtime, the
#                        other round trips, the vectors of coded deltas, and packets of older releases
#   the compiler         what tests its commands, its output and its diagnostics, with sanitizers, and the unit tests of
#                        the room. Files about older versions: the packets of upgrade-pairs; the codec: all vectors;
#                        other rooms: the output for tests/roundtrip and schemas/, which other tests compile, and which
#                        comes first, without the sanitizers
# Tests that have words of the file's name in theirs come first, and the first that fails is the last.
#
# If tcc is installed, it compiles a mistake of the first two groups first, because it takes a tenth of the time. Most
# mistakes are noticed at once in what it makes: by the tests of the file, a few cases of the differential test, or other
# short tests. The others are compiled and tested as above, as is a mistake that the other compiler does not see: in
# code of another #if.
#
# A test that notices a mistake has to pass without any. To find that out takes minutes, so what is made for it stays in
# SCRATCH/base, and the next run takes it if neither the sources nor the compilers have changed.
#
# LEDGER is a file with a line for each mistake that was tried: file, checksum of the file, number, line, change,
# verdict and the test that noticed it. If it is set, mistakes in it are not tried again, SAMPLE counts new ones, and the table is about all of them
# that are still in the files. The exit status is about the new ones; only if all possible mistakes are tried, it is about
# all. So a run may be interrupted, and the next one goes on. A line that is deleted is tried again: after a change of a
# test, delete those that have "survived".
#
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
: "${BUILD:?}" "${CC:?}" "${FLAGS:?}" "${LIBRARIES:?}" "${DRIVERS:?}" "${UNIT_TESTS:?}"
[ $# != 0 ] || set -- runtime generated wire
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$scratch" || exit 1
scratch=$(cd "$scratch" && pwd)
undefined='-O0 -Dalways_inline=__unused__ -w -fPIC -fsanitize=undefined'
second="gcc $undefined -fsanitize-undefined-trap-on-error"
compiler=$second
command -v clang >/dev/null && compiler="clang $undefined -fsanitize-trap=all"
sanitized='-std=c11 -D_POSIX_C_SOURCE=200809L -O1 -w -fsanitize=address,undefined -fno-sanitize-recover=all'
base=$scratch/base
mutant=$scratch/mutant
pktc=$(pwd)/$BUILD/pktc

# Removes what an earlier run has left, but not what it prepared, unless that was interrupted or is of other files.
state=$(
    {
        echo "$scratch $CC $FLAGS $LIBRARIES $DRIVERS $UNIT_TESTS $compiler"
        $CC --version
        ${compiler%% *} --version
        command -v tcc
        find "$root/compiler" "$root/runtime" "$root/schemas" "$root/tests" -type f ! -name explained.txt \
            -exec cksum {} + | sort
        cksum "$pktc" "$BUILD/obj/libpktc.a" "$BUILD/san/pktc" "$BUILD/san/libpkt.a" "$BUILD/differential"
    } 2>/dev/null | cksum
)
if [ -e "$base/unfinished" ] || [ "$(cat "$base/state" 2>/dev/null)" != "$state" ]; then
    rm -rf "$base"
fi
rm -rf "$mutant" "$scratch/out" "$scratch/ledger"
mkdir -p "$base" "$mutant" "$scratch/out" || exit 1
echo "$state" >"$base/state"
ledger=${LEDGER:-$scratch/ledger}
touch "$ledger" || exit 1

# Whether a part has to be prepared, and that it is.
lacks() { [ ! -e "$base/prepared_$1" ] && touch "$base/unfinished"; }
has() { mv "$base/unfinished" "$base/prepared_$1"; }

# Limits processor time, memory and output, because a mutant may loop. The address sanitizer reserves more addresses
# than it uses. The time on the clock is only for a mutant that waits: on a busy machine, a test may take five minutes.
# The longest test that has sanitizers, roundtrip/test_fit, takes more than 20 s of processor time on a busy machine.
seconds=20
sanitized_seconds=90
limited() {
    (
        ulimit -t $seconds
        ulimit -f 1000000
        ulimit -v 4000000
        "$@"
    ) >"$scratch/output" 2>&1
}
limited_san() {
    (
        ulimit -t $sanitized_seconds
        ulimit -f 1000000
        export ASAN_OPTIONS=hard_rss_limit_mb=2000
        timeout 1200 "$@"
    ) >"$scratch/output" 2>&1
}
fail_unchanged() {
    cat "$scratch/output"
    echo "$1 without any change" >&2
    exit 1
}

# Without a limit, a mutant that loops would never end.
for limit in "limited $seconds" "limited_san $sanitized_seconds"; do
    ${limit% *} sh -c "test \"\$(ulimit -t)\" = ${limit#* }" || { echo "${limit% *} sets no limit" >&2; exit 1; }
done

# Sorts paths so that those come first that have most words of a file's path. LEAST: only those that have so many.
first_for() {
    awk -v file="$1" -v least="${2:-0}" '
        BEGIN { n = split(file, words, /[\/_.]|pkt/) }
        {
            score = 0
            for (i = 1; i <= n; i++)
                if (length(words[i]) > 2 && index($0, words[i])) score++
            if (score >= least) print score, NR, $0
        }' | sort -k1,1nr -k2,2n | cut -d' ' -f3-
}

# ---- generated C with the runtime: in c/, that of some schemas, each included by a glue_SCHEMA.c

libraries='schemas/all.pkt:240000 tests/roundtrip/coded.pkt:8000 tests/roundtrip/fit.pkt:1000 tests/roundtrip/datagram.pkt:1000
    tests/roundtrip/every.pkt:20000'
stem_of() { basename "${1%%:*}" .pkt; }
differential() {
    stem=$(stem_of "$1")
    cases=${2:-${1#*:}}
    seconds=$((20 + cases / 2000))
    by="differential $stem, $cases cases"
    shift $(($# < 2 ? 1 : 2))
    limited "$BUILD/differential" --schema "$root/${library%%:*}" --cases "$cases" "$@" \
        "$base/$stem" "$root" "$compiler"
    set -- $?
    seconds=20
    return "$1"
}

prepare_c() {
    mkdir -p "$base/c" "$base/generated"
    # The round trips take the generated C of their schemas, but the runtime of the mutant.
    cp "$BUILD"/schemas/*.[ch] "$BUILD/schemas/tables.inc" "$base/generated"
    rm "$base/generated"/pkt.[ch] "$base/generated/pkt_inside.h"
    cp "$root"/runtime/*.[ch] "$root"/tests/fuzz/entry.h "$base/c"
    for library in $libraries; do
        stem=$(stem_of "$library")
        mkdir -p "$base/$stem"
        differential "$library" 200 || fail_unchanged "the differential test of $stem.pkt fails"
        cp "$base/$stem"/*.[ch] "$base/c"
        mv "$base/c/glue.c" "$base/c/glue_$stem.c"
    done
    (cd "$base/c" && for file in glue*.c pkt*.c; do $compiler -I. -c "$file" || exit 1; done) || exit 1
    called=$libraries
    ln -s "$base/c" "$base/runtime"
    mutant=$base
    test_libraries few || fail_unchanged "the differential test of $stem.pkt fails"
    mutant=$scratch/mutant
    ! gcc_notices "$base/c" || fail_unchanged "the differential test of what gcc makes fails"
    command -v tcc >/dev/null || return 0
    mkdir -p "$base/quick"
    (cd "$base/c" && for file in glue*.c pkt*.c; do
        tcc -w -I. -c -o "$base/quick/${file%.c}.o" "$file" || exit 1
    done) || exit 1
    ! quickly_noticed "$base/quick" || fail_unchanged "the differential test of what tcc makes fails"
    prepare_quick_programs
}

# Whether the code of a library calls the file: it does not link without.
calls_file() {
    objects=$(ls "$base/c/glue_$1.o" "$base"/c/pkt*.o)
    [ "${2%.c}" != "$2" ] && [ "${2#pkt}" != "$2" ] || return 0
    objects=$(echo "$objects" | grep -v "/${2%.c}.o$")
    ! ${compiler%% *} -shared -Wl,-z,defs -o "$scratch/without.so" $objects -lm 2>/dev/null
}

# Sets the libraries that call the file: the first alone if the file is one of them.
find_called() {
    if [ ! -e "$base/calls_$1" ]; then
        for library in $libraries; do
            case $1 in
            pkt*) calls_file "$(stem_of "$library")" "$1" && echo "$library" ;;
            *) [ "$library" != "${libraries%% *}" ] || echo "$library" ;;
            esac
        done >"$scratch/calls"
        mv "$scratch/calls" "$base/calls_$1"
    fi
    called=$(cat "$base/calls_$1")
}

# Whether a few cases notice something in a directory of objects that tcc has made.
quickly_noticed() {
    for library in $called; do
        stem=$(stem_of "$library")
        tcc -shared -o "$scratch/quick.so" "$1/glue_$stem.o" "$1"/pkt*.o -lm 2>/dev/null || return 1
        differential "$library" 200 --library "$scratch/quick.so" || return 0
    done
    return 1
}

# Whether the other compiler can compile the mutant, and sees another text than that of the unchanged file.
preprocessed() { (cd "$1" && $compiler -I. -E -P "$2.c") 2>/dev/null; }
is_seen() {
    seen=
    for unit in $(units_of "$1"); do
        (cd "$mutant/runtime" && $compiler -I. -fsyntax-only "$unit.c") 2>/dev/null || return 1
        [ -n "$seen" ] || [ "$(preprocessed "$base/c" "$unit" | cksum)" = "$(preprocessed "$mutant/runtime" "$unit" |
            cksum)" ] || seen=1
    done
    [ -n "$seen" ]
}

# Whether the tests notice the mutant as tcc compiles it.
try_quickly() {
    [ -d "$base/quick" ] && [ -n "$called" ] || return 1
    mkdir -p "$mutant/quick"
    changed=
    for unit in $(units_of "$1"); do
        (cd "$mutant/runtime" && tcc -w -I. -c -o "$mutant/quick/$unit.o" "$unit.c") 2>/dev/null || return 1
        cmp -s "$mutant/quick/$unit.o" "$base/quick/$unit.o" || changed=1
    done
    [ -n "$changed" ] || return 1
    for object in "$base"/quick/*.o; do
        [ -e "$mutant/quick/${object##*/}" ] || ln -s "$object" "$mutant/quick/"
    done
    { ! test_quickly "$1" 1 || quickly_noticed "$mutant/quick" || ! test_quickly "$1" 0; } && is_seen "$1"
}

# Whether a few cases notice something in a directory of sources that gcc compiles, if it is installed. Only gcc checks
# the bounds of arrays of structs.
gcc_notices() {
    command -v gcc >/dev/null || return 1
    (cd "$1" && $second -I. -shared -o "$scratch/second.so" glue_all.c pkt*.c -lm) 2>/dev/null || return 0
    library=${libraries%% *}
    ! differential "$library" 400 --library "$scratch/second.so"
}

# Runs the differential tests: a few cases, which notice most mistakes at once, or all, and those of gcc.
test_libraries() {
    for library in $called; do
        stem=$(stem_of "$library")
        objects=$(ls "$mutant/runtime/glue_$stem.o" "$mutant"/runtime/pkt*.o)
        if [ "$1" = few ]; then
            ${compiler%% *} -shared -o "$mutant/$stem.so" $objects -lm 2>/dev/null || return 1
            differential "$library" 200 --library "$mutant/$stem.so" || return 1
        else
            differential "$library" "${library#*:}" --library "$mutant/$stem.so" || return 1
        fi
    done
    [ "$1" != all ] || [ -z "$called" ] || ! gcc_notices "$mutant/runtime"
}

# All cases take a minute, which is spent after all of them, and not a few, have noticed a mistake.
prepare_all() {
    for library in $libraries; do
        stem=$(stem_of "$library")
        differential "$library" "${library#*:}" --library "$base/$stem.so" ||
            fail_unchanged "the differential test of $stem.pkt fails"
    done
}

prepare_runtime() {
    mkdir -p "$base/upgraded" "$base/tests"
    env VECTORS="$BUILD/vectors" RUNTIME="$BUILD/san/libpkt.a" PKTC="$pktc" CC="$CC" BUILD="$base/vectors" \
        "$root/tests/interop/run.sh" "$root/tests/data/coded.jsonl" >"$scratch/output" 2>&1 ||
        fail_unchanged "the vectors fail"
    env PKTC="$pktc" CC="$CC" "$root/tests/upgrade/run.sh" "$BUILD/upgrade_cases" "$base/upgraded" \
        releases tests/upgrade/releases tests/upgrade/mygame.pkt >"$scratch/output" 2>&1 ||
        fail_unchanged "the packets of older releases fail"
    # The runtime is that of the mutant.
    rm "$base/upgraded"/pkt.[ch] "$base/upgraded/pkt_inside.h"
    mutant=$base
    test_programs pkt.h || fail_unchanged "the tests of the runtime fail"
    mutant=$scratch/mutant
}

# Prints the sources that must be compiled again if a file changes.
units_of() {
    case $1 in
    pkt*.c) echo "${1%.c}" ;;
    pkt*.h) (cd "$base/c" && ls glue*.c pkt*.c | sed 's/\.c$//') ;;
    *) echo glue_all ;;
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

# How programs that test the runtime are made and run: with the address sanitizer, or by tcc. tests: the directory of
# their objects; linked: that of the runtime's.
with_sanitizer() {
    compile_test="$compiler -fsanitize=address"
    link_test="${compiler%% *} -fsanitize=address"
    run_test=limited_san tests=tests linked=runtime
}
with_tcc() {
    compile_test="tcc -w -include $base/quick.h"
    link_test=tcc
    run_test=limited tests=quick_tests linked=quick
}

# Compiles a source for a test, or takes the object that was compiled for the unchanged runtime: OBJECT SOURCE FLAGS...
object() {
    object=$mutant/$tests/$1
    source=$2
    shift 2
    [ -e "$object" ] && return
    if [ -z "$fresh" ]; then
        ln -s "$base/$tests/${object##*/}" "$object"
        return
    fi
    $compile_test "$@" -I"$mutant/runtime" -c -o "$object" "$source" 2>"$scratch/output"
}
run_objects() {
    $link_test -o "$mutant/program" $(ls "$mutant/$linked"/pkt*.o) "$@" -lcmocka -lm 2>"$scratch/output" || return 1
    $run_test "$mutant/program" $arguments
}

# Unit tests include files of the runtime.
test_unit() {
    kept=$fresh
    [ "$2" = "test${1#pkt}" ] && fresh=1
    cp -rn "$root/tests/runtime" "$mutant/$tests/" # beside a copy of the runtime, which they include by ../../runtime
    defined=$(printf '%s\n' $FLAGS | grep '^-D') # whether there is libpcap; the runtime is not that of FLAGS
    object "unit_$2.o" "$mutant/$tests/runtime/$2" -I"$root/tests" -I"$root/compiler" $defined
    compiled=$?
    fresh=$kept
    [ $compiled = 0 ] && run_objects "$mutant/$tests/unit_$2.o" "$BUILD/obj/libpktc.a" $LIBRARIES
}

test_round_trip() {
    needed=$($compiler -MM -I"$base/generated" -I"$root/tests" -I"$mutant/runtime" "$root/tests/roundtrip/$1" |
        tr ' ' '\n' | sed -n "s|^$base/generated/\(.*\)\.h\$|\1|p")
    object "$1.o" "$root/tests/roundtrip/$1" -I"$mutant/runtime" -I"$base/generated" -I"$root/tests" || return 1
    objects=$mutant/$tests/$1.o
    for stem in $needed; do
        source=$base/generated/$stem.c
        [ -e "$source" ] || continue
        [ ! -e "$mutant/runtime/$stem.c" ] || source=$mutant/runtime/$stem.c
        object "$stem.o" "$source" || return 1
        objects="$objects $mutant/$tests/$stem.o"
    done
    run_objects $objects
}

test_vectors() {
    from=$base/vectors/coded.jsonl
    for records in "$from"/*.records; do
        stem=$(basename "$records" .records)
        object "${stem}_vectors.o" "${records%.records}_glue.c" -I"$root/tests/fuzz" || return 1
        run_objects "$mutant/tests/${stem}_vectors.o" "$from/replay.o" "$from/reflected.o" \
            <"$records" || return 1
    done
}

test_upgraded() {
    object play.o "$root/tests/upgrade/play.c" -I"$root/tests" -I"$base/upgraded" || return 1
    arguments=$base/upgraded/cases.txt
    run_objects "$mutant/tests/play.o" "$base/upgraded/writers.o"
    set -- $?
    arguments=
    return "$1"
}

# Runs tests until one fails: FILE TEST...
arguments=
run_tests() {
    of=$1
    shift
    fresh=
    case $of in pkt*.c) ;; *) fresh=1 ;; esac # everything is compiled
    for test; do
        by=$test
        case $test in
        runtime/*) test_unit "$of" "${test##*/}" || return 1 ;;
        roundtrip/*) test_round_trip "${test##*/}" || return 1 ;;
        data/*) test_vectors || return 1 ;;
        upgrade/*) test_upgraded || return 1 ;;
        esac
    done
}

# The tests of a file; of generated C, those that include its header.
tests_of() {
    (
        cd "$root/tests" || exit 1
        case $1 in
        pkt*) ls runtime/test_*.c roundtrip/test_*.c data/coded.jsonl upgrade/play.c ;;
        *) grep -lE "\"${1%%[_.]*}(_codec)?\.h\"" roundtrip/test_*.c ;;
        esac
    )
}
test_programs() {
    with_sanitizer
    run_tests "$1" $(tests_of "$1" | first_for "$1")
}

# The programs that tcc can make and that pass then, in two lists: those that take up to two seconds, and the others.
prepare_quick_programs() {
    mkdir -p "$base/quick_tests"
    # tcc does not define __GNUC__, without which the headers of glibc remove all attributes.
    printf '#include <stdio.h>\n#undef __attribute__\n' >"$base/quick.h"
    with_tcc
    mutant=$base
    for test in $(tests_of pkt.h | grep test_); do
        seconds=2
        run_tests pkt.h $test && echo $test >>"$base/quick_short" && continue
        seconds=20
        run_tests pkt.h $test && echo $test >>"$base/quick_long"
    done
    mutant=$scratch/mutant
}

# Whether the programs that tcc makes pass: 1: those that have words of the file in their name; 0: the other short ones.
test_quickly() {
    [ -e "$base/quick_short" ] || return 0
    with_tcc
    mkdir -p "$mutant/quick_tests"
    tests_of "$1" >"$scratch/tests"
    cat "$base"/quick_short "$base"/quick_long 2>/dev/null | grep -xFf "$scratch/tests" | first_for "$1" 1 >"$scratch/own"
    if [ $2 = 1 ]; then
        run_tests "$1" $(cat "$scratch/own")
    else
        run_tests "$1" $(grep -xFf "$scratch/tests" "$base/quick_short" | grep -vxFf "$scratch/own")
    fi
}

# Tries a mutant. Returns 0: noticed; 1: not noticed; 2: does not compile; 3: same code; 4: explained.
try_c() {
    name=$1
    for other in "$base"/c/*.[ch]; do
        [ "${other##*/}" = "$name" ] || ln -s "$other" "$mutant/runtime/"
    done
    find_called "$name"
    [ -n "$explained" ] || ! try_quickly "$name" || return 0
    changed=
    for unit in $(units_of "$name"); do
        (cd "$mutant/runtime" && $compiler -I. -c "$unit.c") 2>/dev/null || return 2
        cmp -s "$mutant/runtime/$unit.o" "$base/c/$unit.o" || changed=1
    done
    [ -n "$changed" ] || return 3
    [ -z "$explained" ] || return 4
    for object in "$base"/c/*.o; do
        [ -e "$mutant/runtime/${object##*/}" ] || ln -s "$object" "$mutant/runtime/"
    done
    test_libraries few || return 0
    case $name in
    pkt*)
        if lacks runtime; then
            prepare_runtime
            has runtime
        fi
        ;;
    esac
    test_programs "$name" || return 0
    same_optimized "$name" && return 3
    test_libraries all && return 1
    if lacks all; then
        prepare_all
        has all
    fi
    return 0
}

# ---- pktc with a changed file of the compiler

# What pktc prints for schemas that other tests compile.
outputs_of() {
    rm -rf "$scratch/out"
    for schema in "$root"/tests/roundtrip/*.pkt "$root"/schemas/*.pkt; do
        to=$scratch/out/${schema#"$root/"}
        mkdir -p "$to"
        limited_san "$1" -o "$to" "$schema" || return 1
        limited_san "$1" --dump=wire "$schema" && cp "$scratch/output" "$to/wire" || return 1
        [ "${schema##*/}" = vec.pkt ] && continue
        limited_san "$1" layout "$schema" && cp "$scratch/output" "$to/layout" || return 1
    done
}

# Links a program of the compiler with the mutant, if there is one already: PROGRAM OBJECTS...
link_san() {
    program=$1
    shift
    $CC $sanitized -pthread -o "$program" "$@" $(ls "$mutant"/*.o 2>/dev/null) "$BUILD/san/libpktc.a" $LIBRARIES \
        2>"$scratch/output"
}

# A test of pktc needs paths below the top directory.
run_driver() {
    PKTC=${1#"$root/"}/pktc PKTC_SANITIZED=${1#"$root/"}/pktc SCRATCH=${1#"$root/"}/tests \
        limited_san "$BUILD/test/$2"
}

# When a test fails for the first time, it has to pass with the unchanged pktc.
test_pktc() {
    for driver in $(printf '%s\n' $DRIVERS | first_for "$1"); do
        by=$driver
        run_driver "$mutant" "$driver" && continue
        if lacks "${driver##*/}"; then
            run_driver "$base" "$driver" || fail_unchanged "$driver fails"
            has "${driver##*/}"
        fi
        return 1
    done
}

# Tests what pktc is made of. The codec also has to read and write the vectors, and older versions are converted.
test_parts() {
    for test in $(printf '%s\n' $UNIT_TESTS | grep "^$room/"); do
        by=$test
        link_san "$mutant/unit" "$BUILD/test/$test.o" && limited_san "$mutant/unit" || return 1
    done
    case $1 in
    workshops/codec/*)
        by=vectors
        link_san "$mutant/vectors" "$BUILD"/test/interop/*.o "$BUILD/test/fuzz/glue.o" || return 1
        for file in "$root"/tests/data/vectors.txt "$root"/tests/data/*.jsonl; do
            limited_san "$mutant/vectors" "$file" "$mutant/tests" || return 1
        done
        ;;
    workshops/releases/* | workshops/*convert*)
        by=upgrade-pairs
        PKTC=$mutant/pktc limited_san tests/upgrade/run.sh "$BUILD/upgrade_cases" "$mutant/upgraded" pairs || return 1
        ;;
    check/* | emit/* | model/* | wire/*)
        by='what pktc prints'
        outputs_of "$mutant/pktc" || return 1
        diff -rq "$base/out" "$scratch/out" >"$scratch/output" 2>&1 || return 1
        ;;
    esac
}

# Whether a pktc without the sanitizers prints something else for them: OBJECT of the changed file, if there is one.
changes_output() {
    $CC -pthread -o "$mutant/plain" "$BUILD/obj/compiler/main.o" "$@" "$BUILD/obj/libpktc.a" $LIBRARIES \
        2>"$scratch/output" || return 1
    outputs_of "$mutant/plain" || return 0
    ! diff -rq "$base/out" "$scratch/out" >"$scratch/output" 2>&1
}

prepare_compiler() {
    link_san "$base/pktc" "$BUILD/san/compiler/main.o" && outputs_of "$base/pktc" || fail_unchanged "pktc fails"
    rm -rf "$base/out"
    mv "$scratch/out" "$base/out"
    mkdir -p "$base/tests"
    ! changes_output || fail_unchanged "pktc without the sanitizers prints something else"
}

# Compiles a file as it is, and as it has become, with other FLAGS than those for tests: code that is the same now is
# no mutant.
same_code() {
    [ -e "$base/${2##*/}.o" ] || $CC -O1 -w $FLAGS -c -o "$base/${2##*/}.o" "$root/compiler/$2" || exit 1
    $CC -O1 -w $FLAGS -c -o "$mutant/same" "$1" 2>/dev/null || return 2
    cmp -s "$mutant/same" "$base/${2##*/}.o"
}

try_compiler() {
    room=${1%/*} room=${room##*/}
    source=$mutant/runtime/${1##*/}
    same_code "$source" "$1"
    case $? in
    0) return 3 ;;
    2) return 2 ;;
    esac
    [ -z "$explained" ] || return 4
    case $1 in
    check/* | emit/* | model/* | wire/*) by='what pktc prints' && ! changes_output "$mutant/same" || return 0 ;;
    esac
    $CC $sanitized $FLAGS -c -o "$mutant/mutant.o" "$source" 2>/dev/null || return 2
    link_san "$mutant/pktc" "$BUILD/san/compiler/main.o" || return 2
    test_pktc "$1" || return 0
    test_parts "$1" || return 0
    return 1
}

# ---- the whole run

files_of() {
    case $1 in
    runtime) ls "$root"/runtime/*.c "$root"/runtime/*.h ;;
    generated) ls "$base"/c/all.c "$base"/c/all_codec.h ;;
    runtime/*.[ch] | compiler/*.c) ls "$root/$1" ;;
    *) ls "$root/compiler/$1"/*.c "$root/compiler/workshops/$1"/*.c 2>/dev/null ;;
    esac
}

# Prints FILE CHECKSUM NUMBER LINE CHANGE for each possible mistake.
possible() {
    for file in $(files_of "$1"); do
        "$BUILD/test/mutate/mutator" "$file" | sed "s|^|$file $(cksum <"$file" | cut -d' ' -f1) |"
    done
}

# Prints a sample of them, without those in the ledger, in random order.
draw() {
    awk -v sample="$sample" -v seed="$seed" '
        FILENAME == ARGV[1] { split($0, part, "\t"); tried[part[1], part[2], part[3]] = 1; next }
        { name = $1; sub(/.*\//, "", name) }
        !((name, $2, $3) in tried) { line[++count] = $0 }
        END {
            srand(seed)
            if (sample == 0 || sample > count) sample = count
            for (i = 1; i <= sample; i++) {
                j = i + int(rand() * (count - i + 1))
                t = line[i]; line[i] = line[j]; line[j] = t
                print line[i]
            }
        }' "$ledger" "$scratch/possible"
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
    possible "$group" >"$scratch/possible"
    [ -s "$scratch/possible" ] || exit 2
    draw >"$scratch/drawn"
    earlier=$(wc -l <"$ledger")
    while read -r file checksum number line what <&3; do
        name=${file##*/}
        rm -rf "$mutant"
        mkdir -p "$mutant/runtime" "$mutant/tests"
        "$BUILD/test/mutate/mutator" "$file" "$number" >"$mutant/runtime/$name" || exit 1
        explained=
        by=
        is_explained "$file" "$line" "$what" && explained=1
        case $file in
        */compiler/*) try_compiler "${file##*/compiler/}" ;;
        *) try_c "$name" ;;
        esac
        case $? in
        0) verdict=noticed ;;
        1) verdict=survived ;;
        2) verdict=invalid ;;
        3) verdict='the same' ;;
        *) verdict=explained ;;
        esac
        [ "$verdict" != survived ] || echo "survived: $name:$line: $what"
        [ "$verdict" = noticed ] || by=
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$checksum" "$number" "$line" "$what" "$verdict" "$by" >>"$ledger"
    done 3<"$scratch/drawn" </dev/null
    awk -v group="$group" -v earlier="$earlier" '
        FILENAME == ARGV[1] { name = $1; sub(/.*\//, "", name); now[name, $2, $3] = 1; possible++; next }
        { split($0, part, "\t") }
        (part[1], part[2], part[3]) in now {
            delete now[part[1], part[2], part[3]]
            files[part[1]] = 1
            n[part[1], part[6]]++
            all[part[6]]++
            if (part[7] != "") by[part[7]]++
            tried++
            if (FNR > earlier) {
                new++
                noticed += part[6] == "noticed"
                survived += part[6] == "survived"
            }
        }
        function row(name, caught, survived, explained, same, broken) {
            return sprintf("%-16s %8d %8d %9d %8d %8d %7.1f %%", name, caught, survived, explained, same, broken,
                   caught + survived ? 100 * caught / (caught + survived) : 100)
        }
        END {
            printf "%-16s %8s %8s %9s %8s %8s\n", group, "noticed", "survived", "explained", "the same", "invalid"
            for (f in files)
                print row(f, n[f, "noticed"], n[f, "survived"], n[f, "explained"], n[f, "the same"], n[f, "invalid"]) | "sort"
            close("sort")
            print row("all", all["noticed"], all["survived"], all["explained"], all["the same"], all["invalid"])
            for (test in by) printf "noticed by %s: %d\n", test, by[test] | "sort -t: -k2,2nr"
            close("sort -t: -k2,2nr")
            printf "%d mistakes tried, %d of %d with those of earlier runs\n", new, tried, possible
            if (tried == possible) {
                noticed = all["noticed"]
                survived = all["survived"]
            }
            exit noticed < 0.95 * (noticed + survived)
        }' "$scratch/possible" "$ledger"
}

status=0
for group; do
    case $group in
    runtime | runtime/* | generated)
        command -v tcc >/dev/null || echo "tcc is not installed; without it $group takes several times as long"
        if lacks c; then
            prepare_c
            has c
        fi
        ;;
    *)
        if lacks compiler; then
            prepare_compiler
            has compiler
        fi
        ;;
    esac
    mutate_group "$group" || status=1
done
exit $status
