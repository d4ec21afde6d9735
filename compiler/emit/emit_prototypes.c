/* emit_prototypes.c - the functions of each type as NAME.h declares them, and what it says of them.
 * SPDX-License-Identifier: MIT
 *
 * emit_streams.c and others define them.
 */
#include "emit/emit_internal.h"

#include <string.h>

/* Once a header. */
const char prototypes_explained[] =
    "/* The functions of each type T. Sizes of buffers are in bytes; positions in streams, and what T_measure returns, in bits.\n"
    " * Values and buffers belong to the caller; none is kept. Nothing is allocated, except by a writer that grows.\n"
    " *\n"
    " * Values:\n"
    " *   T_init      sets initial values.\n"
    " *   T_equal     returns whether two values can be written and have the same bits.\n"
    " *   T_quantize  rounds a value to what a reader of it will see.\n"
    " *\n"
    " * Streams: T_MIN_BITS to T_MAX_BITS, whatever bit they start at.\n"
    " *   T_write     appends a value. Returns false if it does not fit or cannot be written; w->error then says why.\n"
    " *   T_read      reads a value, whatever *v held before. Where an array has `keep`, *v must have been initialised.\n"
    " *               Returns false if the bytes are not what a writer writes; r->error then says why.\n"
    " *   T_measure   returns the bits that T_write would append at start_bit. If it cannot, because of a count, a tag or a text\n"
    " *               without end, the result is UINT64_MAX - start_bit: more than any budget, also after start_bit is added.\n"
    " *\n"
    " * Packets: a checksum, the value and an end check, in a whole number of bytes, at most T_MAX_BYTES.\n"
    " *   T_pack      writes a packet to `data`, which has room for `size` bytes. Returns its size, 0 on failure.\n"
    " *   T_unpack    reads the packet that is the `size` bytes at `data`. Returns whether they are one, no byte more or less.\n"
    " *   ..._body    the value alone, for a transport with a checksum of its own.\n"
    " *   ..._error   says in *error why the function failed, or clears it. error may be NULL.\n"
    " *   ..._refs    takes the callbacks for refs of this call. refs and error may be NULL.\n"
    " *\n"
    " * Deltas of @delta types: what differs from `base`, a value that both sides have. NULL is a value of base values. A value that\n"
    " * is read must not be `base` itself. Otherwise these are as the functions above.\n"
    " *   T_write_delta, T_read_delta, T_measure_delta, T_pack_delta..., T_unpack_delta... */\n\n";

static const char bits[] = "/* ---- $name */\n"
                           "\n"
                           "#define ${name}_MIN_BITS $least\n"
                           "#define ${name}_MAX_BITS $most\n";

static const char bytes[] = "#define ${name}_MAX_BYTES $bytes\n";

static const char prototypes[] = "\n"
                                 "/* In memory. */\n"
                                 "void ${name}_init($name *v);\n"
                                 "bool ${name}_equal(const $name *$a, const $name *b);\n"
                                 "void ${name}_quantize($name *v);\n"
                                 "\n"
                                 "/* In a stream. */\n"
                                 "bool ${name}_write(pkt_writer *$w, const $name *v);\n"
                                 "bool ${name}_read(pkt_reader *$r, $name *v);\n"
                                 "uint64_t ${name}_measure(const $name *v, uint64_t start_bit);\n";

/* $form: "" in a frame, "_body" without, of which $what is the description; $delta: "_delta" of deltas, else nothing;
 * $base: of deltas a parameter. */
static const char packet_prototypes[] =
    "\n"
    "/* $what */\n"
    "size_t ${name}_pack$delta$form(${base}const $name *v, void *data, size_t size);\n"
    "bool ${name}_unpack$delta$form($base$name *v, const void *data, size_t size);\n"
    "size_t ${name}_pack$delta${form}_error(${base}const $name *v, void *data, size_t size, pkt_error *error);\n"
    "bool ${name}_unpack$delta${form}_error($base$name *v, const void *data, size_t size, pkt_error *error);\n";

static const char refs_prototypes[] =
    "size_t ${name}_pack$delta${form}_refs(${base}const $name *v, void *data, size_t size, pkt_refs *refs, pkt_error *error);\n"
    "bool ${name}_unpack$delta${form}_refs($base$name *v, const void *data, size_t size, pkt_refs *refs, pkt_error *error);\n";

static const char delta_bits[] = "\n"
                                 "#define ${name}_DELTA_MAX_BITS $most\n";

static const char delta_bytes[] = "#define ${name}_DELTA_MAX_BYTES $bytes\n";

static const char delta_prototypes[] =
    "\n"
    "/* A delta in a stream. */\n"
    "bool ${name}_write_delta(pkt_writer *$w, const $name *$base, const $name *v);\n"
    "bool ${name}_read_delta(pkt_reader *$r, const $name *$base, $name *v);\n"
    "uint64_t ${name}_measure_delta(const $name *$base, const $name *v, uint64_t start_bit);\n";

/* A parameter that comes before the type's name in a prototype: a type of the same name would be hidden. */
static const char *parameter(const emitter *e, const char *type_name, const char *name)
{
    return strcmp(type_name, name) == 0 ? arena_printf(e->arena, "%s_", name) : name;
}

/* Of a packet, with and without its frame. */
static void emit_forms(emitter *e, const wire_type *t, bool delta)
{
    static const char *const forms[] = {"", "_body"};
    static const char *const what[2][2] = {{"A packet in a buffer.", "Its body alone."},
                                           {"A packet with a delta in a buffer.", "Its body alone."}};
    const char *name = spell_decl(e, t->decl),
               *base = delta ? arena_printf(e->arena, "const %s *%s, ", name, parameter(e, name, "base")) : "";
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        out_put(e->out, packet_prototypes, "name", name, "form", forms[i], "what", what[delta][i], "delta",
                delta ? "_delta" : "", "base", base, NULL);
        if (t->has_refs)
            out_put(e->out, refs_prototypes, "name", name, "form", forms[i], "delta", delta ? "_delta" : "", "base",
                    base, NULL);
    }
}

static void emit_delta_prototypes(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, delta_bits, "name", name, "most", cname_integer(e->arena, num_u64(t->delta_most), STORAGE_U64),
            NULL);
    if (t->decl->packet)
        out_put(e->out, delta_bytes, "name", name, "bytes",
                spell_number(e, t->delta_most_framed / 8 + (t->delta_most_framed % 8 != 0)), NULL);
    out_put(e->out, delta_prototypes, "name", name, "w", parameter(e, name, "w"), "r", parameter(e, name, "r"), "base",
            parameter(e, name, "base"), NULL);
    if (t->decl->packet)
        emit_forms(e, t, true);
}

void emit_prototypes(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, bits, "name", name, "least", spell_number(e, t->least), "most",
            cname_integer(e->arena, num_u64(t->most), STORAGE_U64), NULL);
    if (t->decl->packet)
        out_put(e->out, bytes, "name", name, "bytes", spell_number(e, t->most_framed / 8 + (t->most_framed % 8 != 0)),
                NULL);
    out_put(e->out, prototypes, "name", name, "a", parameter(e, name, "a"), "w", parameter(e, name, "w"), "r",
            parameter(e, name, "r"), NULL);
    if (t->decl->packet)
        emit_forms(e, t, false);
    if (t->decl->delta)
        emit_delta_prototypes(e, t);
    emit_presence(e, t);
    out_put(e->out, "\n", NULL);
}
