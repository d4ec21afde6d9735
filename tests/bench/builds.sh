#!/bin/sh
# builds.sh - what generated code costs in a build: seconds and memory of the compiler, and bytes of machine code.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc BUILD=build/builds builds.sh [SCHEMA]...
#
# Prints two tables. The first has a row for each schema and each compiler with its flags. The files of a schema, and
# of those that it imports, are compiled one by one; the memory is the most that one of them takes. The runtime that a
# schema needs has rows of its own, because a program has it once, however many schemas it uses; so has the whole one. Bytes are code, constants and unwind
# tables: `text` in the output of `size`. ROWS="gcc:-O2 clang:-Os" selects other compilers.
#
# The second table has the sizes of programs that call some or all functions of a schema.
# Lists of words are split on purpose.
# shellcheck disable=SC2086
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
: "${PKTC:?}" "${BUILD:?}"
schemas=${*:-$here/ten.pkt $root/schemas/mygame.pkt $here/game/skirmish.pkt $root/schemas/all.pkt}
cortex=arm-none-eabi-gcc:-Os,-mcpu=cortex-m4,-mthumb,-mfpu=fpv4-sp-d16,-mfloat-abi=hard
sanitized=-O1,-fsanitize=address,undefined
rows=${ROWS:-gcc:-O0 gcc:-O2 gcc:-Os gcc:$sanitized clang:-O0 clang:-O2 clang:-Os clang:$sanitized $cortex}
# Measures the compiler, not its cache.
export CCACHE_DISABLE=1
rm -rf "$BUILD" && mkdir -p "$BUILD" || exit 1
${CC:-cc} -O1 -o "$BUILD/cost" "$here/cost.c" || exit 1

# gcc:-O1,-g is a compiler and two flags, but the commas of -fsanitize=address,undefined are part of a flag.
compiler_of() { echo "${1%%:*}"; }
flags_of() { echo "${1#*:}" | sed 's/,-/ -/g'; }

# The bytes of `text` of object files or of a program.
bytes_of() {
    tool=size
    [ "$1" = arm-none-eabi-gcc ] && tool=arm-none-eabi-size
    shift
    "$tool" "$@" | awk 'NR > 1 { bytes += $1 } END { print bytes }'
}

# Compiles C files into a directory. Prints "SECONDS MB BYTES": the sums, but of the memory the most for one file.
compile() {
    directory=$1 compiler=$2 flags=$3
    shift 3
    rm -rf "$directory" && mkdir -p "$directory" || return 1
    for source in "$@"; do
        "$BUILD/cost" $compiler -std=c99 $flags -I"${source%/*}" -I"${source%/*}/runtime" \
            -c -o "$directory/$(basename "$source" .c).o" "$source" || return 1
    done >"$directory/costs"
    awk -v bytes="$(bytes_of "$compiler" "$directory"/*.o)" '
        { seconds += $1; if ($2 > most) most = $2 }
        END { print seconds, most, bytes }' "$directory/costs"
}

print_row() {
    name=$1
    shift
    for row in $rows; do
        compiler=$(compiler_of "$row")
        flags=$(flags_of "$row")
        shown="$compiler ${flags%% -mthumb*}"
        if ! command -v "$compiler" >/dev/null; then
            printf '%-10s %-40s not installed\n' "$name" "$shown"
            continue
        fi
        costs=$(compile "$BUILD/objects" "$compiler" "$flags" "$@") || exit 1
        printf '%-10s %-40s %8.2f %6d %10d\n' "$name" "$shown" $costs
    done
}

# Generates a schema into a directory, with the runtime in a directory inside it.
generate() {
    directory=$BUILD/$(basename "$1" .pkt)
    "$PKTC" -o "$directory" "$1" 2>"$BUILD/messages" || { cat "$BUILD/messages" >&2; exit 1; }
    mkdir "$directory/runtime" && mv "$directory/pkt.c" "$directory/pkt.h" "$directory/pkt_inside.h" "$directory/runtime/" || exit 1
}

print_schemas() {
    printf '%-10s %-40s %8s %6s %10s\n' schema compiler seconds MB bytes
    for schema in $schemas; do
        generate "$schema"
        name=$(basename "$schema" .pkt)
        print_row "$name" "$BUILD/$name"/*.c
        print_row "its pkt.c" "$BUILD/$name/runtime/pkt.c"
    done
    "$PKTC" --runtime -o "$BUILD/runtime" && print_row "runtime" "$BUILD/runtime/pkt.c"
}

# ---- programs

# Writes a program that calls functions of a header, as far as a linker can tell.
program_of() {
    [ $# = 0 ] || echo "#include \"$1\""
    [ $# = 0 ] || shift
    echo 'void (*const volatile called[])(void) = {0'
    for function; do
        echo ", (void (*)(void))$function"
    done
    echo '}; int main(void) { return called[0] != 0; }'
}

# The bytes of a program, less those of one that calls nothing.
linked() {
    compiler=$1 flags=$2
    shift 2
    [ "$compiler" = arm-none-eabi-gcc ] && flags="$flags -specs=nosys.specs"
    program_of >"$BUILD/nothing.c"
    {
        $compiler $flags -o "$BUILD/nothing" "$BUILD/nothing.c" &&
            $compiler $flags -o "$BUILD/program" "$@" -lm
    } 2>"$BUILD/messages" || { cat "$BUILD/messages" >&2; return 1; }
    echo $(($(bytes_of "$compiler" "$BUILD/program") - $(bytes_of "$compiler" "$BUILD/nothing")))
}

# Builds two programs with a schema: one calls the given functions, the other all. Each is linked with the objects of
# the schema and of pkt.c, and with a library of the schema's objects and those of runtime/: first as they are, then
# with a section for each function, so that the linker can drop those that nothing calls.
print_programs() {
    name=$1 row=$2
    shift 2
    compiler=$(compiler_of "$row")
    flags=$(flags_of "$row")
    if ! command -v "$compiler" >/dev/null; then
        printf '%-10s %-12s %-24s not installed\n' "$name" '' "$compiler ${flags%% *}"
        return
    fi
    for way in whole sections; do
        compiled=$flags
        [ $way = sections ] && compiled="$flags -ffunction-sections -fdata-sections"
        compile "$BUILD/$way" "$compiler" "$compiled" "$BUILD/$name"/*.c >/dev/null &&
            compile "$BUILD/$way/one" "$compiler" "$compiled" "$BUILD/$name/runtime/pkt.c" >/dev/null &&
            compile "$BUILD/$way/parts" "$compiler" "$compiled" "$root"/runtime/*.c >/dev/null &&
            "${compiler%gcc}ar" rc "$BUILD/$way/library.a" "$BUILD/$way"/*.o "$BUILD/$way/parts"/*.o || exit 1
    done
    everything=$(sed -n 's/^[A-Za-z].*[ *]\([A-Za-z0-9_]*\)(.*);$/\1/p' "$BUILD/$name/$name.h")
    for what in client everything; do
        [ $what = everything ] && set -- $everything
        program_of "$name.h" "$@" >"$BUILD/program.c"
        printf '%-10s %-12s %-24s' "$name" "$what" "$compiler ${flags%% *}"
        for way in whole sections; do
            options="$flags -I$BUILD/$name -I$BUILD/$name/runtime"
            [ $way = sections ] && options="$options -Wl,--gc-sections"
            printf ' %9d' "$(linked "$compiler" "$options" "$BUILD/program.c" \
                "$BUILD/$way"/*.o "$BUILD/$way/one"/*.o)" \
                "$(linked "$compiler" "$options" "$BUILD/program.c" "$BUILD/$way/library.a")"
        done
        echo
    done
}

print_schemas
printf '\n%-10s %-12s %-24s %9s %9s %9s %9s\n' linked program compiler objects library sections both
for row in gcc:-O2 "$cortex"; do
    for schema in $schemas; do
        case $(basename "$schema" .pkt) in
        mygame) print_programs mygame "$row" Snapshot_unpack Input_pack ;;
        skirmish) print_programs skirmish "$row" sk_World_unpack_delta sk_Input_pack ;;
        esac
    done
done
