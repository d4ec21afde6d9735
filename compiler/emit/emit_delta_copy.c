/* emit_delta_copy.c - copies of baselines.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_delta_internal.h"

/* Whether a C struct holds more than what is on the wire, which a read has to leave alone. */
static bool holds_private(const decl *d)
{
    if (d->as_type != NULL)
        return true;
    for (const field *f = d->fields; f != NULL; f = f->next) {
        if (f->local)
            return true;
        if ((f->type.kind == TYPE_STRUCT || f->type.kind == TYPE_UNION) && holds_private(f->type.decl))
            return true;
    }
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m != NULL; m = m->next)
        if (holds_private(m->type))
            return true;
    return false;
}

static void emit_copy_of_field(emitter *e, const field *f)
{
    const char *m = f->name;
    unsigned depth = 0;
    if (f->optional)
        out_put(e->out, "to->has_$m = from->has_$m;\n", "m", m, NULL);
    if (f->array == ARRAY_COUNTED)
        out_put(e->out, "to->${m}_count = from->${m}_count;\n", "m", m, NULL);
    if (f->type.kind == TYPE_STRUCT || f->type.kind == TYPE_UNION) {
        for (; f->array != ARRAY_NONE && depth < f->dim_count; depth++) {
            const char *i = arena_printf(e->arena, "i%u", depth);
            out_put(e->out, "for (uint32_t $i = 0; $i < $count; $i++) {\n", "i", i, "count",
                    spell_number(e, f->dims[depth]), NULL);
            out_indent(e->out);
            m = arena_printf(e->arena, "%s[%s]", m, i);
        }
        out_put(e->out, "${type}_copy(&to->$m, &from->$m);\n", "type", spell_decl(e, f->type.decl), "m", m, NULL);
        while (depth-- != 0)
            delta_close_brace(e);
        return;
    }
    if (f->type.kind == TYPE_BYTES)
        out_put(e->out,
                f->array == ARRAY_NONE ? "to->${m}_size = from->${m}_size;\n"
                                       : "memcpy(to->${m}_size, from->${m}_size, sizeof to->${m}_size);\n",
                "m", m, NULL);
    if (f->array != ARRAY_NONE || f->type.kind == TYPE_BYTES || f->type.kind == TYPE_STRING)
        out_put(e->out, "memcpy(to->$m, from->$m, sizeof to->$m);\n", "m", m, NULL);
    else
        out_put(e->out, "to->$m = from->$m;\n", "m", m, NULL);
}

void delta_emit_copy(emitter *e, const decl *d, const char *name)
{
    out_put(e->out, "static void ${name}_copy($name *to, const $name *from)\n{\n", "name", name, NULL);
    out_indent(e->out);
    if (!holds_private(d)) {
        out_put(e->out, "*to = *from;\n", NULL);
    } else if (d->kind == DECL_UNION) {
        out_put(e->out, "switch (from->tag) {\n", NULL);
        for (const member *m = d->members; m != NULL; m = m->next)
            out_put(e->out,
                    "case $tag:\n"
                    "    if (to->tag != from->tag) memset(&to->as, 0, sizeof to->as);\n"
                    "    ${type}_copy(&to->as.$m, &from->as.$m);\n"
                    "    to->tag = from->tag;\n"
                    "    break;\n",
                    "tag", spell_member(e, d, m), "type", spell_decl(e, m->type), "m", m->name, NULL);
        out_put(e->out, "default:\n    break;\n}\n", NULL);
    } else {
        for (const field *f = d->fields; f != NULL; f = f->next)
            if (!f->local)
                emit_copy_of_field(e, f);
        if (d->fields == NULL)
            out_put(e->out, "to->unused = from->unused;\n", NULL);
    }
    delta_close_brace(e);
    out_put(e->out, "\n", NULL);
}
