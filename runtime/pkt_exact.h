/* pkt_exact.h - arithmetic that is the same everywhere: options that would change it are refused, or are off from here on.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_memory.h. Programs do not use this header: rounding decides which
 * bytes are written, so all .c files of pktc must round alike, but the rest of a program need not.
 */
#ifndef PKT_EXACT_H
#define PKT_EXACT_H

#include "pkt_platform.h"

#include <float.h>

/* FLT_EVAL_METHOD 16 differs from 0 only for arithmetic with _Float16, which the runtime does not use. */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error \
    "pkt needs float arithmetic without excess precision: on 32-bit x86 add -msse2 -mfpmath=sse (MSVC: /arch:SSE2)," \
    "on s390x -fexcess-precision=fast"
#endif
#if defined(__FAST_MATH__) || defined(_M_FP_FAST) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__RECIPROCAL_MATH__) || defined(__ASSOCIATIVE_MATH__)
#error \
    "pkt needs exact IEEE-754 arithmetic: compile without -ffast-math, -Ofast, -ffinite-math-only, -freciprocal-math," \
    "-fassociative-math, -funsafe-math-optimizations or /fp:fast"
#endif
PKT_DEMAND(pkt_needs_constants_of_doubles, sizeof 1.0 == sizeof(double),
           "pkt needs constants with all digits of a double: compile without -fsingle-precision-constant");

/* gcc says which of these options it was given from version 12 on, clang only of some. The others are off from here on
 * to the end of the file. In clang the intrinsics of SSE keep the options with which their header was read. */
#if defined(__clang__)
#if defined(__apple_build_version__) ? __clang_major__ >= 13 : __clang_major__ >= 11
#if defined(__i386__) || defined(__x86_64__) || defined(__s390x__) || defined(__powerpc64__) || \
    (defined(__aarch64__) && __clang_major__ >= 15)
#pragma float_control(precise, on)
#else
#pragma clang fp reassociate(off)
#define PKT_DIVISOR(x) __asm__("" : PKT_IN_REGISTER(x))
#endif
#endif
#if defined(__XMMINTRIN_H)
#define PKT_INEXACT_INTRINSICS
#endif
#elif defined(__GNUC__) && __GNUC__ < 12 && !defined(__TINYC__)
#pragma GCC optimize("no-unsafe-math-optimizations", "no-reciprocal-math", "no-associative-math")
#endif

/* A number in a register of the kind for floats, in the syntax of inline assembly. */
#if defined(__aarch64__)
#define PKT_IN_REGISTER(x) "+w"(x)
#elif defined(__wasm__)
#define PKT_IN_REGISTER(x) "+r"(x)
#else
#define PKT_IN_REGISTER(x) "+m"(x)
#endif

/* Stands before a division by x, which then cannot become a product with the reciprocal of x. */
#ifndef PKT_DIVISOR
#define PKT_DIVISOR(x) (void)(x)
#endif

#endif
