/* json.c - writes JSON. For each open list it remembers whether an element was written, to know where commas go.
 * SPDX-License-Identifier: MIT
 */
#include "base/json.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* An object or array that has not ended. */
typedef struct open_list {
    struct open_list *around;
    const char *end;
    bool lines, has_some;
} open_list;

struct json_writer {
    arena *arena;
    out *to;
    json_style style;
    open_list *innermost;
    bool after_key; /* the value of a member comes next */
};

static void put_json(json_writer *j, const char *text)
{
    out_add(j->to, text);
}

json_writer *json_new(arena *a, out *to, json_style style)
{
    json_writer *j = ARENA_NEW(a, json_writer);
    *j = (json_writer){.arena = a, .to = to, .style = style};
    return j;
}

/* Puts the comma, the line break or the space that comes before a member or an element. */
static void begin_value(json_writer *j)
{
    open_list *in = j->innermost;
    bool first_of_list = in && !in->has_some;
    if (j->after_key || !in) {
        j->after_key = false;
        return;
    }
    if (!first_of_list)
        put_json(j, ",");
    if (in->lines && first_of_list)
        out_indent(j->to);
    if (in->lines)
        put_json(j, "\n");
    else if (!first_of_list && j->style != JSON_TIGHT)
        put_json(j, " ");
    in->has_some = true;
}

static void begin_list(json_writer *j, json_list list, const char *begin, const char *end)
{
    begin_value(j);
    put_json(j, begin);
    open_list *in = ARENA_NEW(j->arena, open_list);
    *in = (open_list){.around = j->innermost, .end = end, .lines = list == JSON_LINES && j->style == JSON_SPACED};
    j->innermost = in;
}

void json_begin_object(json_writer *j, json_list list)
{
    begin_list(j, list, "{", "}");
}

void json_begin_array(json_writer *j, json_list list)
{
    begin_list(j, list, "[", "]");
}

void json_end(json_writer *j)
{
    open_list *in = j->innermost;
    if (in->lines && in->has_some) {
        out_dedent(j->to);
        put_json(j, "\n");
    }
    put_json(j, in->end);
    j->innermost = in->around;
}

/* Writes the first character of a text; returns the number of its bytes. */
static size_t put_character(json_writer *j, const char *text, size_t left)
{
    uint32_t c;
    size_t size = utf8_character(text, left, &c);
    if (size == 0)
        put_json(j, arena_printf(j->arena, "\\\\x%02x", (unsigned)(unsigned char)*text));
    else if (c == '"' || c == '\\')
        put_json(j, c == '"' ? "\\\"" : "\\\\");
    else if (utf8_printable(text, left))
        put_json(j, arena_text(j->arena, text, size));
    else
        put_json(j, arena_printf(j->arena, "\\u%04" PRIx32, c));
    return size ? size : 1;
}

/* How many bytes at the start of a text can be copied without decoding their characters. */
static size_t plain_size(const char *text, size_t size)
{
    size_t plain = 0;
    while (plain < size && text[plain] >= ' ' && text[plain] < 0x7f && text[plain] != '"' && text[plain] != '\\')
        plain++;
    return plain;
}

void json_bytes(json_writer *j, const char *text, size_t size)
{
    begin_value(j);
    put_json(j, "\"");
    while (size > 0) {
        size_t done = plain_size(text, size);
        if (done > 0)
            put_json(j, arena_text(j->arena, text, done));
        else
            done = put_character(j, text, size);
        text += done;
        size -= done;
    }
    put_json(j, "\"");
}

void json_hex(json_writer *j, const uint8_t *bytes, size_t size)
{
    char *digits = ARENA_ARRAY(j->arena, char, 2 * size + 1);
    for (size_t i = 0; i < size; i++)
        sprintf(digits + 2 * i, "%02x", bytes[i]);
    json_text(j, digits);
}

void json_text(json_writer *j, const char *text)
{
    if (text)
        json_bytes(j, text, strlen(text));
    else
        json_plain(j, "null");
}

json_writer *json_key(json_writer *j, const char *key)
{
    json_text(j, key);
    put_json(j, j->style == JSON_TIGHT ? ":" : ": ");
    j->after_key = true;
    return j;
}

json_writer *json_long_key(json_writer *j, const char *key, const char *ending)
{
    return json_key(j, arena_printf(j->arena, "%s%s", key, ending));
}

void json_plain(json_writer *j, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin_value(j);
    put_json(j, arena_vprintf(j->arena, format, arguments));
    va_end(arguments);
}

void json_num(json_writer *j, num n)
{
    char digits[24], *at = digits + sizeof digits;
    *--at = '\0';
    do
        *--at = (char)('0' + n.magnitude % 10);
    while ((n.magnitude /= 10) != 0);
    if (n.negative)
        *--at = '-';
    begin_value(j);
    put_json(j, at);
}

bool json_is_one_line(const json_writer *j)
{
    return j->style == JSON_ONE_LINE;
}

/* The comma before the next element is not part of the text. */
size_t json_mark(json_writer *j)
{
    size_t mark;
    begin_value(j);
    j->after_key = true;
    (void)out_result(j->to, &mark);
    return mark;
}

const char *json_since(const json_writer *j, size_t mark, size_t *size)
{
    const char *all = out_result(j->to, size);
    *size -= mark;
    return all + mark;
}

void json_again(json_writer *j, const char *text, size_t size)
{
    begin_value(j);
    out_add_line(j->to, text, size);
}

void json_u64(json_writer *j, uint64_t n)
{
    json_num(j, num_u64(n));
}
