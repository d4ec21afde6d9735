/* emit_subset.c - sparse arrays: the loop over a subset in T_serialize, and the functions for presence bits.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"

#include <assert.h>

const char *spell_words(const emitter *e, uint64_t count)
{
    return spell_number(e, (count + 63) / 64);
}

const char *spell_subset_kind(const field *f)
{
    switch (f->mode) {
    case SPARSE_FLAG: return "PKT_SUBSET_FLAG";
    case SPARSE_COUNT: return "PKT_SUBSET_COUNT";
    case SPARSE_SENTINEL: return "PKT_SUBSET_SENTINEL";
    case SPARSE_RELATIVE: return "PKT_SUBSET_RELATIVE";
    case SPARSE_BITMAP: return "PKT_SUBSET_BITMAP";
    case SPARSE_AUTO: return "PKT_SUBSET_AUTO";
    }
    assert(false && "every mode has a name");
    return "";
}

/* Whether the lines of the body use the element; those of an element without fields do not. Constants have a place only for
 * errors. */
static bool names_element(const step *s, int depth)
{
    for (; s; s = s->next)
        for (const lvalue *at = s->kind == STEP_LEAF && s->op->kind == OP_CONSTANT ? NULL : s->at; at; at = at->outer)
            if (at->loop == depth)
                return true;
    return false;
}

void emit_subset(emitter *e, const step *s, void (*emit_element)(emitter *e, const step *s))
{
    const op *o = s->op;
    const char *kind = spell_subset_kind(o->field), *subset = arena_printf(e->arena, "s%d_", s->depth);
    out_put(e->out, "{\n", NULL);
    out_indent(e->out);
    out_put(e->out, "pkt_subset $s;\nif (PKT_READING) {\n", "s", subset, NULL);
    out_indent(e->out);
    emit_base_of_value(e, o->field, "out_->", HELD_KEPT);
    out_dedent(e->out);
    out_put(
        e->out,
        "}\n"
        "if (!$begin(mode_, $kind, c_, &$s, in_->${m}_present, PKT_READING ? out_->${m}_present : NULL, $n, $limit)) "
        "return false;\n",
        "begin", s->joined ? "pkt_subset_begin" : "pkt_apart_begin", "kind", kind, "s", subset, "m",
        spell_access(e, s->at, "", ""), "n", spell_number(e, o->count), "limit", spell_number(e, o->span), NULL);
    if (s->joined)
        out_put(e->out, "if (PKT_READING) pkt_window_open(c_, &$s);\n", "s", subset, NULL);
    out_put(e->out, "while ($next(mode_, $kind, c_, &$s, $ahead, $rest)) {\n", "next",
            s->joined ? "pkt_joined_next" : "pkt_apart_next", "kind", kind, "s", subset, "ahead",
            spell_number(e, s->bits), "rest", spell_number(e, s->rest), NULL);
    out_indent(e->out);
    if (names_element(s->body, s->depth))
        out_put(e->out, "const uint32_t $i = $s.index;\n", "i", arena_printf(e->arena, "i%d_", s->depth), "s", subset,
                NULL);
    emit_element(e, s->body);
    out_dedent(e->out);
    out_put(e->out,
            "}\n"
            "if (!$s.whole) return false;\n",
            "s", subset, NULL);
    out_close(e->out);
}

/* ---- presence bits */

static const char accessors[] =
    "\n"
    "/* Which elements of $m are present$at_most. _set and _has are false for an index out of range$refused;\n"
    " * _next is the first one at an index or after it, $n if there is none; $what. */\n"
    "PKT_INLINE bool ${name}_set($type *v_, uint32_t i_) "
    "{ return pkt_present_set(v_->${m}_present, $n, $limit, i_); }\n"
    "PKT_INLINE bool ${name}_has(const $type *v_, uint32_t i_) { return pkt_present_has(v_->${m}_present, $n, i_); }\n"
    "PKT_INLINE uint32_t ${name}_next(const $type *v_, uint32_t from_) "
    "{ return pkt_present_next(v_->${m}_present, $n, from_); }\n"
    "PKT_INLINE uint32_t ${name}_count(const $type *v_) { return pkt_present_count(v_->${m}_present, $n); }\n"
    "PKT_API void ${name}_clear($type *v_, uint32_t i_);\n";

void emit_presence(emitter *e, const wire_type *t)
{
    const char *owner = spell_decl(e, t->decl);
    for (const field *f = t->decl->fields; f; f = f->next) {
        const bool limited = f->limit < f->dims[0];
        if (f->array != ARRAY_SPARSE)
            continue;
        out_put(e->out, accessors, "name", arena_printf(e->arena, "%s_%s", owner, f->name), "type", owner, "m", f->name,
                "n", spell_number(e, f->dims[0]), "limit", spell_number(e, f->limit), "at_most",
                limited ? arena_printf(e->arena, ", at most %u", (unsigned)f->limit) : "", "refused",
                limited ? ", _set also for one too many" : "", "what",
                f->keep ? "_clear leaves the element as it is" : "_clear also gives the element its base value", NULL);
    }
}

void emit_presence_functions(emitter *e, const wire_type *t)
{
    const char *owner = spell_decl(e, t->decl);
    for (const field *f = t->decl->fields; f; f = f->next) {
        if (f->array != ARRAY_SPARSE)
            continue;
        const char *n = spell_number(e, f->dims[0]);
        out_put(e->out, "void ${type}_${m}_clear($type *v_, uint32_t i_)\n{\n", "type", owner, "m", f->name, NULL);
        out_indent(e->out);
        if (!f->keep) {
            out_put(e->out, "if (!pkt_present_has(v_->${m}_present, $n, i_)) return;\n", "m", f->name, "n", n, NULL);
            emit_base_of_element(e, f, "v_->", "[i_]");
        }
        out_put(e->out, "pkt_present_clear(v_->${m}_present, $n, i_);\n", "m", f->name, "n", n, NULL);
        out_dedent(e->out);
        out_put(e->out, "}\n\n", NULL);
    }
}
