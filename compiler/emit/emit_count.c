/* emit_count.c - arrays whose count is computed from earlier fields: T_x_count.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"

void emit_computed_counts(emitter *e, const decl *d)
{
    const char *owner = spell_decl(e, d);
    for (const field *f = d->fields; f; f = f->next) {
        if (f->array != ARRAY_COMPUTED)
            continue;
        out_put(e->out,
                "\n"
                "/* How many elements of $m are in use: `$count`. */\n"
                "PKT_INLINE uint32_t ${owner}_${m}_count(const $owner *v_)\n"
                "{\n"
                "    return $value;\n"
                "}\n",
                "m", f->name, "count", expr_words(e->arena, f->count), "owner", owner, "value",
                spell_condition_up_to(e, f->count, "v_->", f->dims[0]), NULL);
    }
}

const char *spell_computed_count(const emitter *e, const decl *owner, const field *f, const char *v)
{
    return arena_printf(e->arena, "%s_%s_count(%s)", spell_decl(e, owner), f->name, v);
}
