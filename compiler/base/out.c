/* out.c - fills in templates line by line: where a line begins, how far it is indented, which name is replaced.
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
    FILE *to;       /* NULL: all of the text stays here */
    size_t written; /* there */
    unsigned level; /* of indentation */
    size_t lead;    /* spaces at the start of the current line, from the template */
    bool line_open; /* the line has its indentation and first character */
};

enum { SPACES_A_LEVEL = 4, FIRST_CAPACITY = 256, FIRST_TEXT = 128, MOST_PAIRS = 24, MOST_UNWRITTEN = 1 << 20 };

static void begin_out(out *o, arena *a, size_t capacity)
{
    *o = (out){.arena = a, .capacity = capacity, .text = ARENA_ARRAY(a, char, capacity)};
}

out *out_new(arena *a)
{
    out *o = ARENA_NEW(a, out);
    begin_out(o, a, FIRST_CAPACITY);
    return o;
}

out *out_to_file(arena *a, FILE *to)
{
    out *o = out_new(a);
    o->to = to;
    return o;
}

static void write_out(out *o)
{
    (void)fwrite(o->text, 1, o->size, o->to);
    o->written += o->size;
    o->size = 0;
}

void out_end(out *o)
{
    write_out(o);
}

static void grow_out(out *o, size_t more)
{
    if (o->size + more < o->capacity)
        return;
    if (o->to && o->capacity >= MOST_UNWRITTEN)
        write_out(o);
    const size_t needed = o->size + more + 1;
    if (needed <= o->capacity)
        return;
    while (o->capacity < needed)
        o->capacity *= 2;
    o->text = arena_grow(o->arena, o->text, o->size, o->capacity);
}

static void begin_line(out *o, char first)
{
    size_t spaces = first == '#' ? 0 : o->level * SPACES_A_LEVEL + o->lead;
    grow_out(o, spaces);
    memset(o->text + o->size, ' ', spaces);
    o->size += spaces;
    o->line_open = true;
}

/* For each byte, what it ends: the text, the line, or a part of a template. */
enum { ENDS_LINE = 1, ENDS_PART = 2 };
static const unsigned char ends[256] = {
    ['\0'] = ENDS_LINE | ENDS_PART, ['\n'] = ENDS_LINE | ENDS_PART, ['$'] = ENDS_PART};

static const char *append_in_room(out *o, const char *text, unsigned end);

/* Adds text up to the byte that ends it, and returns the place of that byte. Most parts are short, so one loop over the
 * bytes is faster than finding the end first and then copying. */
static inline const char *append(out *o, const char *text, unsigned end)
{
    char *to = o->text + o->size;
    const char *const full = o->text + o->capacity - 1;
    for (unsigned char c = (unsigned char)*text; (ends[c] & end) == 0; c = (unsigned char)*++text) {
        if (to == full) {
            o->size = (size_t)(to - o->text);
            return append_in_room(o, text, end);
        }
        *to++ = (char)c;
    }
    o->size = (size_t)(to - o->text);
    return text;
}

static const char *append_in_room(out *o, const char *text, unsigned end)
{
    grow_out(o, 1);
    return append(o, text, end);
}

static const char *append_lines(out *o, const char *text, unsigned end, size_t lead)
{
    const char *at = text;
    for (;;) {
        for (; !o->line_open && *at == ' '; at++)
            o->lead++;
        if (!o->line_open && (ends[(unsigned char)*at] & end) == 0)
            begin_line(o, *at);
        at = append(o, at, end);
        if (*at != '\n')
            break;
        grow_out(o, 1);
        o->text[o->size++] = *at++;
        o->line_open = false;
        o->lead = lead;
    }
    /* The value ended in a newline, so the next line belongs to the template again. */
    if (!o->line_open && at > text && at[-1] == '\n')
        o->lead = 0;
    return at;
}

/* Adds text up to its end or, in a template, up to a dollar; returns where it stopped. Lines after the first begin with
 * `lead` more spaces. */
static const char *append_until(out *o, const char *text, unsigned end, size_t lead)
{
    /* Most texts are a part of a line that has begun. */
    if (o->line_open) {
        text = append(o, text, end);
        if (*text != '\n')
            return text;
    }
    return append_lines(o, text, end, lead);
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The values of a template: pairs, or the results of a function. */
typedef struct source_of_values {
    const char *const *pairs; /* name, value, name, value, ..., NULL; or NULL */
    out_values *function;
    void *user;
} source_of_values;

/* The value of the variable whose name is at the start of the text; *end is where the name ends. */
static const char *find_variable(const source_of_values *from, const char *name, const char **end)
{
    for (const char *const *pair = from->pairs; pair && *pair; pair += 2) {
        size_t same = 0;
        while ((*pair)[same] != '\0' && (*pair)[same] == name[same])
            same++;
        *end = name + same;
        if ((*pair)[same] == '\0' && !is_name_byte(**end))
            return pair[1];
    }
    *end = name;
    while (is_name_byte(**end))
        (*end)++;
    return from->function ? from->function(from->user, name, (size_t)(*end - name)) : NULL;
}

static void substitute(out *o, const char *template_text, const source_of_values *from)
{
    const char *at = template_text;
    while (*(at = append_until(o, at, ENDS_PART, 0)) != '\0') {
        if (at[1] == '$') {
            (void)append_until(o, "$", ENDS_LINE, 0);
            at += 2;
            continue;
        }
        bool braced = at[1] == '{';
        const char *name = at + (braced ? 2 : 1), *end;
        const char *value = find_variable(from, name, &end);
        if (!value) {
            fprintf(stderr, "pktc: a template has no value for $%.*s\n", (int)(end - name), name);
            abort();
        }
        assert((!braced || *end == '}') && "a template's ${ has no }");
        (void)append_until(o, value, ENDS_LINE, o->lead);
        at = end + (braced ? 1 : 0);
    }
}

bool out_is_name(const char *candidate, const char *name, size_t size)
{
    size_t same = 0;
    while (same < size && candidate[same] == name[same])
        same++;
    return same == size && candidate[size] == '\0';
}

void out_fill(out *o, const char *template_text, out_values *values, void *user)
{
    substitute(o, template_text, &(source_of_values){.function = values, .user = user});
}

const char *out_text(arena *a, const char *template_text, out_values *values, void *user)
{
    out o;
    size_t size;
    begin_out(&o, a, FIRST_TEXT);
    out_fill(&o, template_text, values, user);
    return out_result(&o, &size);
}

void out_put(out *o, const char *template_text, ...)
{
    const char *pairs[2 * MOST_PAIRS + 1];
    size_t count = 0;
    va_list list;
    va_start(list, template_text);
    while ((pairs[count] = va_arg(list, const char *))) {
        assert(count < 2 * MOST_PAIRS && "a template has more values than out_put takes");
        pairs[count + 1] = va_arg(list, const char *);
        count += 2;
    }
    va_end(list);
    substitute(o, template_text, &(source_of_values){.pairs = pairs});
}

void out_add(out *o, const char *text)
{
    (void)append_until(o, text, ENDS_LINE, o->lead);
}

void out_format(out *o, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    out_vformat(o, format, arguments);
    va_end(arguments);
}

void out_vformat(out *o, const char *format, va_list arguments)
{
    char text[FIRST_TEXT];
    va_list again;
    va_copy(again, arguments);
    const int size = vsnprintf(text, sizeof text, format, again);
    va_end(again);
    out_add(o, size >= 0 && (size_t)size < sizeof text ? text : arena_vprintf(o->arena, format, arguments));
}

void out_add_line(out *o, const char *text, size_t size)
{
    assert(o->line_open && !memchr(text, '\n', size));
    grow_out(o, size);
    memcpy(o->text + o->size, text, size);
    o->size += size;
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

void out_close(out *o)
{
    out_dedent(o);
    out_put(o, "}\n", NULL);
}

const char *out_result(const out *o, size_t *size)
{
    assert(!o->to);
    o->text[o->size] = '\0';
    return out_since(o, 0, size);
}

size_t out_size(const out *o)
{
    return o->written + o->size;
}

const char *out_since(const out *o, size_t place, size_t *size)
{
    *size = out_size(o) - place;
    return place < o->written ? NULL : o->text + (place - o->written);
}
