#!/bin/sh
# fuzz.sh - runs generated readers and pktc itself on arbitrary input, with address and undefined behaviour
# sanitizers.
# SPDX-License-Identifier: MIT
#
# usage: fuzz.sh fuzz SCRATCH SECONDS TARGET...     with libFuzzer, for SECONDS each
#        fuzz.sh sample SCRATCH INPUTS TARGET...    without it: the inputs in corpus/, and INPUTS variants of them
#        fuzz.sh memory SCRATCH INPUTS TARGET...    the same with the memory sanitizer: a read must set the whole value
#        fuzz.sh keep SCRATCH BYTES TARGET...       puts what libFuzzer has found into corpus/, if up to BYTES long
#
# PKTC=build/pktc. LIBRARY: all of pktc except main, as a library with sanitizers, for fuzz also with what libFuzzer
# counts, and the libraries that it needs. FLAGS: to include its headers. DIFFERENTIAL=build/differential: makes the glue.c
# of a schema.
#
# A target is a schema: its packets are read from arbitrary bytes; those that are accepted must be written as the same
# bytes, and a delta to another value must arrive. A schema with a folder `releases` beside it has the name of the folder
# that both are in: its packets of any version are read. careless:SCHEMA calls all functions of its types with arbitrary
# structs. sessions: handshakes, channels, clocks and turns. The others are parts of pktc. pktc: any text is checked, and
# generated if it is valid. recordings: report, decode, train and convert, of arbitrary datagrams. lsp: messages, edits and
# questions to the language server. formed.sh makes the inputs that these two start with.
# libFuzzer keeps inputs that find something new in SCRATCH/NAME/corpus. Exits with 1 if there was a finding.
# Lists of words are split on purpose.
# shellcheck disable=SC2086,SC2046,SC1003
set -u
how=$1
scratch=$2
amount=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
sanitize='-g -fsanitize=address,undefined -fno-sanitize-recover=all'
# Without forced inlining, which the sanitizers take minutes to compile. What is deprecated is read as well.
calls='-Dalways_inline=__unused__ -Wno-deprecated-declarations'
found=0
passed=0
# So that replay can print the input that failed.
export ASAN_OPTIONS=abort_on_error=1 UBSAN_OPTIONS=abort_on_error=1 MSAN_OPTIONS=abort_on_error=1

# Prints a macro that lists what a sed command finds in a file.
list() {
    echo "#define $1(X) \\"
    sed -n "$2" "$3"
    echo
}

# Prints versions.h for NAME_upgrade.c and NAME: the packets that it reads, and each with the frames of its versions.
list_versions() {
    printf '#include "%s_%s.h"\n' "$2" upgrade "$2" reflect
    list VERSIONED 's/^uint32_t \([A-Za-z0-9_]*\)_version(.*/    X(\1) \\/p' "$1"
    echo '#define SENDERS \'
    awk '/^uint32_t .*_version\(/ { sub(/_version\(.*/, "", $2); name = $2 }
         /frame_ = / { sub(/.*frame_ = /, ""); sub(/;$/, ""); print "    {read_any_" name ", " $0 "}, \\" }' "$1"
    echo
}

# Prints the rings of packets with parts, X(PART, TYPE), and BASELINES_T(X) for each such packet T: X(PART, MEMBER, FIELD,
# TEST, NUMBER) for each member of T_baselines.
list_parts() {
    list DATAGRAMS 's/^extern const pkt_datagram \(.*\)_datagram;$/    X(\1) \\/p' "$1"
    list RINGS 's/^PKT_INLINE void \(.*\)_ring_keep(.*, const \(.*\) \*value_)$/    X(\1, \2) \\/p' "$1"
    # The hash of a start value comes before those of the part's baselines.
    awk '/^typedef struct .*_baselines {/ { name = $3; sub(/_baselines$/, "", name); line = "#define BASELINES_" name "(X)"; of_part = "" }
         name && /^    / {
             member = $2; sub(/;/, "", member)
             of = $1; sub(/_baseline$/, "", of)
             part = substr(of, length(name) + 2)
             if (member == part) {
                 line = line of_part
                 of_part = ""
             }
             kind = member == part ? "IS_BASED, base" : member == part "_before" ? "IS_MOVED, before" : "IS_STARTED, base"
             each = " X(" of ", " member ", " part ", " kind ")"
             of_part = member == part "_start" ? each of_part : of_part each
         }
         name && /^}/ { print line of_part; name = "" }' "$1"
}

# Generates the C of a schema and its imports. The first byte of an input selects the packet. Arrays with `keep` keep
# what was in memory, which the memory sanitizer would report, so it gets them without `keep`.
generate() {
    stem=$(basename "$2" .pkt)
    imports=$(sed -n "s|^import \"\(.*\)\";|$(dirname "$2")/\1|p" "$2")
    schema=$2
    if [ "$how" = memory ]; then
        schema=$1/$stem.pkt
        sed '/sparse</s/, keep>/>/' "$2" >"$schema"
        [ ! -e "${2%.pkt}.model" ] || cp "${2%.pkt}.model" "$1"
    fi
    upgrade=
    [ -d "$(dirname "$2")/releases" ] && upgrade="--upgrade $(dirname "$2")/releases"
    # An end check between the parts and the end would stop almost every variant.
    checks=
    grep -q ' delta(.* from ' "$schema" && checks=--no-checks
    "$PKTC" --reflect $checks $upgrade -I "$(dirname "$2")" -o "$1" "$schema" $imports || return 1
    declared=$1/declared # without PKT_API
    sed 's/^PKT_API //' "$1/$stem.h" >"$declared"
    [ -z "$upgrade" ] || list_versions "$1/${stem}_upgrade.c" "$stem" >"$1/versions.h"
    {
        printf '#include "%s_reflect.h"\n' "$stem"
        echo '#define PACKETS(X) \'
        for packet in $(sed -n 's/^\(PKT_INLINE \)*bool \([A-Za-z0-9_]*\)_unpack(.*/\2/p' "$declared"); do
            grep -q "^PKT_INLINE bool ${packet}_unpack_body(\|^bool ${packet}_unpack_body(" "$declared" || continue
            form=plain
            grep -q "^PKT_INLINE bool ${packet}_unpack_body_refs(" "$declared" && form=refs
            echo "    X($packet, $form) \\"
        done
        echo
        list DELTAS 's/^PKT_INLINE bool \([A-Za-z0-9_]*\)_unpack_delta(const \1 .*/    X(\1) \\/p' "$declared"
        list PREDICTED 's/^PKT_INLINE bool \([A-Za-z0-9_]*\)_unpack_delta(const \1_motion .*/    X(\1) \\/p' "$declared"
        list FITS 's/^bool \([A-Za-z0-9_]*\)_fit_pack(\1 .*/    X(\1) \\/p' "$declared"
        list DELTA_FITS 's/^bool \([A-Za-z0-9_]*\)_fit_pack_delta(const \1 .*/    X(\1) \\/p' "$declared"
        list PREDICTED_FITS 's/^bool \([A-Za-z0-9_]*\)_fit_pack_delta(const \1_motion .*/    X(\1) \\/p' "$declared"
        list_parts "$declared"
    } >"$1/packets.h"
}

# Whether a target needs LIBRARY.
is_linked() {
    case $1 in
    pktc | recordings | lsp | sessions | careless:*) ;;
    *) return 1 ;;
    esac
}

# Builds the program of a target: DIRECTORY/fuzz or DIRECTORY/replay.
make_target() {
    directory=$1
    target=$2
    rm -f "$directory"/*.c "$directory"/*.h
    mkdir -p "$directory/corpus"
    case $target in
    pktc | recordings | lsp | sessions)
        sources=$here/fuzz_$target.c
        includes=$FLAGS
        ;;
    careless:*)
        "$DIFFERENTIAL" --schema "${target#*:}" "$directory" || return 1
        sources="$here/fuzz_careless.c $directory/glue.c"
        includes="-I$directory -Iruntime -I$here/.."
        ;;
    *)
        generate "$directory" "$target" || return 1
        sources="$here/fuzz_packets.c $directory/*.c"
        [ ! -e "$directory/versions.h" ] || sources="$here/fuzz_versions.c $directory/*.c"
        includes=-I$directory
        ;;
    esac
    if [ "$how" = sample ]; then
        # LIBRARY has the runtime.
        rm -f "$directory"/pkt*.c
        ${CC:-cc} -std=c11 $sanitize -O0 $calls $includes -Itests -o "$directory/replay" \
            "$here/replay.c" $sources $LIBRARY -lm
    elif [ "$how" = memory ]; then
        # The runtime sets elements one by one when it explains a failure; unoptimized, that takes most of the time. It is
        # compiled once for the targets that have the same.
        memory='-std=c11 -g -fsanitize=memory'
        runtime=$scratch/$(cat "$directory"/pkt.[ch] | cksum | tr ' ' '-').o
        [ -e "$runtime" ] || clang $memory -O1 $calls -c -o "$runtime" "$directory/pkt.c" || return 1
        rm "$directory/pkt.c"
        clang $memory -O0 $calls $includes -Itests -o "$directory/replay" \
            "$here/replay.c" $sources "$runtime" -lm
    elif is_linked "$target"; then
        clang -std=c11 -D_POSIX_C_SOURCE=200809L $sanitize -O1 -fsanitize=fuzzer $calls $includes -Itests \
            -o "$directory/fuzz" $sources $LIBRARY -lm
    else
        clang -std=c11 $sanitize -O1 -fsanitize=fuzzer $calls $includes -o "$directory/fuzz" $sources -lm
    fi
}

# The name of a target's directory and corpus.
name_of() {
    if [ "${1#careless:}" != "$1" ]; then
        echo "careless-$(basename "$1" .pkt)"
    elif [ -d "$(dirname "$1")/releases" ]; then
        basename "$(dirname "$1")"
    else
        basename "$1" .pkt
    fi
}

# The inputs to start with.
seeds() {
    if [ "$1" = pktc ]; then
        ls schemas/*.pkt tests/check/errors/*.pkt tests/front/errors/*.pkt
    else
        echo "$here/corpus/$(name_of "$1").hex"
    fi
}

if [ "$how" = memory ] && ! echo 'int main(void) { return 0; }' |
    clang -fsanitize=memory -x c - -o /dev/null 2>/dev/null; then
    echo '[  SKIPPED ] no clang with the memory sanitizer'
    exit 0
fi

for target in "$@"; do
    name=$(name_of "$target")
    directory=$scratch/$name
    case $how in
    fuzz)
        make_target "$directory" "$target" || exit 1
        set -- -max_len=1500 "$directory/corpus"
        case $target in
        pktc)
            mkdir -p "$directory/seeds" && cp $(seeds pktc) "$directory/seeds"
            set -- -max_len=4096 "-dict=$here/pkt.dict" "$directory/corpus" "$directory/seeds"
            ;;
        lsp | recordings)
            "$here/formed.sh" "$target" "$directory/seeds" || exit 1
            set -- -max_len=6000 "$directory/corpus" "$directory/seeds"
            [ "$target" = recordings ] || set -- "-dict=$here/pkt.dict" "$@"
            ;;
        esac
        "$directory/fuzz" -max_total_time="$amount" -timeout=10 -print_final_stats=1 ${SEED:+-seed=$SEED} \
            -artifact_prefix="$directory/" "$@" \
            >"$directory/log" 2>&1
        status=$?
        inputs="$(sed -n 's/^stat::number_of_executed_units: *//p' "$directory/log") inputs"
        ;;
    sample | memory)
        make_target "$directory" "$target" || exit 1
        timeout 300 "$directory/replay" "$amount" $(seeds "$target") >"$directory/log" 2>&1
        status=$?
        inputs=$(tail -n 1 "$directory/log")
        ;;
    keep)
        [ "$target" = pktc ] && continue
        rm -rf "$directory/kept" && mkdir -p "$directory/kept" "$here/corpus"
        "$directory/fuzz" -merge=1 -max_len="$amount" "$directory/kept" "$directory/corpus" >"$directory/log" 2>&1
        status=$?
        for file in "$directory"/kept/*; do
            od -An -v -tx1 "$file" | tr -d ' \n'
            echo
        done | sort >"$here/corpus/$name.hex"
        inputs="$(wc -l <"$here/corpus/$name.hex") inputs kept"
        ;;
    esac
    if [ $status = 0 ]; then
        [ "$how" = keep ] || inputs="$inputs, nothing found"
        echo "$name: $inputs"
        passed=$((passed + 1))
    elif [ $status = 124 ]; then
        echo "$name: not done after 300 s"
        found=$((found + 1))
    else
        echo "$name: found something"
        tail -n 40 "$directory/log"
        found=$((found + 1))
    fi
done
[ "$how" = sample ] || [ "$how" = memory ] && echo "[  PASSED  ] $passed test(s)."
[ $found = 0 ]
