/* stable.c - checks @stable and @answers: the packets that programs of different releases exchange.
 * SPDX-License-Identifier: MIT
 *
 * A stable packet has an id of its own, a hash of what it is. The schema repeats the id, so that nobody changes the packet
 * without noticing. What it may contain is what every release will be able to read.
 */
#include "check/check_internal.h"
#include "model/type_table.h"

#include <inttypes.h>

/* ---- @stable */

/* Why a field cannot be in a stable packet; NULL if it can. */
static const char *why_unstable(const field *f)
{
    if (f->optional || f->has_unless || f->after)
        return "its presence or its bits depend on other values";
    if (f->array != ARRAY_NONE && f->array != ARRAY_FIXED)
        return "the number of its elements varies";
    if (!type_row_of(&f->type)->stable)
        return "it is not an integer, a bool, an enum, a string, bytes, or a struct of these";
    if (f->type.kind == TYPE_ENUM && f->type.decl->width == 0)
        return "its enum has no width, as in `enum Reason : bits<8>`";
    return NULL;
}

/* Reports the first field of `d` that a stable packet cannot have. */
static bool check_stable_body(checker *k, const decl *d, const decl *packet)
{
    for (const item *i = d->body.items; i; i = i->next) {
        const field *f = i->kind == ITEM_FIELD ? i->as.field : NULL;
        if (i->kind == ITEM_IF || i->kind == ITEM_SWITCH || i->kind == ITEM_CHECK) {
            message *m = diag_error(k->diag, d->span, "'%s' has %s, which no @stable packet can have", d->name,
                                    i->kind == ITEM_CHECK ? "a check" : "a condition");
            if (d != packet)
                diag_note(k->diag, m, packet->span, "'%s' contains it", packet->name);
            return false;
        }
        if (f && why_unstable(f)) {
            diag_error(k->diag, f->span, "'%s' cannot be in the @stable packet '%s': %s", f->name, packet->name,
                       why_unstable(f));
            return false;
        }
        if (f && f->type.kind == TYPE_STRUCT && !check_stable_body(k, f->type.decl, packet))
            return false;
    }
    return true;
}

static bool check_stable_kind(checker *k, const decl *d, const ast_attribute *stable)
{
    if (!k->schema->protocol)
        diag_error(k->diag, stable->span, "a @stable packet needs a `protocol` line, because its id includes the name");
    else if (d->delta || d->seeded)
        diag_error(k->diag, stable->span, "'%s' is @%s, which a @stable packet cannot be", d->name,
                   d->delta ? "delta" : "seed");
    else
        return check_stable_body(k, d, d);
    return false;
}

/* Compares the id that the schema gives with that of what the packet is. */
static void check_stable_id(checker *k, decl *d, const ast_attribute *stable)
{
    num given = {0};
    if (stable->value &&
        !evaluate_integer(k, stable->value, "the id of a stable packet", num_u64(0), num_u64(UINT64_MAX), &given))
        return;
    d->stable_id = fnv1a_64(schema_stable_projection(k->arena, k->schema, d));
    if (stable->value && given.magnitude == d->stable_id)
        return;
    const char *line = arena_printf(k->arena, "@stable(0x%016" PRIx64 ")", d->stable_id);
    message *m;
    if (stable->value) {
        m = diag_error(k->diag, stable->span, "the @stable packet '%s' has changed: its id is not this one", d->name);
        diag_fix(k->diag, m, (edit){stable->span, line},
                 "write `%s` if no release has it; else undo the change, or give the changed packet another name",
                 line);
    } else {
        m = diag_error(k->diag, stable->span, "'@stable' needs the id of the packet");
        diag_fix(k->diag, m, (edit){stable->span, line}, "write `%s`", line);
    }
}

/* ---- @answers */

static void check_answers(checker *k, decl *d, const ast_attribute *answers)
{
    const ast_expr *e = answers->value;
    if (!e || e->kind != AST_PATH || e->as.path->next) {
        diag_error(k->diag, answers->span, "'@answers' needs the name of a packet, as in `@answers(Hello)`");
        return;
    }
    const decl_info *of = find_decl(k, e->as.path->name, "packet");
    if (!of)
        return;
    if (!of->decl->packet) {
        diag_error(k->diag, e->span, "'%s' is not a packet, so nothing answers it", of->decl->name);
    } else if (of->decl == d || attribute_of(k, of->decl, "answers")) {
        message *m = diag_error(
            k->diag, e->span, "'%s' is an answer itself: two programs could answer each other forever", of->decl->name);
        diag_fix(k->diag, m, without(answers->span), "remove '@answers' where the packet begins an exchange");
    } else {
        d->answers = of->decl;
    }
}

void check_stable_packets(checker *k)
{
    for (decl *d = k->schema->decls; d; d = d->next) {
        const ast_attribute *stable = d->packet ? attribute_of(k, d, "stable") : NULL,
                            *answers = d->packet ? attribute_of(k, d, "answers") : NULL;
        if (stable && check_stable_kind(k, d, stable))
            check_stable_id(k, d, stable);
        if (answers)
            check_answers(k, d, answers);
    }
}
