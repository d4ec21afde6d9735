/* bind_functions.c - the functions of each type that other languages call: a row for each.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bindings_internal.h"

#include <string.h>

/* When a type, or a field of it, has a function. */
enum {
    WHEN_ALWAYS = 1 << 0,
    WHEN_LISTS = 1 << 1,
    WHEN_MIXES = 1 << 2,
    WHEN_STREAMED = 1 << 3, /* all types but packets with parts, as those after it */
    WHEN_HASHED = 1 << 4,
    WHEN_PACKET = 1 << 5, /* without a seed */
    WHEN_SEEDED = 1 << 6,
    WHEN_ANY = 1 << 7, /* --releases */
    WHEN_SEEDED_ANY = 1 << 8,
    WHEN_DELTA = 1 << 9,
    WHEN_PREDICTS = 1 << 10,
    WHEN_DELTA_PACKET = 1 << 11,
    WHEN_FITS = 1 << 12, /* without deltas */
    WHEN_FITS_PACKET = 1 << 13,
    WHEN_FITS_DELTA = 1 << 14,
    WHEN_FITS_DELTA_PACKET = 1 << 15,
    WHEN_PARTS = 1 << 16,
    WHEN_PARTS_FIT = 1 << 17, /* arrays of the packet alone */
    WHEN_PART_FITS = 1 << 18,
    /* of a field F: */
    WHEN_PART = 1 << 19,
    WHEN_STARTS = 1 << 20,
    WHEN_STARTS_LARGE = 1 << 21, /* the ring lends the memory for its hash */
    WHEN_LIST = 1 << 22,
    WHEN_LIST_OF_NUMBERS = 1 << 23,
    WHEN_SPARSE = 1 << 24,
    WHEN_COMPUTED = 1 << 25,
};

#define READ_IT "read data, out pkt_error error)"
#define WRITE_IT "write data, out pkt_error error)"
#define ORDER "out pkt_element order, store u32 count, "
#define IN_BITS "u64 start_bit, u64 max_bits, out pkt_fit_report report)"
#define IN_BYTES "u32 max_bytes, out pkt_fit_report report)"

/* One value in a buffer. */
#define WRITES(call)                                            \
    "{\n"                                                       \
    "    pkt_writer w;\n"                                       \
    "    size_t used = 0;\n"                                    \
    "    pkt_writer_init(&w, data, bind_size(size));\n"         \
    "    pkt_writer_set_refs(&w, bind_refs());\n"               \
    "    (void)(" call " && pkt_writer_finish(&w, &used));\n"   \
    "    if (error)\n        *error = w.error;\n"               \
    "    return w.error.code == PKT_OK ? (int32_t)used : -1;\n" \
    "}\n"
#define READS(call)                                     \
    "{\n"                                               \
    "    pkt_reader r;\n"                               \
    "    pkt_reader_init(&r, data, bind_size(size));\n" \
    "    pkt_reader_set_refs(&r, bind_refs());\n"       \
    "    (void)(" call " && pkt_reader_finish(&r));\n"  \
    "    if (error)\n        *error = r.error;\n"       \
    "    return r.error.code == PKT_OK;\n"              \
    "}\n"
#define LINE(line) "{\n    " line ";\n}\n"

/* In these texts, T is the type, B the type of its baselines, F a field, V the type of F, and K that of its keys. */
static const struct {
    unsigned when;
    const char *prototype; /* a result that is a type is a pointer to it, or NULL */
    const char *call;      /* of C, with the same parameters, or a body: "{...}"; NULL: of the same name */
} function_rows[] = {
    {WHEN_ALWAYS, "void T_init(out T v)", NULL},
    {WHEN_ALWAYS, "bool T_equal(in T a, in T b)", NULL},
    {WHEN_ALWAYS, "bool T_valid(in T v, out pkt_error error)", NULL},
    {WHEN_ALWAYS, "void T_quantize(out T v)", NULL},
    {WHEN_LISTS, "void T_copy(out T to, in T from)", NULL},
    {WHEN_MIXES, "void T_mix(in T a, in T b, f64 t, out T to)", NULL},
    {WHEN_MIXES, "bool T_near(in T a, in T b, out pkt_deviation deviation)", NULL},
    {WHEN_STREAMED, "size T_write(in T v, " WRITE_IT, WRITES("T_write(&w, v)")},
    {WHEN_STREAMED, "bool T_read(out T v, " READ_IT, READS("T_read(&r, v)")},
    {WHEN_STREAMED, "u64 T_measure(in T v, u64 start_bit)", NULL},
    {WHEN_HASHED, "u64 T_hash(in T v)", NULL},
    {WHEN_PACKET, "size T_pack(in T v, " WRITE_IT, "T_pack_error"},
    {WHEN_PACKET, "bool T_unpack(out T v, " READ_IT, "T_unpack_error"},
    {WHEN_PACKET, "size T_pack_body(in T v, " WRITE_IT, "T_pack_body_error"},
    {WHEN_PACKET, "bool T_unpack_body(out T v, " READ_IT, "T_unpack_body_error"},
    {WHEN_SEEDED, "size T_pack(in T v, u64 seed, " WRITE_IT, "T_pack_error"},
    {WHEN_SEEDED, "bool T_unpack(out T v, u64 seed, " READ_IT, "T_unpack_error"},
    {WHEN_ANY, "bool T_unpack_any(out T v, read data, store u32 version, out pkt_error error)", "T_unpack_any_error"},
    {WHEN_SEEDED_ANY, "bool T_unpack_any(out T v, u64 seed, read data, store u32 version, out pkt_error error)",
     "T_unpack_any_error"},
    {WHEN_PREDICTS, "size T_motion_size()", LINE("return (int32_t)sizeof(T_motion)")},
    {WHEN_PREDICTS, "void T_predict(in T base_, in T before, u32 back, u32 gap, out T_motion to)", NULL},
    {WHEN_PREDICTS, "void T_expected(in T_motion motion, out T to)", NULL},
    {WHEN_DELTA, "size T_write_delta(in B base_, in T v, " WRITE_IT, WRITES("T_write_delta(&w, base_, v)")},
    {WHEN_DELTA, "bool T_read_delta(in B base_, out T v, " READ_IT, READS("T_read_delta(&r, base_, v)")},
    {WHEN_DELTA, "u64 T_measure_delta(in B base_, in T v, u64 start_bit)", NULL},
    {WHEN_DELTA_PACKET, "size T_pack_delta(in B base_, in T v, " WRITE_IT, "T_pack_delta_error"},
    {WHEN_DELTA_PACKET, "bool T_unpack_delta(in B base_, out T v, " READ_IT, "T_unpack_delta_error"},
    {WHEN_DELTA_PACKET, "size T_pack_delta_body(in B base_, in T v, " WRITE_IT, "T_pack_delta_body_error"},
    {WHEN_DELTA_PACKET, "bool T_unpack_delta_body(in B base_, out T v, " READ_IT, "T_unpack_delta_body_error"},
    {WHEN_FITS, "bool T_fit_write(out T v, " ORDER IN_BITS, NULL},
    {WHEN_FITS_PACKET, "bool T_fit_pack(out T v, " ORDER IN_BYTES, NULL},
    {WHEN_FITS_DELTA, "bool T_fit_write_delta(in B base_, in T v, out T sent, " ORDER IN_BITS, NULL},
    {WHEN_FITS_DELTA_PACKET, "bool T_fit_pack_delta(in B base_, in T v, out T sent, " ORDER IN_BYTES, NULL},

    /* Receivers and rings are memory of the program, which begins with T_clear. */
    {WHEN_PARTS, "bool T_peek(out T head, out T_names names, read data)", NULL},
    {WHEN_PARTS, "size T_pack(in T_baselines from, in T v, u64 seed, " WRITE_IT, "T_pack_error"},
    {WHEN_PARTS, "bool T_unpack(in T_baselines from, out T v, u64 seed, " READ_IT, "T_unpack_error"},
    {WHEN_PARTS_FIT, "bool T_fit_pack(in T_baselines from, out T v, " IN_BYTES, NULL},
    {WHEN_PART_FITS, "bool T_fit_pack(in T_baselines from, out T v, in V part, " ORDER IN_BYTES, NULL},
    {WHEN_PARTS, "size T_receiver_size()", LINE("return (int32_t)sizeof(T_receiver)")},
    {WHEN_PARTS, "void T_receiver_clear(out T_receiver receiver)", LINE("memset(receiver, 0, sizeof *receiver)")},
    {WHEN_PARTS, "void T_receiver_begin(out T_receiver receiver)", NULL},
    {WHEN_PARTS, "bool T_receive(out T_receiver receiver, out T v, u64 seed, " READ_IT, "T_receive_error"},
    {WHEN_PARTS, "u64 T_receiver_newest(in T_receiver receiver)", LINE("return receiver->newest")},
    {WHEN_PARTS, "bool T_receiver_acknowledges(in T_receiver receiver)", LINE("return receiver->acknowledges")},
    {WHEN_PARTS, "u32 T_receiver_forgotten(in T_receiver receiver)", LINE("return receiver->forgotten")},
    {WHEN_PART, "size T_F_ring_size()", LINE("return (int32_t)sizeof(T_F_ring)")},
    {WHEN_PART, "void T_F_ring_clear(out T_F_ring ring)", LINE("memset(ring, 0, sizeof *ring)")},
    {WHEN_PART, "void T_F_ring_find(in T_F_ring ring, u64 number, out T_F_baseline found)",
     LINE("*found = T_F_ring_find(ring, number)")},
    {WHEN_PART, "void T_F_ring_keep(out T_F_ring ring, u64 number, in V value)", NULL},
    {WHEN_PART, "T_F_ring T_F_receiver_ring(out T_receiver receiver)", LINE("return &receiver->kept.F")},
    {WHEN_STARTS, "void T_F_start(in V value, out T_F_baseline start)", LINE("*start = T_F_start(value)")},
    {WHEN_STARTS, "void T_F_receiver_start(out T_receiver receiver, in V value)",
     LINE("receiver->kept.F_start = T_F_start(value)")},
    {WHEN_STARTS_LARGE, "void T_F_start(out T_F_ring ring, in V value, out T_F_baseline start)",
     LINE("*start = T_F_start(ring, value)")},
    {WHEN_STARTS_LARGE, "void T_F_receiver_start(out T_receiver receiver, in V value)",
     LINE("receiver->kept.F_start = T_F_start(&receiver->kept.F, value)")},

    {WHEN_LIST, "V T_F_find(in T v, K key)", NULL},
    {WHEN_LIST, "V T_F_add(out T v, K key)", NULL},
    {WHEN_LIST, "bool T_F_remove(out T v, K key)", NULL},
    {WHEN_LIST_OF_NUMBERS, "bool T_F_unused(in T v, K from, store K key)", NULL},
    {WHEN_SPARSE, "bool T_F_set(out T v, u32 index)", NULL},
    {WHEN_SPARSE, "bool T_F_has(in T v, u32 index)", NULL},
    {WHEN_SPARSE, "u32 T_F_next(in T v, u32 from)", NULL},
    {WHEN_SPARSE | WHEN_COMPUTED, "u32 T_F_count(in T v)", NULL},
    {WHEN_SPARSE, "void T_F_clear(out T v, u32 index)", NULL},
};

/* ---- which rows a type has: as emit_prototypes */

static const field *fitting_field(const decl *d, bool part)
{
    const field *f = d->fields;
    while (f && !(f->fit && (f->part || !part)))
        f = f->next;
    return f;
}

static unsigned when_of_streamed(const bindings *b, const wire_type *t)
{
    const decl *d = t->decl;
    unsigned when = WHEN_STREAMED;
    when |= has_hash(t) ? WHEN_HASHED : 0;
    when |= d->delta ? WHEN_DELTA : 0;
    when |= d->predicts ? WHEN_PREDICTS : 0;
    if (fitting_field(d, false))
        when |= d->delta ? WHEN_FITS_DELTA : WHEN_FITS;
    if (!d->packet)
        return when;
    when |= d->seeded ? WHEN_SEEDED : WHEN_PACKET;
    when |= d->delta ? WHEN_DELTA_PACKET : 0;
    if (b->releases)
        when |= d->seeded ? WHEN_SEEDED_ANY : WHEN_ANY;
    if (fitting_field(d, false))
        when |= d->delta ? WHEN_FITS_DELTA_PACKET : WHEN_FITS_PACKET;
    return when;
}

static unsigned when_of_type(const bindings *b, const wire_type *t)
{
    const decl *d = t->decl;
    const unsigned when = WHEN_ALWAYS | (d->holds_list ? WHEN_LISTS : 0) | (d->mixes ? WHEN_MIXES : 0);
    if (d->parts == 0)
        return when | when_of_streamed(b, t);
    return when | WHEN_PARTS | (fitting_field(d, false) && !fitting_field(d, true) ? WHEN_PARTS_FIT : 0);
}

static unsigned when_of_field(const listing *k, const field *f)
{
    unsigned when = 0;
    if (f->part) {
        const bool hashed = has_hash(wire_type_of(k->wire, f->type.decl));
        when |= WHEN_PART | (f->fit ? WHEN_PART_FITS : 0);
        when |= !f->part->starts ? 0 : hashed ? WHEN_STARTS : WHEN_STARTS_LARGE;
    }
    if (f->by)
        when |= WHEN_LIST | (f->by->type.kind == TYPE_ENUM ? 0 : WHEN_LIST_OF_NUMBERS);
    return when | (f->array == ARRAY_SPARSE ? WHEN_SPARSE : 0) | (f->array == ARRAY_COMPUTED ? WHEN_COMPUTED : 0);
}

/* ---- the texts of rows */

/* What the letters of rows stand for. */
typedef struct row_letters {
    const wire_type *t;
    const field *f;
} row_letters;

/* A text of a row with the names of C, or of the other language. A letter is one if it is not in a longer word. */
static const char *spell_row(const listing *k, const char *text, const row_letters *l, bool in_c)
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const decl *d = l->t->decl;
    const char *name = in_c ? arena_printf(k->arena, "%s%s", d->file->prefix, d->name) : d->name, *spelled = "";
    for (const char *at = text; *at;) {
        const size_t letters = strspn(at, alphabet), size = letters == 0 ? strcspn(at, alphabet) : letters;
        if (letters == 1 && (*at == 'T' || *at == 'F'))
            spelled = arena_printf(k->arena, "%s%s", spelled, *at == 'T' ? name : l->f->name);
        else
            spelled = arena_printf(k->arena, "%s%.*s", spelled, (int)size, at);
        at += size;
    }
    return spelled;
}

static storage storage_of_word(const row_letters *l, const char *word)
{
    static const char *const words[] = {"u32", "u64", "f64"};
    static const storage storages[] = {STORAGE_U32, STORAGE_U64, STORAGE_DOUBLE};
    if (strcmp(word, "K") == 0)
        return l->f->by->type.storage;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0)
            return storages[i];
    return STORAGE_NONE;
}

static const bind_type *type_of_word(const listing *k, const row_letters *l, const char *word)
{
    if (strcmp(word, "V") == 0)
        return bind_type_named(k, l->f->type.decl->name);
    if (strcmp(word, "B") == 0)
        word = l->t->decl->predicts ? "T_motion" : "T";
    return bind_type_named(k, spell_row(k, word, l, false));
}

/* The next word of a prototype; NULL at its end. */
static const char *next_row_word(arena *a, const char **at)
{
    *at += strspn(*at, ", ()");
    const size_t size = strcspn(*at, ", ()");
    const char *word = size == 0 ? NULL : arena_text(a, *at, size);
    *at += size;
    return word;
}

static bind_param *read_params(const listing *k, const char *text, const row_letters *l)
{
    static const char *const passes[] = {[PASS_IN] = "in",       [PASS_OUT] = "out",  [PASS_READ] = "read",
                                         [PASS_WRITE] = "write", [PASS_NUMBER] = "-", [PASS_STORE] = "store"};
    bind_param *first = NULL, **last = &first;
    for (const char *word; (word = next_row_word(k->arena, &text));) {
        bind_param *p = ARENA_NEW(k->arena, bind_param);
        *p = (bind_param){.pass = PASS_NUMBER};
        for (unsigned i = 0; i < sizeof passes / sizeof *passes; i++)
            if (strcmp(passes[i], word) == 0)
                p->pass = (bind_pass)i;
        if (p->pass == PASS_IN || p->pass == PASS_OUT)
            p->type = type_of_word(k, l, next_row_word(k->arena, &text));
        else if (p->pass == PASS_STORE)
            p->storage = storage_of_word(l, next_row_word(k->arena, &text));
        else if (p->pass == PASS_NUMBER)
            p->storage = storage_of_word(l, word);
        p->name = next_row_word(k->arena, &text);
        *last = p;
        last = &p->next;
    }
    return first;
}

static void read_result(const listing *k, bind_function *f, const row_letters *l, const char *word)
{
    f->storage = storage_of_word(l, word);
    f->result = strcmp(word, "void") == 0    ? RESULT_VOID
                : strcmp(word, "bool") == 0  ? RESULT_BOOL
                : strcmp(word, "size") == 0  ? RESULT_SIZE
                : f->storage != STORAGE_NONE ? RESULT_NUMBER
                                             : RESULT_POINTER;
    if (f->result == RESULT_POINTER)
        f->type = type_of_word(k, l, word);
}

/* The form of a function that takes refs, before the error; NULL: it has none. */
static const char *with_refs(arena *a, const char *called)
{
    static const char *const endings[] = {"_error", "_valid", "_hash"};
    const size_t size = strlen(called);
    for (unsigned i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t end = strlen(endings[i]);
        if (size > end && strcmp(called + size - end, endings[i]) == 0)
            return arena_printf(a, "%.*s_refs", (int)(i == 0 ? size - end : size), called);
    }
    return NULL;
}

static const char *spell_c_call(const listing *k, const bind_function *f, const wire_type *t, const char *called)
{
    const char *args = "", *refs = t->has_refs ? with_refs(k->arena, called) : NULL;
    for (const bind_param *p = f->params; p; p = p->next) {
        const bool data = p->pass == PASS_READ || p->pass == PASS_WRITE;
        if (refs && strcmp(p->name, "error") == 0)
            args = arena_printf(k->arena, "%s, bind_refs()", args);
        args = arena_printf(k->arena, "%s%s%s", args, *args ? ", " : "", data ? "data, bind_size(size)" : p->name);
    }
    if (f->result == RESULT_NUMBER && refs)
        args = arena_printf(k->arena, "%s, bind_refs()", args);
    return arena_printf(k->arena, LINE("%s%s(%s)"),
                        f->result == RESULT_VOID   ? ""
                        : f->result == RESULT_SIZE ? "return (int32_t)"
                                                   : "return ",
                        refs ? refs : called, args);
}

static void add_functions(listing *k, const row_letters *l, unsigned when)
{
    for (size_t i = 0; i < sizeof function_rows / sizeof *function_rows; i++) {
        const char *at = function_rows[i].prototype, *call = function_rows[i].call;
        if (!(function_rows[i].when & when))
            continue;
        bind_function *f = ARENA_NEW(k->arena, bind_function);
        *f = (bind_function){0};
        read_result(k, f, l, next_row_word(k->arena, &at));
        const char *name = next_row_word(k->arena, &at);
        f->name = spell_row(k, name, l, false);
        f->exported = arena_printf(k->arena, "bind_%s_", spell_row(k, name, l, true));
        f->params = read_params(k, at, l);
        call = spell_row(k, call ? call : name, l, true);
        f->body = *call == '{' ? call : spell_c_call(k, f, l->t, call);
        *k->last_function = f;
        k->last_function = &f->next;
    }
}

void list_functions(listing *k, const wire_type *t)
{
    add_functions(k, &(row_letters){t, NULL}, when_of_type(k->b, t));
    for (const field *f = t->decl->fields; f; f = f->next)
        add_functions(k, &(row_letters){t, f}, when_of_field(k, f));
}
