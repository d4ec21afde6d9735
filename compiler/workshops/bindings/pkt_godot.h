/* pkt_godot.h - values of a schema as objects of Godot 4.2 and later: the runtime of what `pktc bind gdextension` writes.
 * SPDX-License-Identifier: MIT
 *
 * NAME_godot.c has tables of classes, members and functions. This file registers them, and runs their methods.
 *
 * An object has memory for a value, or is a view of a value inside the memory of another object, which it keeps alive.
 */
#ifndef PKT_GODOT_H
#define PKT_GODOT_H

#include "gdextension_interface.h"
#include "pkt.h"

#include <stdio.h>
#include <string.h>

/* ---- tables */

typedef enum pkt_godot_kind {
    PKT_GODOT_NONE,
    PKT_GODOT_BOOL,
    PKT_GODOT_U8,
    PKT_GODOT_U16,
    PKT_GODOT_U32,
    PKT_GODOT_U64, /* an int of Godot with the same 64 bits */
    PKT_GODOT_I8,
    PKT_GODOT_I16,
    PKT_GODOT_I32,
    PKT_GODOT_I64,
    PKT_GODOT_FLOAT,
    PKT_GODOT_DOUBLE,
    PKT_GODOT_ID,     /* a number as wide as a pointer */
    PKT_GODOT_TEXT,   /* `each` bytes: UTF-8, with a zero byte at its end */
    PKT_GODOT_BYTES,  /* `each` bytes, of which the member `sized` says how many are used */
    PKT_GODOT_VALUE,  /* a `type` */
    PKT_GODOT_POINTER /* to a `type`, or NULL */
} pkt_godot_kind;

typedef struct pkt_godot_class pkt_godot_class;

/* A value in Godot, or an argument of a function in C. */
typedef union pkt_godot_value {
    int64_t number;
    double real;
    void *pointer;
    void *words[2];
} pkt_godot_value;

/* Calls a function in C. */
typedef void pkt_godot_run(const pkt_godot_value *a, pkt_godot_value *result);

typedef struct pkt_godot_member {
    const char *name, *doc; /* doc: NULL for none */
    pkt_godot_kind kind;
    size_t place, size;      /* in bytes; the size of an element */
    uint32_t length;         /* of an array; 0: it is none */
    uint32_t counted, sized; /* the numbers of the members x_count and x_size; 0: none */
    pkt_godot_class *type;   /* of values and pointers */
    const char *of;          /* "GamePackets.Kind": the enum or the flags; NULL: none */
    bool flags;              /* it is flags */
    pkt_godot_run *count;    /* of an array whose length other fields say */
} pkt_godot_member;

typedef enum pkt_godot_pass {
    PKT_GODOT_SELF,
    PKT_GODOT_IN,    /* an object of `type` */
    PKT_GODOT_OUT,   /* likewise: the function changes it */
    PKT_GODOT_READ,  /* a PackedByteArray: in C data and its size */
    PKT_GODOT_WRITE, /* room for the PackedByteArray that is the result: in C data and its size */
    PKT_GODOT_NUMBER,
    PKT_GODOT_ORDER, /* an Array of objects of `type`: in C an array of values */
    PKT_GODOT_COUNT  /* how many are in the order: only in C */
} pkt_godot_pass;

typedef struct pkt_godot_param {
    const char *name;
    pkt_godot_pass pass;
    pkt_godot_kind kind; /* of a number */
    pkt_godot_class *type;
    bool optional; /* it may be null */
} pkt_godot_param;

enum { PKT_GODOT_PARAMS = 10 };

typedef struct pkt_godot_function {
    const char *name;
    pkt_godot_run *run;
    pkt_godot_kind result; /* PKT_GODOT_BYTES: what was written, so many bytes */
    pkt_godot_class *type; /* of a pointer */
    uint32_t count;
    pkt_godot_param params[PKT_GODOT_PARAMS];
    uint32_t room; /* the most bytes that it writes */
    bool keeps;    /* what it writes into points to what it reads */
} pkt_godot_function;

typedef struct pkt_godot_constant {
    const char *name, *of; /* of: the enum or the flags; "" for none */
    bool flags;
    int64_t value;
} pkt_godot_constant;

struct pkt_godot_class {
    const char *name, *doc;
    size_t size;         /* in bytes; 0: there are no objects */
    bool is_union;       /* the first member is the tag; the others are in one place */
    bool points;         /* a value has a pointer to a value of another object */
    bool laid_out;       /* the layout of the library has it */
    pkt_godot_run *init; /* NULL: all bytes are zero */
    const pkt_godot_member *members;
    uint32_t member_count;
    const pkt_godot_function *functions;
    uint32_t function_count;
    const pkt_godot_constant *constants;
    uint32_t constant_count;
    pkt_godot_value string_name;
};

/* ---- Godot */

/* A pointer that another value holds: the object that has what it points to lives as long. */
typedef struct pkt_godot_keep {
    struct pkt_godot_keep *next;
    const void *at; /* the value with the pointer */
    uint32_t number;
    void *kept; /* a Ref */
} pkt_godot_keep;

typedef struct pkt_godot_object {
    const pkt_godot_class *type;
    uint8_t *at;
    GDExtensionObjectPtr object;
    struct pkt_godot_object *root; /* the one that has the memory */
    void *owner;                   /* a Ref to that; NULL: itself */
    pkt_godot_keep *keeps;         /* of what is in its memory */
} pkt_godot_object;

typedef enum pkt_godot_task {
    PKT_GODOT_GET,
    PKT_GODOT_SET,
    PKT_GODOT_AT,
    PKT_GODOT_PUT,
    PKT_GODOT_CALL
} pkt_godot_task;

typedef struct pkt_godot_method {
    const pkt_godot_class *type;
    pkt_godot_task task;
    const pkt_godot_member *member;
    const pkt_godot_function *function;
} pkt_godot_method;

/* What is used of Godot: the type of a function, the member that has it, its name. */
#define PKT_GODOT_FUNCTIONS(X)                                                                    \
    X(MemAlloc, alloc, "mem_alloc")                                                               \
    X(MemRealloc, realloc, "mem_realloc")                                                         \
    X(MemFree, free, "mem_free")                                                                  \
    X(PrintError, print_error, "print_error")                                                     \
    X(StringNameNewWithLatin1Chars, new_name, "string_name_new_with_latin1_chars")                \
    X(StringNewWithUtf8CharsAndLen, new_string, "string_new_with_utf8_chars_and_len")             \
    X(StringToUtf8Chars, utf8_of, "string_to_utf8_chars")                                         \
    X(PackedByteArrayOperatorIndex, byte_at, "packed_byte_array_operator_index")                  \
    X(PackedByteArrayOperatorIndexConst, const_byte_at, "packed_byte_array_operator_index_const") \
    X(PackedInt32ArrayOperatorIndex, int32_at, "packed_int32_array_operator_index")               \
    X(PackedInt64ArrayOperatorIndex, int64_at, "packed_int64_array_operator_index")               \
    X(PackedFloat32ArrayOperatorIndex, float32_at, "packed_float32_array_operator_index")         \
    X(PackedFloat64ArrayOperatorIndex, float64_at, "packed_float64_array_operator_index")         \
    X(PackedStringArrayOperatorIndex, string_at, "packed_string_array_operator_index")            \
    X(ArrayOperatorIndex, variant_at, "array_operator_index")                                     \
    X(VariantGetType, type_of, "variant_get_type")                                                \
    X(VariantCanConvertStrict, can_convert, "variant_can_convert_strict")                         \
    X(VariantNewNil, new_nil, "variant_new_nil")                                                  \
    X(VariantGetPtrConstructor, constructor, "variant_get_ptr_constructor")                       \
    X(VariantGetPtrDestructor, destructor, "variant_get_ptr_destructor")                          \
    X(GetVariantFromTypeConstructor, to_variant, "get_variant_from_type_constructor")             \
    X(GetVariantToTypeConstructor, from_variant, "get_variant_to_type_constructor")               \
    X(RefSetObject, set_ref, "ref_set_object")                                                    \
    X(ClassdbConstructObject, construct, "classdb_construct_object")                              \
    X(ObjectSetInstance, set_instance, "object_set_instance")                                     \
    X(ObjectSetInstanceBinding, set_binding, "object_set_instance_binding")                       \
    X(ObjectGetInstanceBinding, binding_of, "object_get_instance_binding")

/* The schema, and the functions of Godot. */
static struct {
    const char *stem;
    pkt_godot_class *classes;
    uint32_t class_count;
    const uint64_t *(*layout)(void);
    uint64_t layout_count, id;
    bool registered;
    pkt_godot_method *methods;
    size_t method_count;
    GDExtensionClassLibraryPtr library;
    GDExtensionInterfaceGetProcAddress find;
#define PKT_GODOT_MEMBER(type, member, name) GDExtensionInterface##type member;
    PKT_GODOT_FUNCTIONS(PKT_GODOT_MEMBER)
    GDExtensionPtrBuiltInMethod resize[GDEXTENSION_VARIANT_TYPE_VARIANT_MAX],
        size[GDEXTENSION_VARIANT_TYPE_VARIANT_MAX];
    pkt_godot_value ref_counted;
} pkt_godot;

static void pkt_godot_destroy(GDExtensionVariantType type, void *value)
{
    const GDExtensionPtrDestructor found = type == GDEXTENSION_VARIANT_TYPE_OBJECT ? NULL : pkt_godot.destructor(type);
    if (found)
        found(value);
    else if (type == GDEXTENSION_VARIANT_TYPE_OBJECT)
        pkt_godot.set_ref(value, NULL);
}

static void pkt_godot_construct(GDExtensionVariantType type, pkt_godot_value *value)
{
    memset(value, 0, sizeof *value);
    if (type != GDEXTENSION_VARIANT_TYPE_NIL && type != GDEXTENSION_VARIANT_TYPE_OBJECT)
        pkt_godot.constructor(type, 0)(value, NULL);
}

static void pkt_godot_resize(GDExtensionVariantType type, void *array, int64_t size)
{
    int64_t error;
    const GDExtensionConstTypePtr arguments[] = {&size};
    pkt_godot.resize[type](array, arguments, &error, 1);
}

static int64_t pkt_godot_size_of(GDExtensionVariantType type, const void *array)
{
    int64_t size;
    pkt_godot.size[type]((GDExtensionTypePtr)array, NULL, &size, 0);
    return size;
}

static void pkt_godot_name(pkt_godot_value *name, const char *text)
{
    pkt_godot.new_name(name, text, false);
}

/* Says what is wrong in Godot's console. Returns false. */
static bool pkt_godot_fail(const pkt_godot_class *type, const char *name, const char *what)
{
    char text[300];
    snprintf(text, sizeof text, "%s.%s: %s", type->name, name, what);
    pkt_godot.print_error(text, name, pkt_godot.stem, 0, false);
    return false;
}

/* ---- objects */

static GDExtensionObjectPtr pkt_godot_make(const pkt_godot_class *type, void *at, pkt_godot_object *root)
{
    static const GDExtensionInstanceBindingCallbacks none = {NULL, NULL, NULL};
    const size_t head = (sizeof(pkt_godot_object) + 15) / 16 * 16, size = head + (root ? 0 : type->size);
    pkt_godot_object *made = (pkt_godot_object *)pkt_godot.alloc(size);
    memset(made, 0, size);
    made->type = type;
    made->at = root ? (uint8_t *)at : (uint8_t *)made + head;
    made->root = root ? root : made;
    made->object = pkt_godot.construct(&pkt_godot.ref_counted);
    pkt_godot.set_instance(made->object, &type->string_name, made);
    pkt_godot.set_binding(made->object, pkt_godot.library, made, &none);
    if (root)
        pkt_godot.set_ref(&made->owner, root->object);
    else if (type->init)
        type->init(&(pkt_godot_value){.pointer = made->at}, NULL);
    return made->object;
}

static GDExtensionObjectPtr pkt_godot_create(void *type)
{
    return pkt_godot_make((const pkt_godot_class *)type, NULL, NULL);
}

static void pkt_godot_free(void *type, GDExtensionClassInstancePtr instance)
{
    pkt_godot_object *freed = (pkt_godot_object *)instance;
    (void)type;
    for (pkt_godot_keep *k = freed->keeps; k;) {
        pkt_godot_keep *next = k->next;
        pkt_godot.set_ref(&k->kept, NULL);
        pkt_godot.free(k);
        k = next;
    }
    if (freed->owner)
        pkt_godot.set_ref(&freed->owner, NULL);
    pkt_godot.free(freed);
}

/* The value of an object; NULL: it is null, or none of this class. */
static pkt_godot_object *pkt_godot_object_of(const void *argument, const pkt_godot_class *type)
{
    const GDExtensionObjectPtr object = *(const GDExtensionObjectPtr *)argument;
    pkt_godot_object *found = object ? (pkt_godot_object *)pkt_godot.binding_of(object, pkt_godot.library, NULL) : NULL;
    return found && found->type == type ? found : NULL;
}

/* What the pointer number `number` of the value `at` points to is in the memory of `kept`. */
static void pkt_godot_keep_alive(pkt_godot_object *holder, const void *at, uint32_t number, pkt_godot_object *kept)
{
    pkt_godot_keep *k = holder->root->keeps;
    while (k && (k->at != at || k->number != number))
        k = k->next;
    if (!k && kept->root != holder->root) {
        k = (pkt_godot_keep *)pkt_godot.alloc(sizeof *k);
        *k = (pkt_godot_keep){holder->root->keeps, at, number, NULL};
        holder->root->keeps = k;
    }
    if (k)
        pkt_godot.set_ref(&k->kept, kept->root != holder->root ? kept->root->object : NULL);
}

/* What a pointer in the value `at` points to; the object that has it. */
static pkt_godot_object *pkt_godot_keeper_of(const pkt_godot_object *holder, const void *at, const uint8_t *target)
{
    for (const pkt_godot_keep *k = holder->root->keeps; k; k = k->next) {
        pkt_godot_object *kept =
            k->kept && k->at == at ? (pkt_godot_object *)pkt_godot.binding_of(k->kept, pkt_godot.library, NULL) : NULL;
        if (kept && target >= kept->at && target < kept->at + kept->type->size)
            return kept;
    }
    pkt_godot_object *root = holder->root;
    return target >= root->at && target < root->at + root->type->size ? root : NULL;
}

/* Copies a value of a type. */
static void pkt_godot_copy(pkt_godot_object *holder, void *at, const pkt_godot_object *from)
{
    const size_t size = from->type->size;
    memmove(at, from->at, size);
    for (const pkt_godot_keep *k = from->type->points ? from->root->keeps : NULL; k; k = k->next) {
        const uint8_t *place = (const uint8_t *)k->at;
        if (k->kept && place >= from->at && place < from->at + size)
            pkt_godot_keep_alive(holder, (uint8_t *)at + (place - from->at), k->number,
                                 (pkt_godot_object *)pkt_godot.binding_of(k->kept, pkt_godot.library, NULL));
    }
}

/* ---- numbers */

#define PKT_GODOT_INTEGERS(X)              \
    X(U8, uint8_t, 0, UINT8_MAX)           \
    X(U16, uint16_t, 0, UINT16_MAX)        \
    X(U32, uint32_t, 0, UINT32_MAX)        \
    X(U64, uint64_t, INT64_MIN, INT64_MAX) \
    X(I8, int8_t, INT8_MIN, INT8_MAX)      \
    X(I16, int16_t, INT16_MIN, INT16_MAX)  \
    X(I32, int32_t, INT32_MIN, INT32_MAX)  \
    X(I64, int64_t, INT64_MIN, INT64_MAX)  \
    X(ID, uintptr_t, 0, UINT32_MAX)

static pkt_godot_value pkt_godot_load(pkt_godot_kind kind, const void *at)
{
    pkt_godot_value v = {0};
#define PKT_GODOT_LOAD(name, type, least, most) \
    if (kind == PKT_GODOT_##name) {             \
        type number;                            \
        memcpy(&number, at, sizeof number);     \
        v.number = (int64_t)number;             \
    }
    PKT_GODOT_INTEGERS(PKT_GODOT_LOAD)
    if (kind == PKT_GODOT_BOOL)
        v.number = *(const uint8_t *)at != 0;
    if (kind == PKT_GODOT_FLOAT) {
        float number;
        memcpy(&number, at, sizeof number);
        v.real = (double)number;
    }
    if (kind == PKT_GODOT_DOUBLE)
        memcpy(&v.real, at, sizeof v.real);
    return v;
}

/* False, and nothing is stored: it is out of the range of the type. */
static bool pkt_godot_store(pkt_godot_kind kind, void *at, pkt_godot_value v)
{
#define PKT_GODOT_STORE(name, type, least, most)                       \
    if (kind == PKT_GODOT_##name) {                                    \
        const type number = (type)v.number;                            \
        if (v.number < (int64_t)(least) || v.number > (int64_t)(most)) \
            return false;                                              \
        memcpy(at, &number, sizeof number);                            \
    }
    PKT_GODOT_INTEGERS(PKT_GODOT_STORE)
    if (kind == PKT_GODOT_BOOL)
        *(bool *)at = v.number != 0;
    if (kind == PKT_GODOT_FLOAT) {
        const float number = (float)v.real;
        memcpy(at, &number, sizeof number);
    }
    if (kind == PKT_GODOT_DOUBLE)
        memcpy(at, &v.real, sizeof v.real);
    return true;
}

/* ---- members */

static GDExtensionVariantType pkt_godot_type_of(pkt_godot_kind kind)
{
    switch (kind) {
    case PKT_GODOT_NONE: return GDEXTENSION_VARIANT_TYPE_NIL;
    case PKT_GODOT_BOOL: return GDEXTENSION_VARIANT_TYPE_BOOL;
    case PKT_GODOT_FLOAT:
    case PKT_GODOT_DOUBLE: return GDEXTENSION_VARIANT_TYPE_FLOAT;
    case PKT_GODOT_TEXT: return GDEXTENSION_VARIANT_TYPE_STRING;
    case PKT_GODOT_BYTES: return GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY;
    case PKT_GODOT_VALUE:
    case PKT_GODOT_POINTER: return GDEXTENSION_VARIANT_TYPE_OBJECT;
    default: return GDEXTENSION_VARIANT_TYPE_INT;
    }
}

static GDExtensionVariantType pkt_godot_type_of_array(pkt_godot_kind kind)
{
    switch (kind) {
    case PKT_GODOT_BOOL:
    case PKT_GODOT_U8: return GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY;
    case PKT_GODOT_I8:
    case PKT_GODOT_I16:
    case PKT_GODOT_U16:
    case PKT_GODOT_I32: return GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY;
    case PKT_GODOT_U32:
    case PKT_GODOT_U64:
    case PKT_GODOT_I64:
    case PKT_GODOT_ID: return GDEXTENSION_VARIANT_TYPE_PACKED_INT64_ARRAY;
    case PKT_GODOT_FLOAT: return GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY;
    case PKT_GODOT_DOUBLE: return GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT64_ARRAY;
    case PKT_GODOT_TEXT: return GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY;
    default: return GDEXTENSION_VARIANT_TYPE_ARRAY;
    }
}

static GDExtensionVariantType pkt_godot_type_of_member(const pkt_godot_member *m)
{
    return m->length != 0 ? pkt_godot_type_of_array(m->kind) : pkt_godot_type_of(m->kind);
}

/* How many elements there are. */
static uint32_t pkt_godot_length(const pkt_godot_object *self, const pkt_godot_member *m)
{
    const pkt_godot_member *counted = &self->type->members[m->counted];
    pkt_godot_value r = {(int64_t)m->length};
    if (m->count)
        m->count(&(pkt_godot_value){.pointer = self->at}, &r);
    else if (m->counted != 0)
        r = pkt_godot_load(counted->kind, self->at + counted->place);
    return r.number < (int64_t)m->length ? (uint32_t)r.number : m->length;
}

static void pkt_godot_set_bytes(void *array, const void *data, size_t size)
{
    pkt_godot_resize(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, array, (int64_t)size);
    if (size != 0)
        memcpy(pkt_godot.byte_at(array, 0), data, size);
}

static void pkt_godot_set_number(pkt_godot_kind kind, void *to, pkt_godot_value v)
{
    if (kind == PKT_GODOT_BOOL)
        *(GDExtensionBool *)to = v.number != 0;
    else
        memcpy(to, &v, sizeof(int64_t));
}

/* A member, or an element of it, as a value of Godot; `to` has an empty one. */
static void pkt_godot_get(pkt_godot_object *self, const pkt_godot_member *m, uint32_t i, void *to)
{
    uint8_t *at = self->at + m->place + i * m->size;
    const pkt_godot_member *sized = &self->type->members[m->sized];
    if (m->kind == PKT_GODOT_TEXT) {
        const uint8_t *end = (const uint8_t *)memchr(at, 0, m->size);
        pkt_godot_destroy(GDEXTENSION_VARIANT_TYPE_STRING, to);
        pkt_godot.new_string(to, (const char *)at, end ? end - at : (GDExtensionInt)m->size);
    } else if (m->kind == PKT_GODOT_BYTES) {
        const int64_t size = pkt_godot_load(sized->kind, self->at + sized->place + i * sized->size).number;
        pkt_godot_set_bytes(to, at, (uint64_t)size < m->size ? (size_t)size : m->size);
    } else if (m->kind == PKT_GODOT_VALUE) {
        pkt_godot.set_ref(to, pkt_godot_make(m->type, at, self->root));
    } else if (m->kind == PKT_GODOT_POINTER) {
        uint8_t *target;
        memcpy(&target, at, sizeof target);
        pkt_godot_object *keeper = target ? pkt_godot_keeper_of(self, self->at, target) : NULL;
        if (keeper)
            pkt_godot.set_ref(to, pkt_godot_make(m->type, target, keeper));
    } else {
        pkt_godot_set_number(m->kind, to, pkt_godot_load(m->kind, at));
    }
}

static pkt_godot_value pkt_godot_number(pkt_godot_kind kind, const void *from)
{
    pkt_godot_value v = {0};
    if (kind == PKT_GODOT_BOOL)
        v.number = *(const GDExtensionBool *)from != 0;
    else
        memcpy(&v, from, sizeof(int64_t));
    return v;
}

/* Sets a member, or an element of it; or only says, with `stores` false, whether that is possible. */
static bool pkt_godot_put(pkt_godot_object *self, const pkt_godot_member *m, uint32_t i, const void *from, bool stores)
{
    uint8_t *at = self->at + m->place + i * m->size;
    uint64_t unused;
    if (m->kind == PKT_GODOT_TEXT && stores) {
        /* Of any text as much as fits, as pkt_text_set has it; its last character may be cut here, but not there. */
        char *text = (char *)pkt_godot.alloc(m->size + 4);
        const GDExtensionInt size = pkt_godot.utf8_of(from, text, (GDExtensionInt)m->size + 3);
        text[size < (GDExtensionInt)m->size + 3 ? (size_t)size : m->size + 3] = 0;
        pkt_text_set((char *)at, m->size, text);
        pkt_godot.free(text);
    } else if (m->kind == PKT_GODOT_BYTES) {
        const pkt_godot_member *sized = &self->type->members[m->sized];
        const int64_t size = pkt_godot_size_of(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, from);
        if (size > (int64_t)m->size)
            return pkt_godot_fail(self->type, m->name, "more bytes than it has room for");
        if (stores && size != 0)
            memcpy(at, pkt_godot.const_byte_at(from, 0), (size_t)size);
        if (stores)
            pkt_godot_store(sized->kind, self->at + sized->place + i * sized->size, (pkt_godot_value){.number = size});
    } else if (m->kind == PKT_GODOT_VALUE || m->kind == PKT_GODOT_POINTER) {
        pkt_godot_object *object = pkt_godot_object_of(from, m->type);
        const bool is_null = m->kind == PKT_GODOT_POINTER && !*(const GDExtensionObjectPtr *)from;
        if (!object && !is_null)
            return pkt_godot_fail(self->type, m->name, "no object of its class");
        if (stores && m->kind == PKT_GODOT_VALUE) {
            pkt_godot_copy(self, at, object);
        } else if (stores) {
            memcpy(at, is_null ? (void *)&(void *){NULL} : (void *)&object->at, sizeof(void *));
            if (object)
                pkt_godot_keep_alive(self, self->at, PKT_GODOT_PARAMS, object);
        }
    } else if (m->kind != PKT_GODOT_TEXT &&
               !pkt_godot_store(m->kind, stores ? (void *)at : (void *)&unused, pkt_godot_number(m->kind, from))) {
        return pkt_godot_fail(self->type, m->name, "out of the range of its type");
    }
    return true;
}

/* The elements as an array of Godot. */
static void pkt_godot_get_all(pkt_godot_object *self, const pkt_godot_member *m, void *to)
{
    const GDExtensionVariantType type = pkt_godot_type_of_array(m->kind), each = pkt_godot_type_of(m->kind);
    const uint32_t count = pkt_godot_length(self, m);
    pkt_godot_resize(type, to, count);
    for (uint32_t i = 0; i < count; i++) {
        const pkt_godot_value v = pkt_godot_load(m->kind, self->at + m->place + i * m->size);
        pkt_godot_value made;
        switch ((int)type) {
        case GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY: *pkt_godot.byte_at(to, i) = (uint8_t)v.number; break;
        case GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY: *pkt_godot.int32_at(to, i) = (int32_t)v.number; break;
        case GDEXTENSION_VARIANT_TYPE_PACKED_INT64_ARRAY: *pkt_godot.int64_at(to, i) = v.number; break;
        case GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY: *pkt_godot.float32_at(to, i) = (float)v.real; break;
        case GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT64_ARRAY: *pkt_godot.float64_at(to, i) = v.real; break;
        case GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY: pkt_godot_get(self, m, i, pkt_godot.string_at(to, i)); break;
        default:
            pkt_godot_construct(each, &made);
            pkt_godot_get(self, m, i, &made);
            pkt_godot.to_variant(each)(pkt_godot.variant_at(to, i), &made);
            pkt_godot_destroy(each, &made);
        }
    }
}

/* An element of an array of Godot. False: it is of another type. */
static bool pkt_godot_element(GDExtensionVariantType array, GDExtensionVariantType each, const void *from, int64_t i,
                              pkt_godot_value *v)
{
    const GDExtensionTypePtr in = (GDExtensionTypePtr)from;
    GDExtensionVariantPtr variant;
    memset(v, 0, sizeof *v);
    switch ((int)array) {
    case GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY: v->number = *pkt_godot.const_byte_at(from, i); break;
    case GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY: v->number = *pkt_godot.int32_at(in, i); break;
    case GDEXTENSION_VARIANT_TYPE_PACKED_INT64_ARRAY: v->number = *pkt_godot.int64_at(in, i); break;
    case GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY: v->real = (double)*pkt_godot.float32_at(in, i); break;
    case GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT64_ARRAY: v->real = *pkt_godot.float64_at(in, i); break;
    default:
        variant = pkt_godot.variant_at(in, i);
        if (pkt_godot.type_of(variant) != each)
            return false;
        pkt_godot.from_variant(each)(v, variant);
    }
    return true;
}

/* Sets the elements, and how many there are: all, or none if one is wrong. */
static void pkt_godot_put_all(pkt_godot_object *self, const pkt_godot_member *m, const void *from)
{
    const GDExtensionVariantType type = pkt_godot_type_of_array(m->kind), each = pkt_godot_type_of(m->kind);
    const int64_t count = pkt_godot_size_of(type, from);
    if (count > (int64_t)m->length) {
        pkt_godot_fail(self->type, m->name, "more elements than it has room for");
        return;
    }
    for (int stores = 0; stores < 2; stores++)
        for (int64_t i = 0; i < count; i++) {
            pkt_godot_value v;
            bool good;
            if (m->kind == PKT_GODOT_TEXT)
                good = pkt_godot_put(self, m, (uint32_t)i, pkt_godot.string_at((GDExtensionTypePtr)from, i), stores);
            else if (!pkt_godot_element(type, each, from, i, &v))
                good = pkt_godot_fail(self->type, m->name, "an element of another type");
            else if (good = pkt_godot_put(self, m, (uint32_t)i, &v, stores), m->kind == PKT_GODOT_BYTES)
                pkt_godot_destroy(each, &v);
            if (!good)
                return;
        }
    const pkt_godot_member *counted = &self->type->members[m->counted];
    if (m->counted != 0)
        pkt_godot_store(counted->kind, self->at + counted->place, (pkt_godot_value){.number = count});
}

static void pkt_godot_run_member(const pkt_godot_method *method, pkt_godot_object *self,
                                 const GDExtensionConstTypePtr *arguments, void *result)
{
    const pkt_godot_member *m = method->member;
    const uint32_t number = (uint32_t)(m - self->type->members);
    if (method->task == PKT_GODOT_AT || method->task == PKT_GODOT_PUT) {
        const int64_t i = *(const int64_t *)arguments[0];
        if (i < 0 || i >= (int64_t)pkt_godot_length(self, m))
            pkt_godot_fail(self->type, m->name, "there is no such element");
        else if (method->task == PKT_GODOT_AT)
            pkt_godot_get(self, m, (uint32_t)i, result);
        else
            pkt_godot_put(self, m, (uint32_t)i, arguments[1], true);
    } else if (method->task == PKT_GODOT_GET && m->length != 0) {
        pkt_godot_get_all(self, m, result);
    } else if (method->task == PKT_GODOT_GET) {
        pkt_godot_get(self, m, 0, result);
    } else if (m->length != 0) {
        pkt_godot_put_all(self, m, arguments[0]);
    } else if (pkt_godot_put(self, m, 0, arguments[0], true) && self->type->is_union && number != 0) {
        pkt_godot_store(self->type->members->kind, self->at, (pkt_godot_value){.number = number - 1});
    }
}

/* ---- functions */

/* Between the elements of an order in Godot and those in C. */
static bool pkt_godot_move_order(const void *order, const pkt_godot_class *type, uint8_t *values, int64_t count,
                                 bool back)
{
    for (int64_t i = 0; i < count; i++) {
        pkt_godot_value v;
        pkt_godot_object *each =
            pkt_godot_element(GDEXTENSION_VARIANT_TYPE_ARRAY, GDEXTENSION_VARIANT_TYPE_OBJECT, order, i, &v)
                ? pkt_godot_object_of(&v, type)
                : NULL;
        if (!each)
            return false;
        uint8_t *in_c = values + (size_t)i * type->size;
        memcpy(back ? each->at : in_c, back ? in_c : each->at, type->size);
    }
    return true;
}

/* What pointers of the objects that a function wrote into may point to. */
static void pkt_godot_keep_all(const pkt_godot_function *f, pkt_godot_object *const *objects)
{
    for (uint32_t to = 0; to < f->count; to++)
        for (uint32_t from = 0; from < f->count; from++)
            if (objects[to] && objects[from] && from != to && objects[to]->type->points)
                pkt_godot_keep_alive(objects[to], objects[to]->at, from, objects[from]);
}

static void pkt_godot_finish(const pkt_godot_function *f, pkt_godot_object *const *objects, pkt_godot_value r,
                             void *result)
{
    if (f->result == PKT_GODOT_BYTES) {
        pkt_godot_resize(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, result, r.number > 0 ? r.number : 0);
    } else if (f->result == PKT_GODOT_POINTER) {
        /* What a function finds is in the first object that it was given. */
        if (r.pointer)
            pkt_godot.set_ref(result, pkt_godot_make(f->type, r.pointer, objects[0]->root));
    } else if (f->result != PKT_GODOT_NONE) {
        pkt_godot_set_number(f->result, result, r);
    }
}

static void pkt_godot_run_function(const pkt_godot_method *method, pkt_godot_object *self,
                                   const GDExtensionConstTypePtr *arguments, void *result)
{
    const pkt_godot_function *f = method->function;
    pkt_godot_value a[PKT_GODOT_PARAMS + 2] = {{0}}, r = {0}, *next = a;
    pkt_godot_object *objects[PKT_GODOT_PARAMS] = {NULL};
    const pkt_godot_param *ordered = NULL;
    const void *order = NULL;
    uint8_t *values = NULL;
    uint32_t count = 0;
    const char *wrong = NULL;
    for (uint32_t i = 0; i < f->count && !wrong; i++) {
        const pkt_godot_param *p = &f->params[i];
        const void *argument =
            p->pass == PKT_GODOT_SELF || p->pass == PKT_GODOT_WRITE || p->pass == PKT_GODOT_COUNT ? NULL : *arguments++;
        int64_t size = 0;
        uint64_t unused;
        switch (p->pass) {
        case PKT_GODOT_SELF:
            objects[i] = self;
            (next++)->pointer = self->at;
            break;
        case PKT_GODOT_IN:
        case PKT_GODOT_OUT:
            objects[i] = pkt_godot_object_of(argument, p->type);
            if (!objects[i] && (!p->optional || *(const GDExtensionObjectPtr *)argument))
                wrong = p->name;
            (next++)->pointer = objects[i] ? objects[i]->at : NULL;
            break;
        case PKT_GODOT_READ:
            size = pkt_godot_size_of(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, argument);
            wrong = size > INT32_MAX ? p->name : NULL;
            (next++)->pointer = size == 0 ? (void *)&size : (void *)pkt_godot.const_byte_at(argument, 0);
            (next++)->number = size;
            break;
        case PKT_GODOT_WRITE:
            pkt_godot_resize(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, result, f->room);
            (next++)->pointer = pkt_godot.byte_at(result, 0);
            (next++)->number = (int64_t)f->room;
            break;
        case PKT_GODOT_NUMBER:
            *next = pkt_godot_number(p->kind, argument);
            wrong = pkt_godot_store(p->kind, &unused, *next++) ? NULL : p->name;
            break;
        case PKT_GODOT_ORDER:
            order = argument;
            ordered = p;
            size = pkt_godot_size_of(GDEXTENSION_VARIANT_TYPE_ARRAY, argument);
            count = (uint32_t)size;
            values = (uint8_t *)pkt_godot.alloc((size_t)size * p->type->size + 1);
            wrong = pkt_godot_move_order(order, p->type, values, size, false) ? NULL : p->name;
            (next++)->pointer = values;
            break;
        case PKT_GODOT_COUNT: (next++)->pointer = &count; break;
        }
    }
    if (wrong) {
        char text[100];
        snprintf(text, sizeof text, "'%s' is null, of another class or out of range", wrong);
        pkt_godot_fail(method->type, f->name, text);
    } else {
        const int64_t listed = values ? pkt_godot_size_of(GDEXTENSION_VARIANT_TYPE_ARRAY, order) : 0;
        f->run(a, &r);
        if (f->keeps)
            pkt_godot_keep_all(f, objects);
        pkt_godot_move_order(order, ordered ? ordered->type : NULL, values, listed, true);
    }
    pkt_godot_finish(f, objects, r, result);
    if (values)
        pkt_godot.free(values);
}

/* How Godot calls a method when it knows the types of the arguments. */
static void pkt_godot_ptrcall(void *userdata, GDExtensionClassInstancePtr instance,
                              const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    const pkt_godot_method *method = (const pkt_godot_method *)userdata;
    if (method->task == PKT_GODOT_CALL)
        pkt_godot_run_function(method, (pkt_godot_object *)instance, arguments, result);
    else
        pkt_godot_run_member(method, (pkt_godot_object *)instance, arguments, result);
}

/* ---- methods */

/* An argument of a method as Godot sees it; or, before the first, its result. */
typedef struct pkt_godot_slot {
    GDExtensionVariantType type;
    const char *name, *of; /* of: the class of an object, or the enum */
    bool optional;         /* without it, it is null */
} pkt_godot_slot;

static pkt_godot_slot pkt_godot_slot_of_member(const pkt_godot_member *m, GDExtensionVariantType type)
{
    const bool is_object = type == GDEXTENSION_VARIANT_TYPE_OBJECT;
    return (pkt_godot_slot){type, "value", is_object ? m->type->name : m->of, false};
}

static pkt_godot_slot pkt_godot_slot_of_param(const pkt_godot_param *p)
{
    pkt_godot_slot slot = {GDEXTENSION_VARIANT_TYPE_OBJECT, p->name, p->type ? p->type->name : NULL, p->optional};
    if (p->pass == PKT_GODOT_NUMBER)
        slot.type = pkt_godot_type_of(p->kind);
    else if (p->pass == PKT_GODOT_READ)
        slot.type = GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY;
    else if (p->pass == PKT_GODOT_ORDER)
        slot = (pkt_godot_slot){GDEXTENSION_VARIANT_TYPE_ARRAY, p->name, NULL, false};
    return slot;
}

/* Lists the result and the arguments. Returns how many slots there are. */
static uint32_t pkt_godot_slots(const pkt_godot_method *method, pkt_godot_slot slots[PKT_GODOT_PARAMS + 1])
{
    const pkt_godot_slot none = {GDEXTENSION_VARIANT_TYPE_NIL, "", NULL, false};
    const pkt_godot_slot index = {GDEXTENSION_VARIANT_TYPE_INT, "index", NULL, false};
    const pkt_godot_member *m = method->member;
    const pkt_godot_function *f = method->function;
    uint32_t count = 1;
    slots[0] = none;
    switch (method->task) {
    case PKT_GODOT_GET: slots[0] = pkt_godot_slot_of_member(m, pkt_godot_type_of_member(m)); break;
    case PKT_GODOT_SET: slots[count++] = pkt_godot_slot_of_member(m, pkt_godot_type_of_member(m)); break;
    case PKT_GODOT_AT:
        slots[0] = pkt_godot_slot_of_member(m, pkt_godot_type_of(m->kind));
        slots[count++] = index;
        break;
    case PKT_GODOT_PUT:
        slots[count++] = index;
        slots[count++] = pkt_godot_slot_of_member(m, pkt_godot_type_of(m->kind));
        break;
    case PKT_GODOT_CALL:
        slots[0] = (pkt_godot_slot){pkt_godot_type_of(f->result), "", f->type ? f->type->name : NULL, false};
        for (uint32_t i = 0; i < f->count; i++) {
            const pkt_godot_pass pass = f->params[i].pass;
            if (pass != PKT_GODOT_SELF && pass != PKT_GODOT_WRITE && pass != PKT_GODOT_COUNT)
                slots[count++] = pkt_godot_slot_of_param(&f->params[i]);
        }
        break;
    }
    return count;
}

static uint32_t pkt_godot_optional(const pkt_godot_slot *slots, uint32_t count)
{
    uint32_t optional = 0;
    while (optional + 1 < count && slots[count - 1 - optional].optional)
        optional++;
    return optional;
}

/* How Godot calls a method with any arguments. */
static void pkt_godot_call(void *userdata, GDExtensionClassInstancePtr instance,
                           const GDExtensionConstVariantPtr *arguments, GDExtensionInt count,
                           GDExtensionVariantPtr result, GDExtensionCallError *error)
{
    pkt_godot_slot slots[PKT_GODOT_PARAMS + 1];
    pkt_godot_value values[PKT_GODOT_PARAMS + 1];
    GDExtensionConstTypePtr typed[PKT_GODOT_PARAMS];
    const uint32_t most = pkt_godot_slots((const pkt_godot_method *)userdata, slots) - 1;
    const uint32_t least = most - pkt_godot_optional(slots, most + 1);
    if (count < least || count > most) {
        error->error =
            count < least ? GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS : GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS;
        error->expected = (int32_t)(count < least ? least : most);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const GDExtensionVariantType has = pkt_godot.type_of(arguments[i]), wants = slots[i + 1].type;
        if (has != wants && !pkt_godot.can_convert(has, wants)) {
            *error = (GDExtensionCallError){GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT, (int32_t)i, (int32_t)wants};
            return;
        }
    }
    for (uint32_t i = 0; i < most; i++) {
        memset(&values[i + 1], 0, sizeof *values);
        typed[i] = &values[i + 1];
        if (i < count)
            pkt_godot.from_variant(slots[i + 1].type)(&values[i + 1], (GDExtensionVariantPtr)arguments[i]);
    }
    pkt_godot_construct(slots[0].type, &values[0]);
    pkt_godot_ptrcall(userdata, instance, typed, &values[0]);
    if (slots[0].type == GDEXTENSION_VARIANT_TYPE_NIL)
        pkt_godot.new_nil(result);
    else
        pkt_godot.to_variant(slots[0].type)(result, &values[0]);
    for (uint32_t i = 0; i <= most; i++)
        if (slots[i].type != GDEXTENSION_VARIANT_TYPE_OBJECT || i == 0)
            pkt_godot_destroy(slots[i].type, &values[i]);
    error->error = GDEXTENSION_CALL_OK;
}

/* ---- registration */

/* A name of a property or a method with its texts, until Godot has copied them. */
typedef struct pkt_godot_info {
    GDExtensionPropertyInfo info;
    pkt_godot_value name, of, hint;
} pkt_godot_info;

static void pkt_godot_describe(pkt_godot_info *to, const pkt_godot_slot *slot, bool flags)
{
    enum { USAGE = 6, USAGE_ENUM = 1 << 16, USAGE_FLAGS = 1 << 9 }; /* PropertyUsageFlags */
    const bool is_enum = slot->type == GDEXTENSION_VARIANT_TYPE_INT && slot->of;
    pkt_godot_name(&to->name, slot->name);
    pkt_godot_name(&to->of, slot->of ? slot->of : "");
    pkt_godot_construct(GDEXTENSION_VARIANT_TYPE_STRING, &to->hint);
    to->info = (GDExtensionPropertyInfo){.type = slot->type,
                                         .name = &to->name,
                                         .class_name = &to->of,
                                         .hint_string = &to->hint,
                                         .usage = !is_enum ? USAGE
                                                  : flags  ? USAGE | USAGE_FLAGS
                                                           : USAGE | USAGE_ENUM};
}

static void pkt_godot_forget(pkt_godot_info *info)
{
    pkt_godot_destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &info->name);
    pkt_godot_destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &info->of);
    pkt_godot_destroy(GDEXTENSION_VARIANT_TYPE_STRING, &info->hint);
}

static bool pkt_godot_is_static(const pkt_godot_method *method)
{
    for (uint32_t i = 0; method->function && i < method->function->count; i++)
        if (method->function->params[i].pass == PKT_GODOT_SELF)
            return false;
    return method->task == PKT_GODOT_CALL;
}

static void pkt_godot_add_method(const pkt_godot_class *type, pkt_godot_task task, const pkt_godot_member *m,
                                 const pkt_godot_function *f, const char *name)
{
    pkt_godot_method *method = &pkt_godot.methods[pkt_godot.method_count++];
    pkt_godot_slot slots[PKT_GODOT_PARAMS + 1];
    pkt_godot_info infos[PKT_GODOT_PARAMS + 1];
    GDExtensionPropertyInfo arguments[PKT_GODOT_PARAMS];
    GDExtensionClassMethodArgumentMetadata metadata[PKT_GODOT_PARAMS] = {GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE};
    uint64_t nil[5]; /* a Variant of doubles is the largest */
    GDExtensionVariantPtr nils[PKT_GODOT_PARAMS];
    pkt_godot_value method_name;
    *method = (pkt_godot_method){type, task, m, f};
    const uint32_t count = pkt_godot_slots(method, slots);
    for (uint32_t i = 0; i < count; i++) {
        pkt_godot_describe(&infos[i], &slots[i], m && m->flags);
        nils[i == 0 ? 0 : i - 1] = nil;
        if (i > 0)
            arguments[i - 1] = infos[i].info;
    }
    pkt_godot.new_nil(nil);
    pkt_godot_name(&method_name, name);
    const GDExtensionClassMethodInfo info = {
        .name = &method_name,
        .method_userdata = method,
        .call_func = pkt_godot_call,
        .ptrcall_func = pkt_godot_ptrcall,
        .method_flags = pkt_godot_is_static(method) ? GDEXTENSION_METHOD_FLAG_NORMAL | GDEXTENSION_METHOD_FLAG_STATIC
                                                    : GDEXTENSION_METHOD_FLAG_NORMAL,
        .has_return_value = slots[0].type != GDEXTENSION_VARIANT_TYPE_NIL,
        .return_value_info = &infos[0].info,
        .argument_count = count - 1,
        .arguments_info = arguments,
        .arguments_metadata = metadata,
        .default_argument_count = pkt_godot_optional(slots, count),
        .default_arguments = nils,
    };
    ((GDExtensionInterfaceClassdbRegisterExtensionClassMethod)pkt_godot.find(
        "classdb_register_extension_class_method"))(pkt_godot.library, &type->string_name, &info);
    pkt_godot_destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &method_name);
    for (uint32_t i = 0; i < count; i++)
        pkt_godot_forget(&infos[i]);
}

/* "x_at", with an underscore if the class has this name. */
static void pkt_godot_name_element(char *to, size_t size, const pkt_godot_class *type, const char *member,
                                   const char *task)
{
    bool taken = false;
    snprintf(to, size, "%s_%s", member, task);
    for (uint32_t i = 0; i < type->member_count; i++)
        taken |= strcmp(type->members[i].name, to) == 0;
    for (uint32_t i = 0; i < type->function_count; i++)
        taken |= strcmp(type->functions[i].name, to) == 0;
    if (taken)
        snprintf(to, size, "%s_%s_", member, task);
}

static void pkt_godot_add_member(const pkt_godot_class *type, const pkt_godot_member *m)
{
    char getter[300], setter[300];
    pkt_godot_value getter_name, setter_name;
    pkt_godot_info info;
    pkt_godot_slot slot = pkt_godot_slot_of_member(m, pkt_godot_type_of_member(m));
    /* No name of a schema ends in an underscore, so these are free, and no methods of Object. */
    snprintf(getter, sizeof getter, "get_%s_", m->name);
    snprintf(setter, sizeof setter, "set_%s_", m->name);
    pkt_godot_add_method(type, PKT_GODOT_GET, m, NULL, getter);
    pkt_godot_add_method(type, PKT_GODOT_SET, m, NULL, setter);
    slot.name = m->name;
    pkt_godot_describe(&info, &slot, m->flags);
    pkt_godot_name(&getter_name, getter);
    pkt_godot_name(&setter_name, setter);
    ((GDExtensionInterfaceClassdbRegisterExtensionClassProperty)pkt_godot.find(
        "classdb_register_extension_class_property"))(pkt_godot.library, &type->string_name, &info.info, &setter_name,
                                                      &getter_name);
    pkt_godot_destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &getter_name);
    pkt_godot_destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &setter_name);
    pkt_godot_forget(&info);
    if (m->length == 0)
        return;
    pkt_godot_name_element(getter, sizeof getter, type, m->name, "at");
    pkt_godot_add_method(type, PKT_GODOT_AT, m, NULL, getter);
    pkt_godot_name_element(setter, sizeof setter, type, m->name, "put");
    pkt_godot_add_method(type, PKT_GODOT_PUT, m, NULL, setter);
}

static void pkt_godot_add_constant(const pkt_godot_class *type, const pkt_godot_constant *c)
{
    pkt_godot_value name, of;
    pkt_godot_name(&name, c->name);
    pkt_godot_name(&of, c->of);
    ((GDExtensionInterfaceClassdbRegisterExtensionClassIntegerConstant)pkt_godot.find(
        "classdb_register_extension_class_integer_constant"))(pkt_godot.library, &type->string_name, &of, &name,
                                                              c->value, c->flags);
    pkt_godot_destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &name);
    pkt_godot_destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &of);
}

static void pkt_godot_add_class(pkt_godot_class *type)
{
    const GDExtensionClassCreationInfo2 info = {.is_abstract = type->size == 0,
                                                .is_exposed = true,
                                                .create_instance_func = type->size == 0 ? NULL : pkt_godot_create,
                                                .free_instance_func = pkt_godot_free,
                                                .class_userdata = type};
    pkt_godot_name(&type->string_name, type->name);
    ((GDExtensionInterfaceClassdbRegisterExtensionClass2)pkt_godot.find("classdb_register_extension_class2"))(
        pkt_godot.library, &type->string_name, &pkt_godot.ref_counted, &info);
}

/* ---- start and end */

/* Whether the library has the same types as the tables. */
static bool pkt_godot_fits(void)
{
    const uint64_t *at = pkt_godot.layout(), count = *at++, id = *at++;
    const char *differs = count != pkt_godot.layout_count ? "the number of members"
                          : id != pkt_godot.id            ? "the protocol id"
                                                          : NULL;
    for (const pkt_godot_class *type = pkt_godot.classes; !differs && type < pkt_godot.classes + pkt_godot.class_count;
         type++) {
        if (!type->laid_out)
            continue;
        differs = *at++ != type->size ? type->name : NULL;
        for (uint32_t i = 0; i < type->member_count; i++)
            differs = *at++ != type->members[i].place ? type->name : differs;
    }
    char text[300];
    snprintf(text, sizeof text, "%s_godot.c and %s_bind.c are of different schemas: %s differs", pkt_godot.stem,
             pkt_godot.stem, differs ? differs : "");
    if (differs)
        pkt_godot.print_error(text, "pkt_godot_fits", pkt_godot.stem, 0, true);
    return !differs;
}

static GDExtensionPtrBuiltInMethod pkt_godot_builtin(int type, const char *name, GDExtensionInt hash)
{
    pkt_godot_value text;
    pkt_godot_name(&text, name);
    const GDExtensionPtrBuiltInMethod found = ((GDExtensionInterfaceVariantGetPtrBuiltinMethod)pkt_godot.find(
        "variant_get_ptr_builtin_method"))((GDExtensionVariantType)type, &text, hash);
    pkt_godot_destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &text);
    return found;
}

static void pkt_godot_find_all(void)
{
#define PKT_GODOT_FIND(type, member, name) pkt_godot.member = (GDExtensionInterface##type)pkt_godot.find(name);
    PKT_GODOT_FUNCTIONS(PKT_GODOT_FIND)
    /* The numbers are in extension_api.json of Godot: a hash of the arguments. */
    for (int type = GDEXTENSION_VARIANT_TYPE_ARRAY; type <= GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY; type++) {
        pkt_godot.resize[type] = pkt_godot_builtin(type, "resize", 848867239);
        pkt_godot.size[type] = pkt_godot_builtin(type, "size", 3173160232);
    }
}

static void pkt_godot_register(void)
{
    size_t most = 0;
    for (uint32_t i = 0; i < pkt_godot.class_count; i++)
        most += 4 * (size_t)pkt_godot.classes[i].member_count + pkt_godot.classes[i].function_count;
    pkt_godot.methods = (pkt_godot_method *)pkt_godot.alloc(most * sizeof *pkt_godot.methods + 1);
    pkt_godot.method_count = 0;
    pkt_godot_name(&pkt_godot.ref_counted, "RefCounted");
    for (uint32_t i = 0; i < pkt_godot.class_count; i++)
        pkt_godot_add_class(&pkt_godot.classes[i]);
    for (const pkt_godot_class *type = pkt_godot.classes; type < pkt_godot.classes + pkt_godot.class_count; type++) {
        for (uint32_t i = 0; i < type->constant_count; i++)
            pkt_godot_add_constant(type, &type->constants[i]);
        for (uint32_t i = 0; i < type->member_count; i++)
            if (type->members[i].kind != PKT_GODOT_NONE)
                pkt_godot_add_member(type, &type->members[i]);
        for (uint32_t i = 0; i < type->function_count; i++)
            pkt_godot_add_method(type, PKT_GODOT_CALL, NULL, &type->functions[i], type->functions[i].name);
    }
    pkt_godot.registered = true;
}

static void pkt_godot_unregister(void)
{
    for (uint32_t i = pkt_godot.class_count; i-- > 0;) {
        ((GDExtensionInterfaceClassdbUnregisterExtensionClass)pkt_godot.find("classdb_unregister_extension_class"))(
            pkt_godot.library, &pkt_godot.classes[i].string_name);
        pkt_godot_destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &pkt_godot.classes[i].string_name);
    }
    pkt_godot_destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &pkt_godot.ref_counted);
    pkt_godot.free(pkt_godot.methods);
    pkt_godot.registered = false;
}

/* ---- the help of the editor */

typedef struct pkt_godot_text {
    char *text;
    size_t size;
} pkt_godot_text;

/* Adds a text, or with `quotes` one of the schema. */
static void pkt_godot_say(pkt_godot_text *to, const char *text, bool quotes)
{
    to->text = (char *)pkt_godot.realloc(to->text, to->size + 6 * strlen(text) + 1);
    for (const char *at = text; *at; at++) {
        const char *spelled = !quotes ? NULL : *at == '<' ? "&lt;" : *at == '&' ? "&amp;" : *at == '[' ? "[lb]" : NULL;
        if (spelled)
            to->size += (size_t)sprintf(to->text + to->size, "%s", spelled);
        else
            to->text[to->size++] = *at;
    }
    to->text[to->size] = 0;
}

static const char *pkt_godot_type_word(const pkt_godot_slot *slot)
{
    switch ((int)slot->type) {
    case GDEXTENSION_VARIANT_TYPE_BOOL: return "bool";
    case GDEXTENSION_VARIANT_TYPE_INT: return "int";
    case GDEXTENSION_VARIANT_TYPE_FLOAT: return "float";
    case GDEXTENSION_VARIANT_TYPE_STRING: return "String";
    case GDEXTENSION_VARIANT_TYPE_OBJECT: return slot->of;
    case GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY: return "PackedByteArray";
    case GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY: return "PackedInt32Array";
    case GDEXTENSION_VARIANT_TYPE_PACKED_INT64_ARRAY: return "PackedInt64Array";
    case GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY: return "PackedFloat32Array";
    case GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT64_ARRAY: return "PackedFloat64Array";
    case GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY: return "PackedStringArray";
    default: return "Array";
    }
}

static void pkt_godot_explain(const pkt_godot_class *type, void (*load)(const char *xml))
{
    pkt_godot_text xml = {NULL, 0};
    pkt_godot_say(&xml, "<class name=\"", false);
    pkt_godot_say(&xml, type->name, true);
    pkt_godot_say(&xml, "\" inherits=\"RefCounted\"><brief_description>", false);
    pkt_godot_say(&xml, type->doc ? type->doc : "", true);
    pkt_godot_say(&xml, "</brief_description><description></description><members>", false);
    for (const pkt_godot_member *m = type->members; m != type->members + type->member_count; m++) {
        const pkt_godot_slot slot = pkt_godot_slot_of_member(m, pkt_godot_type_of_member(m));
        const char *const words[] = {
            "<member name=\"",   m->name, "\" type=\"", pkt_godot_type_word(&slot), "\" setter=\"set_", m->name,
            "_\" getter=\"get_", m->name, "_\">"};
        for (size_t i = 0; m->kind != PKT_GODOT_NONE && i < sizeof words / sizeof *words; i++)
            pkt_godot_say(&xml, words[i], false);
        if (m->kind == PKT_GODOT_NONE)
            continue;
        pkt_godot_say(&xml, m->doc ? m->doc : "", true);
        pkt_godot_say(&xml, "</member>", false);
    }
    pkt_godot_say(&xml, "</members></class>", false);
    load(xml.text);
    pkt_godot.free(xml.text);
}

static void pkt_godot_initialize(void *userdata, GDExtensionInitializationLevel level)
{
    (void)userdata;
    if (level == GDEXTENSION_INITIALIZATION_SCENE) {
        pkt_godot_find_all();
        if (pkt_godot_fits())
            pkt_godot_register();
    } else if (level == GDEXTENSION_INITIALIZATION_EDITOR && pkt_godot.registered) {
        /* Godot 4.3 and later. */
        void (*load)(const char *xml) = (void (*)(const char *))pkt_godot.find("editor_help_load_xml_from_utf8_chars");
        for (uint32_t i = 0; load && i < pkt_godot.class_count; i++)
            pkt_godot_explain(&pkt_godot.classes[i], load);
    }
}

static void pkt_godot_deinitialize(void *userdata, GDExtensionInitializationLevel level)
{
    (void)userdata;
    if (level == GDEXTENSION_INITIALIZATION_SCENE && pkt_godot.registered)
        pkt_godot_unregister();
}

static GDExtensionBool pkt_godot_begin(GDExtensionInterfaceGetProcAddress find, GDExtensionClassLibraryPtr library,
                                       GDExtensionInitialization *initialization)
{
    pkt_godot.find = find;
    pkt_godot.library = library;
    initialization->minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE;
    initialization->userdata = NULL;
    initialization->initialize = pkt_godot_initialize;
    initialization->deinitialize = pkt_godot_deinitialize;
    return true;
}

#endif
