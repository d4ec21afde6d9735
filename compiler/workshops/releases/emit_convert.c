/* emit_convert.c - T_from_vN: converts a value of an older version to the version now.
 * SPDX-License-Identifier: MIT
 *
 * A function first gives *v_ its initial value. Then it goes through the older type item by item, so that members that
 * were not sent stay initial. releases/conversion.h has the rules.
 */
#include "releases/emit_upgrade.h"

#include <assert.h>
#include <string.h>

/* One field: the texts of the old and the new member, "old_->x" and "v_->x", with the same subscripts or none. */
typedef struct convert_place {
    const field *before, *after;
    const char *from, *to; /* without subscripts */
    const char *at, *into; /* the subscripts */
} convert_place;

static const char *whole(const upgrader *k, const char *name, const char *subscript)
{
    return arena_printf(k->now.arena, "%s%s", name, subscript);
}

/* ---- names */

/* Whether NAME_serve.c calls the conversion of a type of another file: that of a part. */
static bool is_served_part(const upgrade *u, const form *f)
{
    const wire *w = u->is_back ? u->versions->wire : u->now;
    const decl *now = u->is_back ? f->decl : f->now;
    for (const decl *d = f->version->served ? w->schema->decls : NULL; d; d = d->next)
        for (const field *each = d->file->root ? d->fields : NULL; each; each = each->next)
            if (each->part && each->type.decl == now)
                return true;
    return false;
}

static bool is_own_type(const upgrade *u, const form *f)
{
    return (f->now->file->root && f->decl->file->root) || is_served_part(u, f);
}

const char *spell_conversion(const upgrader *k, const form *f)
{
    const bool back = k->upgrade->is_back;
    return arena_printf(k->now.arena, "%s_%s_v%lu%s", back ? spell_decl(&k->old, f->decl) : spell_decl(&k->now, f->now),
                        back ? "to" : "from", (unsigned long)f->version->number,
                        is_own_type(k->upgrade, f) && f->decl->kind != DECL_ENUM && f->decl->kind != DECL_FLAGS ? ""
                                                                                                                : "_");
}

const char *spell_hook(const upgrader *k, const form *f, const field *after)
{
    if (k->upgrade->is_back)
        return arena_printf(k->now.arena, "%s_%s_to_v%lu", spell_decl(&k->old, f->decl),
                            field_then(&f->version->conversion, after)->name, (unsigned long)f->version->number);
    return arena_printf(k->now.arena, "%s_%s_from_v%lu", spell_decl(&k->now, f->now), after->name,
                        (unsigned long)f->version->number);
}

bool is_public(const upgrade *u, const form *f)
{
    return f->converted && f->now != NULL && is_own_type(u, f);
}

/* ---- enums and flags */

/* Whether a value of the type can be assigned as it is. */
static bool is_kept(const form *f)
{
    return f->now && same_numbers(&f->version->conversion, f->decl, f->now);
}

static void emit_enum_cases(upgrader *k, const form *f)
{
    emitter *e = &k->now;
    const char *name = spell_decl(e, f->now);
    const char *base = spell_member(e, f->now, enum_base(f->now)), *other = base;
    out_put(e->out, "switch (old_) {\n", NULL);
    for (const member *m = f->decl->members; m; m = m->next) {
        const member *now = member_now(&f->version->conversion, m);
        const bool stays = f->decl->width != 0 && f->now->width != 0 && num_compare(m->value, f->now->type.high) <= 0 &&
                           !member_of_value(f->now, m->value);
        out_put(e->out, "case $old: return $now;\n", "old", spell_member(&k->old, f->decl, m), "now",
                now     ? spell_member(e, f->now, now)
                : stays ? arena_printf(e->arena, "(%s)old_", name)
                        : base,
                NULL);
    }
    if (f->decl->width != 0 && f->now->width >= f->decl->width)
        other = arena_printf(e->arena, "(%s)old_", name);
    else if (f->decl->width != 0 && f->now->width != 0)
        other = arena_printf(e->arena, "old_ <= %s ? (%s)old_ : %s",
                             cname_integer(e->arena, f->now->type.high, f->decl->type.storage), name, base);
    out_put(e->out, "default: return $other;\n}\n", "other", other, NULL);
}

static void emit_flag_lines(upgrader *k, const form *f)
{
    emitter *e = &k->now;
    const char *name = spell_decl(e, f->now);
    out_put(e->out, "$type v_ = 0;\n", "type", name, NULL);
    for (const member *m = f->decl->members; m; m = m->next) {
        const member *now = member_now(&f->version->conversion, m);
        if (now)
            out_put(e->out, "if ((old_ & $old) != 0)\n    v_ = ($type)(v_ | $now);\n", "old",
                    spell_member(&k->old, f->decl, m), "type", name, "now", spell_member(e, f->now, now), NULL);
    }
    out_put(e->out, "return v_;\n", NULL);
}

static void emit_enum_conversion(upgrader *k, const form *f)
{
    emitter *e = &k->now;
    if (is_kept(f))
        return;
    out_put(e->out, "static $now $name($old old_)\n{\n", "now", spell_decl(e, f->now), "name", spell_conversion(k, f),
            "old", spell_decl(&k->old, f->decl), NULL);
    out_indent(e->out);
    if (f->decl->kind == DECL_ENUM)
        emit_enum_cases(k, f);
    else
        emit_flag_lines(k, f);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}

/* ---- elements */

static const form *form_at(const upgrader *k, const convert_place *p)
{
    return form_of(k->upgrade, p->before->type.decl);
}

/* Whether an element may have no value now. */
static bool may_fail(const upgrader *k, const convert_place *p)
{
    return conversion_rule(&k->version->conversion, &p->before->type, &p->after->type) == RULE_TYPE &&
           form_at(k, p)->can_fail;
}

/* An expression that converts a struct or union, and is true if it has a value now. */
static const char *spell_call(const upgrader *k, const convert_place *p)
{
    return arena_printf(k->now.arena, "%s(&%s, &%s)", spell_conversion(k, form_at(k, p)), whole(k, p->to, p->into),
                        whole(k, p->from, p->at));
}

static void set(upgrader *k, const convert_place *p, const char *text)
{
    out_put(k->now.out, "$to = $text;\n", "to", whole(k, p->to, p->into), "text", text, NULL);
}

static void emit_named(upgrader *k, const convert_place *p, const char *from)
{
    const form *f = form_at(k, p);
    const char *name = spell_decl(&k->now, f->now);
    set(k, p,
        is_kept(f) ? arena_printf(k->now.arena, "(%s)%s", name, from)
                   : arena_printf(k->now.arena, "%s(%s)", spell_conversion(k, f), from));
}

static void emit_bytes(upgrader *k, const convert_place *p, bool text)
{
    arena *a = k->now.arena;
    const char *from = whole(k, p->from, p->at);
    out_put(k->now.out, "${to}_size$into = ($size)pkt_copy_bytes($to$into, $room, $from, $length);\n", "to", p->to,
            "into", p->into, "size", cname_storage(storage_for(p->after->type.length)), "room",
            spell_number(&k->now, p->after->type.length), "from", from, "length",
            text ? arena_printf(a, "pkt_lesser(pkt_text_size(%s, %u), %u)", from, (unsigned)p->before->type.length,
                                (unsigned)p->before->type.length)
                 : arena_printf(a, k->upgrade->is_back ? "pkt_lesser(%s_size%s, %u)" : "%s_size%s", p->from, p->at,
                                (unsigned)p->before->type.length),
            NULL);
}

/* One value that is not an array, and that has a value now. */
static void emit_converted_element(upgrader *k, const convert_place *p)
{
    emitter *e = &k->now;
    const type *old = &p->before->type, *now = &p->after->type;
    const char *from = whole(k, p->from, p->at);
    if (old->clamps && k->upgrade->is_back)
        from = spell_clamped_number(e, old, from);
    switch (conversion_rule(&k->version->conversion, old, now)) {
    case RULE_BOOL: set(k, p, old->kind == TYPE_BOOL ? from : arena_printf(e->arena, "%s != 0", from)); return;
    case RULE_NUMBER: set(k, p, spell_number_now(e, old, now, from)); return;
    case RULE_ENUM:
    case RULE_FLAGS: emit_named(k, p, from); return;
    case RULE_QUAT:
        set(k, p, old->bits == now->bits ? from : arena_printf(e->arena, "pkt_quat_in(%s, %u)", from, now->bits));
        return;
    case RULE_UNIT: set(k, p, from); return;
    case RULE_REF: /* that of a served release may be a void pointer, which C++ does not convert */
        set(k, p, p->after->type.decl->as_type ? arena_printf(e->arena, "(%s)%s", spell_type(e, now), from) : from);
        return;
    case RULE_TEXT:
        out_put(e->out, "pkt_copy_text($to, $room, $from, $most);\n", "to", whole(k, p->to, p->into), "room",
                spell_number(e, (uint64_t)now->length + 1), "from", from, "most", spell_number(e, old->length), NULL);
        return;
    case RULE_BYTES: emit_bytes(k, p, false); return;
    case RULE_BYTES_OF_TEXT: emit_bytes(k, p, true); return;
    case RULE_TYPE:
        out_put(e->out, form_at(k, p)->can_fail ? "if (!$call)\n    return false;\n" : "$call;\n", "call",
                arena_printf(e->arena, form_at(k, p)->can_fail ? "%s" : "(void)%s", spell_call(k, p)), NULL);
        return;
    case RULE_NONE: break;
    }
    assert(false && "pktc refuses it");
}

/* The same in a place where it can be missing. Otherwise the element gets its initial value back. */
static void emit_element_or_initial(upgrader *k, const convert_place *p)
{
    emitter *e = &k->now;
    if (!may_fail(k, p)) {
        emit_converted_element(k, p);
        return;
    }
    out_put(e->out, "if (!$call) {\n", "call", spell_call(k, p), NULL);
    out_indent(e->out);
    emit_initial_of_element(e, p->after, p->to, p->into);
    out_close(e->out);
}

/* ---- arrays */

static const char *least(const upgrader *k, const char *count, uint32_t most)
{
    return arena_printf(k->now.arena, "pkt_lesser(%s, %u)", count, (unsigned)most);
}

static void open_loop(upgrader *k, const char *i, const char *count)
{
    out_put(k->now.out, "for (uint32_t $i = 0; $i < $count; $i++) {\n", "i", i, "count", count, NULL);
    out_indent(k->now.out);
}

static const char *plain_number(const upgrader *k, uint32_t n)
{
    return arena_printf(k->now.arena, "%u", (unsigned)n);
}

/* All dimensions. */
static void emit_fixed(upgrader *k, convert_place p)
{
    emitter *e = &k->now;
    const char *subscripts = "";
    for (uint32_t d = 0; d < p.after->dim_count; d++) {
        const uint32_t old = p.before->dims[d], now = p.after->dims[d];
        const char *i = arena_printf(e->arena, "i%u_", (unsigned)d);
        open_loop(k, i, plain_number(k, old < now ? old : now));
        subscripts = arena_printf(e->arena, "%s[%s]", subscripts, i);
    }
    p.at = p.into = subscripts;
    emit_converted_element(k, &p);
    for (uint32_t d = 0; d < p.after->dim_count; d++)
        out_close(e->out);
}

/* How many elements were there. */
static const char *old_count(const upgrader *k, const convert_place *p)
{
    if (p->before->array == ARRAY_COMPUTED)
        return spell_computed_count(&k->old, p->before->owner, p->before, "old_");
    return p->before->array == ARRAY_COUNTED ? arena_printf(k->now.arena, "%s_count", p->from)
                                             : plain_number(k, p->before->dims[0]);
}

static const char *count_up_to(const upgrader *k, const convert_place *p, uint32_t most)
{
    if (p->before->array != ARRAY_COUNTED && p->before->array != ARRAY_COMPUTED)
        return plain_number(k, p->before->dims[0] < most ? p->before->dims[0] : most);
    /* What was read is in range; what the program gives may not be. */
    if (p->before->dims[0] <= most && !(k->upgrade->is_back && p->before->array == ARRAY_COUNTED))
        return old_count(k, p);
    return least(k, old_count(k, p), p->before->dims[0] < most ? p->before->dims[0] : most);
}

/* Elements that have no value now are left out, and the others move up. */
static void emit_counted_with_gaps(upgrader *k, convert_place p)
{
    emitter *e = &k->now;
    const char *count = arena_printf(e->arena, "%s_count", p.to);
    out_put(e->out, "$count = 0;\n", "count", count, NULL);
    open_loop(k, "i0_", old_count(k, &p));
    p.at = "[i0_]";
    p.into = arena_printf(e->arena, "[%s]", count);
    out_put(e->out, "if ($count < $most && $call)\n    $count++;\n", "count", count, "most",
            plain_number(k, p.after->dims[0]), "call", spell_call(k, &p), NULL);
    out_close(e->out);
    if (p.after->count_low == 0)
        return;
    out_put(e->out, "for (; $count < $low; $count++) {\n", "count", count, "low", plain_number(k, p.after->count_low),
            NULL);
    out_indent(e->out);
    emit_initial_of_element(e, p.after, p.to, p.into);
    out_close(e->out);
}

/* Emits the loop for a fixed or counted array. T_init has set the elements that are always there. */
static void emit_counted(upgrader *k, convert_place p)
{
    emitter *e = &k->now;
    const char *count_type = cname_storage(storage_for(p.after->dims[0])), *count;
    const bool may_lack = p.before->array == ARRAY_COUNTED || p.before->array == ARRAY_COMPUTED;
    const uint32_t fewest = may_lack ? p.before->count_low : p.before->dims[0];
    if (may_fail(k, &p)) {
        emit_counted_with_gaps(k, p);
        return;
    }
    count = count_up_to(k, &p, p.after->dims[0]);
    p.at = p.into = "[i0_]";
    open_loop(k, "i0_", count);
    emit_converted_element(k, &p);
    out_close(e->out);
    if (fewest < p.after->count_low)
        out_put(e->out, "if ($count > $low)\n    ", "count", count, "low", plain_number(k, p.after->count_low), NULL);
    out_put(e->out, "${to}_count = ($type)$count;\n", "to", p.to, "type", count_type, "count", count, NULL);
}

/* Elements keep their subscripts; those between them have initial values. */
static void emit_counted_of_sparse(upgrader *k, convert_place p)
{
    emitter *e = &k->now;
    const char *count = arena_printf(e->arena, "%s_count", p.to);
    const uint32_t old = p.before->dims[0], now = p.after->dims[0];
    open_loop(k, "i0_", plain_number(k, old < now ? old : now));
    out_put(e->out, "if (!pkt_is_present(${from}_present, i0_))\n    continue;\n", "from", p.from, NULL);
    out_put(e->out, "for (; $count <= i0_; $count++) {\n", "count", count, NULL);
    out_indent(e->out);
    emit_initial_of_element(e, p.after, p.to, arena_printf(e->arena, "[%s]", count));
    out_close(e->out);
    p.at = p.into = "[i0_]";
    emit_element_or_initial(k, &p);
    out_close(e->out);
}

/* Element i0_ of a sparse array, which is there unless it has no value now. */
static void emit_present(upgrader *k, convert_place p)
{
    emitter *e = &k->now;
    p.at = p.into = "[i0_]";
    if (may_fail(k, &p))
        out_put(e->out, "if (!$call)\n    continue;\n", "call", spell_call(k, &p), NULL);
    else
        emit_converted_element(k, &p);
    out_put(e->out, "pkt_set_present(${to}_present, i0_);\n", "to", p.to, NULL);
}

static void emit_sparse_of_sparse(upgrader *k, convert_place p)
{
    emitter *e = &k->now;
    const uint32_t old = p.before->dims[0], now = p.after->dims[0], most = old < now ? old : now;
    const bool limited = p.after->limit < most && p.before->limit > p.after->limit;
    if (limited) {
        out_put(e->out, "{\n", NULL);
        out_indent(e->out);
        out_put(e->out, "uint32_t left_ = $limit;\n", "limit", plain_number(k, p.after->limit), NULL);
    }
    open_loop(k, "i0_", plain_number(k, most));
    out_put(e->out,
            limited ? "if (left_ == 0 || !pkt_is_present(${from}_present, i0_))\n    continue;\n"
                    : "if (!pkt_is_present(${from}_present, i0_))\n    continue;\n",
            "from", p.from, NULL);
    emit_present(k, p);
    if (limited)
        out_put(e->out, "left_--;\n", NULL);
    out_close(e->out);
    if (limited)
        out_close(e->out);
}

static void emit_sparse(upgrader *k, convert_place p)
{
    if (p.before->array == ARRAY_SPARSE) {
        emit_sparse_of_sparse(k, p);
        return;
    }
    open_loop(k, "i0_", count_up_to(k, &p, p.after->limit));
    emit_present(k, p);
    out_close(k->now.out);
}

/* A fixed array of one that may have fewer elements. All elements of an array with a computed count are there too. */
static void emit_fixed_of_some(upgrader *k, convert_place p)
{
    emitter *e = &k->now;
    const uint32_t old = p.before->dims[0], now = p.after->dims[0];
    const bool of_sparse = p.before->array == ARRAY_SPARSE;
    open_loop(k, "i0_", of_sparse ? plain_number(k, old < now ? old : now) : count_up_to(k, &p, now));
    if (of_sparse)
        out_put(e->out, "if (!pkt_is_present(${from}_present, i0_))\n    continue;\n", "from", p.from, NULL);
    p.at = p.into = "[i0_]";
    emit_element_or_initial(k, &p);
    out_close(e->out);
}

static void emit_converted_value(upgrader *k, const convert_place *p)
{
    const array_kind old = p->before->array;
    switch (p->after->array) {
    case ARRAY_NONE: emit_converted_element(k, p); break;
    case ARRAY_FIXED: (old == ARRAY_FIXED ? emit_fixed : emit_fixed_of_some)(k, *p); break;
    case ARRAY_COUNTED: (old == ARRAY_SPARSE ? emit_counted_of_sparse : emit_counted)(k, *p); break;
    case ARRAY_COMPUTED: emit_fixed_of_some(k, *p); break;
    case ARRAY_SPARSE: emit_sparse(k, *p); break;
    }
}

/* ---- fields */

static void emit_converted_field(upgrader *k, const field *before)
{
    emitter *e = &k->now;
    const field *after = field_now(&k->version->conversion, before);
    if (!after || !arrays_convert(&k->version->conversion, before, after) ||
        conversion_rule(&k->version->conversion, &before->type, &after->type) == RULE_NONE)
        return;
    const convert_place p = {
        before, after, arena_printf(e->arena, "old_->%s", before->name), arena_printf(e->arena, "v_->%s", after->name),
        "",     ""};
    const bool fails = after->array == ARRAY_NONE && may_fail(k, &p);
    if (before->optional) {
        out_put(e->out, "if (old_->has_$name) {\n", "name", before->name, NULL);
        out_indent(e->out);
    }
    if (after->part && k->upgrade->is_back) {
        /* The value is converted once for all packets. */
        if (after->optional)
            out_put(e->out, "v_->has_$name = true;\n", "name", after->name, NULL);
    } else if (after->optional && fails) {
        out_put(e->out, "v_->has_$name = $call;\n", "name", after->name, "call", spell_call(k, &p), NULL);
    } else {
        if (after->optional)
            out_put(e->out, "v_->has_$name = true;\n", "name", after->name, NULL);
        emit_converted_value(k, &p);
    }
    if (before->optional)
        out_close(e->out);
}

/* Whether something in a list has a value now. */
static bool has_conversion(const upgrader *k, const op *o)
{
    for (; o; o = o->next) {
        if (o->field && field_now(&k->version->conversion, o->field))
            return true;
        if (has_conversion(k, o->kind == OP_IF ? o->body : NULL) ||
            has_conversion(k, o->kind == OP_IF ? o->other : NULL))
            return true;
        for (const op_arm *a = o->kind == OP_SWITCH ? o->arms : NULL; a; a = a->next)
            if (has_conversion(k, a->body))
                return true;
    }
    return false;
}

static void emit_items(upgrader *k, const op *o);

static void emit_converted_if(upgrader *k, const op *o)
{
    emitter *e = &k->now;
    const bool then = has_conversion(k, o->body);
    out_put(e->out, then ? "if ($condition) {\n" : "if (!($condition)) {\n", "condition",
            spell_branch_condition(&k->old, o, "old_->"), NULL);
    out_indent(e->out);
    emit_items(k, then ? o->body : o->other);
    if (then && has_conversion(k, o->other)) {
        out_dedent(e->out);
        if (o->other->kind == OP_IF && !o->other->next) {
            out_put(e->out, "} else ", NULL);
            emit_converted_if(k, o->other);
            return;
        }
        out_put(e->out, "} else {\n", NULL);
        out_indent(e->out);
        emit_items(k, o->other);
    }
    out_close(e->out);
}

static void emit_converted_switch(upgrader *k, const op *o)
{
    emitter *e = &k->now;
    bool has_default = false;
    out_put(e->out, "switch ($subject) {\n", "subject", spell_subject(&k->old, o, "old_->"), NULL);
    for (const op_arm *a = o->arms; a; a = a->next) {
        has_default |= a->arm->is_default;
        out_put(e->out, "$labels\n", "labels", spell_labels(&k->old, a->arm, "old_->"), NULL);
        out_indent(e->out);
        emit_items(k, a->body);
        out_put(e->out, "break;\n", NULL);
        out_dedent(e->out);
    }
    out_put(e->out, has_default ? "}\n" : "default: break;\n}\n", NULL);
}

static void emit_items(upgrader *k, const op *o)
{
    for (; o; o = o->next)
        if (o->field)
            emit_converted_field(k, o->field);
        else if (o->kind == OP_IF && (has_conversion(k, o->body) || has_conversion(k, o->other)))
            emit_converted_if(k, o);
        else if (o->kind == OP_SWITCH && has_conversion(k, o))
            emit_converted_switch(k, o);
}

/* Whether an initial value of a type, or of a field, has an `after`. */
static bool field_relates(const field *f);

static bool type_relates(const decl *d)
{
    for (const field *f = d->fields; f; f = f->next)
        if (f->after || field_relates(f))
            return true;
    return false;
}

static bool field_relates(const field *f)
{
    const type *t = &f->type;
    return is_composite(t) && t->decl->holds_after && !(f->optional && f->array == ARRAY_NONE) && !f->local &&
           !f->part && f->array != ARRAY_SPARSE &&
           type_relates(t->kind == TYPE_UNION ? t->decl->members->type : t->decl);
}

static void emit_relations(upgrader *k, const decl *d, const char *base, unsigned depth);

/* The number of elements of a dimension. base: "v_->" or "v_->inner.". */
static const char *count_of_related(const upgrader *k, const field *f, const char *base, unsigned dimension)
{
    arena *a = k->now.arena;
    const int size = (int)strlen(base);
    if (f->array == ARRAY_COUNTED)
        return arena_printf(a, "%s%s_count", base, f->name);
    if (f->array != ARRAY_COMPUTED)
        return plain_number(k, f->dims[dimension]);
    const char *owner =
        base[size - 1] == '.' ? arena_printf(a, "&%.*s", size - 1, base) : arena_printf(a, "%.*s", size - 2, base);
    return spell_computed_count(&k->now, f->owner, f, owner);
}

/* All elements of a field that relates. */
static void emit_relations_in(upgrader *k, const field *f, const char *base, unsigned depth)
{
    emitter *e = &k->now;
    const decl *d = f->type.decl;
    const unsigned loops = f->array == ARRAY_NONE ? 0 : f->dim_count;
    const char *m = arena_printf(e->arena, "%s%s", base, f->name);
    if (f->optional) {
        out_put(e->out, "if (${base}has_$name) {\n", "base", base, "name", f->name, NULL);
        out_indent(e->out);
    }
    for (unsigned n = 0; n < loops; n++) {
        const char *i = arena_printf(e->arena, "i%u_", depth++);
        open_loop(k, i, count_of_related(k, f, base, n));
        m = arena_printf(e->arena, "%s[%s]", m, i);
    }
    if (f->type.kind == TYPE_UNION) {
        const member *first = d->members;
        out_put(e->out, "if ($m.tag == $tag) {\n", "m", m, "tag", spell_member(e, d, first), NULL);
        out_indent(e->out);
        emit_relations(k, first->type, arena_printf(e->arena, "%s.as.%s.", m, first->name), depth);
        out_close(e->out);
    } else {
        emit_relations(k, d, arena_printf(e->arena, "%s.", m), depth);
    }
    for (unsigned n = f->optional ? 0 : 1; n <= loops; n++)
        out_close(e->out);
}

/* Where a field must be greater than another, and is not now. In nested structs, that is so only of initial values. */
static void emit_relations(upgrader *k, const decl *d, const char *base, unsigned depth)
{
    for (const field *f = d->fields; f; f = f->next)
        if (f->after)
            out_put(k->now.out,
                    "if ($base$name <= $base$start && $base$start != UINT32_MAX)\n"
                    "    $base$name = $base$start + 1;\n",
                    "base", base, "name", f->name, "start", f->after->name, NULL);
        else if (field_relates(f))
            emit_relations_in(k, f, base, depth);
}

static void emit_hooks(upgrader *k, const form *f)
{
    for (const field *now = f->now->fields; now; now = now->next)
        if (!now->local && program_converts(now->convert, f->version))
            out_put(k->now.out, "$hook(v_, old_);\n", "hook", spell_hook(k, f, now), NULL);
}

/* ---- types */

static bool has_same_dims(const field *before, const field *after)
{
    for (uint32_t d = 0; d < after->dim_count; d++)
        if (before->dims[d] < after->dims[d])
            return false;
    return before->array == after->array;
}

/* Which fields of the older type, by their index, are in no branch. */
static const bool *unconditional_fields(const upgrader *k, const wire_type *t)
{
    bool *found = ARENA_ARRAY(k->now.arena, bool, t->decl->field_count);
    for (const op *o = t->body; o; o = o->next)
        if (o->field)
            found[o->field->index] = true;
    return found;
}

/* Whether the items of the older type always set all of a field. */
static bool is_always_set(const upgrader *k, const bool *unconditional, const field *now)
{
    const field *before = field_then(&k->version->conversion, now);
    return before && unconditional[before->index] && !before->optional && !now->optional &&
           (now->array == ARRAY_NONE || now->array == ARRAY_FIXED) &&
           arrays_convert(&k->version->conversion, before, now) && has_same_dims(before, now) &&
           conversion_rule(&k->version->conversion, &before->type, &now->type) != RULE_NONE;
}

/* What the lines below do not set. A value for an older version is made often: so nothing is set twice, and not the parts
 * of a packet, which come from elsewhere. */
static void emit_initial_values(upgrader *k, const wire_type *t, const form *f)
{
    emitter *e = &k->now;
    if (!k->upgrade->is_back) {
        out_put(e->out, "${type}_init(v_);\n", "type", spell_decl(e, f->now), NULL);
        return;
    }
    const bool *unconditional = unconditional_fields(k, t);
    for (const field *each = f->now->fields; each; each = each->next)
        if (each->part && each->optional)
            out_put(e->out, "v_->has_$name = false;\n", "name", each->name, NULL);
        else if (!each->part && !is_always_set(k, unconditional, each))
            emit_initial_of_field(e, each, "v_->");
    if (!f->now->fields)
        out_put(e->out, "${type}_init(v_);\n", "type", spell_decl(e, f->now), NULL);
}

static void emit_converted_struct(upgrader *k, const wire_type *t, const form *f)
{
    emitter *e = &k->now;
    out *whole = e->out, *lines = out_new(e->arena);
    size_t size;
    e->out = k->old.out = lines;
    emit_items(k, t->body);
    emit_relations(k, f->now, "v_->", 0);
    emit_hooks(k, f);
    e->out = k->old.out = whole;
    const char *text = out_result(lines, &size);
    emit_initial_values(k, t, f);
    out_put(e->out, "$unused${lines}return true;\n", "unused", strstr(text, "old_") ? "" : "(void)old_;\n", "lines",
            text, NULL);
}

static void emit_converted_union(upgrader *k, const form *f)
{
    emitter *e = &k->now;
    bool any = false;
    out_put(e->out, "switch (old_->tag) {\n", NULL);
    for (const member *m = f->decl->members; m; m = m->next) {
        const member *now = member_now(&f->version->conversion, m);
        if (!now)
            continue;
        any = true;
        if (!is_same_member(&f->version->conversion, m, now)) {
            out_put(e->out,
                    "case $old:\n"
                    "    v_->tag = $tag;\n"
                    "    ${type}_init(&v_->as.$now);\n",
                    "old", spell_member(&k->old, f->decl, m), "tag", spell_member(e, f->now, now), "type",
                    spell_decl(e, now->type), "now", now->name, NULL);
            out_indent(e->out);
            emit_relations(k, now->type, arena_printf(e->arena, "v_->as.%s.", now->name), 0);
            out_put(e->out, "return true;\n", NULL);
            out_dedent(e->out);
            continue;
        }
        out_put(e->out,
                "case $old:\n"
                "    v_->tag = $tag;\n"
                "    return $from(&v_->as.$now, &old_->as.$was);\n",
                "old", spell_member(&k->old, f->decl, m), "tag", spell_member(e, f->now, now), "from",
                spell_conversion(k, form_of(k->upgrade, m->type)), "now", now->name, "was", m->name, NULL);
    }
    out_put(e->out, any ? "default: return false;\n}\n" : "default: (void)v_; return false;\n}\n", NULL);
}

void emit_conversion(upgrader *k, const form *f, const wire_type *t)
{
    emitter *e = &k->now;
    if (f->decl->kind == DECL_ENUM || f->decl->kind == DECL_FLAGS) {
        emit_enum_conversion(k, f);
        return;
    }
    if (f->program)
        return;
    out_put(e->out, "${linkage}bool $name($now *v_, const $old *old_)\n{\n", "linkage",
            is_public(k->upgrade, f) ? "" : "static ", "name", spell_conversion(k, f), "now", spell_decl(e, f->now),
            "old", spell_decl(&k->old, f->decl), NULL);
    out_indent(e->out);
    if (f->decl->kind == DECL_UNION)
        emit_converted_union(k, f);
    else
        emit_converted_struct(k, t, f);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}
