/* dissect.c - the lines of a schema: its types, their fields, and its packets.
 * SPDX-License-Identifier: MIT
 */
#include "dissect/dissect_internal.h"
#include "dissect/lua_files.h"

#include "base/out.h"
#include "base/utf8.h"
#include "model/coding.h"
#include "model/type_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct printer {
    arena *arena;
    out *out;
    const schema *schema;
} printer;

/* ---- descriptions */

/* A doc comment on one line. */
static const char *one_line(printer *p, const char *doc)
{
    char *text = arena_printf(p->arena, "%s", utf8_shown(p->arena, doc));
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    return text;
}

/* The description of a declaration as a further argument; "" for none. */
static const char *about(printer *p, const char *doc)
{
    return doc ? arena_printf(p->arena, ", %s", lua_text(p->arena, one_line(p, doc))) : "";
}

static const char *about_field(printer *p, const field *f)
{
    const char *values = about_type(p->arena, &f->type);
    if (!f->doc)
        return values;
    return arena_printf(p->arena, *values ? "%s (%s)" : "%s%s", one_line(p, f->doc), values);
}

/* ---- fields */

static const char *table_text(printer *p, const code_table *t)
{
    unsigned alone;
    if (comes_alone(t, &alone))
        return arena_printf(p->arena, "code_alone(%u, %u)", alone, t->count);
    char *text = arena_alloc(p->arena, 5 * (size_t)t->count + sizeof "codes()"), *to = text;
    to += sprintf(to, "codes(");
    for (unsigned i = 0; i < t->count; i++)
        to += sprintf(to, i ? ", %u" : "%u", t->lengths[i]);
    sprintf(to, ")");
    return text;
}

/* The code tables of a field. */
static const char *coded_text(printer *p, const field *f)
{
    const char *text = f->asked                         ? "asked = true, "
                       : f->still || has_values_only(f) ? "still = true, "
                       : array_rests(f)                 ? "rests = true, "
                                                        : "";
    if (f->speed)
        text = arena_printf(
            p->arena, "%sspeed = by(\"%s\", %" PRIu64 ", %" PRIu32 ", %u%s), ", text, f->speed->of->name,
            f->speed->rest, f->speed->factor, f->speed->shift,
            f->speed->condition ? arena_printf(p->arena, ", %s", lua_condition(p->arena, f->speed->condition)) : "");
    if (f->runs)
        text = arena_printf(p->arena, "%sruns = %s, ", text, table_text(p, f->runs));
    for (unsigned i = 0; f->values && i < f->values->count; i++)
        text = arena_printf(p->arena, "%s%s%" PRIu64 "%s", text, i ? ", " : "values = { ", f->values->codes[i],
                            i + 1 == f->values->count ? " }, " : "");
    for (unsigned i = 0; i < CODE_CONTEXTS && f->codes[i]; i++)
        text = arena_printf(p->arena, "%s%s%s", text, i ? ", " : "codes = { ", table_text(p, f->codes[i]));
    return f->codes[0] ? arena_printf(p->arena, "%s }, ", text) : text;
}

/* ---- deltas to named baselines */

/* A sum as a further option of a part. Those of a packet's part wrap as its number does. */
static const char *sum_text(printer *p, const char *name, const field_sum *sum, const field *part)
{
    const char *text = arena_printf(p->arena, "%s = sum(%u, {", name, part ? part->part->bits : field_sum_bits(sum));
    for (const field_sum *t = sum; t; t = t->next) {
        const char *fields = "";
        text = arena_printf(p->arena, t == sum ? "%s { %s1, " : "%s, { %s1, ", text, t->minus ? "-" : "");
        for (unsigned i = 0; i < t->depth; i++)
            fields = arena_printf(p->arena, "%s%s\"%s\"", fields, i ? ", " : "", t->path[i]->name);
        text = t->depth > 0 ? arena_printf(p->arena, "%s\"%s\", { %s }%s }", text,
                                           t->decl ? t->decl->name : part->owner->name, fields, t->ones ? ", true" : "")
                            : arena_printf(p->arena, "%s%" PRIu64 " }", text, t->number);
    }
    return arena_printf(p->arena, "%s }), ", text);
}

/* A value of a stream; with a field, that part of a packet. */
static const char *part_text(printer *p, const dissect_part *part, const field *f)
{
    const char *options = arena_printf(p->arena, "%s%s%s%s", part->delta ? "is_delta = true, " : "",
                                       part->chained ? "chained = true, "
                                       : part->last  ? "last = true, "
                                                     : "",
                                       part->moves ? "moves = true, " : "", part->many ? "many = true, " : "");
    if (part->count)
        options = arena_printf(p->arena, "%s%s", options, sum_text(p, "count", part->count, f));
    if (part->number)
        options = arena_printf(p->arena, "%s%s", options, sum_text(p, "number", part->number, f));
    if (part->base_number)
        options = arena_printf(p->arena, "%s%s", options, sum_text(p, "base_number", part->base_number, f));
    if (part->before_number)
        options = arena_printf(p->arena, "%s%s", options, sum_text(p, "before_number", part->before_number, f));
    if (f && f->part->starts)
        options = arena_printf(p->arena, "%sstarts = true, ", options);
    const size_t size = strlen(options);
    if (size == 0)
        return arena_printf(p->arena, "part(types[\"%s\"], {})", part->decl->name);
    return arena_printf(p->arena, "part(types[\"%s\"], { %.*s })", part->decl->name, (int)(size - 2), options);
}

static const char *part_of_packet(printer *p, const field *f)
{
    const dissect_part part = {.decl = f->type.decl,
                               .delta = true,
                               .number = f->part->number,
                               .base_number = f->part->base,
                               .before_number = f->part->before};
    return part_text(p, &part, f);
}

/* ---- items */

static const char *options_of(printer *p, const field *f)
{
    const char *text = "", *said = about_field(p, f);
    const value blank = is_scalar(&f->type) ? base_value(f) : (value){0};
    if (*said)
        text = arena_printf(p->arena, "about = %s, ", lua_text(p->arena, said));
    if (f->optional)
        text = arena_printf(p->arena, "%soptional = true, ", text);
    if (f->after)
        text = arena_printf(p->arena, "%safter = \"%s\", ", text, f->after->name);
    if (f->has_unless)
        text = arena_printf(p->arena, "%sunless = %s, ", text, lua_value(p->arena, &f->type, &f->unless));
    if (!f->has_unless && is_scalar(&f->type) && !is_zero_value(&f->type, &blank))
        text = arena_printf(p->arena, "%sblank = %s, ", text, lua_value(p->arena, &f->type, &blank));
    if (f->owner->is_new && is_scalar(&f->type) && differs_initially(f))
        text = arena_printf(p->arena, "%sinitial = %s, ", text, lua_value(p->arena, &f->type, &f->initial));
    if (f->has_delta)
        text = arena_printf(p->arena, "%ssmall = %u, large = %u, ", text, f->delta_small, f->delta_large);
    if (f->coded)
        text = arena_printf(p->arena, "%scoded = true, %s", text, coded_text(p, f));
    if (f->array == ARRAY_COUNTED)
        text = arena_printf(p->arena, "%scount_low = %" PRIu32 ", ", text, f->count_low);
    if (f->array == ARRAY_COMPUTED)
        text = arena_printf(p->arena, "%scount = %s, ", text, lua_condition(p->arena, f->count));
    if (f->part)
        text = arena_printf(p->arena, "%spart = %s, ", text, part_of_packet(p, f));
    if (f->chain)
        text = arena_printf(p->arena, "%schained = true, ", text);
    if (f->array == ARRAY_SPARSE)
        text = arena_printf(p->arena, "%ssparse = \"%s\", limit = %" PRIu32 ", ", text, sparse_mode_name(f->mode),
                            f->limit);
    if (f->array != ARRAY_NONE) {
        const char *dims = "";
        for (uint32_t i = 0; i < f->dim_count; i++)
            dims = arena_printf(p->arena, i ? "%s, %" PRIu32 : "%s%" PRIu32, dims, f->dims[i]);
        text = arena_printf(p->arena, "%sdims = { %s }, ", text, dims);
    }
    const size_t size = strlen(text);
    return size ? arena_printf(p->arena, "{ %.*s }", (int)(size - 2), text) : "{}";
}

static void lua_items(printer *p, const item *items);

static void lua_masks(printer *p, const block *b)
{
    const char *of = b->is_new ? "new_" : "";
    for (unsigned g = 0; g < mask_tables(b); g++)
        out_format(p->out, "%s%s%s%s", g ? ", " : of, g ? "" : "masks(", table_text(p, b->masks[g]),
                   g + 1 < mask_tables(b) ? "" : ")\n");
    for (unsigned i = 0; b->mask_values && i < b->mask_values->count; i++)
        out_format(p->out, "%s%s%" PRIu64 "%s", i ? ", " : of, i ? "" : "mask_values(", b->mask_values->codes[i],
                   i + 1 < b->mask_values->count ? "" : ")\n");
    if (b->in_new)
        lua_masks(p, b->in_new);
}

static void lua_block(printer *p, const block *b)
{
    out_indent(p->out);
    if (b->masks)
        lua_masks(p, b);
    lua_items(p, b->items);
    out_dedent(p->out);
}

static void lua_constant(printer *p, const item *i, const char *name)
{
    const uint64_t v = i->as.constant.value;
    out_format(p->out, "constant(\"%s\", %u, 0x%" PRIx64 ", 0x%" PRIx64 ")\n", name,
               i->kind == ITEM_CHECK ? 32 : i->as.constant.bits, v >> 32, v & UINT32_MAX);
}

static void lua_switch(printer *p, const item *i)
{
    const expr *subject = i->as.choice.subject;
    out_format(p->out, "choose(%s)\n", lua_condition(p->arena, subject));
    for (const arm *each = i->as.choice.arms; each; each = each->next) {
        if (each->is_default) {
            out_format(p->out, "otherwise()\n");
        } else {
            out_format(p->out, "arm({");
            for (uint32_t v = 0; v < each->value_count; v++)
                out_format(p->out, v ? ", %s" : " %s",
                           lua_key(p->arena, each->values[v]->number, is_narrow(subject->low, subject->high)));
            out_format(p->out, " })\n");
        }
        lua_block(p, &each->body);
    }
    out_format(p->out, "done()\n");
}

static void lua_item(printer *p, const item *i)
{
    switch (i->kind) {
    case ITEM_FIELD:
        out_format(p->out, "field(\"%s\", %s, %s)\n", i->as.field->name, lua_type(p->arena, &i->as.field->type),
                   options_of(p, i->as.field));
        break;
    case ITEM_ALIGN: out_format(p->out, "align()\n"); break;
    case ITEM_CONST: lua_constant(p, i, "const"); break;
    case ITEM_RESERVED: lua_constant(p, i, "reserved"); break;
    case ITEM_CHECK:
        if (p->schema->checks)
            lua_constant(p, i, "check");
        break;
    case ITEM_IF:
        out_format(p->out, "when(%s)\n", lua_condition(p->arena, i->as.branch.condition));
        lua_block(p, &i->as.branch.then);
        if (i->as.branch.other.items) {
            out_format(p->out, "otherwise()\n");
            lua_block(p, &i->as.branch.other);
        }
        out_format(p->out, "done()\n");
        break;
    case ITEM_SWITCH: lua_switch(p, i); break;
    }
}

static void lua_items(printer *p, const item *items)
{
    for (const item *i = items; i; i = i->next)
        lua_item(p, i);
}

/* ---- declarations */

static void lua_enum(printer *p, const decl *d)
{
    type raw = d->type;
    raw.kind = TYPE_INT;
    const bool narrow = is_narrow(raw.low, raw.high);
    out_format(p->out, "types[\"%s\"] = enum(%s, %s, {", d->name, lua_type(p->arena, &raw),
               d->width ? "true" : "false");
    for (const member *m = d->members; m; m = m->next)
        out_format(p->out, "%s[%s] = \"%s\"", m == d->members ? " " : ", ", lua_key(p->arena, m->value, narrow),
                   m->name);
    out_format(p->out, " })\n");
}

static void lua_flags(printer *p, const decl *d)
{
    type raw = d->type;
    raw.kind = TYPE_INT;
    out_format(p->out, "types[\"%s\"] = flags(%s, {", d->name, lua_type(p->arena, &raw));
    for (const member *m = d->members; m; m = m->next)
        out_format(p->out, "%s\"%s\"", m == d->members ? " " : ", ", m->name);
    out_format(p->out, " })\n");
}

static void lua_coded(printer *p, const decl *d)
{
    if (d->holds_coded)
        out_format(p->out, "coded(%s)\n", d->predicts ? "true" : "false");
}

/* The key of a struct whose values are the elements of lists. */
static void lua_struct_key(printer *p, const decl *d)
{
    const field *key = d->key;
    const char *said = key ? about_field(p, key) : "";
    if (key)
        out_format(p->out, *said ? "    key(\"%s\", %s, %s)\n" : "    key(\"%s\", %s)\n", key->name,
                   lua_type(p->arena, &key->type), lua_text(p->arena, said));
}

static void lua_decl(printer *p, const decl *d)
{
    switch (d->kind) {
    case DECL_CONST:
    case DECL_ALIAS: return;
    case DECL_ENUM: lua_enum(p, d); break;
    case DECL_FLAGS: lua_flags(p, d); break;
    case DECL_STRUCT:
        out_format(p->out, "struct(\"%s\"%s)\n", d->name, about(p, d->doc));
        lua_coded(p, d);
        lua_struct_key(p, d);
        lua_block(p, &d->body);
        break;
    case DECL_UNION:
        out_format(p->out, "union(\"%s\"%s)\n", d->name, about(p, d->doc));
        lua_coded(p, d);
        for (const member *m = d->members; m; m = m->next)
            out_format(p->out, "    member(\"%s\", types[\"%s\"])\n", m->name, m->type->name);
        break;
    }
}

static void lua_parts(printer *p, const dissect_part *parts)
{
    for (const dissect_part *each = parts; each; each = each->next)
        out_format(p->out, each == parts ? "{ %s" : ", %s", part_text(p, each, NULL));
    out_format(p->out, " }");
}

/* Whether T_pack_delta makes the stream: a delta of the packet of its name, without a seed in its crc. */
static bool is_packet_delta(const dissect_stream *s)
{
    const dissect_part *p = s->parts;
    return !p->next && p->delta && p->decl->packet && strcmp(p->decl->name, s->name) == 0;
}

/* Whether a stream declares the contents of a packet's frame: then it is not the whole packet. */
static bool is_stream(const dissect_options *how, const decl *d)
{
    for (const dissect_stream *each = how->streams; each; each = each->next)
        if (each->name && strcmp(each->name, d->name) == 0 && (how->seed == 0 || is_packet_delta(each)))
            return true;
    return false;
}

/* The halves of a seed or an id. */
static const char *halves_text(printer *p, uint64_t number)
{
    return arena_printf(p->arena, "0x%" PRIx64 ", 0x%" PRIx64, number >> 32, number & UINT32_MAX);
}

static void lua_packet(printer *p, const decl *d, uint64_t seed)
{
    if (d->stable)
        out_format(p->out, "stable_packet(types[\"%s\"], %s)\n", d->name, halves_text(p, d->stable_id));
    else if (d->seeded)
        out_format(p->out, "packet(types[\"%s\"], %s)\n", d->name, halves_text(p, seed));
    else
        out_format(p->out, "packet(types[\"%s\"])\n", d->name);
}

/* The frames in which programs record, or send, the start values of a packet's parts. */
static void lua_starts(printer *p, const decl *d, uint64_t seed)
{
    for (const field *f = d->fields; f; f = f->next)
        if (f->part && f->part->starts)
            out_format(p->out, "start(types[\"%s\"], \"%s\", %s)\n", d->name, f->name, halves_text(p, seed));
}

static void lua_packets(printer *p, const dissect_options *how)
{
    out_format(p->out, "identify(0x%08" PRIx64 ", 0x%08" PRIx64 ", %s)\n", p->schema->id >> 32,
               p->schema->id & UINT32_MAX, p->schema->checks ? "true" : "false");
    for (const decl *d = p->schema->decls; d; d = d->next)
        if (d->packet && !is_stream(how, d))
            lua_packet(p, d, how->seed);
    for (const decl *d = p->schema->decls; d; d = d->next)
        if (d->packet && !is_stream(how, d))
            lua_starts(p, d, how->seed);
    for (const dissect_stream *each = how->streams; each; each = each->next) {
        const uint64_t seed = each->name && is_packet_delta(each) ? 0 : how->seed;
        if (each->name)
            out_format(p->out, "stream(%s, %s, ", lua_text(p->arena, each->name), halves_text(p, seed));
        else
            out_format(p->out, "bare_stream(");
        lua_parts(p, each->parts);
        out_format(p->out, ")\n");
    }
    out_format(p->out, "listen(%s)\n", lua_text(p->arena, how->ports));
}

/* ---- the whole text */

/* A file without the lines at its top that name its license. */
static void put_lua_file(printer *p, const lua_file *file)
{
    const char *text = arena_text(p->arena, (const char *)file->text, file->size);
    out_format(p->out, "\n%s", text);
}

static void lua_head(printer *p)
{
    const schema *s = p->schema;
    out_format(p->out, "-- Generated by pktc from %s.pkt: a dissector for Wireshark of the protocol %s, version %s.\n",
               s->root->stem, s->protocol, num_text(p->arena, s->version));
    out_format(p->out, "-- Copy it to the folder that Help > About Wireshark > Folders calls Personal Lua Plugins.\n");
}

/* Lines are in a function, because a list needs up to 50 of Lua's 250 registers, of which the local variables of the files
 * take most. */
static void begin_lines(printer *p, const char *name)
{
    out_format(p->out, "function %s()\n", name);
    out_indent(p->out);
}

static void end_lines(printer *p, const char *name)
{
    out_dedent(p->out);
    out_format(p->out, "end\n%s()\n", name);
}

const char *dissect(arena *a, const schema *s, const dissect_options *how, size_t *size)
{
    printer p = {.arena = a, .out = out_new(a), .schema = s};
    size_t i = 0;
    lua_head(&p);
    for (; i + 1 < lua_file_count; i++)
        put_lua_file(&p, &lua_files[i]);
    out_format(p.out, "\n-- ---- the schema\n\n");
    begin_lines(&p, "add_types");
    out_format(p.out, "protocol(\"%s\", \"%s\")\n", s->protocol, s->protocol);
    for (const decl *d = s->decls; d; d = d->next)
        lua_decl(&p, d);
    end_lines(&p, "add_types");
    put_lua_file(&p, &lua_files[i]);
    out_format(p.out, "\n-- ---- the packets\n\n");
    begin_lines(&p, "add_packets");
    lua_packets(&p, how);
    end_lines(&p, "add_packets");
    return out_result(p.out, size);
}
