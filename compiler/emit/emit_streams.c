/* emit_streams.c - the functions a program calls: T_write, T_read, T_measure over streams, T_pack, T_unpack over buffers.
 * SPDX-License-Identifier: MIT
 *
 * They are the same for every type but for its name, so their text stands in runtime/pkt_stream.h.
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

/* The macros that define functions of a type, as they are or for deltas. */
typedef struct definers {
    const char *streams, *packet, *packet_refs;
} definers;

static void emit_definitions(emitter *e, const wire_type *t, const definers *by)
{
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, "$define($name, \"$plain\")\n", "define", by->streams, "name", name, "plain", t->decl->name, NULL);
    if (t->decl->packet)
        out_put(e->out, "$define($name, \"$plain\", $crc, $end)\n", "define",
                t->has_refs ? by->packet_refs : by->packet, "name", name, "plain", t->decl->name, "crc",
                spell_hexadecimal(e, crc_start(e, t->decl)), "end",
                e->schema->checks ? arena_printf(e->arena, "pkt_end_check, %s", spell_hexadecimal(e, t->end_check))
                                  : "pkt_no_end_check, 0",
                NULL);
    out_put(e->out, "\n", NULL);
}

void emit_streams(emitter *e, const wire_type *t)
{
    static const definers by = {"PKT_DEFINE_STREAMS", "PKT_DEFINE_PACKET", "PKT_DEFINE_PACKET_REFS"};
    if (is_instanced(t))
        out_put(e->out, "PKT_DEFINE_INSTANCES($name)\n", "name", spell_decl(e, t->decl), NULL);
    emit_definitions(e, t, &by);
}

void emit_delta_streams(emitter *e, const wire_type *t)
{
    static const definers by = {"PKT_DEFINE_DELTA_STREAMS", "PKT_DEFINE_DELTA_PACKET", "PKT_DEFINE_DELTA_PACKET_REFS"};
    emit_definitions(e, t, &by);
}

/* Once a header: what the functions are that every type has. */
const char prototypes_explained[] =
    "/* For each type T, as pkt.h and the schema's documentation tell in full:\n"
    " *   T_init      gives initial values; a value to be read into is initialised, or all zero\n"
    " *   T_write     appends a value to a writer; false, with w->error, where it has no room or cannot be written\n"
    " *   T_read      takes a value from a reader; false, with r->error, where the bytes are not what a writer writes\n"
    " *   T_measure   the bits that T_write would append at start_bit; 0 for a value with a count or tag out of range\n"
    " *   T_equal     whether two values can be written and have the same bits\n"
    " *   T_quantize  makes of a value what a reader will see\n"
    " * For packets also T_pack: bytes written, 0 on failure; T_unpack: whether the bytes are a T, whole; each with a form\n"
    " * that tells the error, and where it has refs one that takes the program's callbacks. T_pack_body and T_unpack_body are the\n"
    " * same without checksum and end check, for a transport that has its own. For @delta types also T_write_delta,\n"
    " * T_read_delta, T_measure_delta, and T_pack_delta and T_unpack_delta of packets: against `base`, which both sides have;\n"
    " * NULL for base values, and never the object that is read into.\n"
    " * T_MIN_BITS and T_MAX_BITS are over every start; T_MAX_BYTES is of a packed T. */\n\n";

static const char prototypes[] = "void ${name}_init($name *v);\n"
                                 "bool ${name}_write(pkt_writer *w, const $name *v);\n"
                                 "bool ${name}_read(pkt_reader *r, $name *v);\n"
                                 "uint64_t ${name}_measure(const $name *v, uint64_t start_bit);\n"
                                 "bool ${name}_equal(const $name *a, const $name *b);\n"
                                 "void ${name}_quantize($name *v);\n";

/* form: "" in a frame, "_body" without. */
static const char packet_prototypes[] =
    "size_t ${name}_pack$form(const $name *v, void *data, size_t size);\n"
    "bool ${name}_unpack$form($name *v, const void *data, size_t size);\n"
    "size_t ${name}_pack${form}_error(const $name *v, void *data, size_t size, pkt_error *error);\n"
    "bool ${name}_unpack${form}_error($name *v, const void *data, size_t size, pkt_error *error);\n";

/* refs: of this call alone. */
static const char refs_prototypes[] =
    "size_t ${name}_pack${form}_refs(const $name *v, void *data, size_t size, pkt_refs *refs, pkt_error *error);\n"
    "bool ${name}_unpack${form}_refs($name *v, const void *data, size_t size, pkt_refs *refs, pkt_error *error);\n";

static const char delta_prototypes[] =
    "#define ${name}_DELTA_MAX_BITS $most\n"
    "bool ${name}_write_delta(pkt_writer *w, const $name *base, const $name *v);\n"
    "bool ${name}_read_delta(pkt_reader *r, const $name *base, $name *v);\n"
    "uint64_t ${name}_measure_delta(const $name *base, const $name *v, uint64_t start_bit);\n";

static const char packet_delta_prototypes[] =
    "size_t ${name}_pack_delta$form(const $name *base, const $name *v, void *data, size_t size);\n"
    "bool ${name}_unpack_delta$form(const $name *base, $name *v, const void *data, size_t size);\n"
    "size_t ${name}_pack_delta${form}_error(const $name *base, const $name *v, void *data, size_t size, pkt_error *error);\n"
    "bool ${name}_unpack_delta${form}_error(const $name *base, $name *v, const void *data, size_t size, pkt_error *error);\n";

static const char refs_delta_prototypes[] =
    "size_t ${name}_pack_delta${form}_refs(const $name *base, const $name *v, void *data, size_t size, pkt_refs *refs, pkt_error *error);\n"
    "bool ${name}_unpack_delta${form}_refs(const $name *base, $name *v, const void *data, size_t size, pkt_refs *refs, pkt_error *error);\n";

/* Of a packet, with and without its frame. */
static void emit_forms(emitter *e, const wire_type *t, const char *plain, const char *refs)
{
    static const char *const forms[] = {"", "_body"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        out_put(e->out, plain, "name", spell_decl(e, t->decl), "form", forms[i], NULL);
        if (t->has_refs)
            out_put(e->out, refs, "name", spell_decl(e, t->decl), "form", forms[i], NULL);
    }
}

static void emit_delta_prototypes(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, delta_prototypes, "name", name, "most",
            cname_integer(e->arena, num_u64(t->delta_most), STORAGE_U64), NULL);
    if (!t->decl->packet)
        return;
    out_put(e->out, "#define ${name}_DELTA_MAX_BYTES $bytes\n", "name", name, "bytes",
            spell_number(e, t->delta_most_framed / 8 + (t->delta_most_framed % 8 != 0)), NULL);
    emit_forms(e, t, packet_delta_prototypes, refs_delta_prototypes);
}

void emit_prototypes(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, "#define ${name}_MIN_BITS $least\n#define ${name}_MAX_BITS $most\n", "name", name, "least",
            spell_number(e, t->least), "most", cname_integer(e->arena, num_u64(t->most), STORAGE_U64), NULL);
    if (t->decl->packet)
        out_put(e->out, "#define ${name}_MAX_BYTES $bytes\n", "name", name, "bytes",
                spell_number(e, t->most_framed / 8 + (t->most_framed % 8 != 0)), NULL);
    out_put(e->out, prototypes, "name", name, NULL);
    if (t->decl->packet)
        emit_forms(e, t, packet_prototypes, refs_prototypes);
    emit_presence(e, t);
    if (t->decl->delta)
        emit_delta_prototypes(e, t);
    out_put(e->out, "\n", NULL);
}
