/* emit_delta_streams.c - the functions a program calls for deltas: T_write_delta, T_read_delta, T_measure_delta,
 * T_pack_delta, T_unpack_delta.
 * SPDX-License-Identifier: MIT
 *
 * They are the way in to T_delta: a baseline that is missing is made of base values, one that cannot be written is refused
 * before anything else, for otherwise both sides could not tell what is equal to it.
 */
#include "emit_internal.h"

#include <inttypes.h>

static const char streams[] =
    "/* Goes over a delta field by field, for the first thing wrong; over the baseline before. */\n"
    "static PKT_COLD PKT_NOINLINE bool ${name}_delta_failed(pkt_cursor *c, const $name *base, const $name *in, $name *out)\n"
    "{\n"
    "    $name blank;\n"
    "    pkt_cursor baseline;\n"
    "    if (base == NULL) return ${name}_delta_explain(c, PKT_BLANK($name, &blank), in, out);\n"
    "    if (${name}_equal(base, base)) return ${name}_delta_explain(c, base, in, out);\n"
    "    baseline = pkt_baseline_explain(c);\n"
    "    (void)${name}_explain(&baseline, base, NULL);\n"
    "    return pkt_baseline_explained(&baseline, c);\n"
    "}\n"
    "\n"
    "static PKT_COLD PKT_NOINLINE bool ${name}_write_delta_failed(pkt_writer *w, const $name *base, const $name *v)\n"
    "{\n"
    "    pkt_cursor cursor;\n"
    "    uint64_t bits;\n"
    "    if (w->error.code != PKT_OK) return false;\n"
    "    bits = ${name}_measure_delta(base, v, w->bit);\n"
    "    if (bits > pkt_writer_bits_left(w) && pkt_writer_grow(w, bits)) return ${name}_write_delta(w, base, v);\n"
    "    cursor = pkt_writer_explain(w);\n"
    "    (void)${name}_delta_failed(&cursor, base, v, NULL);\n"
    "    return pkt_writer_explained(w, &cursor, \"$plain\");\n"
    "}\n"
    "\n"
    "bool ${name}_write_delta(pkt_writer *w, const $name *base, const $name *v)\n"
    "{\n"
    "    $name blank;\n"
    "    const $name *from = base != NULL ? base : PKT_BLANK($name, &blank);\n"
    "    pkt_cursor cursor = pkt_writer_cursor(w);\n"
    "    if (w->error.code != PKT_OK || (base != NULL && !${name}_equal(base, base)) || !${name}_delta_write(&cursor, from, v))\n"
    "        return ${name}_write_delta_failed(w, base, v);\n"
    "    pkt_writer_advance(w, &cursor);\n"
    "    return true;\n"
    "}\n"
    "\n"
    "static PKT_COLD PKT_NOINLINE bool ${name}_read_delta_failed(pkt_reader *r, const $name *base, $name *v)\n"
    "{\n"
    "    pkt_cursor cursor;\n"
    "    if (r->error.code != PKT_OK) return false;\n"
    "    cursor = pkt_reader_explain(r);\n"
    "    (void)${name}_delta_failed(&cursor, base, v, v);\n"
    "    return pkt_reader_explained(r, &cursor, \"$plain\");\n"
    "}\n"
    "\n"
    "bool ${name}_read_delta(pkt_reader *r, const $name *base, $name *v)\n"
    "{\n"
    "    $name blank;\n"
    "    const $name *from = base != NULL ? base : PKT_BLANK($name, &blank);\n"
    "    pkt_cursor cursor = pkt_reader_cursor(r);\n"
    "    if (r->error.code != PKT_OK || (base != NULL && !${name}_equal(base, base)) || !${name}_delta_read(&cursor, from, v))\n"
    "        return ${name}_read_delta_failed(r, base, v);\n"
    "    pkt_reader_advance(r, &cursor);\n"
    "    return true;\n"
    "}\n"
    "\n"
    "uint64_t ${name}_measure_delta(const $name *base, const $name *v, uint64_t start_bit)\n"
    "{\n"
    "    $name blank;\n"
    "    pkt_cursor cursor = pkt_measure_cursor(start_bit);\n"
    "    if (base == NULL) base = PKT_BLANK($name, &blank);\n"
    "    return ${name}_delta_measure(&cursor, base, v) ? cursor.bit - start_bit : 0;\n"
    "}\n"
    "\n";

static const char packets[] =
    "static PKT_COLD PKT_NOINLINE size_t ${name}_pack_delta_failed(const $name *base, const $name *v, void *data, size_t size,\n"
    "                                                              pkt_error *error)\n"
    "{\n"
    "    pkt_error unasked;\n"
    "    pkt_cursor start = pkt_pack_cursor(data, size);\n"
    "    pkt_cursor cursor = pkt_pack_explain(&start, error != NULL ? error : &unasked);\n"
    "    if (pkt_pack_explain_begin(&cursor) && ${name}_delta_failed(&cursor, base, v, NULL)$end_explain)\n"
    "        (void)pkt_explain_fail(&cursor, PKT_ERROR_VALUE, cursor.bit, \"\");\n"
    "    pkt_error_outer(cursor.error, \"$plain\");\n"
    "    return 0;\n"
    "}\n"
    "\n"
    "size_t ${name}_pack_delta_error(const $name *base, const $name *v, void *data, size_t size, pkt_error *error)\n"
    "{\n"
    "    $name blank;\n"
    "    const $name *from = base != NULL ? base : PKT_BLANK($name, &blank);\n"
    "    size_t packed = 0;\n"
    "    pkt_cursor cursor = pkt_pack_cursor(data, size);\n"
    "    if ((base == NULL || ${name}_equal(base, base)) && ${name}_delta_write(&cursor, from, v)$end_write)\n"
    "        packed = pkt_pack_finish(&cursor, ${name}_CRC_START);\n"
    "    if (packed == 0) return ${name}_pack_delta_failed(base, v, data, size, error);\n"
    "    if (error != NULL) memset(error, 0, sizeof *error);\n"
    "    return packed;\n"
    "}\n"
    "\n"
    "size_t ${name}_pack_delta(const $name *base, const $name *v, void *data, size_t size)\n"
    "{\n"
    "    return ${name}_pack_delta_error(base, v, data, size, NULL);\n"
    "}\n"
    "\n"
    "static PKT_COLD PKT_NOINLINE bool ${name}_unpack_delta_failed(const $name *base, $name *v, const void *data, size_t size,\n"
    "                                                              pkt_error *error)\n"
    "{\n"
    "    pkt_error unasked;\n"
    "    pkt_cursor start = pkt_unpack_cursor(data, size);\n"
    "    pkt_cursor cursor = pkt_unpack_explain(&start, error != NULL ? error : &unasked);\n"
    "    if (pkt_unpack_explain_begin(&cursor, ${name}_CRC_START) && ${name}_delta_failed(&cursor, base, v, v)$end_explain)\n"
    "        (void)pkt_unpack_explain_finish(&cursor);\n"
    "    pkt_error_outer(cursor.error, \"$plain\");\n"
    "    return false;\n"
    "}\n"
    "\n"
    "bool ${name}_unpack_delta_error(const $name *base, $name *v, const void *data, size_t size, pkt_error *error)\n"
    "{\n"
    "    $name blank;\n"
    "    const $name *from = base != NULL ? base : PKT_BLANK($name, &blank);\n"
    "    pkt_cursor cursor = pkt_unpack_cursor(data, size);\n"
    "    if (!pkt_unpack_begin(&cursor, ${name}_CRC_START) || (base != NULL && !${name}_equal(base, base))\n"
    "        || !${name}_delta_read(&cursor, from, v)$end_read || !pkt_unpack_finish(&cursor))\n"
    "        return ${name}_unpack_delta_failed(base, v, data, size, error);\n"
    "    if (error != NULL) memset(error, 0, sizeof *error);\n"
    "    return true;\n"
    "}\n"
    "\n"
    "bool ${name}_unpack_delta(const $name *base, $name *v, const void *data, size_t size)\n"
    "{\n"
    "    return ${name}_unpack_delta_error(base, v, data, size, NULL);\n"
    "}\n"
    "\n";

void emit_delta_streams(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    const char *check = arena_printf(e->arena, "0x%08" PRIx32 "u", t->end_check);
    bool checks = e->schema->checks;
    out_put(e->out, streams, "name", name, "plain", t->decl->name, NULL);
    if (!t->decl->packet) return;
    out_put(e->out, packets, "name", name, "plain", t->decl->name,
            "end_write", checks ? arena_printf(e->arena, " && pkt_end_check(PKT_WRITE, &cursor, %s)", check) : "",
            "end_read", checks ? arena_printf(e->arena, " || !pkt_end_check(PKT_READ, &cursor, %s)", check) : "",
            "end_explain", checks ? arena_printf(e->arena, "\n        && pkt_end_check(PKT_EXPLAIN, &cursor, %s)", check) : "",
            NULL);
}

static const char prototypes[] =
    "/* Deltas: base is what both sides have, NULL for base values; it is not v. */\n"
    "#define ${name}_DELTA_MAX_BITS $most\n"
    "bool ${name}_write_delta(pkt_writer *w, const $name *base, const $name *v);\n"
    "bool ${name}_read_delta(pkt_reader *r, const $name *base, $name *v);\n"
    "uint64_t ${name}_measure_delta(const $name *base, const $name *v, uint64_t start_bit);\n";

static const char packet_prototypes[] =
    "#define ${name}_DELTA_MAX_BYTES $bytes\n"
    "size_t ${name}_pack_delta(const $name *base, const $name *v, void *data, size_t size);\n"
    "bool ${name}_unpack_delta(const $name *base, $name *v, const void *data, size_t size);\n"
    "size_t ${name}_pack_delta_error(const $name *base, const $name *v, void *data, size_t size, pkt_error *error);\n"
    "bool ${name}_unpack_delta_error(const $name *base, $name *v, const void *data, size_t size, pkt_error *error);\n";

void emit_delta_prototypes(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    uint64_t framed = 32 + t->delta_most + (e->schema->checks ? 32 : 0);
    out_put(e->out, prototypes, "name", name, "most", cname_integer(e->arena, num_u64(t->delta_most), STORAGE_U64), NULL);
    if (t->decl->packet)
        out_put(e->out, packet_prototypes, "name", name, "bytes", spell_number(e, framed / 8 + (framed % 8 != 0)), NULL);
}
