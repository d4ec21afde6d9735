/* saves.c - asks generated C to save values and to restore them, also from damaged bytes.
 * SPDX-License-Identifier: MIT
 *
 * A restored value equals the saved one, and has the same save: so also those bytes are as they were that equality ignores. With a
 * byte of room less nothing is saved. Bytes that are damaged, missing or too many are restored within the memory of the value:
 * the address sanitizer sees otherwise.
 */
#include "codec/codec_json.h"
#include "differential.h"

#include <stdlib.h>
#include <string.h>

static void damage_save(fuzz *f, const fuzz_type *t, const uint8_t *save, size_t size, void *back)
{
    const size_t given = lot_one_in(&f->lot, 4) ? lot_below(&f->lot, (uint32_t)size) : size;
    uint8_t *damaged = malloc(given != 0 ? given : 1);
    memcpy(damaged, save, given);
    for (uint32_t i = lot_below(&f->lot, 4); given != 0 && i != 0; i--)
        damaged[lot_below(&f->lot, (uint32_t)given)] ^= (uint8_t)(1 + lot_below(&f->lot, 255));
    t->restore(back, damaged, given);
    free(damaged);
}

static void save_with(fuzz *f, const question *q, const engine *e)
{
    const fuzz_type *t = engine_type(e, q->decl);
    void *v = memory_with(f, t, q->decl, q->value), *back = malloc(t->type->size);
    uint8_t *save = malloc(t->type->size), *again = malloc(t->type->size);
    const size_t size = t->save(v, save, t->type->size);
    memset(back, 0xa5, t->type->size);
    if (size == 0 || t->save(v, again, size - 1) != 0)
        fail(f, e, q, "saved in %zu bytes, or in fewer", size);
    else if (t->restore(back, save, size - 1) || !t->restore(back, save, size))
        fail(f, e, q, "not restored from %zu bytes, or from fewer", size);
    else if (t->save(back, again, size) != size || memcmp(save, again, size) != 0)
        fail(f, e, q, "restored and saved again, it has other bytes");
    else if (t->equal(v, v) && !t->equal(v, back))
        fail(f, e, q, "another value was restored");
    for (int i = 0; i < 4 && size != 0; i++)
        damage_save(f, t, save, size, back);
    free(v);
    free(back);
    free(save);
    free(again);
}

void save_case(fuzz *f, const question *q)
{
    for (size_t i = 0; i < f->used; i++)
        save_with(f, q, &f->engines[i]);
}
