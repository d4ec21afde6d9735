/* emit_streams.c - T_serialize and T_delta in each mode: T_write_, T_read_ and T_measure for streams, T_write_body and
 * T_read_body for packets.
 * SPDX-License-Identifier: MIT
 *
 * Those of T_serialize are the same for all types but for the name of the type, so they are macros of
 * runtime/pkt_instance.h; those of T_delta differ in more. Most functions that a program calls are inline in NAME.h,
 * which emit_prototypes.c makes; here are the functions that these call.
 */
#include "emit/leaf_table.h"
#include "wire/tuning.h"

#include "pkt.h"

#include <inttypes.h>
#include <string.h>

/* CRC-32 of the 8 bytes of the id, little-endian, and of the packet's name. */
uint32_t packet_crc_start(const schema *s, const decl *d)
{
    const uint64_t number = schema_id_of(s, d);
    unsigned char id[8];
    for (unsigned i = 0; i < 8; i++)
        id[i] = (unsigned char)(number >> 8 * i);
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
    const bool checks = schema_has_end(e->schema, t->decl);
    out_put(e->out,
            is_small_packet(e, t)                ? "PKT_BODIES_AT_START(PKT_INLINE, $name)\n"
                                                   "PKT_PACKET_FUNCTIONS(extern, $name)\n"
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

/* T_delta_write and T_delta_read, against a baseline that is sound. They leave the stream where they failed. Before a
 * value is read, it is made a copy of the baseline. */
static const char delta_functions[] =
    "static bool ${name}_delta_write(pkt_writer *w_, const $name *base_, const $name *v_)\n"
    "{\n"
    "    pkt_cursor c_;\n"
    "$write_without_base"
    "    pkt_writer_cursor(&c_, w_);\n"
    "    return ${name}_delta(pkt_writer_mode(w_), &c_, base_, v_, NULL) && pkt_writer_advance(w_, &c_);\n"
    "}\n"
    "\n"
    "static bool ${name}_delta_read(pkt_reader *r_, const $name *base_, $name *v_)\n"
    "{\n"
    "    pkt_cursor c_;\n"
    "$read_without_base"
    "    pkt_reader_cursor(&c_, r_);\n"
    "    return ${name}_delta(PKT_READ, &c_, base_, v_, v_) && pkt_delta_reader_advance(r_, &c_);\n"
    "}\n"
    "\n";

/* If the baseline lacks the value, its delta is against base values. Only these functions have base values on the
 * stack. */
static const char blank_prototypes[] = "static PKT_NOINLINE bool ${name}_delta_write_blank($writer, const $name *v_);\n"
                                       "static PKT_NOINLINE bool ${name}_delta_read_blank($reader, $name *v_);\n"
                                       "\n";

static const char blank_functions[] =
    "static PKT_NOINLINE bool ${name}_delta_write_blank(pkt_writer *w_, const $name *v_)\n"
    "{\n"
    "    $name blank_;\n"
    "$blank"
    "    return ${name}_delta_write(w_, &blank_, v_);\n"
    "}\n"
    "\n"
    "static PKT_NOINLINE bool ${name}_delta_read_blank(pkt_reader *r_, $name *v_)\n"
    "{\n"
    "    $name blank_;\n"
    "$blank"
    "    $copy;\n"
    "    return ${name}_delta_read(r_, &blank_, v_);\n"
    "}\n"
    "\n";

/* The same for types that may be coded. All functions of one delta work on one cursor, which is in memory anyway,
 * because the functions of pkt_coder.h are not inlined. */
static const char coded_functions[] =
    "static bool ${name}_delta_put_(pkt_cursor *c_, const void *base_, const void *v_)\n"
    "{\n"
    "$write_without_base"
    "    return ${name}_delta(pkt_writer_mode(c_->writer), c_, (const $name *)base_, (const $name *)v_, NULL);\n"
    "}\n"
    "\n"
    "static bool ${name}_delta_get_(pkt_cursor *c_, const void *base_, void *v_)\n"
    "{\n"
    "$read_without_base"
    "    return ${name}_delta(PKT_READ, c_, (const $name *)base_, (const $name *)v_, ($name *)v_);\n"
    "}\n"
    "\n";

/* Base values and initial values do not move. */
static const char coded_blank_functions[] =
    "static PKT_NOINLINE bool ${name}_delta_write_blank(pkt_cursor *c_, const $name *v_)\n"
    "{\n"
    "    $name blank_;\n"
    "$blank"
    "$stays"
    "    ${done}${name}_delta_put_(c_, &blank_, v_);\n"
    "$moves"
    "}\n"
    "\n"
    "static PKT_NOINLINE bool ${name}_delta_read_blank(pkt_cursor *c_, $name *v_)\n"
    "{\n"
    "    $name blank_;\n"
    "$blank"
    "$stays"
    "    $copy;\n"
    "    ${done}${name}_delta_get_(c_, &blank_, v_);\n"
    "$moves"
    "}\n"
    "\n";

/* Whether a value differs from that of the baseline, which may lack it. */
static const char delta_differs[] =
    "static PKT_NOINLINE bool ${name}_delta_differs_blank(${coding}const $name *v_)\n"
    "{\n"
    "    $name blank_;\n"
    "    $clear;\n"
    "    ${name}_base(&blank_);\n"
    "    return !${name}_same(${k}v_, &blank_$blank);\n"
    "}\n"
    "\n"
    "PKT_INLINE bool ${name}_delta_differs(${coding}const $name *v_, const $name *old_$before)\n"
    "{\n"
    "    return !old_ ? ${name}_delta_differs_blank(${k}v_) : !${name}_same(${k}v_, old_$from);\n"
    "}\n"
    "\n";

const char *spell_cleared(const emitter *e, const decl *d)
{
    return d->holds_bound ? arena_printf(e->arena, "%s_init(&blank_)", spell_decl(e, d))
                          : "memset(&blank_, 0, sizeof blank_)";
}

/* Whether there is a choice in it, of which T_init sets the initial values of all sides. */
static bool op_chooses(const op *o)
{
    switch (op_class_of(o)) {
    case OP_CLASS_LEAF:
    case OP_CLASS_VARYING: break;
    case OP_CLASS_TYPE: return o->kind == OP_STRUCT && ops_any(o->of->body, op_chooses);
    case OP_CLASS_HOLDER: return op_chooses(o->body);
    case OP_CLASS_CHOICE: return true;
    }
    return false;
}

/* The lines that give blank_ the value that a delta without one starts from. In a list, that is the initial value; fields of
 * sides that are not chosen have their base values, as after each read. */
static const char *spell_blank(const emitter *e, const wire_type *t)
{
    const decl *d = t->decl;
    const char *name = spell_decl(e, d);
    if (!d->key)
        return arena_printf(e->arena, "    %s;\n    %s_base(&blank_);\n", spell_cleared(e, d), name);
    const bool chooses = d->has_initials && ops_any(t->body, op_chooses);
    return arena_printf(e->arena, "    %s%s(&blank_);\n    blank_.%s = v_->%s; /* the list has sent it */\n%s",
                        d->has_initials ? "" : "memset(&blank_, 0, sizeof blank_);\n    ",
                        arena_printf(e->arena, d->has_initials ? "%s_init" : "%s_base", name), d->key->name,
                        d->key->name,
                        chooses ? arena_printf(e->arena, "    pkt_choose_sides_of(&%s_type_, &blank_);\n", name) : "");
}

void emit_delta_instances(emitter *e, const wire_type *t, delta_use use)
{
    const char *name = spell_decl(e, t->decl);
    const bool coded = t->decl->holds_coded, blank = use >= DELTA_OR_BLANK;
    if (blank)
        out_put(e->out, blank_prototypes, "name", name, "writer", coded ? "pkt_cursor *c_" : "pkt_writer *w_", "reader",
                coded ? "pkt_cursor *c_" : "pkt_reader *r_", NULL);
    if (coded)
        out_put(e->out, coded_functions, "name", name, "write_without_base",
                blank ? arena_printf(e->arena,
                                     "    if (!base_)\n        return %s_delta_write_blank(c_, (const %s *)v_);\n",
                                     name, name)
                      : "",
                "read_without_base",
                blank ? arena_printf(e->arena, "    if (!base_)\n        return %s_delta_read_blank(c_, (%s *)v_);\n",
                                     name, name)
                      : "",
                NULL);
    else
        out_put(e->out, delta_functions, "name", name, "write_without_base",
                blank ? arena_printf(e->arena, "    if (!base_)\n        return %s_delta_write_blank(w_, v_);\n", name)
                      : "",
                "read_without_base",
                blank ? arena_printf(e->arena, "    if (!base_)\n        return %s_delta_read_blank(r_, v_);\n", name)
                      : "",
                NULL);
    if (blank)
        out_put(e->out, coded ? coded_blank_functions : blank_functions, "name", name, "blank", spell_blank(e, t),
                "copy", spell_copy(e, t->decl, "v_", "&blank_"), "stays",
                arena_printf(e->arena, "%s%s", t->follows ? "    c_->coding->before = &blank_;\n" : "",
                             t->goes ? "    const uint32_t back_ = pkt_hold(c_->coding);\n" : ""),
                "done", t->goes ? "const bool done_ = " : "return ", "moves",
                t->goes ? "    c_->coding->back = back_;\n    return done_;\n" : "", NULL);
    if (use == DELTA_COMPARED)
        out_put(e->out, delta_differs, "name", name, "clear", spell_cleared(e, t->decl), "coding",
                t->moves ? "const pkt_coding *k_, " : "", "k", t->moves ? "k_, " : "", "blank",
                t->follows ? ", &blank_" : "", "before",
                t->follows ? arena_printf(e->arena, ", const %s *before_", name) : "", "from",
                t->follows ? ", before_" : "", NULL);
}

/* Whether an `after` is in a member. A delta that does not send the member does not come across it. */
static bool holds_inner_after(const decl *d)
{
    for (const field *f = d->fields; f; f = f->next)
        if (is_composite(&f->type) && f->type.decl->holds_after)
            return true;
    return d->kind == DECL_UNION && d->holds_after;
}

/* Whether the delta of a packet is small and nothing but rows, so that an instance for a known first bit is small too. */
static bool is_in_rows(const delta_plan *p)
{
    const wire_type *t = p->type;
    const decl *d = t->decl;
    if (!p->block || !p->block->steps || t->delta_most > SMALL_DELTA_BITS)
        return false;
    if (t->has_refs || t->can_be_unsound || d->holds_coded || d->predicts || d->holds_bound || holds_inner_after(d))
        return false;
    for (const delta_step *s = p->block->steps; s; s = s->next)
        if (s->kind != DELTA_ROW && s->kind != DELTA_VALUES)
            return false;
    return true;
}

static const char expect[] = "void ${name}_expected(const ${name}_motion *motion_, $name *to_)\n"
                             "{\n"
                             "    const $name *const base_ = (const $name *)motion_->of.base;\n"
                             "$coding"
                             "    $copy;\n"
                             "$move"
                             "}\n"
                             "\n";

/* The lines that move what has been copied. */
static const char *spell_expected_moves(const emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    return !t->moves ? ""
                     : arena_printf(e->arena, "    if (%s)\n        %s_move_(&k_, base_, %sto_);\n",
                                    spell_may_move(e, t, "k_.", "k_.before", "base_"), name,
                                    t->follows ? arena_printf(e->arena, "(const %s *)k_.before, ", name) : "");
}

/* To explain a failure, the whole predicted baseline is made, unless it rests: then nothing is expected to change. */
static void emit_explain_predicted(emitter *e, const wire_type *t, const char *unsound)
{
    const char *name = spell_decl(e, t->decl);
    out_put(
        e->out,
        "static PKT_COLD PKT_NOINLINE bool ${name}_explain_(pkt_cursor *c_, const pkt_type *type_, const void *base_, const void *v_)\n"
        "{\n"
        "    const ${name}_motion *const motion_ = (const ${name}_motion *)base_;\n"
        "    const void *const old_ = !motion_ ? NULL : motion_->of.base;\n",
        "name", name, NULL);
    if (t->moves)
        out_put(e->out,
                "    $name expected_;\n"
                "    if ($none)\n"
                "        return pkt_explain_predicted(c_, type_, old_, old_, v_);\n"
                "    const pkt_coding k_ = pkt_coding_of(old_, &motion_->of);\n"
                "    if ($moves) {\n"
                "$clear"
                "        ${name}_expected(motion_, &expected_);\n"
                "        return pkt_explain_predicted(c_, type_, &expected_, old_, v_);\n"
                "    }\n",
                "name", name, "none",
                t->can_be_unsound ? arena_printf(e->arena, "!old_ || %s(const %s *)old_)", unsound, name) : "!old_",
                "moves", spell_may_move(e, t, "k_.", "k_.before", "old_"), "clear",
                t->decl->holds_bound ? arena_printf(e->arena, "        %s_init(&expected_);\n", name) : "", NULL);
    out_put(e->out, "    return pkt_explain_predicted(c_, type_, old_, old_, v_);\n}\n\n", NULL);
}

/* T_write_delta_ and T_read_delta_, against the baseline that a program passes: a T, or a T_motion; or
 * NULL. If they fail, the stream is where it was. */
static const char delta_streams[] = "bool ${name}_write_delta_(pkt_writer *w_, const void *base_, const void *v_)\n"
                                    "{\n"
                                    "    const uint64_t bit_ = w_->bit, carry_ = w_->carry;\n"
                                    "$old"
                                    "$check$check_of_writer"
                                    "    if ($write)\n"
                                    "        return true;\n"
                                    "    w_->bit = bit_;\n"
                                    "    w_->carry = carry_;\n"
                                    "    return false;\n"
                                    "}\n"
                                    "\n"
                                    "bool ${name}_read_delta_(pkt_reader *r_, const void *base_, void *v_)\n"
                                    "{\n"
                                    "    const uint64_t bit_ = r_->bit;\n"
                                    "$old"
                                    "$check$check_of_reader"
                                    "    if (old_)\n"
                                    "        $copy;\n"
                                    "    if ($read$in_order)\n"
                                    "        return true;\n"
                                    "    r_->bit = bit_;\n"
                                    "    return false;\n"
                                    "}\n"
                                    "\n";

static const char old_itself[] = "    const $name *const old_ = (const $name *)base_;\n";
static const char old_of_motion[] =
    "    const ${name}_motion *const motion_ = (const ${name}_motion *)base_;\n"
    "    const $name *const old_ = !motion_ ? NULL : (const $name *)motion_->of.base;\n";

/* T_write_delta_body and T_read_delta_body, as in a stream. */
static const char delta_bodies[] =
    "uint64_t ${name}_write_delta_body(const void *base_, const void *v_, uint8_t *data_, uint64_t limit_, pkt_refs "
    "*refs_)\n"
    "{\n"
    "    pkt_writer w_;\n"
    "    pkt_body_writer(&w_, data_, limit_, refs_);\n"
    "    return ${name}_write_delta_(&w_, base_, v_) ? w_.bit : PKT_FAILED;\n"
    "}\n"
    "\n"
    "uint64_t ${name}_read_delta_body(const void *base_, void *v_, const uint8_t *data_, uint64_t limit_, pkt_refs "
    "*refs_)\n"
    "{\n"
    "    pkt_reader r_;\n"
    "    pkt_body_reader(&r_, data_, limit_, refs_);\n"
    "    return ${name}_read_delta_(&r_, base_, v_) ? r_.bit : PKT_FAILED;\n"
    "}\n"
    "\n";

/* The same for a packet whose delta consists of rows: it is faster if it is compiled for a known first bit. */
static const char delta_bodies_at_start[] =
    "uint64_t ${name}_write_delta_body(const void *base_, const void *v_, uint8_t *data_, uint64_t limit_, pkt_refs "
    "*refs_)\n"
    "{\n"
    "    pkt_cursor c_;\n"
    "    if (!base_) {\n"
    "        pkt_writer w_;\n"
    "        pkt_body_writer(&w_, data_, limit_, refs_);\n"
    "        return ${name}_delta_write_blank(&w_, (const $name *)v_) ? w_.bit : PKT_FAILED;\n"
    "    }\n"
    "    pkt_cursor_init(&c_, data_, NULL, 0, limit_, 0, NULL);\n"
    "    return ${name}_delta(PKT_WRITE, &c_, (const $name *)base_, (const $name *)v_, NULL) ? c_.bit : PKT_FAILED;\n"
    "}\n"
    "\n"
    "uint64_t ${name}_read_delta_body(const void *base_, void *v_, const uint8_t *data_, uint64_t limit_, pkt_refs "
    "*refs_)\n"
    "{\n"
    "    pkt_cursor c_;\n"
    "    if (!base_) {\n"
    "        pkt_reader r_;\n"
    "        pkt_body_reader(&r_, data_, limit_, refs_);\n"
    "        return ${name}_delta_read_blank(&r_, ($name *)v_) ? r_.bit : PKT_FAILED;\n"
    "    }\n"
    "    pkt_cursor_init(&c_, NULL, data_, 0, limit_, 0, NULL);\n"
    "    $copy;\n"
    "    return ${name}_delta(PKT_READ, &c_, (const $name *)base_, (const $name *)v_, ($name *)v_) ? c_.bit : "
    "PKT_FAILED;\n"
    "}\n"
    "\n";

/* The lines of a template about one type. */
static const char *out_text_of(emitter *e, const char *lines, const char *name)
{
    out *whole = e->out;
    size_t size;
    e->out = out_new(e->arena);
    out_put(e->out, lines, "name", name, NULL);
    const char *text = out_result(e->out, &size);
    e->out = whole;
    return text;
}

/* A start value is checked like a baseline. Lists make a type one that can be unsound. */
static const char *spell_start_check(const emitter *e, const decl *d, const char *stream)
{
    const char *name = spell_decl(e, d);
    return d->starts ? arena_printf(e->arena,
                                    "    const %s *const start_ = (const %s *)pkt_start_of(%s->part, &%s_type_);\n"
                                    "    if (start_ && start_ != old_ && !%s_sound(start_))\n"
                                    "        return false;\n",
                                    name, name, stream, name, name)
                     : "";
}

void emit_delta_streams(emitter *e, const delta_plan *p)
{
    const wire_type *t = p->type;
    const decl *d = t->decl;
    const char *name = spell_decl(e, d), *motion = d->predicts ? "motion_ ? &motion_->of : NULL" : "NULL",
               *to = arena_printf(e->arena, "(%s *)v_", name), *unsound = "";
    if (t->can_be_unsound)
        unsound = arena_printf(e->arena, "!%s_sound(", name);
    if (d->predicts) {
        out_put(e->out, expect, "name", name, "coding",
                t->moves ? "    const pkt_coding k_ = pkt_coding_of(base_, &motion_->of);\n" : "", "copy",
                spell_copy(e, d, "to_", "base_"), "move", spell_expected_moves(e, t), NULL);
        emit_explain_predicted(e, t, unsound);
    }
    out_put(e->out, delta_streams, "name", name, "old", out_text_of(e, d->predicts ? old_of_motion : old_itself, name),
            "check",
            t->can_be_unsound
                ? arena_printf(e->arena, "    if (old_ && !%s_sound(old_))\n        return false;\n", name)
                : "",
            "check_of_writer", spell_start_check(e, d, "w_"), "check_of_reader", spell_start_check(e, d, "r_"), "write",
            d->holds_coded ? arena_printf(e->arena, "pkt_write_coded(w_, old_, %s, v_, %s_delta_put_)", motion, name)
                           : arena_printf(e->arena, "%s_delta_write(w_, old_, (const %s *)v_)", name, name),
            "read",
            d->holds_coded ? arena_printf(e->arena, "pkt_read_coded(r_, old_, %s, v_, %s_delta_get_)", motion, name)
                           : arena_printf(e->arena, "%s_delta_read(r_, old_, (%s *)v_)", name, name),
            "in_order",
            holds_inner_after(d) ? arena_printf(e->arena, " && pkt_value_in_order(&%s_type_, v_)", name) : "", "copy",
            d->predicts ? arena_printf(e->arena, "%s_expected(motion_, %s)", name, to) : spell_copy(e, d, to, "old_"),
            NULL);
    if (d->packet && is_in_rows(p))
        out_put(e->out, delta_bodies_at_start, "name", name, "copy",
                spell_copy(e, d, to, arena_printf(e->arena, "(const %s *)base_", name)), NULL);
    else if (d->packet)
        out_put(e->out, delta_bodies, "name", name, NULL);
    out_put(e->out, "const pkt_explanation ${name}_delta_explanation = {&${name}_type_, $explain};\n\n", "name", name,
            "explain",
            d->predicts      ? arena_printf(e->arena, "%s_explain_", name)
            : d->holds_coded ? "pkt_explain_coded_delta"
                             : "pkt_explain_delta",
            NULL);
}
