/* runtime_parts.c - see runtime_parts.h.
 * SPDX-License-Identifier: MIT
 */
#include "emit/runtime_parts.h"
#include "base/files.h"

#include <stdio.h>
#include <string.h>

/* A generated file states its parts before it includes pkt.h, so they are within its first bytes. */
enum { HEAD_SIZE = 4096 };

/* The lines that state a part and leave it out, in the order of the bits. */
static const struct {
    const char *stated, *left_out;
} part_rows[] = {
    {"#define PKT_WITH_ROTATION", "#define PKT_WITHOUT_ROTATION"},
    {"#define PKT_WITH_SUBSET", "#define PKT_WITHOUT_SUBSET"},
    {"#define PKT_WITH_DELTA", "#define PKT_WITHOUT_DELTA"},
    {"#define PKT_WITH_CODED", "#define PKT_WITHOUT_CODED"},
    {"#define PKT_WITH_PREDICT", "#define PKT_WITHOUT_PREDICT"},
    {"#define PKT_WITH_FIT", "#define PKT_WITHOUT_FIT"},
    {"#define PKT_WITH_DATAGRAM", "#define PKT_WITHOUT_DATAGRAM"},
    {"#define PKT_WITH_REFLECT", "#define PKT_WITHOUT_REFLECT"},
    {"#define PKT_WITH_CAPTURE", "#define PKT_WITHOUT_CAPTURE"},
};

enum { PART_COUNT = sizeof part_rows / sizeof part_rows[0] };

static const char explained[] =
    "/* Parts that pkt.c lacks, because no generated file beside it needs them. `pktc --runtime` writes all parts. */\n";

static runtime_parts parts_of_ops(const op *o)
{
    runtime_parts parts = 0;
    for (; o; o = o->next) {
        if (o->kind == OP_QUAT || o->kind == OP_UNIT)
            parts |= PART_ROTATION;
        if (o->kind == OP_SPARSE)
            parts |= PART_SUBSET;
        parts |= parts_of_ops(o->body) | parts_of_ops(o->other);
        for (const op_arm *a = o->arms; a; a = a->next)
            parts |= parts_of_ops(a->body);
    }
    return parts;
}

/* Deltas send which elements of arrays have changed, as sparse arrays send which are present. */
static runtime_parts parts_of_type(const wire_type *t)
{
    runtime_parts parts = parts_of_ops(t->body);
    for (const field *f = t->decl->fields; f; f = f->next)
        if (f->fit)
            parts |= PART_FIT | PART_SUBSET;
    if (t->decl->seeded)
        parts |= PART_DATAGRAM;
    if (t->decl->parts != 0)
        parts |= PART_DELTA;
    if (t->decl->delta)
        parts |=
            PART_DELTA | PART_SUBSET | (t->decl->holds_coded ? PART_CODED : 0) | (t->decl->predicts ? PART_PREDICT : 0);
    return parts;
}

runtime_parts parts_of_types(const wire *w, const schema_file *file)
{
    runtime_parts parts = 0;
    for (const wire_type *t = w->types; t; t = t->next)
        if (!file || t->decl->file == file)
            parts |= parts_of_type(t);
    return parts;
}

const char *parts_stated(arena *a, runtime_parts parts)
{
    const char *text = "";
    for (unsigned i = 0; i < PART_COUNT; i++)
        if (parts >> i & 1)
            text = arena_printf(a, "%s%s\n", text, part_rows[i].stated);
    return text;
}

/* The end of the line that begins at `line`, or NULL if the text ends first, at `end`. */
static const char *end_of_line(const char *line, const char *end)
{
    return memchr(line, '\n', (size_t)(end - line));
}

static bool is_line(const char *line, const char *end, const char *text)
{
    return (size_t)(end - line) == strlen(text) && memcmp(line, text, strlen(text)) == 0;
}

runtime_parts parts_of_text(const char *text, size_t size)
{
    runtime_parts parts = 0;
    const char *end = text + (size < HEAD_SIZE ? size : HEAD_SIZE);
    for (const char *line = text, *next; (next = end_of_line(line, end)); line = next + 1)
        for (unsigned i = 0; i < PART_COUNT; i++)
            if (is_line(line, next, part_rows[i].stated))
                parts |= 1u << i;
    return parts;
}

runtime_parts parts_of_file(const char *name)
{
    char text[HEAD_SIZE];
    FILE *file = file_open(name);
    const size_t size = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    return parts_of_text(text, size);
}

const char *runtime_text(arena *a, const runtime_file *file, runtime_parts parts, size_t *size)
{
    const char *text = (const char *)file->text, *left_out = "";
    for (unsigned i = 0; i < PART_COUNT; i++)
        if ((parts >> i & 1) == 0)
            left_out = arena_printf(a, "%s%s\n", left_out, part_rows[i].left_out);
    *size = file->size;
    if (left_out[0] == '\0' || strcmp(file->name, "pkt.h") != 0)
        return text;
    /* They stand after the title and the license, which are one comment. */
    const size_t title = (size_t)(strstr(text, "*/\n") + 3 - text);
    left_out = arena_printf(a, "\n%s%s", explained, left_out);
    *size = file->size + strlen(left_out);
    char *whole = arena_alloc(a, *size);
    memcpy(whole, text, title);
    memcpy(whole + title, left_out, strlen(left_out));
    memcpy(whole + title + strlen(left_out), text + title, file->size - title);
    return whole;
}
