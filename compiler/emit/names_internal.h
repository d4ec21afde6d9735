/* names_internal.h - the tables of names that a schema cannot use, in which names_reserved.c looks names up.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_NAMES_INTERNAL_H
#define PKTC_NAMES_INTERNAL_H

#include <stddef.h>

/* Whose name it is. */
typedef enum home {
    C,
    CPP,
    ASSERT,
    COMPLEX,
    CTYPE,
    ERRNO,
    FENV,
    FLOAT,
    INTTYPES,
    LIMITS,
    LOCALE,
    MATH,
    SETJMP,
    SIGNAL,
    STDARG,
    STDATOMIC,
    STDDEF,
    STDINT,
    STDIO,
    STDLIB,
    STDNORETURN,
    STRING,
    THREADS,
    TIME,
    UCHAR,
    WCHAR,
    WCTYPE,
    TYPES,
    SOCKET,
    UNISTD,
    TERMIOS,
    POLL,
    POSIX,
    WINDOWS,
    X11,
    COMPILER,
    PROGRAM
} home;

/* OUTER: only names at file scope collide with it; members of structs do not. */
typedef enum reach { OUTER, ALL } reach;

typedef struct reserved {
    const char *name;
    home home;
    reach reach;
} reserved;

/* Sorted by strcmp. C and C++, their headers, and what C libraries add to these: names_c.c. Unix systems, sockets, X11
 * and windows.h: names_system.c. */
extern const reserved names_of_c[], names_of_systems[];
extern const size_t names_of_c_count, names_of_systems_count;

#endif
