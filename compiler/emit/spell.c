/* spell.c - spells names, values and members in C.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"

#include "base/utf8.h"
#include "wire/tuning.h"
#include "pkt.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

bool is_only_read(const emitter *e)
{
    return e->older.form != NULL;
}

bool is_served(const emitter *e)
{
    return e->older.now && !e->older.form;
}

/* The name of a declaration: in an older version, that of its form. */
static const decl *stand_in(const emitter *e, const decl *d)
{
    const decl *form = is_only_read(e) ? e->older.form(e->older.forms, d) : NULL;
    return form ? form : d;
}

/* Refs of an older version point to their type in the version now: callbacks of the program know no other. */
static const decl *target_now(const emitter *e, const decl *d)
{
    return e->older.now ? e->older.now(e->older.conversion, d) : d;
}

const char *spell_decl(const emitter *e, const decl *d)
{
    d = stand_in(e, d);
    return arena_printf(e->arena, "%s%s", d->file->prefix, d->name);
}

const char *spell_called(const wire_type *t)
{
    return t->uses != 0 && t->leaves > INLINE_LEAVES ? "PKT_NOINLINE " : "";
}

const char *spell_member(const emitter *e, const decl *d, const member *m)
{
    d = stand_in(e, d);
    return arena_printf(e->arena, d->kind == DECL_UNION ? "%s%s_tag_%s" : "%s%s_%s", d->file->prefix, d->name, m->name);
}

const char *spell_constant(const emitter *e, const decl *d)
{
    return arena_printf(e->arena, "%s%s", schema_constant_prefix(e->arena, e->schema, d->file), d->name);
}

const char *spell_pointed(const emitter *e, const decl *d)
{
    emitter now = *e;
    now.older = (other_version){0};
    d = target_now(e, d);
    if (!d || (is_served(e) && d->as_type)) /* the header of a release does not include the program's */
        return "void";
    e = &now;
    return d->as_type ? d->as_type : arena_printf(e->arena, "struct %s", spell_decl(e, d));
}

uint32_t ref_number(const char *name)
{
    return pkt_crc32(0, name, strlen(name));
}

const char *spell_ref(const emitter *e, const decl *d)
{
    if (!e->older.now)
        return arena_printf(e->arena, "%s_REF", spell_decl(e, d));
    d = target_now(e, d);
    return d ? spell_hexadecimal(e, ref_number(arena_printf(e->arena, "%s%s", d->file->prefix, d->name))) : "0";
}

/* Whether text at this point would begin or end a comment, or be a trigraph. */
static bool means_something(const char *at)
{
    return (at[0] == '*' && at[1] == '/') || (at[0] == '/' && at[1] == '*') ||
           (at[0] == '?' && at[1] == '?' && at[2] != 0 && strchr("=/'()!<>-", at[2]));
}

char *spell_comment(const emitter *e, const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    const char *end = text + strlen(text), *last = NULL;
    char *spelled = arena_alloc(e->arena, 3 * strlen(text) + 1), *to = spelled;
    while (text != end) {
        size_t size = *text == '\n' || *text == '\t' ? 1 : utf8_printable(text, (size_t)(end - text));
        const char *from = size > 0 ? text : replacement;
        const size_t length = size > 0 ? size : strlen(replacement);
        if (from != last) /* several bytes in a row that are not text become one replacement */
            memcpy(to, from, length), to += length;
        if (means_something(text))
            *to++ = ' ';
        last = from;
        text += size > 0 ? size : 1;
    }
    return spelled;
}

const char *spell_type(const emitter *e, const type *t)
{
    const char *own = cname_type(t);
    if (own)
        return own;
    return t->kind == TYPE_REF ? arena_printf(e->arena, "%s *", spell_pointed(e, t->decl)) : spell_decl(e, t->decl);
}

const char *spell_size_of_bytes(const emitter *e, const field *f, const char *m)
{
    return arena_printf(e->arena, "%s_size%s", f->name, m + strlen(f->name));
}

const char *spell_steps(const emitter *e, const type *t, const char *steps)
{
    const char *mark = t->storage == STORAGE_FLOAT ? "PKT_CIRCLE" : "PKT_CIRCLE64";
    return t->wraps ? arena_printf(e->arena, "%s(%s)", mark, steps) : steps;
}

const char *spell_number(const emitter *e, uint64_t n)
{
    return num_text(e->arena, num_u64(n));
}

const char *spell_hexadecimal(const emitter *e, uint64_t n)
{
    return arena_printf(e->arena, n <= UINT32_MAX ? "0x%08" PRIx64 "u" : "UINT64_C(0x%016" PRIx64 ")", n);
}

/* "fire | jump"; "0" for none. */
static const char *spell_flags(const emitter *e, const decl *d, num mask)
{
    const char *text = NULL;
    for (const member *m = d->members; m; m = m->next) {
        if ((mask.magnitude & m->value.magnitude) == 0)
            continue;
        const char *name = spell_member(e, d, m);
        text = !text ? name : arena_printf(e->arena, "%s | %s", text, name);
    }
    if (!text)
        return "0";
    return strchr(text, '|') ? arena_printf(e->arena, "(%s)(%s)", spell_decl(e, d), text) : text;
}

static const char *spell_enum(const emitter *e, const type *t, num n)
{
    for (const member *m = t->decl->members; m; m = m->next)
        if (num_compare(m->value, n) == 0)
            return spell_member(e, t->decl, m);
    return cname_integer(e->arena, n, t->storage);
}

const char *spell_value(const emitter *e, const type *t, const value *v)
{
    switch (type_row_of(t)->sort) {
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_FIXED: return cname_integer(e->arena, v->number, t->storage);
    case SORT_REAL: return cname_real(e->arena, v->real, t->storage);
    case SORT_ENUM: return spell_enum(e, t, v->number);
    case SORT_FLAGS: return spell_flags(e, t->decl, v->number);
    case SORT_QUAT: return "pkt_quat_identity()";
    case SORT_UNIT: return "pkt_vec3_z()";
    case SORT_STRING:
    case SORT_BYTES:
    case SORT_REF: return "NULL";
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN: break;
    }
    assert(false && "not a value that one expression makes");
    return "";
}

const char *spell_base(const emitter *e, const field *f)
{
    const value base = base_value(f);
    const char *text = spell_value(e, &f->type, &base);
    /* A constant of an enum is an int in C, but not a number in C++. */
    return f->type.kind == TYPE_ENUM ? arena_printf(e->arena, "(%s)%s", spell_decl(e, f->type.decl), text) : text;
}

const char *spell_access(const emitter *e, const lvalue *at, const char *before, const char *after)
{
    const char *outer, *dot;
    if (!at)
        return "";
    if (at->kind == ACCESS_INDEX) {
        outer = spell_access(e, at->outer, before, after);
        if (at->loop < 0)
            return arena_printf(e->arena, "%s[%u]", outer, (unsigned)at->offset);
        if (at->offset == 0)
            return arena_printf(e->arena, "%s[i%d_]", outer, at->loop);
        return arena_printf(e->arena, "%s[i%d_ + %u]", outer, at->loop, (unsigned)at->offset);
    }
    outer = spell_access(e, at->outer, "", "");
    dot = outer[0] != 0 ? "." : "";
    if (at->kind == ACCESS_MEMBER)
        return arena_printf(e->arena, "%s%sas.%s%s", outer, dot, at->member->name, after);
    return arena_printf(e->arena, "%s%s%s%s%s", outer, dot, before, at->field->name, after);
}

const char *spell_baseline(const emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    return d->predicts ? arena_printf(e->arena, "%s_motion", name) : name;
}
