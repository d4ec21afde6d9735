/* diff_text.c - prints changes as lines of text.
 * SPDX-License-Identifier: MIT
 */
#include "releases/conversion.h"
#include "releases/diff_print.h"

#include <inttypes.h>
#include <string.h>

enum { TEXT_WIDTH = 100 };

static const char *pair_name(const pair *p)
{
    return p->after_name ? p->after_name : p->before_name;
}

/* ---- sizes */

static const char *range(arena *a, uint64_t least, uint64_t most)
{
    return least == most ? arena_printf(a, "%" PRIu64, most) : arena_printf(a, "%" PRIu64 " to %" PRIu64, least, most);
}

static const char *size_words(arena *a, const pair *p, const diff_size *s, bool delta)
{
    if (delta && !s->delta)
        return "none";
    const uint64_t least = delta ? s->delta_least : s->least, most = delta ? s->delta_most : s->most;
    return arena_printf(a, "%s %s", range(a, least, most), p->packet ? "bytes" : "bits");
}

/* "10 to 12 bytes", or before and after if they differ. */
static const char *sizes_words(arena *a, const pair *p, bool delta)
{
    const char *before = size_words(a, p, &p->before, delta), *after = size_words(a, p, &p->after, delta);
    if (!p->before_name || !p->after_name)
        return p->before_name ? before : after;
    return strcmp(before, after) == 0 ? after : arena_printf(a, "%s -> %s", before, after);
}

static void head_to_text(arena *a, const pair *p, out *to)
{
    out_put(to, "\n$noun $name", "noun", p->noun, "name", pair_name(p), NULL);
    if (p->is_type) {
        out_put(to, ": $sizes", "sizes", sizes_words(a, p, false), NULL);
        if (p->before.delta || p->after.delta)
            out_put(to, "; deltas: $sizes", "sizes", sizes_words(a, p, true), NULL);
    }
    out_put(to, "\n", NULL);
}

/* ---- changes */

/* The effect of a change on recorded values: "clamped to 9"; "" for things without values. */
static const char *effect_words(arena *a, const pair *of, const change *each)
{
    const bool valued = strcmp(of->noun, "constant") != 0 && strcmp(of->noun, "protocol") != 0;
    const bool new_type = each->kind == CHANGE_ADDED && each->outcome == OUTCOME_KEPT;
    if (!valued || new_type || each->kind == CHANGE_MEANING)
        return "";
    const char *name = outcome_name(each->outcome);
    return arena_printf(a, "%s%s%s", name, *each->effect && *each->effect != ':' ? " " : "", each->effect);
}

static void change_to_text(arena *a, const pair *of, const char *name, const change *each, out *to)
{
    const char *effect = effect_words(a, of, each);
    out_put(to, "  $name$kind$colon$detail$semi$effect\n", "name", *name ? arena_printf(a, "%s: ", name) : "", "kind",
            change_name(each->kind), "colon", *each->detail ? ": " : "", "detail", each->detail, "semi",
            *effect ? "; " : "", "effect", effect, NULL);
    if (each->help && !each->meaning)
        out_put(to, "    help: $help\n", "help", each->help, NULL);
}

static void changes_to_text(arena *a, const pair *of, const char *name, out *to)
{
    for (const change *each = of->changes; each; each = each->next)
        change_to_text(a, of, name, each, to);
}

static void pair_to_text(arena *a, const pair *p, out *to)
{
    head_to_text(a, p, to);
    changes_to_text(a, p, "", to);
    for (const pair *part = p->parts; part; part = part->next)
        changes_to_text(a, part, pair_name(part), to);
}

/* ---- what has not changed */

static void same_to_text(arena *a, const comparison *r, out *to)
{
    const char *line = "same:";
    for (const pair *p = r->pairs; p; p = p->next) {
        if (has_changed(p))
            continue;
        const char *more = arena_printf(a, " %s %s,", p->noun, pair_name(p));
        if (strlen(line) + strlen(more) > TEXT_WIDTH) {
            out_put(to, "$gap$line\n", "gap", strncmp(line, "same:", 5) == 0 ? "\n" : "", "line", line, NULL);
            line = "     ";
        }
        line = arena_printf(a, "%s%s", line, more);
    }
    size_t size = strlen(line);
    if (line[size - 1] == ',')
        out_put(to, "$gap$line\n", "gap", strncmp(line, "same:", 5) == 0 ? "\n" : "", "line",
                arena_text(a, line, size - 1), NULL);
}

/* ---- the loud lines */

static void meaning_to_text(arena *a, const comparison *r, const pair *of, const pair *part, out *to)
{
    const bool same_id = r->before->id == r->after->id || of->stable;
    const char *what = part ? arena_printf(a, "%s.%s", pair_name(of), pair_name(part)) : pair_name(of);
    for (const change *each = (part ? part : of)->changes; each; each = each->next) {
        if (!each->meaning)
            continue;
        out_put(to, "!!! $head: $noun $what: $kind$colon$detail\n", "head",
                same_id ? "SAME ID, SAME BYTES, ANOTHER MEANING" : "SAME BYTES, ANOTHER MEANING", "noun", of->noun,
                "what", what, "kind", each->kind == CHANGE_MEANING ? "" : change_name(each->kind), "colon",
                each->kind == CHANGE_MEANING ? "" : ": ", "detail", each->detail, NULL);
        if (each->help)
            out_put(to, "    help: $help\n", "help", each->help, NULL);
    }
}

static void meaning_help_to_text(arena *a, const comparison *r, out *to)
{
    const char *misread = r->misread ? arena_printf(a, "the @stable packet '%s'", r->misread->name) : NULL;
    if (r->before->id != r->after->id)
        out_put(
            to,
            "    help: packets of the other version are refused, because the id is another: only what has no frame, "
            "such as T_pack_body, $are read wrongly\n",
            "are", misread ? arena_printf(a, "and %s are", misread) : "is", NULL);
    else
        out_put(to,
                "    help: if that is meant, raise the number of the protocol, so that both versions refuse each "
                "other's packets\n",
                NULL);
    if (misread)
        out_put(
            to,
            "    help: programs of all releases read $packet, whatever the number of the protocol: undo the change, or "
            "make it in a packet of another name\n",
            "packet", misread, NULL);
}

static void meanings_to_text(arena *a, const comparison *r, out *to)
{
    if (!r->meanings)
        return;
    out_put(to, "\n", NULL);
    for (const pair *p = r->pairs; p; p = p->next) {
        meaning_to_text(a, r, p, NULL, to);
        for (const pair *part = p->parts; part; part = part->next)
            meaning_to_text(a, r, p, part, to);
    }
    meaning_help_to_text(a, r, to);
}

/* ---- all */

static const char *protocol_words(arena *a, const schema *s)
{
    const char *name =
        s->protocol ? arena_printf(a, "protocol %s = %s", s->protocol, num_text(a, s->version)) : "no protocol";
    return arena_printf(a, "%s, id 0x%016" PRIx64, name, s->id);
}

static const char *verdict_words(arena *a, const comparison *r)
{
    const char *words = verdict_sentence(r->verdict);
    if (r->unstable)
        words = arena_printf(a, "@stable PACKET '%s' HAS CHANGED: each version refuses that of the other one",
                             r->unstable->name);
    if (r->verdict == VERDICT_MISREAD)
        words = arena_printf(a, "@stable PACKET '%s' HAS ANOTHER MEANING: each version misreads that of the other one",
                             r->misread->name);
    if (r->verdict == VERDICT_LOSS && r->left_out)
        words = arena_printf(a, "%s, and without some packets", words);
    if (r->verdict == VERDICT_SAME || r->verdict == VERDICT_MISREAD || r->verdict == VERDICT_MEANING || !r->meanings)
        return words;
    return arena_printf(a, "%s; %" PRIu32 " CHANGE%s OF MEANING IN THE SAME BYTES", words, r->meanings,
                        r->meanings == 1 ? "" : "S");
}

static void serving_to_text(arena *a, const comparison *r, out *to)
{
    if (!r->asks_serving)
        return;
    out_put(to,
            r->unserved ? "--serve: clients of the old version cannot be served:\n"
                        : "--serve: clients of the old version can be served\n",
            NULL);
    for (const loss *each = r->unserved; each; each = each->next)
        out_put(to, "  $name: $what\n", "name", loss_name(a, each), "what", each->what, NULL);
}

void diff_text(arena *a, const comparison *r, out *to)
{
    out_put(to, "old: $path: $protocol\n", "path", r->before->root->path, "protocol", protocol_words(a, r->before),
            NULL);
    out_put(to, "new: $path: $protocol\n", "path", r->after->root->path, "protocol", protocol_words(a, r->after), NULL);
    for (const pair *p = r->pairs; p; p = p->next)
        if (has_changed(p))
            pair_to_text(a, p, to);
    same_to_text(a, r, to);
    meanings_to_text(a, r, to);
    out_put(to, "\nverdict: $verdict\n", "verdict", verdict_words(a, r), NULL);
    serving_to_text(a, r, to);
}
