/* schemas_complete.c - random schemas with what depends on the checked schema: the id of a @stable packet, and a model.
 * SPDX-License-Identifier: MIT
 */
#include "base/out.h"
#include "check/check.h"
#include "emit/names.h"
#include "model/coding.h"
#include "releases/archive_text.h"
#include "schemas.h"

#include <inttypes.h>
#include <string.h>

/* The lengths of any complete code of the symbols that can come: one of them splits into two until there are enough. */
static void put_table(arena *a, lot *l, out *o, const code_table *t)
{
    uint8_t lengths[256] = {0};
    unsigned count = 1, coming = 0;
    for (unsigned i = 0; i < t->count; i++)
        coming += symbol_comes(t, i);
    while (count < coming) {
        const unsigned at = lot_below(l, count);
        if (lengths[at] < CODE_LONGEST)
            lengths[count++] = ++lengths[at];
    }
    out_put(o, "\"$name:", "name", t->name, NULL);
    for (unsigned i = 0, place = 0; i < t->count; i++)
        out_put(o, " $bits", "bits", arena_printf(a, "%u", symbol_comes(t, i) ? lengths[place++] : 0), NULL);
    out_put(o, "\",\n", NULL);
}

static schema *checked(arena *a, const char *text)
{
    const check_options options = {.checks = true, .names = &c_name_rules};
    return check(a, names_new(a), diag_new(a), source_from(a, "schema.pkt", text, strlen(text)), &options);
}

/* The packet that can be @stable is, with its id. */
static const char *with_stable(arena *a, const char *text)
{
    static const char head[] = "packet " STABLE_PACKET;
    const schema *s = checked(a, text);
    decl *d = s ? s->decls : NULL;
    while (d && strcmp(d->name, STABLE_PACKET) != 0)
        d = d->next;
    const char *at = strstr(text, head);
    if (!d || !at)
        return text;
    d->stable = true;
    const size_t before = (size_t)(at - text) + strlen(head);
    return arena_printf(a, "%.*s @stable(0x%016" PRIx64 ")%s", (int)before, text,
                        fnv1a_64(schema_stable_projection(a, s, d)), text + before);
}

/* Values of a number, or with NULL masks, up to `most`, that random values have now and then: small ones, the greatest, and any.
 * Returns how many. */
static unsigned draw_values(lot *l, const field *f, uint64_t most, uint64_t codes[CODE_VALUES_MOST])
{
    unsigned count = 0, wanted = 1 + lot_below(l, lot_one_in(l, 2) ? 4 : CODE_VALUES_MOST);
    for (unsigned tries = 0; tries < 4 * CODE_VALUES_MOST && count < wanted; tries++) {
        const uint64_t code = lot_one_in(l, 4)   ? most - lot_below(l, 2)
                              : lot_one_in(l, 3) ? lot_next(l)
                                                 : lot_below(l, 8);
        bool known = code > most || (f && !is_code_of_type(&f->type, code));
        for (unsigned i = 0; i < count; i++)
            known = known || codes[i] == code;
        if (!known)
            codes[count++] = code;
    }
    return count;
}

static void put_values(arena *a, out *o, const code_values *v)
{
    out_put(o, "\"", NULL);
    code_values_put(a, o, v);
    out_put(o, "\",\n", NULL);
}

/* Codes some numbers and masks by values. */
static void code_some_by_values(arena *a, lot *l, out *o, schema *s)
{
    uint64_t codes[CODE_VALUES_MOST];
    for (const code_table *t = s->tables, *next; t; t = next) {
        for (next = t->next;
             next && ((t->number && next->number == t->number) || (t->changes && next->changes == t->changes));)
            next = next->next;
        if ((!t->number && !(t->changes && t->changes->mask_fields <= CODE_MASK_WHOLE)) || lot_one_in(l, 2))
            continue;
        field *f = t->number;
        block *b = t->changes;
        const unsigned count =
            draw_values(l, f, f ? greatest_number_code(&f->type) : UINT64_MAX >> (64 - b->mask_fields), codes);
        if (count != 0 && f)
            code_by_values(a, s, f, codes, count);
        if (count != 0 && b)
            code_mask_by_values(a, s, b, codes, count);
        if (count != 0)
            put_values(a, o, f ? f->values : b->mask_values);
    }
}

/* Half of the schemas with coded fields have a model, of some of the tables. */
static const char *with_model(arena *a, lot *l, const char *text)
{
    schema *s = checked(a, text);
    out *o = out_new(a);
    size_t size;
    if (!s || !s->tables || lot_one_in(l, 2))
        return text;
    out_put(o, "model {\n", NULL);
    code_some_by_values(a, l, o, s);
    put_table(a, l, o, s->tables);
    for (const code_table *t = s->tables->next; t; t = t->next)
        if (!lot_one_in(l, 4))
            put_table(a, l, o, t);
    out_put(o, "}\n", NULL);
    return arena_printf(a, "%s%s", text, out_result(o, &size));
}

const char *make_complete_schema(arena *a, lot *l, uint32_t number)
{
    return with_model(a, l, with_stable(a, make_schema(a, l->state, number, true)));
}
