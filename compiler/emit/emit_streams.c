/* emit_streams.c - the functions a program calls: T_write, T_read, T_measure over streams, T_pack, T_unpack over buffers.
 * SPDX-License-Identifier: MIT
 *
 * They are the same for every type but for its name: templates, which call what runtime/pkt_frame.h has.
 */
#include "emit/emit_internal.h"

#include "pkt.h"

#include <inttypes.h>
#include <string.h>

/* CRC-32 of the 8 bytes of the protocol id, little-endian, and of the packet's name. */
static uint32_t crc_start(const emitter *e, const decl *d)
{
    unsigned char id[8];
    for (unsigned i = 0; i < 8; i++)
        id[i] = (unsigned char)(e->schema->id >> 8 * i);
    return pkt_crc32(pkt_crc32(0, id, sizeof id), d->name, strlen(d->name));
}

/* ---- streams: the unified function in one mode each. Other types call these, too, and then say themselves what is wrong. */

static const char explain[] = "bool ${name}_explain(pkt_cursor *c, const void *in, void *out)\n"
                              "{\n"
                              "    return ${name}_serialize(PKT_EXPLAIN, c, (const $name *)in, ($name *)out);\n"
                              "}\n"
                              "\n";

/* $or_blank_...: of a type that a baseline may lack, what to do then. */
static const char delta_instances[] =
    "static bool ${name}_delta_write(pkt_writer *w, const $name *base, const $name *v)\n"
    "{\n"
    "$or_blank_write"
    "    pkt_cursor c = pkt_writer_enter(w);\n"
    "    if (${name}_delta(PKT_WRITE, &c, base, v, NULL))\n"
    "        return pkt_writer_leave(w, &c);\n"
    "    return pkt_writer_back(w, &c);\n"
    "}\n"
    "\n"
    "static bool ${name}_delta_read(pkt_reader *r, const $name *base, $name *v)\n"
    "{\n"
    "$or_blank_read"
    "    pkt_cursor c = pkt_reader_enter(r);\n"
    "    ${name}_copy(v, base);\n"
    "    if (${name}_delta(PKT_READ, &c, base, v, v))\n"
    "        return pkt_delta_reader_leave(r, &c);\n"
    "    return pkt_reader_back(r, &c);\n"
    "}\n"
    "\n"
    "static uint64_t ${name}_delta_measure(const $name *base, const $name *v, uint64_t bit)\n"
    "{\n"
    "$or_blank_measure"
    "    pkt_cursor c = pkt_measure_cursor(bit);\n"
    "    return ${name}_delta(PKT_MEASURE, &c, base, v, NULL) ? c.bit : PKT_FAILED;\n"
    "}\n"
    "\n"
    "static PKT_COLD PKT_NOINLINE bool ${name}_delta_explain(pkt_cursor *c, const $name *base, const $name *in, $name *out)\n"
    "{\n"
    "$or_blank_explain"
    "    if (out != NULL)\n"
    "        ${name}_copy(out, base);\n"
    "    return ${name}_delta(PKT_EXPLAIN, c, base, in, out);\n"
    "}\n"
    "\n";

/* Where the baseline lacks a value, its delta is against base values. Only then is there a value of these on the stack. */
static const char delta_blank_prototypes[] =
    "static PKT_NOINLINE bool ${name}_delta_write_blank(pkt_writer *w, const $name *v);\n"
    "static PKT_NOINLINE bool ${name}_delta_read_blank(pkt_reader *r, $name *v);\n"
    "static PKT_NOINLINE uint64_t ${name}_delta_measure_blank(const $name *v, uint64_t bit);\n"
    "static PKT_COLD PKT_NOINLINE bool ${name}_delta_explain_blank(pkt_cursor *c, const $name *in, $name *out);\n"
    "\n";

static const char delta_blanks[] =
    "static PKT_NOINLINE bool ${name}_delta_write_blank(pkt_writer *w, const $name *v)\n"
    "{\n"
    "    $name blank;\n"
    "    return ${name}_delta_write(w, PKT_BLANK($name, &blank), v);\n"
    "}\n"
    "\n"
    "static PKT_NOINLINE bool ${name}_delta_read_blank(pkt_reader *r, $name *v)\n"
    "{\n"
    "    $name blank;\n"
    "    return ${name}_delta_read(r, PKT_BLANK($name, &blank), v);\n"
    "}\n"
    "\n"
    "static PKT_NOINLINE uint64_t ${name}_delta_measure_blank(const $name *v, uint64_t bit)\n"
    "{\n"
    "    $name blank;\n"
    "    return ${name}_delta_measure(PKT_BLANK($name, &blank), v, bit);\n"
    "}\n"
    "\n"
    "static PKT_COLD PKT_NOINLINE bool ${name}_delta_explain_blank(pkt_cursor *c, const $name *in, $name *out)\n"
    "{\n"
    "    $name blank;\n"
    "    return ${name}_delta_explain(c, PKT_BLANK($name, &blank), in, out);\n"
    "}\n"
    "\n";

static const char delta_differs[] =
    "static PKT_NOINLINE bool ${name}_delta_differs_blank(const $name *v)\n"
    "{\n"
    "    $name blank;\n"
    "    return !${name}_equal(v, PKT_BLANK($name, &blank));\n"
    "}\n"
    "\n"
    "PKT_INLINE bool ${name}_delta_differs(const $name *v, const $name *old)\n"
    "{\n"
    "    return old == NULL ? ${name}_delta_differs_blank(v) : !${name}_equal(v, old);\n"
    "}\n"
    "\n";

void emit_delta_instances(emitter *e, const wire_type *t, delta_use use)
{
    const char *name = spell_decl(e, t->decl);
    const bool blank = use >= DELTA_OR_BLANK;
    if (blank)
        out_put(e->out, delta_blank_prototypes, "name", name, NULL);
#define OR_BLANK(arguments) \
    blank ? arena_printf(e->arena, "    if (base == NULL)\n        return %s_delta_" arguments ";\n", name) : ""
    out_put(e->out, delta_instances, "name", name, "or_blank_write", OR_BLANK("write_blank(w, v)"), "or_blank_read",
            OR_BLANK("read_blank(r, v)"), "or_blank_measure", OR_BLANK("measure_blank(v, bit)"), "or_blank_explain",
            OR_BLANK("explain_blank(c, in, out)"), NULL);
#undef OR_BLANK
    if (blank)
        out_put(e->out, delta_blanks, "name", name, NULL);
    if (use == DELTA_COMPARED)
        out_put(e->out, delta_differs, "name", name, NULL);
}

/* $is_ready: whether the stream has failed before, which a type that may have no bit would not notice. The others differ where a
 * type calls others. */
static const char streams[] = "bool ${name}_write(pkt_writer *w, const $name *v)\n"
                              "{\n"
                              "    pkt_cursor c = $writer_cursor;\n"
                              "    if (${writer_is_ready}${name}_serialize(PKT_WRITE, &c, v, NULL))\n"
                              "        return $writer_ends;\n"
                              "$writer_back"
                              "    if (w->grows && pkt_writer_make_room(w, ${name}_measure(v, w->bit)))\n"
                              "        return ${name}_write(w, v);\n"
                              "    return pkt_write_failed(w, v, ${name}_explain, \"$plain\");\n"
                              "}\n"
                              "\n"
                              "bool ${name}_read(pkt_reader *r, $name *v)\n"
                              "{\n"
                              "    pkt_cursor c = $reader_cursor;\n"
                              "    if (${reader_is_ready}${name}_serialize(PKT_READ, &c, v, v))\n"
                              "        return $reader_ends;\n"
                              "$reader_back"
                              "    return pkt_read_failed(r, v, ${name}_explain, \"$plain\");\n"
                              "}\n"
                              "\n"
                              "uint64_t ${name}_measure(const $name *v, uint64_t start_bit)\n"
                              "{\n"
                              "    pkt_cursor c = pkt_measure_cursor(start_bit);\n"
                              "    return pkt_measured(start_bit, "
                              "${name}_serialize(PKT_MEASURE, &c, v, NULL) ? c.bit : PKT_FAILED);\n"
                              "}\n"
                              "\n";

static void emit_type_streams(emitter *e, const plan *p)
{
    const wire_type *t = p->type;
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, explain, "name", name, NULL);
    out_put(e->out, streams, "name", name, "plain", t->decl->name, "writer_is_ready",
            t->least == 0 ? "w->error.code == PKT_OK && " : "", "reader_is_ready",
            t->least == 0 ? "r->error.code == PKT_OK && " : "", "writer_cursor",
            p->calls ? "pkt_writer_enter(w)" : "pkt_writer_cursor(w)", "reader_cursor",
            p->calls ? "pkt_reader_enter(r)" : "pkt_reader_cursor(r)", "writer_ends",
            p->calls ? "pkt_writer_leave(w, &c)" : "pkt_writer_advance(w, &c)", "reader_ends",
            p->calls ? "pkt_reader_leave(r, &c)" : "pkt_reader_advance(r, &c)", "writer_back",
            p->calls ? "    pkt_writer_back(w, &c);\n" : "", "reader_back",
            p->calls ? "    pkt_reader_back(r, &c);\n" : "", NULL);
}

/* A delta is against a baseline that can be written, because nothing can be equal to one that cannot, or against none. */
static const char delta_streams[] =
    "static bool ${name}_sound(const $name *base)\n"
    "{\n"
    "    return ${name}_same(base, base);\n"
    "}\n"
    "\n"
    "static PKT_COLD bool ${name}_explain_delta(pkt_cursor *c, const void *base, const void *in, void *out)\n"
    "{\n"
    "    if (base != NULL && !${name}_sound((const $name *)base))\n"
    "        return pkt_baseline_failed(c, base, ${name}_explain);\n"
    "    return ${name}_delta_explain(c, (const $name *)base, (const $name *)in, ($name *)out);\n"
    "}\n"
    "\n"
    "PKT_INLINE bool ${name}_write_delta_at(pkt_writer *w, const $name *base, const $name *v)\n"
    "{\n"
    "    return (base == NULL || ${name}_sound(base)) && ${name}_delta_write(w, base, v);\n"
    "}\n"
    "\n"
    "PKT_INLINE bool ${name}_read_delta_at(pkt_reader *r, const $name *base, $name *v)\n"
    "{\n"
    "    return (base == NULL || ${name}_sound(base)) && ${name}_delta_read(r, base, v);\n"
    "}\n"
    "\n"
    "bool ${name}_write_delta(pkt_writer *w, const $name *base, const $name *v)\n"
    "{\n"
    "    if (w->error.code == PKT_OK && ${name}_write_delta_at(w, base, v))\n"
    "        return true;\n"
    "    if (w->grows && pkt_writer_make_room(w, ${name}_measure_delta(base, v, w->bit)))\n"
    "        return ${name}_write_delta(w, base, v);\n"
    "    return pkt_write_delta_failed(w, base, v, ${name}_explain_delta, \"$plain\");\n"
    "}\n"
    "\n"
    "bool ${name}_read_delta(pkt_reader *r, const $name *base, $name *v)\n"
    "{\n"
    "    if (r->error.code == PKT_OK && ${name}_read_delta_at(r, base, v))\n"
    "        return true;\n"
    "    return pkt_read_delta_failed(r, base, v, ${name}_explain_delta, \"$plain\");\n"
    "}\n"
    "\n"
    "uint64_t ${name}_measure_delta(const $name *base, const $name *v, uint64_t start_bit)\n"
    "{\n"
    "    if (base != NULL && !${name}_sound(base))\n"
    "        return pkt_measured(start_bit, PKT_FAILED);\n"
    "    return pkt_measured(start_bit, ${name}_delta_measure(base, v, start_bit));\n"
    "}\n"
    "\n";

/* ---- packets. Of deltas $delta is "_delta", $base_parameter "const T *base, ", $base_argument "base, " and $base "base"; of
 * others the last is "NULL", the others nothing. */

static const char packet_description[] =
    "static const pkt_packet ${name}${delta}_packet = {\"$plain\", $explain, $explain_delta, $crc, $end, $has_end};\n"
    "\n";

/* A body from the first bit of data on: its bits, or PKT_FAILED. $refs: of packets with refs a parameter; $set_refs: its use. */
static const char bodies[] =
    "static uint64_t ${name}_write${delta}_body(${base_parameter}const $name *v, uint8_t *data, uint64_t limit$refs)\n"
    "{\n"
    "    pkt_writer w;\n"
    "    pkt_body_writer(&w, data, limit);\n"
    "$set_writer_refs"
    "    return ${name}_write$delta$at(&w, ${base_argument}v) ? w.bit : PKT_FAILED;\n"
    "}\n"
    "\n"
    "static uint64_t ${name}_read${delta}_body(${base_parameter}$name *v, const uint8_t *data, uint64_t limit$refs)\n"
    "{\n"
    "    pkt_reader r;\n"
    "    pkt_body_reader(&r, data, limit);\n"
    "$set_reader_refs"
    "    return ${name}_read$delta$at(&r, ${base_argument}v) ? r.bit : PKT_FAILED;\n"
    "}\n"
    "\n";

/* The same of a packet that gains by it that the first bit is known: an instance of its own. Of a small one it is where it is
 * called. */
static const char bodies_at_start[] =
    "$linkage uint64_t ${name}_write_body(const $name *v, uint8_t *data, uint64_t limit$refs)\n"
    "{\n"
    "    pkt_writer w;\n"
    "    pkt_cursor c;\n"
    "    pkt_body_writer(&w, data, limit);\n"
    "$set_writer_refs"
    "    c = pkt_writer_start(&w);\n"
    "    return ${name}_serialize(PKT_WRITE, &c, v, NULL) ? c.bit : PKT_FAILED;\n"
    "}\n"
    "\n"
    "$linkage uint64_t ${name}_read_body($name *v, const uint8_t *data, uint64_t limit$refs)\n"
    "{\n"
    "    pkt_reader r;\n"
    "    pkt_cursor c;\n"
    "    pkt_body_reader(&r, data, limit);\n"
    "$set_reader_refs"
    "    c = pkt_reader_start(&r);\n"
    "    return ${name}_serialize(PKT_READ, &c, v, v) ? c.bit : PKT_FAILED;\n"
    "}\n"
    "\n";

static const char packets[] =
    "size_t ${name}_pack$delta(${base_parameter}const $name *v, void *data, size_t size)\n"
    "{\n"
    "    const uint64_t limit = pkt_size_bits(data, size);\n"
    "    if (limit < 32)\n"
    "        return 0;\n"
    "    return $pack_end((uint8_t *)data, limit,\n"
    "                        ${name}_write${delta}_body(${base_argument}v, (uint8_t *)data + 4, limit - 32), $crc$end_argument);\n"
    "}\n"
    "\n"
    "size_t ${name}_pack${delta}_body(${base_parameter}const $name *v, void *data, size_t size)\n"
    "{\n"
    "    return pkt_body_bytes(${name}_write${delta}_body(${base_argument}v, (uint8_t *)data, pkt_size_bits(data, size)));\n"
    "}\n"
    "\n"
    "bool ${name}_unpack$delta(${base_parameter}$name *v, const void *data, size_t size)\n"
    "{\n"
    "    const uint64_t limit = pkt_size_bits(data, size);\n"
    "    if (pkt_unpack_crc((const uint8_t *)data, limit, $crc) &&\n"
    "        $unpack_end((const uint8_t *)data, limit,\n"
    "                       ${name}_read${delta}_body(${base_argument}v, (const uint8_t *)data + 4, limit - 32)$end_argument))\n"
    "        return true;\n"
    "    return pkt_unpack_failed(&${name}${delta}_packet, $base, v, data, size, NULL, NULL);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack${delta}_body(${base_parameter}$name *v, const void *data, size_t size)\n"
    "{\n"
    "    const uint64_t limit = pkt_size_bits(data, size);\n"
    "    if (pkt_body_ends((const uint8_t *)data, limit,\n"
    "                      ${name}_read${delta}_body(${base_argument}v, (const uint8_t *)data, limit)))\n"
    "        return true;\n"
    "    return pkt_unpack_body_failed(&${name}${delta}_packet, $base, v, data, size, NULL, NULL);\n"
    "}\n"
    "\n";

/* $form: "" in a frame, "_body" without. */
static const char packets_with_errors[] =
    "size_t ${name}_pack${delta}${form}_error(${base_parameter}const $name *v, void *data, size_t size, pkt_error *error)\n"
    "{\n"
    "    size_t packed = ${name}_pack${delta}$form(${base_argument}v, data, size);\n"
    "    return pkt_packed$form(packed, &${name}${delta}_packet, $base, v, data, size, NULL, error);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack${delta}${form}_error(${base_parameter}$name *v, const void *data, size_t size, pkt_error *error)\n"
    "{\n"
    "    if (${name}_unpack${delta}$form(${base_argument}v, data, size))\n"
    "        return pkt_no_error(error);\n"
    "    return pkt_unpack${form}_failed(&${name}${delta}_packet, $base, v, data, size, NULL, error);\n"
    "}\n"
    "\n";

static const char packets_with_refs[] =
    "size_t ${name}_pack${delta}_refs(${base_parameter}const $name *v, void *data, size_t size, pkt_refs *refs, pkt_error *error)\n"
    "{\n"
    "    const uint64_t limit = pkt_size_bits(data, size);\n"
    "    size_t packed = 0;\n"
    "    if (limit >= 32)\n"
    "        packed = $pack_end((uint8_t *)data, limit,\n"
    "                              ${name}_write${delta}_body(${base_argument}v, (uint8_t *)data + 4, limit - 32, refs),\n"
    "                              $crc$end_argument);\n"
    "    return pkt_packed(packed, &${name}${delta}_packet, $base, v, data, size, refs, error);\n"
    "}\n"
    "\n"
    "size_t ${name}_pack${delta}_body_refs(${base_parameter}const $name *v, void *data, size_t size, pkt_refs *refs, pkt_error *error)\n"
    "{\n"
    "    size_t packed =\n"
    "        pkt_body_bytes(${name}_write${delta}_body(${base_argument}v, (uint8_t *)data, pkt_size_bits(data, size), refs));\n"
    "    return pkt_packed_body(packed, &${name}${delta}_packet, $base, v, data, size, refs, error);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack${delta}_refs(${base_parameter}$name *v, const void *data, size_t size, pkt_refs *refs, pkt_error *error)\n"
    "{\n"
    "    const uint64_t limit = pkt_size_bits(data, size);\n"
    "    if (pkt_unpack_crc((const uint8_t *)data, limit, $crc) &&\n"
    "        $unpack_end((const uint8_t *)data, limit,\n"
    "                       ${name}_read${delta}_body(${base_argument}v, (const uint8_t *)data + 4, limit - 32, refs)$end_argument))\n"
    "        return pkt_no_error(error);\n"
    "    return pkt_unpack_failed(&${name}${delta}_packet, $base, v, data, size, refs, error);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack${delta}_body_refs(${base_parameter}$name *v, const void *data, size_t size, pkt_refs *refs, pkt_error *error)\n"
    "{\n"
    "    const uint64_t limit = pkt_size_bits(data, size);\n"
    "    if (pkt_body_ends((const uint8_t *)data, limit,\n"
    "                      ${name}_read${delta}_body(${base_argument}v, (const uint8_t *)data, limit, refs)))\n"
    "        return pkt_no_error(error);\n"
    "    return pkt_unpack_body_failed(&${name}${delta}_packet, $base, v, data, size, refs, error);\n"
    "}\n"
    "\n";

/* Of a packet with refs: without callbacks, with an error and without. */
static const char packets_without_refs[] =
    "size_t ${name}_pack${delta}$form(${base_parameter}const $name *v, void *data, size_t size)\n"
    "{\n"
    "    return ${name}_pack${delta}${form}_refs(${base_argument}v, data, size, NULL, NULL);\n"
    "}\n"
    "\n"
    "size_t ${name}_pack${delta}${form}_error(${base_parameter}const $name *v, void *data, size_t size, pkt_error *error)\n"
    "{\n"
    "    return ${name}_pack${delta}${form}_refs(${base_argument}v, data, size, NULL, error);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack${delta}$form(${base_parameter}$name *v, const void *data, size_t size)\n"
    "{\n"
    "    return ${name}_unpack${delta}${form}_refs(${base_argument}v, data, size, NULL, NULL);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack${delta}${form}_error(${base_parameter}$name *v, const void *data, size_t size, pkt_error *error)\n"
    "{\n"
    "    return ${name}_unpack${delta}${form}_refs(${base_argument}v, data, size, NULL, error);\n"
    "}\n"
    "\n";

static void emit_packet(emitter *e, const wire_type *t, body_plan body, bool delta)
{
    static const char *const forms[] = {"", "_body"};
    const char *name = spell_decl(e, t->decl), *which = delta ? "_delta" : "", *base = delta ? "base" : "NULL",
               *base_parameter = delta ? arena_printf(e->arena, "const %s *base, ", name) : "",
               *base_argument = delta ? "base, " : "", *crc = spell_hexadecimal(e, crc_start(e, t->decl)),
               *end = e->schema->checks ? spell_hexadecimal(e, t->end_check) : "0";
    out_put(e->out, packet_description, "name", name, "delta", which, "plain", t->decl->name, "explain",
            delta ? "NULL" : arena_printf(e->arena, "%s_explain", name), "explain_delta",
            delta ? arena_printf(e->arena, "%s_explain_delta", name) : "NULL", "crc", crc, "end", end, "has_end",
            e->schema->checks ? "true" : "false", NULL);
    out_put(e->out, body == BODY_STREAM ? bodies : bodies_at_start, "name", name, "delta", which, "at",
            delta ? "_at" : "", "base_parameter", base_parameter, "base_argument", base_argument, "linkage",
            body == BODY_INLINE ? "PKT_INLINE" : "static", "refs", t->has_refs ? ", pkt_refs *refs" : "",
            "set_writer_refs", t->has_refs ? "    pkt_writer_set_refs(&w, refs);\n" : "", "set_reader_refs",
            t->has_refs ? "    pkt_reader_set_refs(&r, refs);\n" : "", NULL);
    out_put(e->out, t->has_refs ? packets_with_refs : packets, "name", name, "delta", which, "base_parameter",
            base_parameter, "base_argument", base_argument, "base", base, "crc", crc, "pack_end",
            e->schema->checks ? "pkt_pack_end" : "pkt_pack_end_unchecked", "unpack_end",
            e->schema->checks ? "pkt_unpack_end" : "pkt_unpack_end_unchecked", "end_argument",
            e->schema->checks ? arena_printf(e->arena, ", %s", end) : "", NULL);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        out_put(e->out, t->has_refs ? packets_without_refs : packets_with_errors, "name", name, "delta", which,
                "base_parameter", base_parameter, "base_argument", base_argument, "base", base, "form", forms[i], NULL);
}

void emit_streams(emitter *e, const plan *p)
{
    emit_type_streams(e, p);
    if (p->type->decl->packet)
        emit_packet(e, p->type, p->body, false);
}

void emit_delta_streams(emitter *e, const wire_type *t)
{
    out_put(e->out, delta_streams, "name", spell_decl(e, t->decl), "plain", t->decl->name, NULL);
    if (t->decl->packet)
        emit_packet(e, t, BODY_STREAM, true);
}
