/* emit_serve_faults.c - what cannot be written of a value is found before it is converted to an older release.
 * SPDX-License-Identifier: MIT
 *
 * A conversion moves numbers into other ranges and cuts texts, and so would make something plausible of a fault. So the
 * value is checked as one of the version now. Elements with @fit are left out, as T_fit_pack does for the version now.
 */
#include "releases/emit_serve.h"

uint32_t spared_elements(server *s, const decl *d)
{
    uint32_t count = 0;
    const target *t = s->targets->next;
    while (t && !is_chosen(s, t, d))
        t = t->next;
    for (const field *f = t ? d->fields : NULL; f; f = f->next)
        count += f->fit ? f->dims[0] : 0;
    return count;
}

const char *spell_unspoiled(server *s, const decl *d, const char *to)
{
    if (spared_elements(s, d) == 0)
        return "";
    return arena_printf(out_of(s)->arena,
                        "    memset(%s->invalid, 0, sizeof %s->invalid);\n"
                        "    pkt_no_error(&%s->fault);\n",
                        to, to, to);
}

/* How a field is spared; NULL if a fault of it is one of the whole value. chosen: see is_chosen. */
static const char *spell_sparing(const target *t, const decl *d, const field *f, bool chosen)
{
    if (f->part)
        return "PKT_SPARE_PART";
    if (d->parts)
        return f->fit && f->array == ARRAY_COUNTED ? "PKT_SPARE_CUT" : NULL;
    if (!chosen || !f->fit || f->array == ARRAY_SPARSE)
        return NULL;
    const field *then = field_in(t, f);
    return then && !then->fit ? NULL : "PKT_SPARE_ELEMENTS";
}

void emit_spare(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d);
    const bool chosen = is_chosen(s, t, d);
    unsigned count = 0;
    uint32_t first = 0; /* the number of the field's first element in an order */
    out_put(
        e->out,
        "static bool ${name}_spare_${label}_(const $name *v_, uint64_t *invalid_, uint32_t *cut_, pkt_error *fault_,\n"
        "    pkt_error *error_)\n"
        "{\n",
        "name", name, "label", t->label, NULL);
    for (const field *f = d->fields; f; f = f->next) {
        const char *how = f->local ? NULL : spell_sparing(t, d, f, chosen);
        if (how && count++ == 0)
            out_put(e->out, "    static const pkt_spared spared_[] = {\n", NULL);
        if (how)
            out_put(e->out, "        {$how, $first, offsetof($name, $m)},\n", "how", how, "first",
                    spell_number(e, f->fit ? first : 0), "name", name, "m", f->name, NULL);
        first += f->fit ? f->dims[0] : 0;
    }
    out_put(
        e->out,
        "$close    return pkt_spare(&${name}_type_, $spared, $count, ($name *)(uintptr_t)v_, invalid_, cut_, fault_, error_);\n"
        "}\n"
        "\n",
        "close", count != 0 ? "    };\n" : "", "name", name, "spared", count != 0 ? "spared_" : "NULL", "count",
        spell_number(e, count), NULL);
}
