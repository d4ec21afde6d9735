/* diff_json.c - prints a comparison as one JSON object, with unchanged things too.
 * SPDX-License-Identifier: MIT
 */
#include "base/json.h"
#include "releases/conversion.h"
#include "releases/diff_print.h"

#include <inttypes.h>

static void id_to_json(arena *a, json_writer *j, const schema *s)
{
    json_begin_object(j, JSON_IN_LINE);
    json_text(json_key(j, "file"), s->root->path);
    json_text(json_key(j, "protocol"), s->protocol);
    json_plain(json_key(j, "version"), "%s", s->protocol ? num_text(a, s->version) : "null");
    json_text(json_key(j, "id"), arena_printf(a, "0x%016" PRIx64, s->id));
    json_end(j);
}

/* NULL: the type is not in this version. */
static void size_to_json(json_writer *j, const diff_size *s)
{
    if (!s) {
        json_text(j, NULL);
        return;
    }
    json_begin_object(j, JSON_IN_LINE);
    json_u64(json_key(j, "least"), s->least);
    json_u64(json_key(j, "most"), s->most);
    if (s->delta) {
        json_u64(json_key(j, "delta_least"), s->delta_least);
        json_u64(json_key(j, "delta_most"), s->delta_most);
    }
    json_end(j);
}

static void change_to_json(json_writer *j, const change *each)
{
    json_begin_object(j, JSON_IN_LINE);
    json_text(json_key(j, "change"), change_name(each->kind));
    json_text(json_key(j, "detail"), each->detail);
    json_text(json_key(j, "outcome"), outcome_name(each->outcome));
    json_text(json_key(j, "effect"), each->effect);
    json_plain(json_key(j, "meaning"), each->meaning ? "true" : "false");
    json_text(json_key(j, "help"), each->help);
    json_end(j);
}

static void changes_to_json(json_writer *j, const pair *p)
{
    json_text(json_key(j, "outcome"), outcome_name(p->outcome));
    json_begin_array(json_key(j, "changes"), JSON_IN_LINE);
    for (const change *each = p->changes; each; each = each->next)
        change_to_json(j, each);
    json_end(j);
}

static void names_to_json(json_writer *j, const pair *p)
{
    json_text(json_key(j, "kind"), p->noun);
    json_text(json_key(j, "old"), p->before_name);
    json_text(json_key(j, "new"), p->after_name);
}

static void part_to_json(json_writer *j, const pair *part)
{
    json_begin_object(j, JSON_IN_LINE);
    names_to_json(j, part);
    if (*part->before_words || *part->after_words) {
        json_text(json_key(j, "old_type"), *part->before_words ? part->before_words : NULL);
        json_text(json_key(j, "new_type"), *part->after_words ? part->after_words : NULL);
    }
    changes_to_json(j, part);
    json_end(j);
}

static void pair_to_json(json_writer *j, const pair *p)
{
    json_begin_object(j, JSON_IN_LINE);
    names_to_json(j, p);
    if (p->is_type) {
        json_text(json_key(j, "unit"), p->packet ? "bytes" : "bits");
        size_to_json(json_key(j, "old_size"), p->before_name ? &p->before : NULL);
        size_to_json(json_key(j, "new_size"), p->after_name ? &p->after : NULL);
    }
    changes_to_json(j, p);
    json_begin_array(json_key(j, "parts"), JSON_LINES);
    for (const pair *part = p->parts; part; part = part->next)
        part_to_json(j, part);
    json_end(j);
    json_end(j);
}

/* `unserved` is null if both versions are the same, or a file has no protocol. */
static void serving_to_json(arena *a, json_writer *j, const comparison *r)
{
    if (!r->asks_serving) {
        json_plain(json_key(j, "unserved"), "null");
        return;
    }
    json_begin_array(json_key(j, "unserved"), JSON_LINES);
    for (const loss *each = r->unserved; each; each = each->next) {
        json_begin_object(j, JSON_IN_LINE);
        json_text(json_key(j, "name"), loss_name(a, each));
        json_text(json_key(j, "why"), each->what);
        json_end(j);
    }
    json_end(j);
}

void diff_json(arena *a, const comparison *r, int status, out *to)
{
    json_writer *j = json_new(a, to, JSON_SPACED);
    json_begin_object(j, JSON_LINES);
    id_to_json(a, json_key(j, "old"), r->before);
    id_to_json(a, json_key(j, "new"), r->after);
    json_text(json_key(j, "verdict"), verdict_name(r->verdict));
    json_plain(json_key(j, "status"), "%d", status);
    if (r->unstable)
        json_text(json_key(j, "unstable"), r->unstable->name);
    if (r->misread)
        json_text(json_key(j, "misread"), r->misread->name);
    json_plain(json_key(j, "left_out"), r->left_out ? "true" : "false");
    json_u64(json_key(j, "meanings"), r->meanings);
    serving_to_json(a, j, r);
    json_begin_array(json_key(j, "declarations"), JSON_LINES);
    for (const pair *p = r->pairs; p; p = p->next)
        pair_to_json(j, p);
    json_end(j);
    json_end(j);
    out_put(to, "\n", NULL);
}
