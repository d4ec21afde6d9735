/* emit_prototypes.c - the prototypes of each type's functions in NAME.h, the comments about them, and inline functions.
 * SPDX-License-Identifier: MIT
 *
 * The functions themselves come from emit_streams.c and emit_base.c. The names of parameters end in an
 * underscore as in the definitions, so that no macro of the program and no type of the schema has them.
 */
#include "emit/emit_internal.h"

/* Once in each header. */
const char prototypes_explained[] =
    "/* The functions of each type T. Sizes of buffers are in bytes; positions in streams and measures are in bits.\n"
    " * The names of parameters end in an underscore, which these comments leave out.\n"
    " * Values and buffers belong to the caller, and no function keeps them. Nothing is allocated, except by a writer\n"
    " * that grows.\n"
    " *\n"
    " * Values:\n"
    " *   T_init      sets initial values.\n"
    " *   T_equal     returns whether two values can be written and have the same bits.\n"
    " *   T_valid     returns whether a value can be written. If not, sets *error to the reason, as T_write would for an\n"
    " *               empty stream. error may be NULL.\n"
    " *   T_quantize  rounds a value to what a reader of it will see.\n"
    " *   T_copy      of a type with lists: copies a value, but only those elements that its lists have.\n"
    " *   T_hash      returns a hash of a value's bits, the same on every machine; 0 if it cannot be written. A\n"
    " *               value and what T_quantize makes of it have the same hash. Of a float without a range all bits\n"
    " *               count: -0 is not 0, and NaNs differ. Takes T_MAX_BITS / 8 bytes of the stack. Types of more\n"
    " *               than 64 KB have no T_hash: write them to memory and call pkt_hash.\n"
    " *\n"
    " * Streams: T_MIN_BITS to T_MAX_BITS, whatever bit they start at.\n"
    " *   T_write     appends a value. Returns false if it does not fit or cannot be written; w->error then says why.\n"
    " *   T_read      reads a value, whatever *v held before; but if an array has `keep`, *v must be initialized.\n"
    " *               Returns false if a writer would not have written these bytes; r->error then says why.\n"
    " *   T_measure   returns the number of bits that T_write would append at start_bit. If a count, a tag or a text\n"
    " *               without end makes that impossible, returns UINT64_MAX - start_bit, which exceeds every budget,\n"
    " *               even after start_bit is added.\n"
    " *\n"
    " * Packets: a checksum, the value and an end check, in a whole number of bytes, at most T_MAX_BYTES.\n"
    " *   T_pack      writes a packet to `data`, which has room for `size` bytes. Returns its size, 0 on failure.\n"
    " *   T_unpack    reads a packet from the `size` bytes at `data`. Returns false if they are not exactly one\n"
    " *               packet.\n"
    " *   ..._body    writes or reads the value alone, for a transport with a checksum of its own.\n"
    " *   ..._error   takes an error as its last argument, and sets it: why the function failed, or that it did not.\n"
    " *               error may be NULL.\n"
    " *   ..._refs    takes the callbacks for refs and an error as its last arguments. Both may be NULL.\n"
    " *\n"
    " * The order of arguments is the same everywhere: stream, baseline, value, seed, data and size, refs, error. A packet\n"
    " * with @seed or parts has a seed: a number that both sides have, such as that of the session, or 0.\n"
    " *\n"
    " * Deltas of @delta types: what differs from the baseline `base`, a value that both sides have. If base is NULL,\n"
    " * all fields of the baseline have base values. When reading, v must not be base. Otherwise these are like the\n"
    " * functions above.\n"
    " *   T_write_delta, T_read_delta, T_measure_delta, T_pack_delta..., T_unpack_delta... */\n\n";

static const char bits[] = "/* ---- $name */\n"
                           "\n"
                           "#define ${name}_MIN_BITS $least\n"
                           "#define ${name}_MAX_BITS $most\n";

static const char bytes[] = "#define ${name}_MAX_BYTES $bytes\n";

static const char in_memory[] = "\n"
                                "/* In memory. */\n"
                                "${inline}void ${name}_init($name *v_);\n"
                                "PKT_INLINE bool ${name}_equal(const $name *a_, const $name *b_);\n"
                                "PKT_INLINE bool ${name}_valid(const $name *v_, pkt_error *error_);\n"
                                "PKT_INLINE void ${name}_quantize($name *v_);\n";

static const char copy[] = "PKT_API void ${name}_copy($name *to_, const $name *from_);\n";

static const char between[] =
    "\n"
    "/* Between two values. T_mix sets *out to the value at t, from a at 0 to b at 1. T_near returns whether a and b are equal\n"
    " * within the tolerances of their fields. If not, it sets *deviation, which may be NULL, to the first difference. */\n"
    "PKT_INLINE void ${name}_mix(const $name *a_, const $name *b_, double t_, $name *out_);\n"
    "PKT_INLINE bool ${name}_near(const $name *a_, const $name *b_, pkt_deviation *deviation_);\n";

static const char in_bytes[] =
    "\n"
    "/* As bytes, for rollback: what an assignment would copy, but of counted arrays only the elements that they have. So members\n"
    " * that are not sent, padding and unrounded numbers too; pointers as pointers. Only this build can restore a save.\n"
    " * T_save stores a save in `data`, which has room for `size` bytes; sizeof(T) bytes are always enough. Returns its size; 0\n"
    " * if there is no room. A count or tag out of range is saved as it is, with all the elements or members.\n"
    " * T_restore returns false if the bytes are no save, by their size. Part of the value may then have been stored: do not use\n"
    " * it. Elements that the arrays did not have stay as they are. */\n"
    "PKT_INLINE size_t ${name}_save(const $name *v_, void *data_, size_t size_);\n"
    "PKT_INLINE bool ${name}_restore($name *v_, const void *data_, size_t size_);\n";

static const char in_stream[] = "\n"
                                "/* In a stream. */\n"
                                "PKT_INLINE bool ${name}_write(pkt_writer *w_, const $name *v_);\n"
                                "PKT_INLINE bool ${name}_read(pkt_reader *r_, $name *v_);\n"
                                "PKT_API uint64_t ${name}_measure(const $name *v_, uint64_t start_bit_);\n";

static const char hash[] = "\n"
                           "/* A hash of what is sent. */\n"
                           "PKT_INLINE uint64_t ${name}_hash(const $name *v_);\n";

static const char valid_refs[] =
    "\n"
    "/* The same with refs that are not NULL. */\n"
    "PKT_INLINE bool ${name}_valid_refs(const $name *v_, pkt_refs *refs_, pkt_error *error_);\n";

static const char hash_refs[] = "PKT_INLINE uint64_t ${name}_hash_refs(const $name *v_, pkt_refs *refs_);\n";

static const char delta_bits[] = "\n"
                                 "#define ${name}_DELTA_MAX_BITS $most\n";

static const char delta_bytes[] = "#define ${name}_DELTA_MAX_BYTES $bytes\n";

static const char predict_prototype[] =
    "\n"
    "/* What a delta is against: two values of the program, which are read by the functions below. */\n"
    "typedef struct ${name}_motion {\n"
    "    pkt_motion of;\n"
    "} ${name}_motion;\n"
    "\n"
    "/* Lets `base_`, of `back_` ticks ago, go on as it moved since `before_`, of `gap_` ticks before that. If\n"
    " * `before_` is NULL, only numbers with @speed go on. Both sides call this with the same values, and pass the result to the\n"
    " * functions below. Until these are done, the two values stay as they are; nothing is read into them. */\n"
    "PKT_INLINE void ${name}_predict(const $name *base_, const $name *before_, uint32_t back_, uint32_t gap_,\n"
    "                                ${name}_motion *to_)\n"
    "{\n"
    "    const pkt_motion of_ = {base_, before_, back_, gap_};\n"
    "    to_->of = of_;\n"
    "}\n"
    "/* What is probably the value now. */\n"
    "PKT_API void ${name}_expected(const ${name}_motion *motion_, $name *to_);\n";

static const char delta_prototypes[] =
    "\n"
    "/* A delta in a stream. */\n"
    "PKT_INLINE bool ${name}_write_delta(pkt_writer *w_, const $baseline *base_, const $name *v_);\n"
    "PKT_INLINE bool ${name}_read_delta(pkt_reader *r_, const $baseline *base_, $name *v_);\n"
    "PKT_INLINE uint64_t ${name}_measure_delta(const $baseline *base_, const $name *v_, uint64_t start_bit_);\n";

static const char *spell_base_parameter(const emitter *e, const decl *d)
{
    return arena_printf(e->arena, "const %s *base_, ", spell_baseline(e, d));
}

static void emit_delta_prototypes(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, delta_bits, "name", name, "most", cname_integer(e->arena, num_u64(t->delta_most), STORAGE_U64),
            NULL);
    if (t->decl->packet)
        out_put(e->out, delta_bytes, "name", name, "bytes", spell_number(e, bytes_of_bits(t->delta_most_framed)), NULL);
    if (t->decl->predicts)
        out_put(e->out, predict_prototype, "name", name, NULL);
    out_put(e->out, delta_prototypes, "name", name, "baseline", spell_baseline(e, t->decl), NULL);
    if (t->decl->packet) {
        const char *base = spell_base_parameter(e, t->decl);
        emit_pack_prototypes(e, t, &(packet_form){"A packet with a delta in a buffer.", "_delta", "", base, "", false});
        emit_pack_prototypes(e, t, &(packet_form){"Its body alone.", "_delta", "_body", base, "", false});
    }
}

static const char hash_refs_function[] = "PKT_INLINE uint64_t ${name}_hash_refs(const $name *v_, pkt_refs *refs_)\n"
                                         "{\n"
                                         "    uint8_t data_[${name}_MAX_BITS / 8 + 1];\n"
                                         "    return pkt_hash_value(v_, ${name}_write_, data_, sizeof data_, refs_);\n"
                                         "}\n";

static const char valid_refs_function[] =
    "PKT_INLINE bool ${name}_valid_refs(const $name *v_, pkt_refs *refs_, pkt_error *error_)\n"
    "{\n"
    "    return pkt_value_valid(&${name}_type_, refs_, v_, error_);\n"
    "}\n";

static const char seeded_functions[] =
    "PKT_API extern const pkt_frame ${name}_frame;\n"
    "PKT_INLINE size_t ${name}_pack_error(const $name *v_, uint64_t seed_, void *data_, size_t size_, pkt_error *error_)\n"
    "{\n"
    "    return pkt_pack_seeded(&${name}_frame, &${name}_type_, ${name}_write_, v_, seed_, data_, size_, NULL, error_);\n"
    "}\n"
    "PKT_INLINE bool ${name}_unpack_error($name *v_, uint64_t seed_, const void *data_, size_t size_, pkt_error *error_)\n"
    "{\n"
    "    return pkt_unpack_seeded(&${name}_frame, &${name}_type_, ${name}_read_, v_, seed_, data_, size_, NULL, error_);\n"
    "}\n"
    "PKT_INLINE size_t ${name}_pack(const $name *v_, uint64_t seed_, void *data_, size_t size_)\n"
    "{\n"
    "    return ${name}_pack_error(v_, seed_, data_, size_, NULL);\n"
    "}\n"
    "PKT_INLINE bool ${name}_unpack($name *v_, uint64_t seed_, const void *data_, size_t size_)\n"
    "{\n"
    "    return ${name}_unpack_error(v_, seed_, data_, size_, NULL);\n"
    "}\n";

static const char seeded_refs_functions[] =
    "PKT_INLINE size_t ${name}_pack_refs(const $name *v_, uint64_t seed_, void *data_, size_t size_, pkt_refs *refs_, "
    "pkt_error *error_)\n"
    "{\n"
    "    return pkt_pack_seeded(&${name}_frame, &${name}_type_, ${name}_write_, v_, seed_, data_, size_, refs_, error_);\n"
    "}\n"
    "PKT_INLINE bool ${name}_unpack_refs($name *v_, uint64_t seed_, const void *data_, size_t size_, pkt_refs *refs_, "
    "pkt_error *error_)\n"
    "{\n"
    "    return pkt_unpack_seeded(&${name}_frame, &${name}_type_, ${name}_read_, v_, seed_, data_, size_, refs_, "
    "error_);\n"
    "}\n";

/* $packet is NULL for a body. */
static const char refs_functions[] =
    "PKT_INLINE size_t ${name}_pack$delta${form}_refs(${base}const $name *v_, void *data_, size_t size_, "
    "pkt_refs *refs_, pkt_error *error_)\n"
    "{\n"
    "    return $pack($packet, &${name}$how, ${name}_write${delta}_body, ${passed}v_, data_, size_, refs_, error_);\n"
    "}\n"
    "PKT_INLINE bool ${name}_unpack$delta${form}_refs($base$name *v_, const void *data_, size_t size_, "
    "pkt_refs *refs_, pkt_error *error_)\n"
    "{\n"
    "    return $unpack($packet, &${name}$how, ${name}_read${delta}_body, ${passed}v_, data_, size_, refs_, error_);\n"
    "}\n";

static void emit_refs_functions(emitter *e, const wire_type *t, bool delta)
{
    const char *name = spell_decl(e, t->decl);
    for (unsigned body = 0; body < 2; body++)
        out_put(e->out, refs_functions, "name", name, "form", body ? "_body" : "", "packet",
                body ? "NULL" : arena_printf(e->arena, "&%s_packet", name), "delta", delta ? "_delta" : "", "how",
                delta ? "_delta_explanation" : "_type_", "pack", delta ? "pkt_pack_delta_refs" : "pkt_pack_refs",
                "unpack", delta ? "pkt_unpack_delta_refs" : "pkt_unpack_refs", "base",
                delta ? spell_base_parameter(e, t->decl) : "", "passed", delta ? "base_, " : "", NULL);
}

/* Defines the inline functions. Macros define those that differ only in their type. */
static void emit_inlines(emitter *e, const wire_type *t)
{
    const decl *d = t->decl;
    const char *name = spell_decl(e, d), *base = spell_baseline(e, d);
    out_put(e->out, "\n/* The functions that are PKT_INLINE. */\n", NULL);
    if (has_zero_init(d))
        out_put(e->out, "PKT_INLINE void ${name}_init($name *v_)\n{\n    memset(v_, 0, sizeof *v_);\n}\n", "name", name,
                NULL);
    out_put(e->out, "PKT_INLINE_VALUE($name)\n", "name", name, NULL);
    if (d->mixes)
        out_put(e->out, "PKT_INLINE_MIX($name, $point)\n", "name", name, "point",
                cname_real(e->arena, d->point, STORAGE_DOUBLE), NULL);
    if (d->saved)
        out_put(e->out, d->holds_counted ? "PKT_INLINE_SAVE($name)\n" : "PKT_INLINE_SAVE_ALL($name)\n", "name", name,
                NULL);
    if (d->parts != 0) {
        emit_datagram_inlines(e, t);
        return;
    }
    out_put(e->out, "PKT_INLINE_STREAM($name)\n", "name", name, NULL);
    if (has_hash(t))
        out_put(e->out, "PKT_INLINE_HASH($name)\n", "name", name, NULL);
    if (t->has_refs)
        out_put(e->out, valid_refs_function, "name", name, NULL);
    if (has_hash(t) && t->has_refs)
        out_put(e->out, hash_refs_function, "name", name, NULL);
    if (d->seeded)
        out_put(e->out, seeded_functions, "name", name, NULL);
    else if (d->packet)
        out_put(e->out,
                is_small_packet(e, t) ? "PKT_INLINE_PACKET_ERRORS($name)\n"
                                      : "PKT_INLINE_PACKET_ERRORS($name)\n"
                                        "PKT_API pkt_body_write ${name}_write_body;\n"
                                        "PKT_API pkt_body_read ${name}_read_body;\n"
                                        "PKT_PACKET_FUNCTIONS(PKT_INLINE, $name)\n",
                "name", name, NULL);
    if (d->seeded && t->has_refs)
        out_put(e->out, seeded_refs_functions, "name", name, NULL);
    else if (d->packet && t->has_refs)
        emit_refs_functions(e, t, false);
    if (d->delta)
        out_put(e->out, "PKT_INLINE_DELTA_STREAM($name, $base)\n", "name", name, "base", base, NULL);
    if (d->delta && d->packet)
        out_put(e->out, "PKT_INLINE_DELTA_PACKET($name, $base)\n", "name", name, "base", base, NULL);
    if (d->delta && d->packet && t->has_refs)
        emit_refs_functions(e, t, true);
}

void emit_prototypes(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, bits, "name", name, "least", spell_number(e, t->least), "most",
            cname_integer(e->arena, num_u64(t->most), STORAGE_U64), NULL);
    if (t->decl->packet)
        out_put(e->out, bytes, "name", name, "bytes", spell_number(e, bytes_of_bits(t->most_framed)), NULL);
    out_put(e->out, in_memory, "inline", has_zero_init(t->decl) ? "PKT_INLINE " : "PKT_API ", "name", name, NULL);
    if (t->decl->holds_list)
        out_put(e->out, copy, "name", name, NULL);
    if (t->decl->mixes)
        out_put(e->out, between, "name", name, NULL);
    if (t->decl->saved)
        out_put(e->out, in_bytes, "name", name, NULL);
    if (t->decl->parts != 0) {
        emit_datagram_prototypes(e, t);
        emit_presence(e, t);
        emit_list_prototypes(e, t);
        emit_computed_counts(e, t->decl);
        emit_inlines(e, t);
        out_put(e->out, "\n", NULL);
        return;
    }
    out_put(e->out, in_stream, "name", name, NULL);
    if (has_hash(t))
        out_put(e->out, hash, "name", name, NULL);
    if (t->has_refs)
        out_put(e->out, valid_refs, "name", name, NULL);
    if (has_hash(t) && t->has_refs)
        out_put(e->out, hash_refs, "name", name, NULL);
    if (t->decl->seeded) {
        emit_pack_prototypes(
            e, t, &(packet_form){"A packet in a buffer, of one session.", "", "", "", "uint64_t seed_, ", false});
    } else if (t->decl->packet) {
        const bool in_c_file = is_small_packet(e, t);
        emit_pack_prototypes(e, t, &(packet_form){"A packet in a buffer.", "", "", "", "", in_c_file});
        emit_pack_prototypes(e, t, &(packet_form){"Its body alone.", "", "_body", "", "", in_c_file});
    }
    if (t->decl->delta)
        emit_delta_prototypes(e, t);
    emit_presence(e, t);
    emit_list_prototypes(e, t);
    emit_computed_counts(e, t->decl);
    emit_fit_prototypes(e, t);
    emit_inlines(e, t);
    out_put(e->out, "\n", NULL);
}
