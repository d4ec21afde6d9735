/* emit_streams.c - T_serialize and T_delta in each mode: T_write_, T_read_ and T_measure for streams, T_write_body and
 * T_read_body for packets.
 * SPDX-License-Identifier: MIT
 *
 * They are the same for all types but for the name of the type, so each line is a macro of runtime/pkt_instance.h. Most
 * functions that a program calls are inline in NAME.h, which emit_prototypes.c makes; here are the functions that these
 * call.
 */
#include "emit/emit_internal.h"
#include "wire/tuning.h"

#include "pkt.h"

#include <inttypes.h>
#include <string.h>

/* CRC-32 of the 8 bytes of the protocol id, little-endian, and of the packet's name. */
uint32_t packet_crc_start(const schema *s, const decl *d)
{
    unsigned char id[8];
    for (unsigned i = 0; i < 8; i++)
        id[i] = (unsigned char)(s->id >> 8 * i);
    return pkt_crc32(pkt_crc32(0, id, sizeof id), d->name, strlen(d->name));
}

/* ---- streams and packets */

bool is_small_packet(const emitter *e, const wire_type *t)
{
    return e->bodies[t->index] == BODY_INLINE && !t->has_refs;
}

void emit_read(emitter *e, const wire_type *t)
{
    out_put(e->out, "PKT_READS($name, $calls)\n\n", "name", spell_decl(e, t->decl), "calls",
            t->calls ? "true" : "false", NULL);
}

static void emit_packet_streams(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    const bool checks = e->schema->checks;
    out_put(e->out,
            is_small_packet(e, t)                ? "PKT_SMALL_PACKET($name)\n"
            : e->bodies[t->index] == BODY_STREAM ? "PKT_BODIES($name)\n"
                                                 : "PKT_BODIES_AT_START(extern, $name)\n",
            "name", name, NULL);
    out_put(e->out, "const pkt_packet ${name}_packet = {$crc, $end, $has_end};\n", "name", name, "crc",
            spell_hexadecimal(e, packet_crc_start(e->schema, t->decl)), "end",
            checks ? spell_hexadecimal(e, t->end_check) : "0", "has_end", checks ? "true" : "false", NULL);
}

void emit_streams(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    if (t->decl->parts != 0) {
        emit_datagram(e, t);
        return;
    }
    out_put(e->out, "PKT_STREAMS($name, $calls)\n", "name", name, "calls", t->calls ? "true" : "false", NULL);
    if (t->decl->seeded)
        out_put(e->out, "const pkt_frame ${name}_frame = {UINT64_C($id), \"$schema_name\", $checks};\n", "name", name,
                "id", arena_printf(e->arena, "0x%016" PRIx64, e->schema->id), "schema_name", t->decl->name, "checks",
                e->schema->checks ? "true" : "false", NULL);
    else if (t->decl->packet)
        emit_packet_streams(e, t);
    out_put(e->out, "\n", NULL);
}

/* ---- deltas */

/* The names that a macro needs: PKT_BLANK or PKT_BLANK_BOUND; PKT_COPY_OF or T_copy; pkt_any_sound or T_sound. */
static const char *spell_blank(const decl *d)
{
    return d->holds_bound ? "PKT_BLANK_BOUND" : "PKT_BLANK";
}

static const char *spell_copied(const emitter *e, const decl *d)
{
    return d->holds_private ? arena_printf(e->arena, "%s_copy", spell_decl(e, d)) : "PKT_COPY_OF";
}

static const char *spell_sound(const emitter *e, const wire_type *t)
{
    return t->can_be_unsound ? arena_printf(e->arena, "%s_sound", spell_decl(e, t->decl)) : "pkt_any_sound";
}

void emit_delta_instances(emitter *e, const wire_type *t, delta_use use)
{
    const char *name = spell_decl(e, t->decl), *made = spell_blank(t->decl);
    const bool coded = t->decl->holds_coded;
    if (use < DELTA_OR_BLANK)
        out_put(e->out, coded ? "PKT_CODED_DELTAS($name)\n" : "PKT_DELTAS($name)\n", "name", name, NULL);
    else
        out_put(e->out,
                coded ? "PKT_CODED_DELTAS_OR_BLANK($name, $made, $copied)\n"
                      : "PKT_DELTAS_OR_BLANK($name, $made, $copied)\n",
                "name", name, "made", made, "copied", spell_copied(e, t->decl), NULL);
    if (use == DELTA_COMPARED)
        out_put(e->out, "PKT_DELTA_DIFFERS($name, $made)\n", "name", name, "made", made, NULL);
    out_put(e->out, "\n", NULL);
}

/* Whether the delta of a packet is small and nothing but rows, so that an instance for a known first bit is small too. */
static bool is_in_rows(const delta_plan *p)
{
    const wire_type *t = p->type;
    const decl *d = t->decl;
    if (!p->block || !p->block->steps || t->delta_most > SMALL_DELTA_BITS)
        return false;
    if (t->has_refs || t->can_be_unsound || d->holds_coded || d->predicts || d->holds_bound)
        return false;
    for (const delta_step *s = p->block->steps; s; s = s->next)
        if (s->kind != DELTA_ROW && s->kind != DELTA_VALUES)
            return false;
    return true;
}

static const char predict[] =
    "void ${name}_predict(const $name *base_, const $name *before_, uint32_t back_, uint32_t gap_, ${name}_motion *to_)\n"
    "{\n"
    "    $copy_was;\n"
    "    $copy_expected;\n"
    "    if (before_ != NULL && gap_ != 0)\n"
    "        pkt_predict(&${name}_type_, base_, before_, back_, gap_, &to_->expected);\n"
    "}\n"
    "\n";

void emit_delta_streams(emitter *e, const delta_plan *p)
{
    const wire_type *t = p->type;
    const decl *d = t->decl;
    const char *name = spell_decl(e, d);
    if (d->predicts)
        out_put(e->out, predict, "name", name, "copy_was", spell_copy(e, d, "&to_->was", "&*base_"), "copy_expected",
                spell_copy(e, d, "&to_->expected", "&*base_"), NULL);
    out_put(e->out,
            d->predicts      ? "PKT_PREDICTED_DELTA_STREAMS($name, $sound, $copied)\n"
            : d->holds_coded ? "PKT_CODED_DELTA_STREAMS($name, $sound, $copied)\n"
                             : "PKT_DELTA_STREAMS($name, $sound, $copied)\n",
            "name", name, "sound", spell_sound(e, t), "copied", spell_copied(e, d), NULL);
    if (d->packet)
        out_put(e->out, is_in_rows(p) ? "PKT_DELTA_BODIES_AT_START($name, $copied)\n" : "PKT_DELTA_BODIES($name)\n",
                "name", name, "copied", spell_copied(e, d), NULL);
    out_put(e->out, "const pkt_explanation ${name}_delta_explanation = {&${name}_type_, $explain};\n\n", "name", name,
            "explain",
            d->predicts      ? "pkt_explain_predicted"
            : d->holds_coded ? "pkt_explain_coded_delta"
                             : "pkt_explain_delta",
            NULL);
}
