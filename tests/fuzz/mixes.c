/* mixes.c - asks generated C for values between two others, and whether values are near each other.
 * SPDX-License-Identifier: MIT
 *
 * Of two values that can be written, every mixture can be written; at 0 and 1 it is what a reader gets of the one or the
 * other. Values that are equal are near each other, and nearness goes both ways.
 */
#include "codec/codec_json.h"
#include "differential.h"
#include "values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_end(fuzz *f, const question *q, const engine *e, double at, void *mixed, const datum *end)
{
    const codec_options how = {.room = SIZE_MAX};
    const fuzz_type *t = engine_type(e, q->decl);
    codec_error error;
    datum seen;
    size_t size;
    const uint8_t *bytes = codec_write(f->arena, f->schema, q->decl, end, &how, &size, &error);
    if (!codec_read(f->arena, f->schema, q->decl, bytes, size, &how, &seen, &error))
        return;
    t->quantize(mixed);
    const char *name = differs_in_struct(f->arena, t->type, mixed, q->decl, &seen);
    if (name)
        fail(f, e, q, "mixed at %g: %s differs; the codec has %s", at, name, json_print(f->arena, q->decl, &seen));
}

static void check_nearness(fuzz *f, const question *q, const engine *e, void *a, void *b, const datum *other)
{
    const fuzz_type *t = engine_type(e, q->decl);
    char name[PKT_FIELD_SIZE], back[PKT_FIELD_SIZE];
    t->quantize(a);
    t->quantize(b);
    if (!t->near_each(a, a, name) || name[0] != 0)
        fail(f, e, q, "a value is not near itself: %s", name);
    const bool there = t->near_each(a, b, name);
    if (there != t->near_each(b, a, back) || there != (name[0] == 0) || (!there && t->equal(a, b)) ||
        strncmp(name, q->decl->name, there ? 0 : strlen(q->decl->name)) != 0)
        fail(f, e, q, "nearness to %s: '%s' and '%s'", json_print(f->arena, q->decl, other), name, back);
}

static void mix_pair(fuzz *f, const question *q, const engine *e, const datum *other)
{
    static const double points[] = {-1, 0, 0.25, 0.3, 0.5, 0.75, 1, 2, NAN};
    const fuzz_type *t = engine_type(e, q->decl);
    void *a = memory_with(f, t, q->decl, q->value), *b = memory_with(f, t, q->decl, other);
    pkt_refs refs = refs_of_ids();
    pkt_error error;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const double at = i == 2 ? lot_below(&f->lot, 1000) / 1000.0 : points[i];
        void *mixed = malloc(t->type->size);
        memset(mixed, 0xa5, t->type->size);
        t->mix(a, b, at, mixed);
        if (!t->valid(mixed, &refs, &error))
            fail(f, e, q, "mixed at %g with %s, it cannot be written: %s", at, json_print(f->arena, q->decl, other),
                 described(f, error.code, error.bit, error.field));
        if (!(at > 0))
            check_end(f, q, e, at, mixed, q->value);
        else if (at >= 1)
            check_end(f, q, e, at, mixed, other);
        free(mixed);
    }
    check_nearness(f, q, e, a, b, other);
    free(a);
    free(b);
}

void mix_case(fuzz *f, const question *q, uint32_t which)
{
    codec_error error;
    const codec_options how = {.room = SIZE_MAX};
    size_t size;
    const datum other = which % 2 ? change_value(f->arena, &f->lot, q->decl, q->value, which / 2)
                                  : vary_value(f->arena, &f->lot, q->decl, q->value, 0);
    if (!q->decl->mixes || !codec_write(f->arena, f->schema, q->decl, q->value, &how, &size, &error) ||
        !codec_write(f->arena, f->schema, q->decl, &other, &how, &size, &error))
        return;
    for (size_t i = 0; i < f->used; i++)
        mix_pair(f, q, &f->engines[i], &other);
}
