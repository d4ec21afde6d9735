/* spell.c - names, values, places and conditions as C text.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

const char *spell_decl(const emitter *e, const decl *d)
{
    return arena_printf(e->arena, "%s%s", d->file->prefix, d->name);
}

const char *spell_member(const emitter *e, const decl *d, const member *m)
{
    return arena_printf(e->arena, d->kind == DECL_UNION ? "%s%s_tag_%s" : "%s%s_%s", d->file->prefix, d->name, m->name);
}

const char *spell_constant(const emitter *e, const decl *d)
{
    return arena_printf(e->arena, "%s%s", schema_constant_prefix(e->arena, e->schema, d->file), d->name);
}

const char *spell_pointed(const emitter *e, const decl *d)
{
    return d->as_type != NULL ? d->as_type : arena_printf(e->arena, "struct %s", spell_decl(e, d));
}

const char *spell_ref(const emitter *e, const decl *d)
{
    return arena_printf(e->arena, "%s_REF", spell_decl(e, d));
}

const char *spell_type(const emitter *e, const type *t)
{
    switch (type_row_of(t)->sort) {
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_FIXED:
    case SORT_REAL: return cname_storage(t->storage);
    case SORT_ENUM:
    case SORT_FLAGS:
    case SORT_STRUCT:
    case SORT_UNION: return spell_decl(e, t->decl);
    case SORT_QUAT: return "pkt_quat";
    case SORT_UNIT: return "pkt_vec3";
    case SORT_STRING: return "char";
    case SORT_BYTES: return "uint8_t";
    case SORT_REF: return arena_printf(e->arena, "%s *", spell_pointed(e, t->decl));
    case SORT_FOREIGN: return t->c_type;
    }
    assert(!"every value has a C type");
    return "";
}

const char *spell_number(const emitter *e, uint64_t n)
{
    return num_text(e->arena, num_u64(n));
}

const char *spell_hexadecimal(const emitter *e, uint64_t n)
{
    return arena_printf(e->arena, n <= UINT32_MAX ? "0x%08" PRIx64 "u" : "UINT64_C(0x%016" PRIx64 ")", n);
}

const char *spell_steps(const emitter *e, const type *t)
{
    return t->storage == STORAGE_FLOAT ? spell_number(e, t->steps)
                                       : cname_integer(e->arena, num_u64(t->steps), STORAGE_U64);
}

/* fire | jump; 0 for none. */
static const char *spell_flags(const emitter *e, const decl *d, num mask)
{
    const char *text = NULL;
    for (const member *m = d->members; m != NULL; m = m->next) {
        if ((mask.magnitude & m->value.magnitude) == 0)
            continue;
        const char *name = spell_member(e, d, m);
        text = text == NULL ? name : arena_printf(e->arena, "%s | %s", text, name);
    }
    if (text == NULL)
        return "0";
    return strchr(text, '|') != NULL ? arena_printf(e->arena, "(%s)(%s)", spell_decl(e, d), text) : text;
}

const char *spell_value(const emitter *e, const type *t, const value *v)
{
    if (is_real(t))
        return cname_real(e->arena, v->real, t->storage);
    if (t->kind == TYPE_FLAGS)
        return spell_flags(e, t->decl, v->number);
    if (t->kind == TYPE_ENUM)
        for (const member *m = t->decl->members; m != NULL; m = m->next)
            if (num_compare(m->value, v->number) == 0)
                return spell_member(e, t->decl, m);
    return cname_integer(e->arena, v->number, t->storage);
}

const char *spell_differs(const emitter *e, const field *f, const char *m)
{
    const type *t = &f->type;
    const char *usual = spell_value(e, t, &f->unless);
    if (t->kind == TYPE_FLOAT)
        return arena_printf(e->arena,
                            t->storage == STORAGE_FLOAT ? "pkt_float_bits(%s) != pkt_float_bits(%s)"
                                                        : "pkt_double_bits(%s) != pkt_double_bits(%s)",
                            m, usual);
    if (t->kind == TYPE_QUANTIZED) {
        const char *wide = t->storage == STORAGE_FLOAT ? "" : "64";
        const char *range = arena_printf(e->arena, "%s, %s, %" PRIu64, cname_real(e->arena, t->real_low, t->storage),
                                         cname_real(e->arena, t->real_high, t->storage), t->steps);
        return arena_printf(e->arena, "pkt_quantize%s(%s, %s) != pkt_quantize%s(%s, %s)", wide, m, range, wide, usual,
                            range);
    }
    return arena_printf(e->arena, "%s != %s", m, usual);
}

const char *spell_access(const emitter *e, const lvalue *at, const char *before, const char *after)
{
    const char *outer, *dot;
    if (at == NULL)
        return "";
    if (at->kind == ACCESS_INDEX) {
        outer = spell_access(e, at->outer, before, after);
        if (at->loop < 0)
            return arena_printf(e->arena, "%s[%u]", outer, (unsigned)at->offset);
        if (at->offset == 0)
            return arena_printf(e->arena, "%s[i%d]", outer, at->loop);
        return arena_printf(e->arena, "%s[i%d + %u]", outer, at->loop, (unsigned)at->offset);
    }
    outer = spell_access(e, at->outer, "", "");
    dot = outer[0] != 0 ? "." : "";
    if (at->kind == ACCESS_MEMBER)
        return arena_printf(e->arena, "%s%sas.%s%s", outer, dot, at->member->name, after);
    return arena_printf(e->arena, "%s%s%s%s%s", outer, dot, before, at->field->name, after);
}
