/* diff_json.c - prints what changed as one JSON object, with everything that has not changed as well.
 * SPDX-License-Identifier: MIT
 */
#include "base/utf8.h"
#include "diff/diff_print.h"

#include <inttypes.h>
#include <string.h>

/* Adds a string with its quotes. Bytes that are not text become \ufffd. */
static void put_string(arena *a, const char *text, out *to)
{
    out_put(to, "\"", NULL);
    for (size_t left = strlen(text); left;) {
        size_t size = utf8_printable(text, left);
        const char *piece = size ? arena_text(a, text, size) : "\\ufffd";
        if (*text == '"' || *text == '\\')
            piece = arena_printf(a, "\\%c", *text);
        out_put(to, "$piece", "piece", piece, NULL);
        text += size + !size;
        left -= size + !size;
    }
    out_put(to, "\"", NULL);
}

/* A member of an object; NULL is null. */
static void put_text(arena *a, const char *key, const char *text, out *to)
{
    out_put(to, "\"$key\": ", "key", key, NULL);
    if (text)
        put_string(a, text, to);
    else
        out_put(to, "null", NULL);
}

static void put_id(arena *a, const char *key, const schema *s, out *to)
{
    out_put(to, "\"$key\": {", "key", key, NULL);
    put_text(a, "file", s->root->path, to);
    out_put(to, ", ", NULL);
    put_text(a, "protocol", s->protocol, to);
    out_put(to, ", \"version\": $version, ", "version", s->protocol ? num_text(a, s->version) : "null", NULL);
    put_text(a, "id", arena_printf(a, "0x%016" PRIx64, s->id), to);
    out_put(to, "},\n", NULL);
}

static void put_size(arena *a, const char *key, const diff_size *s, bool is_there, out *to)
{
    if (!is_there) {
        out_put(to, ", \"$key\": null", "key", key, NULL);
        return;
    }
    out_put(to, ", \"$key\": {$sizes", "key", key, "sizes",
            arena_printf(a, "\"least\": %" PRIu64 ", \"most\": %" PRIu64, s->least, s->most), NULL);
    if (s->delta)
        out_put(
            to, ", $sizes", "sizes",
            arena_printf(a, "\"delta_least\": %" PRIu64 ", \"delta_most\": %" PRIu64, s->delta_least, s->delta_most),
            NULL);
    out_put(to, "}", NULL);
}

static void put_change(arena *a, const change *each, out *to)
{
    out_put(to, "{", NULL);
    put_text(a, "change", change_name(each->kind), to);
    out_put(to, ", ", NULL);
    put_text(a, "detail", each->detail, to);
    out_put(to, ", ", NULL);
    put_text(a, "outcome", outcome_name(each->outcome), to);
    out_put(to, ", ", NULL);
    put_text(a, "effect", each->effect, to);
    out_put(to, ", \"meaning\": $meaning, ", "meaning", each->meaning ? "true" : "false", NULL);
    put_text(a, "help", each->help, to);
    out_put(to, "}", NULL);
}

static void put_changes(arena *a, const pair *p, out *to)
{
    out_put(to, ", ", NULL);
    put_text(a, "outcome", outcome_name(p->outcome), to);
    out_put(to, ", \"changes\": [", NULL);
    for (const change *each = p->changes; each; each = each->next) {
        put_change(a, each, to);
        out_put(to, each->next ? ", " : "", NULL);
    }
    out_put(to, "]", NULL);
}

static void put_names(arena *a, const pair *p, out *to)
{
    out_put(to, "{", NULL);
    put_text(a, "kind", p->noun, to);
    out_put(to, ", ", NULL);
    put_text(a, "old", p->before_name, to);
    out_put(to, ", ", NULL);
    put_text(a, "new", p->after_name, to);
}

static void put_part(arena *a, const pair *part, out *to)
{
    put_names(a, part, to);
    if (*part->before_words || *part->after_words) {
        out_put(to, ", ", NULL);
        put_text(a, "old_type", *part->before_words ? part->before_words : NULL, to);
        out_put(to, ", ", NULL);
        put_text(a, "new_type", *part->after_words ? part->after_words : NULL, to);
    }
    put_changes(a, part, to);
    out_put(to, "}$comma\n", "comma", part->next ? "," : "", NULL);
}

static void put_pair(arena *a, const pair *p, out *to)
{
    put_names(a, p, to);
    if (p->is_type) {
        out_put(to, ", \"unit\": \"$unit\"", "unit", p->packet ? "bytes" : "bits", NULL);
        put_size(a, "old_size", &p->before, p->before_name, to);
        put_size(a, "new_size", &p->after, p->after_name, to);
    }
    put_changes(a, p, to);
    out_put(to, ", \"parts\": [", NULL);
    if (p->parts) {
        out_put(to, "\n", NULL);
        out_indent(to);
        for (const pair *part = p->parts; part; part = part->next)
            put_part(a, part, to);
        out_dedent(to);
    }
    out_put(to, "]}$comma\n", "comma", p->next ? "," : "", NULL);
}

void diff_json(arena *a, const comparison *r, out *to)
{
    out_put(to, "{\n", NULL);
    out_indent(to);
    put_id(a, "old", r->before, to);
    put_id(a, "new", r->after, to);
    put_text(a, "verdict", verdict_name(r->verdict), to);
    out_put(to, ",\n\"status\": $status,\n\"meanings\": $meanings,\n", "status",
            arena_printf(a, "%d", verdict_status(r->verdict)), "meanings", arena_printf(a, "%" PRIu32, r->meanings),
            NULL);
    out_put(to, "\"declarations\": [\n", NULL);
    out_indent(to);
    for (const pair *p = r->pairs; p; p = p->next)
        put_pair(a, p, to);
    out_dedent(to);
    out_put(to, "]\n", NULL);
    out_dedent(to);
    out_put(to, "}\n", NULL);
}
