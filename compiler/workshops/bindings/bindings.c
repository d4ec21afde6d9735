/* bindings.c - lists the types and functions that other languages have: see bindings.h.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bindings.h"
#include "model/type_table.h"
#include "pkt.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

typedef struct listing {
    arena *arena;
    diag *diag;
    const wire *wire;
    bindings *b;
    bind_type **last_type;
    bind_function **last_function;
    bind_constant **last_constant;
    bind_member **last_member;
    bool failed;
} listing;

/* ---- types */

static bind_type *add_bind_type(listing *k, bind_form form, const char *name, const char *c_name, const decl *d)
{
    bind_type *t = ARENA_NEW(k->arena, bind_type);
    *t = (bind_type){.form = form, .name = name, .c_name = c_name, .decl = d};
    *k->last_type = t;
    k->last_type = &t->next;
    k->last_member = &t->members;
    return t;
}

static const bind_type *bind_type_named(const listing *k, const char *name)
{
    const bind_type *t = k->b->types;
    while (t && strcmp(t->name, name) != 0)
        t = t->next;
    assert(t && "a type comes after those that it contains");
    return t;
}

static bind_member *add_member(listing *k, const char *name, bind_kind kind)
{
    bind_member *m = ARENA_NEW(k->arena, bind_member);
    *m = (bind_member){.name = name, .kind = kind, .length = 1};
    *k->last_member = m;
    k->last_member = &m->next;
    return m;
}

static void add_dim(bind_member *m, uint64_t dim)
{
    m->dims[m->dim_count++] = (uint32_t)dim;
    m->length *= dim;
}

static void add_scalar_member(listing *k, const char *name, storage s, uint64_t length)
{
    bind_member *m = add_member(k, name, BIND_SCALAR);
    m->storage = s;
    if (length != 0)
        add_dim(m, length);
}

static void add_typed(listing *k, const char *name, bind_kind kind, const bind_type *of)
{
    add_member(k, name, kind)->type = of;
}

/* What a value of a field is, or an element of an array. False: a type of C that is no pointer. */
static bool set_kind(const listing *k, bind_member *m, const type *t)
{
    m->storage = t->storage;
    switch (type_row_of(t)->sort) {
    case SORT_ENUM:
    case SORT_FLAGS: m->of = t->decl; return true;
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_FIXED:
    case SORT_REAL: return true;
    case SORT_QUAT:
    case SORT_UNIT:
        m->kind = BIND_TYPE;
        m->type = bind_type_named(k, t->kind == TYPE_QUAT ? "pkt_quat" : "pkt_vec3");
        return true;
    case SORT_STRING: m->kind = BIND_TEXT; return true;
    case SORT_BYTES: m->kind = BIND_BYTES; return true;
    case SORT_STRUCT:
    case SORT_UNION:
        m->kind = BIND_TYPE;
        m->type = bind_type_named(k, t->decl->name);
        return true;
    case SORT_REF:
        m->kind = BIND_POINTER;
        m->of = t->decl;
        return true;
    case SORT_FOREIGN: break;
    }
    m->kind = BIND_POINTER;
    return t->c_type[strlen(t->c_type) - 1] == '*';
}

/* The members of a field, in the order of emit_struct_field. */
static void add_field(listing *k, const field *f)
{
    arena *a = k->arena;
    if (f->optional)
        add_scalar_member(k, arena_printf(a, "has_%s", f->name), STORAGE_BOOL, 0);
    bind_member *m = add_member(k, f->name, BIND_SCALAR);
    m->doc = f->doc;
    for (uint32_t i = 0; f->array != ARRAY_NONE && i < f->dim_count; i++)
        add_dim(m, f->dims[i]);
    const bind_member counts = *m;
    if (!set_kind(k, m, &f->type)) {
        diag_error(k->diag, f->span, "'%s' has the C type '%s', which another language cannot declare", f->name,
                   f->type.c_type);
        k->failed = true;
    }
    if (m->kind == BIND_TEXT || m->kind == BIND_BYTES)
        add_dim(m, (uint64_t)f->type.length + (m->kind == BIND_TEXT));
    if (f->array == ARRAY_COUNTED)
        add_scalar_member(k, arena_printf(a, "%s_count", f->name), storage_for(f->dims[0]), 0);
    if (f->array == ARRAY_SPARSE)
        add_scalar_member(k, arena_printf(a, "%s_present", f->name), STORAGE_U64, ((uint64_t)f->dims[0] + 63) / 64);
    if (m->kind == BIND_BYTES) {
        bind_member *size = add_member(k, arena_printf(a, "%s_size", f->name), BIND_SCALAR);
        size->storage = storage_for(f->type.length);
        for (unsigned i = 0; i < counts.dim_count; i++)
            add_dim(size, counts.dims[i]);
    }
}

static void list_type(listing *k, const decl *d)
{
    const char *c_name = arena_printf(k->arena, "%s%s", d->file->prefix, d->name);
    if (d->kind == DECL_STRUCT) {
        add_bind_type(k, BIND_STRUCT, d->name, c_name, d);
        for (const field *f = d->fields; f; f = f->next)
            add_field(k, f);
        if (!d->fields)
            add_scalar_member(k, "unused_", STORAGE_U8, 0);
    } else if (d->kind == DECL_UNION) {
        add_bind_type(k, BIND_UNION, d->name, c_name, d);
        bind_member *tag = add_member(k, "tag", BIND_SCALAR);
        tag->storage = storage_for(d->member_count - 1);
        tag->of = d;
        for (const member *m = d->members; m; m = m->next)
            add_typed(k, m->name, BIND_TYPE, bind_type_named(k, m->type->name));
    }
}

/* The types of the runtime that functions take, and values have. */
static void list_runtime_types(listing *k)
{
    add_bind_type(k, BIND_STRUCT, "pkt_error", "pkt_error", NULL);
    bind_member *code = add_member(k, "code", BIND_SCALAR);
    code->storage = STORAGE_I32;
    code->is_code = true;
    add_scalar_member(k, "bit", STORAGE_U64, 0);
    add_dim(add_member(k, "field", BIND_TEXT), PKT_FIELD_SIZE);
    const bind_type *error = bind_type_named(k, "pkt_error");
    add_bind_type(k, BIND_STRUCT, "pkt_quat", "pkt_quat", NULL);
    for (const char *each = "x\0y\0z\0w\0"; *each; each += 2)
        add_scalar_member(k, each, STORAGE_FLOAT, 0);
    add_bind_type(k, BIND_STRUCT, "pkt_vec3", "pkt_vec3", NULL);
    for (const char *each = "x\0y\0z\0"; *each; each += 2)
        add_scalar_member(k, each, STORAGE_FLOAT, 0);
    add_bind_type(k, BIND_STRUCT, "pkt_element", "pkt_element", NULL);
    add_scalar_member(k, "number", STORAGE_U32, 0);
    add_scalar_member(k, "priority", STORAGE_FLOAT, 0);
    add_scalar_member(k, "slot", STORAGE_U32, 0);
    add_bind_type(k, BIND_STRUCT, "pkt_fit_report", "pkt_fit_report", NULL);
    for (const char *each = "kept\0left_out\0invalid\0absent\0cut\0"; *each; each += strlen(each) + 1)
        add_scalar_member(k, each, STORAGE_U32, 0);
    add_typed(k, "error", BIND_TYPE, error);
}

/* Those that only some schemas use: pkt.h has them for these. */
static void list_deviation(listing *k)
{
    add_bind_type(k, BIND_STRUCT, "pkt_deviation", "pkt_deviation", NULL);
    add_scalar_member(k, "amount", STORAGE_DOUBLE, 0);
    add_scalar_member(k, "tolerance", STORAGE_DOUBLE, 0);
    add_dim(add_member(k, "field", BIND_TEXT), PKT_FIELD_SIZE);
}

static void list_part_names(listing *k)
{
    add_bind_type(k, BIND_STRUCT, "pkt_part_names", "pkt_part_names", NULL);
    add_scalar_member(k, "based", STORAGE_BOOL, 0);
    add_scalar_member(k, "moves", STORAGE_BOOL, 0);
    for (const char *each = "number\0base\0before\0"; *each; each += strlen(each) + 1)
        add_scalar_member(k, each, STORAGE_U64, 0);
    add_scalar_member(k, "back", STORAGE_U32, 0);
    add_scalar_member(k, "gap", STORAGE_U32, 0);
}

/* ---- functions */

/* A function of each type that asks for it. In the texts, T is the type, B the type of its baselines, F a field; V is the
 * type of F, and K that of its keys. */
typedef struct function_row {
    const char *name;   /* "T_pack" */
    const char *result; /* "void", "bool", "size", a storage, or a type, to which it points */
    const char *params; /* "in T v, read data, u64 seed" */
    const char *call;   /* of C, with the same parameters; or a body: "{...}" */
} function_row;

static const function_row value_rows[] = {
    {"T_init", "void", "out T v", "T_init"},
    {"T_equal", "bool", "in T a, in T b", "T_equal"},
    {"T_valid", "bool", "in T v, out pkt_error error", "T_valid"},
    {"T_quantize", "void", "out T v", "T_quantize"},
    {NULL},
};
static const function_row copy_rows[] = {{"T_copy", "void", "out T to, in T from", "T_copy"}, {NULL}};
static const function_row hash_rows[] = {{"T_hash", "u64", "in T v", "T_hash"}, {NULL}};
static const function_row mix_rows[] = {
    {"T_mix", "void", "in T a, in T b, f64 t, out T to", "T_mix"},
    {"T_near", "bool", "in T a, in T b, out pkt_deviation deviation", "T_near"},
    {NULL},
};

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
static const function_row stream_rows[] = {
    {"T_write", "size", "in T v, write data, out pkt_error error", WRITES("T_write(&w, v)")},
    {"T_read", "bool", "out T v, read data, out pkt_error error", READS("T_read(&r, v)")},
    {"T_measure", "u64", "in T v, u64 start_bit", "T_measure"},
    {NULL},
};
static const function_row delta_stream_rows[] = {
    {"T_write_delta", "size", "in B base_, in T v, write data, out pkt_error error",
     WRITES("T_write_delta(&w, base_, v)")},
    {"T_read_delta", "bool", "in B base_, out T v, read data, out pkt_error error",
     READS("T_read_delta(&r, base_, v)")},
    {"T_measure_delta", "u64", "in B base_, in T v, u64 start_bit", "T_measure_delta"},
    {NULL},
};
static const function_row predict_rows[] = {
    {"T_motion_size", "size", "", "{\n    return (int32_t)sizeof(T_motion);\n}\n"},
    {"T_predict", "void", "in T base_, in T before, u32 back, u32 gap, out T_motion to", "T_predict"},
    {"T_expected", "void", "in T_motion motion, out T to", "T_expected"},
    {NULL},
};
static const function_row packet_rows[] = {
    {"T_pack", "size", "in T v, write data, out pkt_error error", "T_pack_error"},
    {"T_unpack", "bool", "out T v, read data, out pkt_error error", "T_unpack_error"},
    {"T_pack_body", "size", "in T v, write data, out pkt_error error", "T_pack_body_error"},
    {"T_unpack_body", "bool", "out T v, read data, out pkt_error error", "T_unpack_body_error"},
    {NULL},
};
static const function_row seeded_rows[] = {
    {"T_pack", "size", "in T v, u64 seed, write data, out pkt_error error", "T_pack_error"},
    {"T_unpack", "bool", "out T v, u64 seed, read data, out pkt_error error", "T_unpack_error"},
    {NULL},
};
static const function_row packet_delta_rows[] = {
    {"T_pack_delta", "size", "in B base_, in T v, write data, out pkt_error error", "T_pack_delta_error"},
    {"T_unpack_delta", "bool", "in B base_, out T v, read data, out pkt_error error", "T_unpack_delta_error"},
    {"T_pack_delta_body", "size", "in B base_, in T v, write data, out pkt_error error", "T_pack_delta_body_error"},
    {"T_unpack_delta_body", "bool", "in B base_, out T v, read data, out pkt_error error", "T_unpack_delta_body_error"},
    {NULL},
};
static const function_row any_rows[] = {
    {"T_unpack_any", "bool", "out T v, read data, store u32 version, out pkt_error error", "T_unpack_any_error"},
    {NULL},
};
static const function_row seeded_any_rows[] = {
    {"T_unpack_any", "bool", "out T v, u64 seed, read data, store u32 version, out pkt_error error",
     "T_unpack_any_error"},
    {NULL},
};
static const function_row fit_rows[] = {
    {"T_fit_write", "bool",
     "out T v, out pkt_element order, store u32 count, u64 start_bit, u64 max_bits, out pkt_fit_report report",
     "T_fit_write"},
    {NULL},
};
static const function_row fit_packet_rows[] = {
    {"T_fit_pack", "bool", "out T v, out pkt_element order, store u32 count, u32 max_bytes, out pkt_fit_report report",
     "T_fit_pack"},
    {NULL},
};
static const function_row fit_delta_rows[] = {
    {"T_fit_write_delta", "bool",
     "in B base_, in T v, out T sent, out pkt_element order, store u32 count, u64 start_bit, u64 max_bits, "
     "out pkt_fit_report report",
     "T_fit_write_delta"},
    {NULL},
};
static const function_row fit_packet_delta_rows[] = {
    {"T_fit_pack_delta", "bool",
     "in B base_, in T v, out T sent, out pkt_element order, store u32 count, u32 max_bytes, out pkt_fit_report report",
     "T_fit_pack_delta"},
    {NULL},
};

/* Packets with parts. The receiver and the rings are memory of the program, which begins with T_clear. */
static const function_row parts_rows[] = {
    {"T_peek", "bool", "out T head, out T_names names, read data", "T_peek"},
    {"T_pack", "size", "in T_baselines from, in T v, u64 seed, write data, out pkt_error error", "T_pack_error"},
    {"T_unpack", "bool", "in T_baselines from, out T v, u64 seed, read data, out pkt_error error", "T_unpack_error"},
    {"T_receiver_size", "size", "", "{\n    return (int32_t)sizeof(T_receiver);\n}\n"},
    {"T_receiver_clear", "void", "out T_receiver receiver", "{\n    memset(receiver, 0, sizeof *receiver);\n}\n"},
    {"T_receiver_begin", "void", "out T_receiver receiver", "T_receiver_begin"},
    {"T_receive", "bool", "out T_receiver receiver, out T v, u64 seed, read data, out pkt_error error",
     "T_receive_error"},
    {"T_receiver_newest", "u64", "in T_receiver receiver", "{\n    return receiver->newest;\n}\n"},
    {"T_receiver_acknowledges", "bool", "in T_receiver receiver", "{\n    return receiver->acknowledges;\n}\n"},
    {"T_receiver_forgotten", "u32", "in T_receiver receiver", "{\n    return receiver->forgotten;\n}\n"},
    {NULL},
};
static const function_row fit_parts_rows[] = {
    {"T_fit_pack", "bool", "in T_baselines from, out T v, u32 max_bytes, out pkt_fit_report report", "T_fit_pack"},
    {NULL},
};
static const function_row fit_part_rows[] = {
    {"T_fit_pack", "bool",
     "in T_baselines from, out T v, in V part, out pkt_element order, store u32 count, u32 max_bytes, "
     "out pkt_fit_report report",
     "T_fit_pack"},
    {NULL},
};
static const function_row ring_rows[] = {
    {"T_F_ring_size", "size", "", "{\n    return (int32_t)sizeof(T_F_ring);\n}\n"},
    {"T_F_ring_clear", "void", "out T_F_ring ring", "{\n    memset(ring, 0, sizeof *ring);\n}\n"},
    {"T_F_ring_find", "void", "in T_F_ring ring, u64 number, out T_F_baseline found",
     "{\n    *found = T_F_ring_find(ring, number);\n}\n"},
    {"T_F_ring_keep", "void", "out T_F_ring ring, u64 number, in V value", "T_F_ring_keep"},
    {"T_F_receiver_ring", "T_F_ring", "out T_receiver receiver", "{\n    return &receiver->kept.F;\n}\n"},
    {NULL},
};
/* The start value of a part; of a large type, the ring lends the memory for its hash. */
static const function_row start_rows[] = {
    {"T_F_start", "void", "in V value, out T_F_baseline start", "{\n    *start = T_F_start(value);\n}\n"},
    {"T_F_receiver_start", "void", "out T_receiver receiver, in V value",
     "{\n    receiver->kept.F_start = T_F_start(value);\n}\n"},
    {NULL},
};
static const function_row large_start_rows[] = {
    {"T_F_start", "void", "out T_F_ring ring, in V value, out T_F_baseline start",
     "{\n    *start = T_F_start(ring, value);\n}\n"},
    {"T_F_receiver_start", "void", "out T_receiver receiver, in V value",
     "{\n    receiver->kept.F_start = T_F_start(&receiver->kept.F, value);\n}\n"},
    {NULL},
};

static const function_row list_rows[] = {
    {"T_F_find", "V", "in T v, K key", "T_F_find"},
    {"T_F_add", "V", "out T v, K key", "T_F_add"},
    {"T_F_remove", "bool", "out T v, K key", "T_F_remove"},
    {NULL},
};
static const function_row unused_rows[] = {
    {"T_F_unused", "bool", "in T v, K from, store K key", "T_F_unused"},
    {NULL},
};
static const function_row sparse_rows[] = {
    {"T_F_set", "bool", "out T v, u32 index", "T_F_set"},     {"T_F_has", "bool", "in T v, u32 index", "T_F_has"},
    {"T_F_next", "u32", "in T v, u32 from", "T_F_next"},      {"T_F_count", "u32", "in T v", "T_F_count"},
    {"T_F_clear", "void", "out T v, u32 index", "T_F_clear"}, {NULL},
};
static const function_row computed_rows[] = {{"T_F_count", "u32", "in T v", "T_F_count"}, {NULL}};

/* What the letters of rows stand for. */
typedef struct letters {
    const decl *d;
    const field *f;
} letters;

/* A text of a row with the names of C, or of the other language. A letter is one if it is not in a longer word. */
static const char *spell_row(const listing *k, const char *text, const letters *l, bool in_c)
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *name = in_c ? arena_printf(k->arena, "%s%s", l->d->file->prefix, l->d->name) : l->d->name;
    const char *spelled = "";
    for (const char *at = text; *at;) {
        const size_t letters_on = strspn(at, alphabet), size = letters_on == 0 ? strcspn(at, alphabet) : letters_on;
        if (letters_on == 1 && (*at == 'T' || *at == 'F'))
            spelled = arena_printf(k->arena, "%s%s", spelled, *at == 'T' ? name : l->f->name);
        else
            spelled = arena_printf(k->arena, "%s%.*s", spelled, (int)size, at);
        at += size;
    }
    return spelled;
}

static storage storage_named(const letters *l, const char *word)
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

static const bind_type *type_of_word(const listing *k, const letters *l, const char *word)
{
    if (strcmp(word, "V") == 0)
        return bind_type_named(k, l->f->type.decl->name);
    if (strcmp(word, "B") == 0)
        word = l->d->predicts ? "T_motion" : "T";
    return bind_type_named(k, spell_row(k, word, l, false));
}

/* The next word of a text, up to a blank or a comma; NULL if there is none. */
static const char *next_word(arena *a, const char **at)
{
    *at += strspn(*at, ", ");
    const size_t size = strcspn(*at, ", ");
    const char *word = size == 0 ? NULL : arena_text(a, *at, size);
    *at += size;
    return word;
}

static bind_param *read_params(const listing *k, const char *text, const letters *l)
{
    static const char *const passes[] = {
        [PASS_IN] = "in", [PASS_OUT] = "out", [PASS_READ] = "read", [PASS_WRITE] = "write", [PASS_STORE] = "store"};
    bind_param *first = NULL, **last = &first;
    for (const char *word; (word = next_word(k->arena, &text));) {
        bind_param *p = ARENA_NEW(k->arena, bind_param);
        *p = (bind_param){.pass = PASS_NUMBER};
        for (unsigned i = 0; i < sizeof passes / sizeof *passes; i++)
            if (passes[i] && strcmp(passes[i], word) == 0)
                p->pass = (bind_pass)i;
        if (p->pass == PASS_IN || p->pass == PASS_OUT)
            p->type = type_of_word(k, l, next_word(k->arena, &text));
        else if (p->pass == PASS_STORE)
            p->storage = storage_named(l, next_word(k->arena, &text));
        else if (p->pass == PASS_NUMBER)
            p->storage = storage_named(l, word);
        p->name = next_word(k->arena, &text);
        *last = p;
        last = &p->next;
    }
    return first;
}

/* The form of a function of a type with refs that takes them, before the error; NULL: it has none. */
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
    called = refs ? refs : called;
    for (const bind_param *p = f->params; p; p = p->next) {
        const bool data = p->pass == PASS_READ || p->pass == PASS_WRITE;
        if (refs && strcmp(p->name, "error") == 0)
            args = arena_printf(k->arena, "%s, bind_refs()", args);
        args = arena_printf(k->arena, "%s%s%s", args, *args ? ", " : "", data ? "data, bind_size(size)" : p->name);
    }
    if (f->result == RESULT_NUMBER && refs)
        args = arena_printf(k->arena, "%s, bind_refs()", args);
    return arena_printf(k->arena, "{\n    %s%s(%s);\n}\n",
                        f->result == RESULT_VOID   ? ""
                        : f->result == RESULT_SIZE ? "return (int32_t)"
                                                   : "return ",
                        called, args);
}

static void add_functions(listing *k, const function_row *rows, const decl *d, const field *of)
{
    const letters l = {d, of};
    for (const function_row *each = rows; each->name; each++) {
        bind_function *f = ARENA_NEW(k->arena, bind_function);
        *f = (bind_function){.name = spell_row(k, each->name, &l, false),
                             .exported = arena_printf(k->arena, "bind_%s_", spell_row(k, each->name, &l, true)),
                             .params = read_params(k, each->params, &l),
                             .storage = storage_named(&l, each->result)};
        f->result = strcmp(each->result, "void") == 0   ? RESULT_VOID
                    : strcmp(each->result, "bool") == 0 ? RESULT_BOOL
                    : strcmp(each->result, "size") == 0 ? RESULT_SIZE
                    : f->storage != STORAGE_NONE        ? RESULT_NUMBER
                                                        : RESULT_POINTER;
        if (f->result == RESULT_POINTER)
            f->type = type_of_word(k, &l, each->result);
        const char *call = spell_row(k, each->call, &l, true);
        f->body = *call == '{' ? call : spell_c_call(k, f, wire_type_of(k->wire, d), call);
        *k->last_function = f;
        k->last_function = &f->next;
    }
}

static bool has_fitting(const decl *d)
{
    for (const field *f = d->fields; f; f = f->next)
        if (f->fit)
            return true;
    return false;
}

/* What packets with parts add: types for their baselines, rings, and the receiver. */
static void list_parts(listing *k, const decl *d)
{
    const letters own = {d, NULL};
    const field *fitted = NULL;
    for (const field *f = d->fields; f; f = f->next) {
        const letters l = {d, f};
        if (!f->part)
            continue;
        fitted = f->fit ? f : fitted;
        add_bind_type(k, BIND_OPAQUE, spell_row(k, "T_F_ring", &l, false), spell_row(k, "T_F_ring", &l, true), NULL);
        add_bind_type(k, BIND_STRUCT, spell_row(k, "T_F_baseline", &l, false), spell_row(k, "T_F_baseline", &l, true),
                      NULL);
        add_typed(k, "value", BIND_POINTER, bind_type_named(k, f->type.decl->name));
        add_scalar_member(k, "number", STORAGE_U64, 0);
        add_scalar_member(k, "hash", STORAGE_U64, 0);
    }
    add_bind_type(k, BIND_STRUCT, spell_row(k, "T_baselines", &own, false), spell_row(k, "T_baselines", &own, true),
                  NULL);
    for (const field *f = d->fields; f; f = f->next) {
        if (!f->part)
            continue;
        const bind_type *baseline = bind_type_named(k, spell_row(k, "T_F_baseline", &(letters){d, f}, false));
        add_typed(k, f->name, BIND_TYPE, baseline);
        if (f->type.decl->predicts)
            add_typed(k, arena_printf(k->arena, "%s_before", f->name), BIND_TYPE, baseline);
        if (f->part->starts)
            add_typed(k, arena_printf(k->arena, "%s_start", f->name), BIND_TYPE, baseline);
    }
    add_bind_type(k, BIND_STRUCT, spell_row(k, "T_names", &own, false), spell_row(k, "T_names", &own, true), NULL);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            add_typed(k, f->name, BIND_TYPE, bind_type_named(k, "pkt_part_names"));
    add_bind_type(k, BIND_OPAQUE, spell_row(k, "T_receiver", &own, false), spell_row(k, "T_receiver", &own, true),
                  NULL);
    add_functions(k, parts_rows, d, NULL);
    if (has_fitting(d))
        add_functions(k, fitted ? fit_part_rows : fit_parts_rows, d, fitted);
    for (const field *f = d->fields; f; f = f->next) {
        if (!f->part)
            continue;
        add_functions(k, ring_rows, d, f);
        if (f->part->starts)
            add_functions(k, has_hash(wire_type_of(k->wire, f->type.decl)) ? start_rows : large_start_rows, d, f);
    }
}

static void list_delta(listing *k, const decl *d)
{
    if (d->predicts) {
        const letters l = {d, NULL};
        add_bind_type(k, BIND_OPAQUE, spell_row(k, "T_motion", &l, false), spell_row(k, "T_motion", &l, true), NULL);
        add_functions(k, predict_rows, d, NULL);
    }
    add_functions(k, delta_stream_rows, d, NULL);
    if (d->packet)
        add_functions(k, packet_delta_rows, d, NULL);
}

/* As emit_prototypes. */
static void list_functions(listing *k, const wire_type *t)
{
    const decl *d = t->decl;
    add_functions(k, value_rows, d, NULL);
    if (d->holds_list)
        add_functions(k, copy_rows, d, NULL);
    if (d->mixes)
        add_functions(k, mix_rows, d, NULL);
    if (d->parts != 0) {
        list_parts(k, d);
    } else {
        add_functions(k, stream_rows, d, NULL);
        if (has_hash(t))
            add_functions(k, hash_rows, d, NULL);
        if (d->packet)
            add_functions(k, d->seeded ? seeded_rows : packet_rows, d, NULL);
        if (d->packet && k->b->releases)
            add_functions(k, d->seeded ? seeded_any_rows : any_rows, d, NULL);
        if (d->delta)
            list_delta(k, d);
        if (has_fitting(d)) {
            add_functions(k, d->delta ? fit_delta_rows : fit_rows, d, NULL);
            if (d->packet)
                add_functions(k, d->delta ? fit_packet_delta_rows : fit_packet_rows, d, NULL);
        }
    }
    for (const field *f = d->fields; f; f = f->next) {
        if (f->array == ARRAY_SPARSE)
            add_functions(k, sparse_rows, d, f);
        if (f->array == ARRAY_COMPUTED)
            add_functions(k, computed_rows, d, f);
        if (f->by)
            add_functions(k, list_rows, d, f);
        if (f->by && f->by->type.kind != TYPE_ENUM)
            add_functions(k, unused_rows, d, f);
    }
}

/* ---- constants */

static bind_constant *add_constant(listing *k, const char *name, num number)
{
    bind_constant *c = ARENA_NEW(k->arena, bind_constant);
    *c = (bind_constant){.name = name, .number = number};
    *k->last_constant = c;
    k->last_constant = &c->next;
    return c;
}

static void add_limit(listing *k, const decl *d, const char *what, uint64_t number)
{
    add_constant(k, arena_printf(k->arena, "%s_%s", d->name, what), num_u64(number));
}

static void list_limits(listing *k, const wire_type *t)
{
    const decl *d = t->decl;
    uint64_t first = 0;
    add_limit(k, d, "MAX_BITS", t->most);
    if (d->packet)
        add_limit(k, d, "MAX_BYTES", bytes_of_bits(t->most_framed));
    if (d->delta && d->parts == 0)
        add_limit(k, d, "DELTA_MAX_BITS", t->delta_most);
    if (d->delta && d->packet && d->parts == 0)
        add_limit(k, d, "DELTA_MAX_BYTES", bytes_of_bits(t->delta_most_framed));
    for (const field *f = d->parts == 0 ? d->fields : NULL; f; f = f->next) {
        if (!f->fit)
            continue;
        add_limit(k, d, arena_printf(k->arena, "FIT_%s", f->name), first);
        first += f->dims[0];
    }
}

/* ---- all */

const bindings *bindings_of(arena *a, diag *d, const wire *w, bool releases)
{
    const schema *s = w->schema;
    bindings *b = ARENA_NEW(a, bindings);
    *b = (bindings){.arena = a, .schema = s, .name = s->root->name, .stem = s->root->stem, .releases = releases};
    listing k = {.arena = a,
                 .diag = d,
                 .wire = w,
                 .b = b,
                 .last_type = &b->types,
                 .last_function = &b->functions,
                 .last_constant = &b->constants};
    bool mixes = false, parts = false;
    for (const decl *each = s->decls; each; each = each->next) {
        mixes |= each->mixes;
        parts |= each->parts != 0;
    }
    list_runtime_types(&k);
    if (mixes)
        list_deviation(&k);
    if (parts)
        list_part_names(&k);
    for (const decl *each = s->decls; each; each = each->next) {
        list_type(&k, each);
        if (each->kind == DECL_STRUCT || each->kind == DECL_UNION) {
            list_limits(&k, wire_type_of(w, each));
            list_functions(&k, wire_type_of(w, each));
        } else if (each->kind == DECL_CONST) {
            bind_constant *c = add_constant(&k, each->name, each->value.number);
            c->decl = each;
            c->is_real = each->is_real;
            c->real = each->value.real;
        }
    }
    return k.failed ? NULL : b;
}
