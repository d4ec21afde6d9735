/* dump_wire.c - what --dump=wire prints: for each type its size and its plan, step by step.
 * SPDX-License-Identifier: MIT
 */
#include "wire/fuse.h"

#include <assert.h>
#include <inttypes.h>

static void dump_steps(const step *s, int indent, FILE *to);

static void dump_access(const lvalue *at, FILE *to)
{
    if (at == NULL)
        return;
    dump_access(at->outer, to);
    switch (at->kind) {
    case ACCESS_FIELD: fprintf(to, "%s%s", at->outer != NULL ? "." : "", at->field->name); break;
    case ACCESS_INDEX:
        if (at->loop < 0)
            fprintf(to, "[%" PRIu32 "]", at->offset);
        else
            fprintf(to, "[i%d + %" PRIu32 "]", at->loop, at->offset);
        break;
    case ACCESS_MEMBER: fprintf(to, "%s%s", at->outer != NULL ? "." : "", at->member->name); break;
    }
}

static const char *role_name(leaf_role role)
{
    switch (role) {
    case LEAF_VALUE: return "value";
    case LEAF_PRESENCE: return "presence";
    case LEAF_DIFFERS: return "differs";
    case LEAF_COUNT: return "count";
    case LEAF_LENGTH: return "length";
    case LEAF_SIZE: return "size";
    case LEAF_TAG: return "tag";
    }
    assert(!"every role has a name");
    return "";
}

static const char *step_name(step_kind kind)
{
    switch (kind) {
    case STEP_NEED: return "need";
    case STEP_RUN: return "run";
    case STEP_WORD: return "word";
    case STEP_LEAF: return "leaf";
    case STEP_END: return "end";
    case STEP_VARIED: return "varied";
    case STEP_ALIGN: return "align";
    case STEP_COPY: return "copy";
    case STEP_TEXT: return "text";
    case STEP_BYTES: return "bytes";
    case STEP_COMPACT: return "compact";
    case STEP_AFTER: return "after";
    case STEP_CALL: return "call";
    case STEP_UNION: return "union";
    case STEP_PRESENT: return "present";
    case STEP_DIFFERS: return "differs";
    case STEP_IF: return "if";
    case STEP_SWITCH: return "switch";
    case STEP_SUBSET: return "subset";
    case STEP_LOOP: return "loop";
    }
    assert(!"every step has a name");
    return "";
}

static void dump_leaf(const step *s, FILE *to)
{
    fprintf(to, " %s ", role_name(s->role));
    dump_access(s->at, to);
    if (s->lanes > 1)
        fprintf(to, " and %u behind it,", s->lanes - 1);
    fprintf(to, " %u bits at %" PRIu64, s->width, s->offset);
    if (s->width != 0)
        fprintf(to, ", word bit %u%s", s->shift, s->varies ? " and what varies" : "");
    if (s->row != 0)
        fprintf(to, ", the first of a row of %u", s->row);
    if (s->across)
        fprintf(to, ", %u of them; the others in word %" PRIu32 " at %u", s->low, s->byte, s->high_shift);
}

static void dump_step(const step *s, int indent, FILE *to)
{
    fprintf(to, "%*s%s", indent, "", step_name(s->kind));
    switch (s->kind) {
    case STEP_LEAF: dump_leaf(s, to); break;
    case STEP_NEED:
    case STEP_VARIED:
    case STEP_COPY: fprintf(to, " %" PRIu64, s->bits); break;
    case STEP_RUN: fprintf(to, " %" PRIu64 "%s%s", s->bits, s->varies ? " varying" : "", s->edge ? " edge" : ""); break;
    case STEP_END:
        fprintf(to, " %" PRIu64, s->bits);
        if (s->varies)
            fprintf(to, " varying, rest %" PRIu64, s->rest);
        break;
    case STEP_WORD: fprintf(to, " %" PRIu32 "%s", s->byte, s->edge ? " edge" : ""); break;
    case STEP_ALIGN:
    case STEP_TEXT:
    case STEP_BYTES: fprintf(to, " rest %" PRIu64, s->rest); break;
    case STEP_COMPACT:
    case STEP_AFTER:
        fprintf(to, " ");
        dump_access(s->at, to);
        fprintf(to, " rest %" PRIu64 "%s", s->rest, s->edge ? " edge" : "");
        break;
    case STEP_CALL: fprintf(to, " %s%s", s->op->of->decl->name, s->inlined ? " inlined" : ""); break;
    case STEP_LOOP: fprintf(to, " of %" PRIu32 ", rest %" PRIu64, s->group, s->rest); break;
    case STEP_SUBSET:
        fprintf(to, " %s %" PRIu64 " of %" PRIu64 ", rest %" PRIu64, sparse_mode_name(s->op->field->mode), s->op->span,
                s->op->count, s->rest);
        break;
    case STEP_UNION:
    case STEP_PRESENT:
    case STEP_DIFFERS:
    case STEP_IF:
    case STEP_SWITCH: break;
    }
    fprintf(to, "\n");
    dump_steps(s->body, indent + 2, to);
    if (s->other != NULL) {
        fprintf(to, "%*s%s\n", indent, "", s->kind == STEP_LOOP ? "one by one" : "else");
        dump_steps(s->other, indent + 2, to);
    }
    for (const step_arm *a = s->arms; a != NULL; a = a->next) {
        fprintf(to, "%*sarm\n", indent, "");
        dump_steps(a->body, indent + 2, to);
    }
}

static void dump_steps(const step *s, int indent, FILE *to)
{
    for (; s != NULL; s = s->next)
        dump_step(s, indent, to);
}

void dump_wire(arena *a, const wire *w, FILE *to)
{
    for (const wire_type *t = w->types; t != NULL; t = t->next) {
        const plan *p = fuse(a, t);
        fprintf(to,
                "%s: %" PRIu64 " to %" PRIu64 " bits; %" PRIu32 " bounds checks, %" PRIu32 " words, %" PRIu32
                " of them at an edge\n",
                t->decl->name, t->least, t->most, p->checks, p->words, p->edges);
        dump_steps(p->steps, 2, to);
    }
}
