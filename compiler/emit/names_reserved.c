/* names_reserved.c - why a schema cannot use a name: C, its headers, the system's headers or the runtime have it.
 * SPDX-License-Identifier: MIT
 *
 * Keywords, macros that always expand, and types that generated structs use cannot be the name of anything. Functions,
 * variables, tags and macros that expand only before a parenthesis can be the names of members, such as `min` or
 * `time`, but not of types.
 */
#include "emit/names.h"
#include "base/arena.h"
#include "emit/reserved_names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct reserved {
    const char *name, *why;
    bool of_members; /* members of structs collide with it too, not only names at file scope */
} reserved;

enum { MOST_NAMES = 4096 };
static reserved reserved_sorted[MOST_NAMES];
static size_t reserved_count;

static int compare_reserved(const void *left, const void *right)
{
    return strcmp(((const reserved *)left)->name, ((const reserved *)right)->name);
}

/* Sorts the names of reserved_names.txt, of which most files of schemas look up hundreds. */
static void read_reserved(void)
{
    /* To the end of the program. It is also read: a compiler leaves out what is only set, and memory would be lost. */
    static arena *kept;
    if (kept)
        return;
    kept = arena_new();
    char *next = arena_text(kept, (const char *)reserved_names[0].text, reserved_names[0].size);
    const char *why = NULL;
    bool of_members = false;
    while (*next != 0) {
        char *line = next;
        next += strcspn(next, "\r\n");
        if (*next != 0)
            *next++ = 0;
        if (*line == 'a' || *line == 'o') {
            of_members = *line == 'a';
            why = strchr(line, ' ') + 1;
        }
        for (char *word = *line == ' ' ? strtok(line, " ") : NULL; word; word = strtok(NULL, " ")) {
            assert(reserved_count < MOST_NAMES);
            reserved_sorted[reserved_count++] = (reserved){word, why, of_members};
        }
    }
    qsort(reserved_sorted, reserved_count, sizeof *reserved_sorted, compare_reserved);
}

const char *name_reserved_at(size_t index)
{
    read_reserved();
    return index < reserved_count ? reserved_sorted[index].name : NULL;
}

/* The index of the first name that is not before a text. */
static size_t first_from(const char *text)
{
    size_t first = 0, last = reserved_count;
    while (first != last) {
        const size_t middle = first + (last - first) / 2;
        if (strcmp(reserved_sorted[middle].name, text) < 0)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
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
    const char *start, *why;
} family;

/* The beginnings of names that the C standard reserves: a capital follows. */
static const family of_standard[] = {
    {"ATOMIC_", "a name of the standard header <stdatomic.h>"},
    {"FE_", "a name of the standard header <fenv.h>"},
    {"LC_", "a name of the standard header <locale.h>"},
};

#define SOCKETS "a name of the socket headers"
#define WINDOWS "a macro of <windows.h>"
#define X11_KEY "XK_"

/* The beginnings of macros that differ between systems. These have no small letters, but for the keys of X11. */
static const family of_systems[] = {
    {"AF_", SOCKETS},     {"AI_", SOCKETS},      {"EAI_", SOCKETS},
    {"HKEY_", WINDOWS},   {"IN6ADDR_", SOCKETS}, {"INADDR_", SOCKETS},
    {"IPPORT_", SOCKETS}, {"IPPROTO_", SOCKETS}, {"IPV6_", SOCKETS},
    {"MCAST_", SOCKETS},  {"NI_", SOCKETS},      {"PF_", SOCKETS},
    {"SCM_", SOCKETS},    {"SIOC", SOCKETS},     {"SOCK_", SOCKETS},
    {"SOL_", SOCKETS},    {"SO_", SOCKETS},      {"VK_", WINDOWS},
    {"WM_", WINDOWS},     {"WSA", SOCKETS},      {X11_KEY, "a macro of <X11/Xlib.h> or <X11/Xutil.h>"},
};

static bool has_small_letter(const char *name)
{
    while (*name != 0 && (*name < 'a' || *name > 'z'))
        name++;
    return *name != 0;
}

/* Why a name is reserved by its beginning; or NULL. */
static const char *reserved_by_start(const char *name)
{
    for (size_t i = 0; i < sizeof of_standard / sizeof *of_standard; i++)
        if (starts_with(name, of_standard[i].start) && is_capital(name[strlen(of_standard[i].start)]))
            return of_standard[i].why;
    const bool may_be_macro = !has_small_letter(name) || starts_with(name, X11_KEY);
    for (size_t i = 0; i < sizeof of_systems / sizeof *of_systems && may_be_macro; i++)
        if (starts_with(name, of_systems[i].start) && name[strlen(of_systems[i].start)] != 0)
            return of_systems[i].why;
    if ((starts_with(name, "PRI") || starts_with(name, "SCN")) && name[3] != 0 && strchr("diouxX", name[3]))
        return "a name of the standard header <inttypes.h>";
    return NULL;
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
    read_reserved();
    const size_t first = first_from(start);
    return first < reserved_count && starts_with(reserved_sorted[first].name, start);
}

const char *name_reserved(const char *name, taken_as as)
{
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
    const char *by_start = reserved_by_start(name);
    if (by_start)
        return by_start;
    read_reserved();
    const size_t at = first_from(name);
    const bool found = at < reserved_count && strcmp(reserved_sorted[at].name, name) == 0;
    return found && (!is_member || reserved_sorted[at].of_members) ? reserved_sorted[at].why : NULL;
}
