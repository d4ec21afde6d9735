/* vectors_read.c - reads a vectors file into suites.
 * SPDX-License-Identifier: MIT
 */
#include "vectors.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void reject(const source *file, uint32_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%" PRIu32 ": ", file->path, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

suite *suite_new(arena *a, suite ***last, const char *name, const char *pkt)
{
    suite *s = ARENA_NEW(a, suite);
    s->name = name;
    s->pkt = pkt;
    s->last_vector = &s->vectors;
    **last = s;
    *last = &s->next;
    return s;
}

void suite_add(arena *a, suite *s, uint32_t line, json_t *record)
{
    vector *v = ARENA_NEW(a, vector);
    v->line = line;
    v->record = record;
    *s->last_vector = v;
    s->last_vector = &v->next;
}

/* Puts quotes around integers that may have too many digits for a json_int_t; text vectors quote all integers. */
static char *quote_big_integers(arena *a, const char *text, size_t size)
{
    enum { SAFE_DIGITS = 18 };
    char *result = arena_alloc(a, 2 * size + 1), *to = result;
    bool inside = false;
    for (size_t i = 0; i < size; i++) {
        size_t length = inside ? 0 : strspn(text + i, "-+.eE0123456789");
        bool integer = length > SAFE_DIGITS && strcspn(text + i, ".eE") >= length;
        if (length == 0) {
            if (text[i] == '"')
                inside = !inside;
            if (text[i] == '\\')
                *to++ = text[i++];
            *to++ = text[i];
            continue;
        }
        if (integer)
            *to++ = '"';
        memcpy(to, text + i, length);
        to += length;
        if (integer)
            *to++ = '"';
        i += length - 1;
    }
    *to = '\0';
    return result;
}

static json_t *read_record(arena *a, const source *file, uint32_t line)
{
    uint32_t size;
    const char *bytes = source_line(file, line, &size);
    const char *text = quote_big_integers(a, arena_text(a, bytes, size), size);
    json_error_t error;
    json_t *record = json_loads(text, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(record))
        reject(file, line, "not an object: %s", error.text);
    return record;
}

static suite *find_suite(suite *s, const char *name)
{
    while (s && strcmp(s->name, name) != 0)
        s = s->next;
    return s;
}

static suite *read_json_vectors(arena *a, const source *file)
{
    suite *first = NULL, **last = &first;
    for (uint32_t line = 1; line <= file->line_count; line++) {
        uint32_t size;
        source_line(file, line, &size);
        if (size == 0)
            continue;
        json_t *record = read_record(a, file, line);
        const char *name = json_string_value(json_object_get(record, "schema"));
        const char *pkt = json_string_value(json_object_get(record, "pkt"));
        if (json_object_get(record, "format")) {
            json_decref(record);
        } else if (name && pkt) {
            suite *s = suite_new(a, &last, arena_text(a, name, strlen(name)), arena_text(a, pkt, strlen(pkt)));
            const char *model = json_string_value(json_object_get(record, "model"));
            s->model = model ? arena_text(a, model, strlen(model)) : NULL;
            json_decref(record);
        } else {
            suite *s = name ? find_suite(first, name) : NULL;
            if (!s)
                reject(file, line, "a record needs a schema that stands before it");
            suite_add(a, s, line, record);
        }
    }
    return first;
}

suite *read_vectors(arena *a, const source *file)
{
    return file->size > 0 && file->text[0] == '{' ? read_json_vectors(a, file) : read_text_vectors(a, file);
}
