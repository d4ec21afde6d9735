/* pkt_bound.h - types of the program that a schema is bound to: checks of their members at compile time.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 */
#ifndef PKT_BOUND_H
#define PKT_BOUND_H

#include "pkt_platform.h"

#include <string.h>

/* The kind of a member's type; integers of one size and sign are one kind. PKT_HOLDS_ENUM is asked for only: an
 * enumeration of the schema, or the integer that holds it. */
enum {
    PKT_HOLDS_OTHER,
    PKT_HOLDS_BOOL,
    PKT_HOLDS_TEXT,
    PKT_HOLDS_SIGNED,
    PKT_HOLDS_UNSIGNED,
    PKT_HOLDS_REAL,
    PKT_HOLDS_ENUM
};

#if defined(__cplusplus)
extern "C++" {
template <class T> struct pkt_holds {
    enum { kind = PKT_HOLDS_OTHER, pointer = 0 };
};
template <class T> struct pkt_holds<T &> : pkt_holds<T> {
};
template <class T> struct pkt_holds<const T> : pkt_holds<T> {
};
template <class T> struct pkt_holds<T *> {
    enum { kind = PKT_HOLDS_OTHER, pointer = 1 };
};
template <int k> struct pkt_holds_kind {
    enum { kind = k, pointer = 0 };
};
template <> struct pkt_holds<bool> : pkt_holds_kind<PKT_HOLDS_BOOL> {
};
template <> struct pkt_holds<char> : pkt_holds_kind<PKT_HOLDS_TEXT> {
};
template <> struct pkt_holds<signed char> : pkt_holds_kind<PKT_HOLDS_SIGNED> {
};
template <> struct pkt_holds<short> : pkt_holds_kind<PKT_HOLDS_SIGNED> {
};
template <> struct pkt_holds<int> : pkt_holds_kind<PKT_HOLDS_SIGNED> {
};
template <> struct pkt_holds<long> : pkt_holds_kind<PKT_HOLDS_SIGNED> {
};
template <> struct pkt_holds<long long> : pkt_holds_kind<PKT_HOLDS_SIGNED> {
};
template <> struct pkt_holds<unsigned char> : pkt_holds_kind<PKT_HOLDS_UNSIGNED> {
};
template <> struct pkt_holds<unsigned short> : pkt_holds_kind<PKT_HOLDS_UNSIGNED> {
};
template <> struct pkt_holds<unsigned> : pkt_holds_kind<PKT_HOLDS_UNSIGNED> {
};
template <> struct pkt_holds<unsigned long> : pkt_holds_kind<PKT_HOLDS_UNSIGNED> {
};
template <> struct pkt_holds<unsigned long long> : pkt_holds_kind<PKT_HOLDS_UNSIGNED> {
};
template <> struct pkt_holds<float> : pkt_holds_kind<PKT_HOLDS_REAL> {
};
template <> struct pkt_holds<double> : pkt_holds_kind<PKT_HOLDS_REAL> {
};

template <class A, class B> struct pkt_same {
    enum { value = 0 };
};
template <class T> struct pkt_same<T, T> {
    enum { value = 1 };
};
template <class A, class B> struct pkt_same<A &, B> : pkt_same<A, B> {
};
template <class A, class B> struct pkt_same<const A, B> : pkt_same<A, B> {
};

/* Clears a local member of a C type: in C++ it may be an object. */
template <class T> inline void pkt_reset(T *member, size_t size)
{
    (void)size;
    *member = T();
}

template <class T, size_t count> inline void pkt_reset(T (*members)[count], size_t size)
{
    for (size_t i = 0; i < count; i++)
        pkt_reset(&(*members)[i], size / count);
}
}
#define PKT_HOLDS(element) ((int)pkt_holds<decltype(element)>::kind)
#define PKT_IS_SAME(element, kind, type) (pkt_same<decltype(element), type>::value != 0)
#define PKT_IS_ARRAY(row, type) (pkt_holds<decltype(row)>::pointer == 0)
#elif defined(__GNUC__) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L)
/* clang-format off */
#define PKT_HOLDS(element)                      \
    _Generic((element),                         \
        _Bool: PKT_HOLDS_BOOL,                  \
        char: PKT_HOLDS_TEXT,                   \
        signed char: PKT_HOLDS_SIGNED,          \
        short: PKT_HOLDS_SIGNED,                \
        int: PKT_HOLDS_SIGNED,                  \
        long: PKT_HOLDS_SIGNED,                 \
        long long: PKT_HOLDS_SIGNED,            \
        unsigned char: PKT_HOLDS_UNSIGNED,      \
        unsigned short: PKT_HOLDS_UNSIGNED,     \
        unsigned: PKT_HOLDS_UNSIGNED,           \
        unsigned long: PKT_HOLDS_UNSIGNED,      \
        unsigned long long: PKT_HOLDS_UNSIGNED, \
        float: PKT_HOLDS_REAL,                  \
        double: PKT_HOLDS_REAL,                 \
        default: PKT_HOLDS_OTHER)
#define PKT_IS_SAME(element, kind, type) _Generic((element), type: 1, default: 0)
#define PKT_IS_ARRAY(row, type) _Generic(&(row), type **: 0, const type **: 0, default: 1)
/* clang-format on */
#else
/* C99 can only tell real numbers from integers, by the type of a sum. */
#define PKT_HOLDS(element) \
    (sizeof((element) + 0LL) != sizeof(long long) || sizeof((element) + 0.0f) == sizeof(double) ? PKT_HOLDS_REAL : -1)
#define PKT_IS_SAME(element, kind, type) 1
#define PKT_IS_ARRAY(row, type) 1
#endif

#if !defined(__cplusplus)
PKT_INLINE void pkt_reset(void *member, size_t size)
{
    memset(member, 0, size);
}
#endif

/* Whether an element is of a kind of number or text. PKT_IS_SAME: whether it is of this very type. */
#define PKT_IS_KIND(element, kind, type)                                                                       \
    ((kind) == PKT_HOLDS_REAL   ? PKT_HOLDS(element) == PKT_HOLDS_REAL                                         \
     : (kind) == PKT_HOLDS_ENUM ? PKT_HOLDS(element) == PKT_HOLDS_UNSIGNED || PKT_IS_SAME(element, kind, type) \
                                : PKT_HOLDS(element) == (kind) || PKT_HOLDS(element) == -1)

/* The member of a type of the program is of the type that generated code relies on, or at least of its kind and
 * size. */
#define PKT_BOUND(T, member, is, kind, type)                                                 \
    PKT_DEMAND(T##_##member##_is_not_what_the_schema_says_,                                  \
               sizeof(((T *)0)->member) == sizeof(type) && is(((T *)0)->member, kind, type), \
               #T "." #member " must be of type " #type ", as the schema says")

/* The same for an array of one or more dimensions. `row` is an array of the last one: its elements are no arrays. */
#define PKT_BOUND_ARRAY(T, member, row, is, kind, type, count)                                           \
    PKT_DEMAND(T##_##member##_is_not_what_the_schema_says_,                                              \
               sizeof(((T *)0)->member) == sizeof(type) * (count) && is(((T *)0)->row[0], kind, type) && \
                   PKT_IS_ARRAY(((T *)0)->row, type),                                                    \
               #T "." #member " must be an array of " #count " " #type ", as the schema says")

#endif
