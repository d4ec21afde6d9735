/* json.c - writes JSON. For each open list it remembers whether an element was written, to know where commas go.
 * SPDX-License-Identifier: MIT
 */
#include "base/json.h"
#include "base/utf8.h"

#include <inttypes.h>
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
    open_list *ended; /* to be used again */
    bool after_key;   /* the value of a member comes next */
};

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
        out_add(j->to, ",");
    if (in->lines && first_of_list)
        out_indent(j->to);
    if (in->lines)
        out_add(j->to, "\n");
    else if (!first_of_list && j->style != JSON_TIGHT)
        out_add(j->to, " ");
    in->has_some = true;
}

static void begin_list(json_writer *j, json_list list, const char *begin, const char *end)
{
    begin_value(j);
    out_add(j->to, begin);
    open_list *in = j->ended;
    if (in)
        j->ended = in->around;
    else
        in = ARENA_NEW(j->arena, open_list);
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
        out_add(j->to, "\n");
    }
    out_add(j->to, in->end);
    j->innermost = in->around;
    in->around = j->ended;
    j->ended = in;
}

/* Writes the first character of a text; returns the number of its bytes. */
static size_t put_character(json_writer *j, const char *text, size_t left)
{
    uint32_t c;
    size_t size = utf8_character(text, left, &c);
    if (size == 0)
        out_format(j->to, "\\\\x%02x", (unsigned)(unsigned char)*text);
    else if (c == '"' || c == '\\')
        out_add(j->to, c == '"' ? "\\\"" : "\\\\");
    else if (utf8_printable(text, left))
        out_add_line(j->to, text, size);
    else
        out_format(j->to, "\\u%04" PRIx32, c);
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

/* Puts the inside of a string. */
static void put_inside(json_writer *j, const char *text, size_t size)
{
    while (size > 0) {
        size_t done = plain_size(text, size);
        if (done > 0)
            out_add_line(j->to, text, done);
        else
            done = put_character(j, text, size);
        text += done;
        size -= done;
    }
}

void json_bytes(json_writer *j, const char *text, size_t size)
{
    begin_value(j);
    out_add(j->to, "\"");
    put_inside(j, text, size);
    out_add(j->to, "\"");
}

void json_hex(json_writer *j, const uint8_t *bytes, size_t size)
{
    begin_value(j);
    out_add(j->to, "\"");
    for (size_t i = 0; i < size; i++) {
        static const char digits[] = "0123456789abcdef";
        const char two[] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
        out_add_line(j->to, two, sizeof two);
    }
    out_add(j->to, "\"");
}

void json_text(json_writer *j, const char *text)
{
    if (text)
        json_bytes(j, text, strlen(text));
    else
        json_word(j, "null");
}

json_writer *json_key(json_writer *j, const char *key)
{
    return json_long_key(j, key, "");
}

json_writer *json_long_key(json_writer *j, const char *key, const char *ending)
{
    begin_value(j);
    out_add(j->to, "\"");
    put_inside(j, key, strlen(key));
    put_inside(j, ending, strlen(ending));
    out_add(j->to, j->style == JSON_TIGHT ? "\":" : "\": ");
    j->after_key = true;
    return j;
}

void json_word(json_writer *j, const char *word)
{
    begin_value(j);
    out_add(j->to, word);
}

void json_plain(json_writer *j, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin_value(j);
    out_vformat(j->to, format, arguments);
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
    json_word(j, at);
}

bool json_is_one_line(const json_writer *j)
{
    return j->style == JSON_ONE_LINE;
}

/* The comma before the next element is not part of the text. */
size_t json_mark(json_writer *j)
{
    begin_value(j);
    j->after_key = true;
    return out_size(j->to);
}

const char *json_since(const json_writer *j, size_t mark, size_t *size)
{
    return out_since(j->to, mark, size);
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
