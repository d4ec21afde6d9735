# msvc.sh - clang in place of MSVC. Sourced by cross.sh.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2086,SC2154
#
# clang compiles like MSVC, with the headers of wine, but has macros that MSVC lacks: __SSE2__, __x86_64__, __clang__. With
# them it compiles other lines than MSVC does. In the strict mode, strict.h comes before each file: it includes the
# headers of the C library, undefines what MSVC lacks, and makes extensions of gcc errors.
wine_headers=
for candidate in /usr/include/wine/wine /usr/include/wine; do
    [ ! -d "$candidate/msvcrt" ] || { wine_headers=$candidate; break; }
done
# Instructions that MSVC compiles without being asked.
instructions='-mpclmul -msse4.1'
# As gcc is called: to build and run programs.
msvc_cc="clang --target=x86_64-pc-windows-msvc -fms-compatibility-version=19.30 -D_UCRT -D_MT \
    -idirafter $wine_headers/msvcrt -idirafter $wine_headers/windows"
# The same in the strict mode, to build programs. They have the stack that MSVC gives them, all of it from the start, so
# that no function has to ask for its pages.
msvc_strict="$msvc_cc -include $scratch/strict.h -Wno-unknown-pragmas -Wno-unused-command-line-argument \
    -mno-stack-arg-probe $instructions -fuse-ld=lld -nostdlib -Xlinker /nodefaultlib -Xlinker /entry:start_program \
    -Xlinker /subsystem:console -Xlinker /stack:1048576,1048576 -Xlinker /libpath:$scratch/msvc-library -lm"
# As cl is called: to compile.
msvc_cl() {
    processor=$1
    shift
    [ "$processor" != x86_64 ] || set -- $instructions "$@"
    clang --driver-mode=cl --target=$processor-pc-windows-msvc -fmsc-version=1930 /nologo -D_UCRT \
        /imsvc "$wine_headers/msvcrt" /imsvc "$wine_headers/windows" "$@"
}

# Makes strict.h. Of clang's own macros these stay: numbers to which macros of <float.h> and <limits.h> expand; those
# of the standards; and __AVX__ and __AVX2__, which MSVC has too. A macro that is undefined may be undefined again, so one
# header is enough for all processors. Standard C99 stands for MSVC without /std:, which has no C11 and no `restrict`.
make_strict() {
    : >"$scratch/empty.c"
    {
        echo '#pragma clang system_header'
        cat tests/cross/msvc/headers.h
        for options in '-std=c99 -O2 -march=haswell' '-std=c99 -O0' '--target=aarch64-pc-windows-msvc -O2'; do
            $msvc_cc $options -dM -E "$scratch/empty.c"
        done | sed -n 's/^#define \(__[A-Za-z0-9_]*\).*/\1/p' | sort -u | grep -vE \
            '^__(U?INT|SIZE|PTRDIFF|FLT|DBL|LDBL|S?CHAR|SHRT|LONG|WCHAR|WINT|SIG_ATOMIC|DECIMAL_DIG|STDC_|AVX2?__$)' |
            sed 's/^/#undef /'
        # MSVC says nothing of an inline function that is not used.
        echo '#define __forceinline inline __attribute__((always_inline, unused))'
        # tests/unit.h has extensions of its own.
        echo '#ifndef WITH_UNIT_TESTS'
        printf '#pragma GCC poison __attribute__ __extension__ __asm__ asm __typeof__ typeof __typeof '
        cat runtime/*.[ch] | grep -o '__builtin_[a-z0-9_]*' | sort -u | tr '\n' ' '
        printf '\n%s\n' '#endif' '#if !defined(__cplusplus) && __STDC_VERSION__ < 201112' '#undef __STDC_VERSION__' \
            '#pragma GCC poison restrict _Static_assert _Generic _Alignas _Alignof _Atomic _Noreturn' '#endif'
    } >"$scratch/strict.h"
}

# Makes m.lib of the C library and the start of a program: programs that link with -lm need no other library. pktc also
# needs kernel32.lib and shell32.lib.
make_library() {
    mkdir -p "$scratch/msvc-library"
    cp "$(echo /usr/lib/*/wine/x86_64-windows/libkernel32.a)" "$scratch/msvc-library/kernel32.lib" &&
        cp "$(echo /usr/lib/*/wine/x86_64-windows/libshell32.a)" "$scratch/msvc-library/shell32.lib" &&
        cp "$(echo /usr/lib/*/wine/x86_64-windows/libucrtbase.a)" "$scratch/msvc-library/m.lib" &&
        $msvc_cc -c -o "$scratch/msvc-library/start.o" tests/cross/msvc/start.c &&
        ${AR:-ar} q "$scratch/msvc-library/m.lib" "$scratch/msvc-library/start.o"
} >"$scratch/output" 2>&1

strict="/W4 /WX -Wpedantic -Wno-language-extension-token -Wno-unknown-pragmas /permissive- /FI $scratch/strict.h"
accepts() { check msvc_cl "$@"; }
refuses() {
    wanted=$1
    shift
    msvc_cl "$@" >"$scratch/refused" 2>&1
    check grep -qF "error: \"$wanted" "$scratch/refused"
}

# All that pktc can generate compiles without a warning as each C and C++ that MSVC has, also for ARM64. With SCHEMAS=0 only
# as the oldest C and the newest C++, for x64.
check_modes() {
    all=$scratch/all
    mkdir -p "$all/old"
    check tests/upgrade/old_all.sh "$all/old"
    check "$PKTC" archive "$all/releases" "$all/old/all.pkt"
    check "$PKTC" --reflect --capture --upgrade "$all/releases" -o "$all" schemas/all.pkt
    modes='/TC:/clang:-std=c99 /TP:/std:c++20'
    processors=x86_64
    mygame=schemas/mygame.pkt
    if [ "$SCHEMAS" != 0 ]; then
        mygame='--upgrade tests/upgrade/releases tests/upgrade/mygame.pkt'
        modes="$modes /TC:/std:c17 /TP:/std:c++14"
        processors='x86_64 aarch64'
    fi
    check "$PKTC" --reflect --capture -o "$all/mygame" $mygame
    for processor in $processors; do
        for mode in $modes; do
            for file in "$all"/*.c "$all"/mygame/*.c; do
                accepts $processor /Zs /O2 $strict "${mode%%:*}" "${mode#*:}" -- "$file"
            done
        done
    done
    # And with clang-cl itself, which has other macros than MSVC.
    asked=$instructions
    instructions=
    for file in "$all"/mygame/*.c; do accepts x86_64 /Zs /O2 /W4 /WX -- "$file"; done
    instructions=$asked
}

# A program may be compiled with /fp:fast, but not the files that round.
check_fast() {
    echo '#include "mygame.h"' >"$scratch/fast.c"
    accepts x86_64 /Zs $strict -D_M_FP_FAST "-I$all/mygame" -- "$scratch/fast.c"
    refuses 'pkt needs exact IEEE-754 arithmetic' x86_64 /Zs $strict -D_M_FP_FAST -- "$all/mygame/mygame.c"
}

# Prints the hashes of rounding.c where the processor can fuse a product with a sum. clang is told to fuse wherever it
# can. It does not know the pragma that forbids this to MSVC, so STDC FP_CONTRACT takes its place, OFF or DEFAULT.
fused() {
    objects=
    for file in tests/cross/rounding.c "$scratch"/rounding/*.c; do
        object=$scratch/msvc/$(echo "$file" | cksum | tr ' ' -).o
        options='-march=haswell -D_M_FP_CONTRACT -std=gnu99 -O1 -w'
        $msvc_strict $options -I"$scratch/rounding" -E "$file" |
            sed "s/#pragma fp_contract(off)/#pragma STDC FP_CONTRACT $1/" |
            $msvc_cc $options -Xclang -ffp-contract=fast-honor-pragmas -x cpp-output -c -o "$object" - || return 1
        objects="$objects $object"
    done
    $msvc_strict -o "$scratch/program.exe" $objects && $run "$scratch/program.exe"
}
check_fused() {
    prints "$here" fused OFF
    # With /arch:AVX2, but not with /fp:contract.
    check $msvc_strict -march=haswell -ffp-contract=off -std=gnu99 -O1 -I"$scratch/rounding" -o "$scratch/program.exe" \
        tests/cross/rounding.c "$scratch"/rounding/*.c -lm
    prints "$here" $run "$scratch/program.exe"
    if [ "$SCHEMAS" != 0 ]; then
        hashes=$(fused DEFAULT | tr -d '\r')
        check test ${#hashes} = ${#here}
        check test "$hashes" != "$here"
    fi
}

# pktc as one file compiles without the names of POSIX, which MSVC hides with /std:c11, and writes what this pktc writes.
check_pktc() {
    {
        printf '#pragma clang system_header\n'
        printf '#include <%s>\n' direct.h fcntl.h io.h process.h stddef.h stdio.h string.h sys/stat.h
        echo '#pragma GCC poison S_IFMT S_IFREG S_IFDIR O_WRONLY O_CREAT O_EXCL fdopen fileno getpid isatty strdup unlink' \
            max_align_t
    } >"$scratch/hidden.h"
    accepts x86_64 /c /W3 /WX -Wno-deprecated-declarations -Wno-unknown-pragmas /clang:-std=c99 /GS- \
        /clang:-mno-stack-arg-probe /FI "$scratch/hidden.h" \
        /FI "$scratch/strict.h" "/Fo$scratch/msvc/pktc.o" -- "$DIST/pktc.c"
    check $msvc_strict -o "$scratch/pktc.exe" "$scratch/msvc/pktc.o" "$scratch"/msvc-library/*32.lib
    run_pktc "$scratch/out" "$PKTC"
    mv "$scratch/out" "$scratch/expected"
    run_pktc "$scratch/out" "$run" "$scratch/pktc.exe"
    check diff -r "$scratch/expected" "$scratch/out"
}

# What cl.sh does on Windows, with clang as cl in the strict mode, and wine. io.h of wine defines some words as macros, so
# it comes before all else. Programs are built from mygame alone: with forced inlining, clang takes minutes for all.
check_cl() {
    {
        echo '#!/bin/sh'
        echo "exec clang --driver-mode=cl --target=x86_64-pc-windows-msvc -fmsc-version=1930 -fuse-ld=lld -D_UCRT -D_MT -GS- \\
    -imsvc $wine_headers/msvcrt -imsvc $wine_headers/windows -FI io.h -FI $scratch/strict.h $instructions \\
    -clang:-mno-stack-arg-probe -clang:-ffp-contract=off \\
    \"\$@\" -Wno-unknown-pragmas -Wno-unused-command-line-argument -Wno-deprecated-declarations -link -nodefaultlib -entry:start_program -subsystem:console -stack:1048576,1048576 \\
    -libpath:$scratch/msvc-library m.lib kernel32.lib shell32.lib"
    } >"$scratch/cl"
    chmod +x "$scratch/cl"
    check env PKTC="$PKTC" VECTORS="$VECTORS" DIST="$DIST" tests/cross/msvc/kit.sh "$scratch/kit"
    check env COMPILER="$scratch/cl" RUN="$run" NAMES=mygame tests/cross/msvc/cl.sh "$scratch/kit" "$scratch/with-cl"
}
