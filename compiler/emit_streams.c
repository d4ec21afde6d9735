/* emit_streams.c - the functions a program calls: T_write, T_read, T_measure over streams, T_pack, T_unpack over buffers.
 * SPDX-License-Identifier: MIT
 *
 * Each is a thin instance of the unified body with a constant mode, and a cold way out that finds the reason.
 */
#include "emit_internal.h"

#include "pkt.h"

#include <inttypes.h>
#include <string.h>

static const char explain[] =
    "/* Goes over a $name field by field, for the first thing wrong. */\n"
    "PKT_COLD bool ${name}_explain(pkt_cursor *c, const $name *in, $name *out)\n"
    "{\n"
    "    return ${name}_serialize(PKT_EXPLAIN, c, in, out);\n"
    "}\n"
    "\n";

/* For types that are called by others: a copy of the cursor is worked on, for its address has left the caller. */
static const char instances[] =
    "bool ${name}_write_at(pkt_cursor *c, const $name *v)\n"
    "{\n"
    "    pkt_cursor cursor = pkt_cursor_of(c);\n"
    "    if (!${name}_serialize(PKT_WRITE, &cursor, v, NULL)) return false;\n"
    "    c->bit = cursor.bit;\n"
    "    c->carry = cursor.carry;\n"
    "    return true;\n"
    "}\n"
    "\n"
    "bool ${name}_read_at(pkt_cursor *c, $name *v)\n"
    "{\n"
    "    pkt_cursor cursor = pkt_cursor_of(c);\n"
    "    if (!${name}_serialize(PKT_READ, &cursor, v, v)) return false;\n"
    "    c->bit = cursor.bit;\n"
    "    return true;\n"
    "}\n"
    "\n"
    "bool ${name}_measure_at(pkt_cursor *c, const $name *v)\n"
    "{\n"
    "    pkt_cursor cursor = pkt_cursor_of(c);\n"
    "    if (!${name}_serialize(PKT_MEASURE, &cursor, v, NULL)) return false;\n"
    "    c->bit = cursor.bit;\n"
    "    return true;\n"
    "}\n"
    "\n";

static const char streams[] =
    "static PKT_COLD PKT_NOINLINE bool ${name}_write_failed(pkt_writer *w, const $name *v)\n"
    "{\n"
    "    pkt_cursor cursor;\n"
    "    uint64_t bits;\n"
    "    if (w->error.code != PKT_OK) return false;\n"
    "    bits = ${name}_measure(v, w->bit);\n"
    "    if (bits > pkt_writer_bits_left(w) && pkt_writer_grow(w, bits)) return ${name}_write(w, v);\n"
    "    cursor = pkt_writer_explain(w);\n"
    "    ${name}_explain(&cursor, v, NULL);\n"
    "    return pkt_writer_explained(w, &cursor, \"$plain\");\n"
    "}\n"
    "\n"
    "bool ${name}_write(pkt_writer *w, const $name *v)\n"
    "{\n"
    "    pkt_cursor cursor = pkt_writer_cursor(w);\n"
    "    if (${ready_w}!${name}_serialize(PKT_WRITE, &cursor, v, NULL)) return ${name}_write_failed(w, v);\n"
    "    pkt_writer_advance(w, &cursor);\n"
    "    return true;\n"
    "}\n"
    "\n"
    "static PKT_COLD PKT_NOINLINE bool ${name}_read_failed(pkt_reader *r, $name *v)\n"
    "{\n"
    "    pkt_cursor cursor;\n"
    "    if (r->error.code != PKT_OK) return false;\n"
    "    cursor = pkt_reader_explain(r);\n"
    "    ${name}_explain(&cursor, v, v);\n"
    "    return pkt_reader_explained(r, &cursor, \"$plain\");\n"
    "}\n"
    "\n"
    "bool ${name}_read(pkt_reader *r, $name *v)\n"
    "{\n"
    "    pkt_cursor cursor = pkt_reader_cursor(r);\n"
    "    if (${ready_r}!${name}_serialize(PKT_READ, &cursor, v, v)) return ${name}_read_failed(r, v);\n"
    "    pkt_reader_advance(r, &cursor);\n"
    "    return true;\n"
    "}\n"
    "\n"
    "uint64_t ${name}_measure(const $name *v, uint64_t start_bit)\n"
    "{\n"
    "    pkt_cursor cursor = pkt_measure_cursor(start_bit);\n"
    "    return ${name}_serialize(PKT_MEASURE, &cursor, v, NULL) ? cursor.bit - start_bit : 0;\n"
    "}\n"
    "\n";

static const char packets[] =
    "/* The CRC of the protocol id and \"$plain\": every packet's CRC starts from it. */\n"
    "#define ${name}_CRC_START $crc_start\n"
    "\n"
    "static PKT_COLD PKT_NOINLINE size_t ${name}_pack_failed(const $name *v, void *data, size_t size, pkt_error *error)\n"
    "{\n"
    "    pkt_error unasked;\n"
    "    pkt_cursor start = pkt_pack_cursor(data, size);\n"
    "    pkt_cursor cursor = pkt_pack_explain(&start, error != NULL ? error : &unasked);\n"
    "    if (pkt_pack_explain_begin(&cursor) && ${name}_explain(&cursor, v, NULL)$end_explain)\n"
    "        (void)pkt_explain_fail(&cursor, PKT_ERROR_VALUE, cursor.bit, \"\");\n"
    "    pkt_error_outer(cursor.error, \"$plain\");\n"
    "    return 0;\n"
    "}\n"
    "\n"
    "size_t ${name}_pack_error(const $name *v, void *data, size_t size, pkt_error *error)\n"
    "{\n"
    "    size_t packed = 0;\n"
    "    pkt_cursor cursor = pkt_pack_cursor(data, size);\n"
    "    if (${name}_serialize(PKT_WRITE, &cursor, v, NULL)$end_write) packed = pkt_pack_finish(&cursor, ${name}_CRC_START);\n"
    "    if (packed == 0) return ${name}_pack_failed(v, data, size, error);\n"
    "    if (error != NULL) memset(error, 0, sizeof *error);\n"
    "    return packed;\n"
    "}\n"
    "\n"
    "size_t ${name}_pack(const $name *v, void *data, size_t size)\n"
    "{\n"
    "    return ${name}_pack_error(v, data, size, NULL);\n"
    "}\n"
    "\n"
    "static PKT_COLD PKT_NOINLINE bool ${name}_unpack_failed($name *v, const void *data, size_t size, pkt_error *error)\n"
    "{\n"
    "    pkt_error unasked;\n"
    "    pkt_cursor start = pkt_unpack_cursor(data, size);\n"
    "    pkt_cursor cursor = pkt_unpack_explain(&start, error != NULL ? error : &unasked);\n"
    "    if (pkt_unpack_explain_begin(&cursor, ${name}_CRC_START) && ${name}_explain(&cursor, v, v)$end_explain)\n"
    "        (void)pkt_unpack_explain_finish(&cursor);\n"
    "    pkt_error_outer(cursor.error, \"$plain\");\n"
    "    return false;\n"
    "}\n"
    "\n"
    "bool ${name}_unpack_error($name *v, const void *data, size_t size, pkt_error *error)\n"
    "{\n"
    "    pkt_cursor cursor = pkt_unpack_cursor(data, size);\n"
    "    if (!pkt_unpack_begin(&cursor, ${name}_CRC_START) || !${name}_serialize(PKT_READ, &cursor, v, v)$end_read\n"
    "        || !pkt_unpack_finish(&cursor))\n"
    "        return ${name}_unpack_failed(v, data, size, error);\n"
    "    if (error != NULL) memset(error, 0, sizeof *error);\n"
    "    return true;\n"
    "}\n"
    "\n"
    "bool ${name}_unpack($name *v, const void *data, size_t size)\n"
    "{\n"
    "    return ${name}_unpack_error(v, data, size, NULL);\n"
    "}\n"
    "\n";

/* CRC-32 of the 8 bytes of the protocol id, little-endian, and of the packet's name. */
static uint32_t crc_start(const emitter *e, const decl *d)
{
    unsigned char id[8];
    for (unsigned i = 0; i < 8; i++) id[i] = (unsigned char)(e->schema->id >> 8 * i);
    return pkt_crc32(pkt_crc32(0, id, sizeof id), d->name, strlen(d->name));
}

static void emit_packet(emitter *e, const wire_type *t, const char *name)
{
    const char *check = arena_printf(e->arena, "0x%08" PRIx32 "u", t->end_check);
    bool checks = e->schema->checks;
    out_put(e->out, packets, "name", name, "plain", t->decl->name,
            "crc_start", arena_printf(e->arena, "0x%08" PRIx32 "u", crc_start(e, t->decl)),
            "end_write", checks ? arena_printf(e->arena, " && pkt_end_check(PKT_WRITE, &cursor, %s)", check) : "",
            "end_read", checks ? arena_printf(e->arena, " || !pkt_end_check(PKT_READ, &cursor, %s)", check) : "",
            "end_explain", checks ? arena_printf(e->arena, "\n        && pkt_end_check(PKT_EXPLAIN, &cursor, %s)", check) : "",
            NULL);
}

void emit_streams(emitter *e, const plan *p)
{
    const wire_type *t = p->type;
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, explain, "name", name, NULL);
    if (p->instanced) out_put(e->out, instances, "name", name, NULL);
    /* A type that needs no bit would not notice that the stream has failed. */
    out_put(e->out, streams, "name", name, "plain", t->decl->name,
            "ready_w", t->least == 0 ? "w->error.code != PKT_OK || " : "",
            "ready_r", t->least == 0 ? "r->error.code != PKT_OK || " : "", NULL);
    if (t->decl->packet) emit_packet(e, t, name);
}

static const char prototypes[] =
    "void ${name}_init($name *v);\n"
    "bool ${name}_write(pkt_writer *w, const $name *v);\n"
    "bool ${name}_read(pkt_reader *r, $name *v);\n"
    "uint64_t ${name}_measure(const $name *v, uint64_t start_bit);\n"
    "bool ${name}_equal(const $name *a, const $name *b);\n"
    "void ${name}_quantize($name *v);\n";

static const char packet_prototypes[] =
    "size_t ${name}_pack(const $name *v, void *data, size_t size);\n"
    "bool ${name}_unpack($name *v, const void *data, size_t size);\n"
    "size_t ${name}_pack_error(const $name *v, void *data, size_t size, pkt_error *error);\n"
    "bool ${name}_unpack_error($name *v, const void *data, size_t size, pkt_error *error);\n";

void emit_prototypes(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, "#define ${name}_MIN_BITS $least\n#define ${name}_MAX_BITS $most\n", "name", name,
            "least", spell_number(e, t->least), "most", cname_integer(e->arena, num_u64(t->most), STORAGE_U64), NULL);
    if (t->decl->packet)
        out_put(e->out, "#define ${name}_MAX_BYTES $bytes\n", "name", name,
                "bytes", spell_number(e, t->most_framed / 8 + (t->most_framed % 8 != 0)), NULL);
    out_put(e->out, prototypes, "name", name, NULL);
    if (t->decl->packet) out_put(e->out, packet_prototypes, "name", name, NULL);
    if (t->decl->delta) emit_delta_prototypes(e, t);
    out_put(e->out, "\n", NULL);
}
