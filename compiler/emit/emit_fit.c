/* emit_fit.c - T_fit_write_delta and T_fit_write of types with @fit arrays, which choose the elements that fit, and
 * T_what_came, which says what of these arrived.
 * SPDX-License-Identifier: MIT
 *
 * runtime/pkt_fit.c chooses and compares. pktc generates the lines that measure an element, the lines that copy one, and the
 * description of the arrays.
 */
#include "emit/emit_internal.h"

/* An array with @fit. */
typedef struct fit_array {
    const field *field;
    const op *op;
    const delta_field *delta; /* NULL: the type is not @delta */
    bool is_expected;         /* a prediction can expect its elements to change */
} fit_array;

/* Those of a type, in wire order, which is that of its fields. */
typedef struct fit_arrays {
    fit_array *list;
    unsigned count;
} fit_arrays;

static unsigned arrays_that_fit(const wire_type *t)
{
    unsigned count = 0;
    for (const field *f = t->decl->fields; f; f = f->next)
        count += f->fit;
    return count;
}

static fit_arrays list_arrays(const emitter *e, const wire_type *t)
{
    fit_arrays all = {ARENA_ARRAY(e->arena, fit_array, arrays_that_fit(t)), 0};
    const delta_field *at = t->decl->delta ? e->deltas[t->index]->block->fields : NULL;
    for (const op *o = t->body; o; o = o->next) {
        if (!o->field || !o->field->fit)
            continue;
        while (at && at->value->op != o)
            at++;
        all.list[all.count++] = (fit_array){o->field, o, at, at && t->decl->predicts && o->field->coded && op_moves(o)};
    }
    return all;
}

/* ---- prototypes */

static const char fit_write_delta_prototypes[] =
    "/* Chooses what of v is sent: *count elements in an order, the most important first. *sent becomes what the receiver\n"
    " * will have. *count becomes the number of those that are in it; they are moved to the front of the order. What they\n"
    " * fit into: max_bits of ${name}_write_delta at start_bit$or_bytes. Returns false if that is too\n"
    " * small for the rest of v, or this cannot be written. *report, which may be NULL, says what became of the order, and why.\n"
    " * base may be NULL. sent is neither v nor $in_base. */\n"
    "PKT_API bool ${name}_fit_write_delta(const $base *base_, const $name *v_, $name *sent_, pkt_element *order_,\n"
    "                       uint32_t *count_, uint64_t start_bit_, uint64_t max_bits_, pkt_fit_report *report_);\n";

static const char part_prototype[] =
    "/* Internal: the same for a part of a packet, a pkt_delta_part, or NULL. */\n"
    "PKT_API bool ${name}_fit_part_(const void *part_, const $base *base_, const $name *v_, $name *sent_,\n"
    "                       pkt_element *order_, uint32_t *count_, uint64_t start_bit_, uint64_t max_bits_,\n"
    "                       pkt_fit_report *report_);\n";

static const char packet_delta_prototypes[] =
    "PKT_API bool ${name}_fit_pack_delta(const $base *base_, const $name *v_, $name *sent_, pkt_element *order_,\n"
    "                            uint32_t *count_, size_t max_bytes_, pkt_fit_report *report_);\n";

static const char came_prototype[] =
    "/* Compares what was read with its baseline, or with any other value; NULL: with base values. Of bitmaps, element i is\n"
    " * bit i % 64 of word i / 64: see pkt_present_has. An element that did not come is as in base: it has not changed since, or\n"
    " * there was no room for it. */\n"
    "PKT_API void ${name}_what_came(const $name *base_, const $name *v_, ${name}_came *came_);\n";

static const char sparse_prototypes[] =
    "/* Chooses which elements stay present, or in lists: *count elements in an order, the most important first. *count\n"
    " * becomes the number of those that are still there; they are moved to the front of the order. What they fit into:\n"
    " * max_bits of ${name}_write at start_bit$or_bytes. Returns false if that is too small for the rest of v, or\n"
    " * this cannot be written. *report, which may be NULL, says what became of the order, and why. */\n"
    "PKT_API bool ${name}_fit_write($name *v_, pkt_element *order_, uint32_t *count_, uint64_t start_bit_, uint64_t max_bits_,\n"
    "                        pkt_fit_report *report_);\n";

static const char packet_sparse_prototypes[] =
    "PKT_API bool ${name}_fit_pack($name *v_, pkt_element *order_, uint32_t *count_, size_t max_bytes_,\n"
    "                             pkt_fit_report *report_);\n";

static void emit_came_type(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    out_put(
        e->out,
        "\n/* What came of the arrays with @fit: elements of the value that have changed or are new; new ones among these;\n"
        " * and elements of the baseline that are gone. */\n"
        "typedef struct ${name}_came {\n",
        "name", name, NULL);
    for (const field *f = t->decl->fields; f; f = f->next)
        if (f->fit)
            out_put(e->out, "    struct {\n        uint64_t came[$words], added[$words], gone[$words];\n    } $m;\n",
                    "words", spell_words(e, f->dims[0]), "m", f->name, NULL);
    out_put(e->out, "} ${name}_came;\n\n", "name", name, NULL);
    out_put(e->out, came_prototype, "name", name, NULL);
}

void emit_fit_prototypes(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl), *base = spell_baseline(e, t->decl);
    const bool delta = t->decl->delta, packet = t->decl->packet;
    uint64_t first = 0;
    if (arrays_that_fit(t) == 0)
        return;
    out_put(e->out, "\n/* What fits. An order has elements: number $name_FIT_x + i is element i of x. */\n",
            "name_FIT_x", arena_printf(e->arena, "%s_FIT_x", name), NULL);
    for (const field *f = t->decl->fields; f; f = f->next) {
        if (!f->fit)
            continue;
        out_put(e->out, "#define ${name}_FIT_$m $first\n", "name", name, "m", f->name, "first", spell_number(e, first),
                NULL);
        first += f->dims[0];
    }
    out_put(e->out, delta ? fit_write_delta_prototypes : sparse_prototypes, "name", name, "or_bytes",
            packet ? arena_printf(e->arena, ", or max_bytes of %s_pack%s", name, delta ? "_delta" : "") : "", "base",
            base, "in_base", t->decl->predicts ? "a part of base" : "base", NULL);
    if (t->decl->starts)
        out_put(e->out, part_prototype, "name", name, "base", base, NULL);
    if (delta)
        emit_came_type(e, t);
    if (packet)
        out_put(e->out, delta ? packet_delta_prototypes : packet_sparse_prototypes, "name", name, "base", base, NULL);
}

/* ---- an element */

/* The variables of lines that work in all modes. */
static const char measuring[] = "const pkt_mode mode_ = PKT_CHECK;\n"
                                "const $name *const in_ = (const $name *)value_;\n"
                                "$name *const out_ = NULL;\n";

static void emit_size_of_element(emitter *e, const wire_type *t, const op *array)
{
    const op *o = array->body;
    const lvalue name = {.kind = ACCESS_FIELD, .field = array->field, .loop = -1};
    const lvalue at = {.outer = &name, .kind = ACCESS_INDEX};
    if (o->kind == OP_STRUCT || o->kind == OP_UNION) {
        out_put(e->out, measuring, "name", spell_decl(e, t->decl), NULL);
        out_put(e->out, "(void)baseline_;\nPKT_INLINED($type, $m);\n", "type", spell_decl(e, o->of->decl), "m",
                spell_access(e, &at, "", ""), NULL);
    } else {
        out_put(e->out, measuring, "name", spell_decl(e, t->decl), NULL);
        out_put(e->out, o->most == 0 ? "(void)baseline_;\n(void)c_;\n" : "(void)baseline_;\n", NULL);
        emit_steps(e, fuse_value(e->arena, t, o, &at, 1));
    }
}

static void emit_bits(emitter *e, const wire_type *t, const fit_array *array)
{
    const char *name = spell_decl(e, t->decl);
    out_put(
        e->out,
        "static bool ${name}_${m}_fit_bits(pkt_cursor *c_, const void *baseline_, const void *value_, uint32_t i0_, uint32_t j0_)\n"
        "{\n",
        "name", name, "m", array->field->name, NULL);
    out_indent(e->out);
    if (!array->delta || !array->field->by)
        out_put(e->out, "(void)j0_;\n", NULL);
    if (array->delta) {
        out_put(e->out, measuring, "name", name, NULL);
        out_put(e->out, "const $name *const base_ = (const $name *)baseline_;\n", "name", name, NULL);
        emit_delta_of_element(e, t, array->delta->value);
    } else {
        emit_size_of_element(e, t, array->op);
    }
    out_put(e->out, "return true;\n", NULL);
    out_close(e->out);
    out_put(e->out, "\n", NULL);
}

static void emit_copy_of_element(emitter *e, const wire_type *t, const field *f)
{
    const char *name = spell_decl(e, t->decl), *m = f->name;
    out_put(e->out,
            "static void ${name}_${m}_fit_copy(void *sent_, const void *value_, uint32_t i_)\n"
            "{\n"
            "    $name *const to_ = ($name *)sent_;\n"
            "    const $name *const from_ = (const $name *)value_;\n",
            "name", name, "m", m, NULL);
    out_indent(e->out);
    if (f->type.kind == TYPE_STRING || f->type.kind == TYPE_BYTES)
        out_put(e->out, "memcpy(to_->$m[i_], from_->$m[i_], sizeof to_->$m[i_]);\n", "m", m, NULL);
    else if (is_composite(&f->type) && f->type.decl->holds_private)
        out_put(e->out, "$copy;\n", "copy",
                spell_copy(e, f->type.decl, arena_printf(e->arena, "&to_->%s[i_]", m),
                           arena_printf(e->arena, "&from_->%s[i_]", m)),
                NULL);
    else
        out_put(e->out, "to_->$m[i_] = from_->$m[i_];\n", "m", m, NULL);
    if (f->type.kind == TYPE_BYTES)
        out_put(e->out, "to_->${m}_size[i_] = from_->${m}_size[i_];\n", "m", m, NULL);
    out_close(e->out);
    out_put(e->out, "\n", NULL);
}

static void emit_expected(emitter *e, const wire_type *t, const fit_array *array)
{
    out_put(
        e->out,
        "static void ${name}_${m}_fit_expected(const $name *base_, const $name *before_, const $name *in_, uint64_t "
        "*expected_$in_back)\n"
        "{\n"
        "    const pkt_coding known_ = {before_, NULL, $back, 0, 0, false, false, false};\n",
        "in_back", t->goes ? ", uint32_t back_" : "", "back", t->goes ? "back_" : "0", "name", spell_decl(e, t->decl),
        "m", array->field->name, NULL);
    out_indent(e->out);
    if (array->field->array != ARRAY_COUNTED || array->field->by)
        out_put(e->out, "(void)in_;\n", NULL);
    emit_expected_elements(e, t, array->delta->value);
    out_close(e->out);
    out_put(e->out, "\n", NULL);
}

/* ---- the functions */

/* The codes of a type's change mask, or NULL. */
static const block *coded_changes_of(const emitter *e, const wire_type *t)
{
    const block *b = t->decl->delta ? e->deltas[t->index]->block->of : NULL;
    return b && b->masks ? b : NULL;
}

/* The number of bits by which the part after the arrays can grow if it moves: the first padding after each. A coded
 * change mask comes before everything, and its length depends on the arrays. */
static uint64_t padding_after(const emitter *e, const wire_type *t)
{
    uint64_t bits = 0;
    bool after = coded_changes_of(e, t) != NULL;
    for (const op *o = t->body; o; o = o->next) {
        if (o->field && o->field->fit) {
            after = true;
        } else if (after && op_pads(o)) {
            bits += 7;
            after = false;
        }
    }
    return bits;
}

/* A list, in a delta or whole. */
static void emit_listed_array(emitter *e, const wire_type *t, const fit_array *array, unsigned n)
{
    const field *f = array->field;
    const uint64_t bytes = array->delta ? op_plain_bytes(array->op->body) : 0;
    out_put(
        e->out,
        "pkt_fit_list(&arrays_[$n], offsetof($name, $m), &${name}_${m}_keys_, $base, $old, v_, v_->${m}_count,\n"
        "             $each, $pads, $kept, ${m}_added_, ${name}_${m}_fit_bits);\n",
        "n", spell_number(e, n), "name", spell_decl(e, t->decl), "m", f->name, "base", array->delta ? "base_" : "NULL",
        "old", array->delta ? arena_printf(e->arena, "base_->%s_count", f->name) : "0", "each",
        bytes != 0 ? arena_printf(e->arena, "pkt_unpadded(sizeof *v_->%s, %s)", f->name, spell_number(e, bytes)) : "0",
        "pads", op_pads(array->op->body) ? "true" : "false", "kept",
        array->delta ? arena_printf(e->arena, "%s_kept_", f->name) : "NULL", NULL);
}

static void emit_plain_array(emitter *e, const wire_type *t, const fit_array *array, unsigned n)
{
    const field *f = array->field;
    const op *o = array->op;
    const bool counted = f->array == ARRAY_COUNTED;
    const char *size = spell_number(e, f->dims[0]);
    out_put(e->out,
            "pkt_fit_delta_array(&arrays_[$n], offsetof($name, $m), $size, $old, $now, $bits, $pads,\n"
            "                    ${m}_kept_, ${name}_${m}_fit_bits, ${name}_${m}_fit_copy);\n",
            "n", spell_number(e, n), "size", size, "old",
            counted ? arena_printf(e->arena, "base_->%s_count", f->name) : size, "now",
            counted ? arena_printf(e->arena, "v_->%s_count", f->name) : size, "bits",
            spell_number(e, counted ? o->bits : 0), "pads", op_pads(o->body) ? "true" : "false", "m", f->name, "name",
            spell_decl(e, t->decl), NULL);
    if (op_plain_bytes(o->body) != 0)
        out_put(e->out, "pkt_fit_plain_array(&arrays_[$n], base_, v_, pkt_unpadded(sizeof *v_->$m, $bytes));\n", "n",
                spell_number(e, n), "name", spell_decl(e, t->decl), "m", f->name, "bytes",
                spell_number(e, op_plain_bytes(o->body)), NULL);
}

static void emit_delta_array(emitter *e, const wire_type *t, const fit_array *array, unsigned n)
{
    const field *f = array->field;
    if (f->by)
        emit_listed_array(e, t, array, n);
    else
        emit_plain_array(e, t, array, n);
    if (t->decl->starts)
        out_put(e->out, "arrays_[$n].part = (const pkt_delta_part *)part_;\n", "n", spell_number(e, n), NULL);
    if (!f->coded && !coded_changes_of(e, t))
        return;
    out_put(e->out, "pkt_fit_coded_array(&arrays_[$n], $field, $runs, $expected);\n", "n", spell_number(e, n), "field",
            spell_number(e, (uint64_t)(array->delta - e->deltas[t->index]->block->fields)), "runs",
            f->coded ? spell_runs(e, f) : "NULL", "expected",
            array->is_expected ? arena_printf(e->arena, "%s_expected_", f->name) : "NULL", NULL);
}

static void emit_sparse_array(emitter *e, const wire_type *t, const fit_array *array, unsigned n)
{
    const field *f = array->field;
    out_put(e->out,
            "pkt_fit_sparse_array(&arrays_[$n], offsetof($name, $m), $kind, $size, $limit, $pads,\n"
            "                     v_->${m}_present, ${m}_offered_, ${name}_${m}_fit_bits);\n",
            "n", spell_number(e, n), "kind", spell_subset_kind(f), "size", spell_number(e, f->dims[0]), "limit",
            spell_number(e, f->limit), "pads", op_pads(array->op->body) ? "true" : "false", "m", f->name, "name",
            spell_decl(e, t->decl), NULL);
}

static void emit_counts(emitter *e, const fit_arrays *all, const char *to)
{
    for (unsigned n = 0; n < all->count; n++) {
        const field *f = all->list[n].field;
        if (f->array == ARRAY_COUNTED)
            out_put(e->out, "$to->${m}_count = ($type)arrays_[$n].$count;\n", "to", to, "m", f->name, "type",
                    cname_storage(storage_for(f->dims[0])), "n", spell_number(e, n), "count",
                    f->by ? "filled" : "set.n", NULL);
    }
}

static bool has_lists(const fit_arrays *all)
{
    for (unsigned n = 0; n < all->count; n++)
        if (all->list[n].field->by)
            return true;
    return false;
}

/* The chosen lists, and the counts of all arrays. */
static void emit_filled(emitter *e, const fit_arrays *all, const char *base, const char *to)
{
    if (has_lists(all))
        out_put(e->out, "pkt_fit_fill_lists(arrays_, $count, $base, v_, $to);\n", "count", spell_number(e, all->count),
                "base", base, "to", to, NULL);
    emit_counts(e, all, to);
}

/* $fit and $from: "write_delta" and "", but for a type that asks for a start value "part_" and "const void *part_, ". */
static const char blank[] =
    "static PKT_NOINLINE bool ${name}_fit_write_delta_blank(${from}const $name *v_, $name *sent_, pkt_element *order_, uint32_t *count_,\n"
    "                                                 uint64_t start_bit_, uint64_t max_bits_, pkt_fit_report *report_)\n"
    "{\n"
    "    $name blank_;\n"
    "    $clear;\n"
    "    ${name}_base(&blank_);\n"
    "    return ${name}_fit_$fit(${pass}&blank_, v_, sent_, order_, count_, start_bit_, max_bits_, report_);\n"
    "}\n"
    "\n";

static const char delta_function[] =
    "bool ${name}_fit_$fit(${from}const $name *base_, const $name *v_, $name *sent_, pkt_element *order_, uint32_t *count_,\n"
    "                       uint64_t start_bit_, uint64_t max_bits_, pkt_fit_report *report_)\n"
    "{\n"
    "    pkt_fit_array arrays_[$count];\n"
    "    pkt_fit_room room_ = {0, max_bits_, $padding};\n"
    "    bool fits_;\n";

/* The same for a type whose baselines are predicted: base_ is made of was_, which may be base_ itself. */
static const char predicted_function[] =
    "static bool ${name}_fit_write_delta_from(${from}const $name *base_, const $name *was_, const $name *v_, $name *sent_,\n"
    "                                   pkt_element *order_, uint32_t *count_, uint64_t start_bit_, uint64_t max_bits_,\n"
    "                                   pkt_fit_report *report_$in_back)\n"
    "{\n"
    "    pkt_fit_array arrays_[$count];\n"
    "    pkt_fit_room room_ = {0, max_bits_, $padding};\n"
    "    bool fits_;\n";

static const char predicted_blank[] =
    "static PKT_NOINLINE bool ${name}_fit_write_delta_blank(${from}const $name *v_, $name *sent_, pkt_element *order_, uint32_t *count_,\n"
    "                                                 uint64_t start_bit_, uint64_t max_bits_, pkt_fit_report *report_)\n"
    "{\n"
    "    $name blank_;\n"
    "    $clear;\n"
    "    ${name}_base(&blank_);\n"
    "    return ${name}_fit_write_delta_from(${pass}&blank_, &blank_, v_, sent_, order_, count_, start_bit_, max_bits_, report_$no_back);\n"
    "}\n"
    "\n"
    "static PKT_NOINLINE bool ${name}_fit_write_delta_moved(${from}const ${name}_motion *motion_, const $name *v_, $name *sent_,\n"
    "                                                 pkt_element *order_, uint32_t *count_, uint64_t start_bit_,\n"
    "                                                 uint64_t max_bits_, pkt_fit_report *report_)\n"
    "{\n"
    "    const $name *const was_ = (const $name *)motion_->of.base;\n"
    "    $name expected_;\n"
    "    if (sent_ == was_ || sent_ == motion_->of.before$unsound)\n"
    "        return pkt_fit_refused(&${name}_type_, count_, report_);\n"
    "$init"
    "    ${name}_expected(motion_, &expected_);\n"
    "    return ${name}_fit_write_delta_from(${pass}&expected_, was_, v_, sent_, order_, count_, start_bit_, max_bits_, report_$back);\n"
    "}\n"
    "\n"
    "bool ${name}_fit_$fit(${from}const ${name}_motion *base_, const $name *v_, $name *sent_, pkt_element *order_, uint32_t *count_,\n"
    "                       uint64_t start_bit_, uint64_t max_bits_, pkt_fit_report *report_)\n"
    "{\n"
    "    if (base_ == NULL || base_->of.base == NULL)\n"
    "        return ${name}_fit_write_delta_blank(${pass}v_, sent_, order_, count_, start_bit_, max_bits_, report_);\n"
    "    return ${name}_fit_write_delta_moved(${pass}base_, v_, sent_, order_, count_, start_bit_, max_bits_, report_);\n"
    "}\n"
    "\n";

static const char without_part[] =
    "bool ${name}_fit_write_delta(const $base *base_, const $name *v_, $name *sent_, pkt_element *order_, uint32_t *count_,\n"
    "                       uint64_t start_bit_, uint64_t max_bits_, pkt_fit_report *report_)\n"
    "{\n"
    "    return ${name}_fit_part_(NULL, base_, v_, sent_, order_, count_, start_bit_, max_bits_, report_);\n"
    "}\n"
    "\n";

static const char sparse_function[] =
    "bool ${name}_fit_write($name *v_, pkt_element *order_, uint32_t *count_, uint64_t start_bit_, uint64_t max_bits_,\n"
    "                pkt_fit_report *report_)\n"
    "{\n"
    "    pkt_fit_array arrays_[$count];\n"
    "    pkt_fit_room room_ = {0, max_bits_, $padding};\n";

/* $frame: the bytes of a packet's frame. */
static const char packet_delta_function[] =
    "bool ${name}_fit_pack_delta(const $base *base_, const $name *v_, $name *sent_, pkt_element *order_, uint32_t *count_,\n"
    "                            size_t max_bytes_, pkt_fit_report *report_)\n"
    "{\n"
    "    return ${name}_fit_write_delta(base_, v_, sent_, order_, count_, 0, pkt_fit_body_bits(max_bytes_, $frame), report_);\n"
    "}\n"
    "\n";

static const char packet_sparse_function[] =
    "bool ${name}_fit_pack($name *v_, pkt_element *order_, uint32_t *count_, size_t max_bytes_, pkt_fit_report *report_)\n"
    "{\n"
    "    return ${name}_fit_write(v_, order_, count_, 0, pkt_fit_body_bits(max_bytes_, $frame), report_);\n"
    "}\n"
    "\n";

static void emit_bitmap(emitter *e, const field *f, const char *line)
{
    out_put(e->out, line, "m", f->name, "words", spell_words(e, f->dims[0]), NULL);
}

static void emit_added(emitter *e, const fit_arrays *all)
{
    for (unsigned n = 0; n < all->count; n++)
        if (all->list[n].field->by)
            emit_bitmap(e, all->list[n].field, "uint64_t ${m}_added_[$words] = {0};\n");
}

/* Refuses arguments that cannot be used. With coded fields, that includes a baseline that is not sound: pkt_fit_coded
 * calls T_delta_put_, which relies on it, and the counts of the baseline bound the search for expected elements.
 * Without coded fields, measuring the rest finds it. */
static void emit_refusal(emitter *e, const wire_type *t)
{
    const bool coded = t->decl->holds_coded, predicts = t->decl->predicts;
    out_put(e->out,
            "if (sent_ == v_$base$unsound$start) {\n"
            "    return pkt_fit_refused(&${name}_type_, count_, report_);\n"
            "}\n",
            "name", spell_decl(e, t->decl), "base", predicts ? "" : " || sent_ == base_", "unsound",
            coded && !predicts && t->can_be_unsound
                ? arena_printf(e->arena, " || !%s_sound(base_)", spell_decl(e, t->decl))
                : "",
            "start",
            t->decl->starts ? arena_printf(e->arena, " || (start_ && !%s_sound(start_))", spell_decl(e, t->decl)) : "",
            NULL);
}

/* The data for pkt_fit_coded. */
static void emit_coding(emitter *e, const wire_type *t)
{
    const block *changes = coded_changes_of(e, t);
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, "const pkt_fit_coding coding_ = {${name}_delta_put_, $was, $changes, start_bit_, $pads, $back};\n",
            "back", t->goes && t->decl->predicts ? "back_" : "0", "name", name, "was",
            t->decl->predicts ? "was_" : "base_", "changes",
            changes ? arena_printf(e->arena, "&%s", spell_masks(e, t->decl, changes)) : "NULL", "pads",
            ops_any(t->body, op_pads) ? "true" : "false", NULL);
}

static void emit_delta_function(emitter *e, const wire_type *t, const fit_arrays *all)
{
    const char *name = spell_decl(e, t->decl), *count = spell_number(e, all->count);
    const bool predicts = t->decl->predicts, coded = t->decl->holds_coded, starts = t->decl->starts;
    const char *fit = starts ? "part_" : "write_delta", *from = starts ? "const void *part_, " : "",
               *pass = starts ? "part_, " : "";
    if (!predicts)
        out_put(e->out, blank, "name", name, "clear", spell_cleared(e, t->decl), "fit", fit, "from", from, "pass", pass,
                NULL);
    out_put(e->out, predicts ? predicted_function : delta_function, "name", name, "count", count, "padding",
            spell_number(e, padding_after(e, t)), "fit", fit, "from", from, "in_back",
            t->goes ? ", uint32_t back_" : "", NULL);
    out_indent(e->out);
    if (starts)
        out_put(
            e->out,
            "const $name *const start_ = (const $name *)pkt_start_of((const pkt_delta_part *)part_, &${name}_type_);\n",
            "name", name, NULL);
    if (coded)
        emit_coding(e, t);
    for (unsigned n = 0; n < all->count; n++)
        emit_bitmap(e, all->list[n].field, "uint64_t ${m}_kept_[$words] = {0};\n");
    emit_added(e, all);
    for (unsigned n = 0; n < all->count; n++)
        if (all->list[n].is_expected)
            emit_bitmap(e, all->list[n].field, "uint64_t ${m}_expected_[$words] = {0};\n");
    if (!predicts)
        out_put(
            e->out,
            "if (base_ == NULL)\n"
            "    return ${name}_fit_write_delta_blank(${pass}v_, sent_, order_, count_, start_bit_, max_bits_, report_);\n",
            "name", name, "pass", pass, NULL);
    if (coded)
        emit_refusal(e, t);
    for (unsigned n = 0; n < all->count; n++)
        if (all->list[n].is_expected)
            out_put(e->out, "${name}_${m}_fit_expected(was_, base_, v_, ${m}_expected_$back);\n", "back",
                    t->goes ? ", back_" : "", "name", name, "m", all->list[n].field->name, NULL);
    for (unsigned n = 0; n < all->count; n++)
        emit_delta_array(e, t, &all->list[n], n);
    if (!coded)
        emit_refusal(e, t);
    out_put(e->out,
            "$copy;\n"
            "pkt_fit_from_baseline(arrays_, $count, base_, sent_);\n",
            "copy", spell_copy(e, t->decl, "sent_", "v_"), "count", count, NULL);
    emit_filled(e, all, "base_", "sent_");
    if (!coded)
        out_put(e->out,
                starts ? "room_.rest = pkt_measure_delta_of((const pkt_delta_part *)part_, base_, sent_, start_bit_, "
                         "${name}_write_delta_);\n"
                       : "room_.rest = ${name}_measure_delta(base_, sent_, start_bit_);\n",
                "name", name, NULL);
    out_put(e->out,
            "fits_ = $fit(&${name}_type_, arrays_, $count, base_, v_, sent_, order_, count_, room_$coding,\n"
            "    report_);\n",
            "name", name, "fit", coded ? "pkt_fit_coded" : "pkt_fit", "count", count, "coding",
            coded ? ", &coding_" : "", NULL);
    emit_filled(e, all, "base_", "sent_");
    out_put(e->out, "return fits_;\n", NULL);
    out_close(e->out);
    out_put(e->out, "\n", NULL);
    if (predicts)
        out_put(e->out, predicted_blank, "name", name, "clear", spell_cleared(e, t->decl), "unsound",
                t->can_be_unsound ? arena_printf(e->arena, " || !%s_sound(was_)", name) : "", "init",
                t->decl->holds_bound ? arena_printf(e->arena, "    %s_init(&expected_);\n", name) : "", "fit", fit,
                "from", from, "pass", pass, "no_back", t->goes ? ", 0" : "", "back",
                t->goes ? ", pkt_coding_of(was_, &motion_->of).back" : "", NULL);
    if (starts)
        out_put(e->out, without_part, "name", name, "base", spell_baseline(e, t->decl), NULL);
}

static void emit_sparse_function(emitter *e, const wire_type *t, const fit_arrays *all)
{
    const char *name = spell_decl(e, t->decl), *count = spell_number(e, all->count);
    out_put(e->out, sparse_function, "name", name, "count", count, "padding", spell_number(e, padding_after(e, t)),
            NULL);
    out_indent(e->out);
    for (unsigned n = 0; n < all->count; n++)
        if (!all->list[n].field->by)
            emit_bitmap(e, all->list[n].field, "uint64_t ${m}_offered_[$words];\n");
    emit_added(e, all);
    if (has_lists(all))
        out_put(e->out, "bool fits_;\n", NULL);
    for (unsigned n = 0; n < all->count; n++)
        if (all->list[n].field->by)
            emit_listed_array(e, t, &all->list[n], n);
        else
            emit_sparse_array(e, t, &all->list[n], n);
    for (unsigned n = 0; n < all->count; n++)
        if (all->list[n].field->by)
            out_put(e->out, "if (v_->${m}_count <= arrays_[$n].size) v_->${m}_count = 0;\n", "m",
                    all->list[n].field->name, "n", spell_number(e, n), NULL);
    out_put(e->out,
            "room_.rest = ${name}_measure(v_, start_bit_);\n"
            "$fits pkt_fit(&${name}_type_, arrays_, $count, NULL, v_, NULL, order_, count_, room_, report_);\n",
            "name", name, "count", count, "fits", has_lists(all) ? "fits_ =" : "return", NULL);
    if (has_lists(all)) {
        emit_filled(e, all, "NULL", "v_");
        out_put(e->out, "return fits_;\n", NULL);
    }
    out_close(e->out);
    out_put(e->out, "\n", NULL);
}

static void emit_what_came(emitter *e, const wire_type *t, const fit_arrays *all)
{
    const char *name = spell_decl(e, t->decl);
    out_put(e->out,
            "static PKT_NOINLINE void ${name}_what_came_blank(const $name *v_, ${name}_came *came_)\n"
            "{\n"
            "    $name blank_;\n"
            "    $clear;\n"
            "    ${name}_base(&blank_);\n"
            "    ${name}_what_came(&blank_, v_, came_);\n"
            "}\n"
            "\n"
            "void ${name}_what_came(const $name *base_, const $name *v_, ${name}_came *came_)\n"
            "{\n"
            "    if (base_ == NULL) {\n"
            "        ${name}_what_came_blank(v_, came_);\n"
            "        return;\n"
            "    }\n"
            "    memset(came_, 0, sizeof *came_);\n",
            "name", name, "clear", spell_cleared(e, t->decl), NULL);
    for (unsigned n = 0; n < all->count; n++) {
        const field *f = all->list[n].field;
        const bool counted = f->array == ARRAY_COUNTED;
        const char *size = spell_number(e, f->dims[0]);
        out_put(e->out,
                "    pkt_what_came(${name}_${m}_fit_bits, $keys,\n"
                "                  base_, $old, v_, $now, came_->$m.came, came_->$m.added, came_->$m.gone);\n",
                "name", name, "m", f->name, "keys",
                f->by ? arena_printf(e->arena, "&%s_%s_keys_, offsetof(%s, %s), %s", name, f->name, name, f->name, size)
                      : arena_printf(e->arena, "NULL, 0, %s", size),
                "old", counted ? arena_printf(e->arena, "base_->%s_count", f->name) : size, "now",
                counted ? arena_printf(e->arena, "v_->%s_count", f->name) : size, NULL);
    }
    out_put(e->out, "}\n\n", NULL);
}

void emit_fit(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    const bool delta = t->decl->delta;
    if (arrays_that_fit(t) == 0)
        return;
    const fit_arrays all = list_arrays(e, t);
    for (unsigned n = 0; n < all.count; n++) {
        emit_bits(e, t, &all.list[n]);
        if (delta && !all.list[n].field->by)
            emit_copy_of_element(e, t, all.list[n].field);
        if (all.list[n].is_expected)
            emit_expected(e, t, &all.list[n]);
    }
    if (delta) {
        emit_delta_function(e, t, &all);
        emit_what_came(e, t, &all);
    } else {
        emit_sparse_function(e, t, &all);
    }
    if (t->decl->packet)
        out_put(e->out, delta ? packet_delta_function : packet_sparse_function, "name", name, "base",
                spell_baseline(e, t->decl), "frame",
                spell_number(e, (FRAME_CRC_BITS + (e->schema->checks ? FRAME_END_BITS : 0)) / 8), NULL);
}
