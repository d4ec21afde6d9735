/* types.c - resolves types: words, arguments, ranges, storage.
 * SPDX-License-Identifier: MIT
 */
#include "check/check_internal.h"
#include "model/type_table.h"
#include <assert.h>

/* The greatest length of strings and bytes: far more than any packet has, and small enough that no size in bits comes
 * near 2^64. */
#define MAX_LENGTH (UINT32_C(1) << 24)

/* ---- words */

/* The word of a built-in type; NULL for any other name. A declaration may have a word that is not reserved as its name;
 * then the word means the built-in type only if it has that type's arguments. */
static const type_word *find_word(checker *k, const ast_type *ast)
{
    const type_word *w = type_word_named(ast->name.text);
    bool is_meant = w && (w->reserved || (ast->has_arguments && w->arguments > 0));
    return is_meant || !peek_decl(k, ast->name.text) ? w : NULL;
}

static bool right_arguments(checker *k, const ast_type *ast, const type_word *w)
{
    unsigned count = 0;
    for (const ast_expr *e = ast->arguments; e; e = e->next)
        count++;
    if (!ast->has_arguments && w->bare)
        return true;
    if (ast->has_arguments && count == w->arguments && count > 0)
        return true;
    if (w->arguments == 0) {
        diag_error(k->diag, ast->span, "'%s' takes no arguments", w->name);
    } else {
        message *m = diag_error(k->diag, ast->span, "'%s' takes %u argument%s%s: %s", w->name, w->arguments,
                                w->arguments == 1 ? "" : "s", w->bare ? " or none" : "", w->form);
        help_with_habit(k, m, ast->span, HABIT_BODY);
    }
    return false;
}

/* ---- integers */

/* Evaluates the arguments lo and hi, which begin at e: from `least` to `greatest`, and lo <= hi. */
static bool bounds(checker *k, const ast_expr *e, const char *holder, num least, num greatest, num *low, num *high)
{
    bool sound = evaluate_integer(k, e, arena_printf(k->arena, "the lower bound of %s", holder), least, greatest, low);
    sound &=
        evaluate_integer(k, e->next, arena_printf(k->arena, "the upper bound of %s", holder), least, greatest, high);
    if (sound && num_compare(*low, *high) > 0) {
        diag_error(k->diag, span_join(e->span, e->next->span), "the lower bound %s is greater than the upper bound %s",
                   num_text(k->arena, *low), num_text(k->arena, *high));
        return false;
    }
    return sound;
}

static bool resolve_int(checker *k, const ast_type *ast, type *t)
{
    if (!bounds(k, ast->arguments, "an int", num_i64(INT64_MIN), num_u64(UINT64_MAX), &t->low, &t->high))
        return false;
    t->storage = t->low.negative ? storage_for_signed(t->low, t->high) : storage_for(t->high.magnitude);
    if (t->storage == STORAGE_NONE) {
        diag_error(k->diag, span_join(ast->arguments->span, ast->arguments->next->span),
                   "no 64-bit integer type holds both %s and %s", num_text(k->arena, t->low),
                   num_text(k->arena, t->high));
        return false;
    }
    return true;
}

/* u8 to i64, with or without bounds. */
static bool resolve_sized(checker *k, const ast_type *ast, type *t)
{
    const ast_expr *e = ast->arguments;
    num least, greatest;
    storage_range(t->storage, &least, &greatest);
    t->low = least;
    t->high = greatest;
    if (!ast->has_arguments)
        return true;
    t->kind = TYPE_INT;
    t->bits = 0;
    if (!bounds(k, e, ast->name.text, num_i64(INT64_MIN), num_u64(UINT64_MAX), &t->low, &t->high))
        return false;
    const bool under = num_compare(t->low, least) < 0;
    if (!under && num_compare(t->high, greatest) <= 0)
        return true;
    message *m =
        diag_error(k->diag, under ? e->span : e->next->span, "the %s bound of %s must be from %s to %s, not %s",
                   under ? "lower" : "upper", ast->name.text, num_text(k->arena, least), num_text(k->arena, greatest),
                   num_text(k->arena, under ? t->low : t->high));
    if (!t->low.negative || storage_for_signed(t->low, t->high) != STORAGE_NONE)
        diag_fix(k->diag, m, (edit){ast->name.span, "int"},
                 "write `int<%s, %s>`, which has the type in C that its range needs", num_text(k->arena, t->low),
                 num_text(k->arena, t->high));
    return false;
}

static bool resolve_bits(checker *k, const ast_type *ast, type *t)
{
    if (!evaluate_small(k, ast->arguments, "the width of 'bits'", 1, 64, &t->bits))
        return false;
    t->high = num_u64(t->bits == 64 ? UINT64_MAX : (UINT64_C(1) << t->bits) - 1);
    t->storage = storage_for(t->high.magnitude);
    return true;
}

/* ---- fixed point */

static bool resolve_fixed(checker *k, const ast_type *ast, type *t)
{
    const ast_expr *whole = ast->arguments, *fraction = whole->next, *low = fraction->next;
    bool sound = evaluate_small(k, whole, "the number of whole bits, including the sign,", 1, 64, &t->whole_bits);
    sound &= evaluate_small(k, fraction, "the number of fraction bits", 0, 63, &t->fraction_bits);
    if (!sound)
        return false;
    unsigned bits = t->whole_bits + t->fraction_bits;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
        diag_error(k->diag, span_join(whole->span, fraction->span),
                   "whole and fraction bits of a fixed must add up to 8, 16, 32 or 64; %u + %u is %u", t->whole_bits,
                   t->fraction_bits, bits);
        return false;
    }
    t->storage = bits == 8 ? STORAGE_I8 : bits == 16 ? STORAGE_I16 : bits == 32 ? STORAGE_I32 : STORAGE_I64;
    num most = num_u64((UINT64_C(1) << (t->whole_bits - 1)) - 1);
    num least = num_negate(num_u64(UINT64_C(1) << (t->whole_bits - 1)));
    const char *holder = arena_printf(k->arena, "fixed<%u, %u>, in whole units,", t->whole_bits, t->fraction_bits);
    if (!bounds(k, low, holder, least, most, &t->low, &t->high))
        return false;
    num unit = num_u64(UINT64_C(1) << t->fraction_bits);
    bool fits = num_multiply(t->low, unit, &t->low) && num_multiply(t->high, unit, &t->high);
    assert(fits && "bounds within the whole bits have raw values within the storage");
    (void)fits;
    return true;
}

/* ---- text, bytes, references */

static bool resolve_length(checker *k, const ast_type *ast, type *t)
{
    const char *what = t->kind == TYPE_STRING ? "the length of a string, in bytes," : "the length of 'bytes'";
    unsigned length = 0;
    bool sound = evaluate_small(k, ast->arguments, what, 1, MAX_LENGTH, &length);
    t->length = length;
    return sound;
}

static bool resolve_ref(checker *k, const ast_type *ast, type *t)
{
    const ast_expr *e = ast->arguments;
    num most;
    bool sound = evaluate_integer(k, e->next, "the greatest id of a ref", num_u64(1), num_u64(UINT32_MAX), &most);
    if (e->kind != AST_PATH || e->as.path->next) {
        diag_error(k->diag, e->span, "the first argument of 'ref' must name a struct or packet: ref<Type, MAX>");
        return false;
    }
    const decl_info *d = find_decl(k, e->as.path->name, "type");
    if (d && d->decl->kind != DECL_STRUCT) {
        message *m =
            diag_error(k->diag, e->span, "a ref must point to a struct or packet; '%s' is neither", d->decl->name);
        diag_note(k->diag, m, d->decl->span, "it is declared here");
        return false;
    }
    if (!d || !sound)
        return false;
    t->decl = d->decl;
    t->high = most;
    return true;
}

/* ---- all of them */

static bool resolve_compact(checker *k, const ast_type *ast, type *t)
{
    const type_word *w = find_word(k, ast);
    if (!w || (w->storage != STORAGE_U16 && w->storage != STORAGE_U32 && w->storage != STORAGE_U64) ||
        ast->has_arguments) {
        diag_error(k->diag, ast->span, "'compact' can only precede u16, u32 or u64, not '%s'", ast->name.text);
        return false;
    }
    *t = (type){.kind = TYPE_COMPACT, .storage = w->storage, .bits = w->bits, .span = ast->span};
    storage_range(t->storage, &t->low, &t->high);
    return true;
}

static bool resolve_word(checker *k, const ast_type *ast, const type_word *w, type *t)
{
    *t = (type){.kind = w->kind, .storage = w->storage, .real = w->real, .bits = w->bits, .span = ast->span};
    if (!right_arguments(k, ast, w))
        return false;
    switch (w->kind) {
    case TYPE_BOOL: t->high = num_u64(1); return true;
    case TYPE_BITS: return w->bits == 0 ? resolve_bits(k, ast, t) : resolve_sized(k, ast, t);
    case TYPE_INT: return resolve_int(k, ast, t);
    case TYPE_FLOAT: return !ast->has_arguments || resolve_quantized(k, ast, t);
    case TYPE_FIXED: return resolve_fixed(k, ast, t);
    case TYPE_QUAT:
        return evaluate_small(k, ast->arguments, "the width of a quat's component, in bits,", 3, 20, &t->bits);
    case TYPE_UNIT:
        return evaluate_small(k, ast->arguments, "the width of a unit's component, in bits,", 2, 20, &t->bits);
    case TYPE_STRING:
    case TYPE_BYTES: return resolve_length(k, ast, t);
    case TYPE_REF: return resolve_ref(k, ast, t);
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_QUANTIZED:
    case TYPE_OR_RAW:
    case TYPE_COMPACT:
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_FOREIGN: break;
    }
    assert(false && "no word of the table has such a kind");
    return false;
}

static bool resolve_name(checker *k, const ast_type *ast, type *t)
{
    decl_info *d = find_decl(k, ast->name, "type");
    if (!d)
        return false;
    if (d->decl->kind == DECL_CONST) {
        message *m = diag_error(k->diag, ast->span, "expected a type, but '%s' is a constant", d->decl->name);
        diag_note(k->diag, m, d->decl->span, "it is declared here");
        return false;
    }
    if (ast->has_arguments) {
        diag_error(k->diag, ast->span, "'%s' takes no arguments", d->decl->name);
        return false;
    }
    if (d->decl->kind == DECL_ALIAS && !resolve_alias(k, d))
        return false;
    *t = d->decl->type;
    if (d->decl->kind != DECL_ALIAS)
        t->span = ast->span;
    return !d->damaged || decl_is_type(d->decl);
}

bool resolve_type(checker *k, const ast_type *ast, type *result)
{
    if (ast->compact)
        return resolve_compact(k, ast, result);
    const type_word *w = find_word(k, ast);
    return w ? resolve_word(k, ast, w, result) : resolve_name(k, ast, result);
}

/* ---- types with a name */

/* One that is made of itself is broken. */
static bool is_named_type(const decl_info *d)
{
    return d && d->decl->kind == DECL_ALIAS && !d->broken;
}

const ast_type *written_type(const checker *k, const ast_type *ast)
{
    const decl_info *d;
    while (ast->name.text && !ast->has_arguments && is_named_type(d = peek_decl(k, ast->name.text)))
        ast = &d->ast->named;
    return ast;
}

/* The name of a struct, union, enum or flags is enough. */
static bool names_scalar(checker *k, const decl_info *d, const type *t)
{
    if (!t->decl || t->kind == TYPE_REF)
        return true;
    message *m = diag_error(k->diag, d->ast->named.span, "'type' is for types without a name; %s '%s' has one",
                            decl_noun(t->decl), t->decl->name);
    diag_note(k->diag, m, t->decl->span, "it is declared here");
    diag_help(k->diag, m, "remove this line, and write '%s' where '%s' is used", t->decl->name, d->decl->name);
    return false;
}

static bool resolve_named(checker *k, decl_info *d)
{
    const ast_decl *ast = d->ast;
    type t = {.kind = TYPE_BOOL};
    k->statement = ast->span;
    if (!resolve_type(k, &ast->named, &t) || !names_scalar(k, d, &t))
        return false;
    if (!check_beyond(k, d->decl->name, ast->beyond, false, &t))
        return false;
    d->decl->type = t;
    return true;
}

bool resolve_alias(checker *k, decl_info *d)
{
    if (d->progress == PROGRESS_RUNNING) {
        if (!d->broken)
            diag_error(k->diag, d->decl->span, "type '%s' is made of itself", d->decl->name);
        d->broken = true;
    }
    if (d->progress == PROGRESS_NONE && enter(k, d->decl->span)) {
        file_info *from = k->file;
        const span statement = k->statement;
        look_from(k, d->file);
        d->progress = PROGRESS_RUNNING;
        d->broken |= d->damaged || !resolve_named(k, d);
        d->progress = PROGRESS_DONE;
        look_from(k, from);
        k->statement = statement;
        leave(k);
    }
    return d->progress == PROGRESS_DONE && !d->broken;
}

const char *type_text(checker *k, const type *t)
{
    return type_noun(k->arena, t);
}
