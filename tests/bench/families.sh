#!/bin/sh
# families.sh - checks that code grows with the number of fields, in families of schemas that double in size.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc BUILD=build/families families.sh [MOST]
#
# Prints a row for each family: the bytes of object files at size n and at 2n, and their ratio, for gcc -O0 and -O2.
# SIZE is n for most families. With MOST, a ratio above it is a failure. Code that grows with the number of fields
# doubles; MOST has to leave some room, because a type above a certain size becomes a function of its own.
# Lists of numbers are split on purpose.
# shellcheck disable=SC2086
set -u
: "${PKTC:?}" "${BUILD:?}"
most=${1-}
rm -rf "$BUILD" && mkdir -p "$BUILD" || exit 1

# Prints the schema of a family at size n.
schema() {
    awk -v family="$1" -v n="$2" '
        # Four fields, which differ for each i.
        function fields(i) {
            return "u16<" i ", 50000> a; bool b; float<-" i + 1 ", 100, 0.125> c; string<" 20 + i % 40 "> d; "
        }
        BEGIN {
            print "protocol " family " = 1;"
            if (family == "fields" || family == "delta_fields") {
                print "packet P" (family == "fields" ? "" : " @delta") " {"
                for (i = 0; i < n; i++)
                    print "u16<" i ", 50000> a" i "; bool b" i "; float<-" i + 1 ", 100, 0.125> c" i "; u8 d" i ";"
                print "}"
            }
            if (family == "ifs" || family == "delta_ifs") {
                print "packet P" (family == "ifs" ? "" : " @delta") " {"
                for (i = 0; i < n; i++)
                    print "bool b" i "; if (b" i ") { u16<" i ", 50000> a" i "; " \
                        "float<-" i + 1 ", 100, 0.125> c" i "; } else { u32 d" i "; }"
                print "}"
            }
            if (family == "else_ifs") {
                print "packet P { u16 k;"
                for (i = 0; i < n; i++)
                    print (i ? "else " : "") "if (k == " i ") { u16<" i ", 50000> a" i "; " \
                        "float<-" i + 1 ", 100, 0.125> c" i "; }"
                print "}"
            }
            if (family == "nested_ifs") {
                print "packet P { u8 z;"
                for (i = 0; i < n; i++)
                    print "bool b" i "; if (b" i ") { u16<" i ", 50000> a" i "; float<-" i + 1 ", 100, 0.125> c" i ";"
                for (i = 0; i < n; i++)
                    printf "} "
                print "}"
            }
            if (family == "nested_arms") {
                print "struct End { u32 e; }"
                for (i = 0; i < n; i++) {
                    print "struct S" i " { " fields(i) (i ? "U" i - 1 " inner; " : "") "}"
                    print "union U" i " { S" i " m; End end; }"
                }
                print "packet P { U" n - 1 " u; }"
            }
            if (family == "arms" || family == "delta_arms") {
                for (i = 0; i < n; i++)
                    print "struct S" i (family == "arms" ? "" : " @delta") " { " fields(i) "}"
                print "packet union U" (family == "arms" ? "" : " @delta") " {"
                for (i = 0; i < n; i++)
                    print "S" i " m" i ";"
                print "}"
            }
            if (family == "depth" || family == "delta_depth" || family == "entries") {
                # Each level has its own fields, and contains the level before.
                for (i = 0; i < n; i++)
                    print (family == "entries" ? "packet" : "struct") " S" i \
                        (family == "delta_depth" ? " @delta" : "") \
                        " { " fields(i) (i ? "S" i - 1 " inner; " : "") "}"
                if (family != "entries")
                    print "packet P" (family == "delta_depth" ? " @delta" : "") " { S" n - 1 " s; }"
            }
            if (family == "tiny_depth") {
                for (i = 0; i < n; i++)
                    print "struct S" i " { u16<" i ", 50000> a; " (i ? "S" i - 1 " inner; " : "") "}"
                print "packet P { S" n - 1 " s; }"
            }
            if (family == "twice" || family == "delta_twice") {
                delta = family == "twice" ? "" : " @delta"
                # Each level contains the level before twice: values double with each level, the schema does not.
                for (i = 0; i < n; i++)
                    print "struct S" i delta " { " \
                        (i ? "S" i - 1 " one; bool mine; S" i - 1 " other; " : "bool b; if (b) { u8 c; }") "}"
                print "packet P" delta " { S" n - 1 " s; }"
            }
            if (family == "shared") {
                # Packets that all contain the same large struct.
                print "struct Large {"
                for (i = 0; i < 30; i++)
                    print "u16<" i ", 50000> a" i "; bool b" i "; if (b" i ") { float<-" i + 1 ", 100, 0.125> c" i "; }"
                print "}"
                for (i = 0; i < n; i++)
                    print "packet P" i " { " fields(i) "Large large; }"
            }
        }'
}

# The bytes of `text` of a family's code, at a size and an optimization level.
bytes() {
    name=$1-$2
    schema "$1" "$2" >"$BUILD/$name.pkt"
    "$PKTC" --no-runtime -o "$BUILD" "$BUILD/$name.pkt" 2>"$BUILD/messages" || { cat "$BUILD/messages" >&2; return 1; }
    gcc -std=c99 "$3" -I"$(dirname "$0")/../../runtime" -c -o "$BUILD/$name$3.o" "$BUILD/$name.c" || return 1
    size "$BUILD/$name$3.o" | awk 'NR > 1 { print $1 }'
}

command -v gcc >/dev/null || { echo '[  SKIPPED ] no gcc'; exit 0; }
printf '%-14s %4s %8s %8s %6s %8s %8s %6s\n' family n 'gcc -O0' 2n ratio 'gcc -O2' 2n ratio
passed=0
failed=0
families="fields ifs else_ifs nested_ifs arms nested_arms depth tiny_depth twice entries"
families="$families shared delta_fields delta_ifs delta_arms delta_depth delta_twice"
for family in ${FAMILIES:-$families}; do
    n=${SIZE:-16}
    case $family in
    *twice) n=6 ;;
    *ifs) n=$((2 * n)) ;;
    esac
    numbers=$(for level in -O0 -O2; do bytes $family $n $level && \
        bytes $family $((2 * n)) $level || exit 1; done) || exit 1
    if printf '%s ' $family $n $numbers | awk -v most="${most:-100}" '{
            printf "%-14s %4d %8d %8d %6.2f %8d %8d %6.2f\n", $1, $2, $3, $4, $4 / $3, $5, $6, $6 / $5
            exit $4 > most * $3 || $6 > most * $5
        }'; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
[ -n "$most" ] || exit 0
echo "[  PASSED  ] $passed test(s)."
[ $failed = 0 ] || { echo "[  FAILED  ] $failed test(s): more than $most times the bytes"; exit 1; }
