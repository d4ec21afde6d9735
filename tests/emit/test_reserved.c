/* test_reserved.c - tests the list of names that C, its headers, windows.h and the runtime use.
 * SPDX-License-Identifier: MIT
 */
#include "emit/names.h"
#include "process.h"
#include "unit.h"

#include <ctype.h>
#include <string.h>

TEST(each_name_is_there_once)
{
    for (size_t i = 1; name_reserved_at(i) != NULL; i++) {
        assert_true(strcmp(name_reserved_at(i - 1), name_reserved_at(i)) < 0);
        assert_non_null(name_reserved(name_reserved_at(i), TAKEN_AS_TYPE));
    }
}

TEST(in_the_way)
{
    static const char *const everywhere[] = {
        "while",    "class",        "nullptr",   "char8_t",  "and",          "uint8_t",    "NULL",    "errno",
        "stdin",    "INT_MAX",      "FLT_MAX",   "near",     "IN",           "ERROR",      "DELETE",  "OPAQUE",
        "linux",    "pkt_quat",     "PKT_RANGE", "_Bool",    "__x",          "SIGINT",     "EIO",     "size_t",
        "I",        "complex",      "imaginary", "noreturn", "unix",         "EOF",        "stdout",  "stderr",
        "st_mtime", "st_birthtime", "s6_addr",   "PRIx64",   "SCNd8",        "FE_INVALID", "LC_ALL",  "EAUTH",
        "ECHO",     "B9600",        "VMIN",      "AF_INET",  "SO_REUSEADDR", "O_RDONLY",   "R_OK",    "POLLIN",
        "Status",   "Success",      "None",      "Bool",     "Always",       "KeyPress",   "True",    "False",
        "XK_space", "GXcopy",       "MSG_PEEK",  "IP_TTL",   "SOCKET_ERROR", "WSAEINTR",   "WM_CHAR", "VK_SPACE",
        "SRCCOPY",  "SIOCATMARK"};
    static const char *const at_file_scope[] = {"memcpy", "y0",      "jn",     "index",         "signal",
                                                "time",   "connect", "exp",    "DefaultScreen", "expf",
                                                "sqrtl",  "min",     "assert", "main",          "tm"};
    static const char *const free_names[] = {
        "Snapshot",  "health",  "x",     "position", "x_count", "has_x",   "pkt",   "Min",     "uint128_t",
        "mg_memcpy", "Error",   "PRIZE", "PRI",      "FE_x",    "major",   "minor", "makedev", "ENERGY",
        "",          "v",       "data",  "out",      "ECHOES",  "AF_inet", "SO",    "SO_Far",  "IP_ADDRESS",
        "MSG_ID",    "IN_GAME", "B1",    "WSA",      "VK",      "HP",      "O_REF"};
    static const char *const free_members[] = {"_x", "x_", "_"};
    for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; i++) {
        assert_non_null(name_reserved(everywhere[i], TAKEN_AS_TYPE));
        assert_non_null(name_reserved(everywhere[i], TAKEN_AS_MEMBER));
    }
    for (size_t i = 0; i < sizeof at_file_scope / sizeof *at_file_scope; i++) {
        assert_non_null(name_reserved(at_file_scope[i], TAKEN_AS_TYPE));
        assert_null(name_reserved(at_file_scope[i], TAKEN_AS_MEMBER));
    }
    for (size_t i = 0; i < sizeof free_members / sizeof *free_members; i++) {
        assert_non_null(name_reserved(free_members[i], TAKEN_AS_TYPE));
        assert_null(name_reserved(free_members[i], TAKEN_AS_MEMBER));
    }
    for (size_t i = 0; i < sizeof free_names / sizeof *free_names; i++) {
        assert_null(name_reserved(free_names[i], TAKEN_AS_TYPE));
        assert_null(name_reserved(free_names[i], TAKEN_AS_MEMBER));
    }
    assert_string_equal(name_reserved("class", TAKEN_AS_MEMBER), "a keyword of C++");
    assert_string_equal(name_reserved("inline", TAKEN_AS_MEMBER), "a keyword of C");
    assert_string_equal(name_reserved("min", TAKEN_AS_TYPE), "a macro of <windows.h>");
    assert_string_equal(name_reserved("None", TAKEN_AS_MEMBER), "a macro of <X11/Xlib.h> or <X11/Xutil.h>");
    assert_string_equal(name_reserved("uint8_t", TAKEN_AS_TYPE), "a name of the standard header <stdint.h>");
}

/* ---- macros in the headers of this machine */

static const char *const standard_headers[] = {
    "assert", "complex", "ctype",       "errno",  "fenv",    "float",     "inttypes", "iso646", "limits",
    "locale", "math",    "setjmp",      "signal", "stdarg",  "stdatomic", "stdbool",  "stddef", "stdint",
    "stdio",  "stdlib",  "stdnoreturn", "string", "threads", "time",      "uchar",    "wchar",  "wctype"};

static const char *const system_headers[] = {
    "dirent",   "dlfcn",   "getopt", "ifaddrs",     "libgen",   "net/if",    "netinet/tcp", "pthread",
    "pwd",      "sched",   "search", "semaphore",   "strings",  "sys/ioctl", "sys/mman",    "sys/msg",
    "sys/stat", "sys/uio", "sys/un", "sys/utsname", "sys/wait", "syslog",    "utime",       "utmpx"};

/* Those that a game includes beside its packets. */
static const char *const usual_headers[] = {"arpa/inet",  "fcntl",    "netdb",     "netinet/in", "poll",  "sys/select",
                                            "sys/socket", "sys/time", "sys/types", "termios",    "unistd"};

static bool has_lower_case(const char *name)
{
    while (*name && !islower((unsigned char)*name))
        name++;
    return *name;
}

/* A macro without parameters that expands to something else than its name would break a member with that name. */
static int unknown_macros(const char *header, bool only_lower_case)
{
    int count = 0;
    process_result result =
        process_run("echo '#include <%s.h>' | %s -dM -E -x c -", header, getenv("CC") ? getenv("CC") : "cc");
    for (char *line = strtok(result.status == 0 ? result.out : NULL, "\n"); line; line = strtok(NULL, "\n")) {
        char name[200], text[200] = "";
        if (sscanf(line, "#define %199[A-Za-z0-9_]%*1[ ]%199[^\n]", name, text) < 1 || name[0] == '_' ||
            line[8 + strlen(name)] == '(')
            continue;
        if (strcmp(name, text) == 0 || (only_lower_case && !has_lower_case(name)) ||
            name_reserved(name, TAKEN_AS_MEMBER))
            continue;
        print_message("<%s.h> defines '%s'\n", header, name);
        count++;
    }
    process_free(&result);
    return count;
}

TEST(macros_of_headers)
{
    int count = 0;
    for (size_t i = 0; i < sizeof standard_headers / sizeof *standard_headers; i++)
        count += unknown_macros(standard_headers[i], false);
    for (size_t i = 0; i < sizeof usual_headers / sizeof *usual_headers; i++)
        count += unknown_macros(usual_headers[i], false);
    for (size_t i = 0; i < sizeof system_headers / sizeof *system_headers; i++)
        count += unknown_macros(system_headers[i], true);
    assert_int_equal(count, 0);
}

TEST(macros_of_x11)
{
    process_result result =
        process_run("echo '#include <X11/Xutil.h>' | %s -E -x c -", getenv("CC") ? getenv("CC") : "cc");
    const int status = result.status;
    process_free(&result);
    if (status != 0) {
        print_message("[  SKIPPED ] no X11/Xutil.h (package libx11-dev)\n");
        skip();
    }
    assert_int_equal(
        unknown_macros("X11/X", false) + unknown_macros("X11/Xlib", false) + unknown_macros("X11/Xutil", false), 0);
}

/* ---- types and functions in the standard headers of this machine */

/* A type of the same name would break a program that includes the header. */
static int unknown_name(const char *header, const char *name, size_t size)
{
    char copy[200];
    if (size == 0 || size >= sizeof copy || name[0] == '_')
        return 0;
    memcpy(copy, name, size);
    copy[size] = 0;
    if (name_reserved(copy, TAKEN_AS_TYPE))
        return 0;
    print_message("<%s.h> declares '%s'\n", header, copy);
    return 1;
}

/* Outside of parentheses and braces, a name before a parenthesis is a function, and the last one before the end of a
 * typedef is a type. */
static int unknown_declarations(const char *header)
{
    int count = 0, depth = 0;
    bool is_typedef = false;
    const char *name = "";
    size_t size = 0;
    process_result result =
        process_run("echo '#include <%s.h>' | %s -std=c11 -E -P -x c -", header, getenv("CC") ? getenv("CC") : "cc");
    for (const char *at = result.status == 0 ? result.out : ""; *at; at++) {
        if (isalpha((unsigned char)*at) || *at == '_') {
            const size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
            is_typedef |= length == strlen("typedef") && strncmp(at, "typedef", length) == 0;
            if (depth == 0) {
                name = at;
                size = length;
            }
            at += length - 1;
        } else if (*at == '(' && depth == 0 && !is_typedef) {
            count += unknown_name(header, name, size);
        } else if (*at == ';' && depth == 0) {
            if (is_typedef)
                count += unknown_name(header, name, size);
            is_typedef = false;
        }
        depth += (*at == '(' || *at == '{') - (*at == ')' || *at == '}');
    }
    process_free(&result);
    return count;
}

TEST(declarations_of_headers)
{
    int count = 0;
    for (size_t i = 0; i < sizeof standard_headers / sizeof *standard_headers; i++)
        count += unknown_declarations(standard_headers[i]);
    assert_int_equal(count, 0);
}
