/* stream_then.c - the list of the types of a stream for an older version.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/stream_then.h"

/* NULL with *missing if it has not all of these fields. */
static const field_sum *sum_then(arena *a, const conversion *c, const field_sum *now, const char **missing)
{
    field_sum *first = NULL, **end = &first;
    for (; now; now = now->next) {
        field_sum *t = ARENA_NEW(a, field_sum);
        *t = *now;
        t->next = NULL;
        t->decl = now->decl ? decl_then(c, now->decl) : NULL;
        for (unsigned i = 0; i < now->depth; i++) {
            const field *f = t->path[i] = field_then(c, now->path[i]);
            const bool last = i + 1 == now->depth;
            if (!f || f->array != ARRAY_NONE || !(last ? is_whole_number(&f->type) : f->type.kind == TYPE_STRUCT)) {
                *missing = arena_printf(a, "its version has no '%s' that the list could mean", now->path[i]->name);
                return NULL;
            }
        }
        *end = t;
        end = &t->next;
    }
    return first;
}

static bool sums_then(arena *a, const conversion *c, codec_part *p, const char **missing)
{
    const field_sum **const sums[] = {&p->count, &p->number, &p->base_number};
    const char *unneeded; /* a baseline that did not move needs no value from which it has moved */
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (*sums[i] && !(*sums[i] = sum_then(a, c, *sums[i], missing)))
            return false;
    if (!p->before_number)
        return true;
    p->before_number = sum_then(a, c, p->before_number, p->decl->predicts ? missing : &unneeded);
    return p->before_number || !p->decl->predicts;
}

codec_part *stream_list_then(arena *a, diag *d, const conversion *c, const codec_part *now, const char **missing)
{
    codec_part *first = NULL, **end = &first;
    for (; now; now = now->next) {
        codec_part *p = ARENA_NEW(a, codec_part);
        *p = *now;
        p->next = NULL;
        p->decl = decl_then(c, now->decl);
        if (!p->decl && now->many)
            continue;
        if (!p->decl || (p->delta && !p->decl->delta)) {
            *missing = arena_printf(a, p->decl ? "its version has no deltas of '%s'" : "its version has no '%s'",
                                    now->decl->name);
            return NULL;
        }
        if (p->decl->parts > 0) {
            *missing = arena_printf(a, "in its version, '%s' has parts that are deltas", now->decl->name);
            return NULL;
        }
        if (stream_list_takes_unmoved(p) && !now->decl->predicts)
            stream_list_unmoved(d, p, now->decl->name, "was");
        if (!sums_then(a, c, p, missing))
            return NULL;
        *end = p;
        end = &p->next;
    }
    return first;
}
