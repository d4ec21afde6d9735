/* places.c - converts offsets to lines and columns, and paths to URIs.
 * SPDX-License-Identifier: MIT
 */
#include "editor/lsp_internal.h"

#ifdef PKTC_JSON

#include "base/files.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- positions */

/* The bytes and the units of UTF-16 of the character at a text; a byte that is not UTF-8 is a character. */
static size_t units_at(const char *text, size_t size, json_int_t *units)
{
    uint32_t c;
    const size_t length = utf8_character(text, size, &c);
    *units = length > 0 && c >= 0x10000 ? 2 : 1;
    return length > 0 ? length : 1;
}

size_t offset_in_text(const char *text, size_t size, const json_t *position)
{
    json_int_t line = json_integer_value(json_object_get(position, "line"));
    json_int_t column = json_integer_value(json_object_get(position, "character")), units;
    size_t at = 0;
    for (; line > 0; line--) {
        const char *end = size > at ? memchr(text + at, '\n', size - at) : NULL;
        if (!end)
            return size;
        at = (size_t)(end + 1 - text);
    }
    while (at < size && column > 0 && text[at] != '\n' && text[at] != '\r') {
        const size_t length = units_at(text + at, size - at, &units);
        if (units > column)
            break;
        at += length;
        column -= units;
    }
    return at;
}

uint32_t offset_in_source(const source *s, const json_t *position)
{
    return (uint32_t)offset_in_text((const char *)s->text, s->size, position);
}

/* The first character from an offset on, counted from one before it. */
static source_mark mark_from(const source *s, source_mark m, uint32_t offset)
{
    json_int_t units;
    while (m.at < offset) {
        m.at += (uint32_t)units_at((const char *)s->text + m.at, s->size - m.at, &units);
        m.units += (uint32_t)units;
    }
    return m;
}

/* The units before an offset. A line can be as long as the file, so they are not counted from its start. */
static uint32_t units_before(const source *s, uint32_t offset)
{
    const uint32_t count = s->size / MARKED_BYTES + 1;
    for (uint32_t i = 1; i < count && s->marks[count - 1].at == 0; i++)
        s->marks[i] = mark_from(s, s->marks[i - 1], i * MARKED_BYTES);
    const uint32_t near = offset / MARKED_BYTES;
    return mark_from(s, s->marks[s->marks[near].at > offset ? near - 1 : near], offset).units;
}

text_place place_in_text(const source *s, uint32_t offset)
{
    uint32_t line, column;
    source_place(s, offset, &line, &column);
    const uint32_t start = s->lines[line - 1];
    if (offset < start + MARKED_BYTES)
        return (text_place){line - 1, mark_from(s, (source_mark){start, 0}, offset).units};
    return (text_place){line - 1, units_before(s, offset) - units_before(s, start)};
}

json_t *position_at(const source *s, uint32_t offset)
{
    const text_place p = place_in_text(s, offset);
    return json_pack("{s:I,s:I}", "line", (json_int_t)p.line, "character", (json_int_t)p.character);
}

json_t *range_at(span at)
{
    return json_pack("{s:o,s:o}", "start", position_at(at.source, at.begin), "end", position_at(at.source, at.end));
}

bool is_same_place(const lsp_server *s, span x, span y)
{
    arena *a = s->scratch;
    return x.begin == y.begin &&
           (x.source == y.source || strcmp(file_identity(a, x.source->path), file_identity(a, y.source->path)) == 0);
}

/* ---- URIs */

static const char file_scheme[] = "file://";

static int digit_of_uri(char c)
{
    const char *digits = "0123456789abcdef", *found = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return found ? (int)(found - digits) : -1;
}

char *path_of_uri(const char *uri)
{
    const size_t scheme = sizeof file_scheme - 1, size = strlen(uri);
    char *made = malloc(size + 1), *to = made;
    if (!made)
        abort();
    if (strncmp(uri, file_scheme, scheme) != 0)
        return memcpy(made, uri, size + 1);
    /* What is between // and / is the host, which is this machine. */
    const char *from = uri + scheme + strcspn(uri + scheme, "/");
    while (*from) {
        const int high = *from == '%' ? digit_of_uri(from[1]) : -1, low = high >= 0 ? digit_of_uri(from[2]) : -1;
        const bool coded = low >= 0 && high + low > 0;
        *to++ = coded ? (char)(16 * high + low) : *from;
        from += coded ? 3 : 1;
    }
    *to = '\0';
    if (made[0] == '/' && isalpha((unsigned char)made[1]) && made[2] == ':')
        memmove(made, made + 1, strlen(made));
    return made;
}

/* A path without its steps "." and "..": dir/vec.pkt of dir/../dir/vec.pkt. */
static const char *path_without_steps(arena *a, const char *file)
{
    char *made = arena_alloc(a, strlen(file) + 1), *to = made;
    while (*file) {
        size_t size = 0;
        while (file[size] && !file_is_separator(file[size]))
            size++;
        const bool here = size == 1 && *file == '.', up = size == 2 && memcmp(file, "..", 2) == 0;
        const size_t whole = size + (file[size] != '\0');
        *to = '\0';
        size_t parent = to > made ? (size_t)(to - made) - 1 : 0;
        while (parent > 0 && !file_is_separator(made[parent - 1]))
            parent--;
        const bool known = to > made + parent + 1 && strncmp(made + parent, "..", 2) != 0;
        if (up && known) {
            to = made + parent;
        } else if (!here) {
            memcpy(to, file, whole);
            to += whole;
        }
        file += whole;
    }
    *to = '\0';
    return made;
}

static const char *uri_of_plain_path(arena *a, const char *file)
{
    char *uri = arena_alloc(a, sizeof file_scheme + 1 + 3 * strlen(file)), *to = uri;
    to += sprintf(to, "%s%s", file_scheme, file[0] == '/' ? "" : "/");
    for (; *file; file++) {
        const unsigned char c = (unsigned char)*file;
        if (c == '\\')
            *to++ = '/';
        else if (isalnum(c) || strchr("/-._~", c))
            *to++ = (char)c;
        else
            to += sprintf(to, "%%%02X", (unsigned)c);
    }
    return uri;
}

const char *uri_of_path(const lsp_server *s, const char *file)
{
    arena *a = s->scratch;
    const char *identity = file_identity(a, file);
    for (const document *d = s->documents; d; d = d->next)
        if (strcmp(d->identity, identity) == 0)
            return d->uri;
    if (!json_object_get(s->named, identity)) {
        /* Behind a symbolic link, ".." is another folder than the one before it. */
        const char *plain = path_without_steps(a, file);
        const bool same = strcmp(file_identity(a, plain), identity) == 0;
        json_object_set_new(s->named, identity, json_string(uri_of_plain_path(a, same ? plain : file)));
    }
    return json_string_value(json_object_get(s->named, identity));
}

#endif
