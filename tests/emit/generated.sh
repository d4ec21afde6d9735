#!/bin/sh
# generated.sh - checks that generated code and the runtime compile without warnings, as C99 and as C++11, with gcc
# and clang.
# SPDX-License-Identifier: MIT
#
# usage: [DAY=20480] generated.sh PART DIR [MORE...]     DIR and MORE are directories of generated code
#
# The parts can run at the same time:
#   golden       a quick look: each .c file of MORE compiles as C, with the runtime as several headers
#   gcc          each .c file compiles as C and as C++; each header by itself and included twice, as C. Optimizers have
#                warnings of their own: one file of four is optimized, others on each DAY; all of them without DAY
#   clang        each .c file compiles as C and as C++; each header by itself and included twice, as C++
#   analyzer     gcc's analyzer on the runtime and on some golden files, because large packets take it minutes
#   programs     C++ and C23 compilers accept and refuse what they should; all of it as C can be linked into a program
# Lists of words are split on purpose.
# shellcheck disable=SC2086
set -u
part=$1
dir=$2
shift 2
warnings='-Wall -Wextra -Wtype-limits -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wredundant-decls -Wfloat-conversion -Werror'
c="-x c -std=c99 $warnings -Wmissing-prototypes -Wstrict-prototypes"
cxx="-x c++ -std=c++11 $warnings"
passed=0
failed=0

check() {
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "with: $*"
    fi
}

include_twice() {
    compiler=$1
    flags=$2
    included=$3
    printf '#include "%s"\n#include "%s"\n' "${included##*/}" "${included##*/}" |
        $compiler $flags -I"${included%/*}" -fsyntax-only -
}

# Whether the file of number $1, from 0, is optimized on this day.
is_optimized() {
    [ -z "${DAY:-}" ] || [ $((($1 + DAY) % 4)) = 0 ]
}

# Sets first to the header that a file includes first, if it sets nothing before. With -include this header stands there
# by itself and twice, and needs no compiler of its own.
find_first() {
    first=$(awk '/^#define/ { exit } /^#include/ { print $2; exit }' "$1" | tr -d '"<>')
    first=${1%/*}/$first
    if [ -f "$first" ]; then beside="$beside $first "; else first=; fi
}

# clang has all warnings before it optimizes, and warnings.sh compiles the runtime as C. Whether a header has all that it
# needs, and a guard, does not depend on the compiler: gcc looks as C, clang as C++.
compile_all() {
    header=$c number=0 beside=
    [ $part = gcc ] || header=$cxx
    for file in "$dir"/*.c; do
        how=-fsyntax-only first=
        [ $part = clang ] || ! is_optimized $number || how='-O2 -c -o /dev/null'
        [ $part = clang ] || find_first "$file"
        number=$((number + 1))
        check $part $c -I"$dir" ${first:+-include "$first"} $how "$file"
    done
    for file in "$dir"/*.c runtime/*.c; do
        first=
        [ $part = gcc ] || find_first "$file"
        check $part $cxx -I"$dir" ${first:+-include "$first"} -fsyntax-only "$file"
    done
    for file in "$dir"/*.h runtime/*.h; do
        case $beside in
        *" $file "*) ;;
        *) check include_twice $part "$header" "$file" ;;
        esac
    done
    # With the installed headers, of which there are several. As C, these are in the part golden.
    for file in $(for more; do echo "$more"/*.c; done); do
        check $part $cxx -Iruntime -Itests/roundtrip -fsyntax-only "$file"
    done
}

compile_golden() {
    for file in $(for more; do echo "$more"/*.c; done); do
        check gcc $c -Iruntime -Itests/roundtrip -fsyntax-only "$file"
        ! command -v clang >/dev/null || check clang $c -Iruntime -Itests/roundtrip -fsyntax-only "$file"
    done
}

analyze() {
    for file in runtime/*.c $(for more; do printf "$more/%s.c " arrays choice scalars codes; done); do
        [ ! -e "$file" ] || check gcc $c -I"$dir" -O1 -fanalyzer -c -o /dev/null "$file"
    done
}

# A C++ program that prints a value by its reflection, because C++ constants have internal linkage.
try_reflection() {
    if command -v g++ >/dev/null; then
        mkdir -p "$dir/reflected"
        cat >"$dir/reflected/program.cpp" <<'END'
#include "reflect_reflect.h"
int main()
{
    Dot dot;
    Dot_init(&dot);
    dot.x = -3;
    pkt_print(stdout, &Dot_reflection, &dot);
}
END
        check g++ $cxx -I"$dir" -o "$dir/reflected/program" "$dir/reflected/program.cpp" \
            "$dir/reflect.c" "$dir/reflect_reflect.c" \
            "$dir"/pkt*.c
        check test "$("$dir/reflected/program" | tr -d '\n ')" = 'Dot{x:-3y:0}'
    fi
}

# Enumerations in C++ and C23: a missing case is a warning, a Weapon cannot be assigned to a Team, and sizes are those
# of C99. clang 14 supports them as an extension, so C23 needs only a version number.
program() {
    printf '#include "mygame.h"\n%s\n' "$1"
}
# accepts COMPILER TEXT. refuses COMPILER WHAT TEXT: with an error that contains WHAT.
accepts() {
    program "$2" | $1 -I"$dir" -fsyntax-only -
}
refuses() {
    program "$3" | $1 -I"$dir" -fsyntax-only - 2>&1 | grep -q "error.*$2"
}
sizes='typedef char sizes[sizeof(Team) == 1 && sizeof(Message_tag) == 1 && sizeof(ConnectDeny) == 8 ? 1 : -1];'
forgotten='int f(Message_tag t);
int f(Message_tag t) { switch (t) { case Message_tag_connect_request: return 1; } return 0; }'
mixed='void f(Player *p); void f(Player *p) { p->team = Weapon_rifle; }'
c23='clang -x c -std=c2x -Wno-builtin-macro-redefined -Wno-macro-redefined -Wall -Wextra'
c23="$c23 -U__STDC_VERSION__ -D__STDC_VERSION__=202311L"
try_enumerations() {
    for compiler in 'g++ -x c++ -std=c++11' 'clang++ -x c++ -std=c++20' "$c23"; do
        command -v "${compiler%% *}" >/dev/null || continue
        check accepts "$compiler -Werror" "$sizes"
        check refuses "$compiler -Wall -Werror" Message_tag_connect_challenge "$forgotten"
        [ "$compiler" = "$c23" ] || check refuses "$compiler" Weapon "$mixed"
    done
    # Headers are silent where a C++ program asks for more than that.
    strict='-Wall -Wextra -Wold-style-cast -Wzero-as-null-pointer-constant -Werror'
    for compiler in "g++ $strict" "clang++ -Wdocumentation $strict"; do
        command -v "${compiler%% *}" >/dev/null || continue
        for header in "$dir"/*.h; do
            case $header in *_codec.h) continue ;; esac
            check $compiler -x c++ -std=c++17 -I"$dir" -fsyntax-only -include "$header" /dev/null
        done
    done
    for standard in c99 c2x; do
        check accepts "${CC:-cc} -x c -std=$standard -Wall -Wextra -Werror" "$sizes"
    done
}

link_all() {
    rm -rf "$dir/program" && mkdir -p "$dir/program"
    echo 'int main(void) { return 0; }' >"$dir/program/main.c"
    check ${CC:-cc} -std=c99 -Wall -Wextra -Werror -I"$dir" -o "$dir/program/all" "$dir/program/main.c" "$dir"/*.c -lm
}

case $part in
gcc | clang) ! command -v $part >/dev/null || compile_all "$@" ;;
golden) ! command -v gcc >/dev/null || compile_golden "$@" ;;
analyzer) ! command -v gcc >/dev/null || analyze "$@" ;;
programs)
    try_reflection
    try_enumerations
    link_all
    ;;
esac
echo "[  PASSED  ] $passed test(s)."
[ $failed = 0 ] || { echo "[  FAILED  ] $failed test(s)"; exit 1; }
