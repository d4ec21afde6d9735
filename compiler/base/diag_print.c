/* diag_print.c - prints messages as text with excerpts, or as one JSON object per line.
 * SPDX-License-Identifier: MIT
 *
 *     chat.pkt:3:12: error: expected ';' after field 'x', found '}'
 *         3 |     u8 x }
 *           |          ^
 *           = help: a line of advice
 *     chat.pkt:1:8: note: another position, with its excerpt
 *
 * Whatever bytes a file has, the terminal gets valid UTF-8 without control characters: other bytes are printed as \xNN.
 * Of a long line only a window around the span is shown.
 */
#include "base/diag_internal.h"
#include "base/json.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PRINTED = 100, WINDOW = 120, BEFORE_SPAN = 40 };

static const char *const severity_names[] = {"error", "warning"};

/* ---- bytes */

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

static void put_printable(FILE *to, const char *text, size_t size)
{
    while (size) {
        size_t length = utf8_printable(text, size);
        if (length)
            fwrite(text, 1, length, to);
        else
            fprintf(to, "\\x%02x", (unsigned)(unsigned char)*text);
        length += !length;
        text += length;
        size -= length;
    }
}

static void put_string(FILE *to, const char *text)
{
    put_printable(to, text, strlen(text));
}

/* ---- excerpts */

/* The part of a line that is shown, as offsets into it. */
typedef struct window {
    uint32_t begin, end;
} window;

static window window_around(const char *line, uint32_t size, uint32_t begin)
{
    if (size <= WINDOW)
        return (window){0, size};
    window w;
    w.begin = begin > BEFORE_SPAN ? begin - BEFORE_SPAN : 0;
    if (w.begin > size - WINDOW)
        w.begin = size - WINDOW;
    w.end = w.begin + WINDOW;
    /* Do not cut a character in two. A longer run of continuation bytes is malformed, and may be cut. */
    for (int i = 0; i < 3 && w.begin > 0 && is_continuation((unsigned char)line[w.begin]); i++)
        w.begin--;
    for (int i = 0; i < 3 && w.end < size && is_continuation((unsigned char)line[w.end]); i++)
        w.end++;
    return w;
}

static void put_source_line(FILE *to, const char *line, window w)
{
    while (w.begin < w.end) {
        const char *tab = memchr(line + w.begin, '\t', w.end - w.begin);
        uint32_t stop = tab ? (uint32_t)(tab - line) : w.end;
        put_printable(to, line + w.begin, stop - w.begin);
        if (tab)
            putc('\t', to);
        w.begin = stop + (tab != NULL);
    }
}

/* Marks the characters of [begin, end): `first` below the first one, `mark` below the others, and tabs copied. */
static void put_marks(FILE *to, const char *line, uint32_t begin, uint32_t end, char first, char mark)
{
    char c = first;
    while (begin < end) {
        size_t length = utf8_printable(line + begin, end - begin);
        for (int i = length ? 1 : 4; i > 0 && line[begin] != '\t'; i--, c = mark)
            putc(c, to);
        /* Only the terminal knows how wide a tab is, so a tab inside the span gets one mark and is then copied. */
        if (line[begin] == '\t') {
            if (c != ' ')
                putc(c, to);
            putc('\t', to);
            c = mark;
        }
        begin += (uint32_t)(length ? length : 1);
    }
}

static void put_excerpt(FILE *to, span at)
{
    uint32_t line_number, column, size;
    source_place(at.source, at.begin, &line_number, &column);
    const char *line = source_line(at.source, line_number, &size);
    uint32_t begin = column - 1 < size ? column - 1 : size;
    uint32_t end = at.end - at.begin < size - begin ? begin + (at.end - at.begin) : size;
    window w = window_around(line, size, begin);
    bool cut = w.begin > 0;
    fprintf(to, "%5u | %s", (unsigned)line_number, cut ? "..." : "");
    put_source_line(to, line, w);
    fprintf(to, "%s\n      | %s", w.end < size ? "..." : "", cut ? "   " : "");
    put_marks(to, line, w.begin, begin, ' ', ' ');
    if (begin < end)
        put_marks(to, line, begin, end < w.end ? end : w.end, '^', '~');
    else
        putc('^', to);
    putc('\n', to);
}

static void put_place(FILE *to, span at, const char *kind, const char *text)
{
    if (at.source) {
        uint32_t line, column;
        source_place(at.source, at.begin, &line, &column);
        put_string(to, at.source->path);
        fprintf(to, ":%u:%u: ", (unsigned)line, (unsigned)column);
    } else {
        fputs("pktc: ", to);
    }
    fprintf(to, "%s: ", kind);
    put_string(to, text);
    putc('\n', to);
    if (at.source)
        put_excerpt(to, at);
}

static void print_text(const message *m, FILE *to)
{
    put_place(to, m->at, severity_names[m->severity], m->text);
    for (const remark *help = m->helps; help; help = help->next) {
        fputs("      = help: ", to);
        put_string(to, help->text);
        putc('\n', to);
    }
    for (const remark *note = m->notes; note; note = note->next)
        put_place(to, note->at, "note", note->text);
}

/* ---- JSON */

static void put_json_place(json_writer *j, const source *s, uint32_t offset, const char *line_key,
                           const char *column_key)
{
    uint32_t line = 0, column = 0;
    if (s)
        source_place(s, offset, &line, &column);
    json_u64(json_key(j, line_key), line);
    json_u64(json_key(j, column_key), column);
}

static void put_json_start(json_writer *j, span at)
{
    json_text(json_key(j, "file"), at.source ? at.source->path : "");
    put_json_place(j, at.source, at.begin, "line", "column");
}

/* JSON cannot spell bytes that are not UTF-8. They can come from the file. */
static bool is_spelled(const char *text)
{
    uint32_t c;
    size_t length;
    for (size_t left = strlen(text); left > 0; text += length, left -= length)
        if ((length = utf8_character(text, left, &c)) == 0)
            return false;
    return true;
}

static bool has_fix(const remark *help)
{
    for (const listed_edit *e = help->edits; e; e = e->next)
        if (!is_spelled(e->edit.text))
            return false;
    return help->edits != NULL;
}

static void put_json_fix(json_writer *j, const remark *help)
{
    json_begin_object(j, JSON_IN_LINE);
    json_text(json_key(j, "help"), help->text);
    json_begin_array(json_key(j, "edits"), JSON_IN_LINE);
    for (const listed_edit *e = help->edits; e; e = e->next) {
        json_begin_object(j, JSON_IN_LINE);
        put_json_start(j, e->edit.at);
        put_json_place(j, e->edit.at.source, e->edit.at.end, "end_line", "end_column");
        json_text(json_key(j, "text"), e->edit.text);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

static void print_json(arena *a, const message *m, FILE *to)
{
    out *o = out_new(a);
    size_t size;
    json_writer *j = json_new(a, o, JSON_TIGHT);
    json_begin_object(j, JSON_IN_LINE);
    put_json_start(j, m->at);
    put_json_place(j, m->at.source, m->at.end, "end_line", "end_column");
    json_text(json_key(j, "severity"), severity_names[m->severity]);
    json_text(json_key(j, "message"), m->text);
    json_begin_array(json_key(j, "help"), JSON_IN_LINE);
    for (const remark *help = m->helps; help; help = help->next)
        json_text(j, help->text);
    json_end(j);
    json_begin_array(json_key(j, "fixes"), JSON_IN_LINE);
    for (const remark *help = m->helps; help; help = help->next)
        if (has_fix(help))
            put_json_fix(j, help);
    json_end(j);
    json_begin_array(json_key(j, "notes"), JSON_IN_LINE);
    for (const remark *note = m->notes; note; note = note->next) {
        json_begin_object(j, JSON_IN_LINE);
        put_json_start(j, note->at);
        json_text(json_key(j, "message"), note->text);
        json_end(j);
    }
    json_end(j);
    json_end(j);
    fprintf(to, "%s\n", out_result(o, &size));
}

/* ---- all of them */

static int compare_messages(const void *a, const void *b)
{
    const message *x = *(const message *const *)a, *y = *(const message *const *)b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->at.begin != y->at.begin)
        return x->at.begin < y->at.begin ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static void put_rest(FILE *to, uint32_t all, severity kind)
{
    if (all > MOST_PRINTED) {
        uint32_t rest = all - MOST_PRINTED;
        fprintf(to, "and %u more %s%s\n", (unsigned)rest, severity_names[kind], rest == 1 ? "" : "s");
    }
}

void diag_print(const diag *d, diag_form form, FILE *to)
{
    size_t count = d->counts[SEVERITY_ERROR] + d->counts[SEVERITY_WARNING];
    const message **sorted = ARENA_ARRAY(d->arena, const message *, count);
    size_t filled = 0;
    for (const message *m = d->messages; m; m = m->next)
        sorted[filled++] = m;
    qsort(sorted, count, sizeof *sorted, compare_messages);
    uint32_t printed[2] = {0, 0};
    for (size_t i = 0; i < count; i++)
        if (form == DIAG_JSON)
            print_json(d->arena, sorted[i], to);
        else if (printed[sorted[i]->severity]++ < MOST_PRINTED)
            print_text(sorted[i], to);
    if (form == DIAG_TEXT) {
        put_rest(to, d->counts[SEVERITY_ERROR], SEVERITY_ERROR);
        put_rest(to, d->counts[SEVERITY_WARNING], SEVERITY_WARNING);
    }
}
