/* command_fmt.c - `pktc fmt`: formats schemas in place.
 * SPDX-License-Identifier: MIT
 */
#include "format/format.h"
#include "base/files.h"
#include "driver/run.h"
#include "format/format_rows.h"
#include "model/type_table.h"

#include <string.h>

/* ---- what would change */

static bool same_text_line(const source *a, uint32_t i, const source *b, uint32_t k)
{
    if (i >= a->line_count || k >= b->line_count)
        return i >= a->line_count && k >= b->line_count;
    uint32_t size, other_size;
    const char *line = source_line(a, i + 1, &size), *other = source_line(b, k + 1, &other_size);
    return size == other_size && memcmp(line, other, size) == 0;
}

/* The fewest lines to skip in both until two in a row are the same; all remaining lines if no such two are near. */
static void find_next_same(const source *a, uint32_t i, const source *b, uint32_t k, uint32_t *from_a, uint32_t *from_b)
{
    enum { FAR = 500 };
    for (uint32_t both = 1; both < FAR; both++) {
        for (*from_a = 0; *from_a <= both; ++*from_a) {
            *from_b = both - *from_a;
            if (i + *from_a <= a->line_count && k + *from_b <= b->line_count &&
                same_text_line(a, i + *from_a, b, k + *from_b) &&
                same_text_line(a, i + *from_a + 1, b, k + *from_b + 1))
                return;
        }
    }
    *from_a = a->line_count - i;
    *from_b = b->line_count - k;
}

static void print_lines(const source *s, uint32_t from, uint32_t count, char sign)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size;
        const char *line = source_line(s, from + i + 1, &size);
        printf("%c%.*s\n", sign, (int)size, line);
    }
}

/* --diff: as `diff -U0` prints it. */
static void print_changes(const source *a, const source *b, const char *name)
{
    uint32_t i = 0, k = 0, from_a, from_b;
    printf("--- %s\n+++ %s\n", name, name);
    while (i < a->line_count || k < b->line_count) {
        if (same_text_line(a, i, b, k)) {
            i++;
            k++;
            continue;
        }
        find_next_same(a, i, b, k, &from_a, &from_b);
        printf("@@ -%u,%u +%u,%u @@\n", (unsigned)(i + (from_a > 0)), (unsigned)from_a, (unsigned)(k + (from_b > 0)),
               (unsigned)from_b);
        print_lines(a, i, from_a, '-');
        print_lines(b, k, from_b, '+');
        i += from_a;
        k += from_b;
    }
}

/* Whether two lines are the same except for blanks: all blanks, or only those at one end. */
static bool same_but_for(const char *a, uint32_t size, const char *b, uint32_t other_size, bool begin, bool end)
{
    const char *stop = a + size, *other_stop = b + other_size;
    while (end && size > 0 && stop > a && strchr(" \t", stop[-1]))
        stop--;
    while (end && other_stop > b && strchr(" \t", other_stop[-1]))
        other_stop--;
    while (begin && a < stop && strchr(" \t", *a))
        a++;
    while (begin && b < other_stop && strchr(" \t", *b))
        b++;
    return stop - a == other_stop - b && memcmp(a, b, (size_t)(stop - a)) == 0;
}

static const char *what_differs(const source *a, const source *b, uint32_t i)
{
    uint32_t size = 0, other_size = 0;
    const char *line = i < a->line_count ? source_line(a, i + 1, &size) : "";
    const char *other = i < b->line_count ? source_line(b, i + 1, &other_size) : "";
    if (i >= a->line_count || i >= b->line_count)
        return "the end of the file";
    if (same_but_for(line, size, other, other_size, false, true))
        return "blanks at the end of a line";
    if (same_but_for(line, size, other, other_size, true, true))
        return "indentation";
    return size == 0 || other_size == 0 ? "a blank line" : "blanks or a line break";
}

/* --check: reports the first line that would change, and how. */
static void warn_of_change(run *r, const source *a, const source *b, const char *name)
{
    uint32_t i = 0;
    while (i < a->line_count && i < b->line_count && same_text_line(a, i, b, i))
        i++;
    if (i >= a->line_count && i >= b->line_count)
        return;
    const uint32_t last = i < a->line_count ? i : a->line_count - 1;
    uint32_t size;
    const uint32_t begin = (uint32_t)((const unsigned char *)source_line(a, last + 1, &size) - a->text);
    message *m =
        diag_warning(r->diag, (span){a, begin, begin + size}, "not as fmt writes it: %s", what_differs(a, b, i));
    diag_help(r->diag, m, "`pktc fmt --diff %s` shows all that would change", name);
}

/* "-" is standard input; the result then goes to standard output. */
static void format_file(run *r, const source *file, const char *name)
{
    size_t size;
    const char *text = format_source(r->arena, r->names, r->diag, file, reserved_type_word, &size);
    const bool from_input = strcmp(name, "-") == 0;
    if (!text)
        return;
    const source *formatted_source = source_from(r->arena, name, text, size);
    const bool same = size == file->size && memcmp(text, file->text, size) == 0;
    if (r->options->check_only && !same)
        warn_of_change(r, file, formatted_source, name);
    if (format_chosen(r->options)->diff) {
        if (!same)
            print_changes(file, formatted_source, name);
        r->status = same ? r->status : EXIT_ERRORS;
        return;
    }
    if (from_input && r->options->check_only && same)
        return;
    output *formatted = outputs_add(r->arena, &r->outputs, name, text, size);
    formatted->asked_for = formatted->in_place = true;
}

static bool is_in_place(run *r, const char *name)
{
    if (strcmp(name, "-") == 0 || !file_is_stream(name))
        return true;
    message *m = diag_error(r->diag, (span){0}, "cannot format '%s' in place: it is not a regular file", name);
    diag_help(r->diag, m, "'pktc fmt -' formats standard input");
    return false;
}

/* A file with errors is not changed; the others are formatted anyway. */
void command_format(run *r)
{
    const options *o = r->options;
    r->ignores_failure = true;
    for (size_t i = 0; i < o->file_count; i++) {
        const source *file = is_in_place(r, o->files[i]) ? read_schema(r, o->files[i]) : NULL;
        if (file)
            format_file(r, file, o->files[i]);
    }
}
