/* pkt_platform.h - differences between compilers, and between C and C++: attributes and enumerations.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKT_PLATFORM_H
#define PKT_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compiler extensions. PKT_INLINE is for small functions in headers: an optimizing compiler must inline them, so that
 * constant arguments remove the branches they decide. A debug build keeps them as functions, which compile fast and can
 * be stepped through. So does a sanitized one, which would otherwise compile several times as long. PKT_COLD
 * keeps code for errors out of the normal path, and PKT_NOINLINE also functions with many callers. */
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#define PKT_OPTIMIZED
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#undef PKT_OPTIMIZED
#endif
#endif
#endif
/* A call takes longer than the work of the smallest functions, so the work for each field is a macro. */
#if !defined(PKT_OPTIMIZED) && !defined(PKT_BYTEWISE) && defined(__GNUC__)
#define PKT_CALLS_COST
#endif
#if defined(__GNUC__) || defined(__clang__)
#if defined(PKT_OPTIMIZED)
#define PKT_INLINE static inline __attribute__((always_inline, unused))
#else
#define PKT_INLINE static inline __attribute__((unused))
#endif
/* gcc makes cold functions small; clang has to be told. */
#if defined(__clang__)
#define PKT_COLD __attribute__((cold, minsize))
#else
#define PKT_COLD __attribute__((cold))
#endif
#define PKT_NOINLINE __attribute__((noinline))
#define PKT_LIKELY(x) __builtin_expect(!!(x), 1)
#define PKT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#if defined(_MSC_VER)
#define PKT_INLINE static __forceinline
#define PKT_NOINLINE __declspec(noinline)
#else
#define PKT_INLINE static inline
#define PKT_NOINLINE
#endif
#define PKT_COLD
#define PKT_LIKELY(x) (x)
#define PKT_UNLIKELY(x) (x)
#endif

/* Stands before all that a program uses and is not inline. A module that exports its packets defines it, say as
 * __declspec(dllexport) or __attribute__((visibility("default"))), and its users as __declspec(dllimport). */
#ifndef PKT_API
#define PKT_API
#endif

/* Marks items that are @deprecated in the schema: compilers warn where the program uses them. Generated code must use
 * them too, and stands between PKT_DEPRECATED_OWN and PKT_DEPRECATED_END, where there are no such warnings. */
#if defined(__GNUC__) || defined(__clang__)
#define PKT_DEPRECATED __attribute__((deprecated))
#define PKT_DEPRECATED_OWN \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
#define PKT_DEPRECATED_END _Pragma("GCC diagnostic pop")
#elif defined(_MSVC_LANG) && _MSVC_LANG >= 201402L
#define PKT_DEPRECATED [[deprecated]]
#define PKT_DEPRECATED_OWN __pragma(warning(push)) __pragma(warning(disable : 4996))
#define PKT_DEPRECATED_END __pragma(warning(pop))
#else
#define PKT_DEPRECATED
#define PKT_DEPRECATED_OWN
#define PKT_DEPRECATED_END
#endif

/* In C++, what stands between PKT_C_BEGIN and PKT_C_END has the names of C for the linker. Inline functions have the casts and
 * constants of C, between PKT_C_CASTS and PKT_C_CASTS_END without -Wold-style-cast and -Wzero-as-null-pointer-constant. */
#if defined(__cplusplus)
#define PKT_C_BEGIN extern "C" {
#define PKT_C_END }
#else
#define PKT_C_BEGIN
#define PKT_C_END
#endif
#if defined(__cplusplus) && (defined(__GNUC__) || defined(__clang__))
#define PKT_C_CASTS                                                                       \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"") \
        _Pragma("GCC diagnostic ignored \"-Wzero-as-null-pointer-constant\"")
#define PKT_C_CASTS_END _Pragma("GCC diagnostic pop")
#else
#define PKT_C_CASTS
#define PKT_C_CASTS_END
#endif

/* PKT_DEMAND(name, condition, text); does not compile unless the condition holds. The message is the text, or where the
 * language has no assertions, the name. */
#if defined(__cplusplus)
#define PKT_DEMAND(name, condition, text) static_assert(condition, text)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define PKT_DEMAND(name, condition, text) _Static_assert(condition, text)
#elif defined(__GNUC__) /* C99 with _Generic, an extension */
#define PKT_DEMAND(name, condition, text) __extension__ typedef char name[(condition) ? 1 : -1]
#else
#define PKT_DEMAND(name, condition, text) typedef char name[(condition) ? 1 : -1]
#endif

/* PKT_ENUMERATION(Team, uint8_t) { ... }; declares an enumeration that is stored as a uint8_t. In C++11 and C23, Team
 * is an enumeration with that underlying type: -Wswitch reports a member that a switch leaves out, a debugger shows
 * names, and C++ refuses values of other enumerations. In C99, Team is a typedef of uint8_t, and the members are
 * constants of type int. Size, alignment and calling convention are the same in all three, so C and C++ files can be
 * linked together. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define PKT_TYPED_ENUMS 1
#endif
#if defined(__cplusplus)
#define PKT_ENUMERATION(T, storage) enum T : storage
#define PKT_DEPRECATED_ENUMERATION(T, storage) enum PKT_DEPRECATED T : storage
#elif defined(PKT_TYPED_ENUMS)
#define PKT_ENUMERATION(T, storage) \
    enum T : storage;               \
    typedef enum T T;               \
    enum T : storage
#define PKT_DEPRECATED_ENUMERATION(T, storage) \
    enum T : storage;                          \
    PKT_DEPRECATED typedef enum T T;           \
    enum T : storage
#else
#define PKT_ENUMERATION(T, storage) \
    typedef storage T;              \
    enum
#define PKT_DEPRECATED_ENUMERATION(T, storage) \
    PKT_DEPRECATED typedef storage T;          \
    enum
#endif

#endif
