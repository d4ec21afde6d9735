/* emit_datagram.c - packets with parts: their types and prototypes for NAME.h, and what pkt_parts.h needs in NAME.c.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"

#include <inttypes.h>
#include <string.h>

/* ---- NAME.h */

static const char datagram_explained[] =
    "/* A packet with parts that are deltas. `from` has a baseline for each part: the value of the number that the packet\n"
    " * names, or {0} if it names none.\n"
    " *   peek    reads the names of the parts into *names_, so that the program can find the baselines. Nothing is\n"
    " *           checked yet. Returns false if the data is too short. *head_ is where unpack reads to later.\n"
    " *   unpack  reads a packet into *v_, which no baseline may be in. The error is PKT_ERROR_BASELINE if a baseline is\n"
    " *           missing, or is not the one of that number. */\n"
    "PKT_INLINE bool ${name}_peek($name *head_, ${name}_names *names_, const void *data_, size_t size_);\n";

/* Whether the type of a part has T_hash. The ring of another has room for the bytes that are hashed. */
static bool is_hashed(const emitter *e, const field *f)
{
    return has_hash(wire_type_of(e->wire, f->type.decl));
}

static void emit_part_types(emitter *e, const wire_type *t, const field *f)
{
    out_put(
        e->out,
        "\n"
        "/* A $type that may be the baseline of $packet.$part, at most ${packet}_${part}_REACH before it. */\n"
        "#define ${packet}_${part}_REACH $reach\n"
        "typedef struct ${packet}_${part}_baseline {\n"
        "    const $type *value; /* NULL: none */\n"
        "    uint64_t number;    /* by which packets name it */\n"
        "    uint64_t hash;      /* $hash, on both sides */\n"
        "} ${packet}_${part}_baseline;\n"
        "\n"
        "/* The newest of them, in memory of the program. All bytes zero, or all of `used` false: none. */\n"
        "typedef struct ${packet}_${part}_ring {\n"
        "    $type value[$size]; /* by number % $size */\n"
        "    uint64_t number[$size], hash[$size];\n"
        "    bool used[$size];\n"
        "    bool acknowledged[$size]; /* internal: a sender knows that the other side has it */\n"
        "    uint64_t newest; /* the newest number */\n"
        "    uint32_t late;   /* how many values in a row were too old to be kept */\n"
        "${room}} ${packet}_${part}_ring;\n",
        "type", spell_type(e, &f->type), "packet", spell_decl(e, t->decl), "part", f->name, "reach",
        spell_number(e, f->part->reach), "size", spell_number(e, delta_part_ring(f->part)), "hash",
        arena_printf(e->arena, is_hashed(e, f) ? "%s_hash of it" : "pkt_hash of what %s_write writes",
                     spell_type(e, &f->type)),
        "room",
        is_hashed(e, f)
            ? ""
            : arena_printf(
                  e->arena,
                  "    uint8_t bytes[%s_MAX_BITS / 8 + 1]; /* internal: what is hashed, too much for the stack */\n",
                  spell_type(e, &f->type)),
        NULL);
}

/* A struct with a member for each part. before: predicted parts have a second one, and those with a start value another. */
static void emit_members(emitter *e, const wire_type *t, const char *head, const char *line, bool before)
{
    const char *packet = spell_decl(e, t->decl);
    out_put(e->out, head, "packet", packet, NULL);
    for (const field *f = t->decl->fields; f; f = f->next) {
        if (!f->part)
            continue;
        out_put(e->out, line, "packet", packet, "part", f->name, "type", spell_type(e, &f->type), NULL);
        if (before && f->type.decl->predicts)
            out_put(e->out, "    ${packet}_${part}_baseline ${part}_before; /* from which it has moved */\n", "packet",
                    packet, "part", f->name, NULL);
        if (before && f->part->starts)
            out_put(
                e->out,
                "    ${packet}_${part}_baseline ${part}_start; /* of ${packet}_${part}_start; the same on both sides */\n",
                "packet", packet, "part", f->name, NULL);
    }
}

const field *fit_part_of(const decl *d)
{
    const field *f = d->fields;
    while (f && !(f->part && f->fit))
        f = f->next;
    return f;
}

static bool is_field_of(const decl *d, const char *name)
{
    const field *f = d->fields;
    while (f && strcmp(f->name, name) != 0)
        f = f->next;
    return f != NULL;
}

/* The functions that take parts have other parameters and variables. */
const char *spell_part(const emitter *e, const field *f)
{
    static const char *const taken[] = {"v",    "from", "order", "count", "max_bytes", "counts", "fit",   "peer",
                                        "seed", "data", "size",  "error", "used",      "then",   "report"};
    const char *name = f->name;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(f->name, taken[i]) == 0)
            name = arena_printf(e->arena, "%s_part", f->name);
    while (name != f->name && is_field_of(f->owner, name))
        name = arena_printf(e->arena, "%s_part", name);
    return arena_printf(e->arena, "%s_", name);
}

/* The parameters of T_fit_pack: with those of the part, if one has @fit. */
static const char *spell_fit(const emitter *e, const decl *d)
{
    const field *f = fit_part_of(d);
    const char *part = f ? arena_printf(e->arena, "const %s *%s,\n    pkt_element *order_, uint32_t *count_, ",
                                        spell_type(e, &f->type), spell_part(e, f))
                         : "";
    return arena_printf(
        e->arena,
        "bool %s_fit_pack(const %s_baselines *from_, %s *v_, %ssize_t max_bytes_,\n    pkt_fit_report *report_)",
        spell_decl(e, d), spell_decl(e, d), spell_decl(e, d), part);
}

static void emit_fit_prototype(emitter *e, const decl *d)
{
    const field *part = fit_part_of(d);
    out_put(
        e->out,
        "\n/* Chooses what fits into a packet of max_bytes_, with its frame. Of the arrays with @fit, *v_ keeps the\n"
        " * first elements that fit, in the order of the schema. ",
        NULL);
    if (part)
        out_put(
            e->out,
            "Then v_->$part becomes what the receiver will\n"
            " * have: *$given, but only those elements of its @fit arrays that fit, in the order of importance in\n"
            " * `order_`, which has *count_ entries; the others are as in the baseline. See ${type}_fit_write_delta. ",
            "part", part->name, "given", spell_part(e, part), "type", spell_type(e, &part->type), NULL);
    out_put(
        e->out,
        "Returns\n * false if not even the rest fits or can be written, or a baseline is missing. Elements that cannot be written are\n * left out; a counted array ends before its first such element. *report_, which may be NULL, says so, and why. */\nPKT_API $prototype;\n",
        "prototype", spell_fit(e, d), NULL);
}

/* Whether clients show what is between two values of a part. */
static bool is_shown(const emitter *e, const field *f)
{
    return f->part && f->type.decl->mixes && !is_served(e);
}

/* A first parameter of T_x_start, of a type without T_hash. */
static const char *spell_room(const emitter *e, const wire_type *t, const field *f)
{
    return is_hashed(e, f) ? "" : arena_printf(e->arena, "%s_%s_ring *ring_, ", spell_decl(e, t->decl), f->name);
}

/* The first part, whose numbers say which packet is newer. */
static const field *first_part_of(const decl *d)
{
    const field *f = d->fields;
    while (!f->part)
        f = f->next;
    return f;
}

/* A part that is in every packet, with the number of the first one. Then the newest packet has it; NULL: there is none. */
static const field *lasting_part_of(const decl *d)
{
    const field *first = first_part_of(d), *f = first;
    while (f && !(f->part && !f->optional && is_same_sum(f->part->number, first->part->number)))
        f = f->next;
    return f;
}

static void emit_receiver_prototypes(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    out_put(e->out,
            "\n/* The values that may be baselines. */\n"
            "typedef struct ${name}_rings {\n",
            "name", name, NULL);
    for (const field *f = d->fields; f; f = f->next) {
        if (!f->part)
            continue;
        out_put(e->out, "    ${name}_${part}_ring $part;\n", "name", name, "part", f->name, NULL);
        if (f->part->starts)
            out_put(e->out, "    ${name}_${part}_baseline ${part}_start; /* set by the program */\n", "name", name,
                    "part", f->name, NULL);
    }
    out_put(
        e->out,
        "} ${name}_rings;\n"
        "\n"
        "/* What one side has received. All bytes zero: nothing. */\n"
        "typedef struct ${name}_receiver {\n"
        "    ${name}_rings kept;\n"
        "    $name read; /* internal: what is read before it is known to be newer */\n"
        "    uint64_t newest;    /* $newest */\n"
        "    bool begun;         /* a packet has arrived */\n"
        "    bool acknowledges;  /* `newest` may be a baseline: the other side is to know it */\n"
        "$latest"
        "    uint32_t doubts;    /* packets in a row that name known baselines and have a wrong checksum */\n"
        "    uint32_t late;      /* packets in a row that were late */\n"
        "    uint32_t forgotten; /* times that the baselines could not be trusted, and were forgotten */\n"
        "} ${name}_receiver;\n"
        "\n"
        "/* For a new session. */\n"
        "PKT_INLINE void ${name}_receiver_begin(${name}_receiver *receiver_);\n"
        "/* Unpacks a packet with the baselines that it names, and keeps its parts as baselines. Returns true if it is\n"
        " * newer than all before; only then *v_ changes, with its local members. The error of one that is late or here twice is PKT_OK. If\n"
        " * PKT_MOST_DOUBTS with baselines of the receiver have a wrong checksum, these are to blame, and forgotten. */\n"
        "PKT_INLINE bool ${name}_receive(${name}_receiver *receiver_, $name *v_, uint64_t seed_, const void *data_,\n"
        "                         size_t size_);\n"
        "PKT_INLINE bool ${name}_receive_error(${name}_receiver *receiver_, $name *v_, uint64_t seed_,\n"
        "                               const void *data_, size_t size_, pkt_error *error_);\n",
        "name", name, "newest",
        lasting_part_of(d) ? "the number of the newest packet" : "the number of the newest packet that has a part",
        "latest", lasting_part_of(d) ? "" : "    uint64_t latest;    /* internal: the number of the newest packet */\n",
        NULL);
}

void emit_datagram_prototypes(emitter *e, const wire_type *t)
{
    const decl *d = t->decl;
    const char *name = spell_decl(e, d);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            emit_part_types(e, t, f);
    emit_members(e, t, "\n/* The baselines of the parts. */\ntypedef struct ${packet}_baselines {\n",
                 "    ${packet}_${part}_baseline $part;\n", true);
    out_put(e->out, "} ${name}_baselines;\n", "name", name, NULL);
    emit_members(e, t, "\n/* How a packet names its parts and their baselines. */\ntypedef struct ${packet}_names {\n",
                 "    pkt_part_names $part;\n", false);
    out_put(e->out, "} ${name}_names;\n", "name", name, NULL);
    out_put(e->out, "\n", NULL);
    out_put(e->out, datagram_explained, "name", name, NULL);
    emit_pack_prototypes(e, t,
                         &(packet_form){"The packet in a buffer.", "", "",
                                        arena_printf(e->arena, "const %s_baselines *from_, ", name), "uint64_t seed_, ",
                                        false});
    if (has_fit(d))
        emit_fit_prototype(e, d);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            out_put(
                e->out,
                "\n"
                "/* The baseline of that number; its value is NULL if the ring does not have it. And: keeps a value\n"
                " * that was packed or unpacked. The ring has the values that were kept of the newest number and of the\n"
                " * $size before it. One that is older is not kept, so none that comes late removes a newer one. */\n"
                "PKT_INLINE ${name}_${part}_baseline ${name}_${part}_ring_find(const ${name}_${part}_ring *ring_,\n"
                "                                                      uint64_t number_);\n"
                "PKT_INLINE void ${name}_${part}_ring_keep(${name}_${part}_ring *ring_, uint64_t number_,\n"
                "                                      const $type *value_);\n",
                "name", name, "part", f->name, "type", spell_type(e, &f->type), "size",
                spell_number(e, delta_part_ring(f->part) - 1), NULL);
    for (const field *f = d->fields; f; f = f->next)
        if (is_shown(e, f))
            out_put(
                e->out,
                "\n"
                "/* What a client shows of a ring at the time now_, which T_mix stores in *out_. The playout clock has the numbers\n"
                " * of the ring: see pkt_playout_arrived. Returns false if the ring has nothing for that time; *out_ is as before. */\n"
                "PKT_INLINE bool ${name}_${part}_ring_show(const ${name}_${part}_ring *ring_, pkt_playout *playout_, double now_,\n"
                "                                      $type *out_);\n",
                "name", name, "part", f->name, "type", spell_type(e, &f->type), NULL);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part && f->part->starts)
            out_put(
                e->out,
                "\n"
                "/* The value that $part starts from without a baseline, and new elements of its lists. It must be one that\n"
                " * can be written, and that a reader would return: see ${type}_quantize.$about_room */\n"
                "PKT_INLINE ${name}_${part}_baseline ${name}_${part}_start(${room}const $type *value_);\n",
                "name", name, "part", f->name, "type", spell_type(e, &f->type), "about_room",
                is_hashed(e, f) ? "" : " ring_ lends memory.", "room", spell_room(e, t, f), NULL);
    emit_receiver_prototypes(e, d);
    if (has_sender(d) && !is_served(e))
        emit_sender_prototypes(e, d);
}

static const char start_function[] = "PKT_INLINE ${part}_baseline ${part}_start(${room}const $type *value_)\n"
                                     "{\n"
                                     "    ${part}_baseline start_;\n"
                                     "    start_.value = value_;\n"
                                     "    start_.number = 0;\n"
                                     "    start_.hash = $hashed;\n"
                                     "    return start_;\n"
                                     "}\n";

static const char datagram_functions[] =
    "PKT_API extern const pkt_datagram ${name}_datagram;\n"
    "PKT_API bool ${name}_read_parts_(pkt_reader *r_, const void *parts_, void *v_);\n"
    "PKT_API bool ${name}_write_parts_(pkt_writer *w_, const void *parts_, const void *v_);\n"
    "PKT_API uint64_t ${name}_measure_parts_(const void *v_, uint64_t start_bit_, pkt_delta_part *parts_);\n"
    "PKT_INLINE bool ${name}_peek($name *head_, ${name}_names *names_, const void *data_, size_t size_)\n"
    "{\n"
    "    return pkt_peek_names(&${name}_datagram, ${name}_read_parts_, head_, names_, data_, size_);\n"
    "}\n"
    "PKT_INLINE bool ${name}_unpack_error(const ${name}_baselines *from_, $name *v_, uint64_t seed_, const void *data_,\n"
    "                              size_t size_, pkt_error *error_)\n"
    "{\n"
    "    return pkt_unpack_datagram(&${name}_datagram, ${name}_read_parts_, v_, from_, seed_, data_, size_, error_);\n"
    "}\n"
    "PKT_INLINE size_t ${name}_pack_error(const ${name}_baselines *from_, const $name *v_, uint64_t seed_, void *data_,\n"
    "                              size_t size_, pkt_error *error_)\n"
    "{\n"
    "    return pkt_pack_datagram(&${name}_datagram, ${name}_write_parts_, v_, from_, seed_, data_, size_, error_);\n"
    "}\n"
    "PKT_INLINE bool ${name}_unpack(const ${name}_baselines *from_, $name *v_, uint64_t seed_, const void *data_, size_t "
    "size_)\n"
    "{\n"
    "    return ${name}_unpack_error(from_, v_, seed_, data_, size_, NULL);\n"
    "}\n"
    "PKT_INLINE size_t ${name}_pack(const ${name}_baselines *from_, const $name *v_, uint64_t seed_, void *data_, size_t "
    "size_)\n"
    "{\n"
    "    return ${name}_pack_error(from_, v_, seed_, data_, size_, NULL);\n"
    "}\n";

static const char ring_functions[] =
    "PKT_INLINE ${part}_baseline ${part}_ring_find(const ${part}_ring *ring_, uint64_t number_)\n"
    "{\n"
    "    const size_t at_ = (size_t)(number_ % $size);\n"
    "    ${part}_baseline found_;\n"
    "    memset(&found_, 0, sizeof found_);\n"
    "    if (ring_->used[at_] && ring_->number[at_] == number_) {\n"
    "        found_.value = &ring_->value[at_];\n"
    "        found_.number = number_;\n"
    "        found_.hash = ring_->hash[at_];\n"
    "    }\n"
    "    return found_;\n"
    "}\n"
    "PKT_INLINE void ${part}_ring_keep(${part}_ring *ring_, uint64_t number_, const $type *value_)\n"
    "{\n"
    "    const size_t at_ = (size_t)(number_ % $size);\n"
    "    if (!pkt_ring_keeps(&ring_->newest, &ring_->late, ring_->used, number_, $size, $bits)) return;\n"
    "    $copy;\n"
    "    ring_->number[at_] = number_;\n"
    "    ring_->hash[at_] = $hashed;\n"
    "    ring_->used[at_] = true;\n"
    "    ring_->acknowledged[at_] = false;\n"
    "}\n";

static const char show_function[] =
    "PKT_INLINE bool ${part}_ring_show(const ${part}_ring *ring_, pkt_playout *playout_, double now_, $type *out_)\n"
    "{\n"
    "    pkt_shown at_;\n"
    "    const $type *from_, *to_;\n"
    "    if (!pkt_playout_show(playout_, now_, &at_)) return false;\n"
    "    from_ = ${part}_ring_find(ring_, at_.from).value;\n"
    "    to_ = ${part}_ring_find(ring_, at_.to).value;\n"
    "    if (!from_ || !to_) return false;\n"
    "    ${type}_mix(from_, to_, at_.t, out_);\n"
    "    return true;\n"
    "}\n";

/* Whether a packet names a value that the receiver has. Otherwise no baseline is to blame for a wrong checksum, but who sent it. */
static const char *spell_is_based(const emitter *e, const decl *d)
{
    const char *text = "";
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            text = arena_printf(e->arena, "%s%sfrom_.%s.value", text, *text ? " || " : "", f->name);
    return text;
}

void emit_keep_part(emitter *e, const field *f, const char *side, const char *v, const char *number)
{
    out_put(e->out, "    $has${name}_${part}_ring_keep(&$side->kept.$part, $number, &$v->$part);\n", "has",
            f->optional ? arena_printf(e->arena, "if (%s->has_%s) ", v, f->name) : "", "name", spell_decl(e, f->owner),
            "part", f->name, "side", side, "number", number, "v", v, NULL);
    if (f->optional)
        out_put(e->out,
                "    else pkt_ring_passes($side->kept.$part.newest, $side->kept.$part.used, $number, $size, $bits);\n",
                "side", side, "part", f->name, "number", number, "size", spell_number(e, delta_part_ring(f->part)),
                "bits", spell_number(e, f->part->bits), NULL);
}

/* The end of T_receive_error if the newest packet may have no part: what the other side is to know comes from the rings, also
 * after a late packet, which may have a newer part than those before it. */
static void emit_newest_of_rings(emitter *e, const decl *d, const char *copy)
{
    const field *first = first_part_of(d);
    const char *bits = spell_number(e, first->part->bits);
    out_put(
        e->out,
        "    newer_ = !receiver_->begun || pkt_is_newer(receiver_->latest, &receiver_->late, names_.$part.number, $bits);\n"
        "    if (newer_) {\n"
        "        $copy;\n"
        "        receiver_->latest = names_.$part.number;\n"
        "        receiver_->begun = true;\n"
        "    }\n"
        "    receiver_->acknowledges = false;\n",
        "part", first->name, "bits", bits, "copy", copy, NULL);
    for (const field *f = first; f; f = f->next)
        if (f->part && is_same_sum(f->part->number, first->part->number))
            out_put(e->out,
                    "    pkt_ring_newest(&receiver_->newest, &receiver_->acknowledges, receiver_->kept.$part.newest,\n"
                    "                    receiver_->kept.$part.used, receiver_->latest, $size, $bits);\n",
                    "part", f->name, "size", spell_number(e, delta_part_ring(f->part)), "bits", bits, NULL);
    out_put(e->out, "    return newer_;\n}\n", NULL);
}

static void emit_receiver(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    const field *lasting = lasting_part_of(d);
    const char *copy = spell_whole_copy(e, d, "v_", "read_"), *bits = spell_number(e, first_part_of(d)->part->bits);
    out_put(e->out, "PKT_INLINE void ${name}_receiver_begin(${name}_receiver *receiver_)\n{\n", "name", name, NULL);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            out_put(e->out, "    memset(receiver_->kept.$part.used, 0, sizeof receiver_->kept.$part.used);\n", "part",
                    f->name, NULL);
    out_put(
        e->out,
        "    receiver_->begun = receiver_->acknowledges = false;\n"
        "    receiver_->doubts = receiver_->late = 0;\n"
        "}\n"
        "PKT_INLINE bool ${name}_receive_error(${name}_receiver *receiver_, $name *v_, uint64_t seed_, const void *data_,\n"
        "                               size_t size_, pkt_error *error_)\n"
        "{\n"
        "    ${name}_names names_;\n"
        "    ${name}_baselines from_;\n"
        "    pkt_error own_;\n"
        "    pkt_error *const why_ = error_ ? error_ : &own_;\n"
        "    $name *const read_ = &receiver_->read;\n"
        "$newer"
        "    memset(&from_, 0, sizeof from_);\n"
        "    if (${name}_peek(read_, &names_, data_, size_)) {\n",
        "name", name, "newer", lasting ? "" : "    bool newer_;\n", NULL);
    for (const field *f = d->fields; f; f = f->next) {
        if (!f->part)
            continue;
        out_put(e->out,
                "        if (names_.$part.based)\n"
                "            from_.$part = ${name}_${part}_ring_find(&receiver_->kept.$part, names_.$part.base);\n",
                "name", name, "part", f->name, NULL);
        if (f->type.decl->predicts)
            out_put(
                e->out,
                "        if (names_.$part.moves)\n"
                "            from_.${part}_before = ${name}_${part}_ring_find(&receiver_->kept.$part, names_.$part.before);\n",
                "name", name, "part", f->name, NULL);
        if (f->part->starts)
            out_put(e->out, "        from_.${part}_start = receiver_->kept.${part}_start;\n", "part", f->name, NULL);
    }
    out_put(e->out,
            "    }\n"
            "    if (!${name}_unpack_error(&from_, read_, seed_, data_, size_, why_)) {\n"
            "        if (why_->code == PKT_ERROR_CRC && ($based) && ++receiver_->doubts >= PKT_MOST_DOUBTS) {\n"
            "            const bool begun_ = receiver_->begun;\n"
            "            ${name}_receiver_begin(receiver_);\n"
            "            receiver_->begun = begun_;\n"
            "            receiver_->forgotten++;\n"
            "        }\n"
            "        return false;\n"
            "    }\n"
            "    receiver_->doubts = 0;\n",
            "name", name, "based", spell_is_based(e, d), NULL);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            emit_keep_part(e, f, "receiver_", "read_", arena_printf(e->arena, "names_.%s.number", f->name));
    if (lasting)
        out_put(
            e->out,
            "    if (receiver_->begun && !pkt_is_newer(receiver_->newest, &receiver_->late, names_.$part.number, $bits)) return false;\n"
            "    $copy;\n"
            "    receiver_->newest = names_.$part.number;\n"
            "    receiver_->begun = true;\n"
            "    receiver_->acknowledges = ${name}_${part}_ring_find(&receiver_->kept.$part, receiver_->newest).value != NULL;\n"
            "    return true;\n"
            "}\n",
            "name", name, "copy", copy, "part", lasting->name, "bits", bits, NULL);
    else
        emit_newest_of_rings(e, d, copy);
    out_put(
        e->out,
        "PKT_INLINE bool ${name}_receive(${name}_receiver *receiver_, $name *v_, uint64_t seed_, const void *data_,\n"
        "                         size_t size_)\n"
        "{\n"
        "    return ${name}_receive_error(receiver_, v_, seed_, data_, size_, NULL);\n"
        "}\n",
        "name", name, NULL);
}

void emit_datagram_inlines(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, datagram_functions, "name", name, NULL);
    for (const field *f = t->decl->fields; f; f = f->next) {
        if (!f->part)
            continue;
        const char *kept = spell_type(e, &f->type), *part = arena_printf(e->arena, "%s_%s", name, f->name);
        const char *hashed =
            is_hashed(e, f)
                ? arena_printf(e->arena, "%s_hash(value_)", kept)
                : arena_printf(e->arena, "pkt_hash_value(value_, %s_write_, ring_->bytes, sizeof ring_->bytes, NULL)",
                               kept);
        out_put(e->out, ring_functions, "part", part, "type", kept, "size", spell_number(e, delta_part_ring(f->part)),
                "bits", spell_number(e, f->part->bits), "copy",
                spell_whole_copy(e, f->type.decl, "&ring_->value[at_]", "value_"), "hashed", hashed, NULL);
        if (has_sender(t->decl) || is_served(e))
            emit_ring_acknowledgements(e, t->decl, f);
        if (is_shown(e, f))
            out_put(e->out, show_function, "part", part, "type", kept, NULL);
        if (f->part->starts)
            out_put(e->out, start_function, "part", part, "room", spell_room(e, t, f), "type", kept, "hashed", hashed,
                    NULL);
    }
    emit_receiver(e, t->decl);
    if (has_sender(t->decl) && !is_served(e))
        emit_sender(e, t->decl);
}

/* ---- NAME.c */

const char *spell_path(const emitter *e, const field_sum *t, unsigned depth, const char *before)
{
    const char *text = "v_->";
    for (unsigned i = 0; i < depth; i++)
        text =
            arena_printf(e->arena, "%s%s%s%s", text, i > 0 ? "." : "", i + 1 == depth ? before : "", t->path[i]->name);
    return text;
}

/* A field that can be negative is converted, so that no sum overflows. */
static const char *spell_term(const emitter *e, const field_sum *t)
{
    if (t->depth == 0)
        return spell_number(e, t->number);
    const char *text = spell_path(e, t, t->depth, "");
    return t->path[t->depth - 1]->type.low.negative ? arena_printf(e->arena, "(uint64_t)%s", text) : text;
}

const char *spell_sum(const emitter *e, const field_sum *sum, unsigned bits)
{
    const char *text = "";
    for (const field_sum *t = sum; t; t = t->next)
        text = arena_printf(e->arena, "%s%s%s", text, t == sum ? "" : t->minus ? " - " : " + ", spell_term(e, t));
    if (sum->next)
        text = arena_printf(e->arena, "(uint%u_t)(%s)", bits, text);
    return text;
}

const char *spell_sum_present(const emitter *e, const field_sum *sum)
{
    const char *text = "";
    for (const field_sum *t = sum; t; t = t->next)
        for (unsigned i = 0; i < t->depth; i++)
            if (t->path[i]->optional)
                text = arena_printf(e->arena, "%s%s%s", text, *text ? " && " : "", spell_path(e, t, i + 1, "has_"));
    return *text ? text : "true";
}

static void emit_part_names(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    unsigned index = 0;
    out_put(e->out,
            "static void ${name}_name_(const void *value_, pkt_part_names *to_)\n"
            "{\n"
            "    const $name *const v_ = (const $name *)value_;\n",
            "name", name, NULL);
    for (const field *f = d->fields; f; f = f->next) {
        const delta_part *p = f->part;
        if (!p)
            continue;
        out_put(e->out, "    pkt_name_part(to_, $index, $based, $number, $base, $bits);\n", "index",
                spell_number(e, index), "based", spell_sum_present(e, p->base), "number",
                spell_sum(e, p->number, p->bits), "base", spell_sum(e, p->base, p->bits), "bits",
                spell_number(e, p->bits), NULL);
        if (p->before)
            out_put(e->out, "    pkt_name_before(to_, $index, $moves, $before, $bits);\n", "index",
                    spell_number(e, index), "moves", spell_sum_present(e, p->before), "before",
                    spell_sum(e, p->before, p->bits), "bits", spell_number(e, p->bits), NULL);
        index++;
    }
    out_put(e->out, "}\n\n", NULL);
}

static void emit_rows(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    unsigned baseline = 0;
    out_put(e->out, "static const pkt_part_row ${name}_parts_[] = {\n", "name", name, NULL);
    for (const field *f = d->fields; f; f = f->next) {
        if (!f->part)
            continue;
        const bool predicts = f->type.decl->predicts;
        out_put(e->out, "    {\"$part\", &${type}_delta_explanation, $baseline, $predicts},\n", "part", f->name, "type",
                spell_type(e, &f->type), "baseline",
                f->part->starts ? arena_printf(e->arena, "%u | PKT_PART_STARTS", baseline) : spell_number(e, baseline),
                "predicts", predicts ? "true" : "false", NULL);
        baseline += 1u + predicts + f->part->starts;
    }
    out_put(e->out, "};\n", NULL);
}

static void emit_fit_function(emitter *e, const wire_type *t)
{
    const decl *d = t->decl;
    const field *part = fit_part_of(d);
    const char *name = spell_decl(e, d);
    unsigned counts = 0, index = 0;
    const op *of = NULL, *after = NULL;
    for (const op *o = t->body; o; o = o->next) {
        const op *value_of = o->kind == OP_OPTIONAL ? o->body : o;
        if (!part || value_of->kind != OP_DELTA || value_of->field != part)
            continue;
        of = value_of;
        after = o->next;
    }
    if (part)
        out_put(
            e->out,
            "static bool ${name}_${part}_fit_(const void *base_, const void *now_, void *sent_, pkt_element *order_,\n"
            "                                 uint32_t *count_, uint64_t start_bit_, uint64_t max_bits_,\n"
            "                                 pkt_fit_report *report_)\n"
            "{\n"
            "$part_from    return ${type}_fit_$call(const $baseline *)$base, (const $type *)now_, ($type *)sent_, order_, "
            "count_,\n"
            "                             start_bit_, max_bits_, report_);\n"
            "}\n\n",
            "name", name, "part", part->name, "type", spell_type(e, &part->type), "baseline",
            spell_baseline(e, part->type.decl), "part_from",
            part->part->starts ? "    const pkt_delta_part *const part_ = (const pkt_delta_part *)base_;\n" : "",
            "call", starts_lists(part) ? "part_(part_, " : "write_delta(", "base",
            part->part->starts ? "part_->base" : "base_", NULL);
    out_put(e->out, "$prototype\n{\n", "prototype", spell_fit(e, d), NULL);
    out_indent(e->out);
    for (const field *f = d->fields; f; f = f->next)
        counts += f->fit && !f->part;
    if (counts > 0) {
        out_put(e->out, "static const pkt_fit_count counts_[] = {\n", NULL);
        for (const field *f = d->fields; f; f = f->next)
            if (f->fit && !f->part)
                out_put(e->out,
                        "    {offsetof($name, ${array}_count), sizeof((($name *)0)->${array}_count), $least},\n",
                        "name", name, "array", f->name, "least", spell_number(e, f->count_low), NULL);
        out_put(e->out, "};\n", NULL);
    }
    for (const field *f = d->fields; f && f != part; f = f->next)
        index += f->part != NULL;
    out_put(e->out,
            "static const pkt_fit_part fit_ = {$counts, $count, $part, $optional, $has, $pads, $pads_after, $rest,\n"
            "                                  $value, $fit};\n",
            "counts", counts > 0 ? "counts_" : "NULL", "count", spell_number(e, counts), "part",
            part ? spell_number(e, index) : "-1", "optional", part && part->optional ? "true" : "false", "has",
            part && part->optional ? arena_printf(e->arena, "offsetof(%s, has_%s)", name, part->name) : "0", "pads",
            of && of->of->pads ? "true" : "false", "pads_after", ops_any(after, op_pads) ? "true" : "false", "rest",
            of ? cname_integer(e->arena, num_u64(most_of_delta_unfit(of->of)), STORAGE_U64) : "0", "value",
            part ? arena_printf(e->arena, "offsetof(%s, %s)", name, part->name) : "0", "fit",
            part ? arena_printf(e->arena, "%s_%s_fit_", name, part->name) : "NULL", NULL);
    out_put(e->out,
            "return pkt_fit_datagram(&${name}_datagram, ${name}_measure_parts_, &fit_, v_, from_, $now, $order,\n"
            "                        $entries, max_bytes_, report_);\n",
            "name", name, "now", part ? spell_part(e, part) : "NULL", "order", part ? "order_" : "NULL", "entries",
            part ? "count_" : "NULL", NULL);
    out_close(e->out);
    out_put(e->out, "\n", NULL);
}

/* Without parts, only the names of parts are read. */
static const char parts_streams[] =
    "bool ${name}_write_parts_(pkt_writer *w_, const void *parts_, const void *v_)\n"
    "{\n"
    "    pkt_cursor c_;\n"
    "    pkt_writer_cursor(&c_, w_);\n"
    "    c_.parts = (pkt_delta_part *)(uintptr_t)parts_;\n"
    "    if (${name}_serialize(PKT_WRITE, &c_, (const $name *)v_, NULL))\n"
    "        return pkt_writer_advance(w_, &c_);\n"
    "    return pkt_writer_back(w_, &c_);\n"
    "}\n"
    "\n"
    "bool ${name}_read_parts_(pkt_reader *r_, const void *parts_, void *v_)\n"
    "{\n"
    "    pkt_cursor c_;\n"
    "    pkt_reader_cursor(&c_, r_);\n"
    "    c_.parts = (pkt_delta_part *)(uintptr_t)parts_;\n"
    "    if (${name}_serialize(PKT_READ, &c_, (const $name *)v_, ($name *)v_))\n"
    "        return pkt_reader_advance(r_, &c_);\n"
    "    return pkt_reader_back(r_, &c_);\n"
    "}\n"
    "\n"
    "uint64_t ${name}_measure_parts_(const void *v_, uint64_t start_bit_, pkt_delta_part *parts_)\n"
    "{\n"
    "    pkt_cursor c_;\n"
    "    pkt_measure_cursor(&c_, start_bit_);\n"
    "    c_.parts = parts_;\n"
    "    return ${name}_serialize(PKT_CHECK, &c_, (const $name *)v_, NULL) ? c_.bit : PKT_FAILED;\n"
    "}\n"
    "\n";

void emit_datagram(emitter *e, const wire_type *t)
{
    const decl *d = t->decl;
    const char *name = spell_decl(e, d);
    unsigned baselines = 0;
    for (const field *f = d->fields; f; f = f->next)
        baselines += f->part ? 1u + f->type.decl->predicts + f->part->starts : 0;
    out_put(e->out, parts_streams, "name", name, NULL);
    emit_part_names(e, d);
    emit_rows(e, d);
    out_put(
        e->out,
        "static const pkt_explanation ${name}_explanation_ = {&${name}_type_, pkt_explain_parts};\n"
        "const pkt_datagram ${name}_datagram = {\n"
        "    {UINT64_C($id), \"$schema_name\", $checks}, &${name}_explanation_, ${name}_parts_, $count, $baselines,\n"
        "    sizeof($name), ${name}_name_};\n\n",
        "name", name, "schema_name", d->name, "id", arena_printf(e->arena, "0x%016" PRIx64, e->schema->id), "checks",
        e->schema->checks ? "true" : "false", "count", spell_number(e, d->parts), "baselines",
        spell_number(e, baselines), NULL);
    if (has_fit(d))
        emit_fit_function(e, t);
}
