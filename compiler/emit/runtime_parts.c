/* runtime_parts.c - see runtime_parts.h.
 * SPDX-License-Identifier: MIT
 */
#include "emit/runtime_parts.h"
#include "base/c_words.h"
#include "base/files.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A generated file states its parts before it includes pkt.h, so they are within its first bytes. */
enum { HEAD_SIZE = 4096 };

/* The line that states a part begins with it. */
#define STATED "#define PKT_WITH_"

static const char explained[] =
    "/* Parts that pkt.c lacks, because no generated file beside it needs them. `pktc --runtime` writes all parts. */\n";

runtime_parts part_named(const char *name)
{
    for (size_t i = 0; i < runtime_part_count; i++)
        if (strcmp(runtime_part_rows[i].name, name) == 0)
            return runtime_part_rows[i].uses;
    assert(false && "a part of the runtime");
    return 0;
}

typedef struct wanted_name {
    const char *text;
    size_t size;
} wanted_name;

static int compare_name(const void *key, const void *row)
{
    const wanted_name *w = key;
    const char *name = ((const runtime_name *)row)->name;
    const int order = strncmp(w->text, name, w->size);
    return order != 0 ? order : -(name[w->size] != 0);
}

runtime_parts parts_used(const char *text, size_t size)
{
    runtime_parts parts = 0;
    wanted_name w;
    for (const char *at = text, *end = text + size; (w.text = next_pkt_word(&at, end, &w.size));) {
        const runtime_name *n = bsearch(&w, runtime_names, runtime_name_count, sizeof runtime_names[0], compare_name);
        parts |= n ? n->needs : 0;
    }
    return parts;
}

const char *parts_stated(arena *a, runtime_parts parts)
{
    const char *text = "";
    for (size_t i = 0; i < runtime_part_count; i++)
        if (parts >> i & 1)
            text = arena_printf(a, "%s" STATED "%s\n", text, runtime_part_rows[i].name);
    return text;
}

/* The end of the line that begins at `line`, or NULL if the text ends first, at `end`. */
static const char *end_of_line(const char *line, const char *end)
{
    return memchr(line, '\n', (size_t)(end - line));
}

static bool line_starts(const char *line, size_t size, const char *word)
{
    return size >= strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

runtime_parts parts_of_text(const char *text, size_t size)
{
    const size_t prefix = strlen(STATED);
    runtime_parts parts = 0;
    const char *end = text + (size < HEAD_SIZE ? size : HEAD_SIZE);
    for (const char *line = text, *next; (next = end_of_line(line, end)); line = next + 1)
        for (size_t i = 0; i < runtime_part_count; i++)
            if ((size_t)(next - line) == prefix + strlen(runtime_part_rows[i].name) &&
                memcmp(line, STATED, prefix) == 0 &&
                memcmp(line + prefix, runtime_part_rows[i].name, (size_t)(next - line) - prefix) == 0)
                parts |= (runtime_parts)1 << i;
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

/* Whether a line begins what is only there with a part, or without it, and is not there. */
static bool begins_lack(const char *line, size_t size, runtime_parts parts)
{
    static const char with[] = "#ifndef PKT_WITHOUT_", without[] = "#ifdef PKT_WITHOUT_";
    const bool stands_in = line_starts(line, size, without);
    if (!stands_in && !line_starts(line, size, with))
        return false;
    const size_t prefix = stands_in ? strlen(without) : strlen(with);
    for (size_t i = 0; i < runtime_part_count; i++)
        if (strlen(runtime_part_rows[i].name) == size - prefix &&
            memcmp(line + prefix, runtime_part_rows[i].name, size - prefix) == 0)
            return ((parts >> i & 1) != 0) == stands_in;
    return false;
}

/* Copies a text without what is not there with these parts. Returns the end of the copy. */
static char *copy_with_parts(char *to, const char *text, const char *end, runtime_parts parts)
{
    unsigned depth = 0, lacks_at = 0; /* how many #if are open; and of what is not there, or 0 */
    for (const char *line = text, *next; line < end; line = next + 1) {
        next = end_of_line(line, end);
        const size_t size = (size_t)(next - line);
        depth += line_starts(line, size, "#if");
        if (lacks_at == 0 && begins_lack(line, size, parts))
            lacks_at = depth;
        if (lacks_at == 0) {
            memcpy(to, line, size + 1);
            to += size + 1;
        }
        const bool ends = line_starts(line, size, "#endif");
        lacks_at = ends && lacks_at == depth ? 0 : lacks_at;
        depth -= ends;
    }
    return to;
}

const char *runtime_text(arena *a, const runtime_file *file, runtime_parts parts, size_t *size)
{
    const char *text = (const char *)file->text, *left_out = "";
    for (size_t i = 0; i < runtime_part_count; i++)
        if ((parts >> i & 1) == 0)
            left_out = arena_printf(a, "%s#define PKT_WITHOUT_%s\n", left_out, runtime_part_rows[i].name);
    *size = file->size;
    if (left_out[0] == '\0')
        return text;
    /* They stand after the title and the license, which are one comment. */
    const size_t title = (size_t)(strstr(text, "*/\n") + 3 - text);
    left_out = strcmp(file->name, "pkt.h") == 0 ? arena_printf(a, "\n%s%s", explained, left_out) : "";
    const size_t more = strlen(left_out);
    char *whole = arena_alloc(a, file->size + more);
    memcpy(whole, text, title);
    memcpy(whole + title, left_out, more);
    *size = (size_t)(copy_with_parts(whole + title + more, text + title, text + file->size, parts) - whole);
    return whole;
}
