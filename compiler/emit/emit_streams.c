/* emit_streams.c - the functions that a program calls: T_write, T_read and T_measure for streams, T_pack and T_unpack
 * for buffers.
 * SPDX-License-Identifier: MIT
 *
 * The templates are the same for all types. What they call is in runtime/pkt_frame.h.
 */
#include "emit/emit_internal.h"
#include "wire/placement.h"

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

/* ---- streams: the unified body in each of its modes */

/* A delta that fails leaves the stream where it failed: T_write_delta and T_read_delta put it back. Before a value is
 * read, it is made a copy of the baseline. $or_blank_...: what to do if there is no baseline, for types that a baseline
 * may lack. */
static const char delta_instances[] =
    "static bool ${name}_delta_write(pkt_writer *w_, const $name *base_, const $name *v_)\n"
    "{\n"
    "$or_blank_write"
    "    pkt_cursor c_;\n"
    "    pkt_writer_cursor(&c_, w_);\n"
    "    return ${name}_delta(pkt_writer_mode(w_), &c_, base_, v_, NULL) && pkt_writer_advance(w_, &c_);\n"
    "}\n"
    "\n"
    "static bool ${name}_delta_read(pkt_reader *r_, const $name *base_, $name *v_)\n"
    "{\n"
    "$or_blank_read"
    "    pkt_cursor c_;\n"
    "    pkt_reader_cursor(&c_, r_);\n"
    "    return ${name}_delta(PKT_READ, &c_, base_, v_, v_) && pkt_delta_reader_advance(r_, &c_);\n"
    "}\n"
    "\n";

/* The same of what may be coded. All functions of one delta work on one cursor, which is in memory anyway, because the
 * functions of pkt_coder.h are not inlined. */
static const char delta_coded_instances[] =
    "static bool ${name}_delta_put_(pkt_cursor *c_, const $name *base_, const $name *v_)\n"
    "{\n"
    "$or_blank_write"
    "    return ${name}_delta(pkt_writer_mode(c_->writer), c_, base_, v_, NULL);\n"
    "}\n"
    "\n"
    "static bool ${name}_delta_get_(pkt_cursor *c_, const $name *base_, $name *v_)\n"
    "{\n"
    "$or_blank_read"
    "    return ${name}_delta(PKT_READ, c_, base_, v_, v_);\n"
    "}\n"
    "\n";

/* Where the baseline lacks a value, its delta is against base values. Only then is there a value of these on the
 * stack. $blank makes it: PKT_BLANK or PKT_BLANK_BOUND. */
static const char delta_blank_prototypes[] =
    "static PKT_NOINLINE bool ${name}_delta_write_blank($writer, const $name *v_);\n"
    "static PKT_NOINLINE bool ${name}_delta_read_blank($reader, $name *v_);\n"
    "\n";

static const char delta_blanks[] = "static PKT_NOINLINE bool ${name}_delta_write_blank($writer, const $name *v_)\n"
                                   "{\n"
                                   "    $name blank_;\n"
                                   "$write_blank"
                                   "}\n"
                                   "\n"
                                   "static PKT_NOINLINE bool ${name}_delta_read_blank($reader, $name *v_)\n"
                                   "{\n"
                                   "    $name blank_;\n"
                                   "    $copy;\n"
                                   "$read_blank"
                                   "}\n"
                                   "\n";

static const char delta_differs[] =
    "static PKT_NOINLINE bool ${name}_delta_differs_blank(const $name *v_)\n"
    "{\n"
    "    $name blank_;\n"
    "    return !${name}_same(v_, $blank($name, &blank_));\n"
    "}\n"
    "\n"
    "PKT_INLINE bool ${name}_delta_differs(const $name *v_, const $name *old_)\n"
    "{\n"
    "    return old_ == NULL ? ${name}_delta_differs_blank(v_) : !${name}_same(v_, old_);\n"
    "}\n"
    "\n";

/* Returns what the delta returns. What is blank was predicted from nothing. */
static const char *spell_blank_delta(const emitter *e, const wire_type *t, const char *call)
{
    if (!t->decl->moves || !t->decl->holds_coded)
        return arena_printf(e->arena, "    return %s;\n", call);
    return arena_printf(e->arena,
                        "    const size_t twin_ = c_->coding->twin;\n"
                        "    bool done_;\n"
                        "    c_->coding->twin = 0;\n"
                        "    done_ = %s;\n"
                        "    c_->coding->twin = twin_;\n"
                        "    return done_;\n",
                        call);
}

void emit_delta_instances(emitter *e, const wire_type *t, delta_use use)
{
    const char *name = spell_decl(e, t->decl), *made = t->decl->holds_bound ? "PKT_BLANK_BOUND" : "PKT_BLANK";
    const bool blank = use >= DELTA_OR_BLANK, coded = t->decl->holds_coded;
    const char *writer = coded ? "pkt_cursor *c_" : "pkt_writer *w_", *to = coded ? "c_" : "w_",
               *put = coded ? "put_" : "write";
    const char *reader = coded ? "pkt_cursor *c_" : "pkt_reader *r_", *from = coded ? "c_" : "r_",
               *get = coded ? "get_" : "read";
    if (blank)
        out_put(e->out, delta_blank_prototypes, "name", name, "writer", writer, "reader", reader, NULL);
#define OR_BLANK(what, stream)                                                                                        \
    blank ? arena_printf(e->arena, "    if (base_ == NULL)\n        return %s_delta_" what "_blank(%s, v_);\n", name, \
                         stream)                                                                                      \
          : ""
    out_put(e->out, coded ? delta_coded_instances : delta_instances, "name", name, "or_blank_write",
            OR_BLANK("write", to), "or_blank_read", OR_BLANK("read", from), NULL);
#undef OR_BLANK
    if (blank)
        out_put(e->out, delta_blanks, "name", name, "writer", writer, "reader", reader, "write_blank",
                spell_blank_delta(
                    e, t, arena_printf(e->arena, "%s_delta_%s(%s, %s(%s, &blank_), v_)", name, put, to, made, name)),
                "read_blank",
                spell_blank_delta(e, t, arena_printf(e->arena, "%s_delta_%s(%s, &blank_, v_)", name, get, from)),
                "copy", spell_copy(e, t->decl, "v_", arena_printf(e->arena, "%s(%s, &blank_)", made, name)), NULL);
    if (use == DELTA_COMPARED)
        out_put(e->out, delta_differs, "name", name, "blank", made, NULL);
}

/* Functions for others: types that contain this one, and packets. They leave it to those to find out what is wrong, so
 * that a program without streams has nothing of the functions below. */
static const char write_instance[] = "bool ${name}_write_(pkt_writer *w_, const $name *v_)\n"
                                     "{\n"
                                     "    pkt_cursor c_;\n"
                                     "    pkt_writer_cursor(&c_, w_);\n"
                                     "    if (${name}_serialize(PKT_WRITE, &c_, v_, NULL))\n"
                                     "        return pkt_writer_advance(w_, &c_);\n"
                                     "    return $failed;\n"
                                     "}\n"
                                     "\n";

static const char read_instance[] = "bool ${name}_read_(pkt_reader *r_, $name *v_)\n"
                                    "{\n"
                                    "    pkt_cursor c_;\n"
                                    "    pkt_reader_cursor(&c_, r_);\n"
                                    "    if (${name}_serialize(PKT_READ, &c_, v_, v_))\n"
                                    "        return pkt_reader_advance(r_, &c_);\n"
                                    "    return $failed;\n"
                                    "}\n"
                                    "\n";

/* $is_ready: for a type that may have no bits, whether the stream has failed before; other types notice by
 * themselves. */
static const char writer_is_ready[] = "w_->error.code == PKT_OK && ",
                  reader_is_ready[] = "r_->error.code == PKT_OK && ";

static const char write_by_instance[] = "bool ${name}_write(pkt_writer *w_, const $name *v_)\n"
                                        "{\n"
                                        "    if ($is_ready${name}_write_(w_, v_))\n"
                                        "        return true;\n"
                                        "    return pkt_write_again(w_, v_, &${name}_type_) && ${name}_write(w_, v_);\n"
                                        "}\n"
                                        "\n";

static const char read_by_instance[] = "bool ${name}_read(pkt_reader *r_, $name *v_)\n"
                                       "{\n"
                                       "    if ($is_ready${name}_read_(r_, v_))\n"
                                       "        return true;\n"
                                       "    return pkt_read_failed(r_, v_, &${name}_type_);\n"
                                       "}\n"
                                       "\n";

/* The same for a type that nothing else has functions of. */
static const char streams[] = "bool ${name}_write(pkt_writer *w_, const $name *v_)\n"
                              "{\n"
                              "    pkt_cursor c_;\n"
                              "    pkt_writer_cursor(&c_, w_);\n"
                              "    if (${writer_is_ready}${name}_serialize(PKT_WRITE, &c_, v_, NULL))\n"
                              "        return pkt_writer_advance(w_, &c_);\n"
                              "    return pkt_write_again(w_, v_, &${name}_type_) && ${name}_write(w_, v_);\n"
                              "}\n"
                              "\n"
                              "bool ${name}_read(pkt_reader *r_, $name *v_)\n"
                              "{\n"
                              "    pkt_cursor c_;\n"
                              "    pkt_reader_cursor(&c_, r_);\n"
                              "    if (${reader_is_ready}${name}_serialize(PKT_READ, &c_, v_, v_))\n"
                              "        return pkt_reader_advance(r_, &c_);\n"
                              "    return pkt_read_failed(r_, v_, &${name}_type_);\n"
                              "}\n"
                              "\n";

static const char measure[] = "uint64_t ${name}_measure(const $name *v_, uint64_t start_)\n"
                              "{\n"
                              "    pkt_cursor c_;\n"
                              "    pkt_measure_cursor(&c_, start_);\n"
                              "    return pkt_measured(start_, "
                              "${name}_serialize(PKT_MEASURE, &c_, v_, NULL) ? c_.bit : PKT_FAILED);\n"
                              "}\n"
                              "\n";

/* A type of an older version stands for those of others too, which may call it. */
bool has_instances(const emitter *e, const wire_type *t)
{
    return e->version != NULL || t->calls || place_of(NULL, t, false) == PLACE_CALL ||
           (t->decl->packet && e->bodies[t->index] == BODY_STREAM);
}

void emit_read(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, read_instance, "name", name, "failed", t->calls ? "pkt_reader_back(r_, &c_)" : "false", NULL);
    out_put(e->out, read_by_instance, "name", name, "is_ready", t->least == 0 ? reader_is_ready : "", NULL);
}

static void emit_type_streams(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    const char *write_ready = t->least == 0 ? writer_is_ready : "", *read_ready = t->least == 0 ? reader_is_ready : "";
    if (has_instances(e, t)) {
        out_put(e->out, write_instance, "name", name, "failed", t->calls ? "pkt_writer_back(w_, &c_)" : "false", NULL);
        out_put(e->out, read_instance, "name", name, "failed", t->calls ? "pkt_reader_back(r_, &c_)" : "false", NULL);
        out_put(e->out, write_by_instance, "name", name, "is_ready", write_ready, NULL);
        out_put(e->out, read_by_instance, "name", name, "is_ready", read_ready, NULL);
    } else {
        out_put(e->out, streams, "name", name, "writer_is_ready", write_ready, "reader_is_ready", read_ready, NULL);
    }
    out_put(e->out, measure, "name", name, NULL);
}

/* The type of what a program passes as a baseline. */
const char *spell_baseline(const emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    return d->predicts ? arena_printf(e->arena, "%s_motion", name) : name;
}

/* $sound: the condition that there is no baseline, or that T_sound holds for it; empty for a type without T_sound. */
static const char delta_at[] =
    "PKT_INLINE bool ${name}_write_delta_at(pkt_writer *w_, const $name *base_, const $name *v_)\n"
    "{\n"
    "    return $sound${name}_delta_write(w_, base_, v_);\n"
    "}\n"
    "\n"
    "PKT_INLINE bool ${name}_read_delta_at(pkt_reader *r_, const $name *base_, $name *v_)\n"
    "{\n"
    "    if (base_ == NULL)\n"
    "        return ${name}_delta_read_blank(r_, v_);\n"
    "$refuse_unsound"
    "    $copy;\n"
    "    return ${name}_delta_read(r_, base_, v_);\n"
    "}\n"
    "\n";

/* The same of what may be coded. A delta is written again as a plain one if that has fewer bits, or if there is no room
 * for the coded one. These are not inlined, because several functions call them: the code would be a third larger.
 * $old: where the value is in what base_ points to. */
static const char delta_coded_at[] =
    "static PKT_NOINLINE bool ${name}_delta_write(pkt_writer *w_, const $name *base_, const $name *v_)\n"
    "{\n"
    "    pkt_cursor c_;\n"
    "    pkt_writer_cursor(&c_, w_);\n"
    "    c_.coding = w_->coding;\n"
    "    return ${name}_delta_put_(&c_, base_, v_) && pkt_writer_advance(w_, &c_);\n"
    "}\n"
    "\n"
    "static bool ${name}_delta_read(pkt_reader *r_, const $name *base_, $name *v_)\n"
    "{\n"
    "    pkt_cursor c_;\n"
    "    pkt_reader_cursor(&c_, r_);\n"
    "    c_.coding = r_->coding;\n"
    "    return ${name}_delta_get_(&c_, base_, v_) && pkt_reader_advance(r_, &c_);\n"
    "}\n"
    "\n"
    "static bool ${name}_write_delta_at(pkt_writer *w_, const $base *base_, const $name *v_)\n"
    "{\n"
    "    const uint64_t bit_ = w_->bit, carry_ = w_->carry;\n"
    "    pkt_coding coding_ = {$twin, 0, false, false};\n"
    "    bool done_;\n"
    "$refuse_unsound"
    "    w_->coding = &coding_;\n"
    "    done_ = pkt_write_form(w_) && ${name}_delta_write(w_, $old, v_);\n"
    "    if (pkt_goes_plain(w_, done_, bit_, carry_))\n"
    "        done_ = pkt_write_form(w_) && ${name}_delta_write(w_, $old, v_) && coding_.lead < 0;\n"
    "    w_->coding = NULL;\n"
    "    return done_;\n"
    "}\n"
    "\n"
    "static bool ${name}_read_delta_at(pkt_reader *r_, const $base *base_, $name *v_)\n"
    "{\n"
    "    pkt_coding coding_ = {$twin, 0, false, false};\n"
    "    bool done_;\n"
    "$refuse_unsound"
    "    r_->coding = &coding_;\n"
    "    if (base_ != NULL)\n"
    "        $copy;\n"
    "    done_ = pkt_read_form(r_) && ${name}_delta_read(r_, $old, v_) && (coding_.lead < 0) == coding_.plain;\n"
    "    r_->coding = NULL;\n"
    "    return done_;\n"
    "}\n"
    "\n";

static const char predict[] =
    "void ${name}_predict(const $name *base_, const $name *before_, uint32_t back_, uint32_t gap_, ${name}_motion *to_)\n"
    "{\n"
    "    $copy_was;\n"
    "    $copy_expected;\n"
    "    if (before_ != NULL && gap_ != 0)\n"
    "        pkt_predict(&${name}_type_, base_, before_, back_, gap_, &to_->expected);\n"
    "}\n"
    "\n";

static const char delta_streams[] =
    "bool ${name}_write_delta(pkt_writer *w_, const $base *base_, const $name *v_)\n"
    "{\n"
    "    const uint64_t bit_ = w_->bit, carry_ = w_->carry;\n"
    "    if (w_->error.code == PKT_OK && ${name}_write_delta_at(w_, base_, v_))\n"
    "        return true;\n"
    "    w_->bit = bit_;\n"
    "    w_->carry = carry_;\n"
    "    return $again(w_, base_, v_, &${name}_type_) && ${name}_write_delta(w_, base_, v_);\n"
    "}\n"
    "\n"
    "bool ${name}_read_delta(pkt_reader *r_, const $base *base_, $name *v_)\n"
    "{\n"
    "    const uint64_t bit_ = r_->bit;\n"
    "    if (r_->error.code == PKT_OK && ${name}_read_delta_at(r_, base_, v_))\n"
    "        return true;\n"
    "    r_->bit = bit_;\n"
    "    return $failed(r_, base_, v_, &${name}_type_);\n"
    "}\n"
    "\n"
    "uint64_t ${name}_measure_delta(const $base *base_, const $name *v_, uint64_t start_)\n"
    "{\n"
    "    pkt_writer w_;\n"
    "    pkt_measuring_writer(&w_, start_);\n"
    "    return pkt_measured(start_, ${name}_write_delta_at(&w_, base_, v_) ? w_.bit : PKT_FAILED);\n"
    "}\n"
    "\n";

/* ---- packets. For deltas, $delta is "_delta", $base_parameter "const T *base_, ", $base_argument "base_, ", $base
 * "base_" and $also "base_, NULL, ". Otherwise $base is "NULL" and the others are empty. $packed, $unpacked and $ends are
 * functions of pkt_frame.h. */

static const char packet_description[] =
    "static const pkt_packet ${name}${delta}_packet = {&${name}_type_, $explain, $crc, $end, $has_end};\n"
    "\n";

/* A body that begins at the first bit of data_: returns its bits, or PKT_FAILED. For packets with refs, $refs is a
 * parameter and $set_..._refs uses it. */
static const char bodies[] =
    "$linkage uint64_t ${name}_write${delta}_body(${base_parameter}const $name *v_, uint8_t *data_, "
    "uint64_t limit_$refs)\n"
    "{\n"
    "    pkt_writer w_;\n"
    "    pkt_body_writer(&w_, data_, limit_);\n"
    "$set_writer_refs"
    "    return ${name}_write$delta$at(&w_, ${base_argument}v_) ? w_.bit : PKT_FAILED;\n"
    "}\n"
    "\n"
    "$linkage uint64_t ${name}_read${delta}_body(${base_parameter}$name *v_, const uint8_t *data_, "
    "uint64_t limit_$refs)\n"
    "{\n"
    "    pkt_reader r_;\n"
    "    pkt_body_reader(&r_, data_, limit_);\n"
    "$set_reader_refs"
    "    return ${name}_read$delta$at(&r_, ${base_argument}v_) ? r_.bit : PKT_FAILED;\n"
    "}\n"
    "\n";

/* The same for a packet that is faster if it is compiled for a known first bit: an instance of its own, inlined if
 * it is small. */
static const char bodies_at_start[] =
    "$linkage uint64_t ${name}_write_body(const $name *v_, uint8_t *data_, uint64_t limit_$refs)\n"
    "{\n"
    "    pkt_writer w_;\n"
    "    pkt_cursor c_;\n"
    "    pkt_body_writer(&w_, data_, limit_);\n"
    "$set_writer_refs"
    "    pkt_writer_start(&c_, &w_);\n"
    "    return ${name}_serialize(PKT_WRITE, &c_, v_, NULL) ? c_.bit : PKT_FAILED;\n"
    "}\n"
    "\n"
    "$linkage uint64_t ${name}_read_body($name *v_, const uint8_t *data_, uint64_t limit_$refs)\n"
    "{\n"
    "    pkt_reader r_;\n"
    "    pkt_cursor c_;\n"
    "    pkt_body_reader(&r_, data_, limit_);\n"
    "$set_reader_refs"
    "    pkt_reader_start(&c_, &r_);\n"
    "    return ${name}_serialize(PKT_READ, &c_, v_, v_) ? c_.bit : PKT_FAILED;\n"
    "}\n"
    "\n";

/* The same for the delta of a packet that consists of rows. */
static const char delta_bodies_at_start[] =
    "static PKT_NOINLINE uint64_t ${name}_write_delta_body(const $name *base_, const $name *v_, uint8_t *data_, "
    "uint64_t limit_)\n"
    "{\n"
    "    if (base_ == NULL) {\n"
    "        pkt_writer w_;\n"
    "        pkt_body_writer(&w_, data_, limit_);\n"
    "        return ${name}_delta_write_blank(&w_, v_) ? w_.bit : PKT_FAILED;\n"
    "    }\n"
    "    pkt_cursor c_;\n"
    "    pkt_cursor_init(&c_, data_, NULL, 0, limit_, 0, NULL);\n"
    "    return ${name}_delta(PKT_WRITE, &c_, base_, v_, NULL) ? c_.bit : PKT_FAILED;\n"
    "}\n"
    "\n"
    "static PKT_NOINLINE uint64_t ${name}_read_delta_body(const $name *base_, $name *v_, const uint8_t *data_, "
    "uint64_t limit_)\n"
    "{\n"
    "    if (base_ == NULL) {\n"
    "        pkt_reader r_;\n"
    "        pkt_body_reader(&r_, data_, limit_);\n"
    "        return ${name}_delta_read_blank(&r_, v_) ? r_.bit : PKT_FAILED;\n"
    "    }\n"
    "    pkt_cursor c_;\n"
    "    pkt_cursor_init(&c_, NULL, data_, 0, limit_, 0, NULL);\n"
    "    $copy;\n"
    "    return ${name}_delta(PKT_READ, &c_, base_, v_, v_) ? c_.bit : PKT_FAILED;\n"
    "}\n"
    "\n";

static const char packets[] =
    "size_t ${name}_pack$delta(${base_parameter}const $name *v_, void *data_, size_t size_)\n"
    "{\n"
    "    const uint64_t limit_ = pkt_size_bits(data_, size_);\n"
    "    if (limit_ < 32)\n"
    "        return 0;\n"
    "    return $pack_end((uint8_t *)data_, limit_,\n"
    "                        ${name}_write${delta}_body(${base_argument}v_, "
    "(uint8_t *)data_ + 4, limit_ - 32), $crc$end_argument);\n"
    "}\n"
    "\n"
    "size_t ${name}_pack${delta}_body(${base_parameter}const $name *v_, void *data_, size_t size_)\n"
    "{\n"
    "    return pkt_body_bytes(${name}_write${delta}_body(${base_argument}v_, "
    "(uint8_t *)data_, pkt_size_bits(data_, size_)));\n"
    "}\n"
    "\n"
    "bool ${name}_unpack$delta(${base_parameter}$name *v_, const void *data_, size_t size_)\n"
    "{\n"
    "    const uint64_t limit_ = pkt_size_bits(data_, size_);\n"
    "    return pkt_unpack_crc((const uint8_t *)data_, limit_, $crc) &&\n"
    "           $unpack_end((const uint8_t *)data_, limit_,\n"
    "                          ${name}_read${delta}_body(${base_argument}v_, "
    "(const uint8_t *)data_ + 4, limit_ - 32)$end_argument);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack${delta}_body(${base_parameter}$name *v_, const void *data_, size_t size_)\n"
    "{\n"
    "    const uint64_t limit_ = pkt_size_bits(data_, size_);\n"
    "    return $ends((const uint8_t *)data_, limit_,\n"
    "                   $ends_indent${name}_read${delta}_body(${base_argument}v_, (const uint8_t *)data_, limit_));\n"
    "}\n"
    "\n";

/* $form is "" for packets with a frame and "_body" without. */
static const char packets_with_errors[] =
    "size_t ${name}_pack${delta}${form}_error(${base_parameter}const $name *v_, "
    "void *data_, size_t size_, pkt_error *error_)\n"
    "{\n"
    "    const size_t packed_ = ${name}_pack${delta}$form(${base_argument}v_, data_, size_);\n"
    "    return $packed(packed_, &${name}${delta}_packet, ${also}v_, data_, size_, error_);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack${delta}${form}_error(${base_parameter}$name *v_, "
    "const void *data_, size_t size_, pkt_error *error_)\n"
    "{\n"
    "    const bool unpacked_ = ${name}_unpack${delta}$form(${base_argument}v_, data_, size_);\n"
    "    return $unpacked(unpacked_, &${name}${delta}_packet, ${also}v_, data_, size_, error_);\n"
    "}\n"
    "\n";

static const char packets_with_refs[] =
    "size_t ${name}_pack${delta}_refs(${base_parameter}const $name *v_, void *data_, size_t size_, "
    "pkt_refs *refs_, pkt_error *error_)\n"
    "{\n"
    "    const uint64_t limit_ = pkt_size_bits(data_, size_);\n"
    "    size_t packed_ = 0;\n"
    "    if (limit_ >= 32)\n"
    "        packed_ = $pack_end((uint8_t *)data_, limit_,\n"
    "                              ${name}_write${delta}_body(${base_argument}v_, "
    "(uint8_t *)data_ + 4, limit_ - 32, refs_),\n"
    "                              $crc$end_argument);\n"
    "    return pkt_packed_with(packed_, &${name}${delta}_packet, $base, refs_, v_, data_, size_, error_);\n"
    "}\n"
    "\n"
    "size_t ${name}_pack${delta}_body_refs(${base_parameter}const $name *v_, void *data_, size_t size_, "
    "pkt_refs *refs_, pkt_error *error_)\n"
    "{\n"
    "    size_t packed_ =\n"
    "        pkt_body_bytes(${name}_write${delta}_body(${base_argument}v_, "
    "(uint8_t *)data_, pkt_size_bits(data_, size_), refs_));\n"
    "    return pkt_packed_body_with(packed_, &${name}${delta}_packet, $base, refs_, v_, data_, size_, error_);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack${delta}_refs(${base_parameter}$name *v_, const void *data_, size_t size_, "
    "pkt_refs *refs_, pkt_error *error_)\n"
    "{\n"
    "    const uint64_t limit_ = pkt_size_bits(data_, size_);\n"
    "    if (pkt_unpack_crc((const uint8_t *)data_, limit_, $crc) &&\n"
    "        $unpack_end((const uint8_t *)data_, limit_,\n"
    "                       ${name}_read${delta}_body(${base_argument}v_, "
    "(const uint8_t *)data_ + 4, limit_ - 32, refs_)$end_argument))\n"
    "        return pkt_no_error(error_);\n"
    "    return pkt_unpacked_with(false, &${name}${delta}_packet, $base, refs_, v_, data_, size_, error_);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack${delta}_body_refs(${base_parameter}$name *v_, const void *data_, size_t size_, "
    "pkt_refs *refs_, pkt_error *error_)\n"
    "{\n"
    "    const uint64_t limit_ = pkt_size_bits(data_, size_);\n"
    "    if ($ends((const uint8_t *)data_, limit_,\n"
    "                $ends_indent${name}_read${delta}_body(${base_argument}v_, (const uint8_t *)data_, limit_, refs_)))\n"
    "        return pkt_no_error(error_);\n"
    "    return pkt_unpacked_body_with(false, &${name}${delta}_packet, $base, refs_, v_, data_, size_, error_);\n"
    "}\n"
    "\n";

/* For a packet with refs: the functions that take no callbacks. */
static const char packets_without_refs[] =
    "size_t ${name}_pack${delta}$form(${base_parameter}const $name *v_, void *data_, size_t size_)\n"
    "{\n"
    "    return ${name}_pack${delta}${form}_refs(${base_argument}v_, data_, size_, NULL, NULL);\n"
    "}\n"
    "\n"
    "size_t ${name}_pack${delta}${form}_error(${base_parameter}const $name *v_, "
    "void *data_, size_t size_, pkt_error *error_)\n"
    "{\n"
    "    return ${name}_pack${delta}${form}_refs(${base_argument}v_, data_, size_, NULL, error_);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack${delta}$form(${base_parameter}$name *v_, const void *data_, size_t size_)\n"
    "{\n"
    "    return ${name}_unpack${delta}${form}_refs(${base_argument}v_, data_, size_, NULL, NULL);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack${delta}${form}_error(${base_parameter}$name *v_, "
    "const void *data_, size_t size_, pkt_error *error_)\n"
    "{\n"
    "    return ${name}_unpack${delta}${form}_refs(${base_argument}v_, data_, size_, NULL, error_);\n"
    "}\n"
    "\n";

/* body: the template of its bodies. */
static void emit_packet(emitter *e, const wire_type *t, const char *body, const char *linkage, bool delta)
{
    static const char *const forms[] = {"", "_body"};
    /* For a packet and a delta, with a frame and without. */
    static const char *const packed[2][2] = {{"pkt_packed", "pkt_packed_body"},
                                             {"pkt_packed_with", "pkt_packed_body_with"}};
    static const char *const unpacked[2][2] = {{"pkt_unpacked", "pkt_unpacked_body"},
                                               {"pkt_unpacked_with", "pkt_unpacked_body_with"}};
    const char *name = spell_decl(e, t->decl), *which = delta ? "_delta" : "", *base = delta ? "base_" : "NULL",
               *base_parameter = delta ? arena_printf(e->arena, "const %s *base_, ", spell_baseline(e, t->decl)) : "",
               *base_argument = delta ? "base_, " : "", *also = delta ? "base_, NULL, " : "",
               *crc = spell_hexadecimal(e, packet_crc_start(e->schema, t->decl)),
               *end = e->schema->checks ? spell_hexadecimal(e, t->end_check) : "0";
    out_put(e->out, packet_description, "name", name, "delta", which, "explain",
            !delta                 ? "pkt_explain_type"
            : t->decl->predicts    ? "pkt_explain_predicted"
            : t->decl->holds_coded ? "pkt_explain_coded_delta"
                                   : "pkt_explain_delta",
            "crc", crc, "end", end, "has_end", e->schema->checks ? "true" : "false", NULL);
    out_put(e->out, body, "name", name, "copy", spell_copy(e, t->decl, "v_", "base_"), "delta", which, "at",
            delta ? "_at" : "_", "base_parameter", base_parameter, "base_argument", base_argument, "linkage", linkage,
            "refs", t->has_refs ? ", pkt_refs *refs_" : "", "set_writer_refs",
            t->has_refs ? "    pkt_writer_set_refs(&w_, refs_);\n" : "", "set_reader_refs",
            t->has_refs ? "    pkt_reader_set_refs(&r_, refs_);\n" : "", NULL);
    out_put(e->out, t->has_refs ? packets_with_refs : packets, "name", name, "delta", which, "base_parameter",
            base_parameter, "base_argument", base_argument, "base", base, "crc", crc, "ends",
            delta ? "pkt_delta_body_ends" : "pkt_body_ends", "ends_indent", delta ? "            " : "      ",
            "pack_end", e->schema->checks ? "pkt_pack_end" : "pkt_pack_end_unchecked", "unpack_end",
            e->schema->checks ? "pkt_unpack_end" : "pkt_unpack_end_unchecked", "end_argument",
            e->schema->checks ? arena_printf(e->arena, ", %s", end) : "", NULL);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        out_put(e->out, t->has_refs ? packets_without_refs : packets_with_errors, "name", name, "delta", which,
                "base_parameter", base_parameter, "base_argument", base_argument, "packed", packed[delta][i],
                "unpacked", unpacked[delta][i], "also", also, "form", forms[i], NULL);
}

void emit_streams(emitter *e, const wire_type *t)
{
    emit_type_streams(e, t);
    if (!t->decl->packet)
        return;
    const body_plan body = e->bodies[t->index];
    emit_packet(e, t, body == BODY_STREAM ? bodies : bodies_at_start,
                body == BODY_INLINE ? "PKT_INLINE" : "static PKT_NOINLINE", false);
}

/* Whether the delta of a packet is small and nothing but rows, so that an instance for a known first bit is small too. */
static bool is_in_rows(const delta_plan *p)
{
    enum { SMALL = 256 };
    const wire_type *t = p->type;
    const decl *d = t->decl;
    if (p->block == NULL || p->block->steps == NULL || t->delta_most > SMALL)
        return false;
    if (t->has_refs || t->can_be_unsound || d->holds_coded || d->predicts || d->holds_bound)
        return false;
    for (const delta_step *s = p->block->steps; s != NULL; s = s->next)
        if (s->kind != DELTA_ROW && s->kind != DELTA_VALUES)
            return false;
    return true;
}

void emit_delta_streams(emitter *e, const delta_plan *p)
{
    const wire_type *t = p->type;
    const char *name = spell_decl(e, t->decl), *sound = "", *refused = "";
    const bool coded = t->decl->holds_coded, predicts = t->decl->predicts;
    const char *base = spell_baseline(e, t->decl),
               *old = predicts ? "base_ == NULL ? NULL : &base_->expected" : "base_",
               *of = predicts ? "&base_->expected" : "base_";
    if (t->can_be_unsound) {
        refused = arena_printf(e->arena, "    if (%s!%s_sound(%s))\n        return false;\n",
                               coded ? "base_ != NULL && " : "", name, of);
        sound = arena_printf(e->arena, "(base_ == NULL || %s_sound(base_)) && ", name);
    }
    if (predicts)
        out_put(e->out, predict, "name", name, "copy_was", spell_copy(e, t->decl, "&to_->was", "&*base_"),
                "copy_expected", spell_copy(e, t->decl, "&to_->expected", "&*base_"), NULL);
    out_put(e->out, coded ? delta_coded_at : delta_at, "name", name, "base", base, "sound", sound, "refuse_unsound",
            refused, "copy", spell_copy(e, t->decl, predicts ? "&*v_" : "v_", of), "old", old, "twin",
            predicts ? arena_printf(e->arena, "base_ != NULL ? sizeof(%s) : 0", name) : "0", NULL);
    out_put(e->out, delta_streams, "name", name, "base", base, "again",
            predicts ? "pkt_write_predicted_again"
            : coded  ? "pkt_write_coded_again"
                     : "pkt_write_delta_again",
            "failed",
            predicts ? "pkt_read_predicted_failed"
            : coded  ? "pkt_read_coded_failed"
                     : "pkt_read_delta_failed",
            NULL);
    if (t->decl->packet)
        emit_packet(e, t, is_in_rows(p) ? delta_bodies_at_start : bodies, "PKT_INLINE", true);
}
