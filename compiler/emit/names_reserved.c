/* names_reserved.c - why a schema cannot use a name: C, its headers, the system's headers or the runtime have it.
 * SPDX-License-Identifier: MIT
 *
 * Keywords, macros that always expand, and types that generated structs use cannot be the name of anything. Functions,
 * variables, tags and macros that expand only before a parenthesis can be the names of members, such as `min` or
 * `time`, but not of types.
 */
#include "emit/names.h"
#include "emit/names_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const homes[] = {
    [C] = "a keyword of C",
    [CPP] = "a keyword of C++",
    [ASSERT] = "a name of the standard header <assert.h>",
    [CTYPE] = "a name of the standard header <ctype.h>",
    [ERRNO] = "a name of the standard header <errno.h>",
    [FLOAT] = "a name of the standard header <float.h>",
    [LIMITS] = "a name of the standard header <limits.h>",
    [MATH] = "a name of the standard header <math.h>",
    [SIGNAL] = "a name of the standard header <signal.h>",
    [STDARG] = "a name of the standard header <stdarg.h>",
    [STDDEF] = "a name of the standard header <stddef.h>",
    [STDINT] = "a name of the standard header <stdint.h>",
    [STDIO] = "a name of the standard header <stdio.h>",
    [STDLIB] = "a name of the standard header <stdlib.h>",
    [STRING] = "a name of the standard header <string.h>",
    [TIME] = "a name of the standard header <time.h>",
    [COMPLEX] = "a name of the standard header <complex.h>",
    [FENV] = "a name of the standard header <fenv.h>",
    [INTTYPES] = "a name of the standard header <inttypes.h>",
    [LOCALE] = "a name of the standard header <locale.h>",
    [STDATOMIC] = "a name of the standard header <stdatomic.h>",
    [STDNORETURN] = "a name of the standard header <stdnoreturn.h>",
    [THREADS] = "a name of the standard header <threads.h>",
    [WCHAR] = "a name of the standard header <wchar.h>",
    [WCTYPE] = "a name of the standard header <wctype.h>",
    [UCHAR] = "a name of the standard header <uchar.h>",
    [SETJMP] = "a name of the standard header <setjmp.h>",
    [TYPES] = "a name of the POSIX header <sys/types.h>",
    [SOCKET] = "a name of the socket headers",
    [UNISTD] = "a name of the POSIX headers <unistd.h> and <fcntl.h>",
    [TERMIOS] = "a macro of the POSIX header <termios.h>",
    [POLL] = "a macro of the POSIX header <poll.h>",
    [POSIX] = "a macro of the headers of Unix systems",
    [WINDOWS] = "a macro of <windows.h>",
    [X11] = "a macro of <X11/Xlib.h> or <X11/Xutil.h>",
    [COMPILER] = "a macro that some C compilers define",
    [PROGRAM] = "where a C program starts",
};

const char *name_reserved_at(size_t index)
{
    if (index < names_of_c_count)
        return names_of_c[index].name;
    index -= names_of_c_count;
    return index < names_of_systems_count ? names_of_systems[index].name : NULL;
}

/* Like strcmp, but inlined: most names differ in their first bytes. */
static int compare_reserved(const void *name, const void *row)
{
    const char *a = name, *b = ((const reserved *)row)->name;
    while (*a != 0 && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

static const reserved *find_reserved(const char *name)
{
    const reserved *found = bsearch(name, names_of_c, names_of_c_count, sizeof *names_of_c, compare_reserved);
    if (!found)
        found = bsearch(name, names_of_systems, names_of_systems_count, sizeof *names_of_systems, compare_reserved);
    return found;
}

static bool starts_with(const char *name, const char *start)
{
    while (*start != 0 && *start == *name)
        start++, name++;
    return *start == 0;
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

typedef struct family {
    const char *start;
    home home;
} family;

/* The beginnings of names that the C standard reserves: a capital follows. */
static const family of_standard[] = {{"ATOMIC_", STDATOMIC}, {"FE_", FENV}, {"LC_", LOCALE}};

/* The beginnings of macros that differ between systems. These have no small letters, but for the keys of X11. */
static const family of_systems[] = {
    {"AF_", SOCKET},     {"AI_", SOCKET},     {"EAI_", SOCKET},     {"HKEY_", WINDOWS}, {"IN6ADDR_", SOCKET},
    {"INADDR_", SOCKET}, {"IPPORT_", SOCKET}, {"IPPROTO_", SOCKET}, {"IPV6_", SOCKET},  {"MCAST_", SOCKET},
    {"NI_", SOCKET},     {"PF_", SOCKET},     {"SCM_", SOCKET},     {"SIOC", SOCKET},   {"SOCK_", SOCKET},
    {"SOL_", SOCKET},    {"SO_", SOCKET},     {"VK_", WINDOWS},     {"WM_", WINDOWS},   {"WSA", SOCKET},
    {"XK_", X11},
};

static bool has_small_letter(const char *name)
{
    while (*name != 0 && (*name < 'a' || *name > 'z'))
        name++;
    return *name != 0;
}

static bool reserved_by_start(const char *name, home *of)
{
    for (size_t i = 0; i < sizeof of_standard / sizeof *of_standard; i++) {
        *of = of_standard[i].home;
        if (starts_with(name, of_standard[i].start) && is_capital(name[strlen(of_standard[i].start)]))
            return true;
    }
    for (size_t i = 0; i < sizeof of_systems / sizeof *of_systems; i++) {
        *of = of_systems[i].home;
        if ((*of == X11 || !has_small_letter(name)) && starts_with(name, of_systems[i].start) &&
            name[strlen(of_systems[i].start)] != 0)
            return true;
    }
    *of = INTTYPES;
    return (starts_with(name, "PRI") || starts_with(name, "SCN")) && name[3] != 0 && strchr("diouxX", name[3]);
}

/* Whether one of the names in a sorted table begins with a text. */
static bool one_starts_with(const reserved *table, size_t count, const char *start)
{
    size_t first = 0, last = count;
    while (first != last) {
        const size_t middle = first + (last - first) / 2;
        if (strcmp(table[middle].name, start) < 0)
            first = middle + 1;
        else
            last = middle;
    }
    return first != count && starts_with(table[first].name, start);
}

static bool one_start_of_both(const char *a, const char *b)
{
    return starts_with(a, b) || starts_with(b, a);
}

bool name_begins_reserved(const char *start)
{
    static const char *const others[] = {"_", "pkt_", "PKT_", "PRI", "SCN"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (one_start_of_both(start, others[i]))
            return true;
    for (size_t i = 0; i < sizeof of_standard / sizeof *of_standard; i++)
        if (one_start_of_both(start, of_standard[i].start))
            return true;
    for (size_t i = 0; i < sizeof of_systems / sizeof *of_systems; i++)
        if (one_start_of_both(start, of_systems[i].start))
            return true;
    return one_starts_with(names_of_c, names_of_c_count, start) ||
           one_starts_with(names_of_systems, names_of_systems_count, start);
}

const char *name_reserved(const char *name, taken_as as)
{
    home by_start;
    const bool is_member = as == TAKEN_AS_MEMBER;
    const size_t size = strlen(name);
    if (name[0] == '_' && (name[1] == '_' || is_capital(name[1])))
        return "reserved for the C compiler and its library, as it begins with an underscore and a capital or another "
               "underscore";
    if (name[0] == '_' && !is_member)
        return "reserved for the C compiler and its library, as it begins with an underscore";
    if (size > 0 && name[size - 1] == '_' && as == TAKEN_AS_TYPE)
        return "kept for the variables of generated functions, as it ends in an underscore";
    if (starts_with(name, "pkt_"))
        return "a name of pktc's runtime, as it begins with 'pkt_'";
    if (starts_with(name, "PKT_"))
        return "a name of pktc's runtime, as it begins with 'PKT_'";
    if (reserved_by_start(name, &by_start))
        return homes[by_start];
    const reserved *found = find_reserved(name);
    if (!found || (is_member && found->reach == OUTER))
        return NULL;
    return homes[found->home];
}
