/* bodies.c - builds the body of every struct: its items in wire order, with their conditions, values and relations.
 * SPDX-License-Identifier: MIT
 *
 * fields.c has made the fields. This file walks the same items in the same order, so the next field to place is always
 * the next one in the list. A field is open from its item to the end of its block; only there can conditions and
 * `after` use it.
 */
#include "check/check_internal.h"
#include "model/coding.h"
#include "model/type_table.h"
#include "pkt.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct body_state {
    checker *k;
    decl_info *decl;
    field_info *next;
    uint32_t checks; /* `check` items so far */
} body_state;

/* ---- relations and values of a field */

static bool is_u32(const field *f)
{
    return f->type.kind == TYPE_BITS && f->type.storage == STORAGE_U32 && f->type.bits == 32 && f->array == ARRAY_NONE;
}

static void check_after(checker *k, field_info *info)
{
    field *f = info->field;
    const ast_name *name = &info->declarator->after;
    if (f->type.wraps) {
        diag_error(k->diag, name->span, "a field cannot have both 'after' and 'wrap', which its type has");
        return;
    }
    const field_info *start = find_field(k, f->owner, name->text);
    if (start)
        use_field(k->options->uses, name->span, start->field);
    if (!is_u32(f)) {
        diag_error(k->diag, f->span, "'after' needs a u32 field, but '%s' is %s", f->name,
                   f->array == ARRAY_NONE ? type_text(k, &f->type) : "an array");
    } else if (!start) {
        if (!k->incomplete) {
            message *m = diag_error(k->diag, name->span, "'%s' has no field '%s'", f->owner->name, name->text);
            suggest_member(k, m, f->owner, name);
        }
    } else if (start->broken) {
        return;
    } else if (start->order >= info->order) {
        message *m = diag_error(k->diag, name->span, "'after' must name an earlier field; '%s' %s", name->text,
                                start == info ? "is this field" : "comes later");
        if (start != info)
            diag_note(k->diag, m, start->field->span, "it is declared here");
    } else if (!is_u32(start->field)) {
        message *m = diag_error(k->diag, name->span, "'after' must name a u32 field, but '%s' is %s", name->text,
                                start->field->array == ARRAY_NONE ? type_text(k, &start->field->type) : "an array");
        diag_note(k->diag, m, start->field->span, "it is declared here");
    } else if (!start->open || start->field->optional) {
        message *m =
            diag_error(k->diag, name->span, "'%s' is not always on the wire where '%s' is", name->text, f->name);
        diag_note(k->diag, m, start->field->span,
                  start->field->optional ? "it is optional"
                  : start->field->local  ? "it is local"
                                         : "it is declared here, inside a branch");
    } else {
        f->after = start->field;
    }
}

static void check_unless(checker *k, field_info *info)
{
    field *f = info->field;
    const ast_declarator *d = info->declarator;
    if (!is_scalar(&f->type) || f->array != ARRAY_NONE) {
        diag_error(k->diag, d->unless->span, "'unless' needs a bool, number, enum or flags, but '%s' is %s", f->name,
                   f->array == ARRAY_NONE ? type_text(k, &f->type) : "an array");
    } else if (d->after.text) {
        diag_error(k->diag, d->unless->span, "a field cannot have both 'after' and 'unless'");
    } else {
        f->has_unless = scalar_value(k, &f->type, d->unless, "the value of 'unless'", &f->unless);
    }
}

static void check_initial(checker *k, field_info *info)
{
    field *f = info->field;
    if (f->array != ARRAY_NONE) {
        diag_error(k->diag, info->declarator->initial->span, "'%s' is an array, which cannot have an initial value",
                   f->name);
        return;
    }
    f->has_initial = scalar_value(k, &f->type, info->declarator->initial, "the initial value", &f->initial);
}

/* ---- clamp */

/* A wider type with the same bounds, such as `u16<0, 255>` for a u8; NULL if there is none. */
static const char *wider_type(const checker *k, const type *t)
{
    static const char *const wider[] = {
        [STORAGE_U8] = "u16",  [STORAGE_U16] = "u32", [STORAGE_U32] = "u64",  [STORAGE_I8] = "i16",
        [STORAGE_I16] = "i32", [STORAGE_I32] = "i64", [STORAGE_DOUBLE] = NULL};
    const char *word = t->kind == TYPE_FIXED ? NULL : wider[t->storage];
    return word ? arena_printf(k->arena, "%s<%s, %s>", word, num_text(k->arena, t->low), num_text(k->arena, t->high))
                : NULL;
}

/* A writer can only clamp a value in memory that is out of range. */
static void refuse_without_others(checker *k, const field_info *info)
{
    const field *f = info->field;
    message *m = diag_error(k->diag, info->declarator->clamp, "'%s' has all values of %s, so none is out of range",
                            f->name, storage_word(f->type.storage));
    const char *wider = wider_type(k, &f->type);
    if (wider)
        help_with_line(k, m, info->ast->type.span, wider);
    else
        diag_fix(k->diag, m, without(info->declarator->clamp), "remove 'clamp'");
}

static void check_clamp(checker *k, field_info *info)
{
    field *f = info->field;
    const ast_declarator *d = info->declarator;
    num low, high;
    if (!is_circular(&f->type) || f->type.kind == TYPE_QUANTIZED) {
        message *m = diag_error(k->diag, d->clamp, "'clamp' needs an integer or a fixed number, but '%s' is %s",
                                f->name, type_text(k, &f->type));
        if (f->type.kind == TYPE_QUANTIZED)
            diag_fix(k->diag, m, without(d->clamp), "remove 'clamp': a writer clamps every quantized number");
        if (f->type.kind == TYPE_OR_RAW)
            diag_fix(k->diag, m, without(d->clamp), "remove 'clamp': a number out of range is sent raw");
        return;
    }
    if (d->after.text || f->type.wraps) {
        message *m = diag_error(k->diag, d->clamp, "a field cannot have both '%s' and 'clamp'",
                                d->after.text ? "after" : "wrap");
        diag_fix(k->diag, m, without(d->clamp), "remove 'clamp'");
        return;
    }
    storage_range(f->type.storage, &low, &high);
    if (num_compare(f->type.low, low) == 0 && num_compare(f->type.high, high) == 0) {
        refuse_without_others(k, info);
        return;
    }
    if (num_compare(f->type.low, f->type.high) == 0) {
        message *m = diag_error(k->diag, d->clamp, "'%s' has a single value, which is never sent", f->name);
        diag_fix(k->diag, m, without(d->clamp), "remove 'clamp'");
        return;
    }
    f->type.clamps = true;
}

/* On a circle no step may be longer than half the way round; otherwise two steps would mean the same. */
static bool check_reach(checker *k, const field_info *info, unsigned small, unsigned large)
{
    const type *t = &info->field->type;
    const uint64_t reach = ((uint64_t)1 << (small - 1)) + ((uint64_t)1 << (large - 1));
    if (!t->wraps || reach <= greatest_number_code(t) / 2)
        return true;
    message *m = diag_error(k->diag, info->declarator->delta_span,
                            "the steps of 'delta' reach %llu codes, more than half of the %llu codes of '%s'",
                            (unsigned long long)reach, (unsigned long long)circle_of(t), info->field->name);
    for (unsigned s = small, l = large; l > 0; l--) {
        s = s < l ? s : l;
        if (((uint64_t)1 << (s - 1)) + ((uint64_t)1 << (l - 1)) <= greatest_number_code(t) / 2) {
            help_with_line(k, m, info->declarator->delta_span, arena_printf(k->arena, "delta<%u, %u>", s, l));
            break;
        }
    }
    return false;
}

/* `delta` and `coded` need a @delta type, and a field without another form on the wire. */
static bool check_sent_as_delta(checker *k, const field_info *info, const char *word)
{
    const field *f = info->field;
    const ast_declarator *d = info->declarator;
    if (!f->owner->delta) {
        message *m =
            diag_error(k->diag, d->delta_span, "'%s' has no effect in '%s', which is not @delta", word, f->owner->name);
        help_with_attribute(k, m, f->owner, "@delta", "");
    }
    if (!d->after.text && !d->unless)
        return true;
    diag_error(k->diag, d->delta_span, "a field cannot have both '%s' and '%s'", d->after.text ? "after" : "unless",
               word);
    return false;
}

static void check_delta(checker *k, field_info *info)
{
    field *f = info->field;
    const ast_declarator *d = info->declarator;
    const ast_expr *small = d->delta, *large = small ? small->next : NULL;
    if (!type_row_of(&f->type)->steps) {
        diag_error(k->diag, d->delta_span, "'delta' needs an integer, a fixed, a real number or a quat, but '%s' is %s",
                   f->name, type_text(k, &f->type));
        return;
    }
    if (!check_sent_as_delta(k, info, "delta"))
        return;
    if (!large || large->next) {
        diag_error(k->diag, d->delta_span, "'delta' takes two widths in bits, the small one first: delta<s, l>");
        return;
    }
    unsigned bits = coded_bits(&f->type);
    if (bits == 0) {
        diag_error(k->diag, d->delta_span, "'%s' takes no bits on the wire, so a 'delta' cannot save any", f->name);
        return;
    }
    num s, l;
    const char *what =
        arena_printf(k->arena, "the large width of 'delta' on a field of %u bit%s", bits, bits == 1 ? "" : "s");
    if (!evaluate_integer(k, large, what, num_u64(1), num_u64(bits), &l))
        return;
    if (!evaluate_integer(k, small, "the small width of 'delta', at most the large one,", num_u64(1), l, &s))
        return;
    if (!check_reach(k, info, (unsigned)s.magnitude, (unsigned)l.magnitude))
        return;
    f->has_delta = true;
    f->delta_small = (unsigned)s.magnitude;
    f->delta_large = (unsigned)l.magnitude;
}

/* The most elements of a coded array: a bit for each of them goes on the stack. */
enum { CODED_ELEMENTS = 65536 };

/* A prediction moves numbers alone. */
static bool check_still(checker *k, const field_info *info)
{
    const field *f = info->field;
    const ast_declarator *d = info->declarator;
    if (type_row_of(&f->type)->steps)
        return true;
    message *m = diag_error(k->diag, d->still, "'still' is for numbers, but %s'%s' is %s",
                            f->array != ARRAY_NONE ? "an element of " : "", f->name, type_text(k, &f->type));
    diag_fix(k->diag, m, without(d->still), "remove 'still'");
    return false;
}

/* Whether a field that is no array has something that `coded` can code. */
static bool check_codes(checker *k, const field_info *info)
{
    const field *f = info->field;
    const ast_declarator *d = info->declarator;
    const type_kind kind = f->type.kind;
    if (kind == TYPE_BOOL) {
        message *m = diag_error(k->diag, d->delta_span,
                                "'coded' saves nothing of a bool, which takes at most one bit in a delta");
        diag_fix(k->diag, m, without(d->delta_span), "remove 'coded'");
        return false;
    }
    if (!type_row_of(&f->type)->steps && kind != TYPE_ENUM && kind != TYPE_FLAGS) {
        diag_error(k->diag, d->delta_span, "'coded' needs an array, a number, a quat, an enum or flags, but '%s' is %s",
                   f->name, type_text(k, &f->type));
        return false;
    }
    if (coded_bits(&f->type) == 0) {
        diag_error(k->diag, d->delta_span, "'%s' takes no bits on the wire, so 'coded' cannot save any", f->name);
        return false;
    }
    if (!may_have_codes(&f->type)) {
        diag_error(k->diag, d->delta_span, "'coded' needs an enum or flags of at most %d bits, but '%s' has %u",
                   CODE_VALUE_BITS, f->name, coded_bits(&f->type));
        return false;
    }
    return true;
}

static void check_coded(checker *k, field_info *info)
{
    field *f = info->field;
    const ast_declarator *d = info->declarator;
    const bool is_array = f->array != ARRAY_NONE && f->array != ARRAY_SPARSE;
    if ((!is_array || type_row_of(&f->type)->steps) && !check_codes(k, info))
        return;
    if (!check_sent_as_delta(k, info, "coded"))
        return;
    if (is_array && (f->dim_count > 1 || f->dims[0] > CODED_ELEMENTS)) {
        diag_error(k->diag, d->delta_span, "an array that is 'coded' has one dimension and at most %u elements",
                   (unsigned)CODED_ELEMENTS);
        return;
    }
    f->coded = true;
    f->still = d->still.source && check_still(k, info);
}

const char *word_of_form(const ast_declarator *d)
{
    return d->after.text                             ? "after"
           : d->beyond.wrap.source                   ? "wrap"
           : d->beyond.raw.source                    ? "or raw"
           : d->clamp.source                         ? "clamp"
           : d->unless                               ? "unless"
           : d->has_delta || d->baseline || d->chain ? "delta"
           : d->coded                                ? "coded"
                                                     : NULL;
}

/* A local field is never written, so modifiers that describe its form on the wire are errors. */
static void check_local(checker *k, const field_info *info)
{
    const ast_declarator *d = info->declarator;
    const char *word = word_of_form(d);
    if (word)
        diag_error(k->diag, d->span, "'%s' is local and never sent, so it cannot have '%s'", d->name.text, word);
}

static void check_field(checker *k, field_info *info)
{
    const ast_declarator *d = info->declarator;
    if (!info->broken && info->field->array == ARRAY_COMPUTED)
        check_computed(k, info);
    if (info->broken)
        return;
    if (!info->field->local)
        check_beyond(k, info->field->name, d->beyond, d->after.text, &info->field->type);
    if (d->clamp.source && !info->field->local)
        check_clamp(k, info);
    if (d->initial)
        check_initial(k, info);
    if (info->field->local) {
        check_local(k, info);
        check_mix(k, info);
        return;
    }
    if (d->after.text)
        check_after(k, info);
    check_mix(k, info);
    if (d->unless)
        check_unless(k, info);
    if (d->has_delta)
        check_delta(k, info);
    if (d->coded)
        check_coded(k, info);
    if (d->baseline)
        check_part(k, info);
    if (d->chain)
        check_chain(k, info);
    warn_of_turn(k, info);
    const field *f = info->field;
    bool zero_is_usual = f->has_unless && is_real(&f->type) && f->unless.real == 0;
    if (info->ast->type.has_arguments && !warn_of_bits(k, &info->ast->type, &f->type) && !zero_is_usual)
        check_quantized(k, &info->ast->type, &f->type);
}

/* ---- items */

static item *build_item(checker *k, item_kind kind, span at, item ***last)
{
    item *i = ARENA_NEW(k->arena, item);
    i->kind = kind;
    i->span = at;
    **last = i;
    *last = &i->next;
    return i;
}

static void build_fields(body_state *s, const ast_item *ast, item ***last)
{
    s->k->statement = ast->span;
    for (const ast_declarator *d = ast->as.field.declarators; d; d = d->next) {
        field_info *info = s->next;
        assert(info && info->declarator == d && "the fields were made in this order");
        s->next = info->next;
        check_field(s->k, info);
        if (info->field->key)
            info->open = true; /* the list has sent it before the element */
        else if (!info->field->local) {
            build_item(s->k, ITEM_FIELD, d->span, last)->as.field = info->field;
            info->open = true;
        }
    }
}

static void build_constant(body_state *s, const ast_item *ast, item ***last)
{
    checker *k = s->k;
    bool is_const = ast->kind == AST_CONST;
    num bits, demanded = num_u64(0);
    bool sound =
        evaluate_integer(k, ast->as.constant.bits, is_const ? "the width of 'const'" : "the width of 'reserved'",
                         num_u64(1), num_u64(64), &bits);
    if (sound && is_const) {
        unsigned n = (unsigned)bits.magnitude;
        const char *what = arena_printf(k->arena, "the value of a const of %u bit%s", n, n == 1 ? "" : "s");
        num most = num_u64(n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1);
        sound = evaluate_integer(k, ast->as.constant.value, what, num_u64(0), most, &demanded);
    }
    if (sound) {
        item *i = build_item(k, is_const ? ITEM_CONST : ITEM_RESERVED, ast->span, last);
        i->as.constant.bits = (unsigned)bits.magnitude;
        i->as.constant.value = demanded.magnitude;
    }
}

static void build_check(body_state *s, const ast_item *ast, item ***last)
{
    checker *k = s->k;
    const char *text = arena_printf(k->arena, "%s.%u", s->decl->decl->name, (unsigned)s->checks++);
    uint64_t demanded = pkt_crc32(0, text, strlen(text));
    if (ast->as.check.has_value) {
        demanded = ast->as.check.value;
        if (demanded > UINT32_MAX) {
            diag_error(k->diag, ast->as.check.value_span, "the value of 'check' must fit in 32 bits");
            return;
        }
    }
    if (k->schema->checks) {
        item *i = build_item(k, ITEM_CHECK, ast->span, last);
        i->as.constant.bits = 32;
        i->as.constant.value = demanded;
        i->as.constant.given = ast->as.check.has_value;
    }
}

/* ---- blocks */

static block build_block(body_state *s, const ast_item *items);

/* Each `else if` of a chain becomes the only item of the else block before it. */
static void build_branch(body_state *s, const ast_item *ast, item ***last)
{
    checker *k = s->k;
    item **place;
    for (; ast; ast = ast->as.branch.other_if) {
        item *i = build_item(k, ITEM_IF, ast->span, last);
        k->statement = ast->span;
        i->as.branch.condition = check_condition(k, s->decl->decl, ast->as.branch.condition, true);
        i->as.branch.then = build_block(s, ast->as.branch.then.items);
        i->as.branch.other = build_block(s, ast->as.branch.other.items);
        place = &i->as.branch.other.items;
        last = &place;
    }
}

/* `values` maps the text of each value to the case that has it. */
static void check_distinct_values(checker *k, map *values, expr *e)
{
    const char *text = num_text(k->scratch, e->number);
    text = intern(k->names, text, strlen(text));
    const expr *before = map_get(values, NULL, text);
    if (before) {
        message *m = diag_error(k->diag, e->span, "the switch already has a case '%s'", e->name ? e->name : text);
        diag_note(k->diag, m, before->span, "the first one is here");
    } else {
        map_put(k->scratch, values, NULL, text, e);
    }
}

static void build_values(body_state *s, const expr *subject, const ast_label *label, map *values, arm *a)
{
    checker *k = s->k;
    uint32_t count = 0;
    for (const ast_expr *e = label->values; e; e = e->next)
        count++;
    a->values = ARENA_ARRAY(k->arena, expr *, count);
    k->statement = label->span;
    for (const ast_expr *e = label->values; e && subject; e = e->next) {
        expr *one;
        if (check_case_value(k, subject, e, &one)) {
            check_distinct_values(k, values, one);
            a->values[a->value_count++] = one;
        }
    }
}

static int compare_values(const void *a, const void *b)
{
    return num_compare(((const arm_value *)a)->value, ((const arm_value *)b)->value);
}

static void sort_values(checker *k, item *i)
{
    uint32_t count = 0;
    for (const arm *a = i->as.choice.arms; a; a = a->next)
        count += a->value_count;
    arm_value *last = i->as.choice.by_value = ARENA_ARRAY(k->arena, arm_value, count);
    i->as.choice.value_count = count;
    for (const arm *a = i->as.choice.arms; a; a = a->next)
        for (uint32_t n = 0; n < a->value_count; n++)
            *last++ = (arm_value){a->values[n]->number, a};
    qsort(i->as.choice.by_value, count, sizeof *last, compare_values);
}

static void build_switch_item(body_state *s, const ast_item *ast, item ***last)
{
    checker *k = s->k;
    item *i = build_item(k, ITEM_SWITCH, ast->span, last);
    k->statement = ast->span;
    i->as.choice.subject = check_condition(k, s->decl->decl, ast->as.choice.subject, false);
    map *values = map_new(k->scratch);
    const ast_label *fallback = NULL;
    arm **last_arm = &i->as.choice.arms;
    for (const ast_label *label = ast->as.choice.labels; label; label = label->next) {
        arm *a = ARENA_NEW(k->arena, arm);
        *last_arm = a;
        last_arm = &a->next;
        a->span = label->span;
        a->is_default = label->is_default;
        if (a->is_default)
            i->as.choice.otherwise = a;
        if (label->is_default && fallback) {
            message *m = diag_error(k->diag, label->span, "a switch can have only one default");
            diag_note(k->diag, m, fallback->span, "the first is here");
        }
        fallback = label->is_default ? label : fallback;
        build_values(s, i->as.choice.subject, label, values, a);
        a->body = build_block(s, label->items);
    }
    sort_values(k, i);
}

static block build_block(body_state *s, const ast_item *items)
{
    block b = {.items = NULL};
    item **last = &b.items;
    field_info *first = s->next;
    for (const ast_item *ast = items; ast; ast = ast->next) {
        switch (ast->kind) {
        case AST_FIELD: build_fields(s, ast, &last); break;
        case AST_ALIGN: build_item(s->k, ITEM_ALIGN, ast->span, &last); break;
        case AST_CONST:
        case AST_RESERVED: build_constant(s, ast, &last); break;
        case AST_CHECK: build_check(s, ast, &last); break;
        case AST_IF: build_branch(s, ast, &last); break;
        case AST_SWITCH: build_switch_item(s, ast, &last); break;
        }
    }
    for (field_info *i = first; i != s->next; i = i->next)
        i->open = false;
    return b;
}

void check_bodies(checker *k)
{
    for (decl_info *d = k->decls; d; d = d->next) {
        if (d->decl->kind == DECL_STRUCT && !d->damaged) {
            look_from(k, d->file);
            body_state s = {.k = k, .decl = d, .next = d->fields};
            d->decl->body = build_block(&s, d->ast->body.items);
            check_speeds(k, d);
            warn_of_numbering(k, d);
            warn_of_lengths(k, d);
        }
    }
    check_datagrams(k);
}
