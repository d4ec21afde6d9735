/* out.c - templates with named variables, indented line by line: see out.h.
 * SPDX-License-Identifier: MIT
 *
 * A line is indented when its first character other than a space arrives. Only then is it known whether the line is
 * empty or a preprocessor directive; both stay at the margin.
 */
#include "base/out.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct out {
    arena *arena;
    char *text;
    size_t size, capacity;
    unsigned level; /* of indentation */
    size_t lead;    /* spaces at the start of the current line, from the template */
    bool line_open; /* the line has its indentation and first character */
};

enum { SPACES_A_LEVEL = 4, FIRST_CAPACITY = 256, FIRST_TEXT = 128, NAME_SIZE = 32 };

static void begin(out *o, arena *a, size_t capacity)
{
    *o = (out){.arena = a, .capacity = capacity, .text = ARENA_ARRAY(a, char, capacity)};
}

out *out_new(arena *a)
{
    out *o = ARENA_NEW(a, out);
    begin(o, a, FIRST_CAPACITY);
    return o;
}

static void reserve(out *o, size_t more)
{
    size_t needed = o->size + more + 1;
    if (needed <= o->capacity)
        return;
    while (o->capacity < needed)
        o->capacity *= 2;
    o->text = arena_grow(o->arena, o->text, o->size, o->capacity);
}

static void append(out *o, const char *text, size_t size)
{
    reserve(o, size);
    memcpy(o->text + o->size, text, size);
    o->size += size;
    o->text[o->size] = '\0';
}

static void append_spaces(out *o, size_t count)
{
    reserve(o, count);
    memset(o->text + o->size, ' ', count);
    o->size += count;
    o->text[o->size] = '\0';
}

/* Adds text whose lines after the first begin with `lead` more spaces. */
static void put_text(out *o, const char *text, size_t size, size_t lead)
{
    const char *end = text + size;
    while (text < end) {
        if (*text == '\n') {
            append(o, "\n", 1);
            o->line_open = false;
            o->lead = lead;
            text++;
        } else if (!o->line_open && *text == ' ') {
            o->lead++;
            text++;
        } else {
            if (!o->line_open && *text != '#')
                append_spaces(o, o->level * SPACES_A_LEVEL + o->lead);
            o->line_open = true;
            const char *newline = memchr(text, '\n', (size_t)(end - text));
            const char *stop = newline ? newline : end;
            append(o, text, (size_t)(stop - text));
            text = stop;
        }
    }
    /* After a value that ends in a newline, the next line belongs to the template again. */
    if (!o->line_open && size > 0 && end[-1] == '\n')
        o->lead = 0;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void out_fill(out *o, const char *template_text, out_values *values, void *user)
{
    const char *at = template_text;
    for (;;) {
        const char *dollar = strchr(at, '$');
        put_text(o, at, dollar ? (size_t)(dollar - at) : strlen(at), 0);
        if (!dollar)
            return;
        if (dollar[1] == '$') {
            put_text(o, "$", 1, 0);
            at = dollar + 2;
            continue;
        }
        bool braced = dollar[1] == '{';
        const char *start = dollar + (braced ? 2 : 1), *end = start;
        while (is_name_byte(*end))
            end++;
        assert((!braced || *end == '}') && "a template's ${ has no }");

        char name[NAME_SIZE];
        assert(end - start < NAME_SIZE);
        memcpy(name, start, (size_t)(end - start));
        name[end - start] = '\0';
        const char *value = values(user, name);
        if (!value) {
            fprintf(stderr, "pktc: a template has no value for $%s\n", name);
            abort();
        }
        put_text(o, value, strlen(value), o->lead);
        at = end + (braced ? 1 : 0);
    }
}

const char *out_text(arena *a, const char *template_text, out_values *values, void *user)
{
    out o;
    begin(&o, a, FIRST_TEXT);
    out_fill(&o, template_text, values, user);
    return o.text;
}

typedef struct pairs {
    va_list list;
} pairs;

static const char *find_value(void *user, const char *name)
{
    pairs *given = user;
    va_list list;
    const char *candidate, *value = NULL;
    va_copy(list, given->list);
    while (!value && (candidate = va_arg(list, const char *)) != NULL) {
        const char *text = va_arg(list, const char *);
        if (strcmp(candidate, name) == 0)
            value = text;
    }
    va_end(list);
    return value;
}

void out_put(out *o, const char *template_text, ...)
{
    pairs given;
    va_start(given.list, template_text);
    out_fill(o, template_text, find_value, &given);
    va_end(given.list);
}

void out_indent(out *o)
{
    o->level++;
}

void out_dedent(out *o)
{
    assert(o->level > 0 && "out_dedent without its out_indent");
    o->level--;
}

const char *out_result(const out *o, size_t *size)
{
    *size = o->size;
    return o->text;
}
