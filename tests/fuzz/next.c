/* next.c - implements next.h.
 * SPDX-License-Identifier: MIT
 *
 * A change knows nothing of the language: it edits a line of the text, and what that makes invalid is not allowed.
 */
#include "next.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 60, LONGEST = 4096 };

typedef struct edit {
    lot *l;
    unsigned number; /* for names that are not yet used */
    char line[LONGEST];
} edit;

/* Replaces `size` bytes of the line at a place. False if it becomes too long. */
static bool put_at(edit *e, size_t at, size_t size, const char *with)
{
    const size_t length = strlen(e->line), more = strlen(with);
    if (length - size + more >= LONGEST)
        return false;
    memmove(e->line + at + more, e->line + at + size, length + 1 - at - size);
    memcpy(e->line + at, with, more);
    return true;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool change_number(edit *e)
{
    size_t places[256], count = 0;
    for (size_t i = 0; e->line[i] && count < 256; i++)
        if (isdigit((unsigned char)e->line[i]) && (i == 0 || !is_name(e->line[i - 1])))
            places[count++] = i;
    if (count == 0)
        return false;
    const size_t at = places[lot_below(e->l, (uint32_t)count)];
    char *end, text[40];
    const unsigned long long n = strtoull(e->line + at, &end, 0);
    const unsigned long long other[] = {n + 1, n - 1, n * 2, n / 2, n + 10, 0};
    snprintf(text, sizeof text, "%llu", other[lot_below(e->l, 6)]);
    return put_at(e, at, (size_t)(end - e->line) - at, text);
}

/* From a word of the list on, the first that the line has. */
static bool change_word(edit *e)
{
    static const char *const words[][2] = {
        {"u8", "u16"},          {"u16", "u32"},         {"u32", "u64"},
        {"i8", "i16"},          {"i16", "i32"},         {"i32", "i64"},
        {"u16", "u8"},          {"i32", "i16"},         {"half", "float"},
        {"float", "half"},      {"bool", "u8"},         {"float", "double"},
        {"string", "bytes"},    {"fixed", "int"},       {"bits<8>", "u8"},
        {"Plain", "Ahead"},     {"u8", "bits<7>"},      {"sparse", ""},
        {"compact u16", "u16"}, {"u16", "compact u16"}, {"optional", ""},
        {"wrap", ""},           {"coded", ""},          {"relative", "bitmap"},
        {"clamp", ""},          {" still", ""},         {"coded", "coded still"},
        {" or raw", ""},
    };
    const unsigned count = sizeof words / sizeof words[0], first = lot_below(e->l, count);
    for (unsigned i = 0; i < count; i++) {
        const char *const *pair = words[(first + i) % count], *at = strstr(e->line, pair[0]);
        if (at)
            return put_at(e, (size_t)(at - e->line), strlen(pair[0]), pair[1]);
    }
    return false;
}

/* Takes away what follows a space: an attribute, or a part of one. */
static bool drop_attribute(edit *e)
{
    const char *at = strrchr(e->line, ' '), *end = strchr(e->line, ';');
    return at && end && at < end && put_at(e, (size_t)(at - e->line), (size_t)(end - at), "");
}

static bool add_attribute(edit *e)
{
    static const char *const words[] = {" wrap",   " coded", " delta<2, 3>", " unless 0",   " clamp",
                                        " or raw", " = 1",   " @lossy(2)",   " @deprecated"};
    const char *end = strchr(e->line, ';');
    return end && put_at(e, (size_t)(end - e->line), 0, words[lot_below(e->l, sizeof words / sizeof words[0])]);
}

/* "u8 f7[3];": the name after the first space. */
static bool rename_field(edit *e)
{
    char was[80], *space = strchr(e->line, ' '), *end = strrchr(e->line, ';');
    size_t size = 0;
    while (space && is_name(space[1 + size]))
        size++;
    if (!end || size == 0 || size > 40)
        return false;
    snprintf(was, sizeof was, " was \"%.*s\"", (int)size, space + 1);
    if (!put_at(e, (size_t)(end - e->line), 0, was))
        return false;
    snprintf(was, sizeof was, "new%u", e->number++);
    return put_at(e, (size_t)(space + 1 - e->line), size, was);
}

/* A member of an enum, of flags or of a union, at the end. With `else`, older releases get another one for it. */
static bool add_member(edit *e)
{
    char text[120], *open = strchr(e->line, '{'), *close = strrchr(e->line, '}');
    char first[60] = "";
    const bool is_union = strstr(e->line, "union ") != NULL;
    if (!open || !close || sscanf(open, is_union ? "{ %*s %50[A-Za-z0-9_]" : "{ %50[A-Za-z0-9_]", first) != 1)
        return false;
    const bool has_else = !lot_one_in(e->l, 3);
    snprintf(text, sizeof text, is_union ? "S0 new%u%s%s; " : ", new%u%s%s ", e->number++, has_else ? " else " : "",
             has_else ? first : "");
    return put_at(e, (size_t)(close - e->line), 0, text);
}

static bool add_optional(edit *e)
{
    return put_at(e, 0, 0, "optional ");
}

static bool drop_line(edit *e)
{
    e->line[0] = '\0';
    return true;
}

static bool add_line(edit *e)
{
    static const char *const fields[] = {
        "u8 new%u;",
        "optional u16 new%u;",
        "bool new%u = true;",
        "bits<5> new%u[3];",
        "string<9> new%u;",
        "float<0, 1, 0.1> new%u;",
        "S0 new%u;",
        "u16 new%u[<=4];",
        "Plain new%u;",
        "bytes<6> new%u;",
        "int<-9, 9> new%u wrap;",
        "optional S0 new%u;",
        "quat<8> new%u;",
        "U0 new%u;",
        "half new%u;",
    };
    char text[80] = "\n";
    snprintf(text + 1, sizeof text - 1, fields[lot_below(e->l, sizeof fields / sizeof fields[0])], e->number++);
    return put_at(e, strlen(e->line), 0, text);
}

static bool is_field(const char *line)
{
    const size_t length = strlen(line);
    return length > 0 && line[length - 1] == ';' && strncmp(line, "protocol", 8) != 0;
}

/* An enum gets a width, or loses it. */
static bool change_width(edit *e)
{
    const char *body = strstr(e->line, " {"), *width = strstr(e->line, " : bits<");
    if (!body)
        return false;
    return width ? put_at(e, (size_t)(width - e->line), (size_t)(body - width), "")
                 : put_at(e, (size_t)(body - e->line), 0, " : bits<7>");
}

/* Changes the line. False if the change does not fit it. */
static bool change_line(edit *e)
{
    static bool (*const of_field[])(edit *) = {change_number, change_number, change_word, drop_attribute, add_attribute,
                                               rename_field,  add_optional,  drop_line,   add_line};
    if (is_field(e->line))
        return of_field[lot_below(e->l, sizeof of_field / sizeof of_field[0])](e);
    if (strstr(e->line, "enum ") && lot_one_in(e->l, 3))
        return change_width(e);
    if (strstr(e->line, "enum ") || strstr(e->line, "flags ") || strstr(e->line, "union "))
        return lot_one_in(e->l, 3) ? change_number(e) : add_member(e);
    return strstr(e->line, "packet ") || strstr(e->line, "struct ") ? add_line(e) : change_number(e);
}

/* The line at a place and the one after it, the other way round. */
static bool swap_lines(edit *e, const char *next)
{
    const size_t size = strcspn(next, "\n");
    char text[LONGEST];
    if (!is_field(e->line) || *next == '\0' || size + 2 >= sizeof text)
        return false;
    snprintf(text, sizeof text, "%.*s\n", (int)size, next);
    return is_field(e->line) && put_at(e, 0, 0, text);
}

static const char *changed_once(arena *a, edit *e, const char *text)
{
    uint32_t lines = 0;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    const char *line = text;
    /* Enums are at the beginning, and so few of many lines that a change of them would be rare. */
    const uint32_t among = lot_one_in(e->l, 10) && lines > 6 ? 6 : lines;
    for (uint32_t skip = lot_below(e->l, among); skip > 0; skip--)
        line = strchr(line, '\n') + 1;
    const size_t size = strcspn(line, "\n");
    const char *rest = line + size;
    if (size >= LONGEST)
        return NULL;
    memcpy(e->line, line, size);
    e->line[size] = '\0';
    if (lot_one_in(e->l, 8)) {
        if (*rest == '\0' || !swap_lines(e, rest + 1))
            return NULL;
        rest += 1 + strcspn(rest + 1, "\n");
    } else if (!change_line(e)) {
        return NULL;
    }
    return arena_printf(a, "%.*s%s%s", (int)(line - text), text, e->line, rest);
}

const char *next_release(arena *a, lot *l, const char *text, unsigned steps, next_allowed *allowed, void *user)
{
    edit *e = arena_alloc(a, sizeof *e);
    *e = (edit){.l = l};
    for (unsigned i = 0; steps > 0 && i < TRIES; i++) {
        const char *changed = changed_once(a, e, text);
        if (!changed || !allowed(user, changed))
            continue;
        text = changed;
        steps--;
    }
    return text;
}
