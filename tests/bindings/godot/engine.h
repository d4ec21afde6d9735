/* engine.h - as much of Godot as a GDExtension of `pktc bind gdextension` uses: classes, objects that are counted, values.
 * SPDX-License-Identifier: MIT
 *
 * A test includes NAME_godot.c and this, starts the extension, and calls methods as scripts do: by turns with variants and with
 * arguments of known types. A wrong use ends the program. `living` counts what is allocated.
 */
#ifndef TESTS_ENGINE_H
#define TESTS_ENGINE_H

#include <stdlib.h>

enum { VARIANT_NIL, VARIANT_BOOL, VARIANT_INT, VARIANT_FLOAT, VARIANT_STRING, VARIANT_OBJECT = 24, VARIANT_ARRAY = 28 };

/* A String, a StringName, a packed array or an Array. */
typedef struct sequence {
    int64_t count;
    unsigned char *data;
} sequence;

typedef struct variant {
    GDExtensionVariantType type;
    pkt_godot_value value;
} variant;

typedef struct engine_class {
    char name[100];
    GDExtensionClassCreationInfo2 about;
} engine_class;

typedef struct engine_object {
    int count;
    bool fresh; /* its first count is that of who takes it */
    const engine_class *type;
    void *instance, *token, *binding;
} engine_object;

typedef struct engine_method {
    char owner[100], name[200];
    GDExtensionClassMethodInfo about;
    GDExtensionVariantType result, arguments[16];
} engine_method;

typedef struct engine_property {
    char owner[100], name[200], getter[204], setter[204], of[200];
    GDExtensionVariantType type;
    uint32_t usage;
} engine_property;

typedef struct engine_constant {
    char owner[100], name[200], of[100];
    int64_t value;
    bool flags;
} engine_constant;

static long living;
static engine_class engine_classes[500];
static engine_method engine_methods[20000];
static engine_property engine_properties[5000];
static engine_constant engine_constants[5000];
static size_t class_count, method_count, property_count, constant_count;
static char last_error[400];
static GDExtensionInitialization extension;

static void engine_fail(const char *what, const char *name)
{
    printf("engine: %s %s\n", what, name);
    exit(1);
}

/* ---- values */

static size_t size_of_element(GDExtensionVariantType type)
{
    switch ((int)type) {
    case VARIANT_ARRAY: return sizeof(variant);
    case GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY:
    case GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY: return 4;
    case GDEXTENSION_VARIANT_TYPE_PACKED_INT64_ARRAY:
    case GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT64_ARRAY:
    case GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY: return 8;
    default: return 1;
    }
}

static bool is_sequence(GDExtensionVariantType type)
{
    return (int)type >= VARIANT_ARRAY || (int)type == VARIANT_STRING || type == GDEXTENSION_VARIANT_TYPE_STRING_NAME;
}

static sequence *hold(const void *data, int64_t count, size_t each)
{
    sequence *held = calloc(1, sizeof *held);
    held->data = calloc((size_t)count + 1, each);
    held->count = count;
    if (data)
        memcpy(held->data, data, (size_t)count * each);
    living++;
    return held;
}

static void set_ref(void *ref, void *to)
{
    engine_object *o = *(engine_object **)ref, *next = (engine_object *)to;
    if (o == next)
        return;
    if (next && !(next->fresh && next->count == 1))
        next->count++;
    if (next)
        next->fresh = false;
    *(engine_object **)ref = next;
    if (o && --o->count == 0) {
        o->type->about.free_instance_func(o->type->about.class_userdata, o->instance);
        free(o);
        living--;
    }
}

static void destroy(GDExtensionVariantType type, pkt_godot_value *v);

static void empty(GDExtensionVariantType type, sequence *s)
{
    for (int64_t i = 0; i < s->count; i++)
        if ((int)type == VARIANT_ARRAY)
            destroy(((variant *)s->data)[i].type, &((variant *)s->data)[i].value);
        else if (type == GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY)
            destroy(GDEXTENSION_VARIANT_TYPE_STRING, (pkt_godot_value *)(s->data + 8 * i));
}

static void destroy(GDExtensionVariantType type, pkt_godot_value *v)
{
    if ((int)type == VARIANT_OBJECT)
        set_ref(v, NULL);
    if (!is_sequence(type))
        return;
    sequence *s = (sequence *)v->pointer;
    empty(type, s);
    free(s->data);
    free(s);
    living--;
}

static void copy(GDExtensionVariantType type, void *to, const void *from)
{
    if ((int)type == VARIANT_OBJECT) {
        *(void **)to = NULL;
        set_ref(to, *(void *const *)from);
    } else if ((int)type == VARIANT_BOOL) {
        memset(to, 0, 8);
        *(GDExtensionBool *)to = *(const GDExtensionBool *)from;
    } else if (!is_sequence(type)) {
        memcpy(to, from, 8);
    } else {
        const sequence *s = *(sequence *const *)from;
        sequence *made = hold(s->data, s->count, size_of_element(type));
        *(sequence **)to = made;
        for (int64_t i = 0; i < s->count; i++)
            if ((int)type == VARIANT_ARRAY)
                copy(((variant *)s->data)[i].type, &((variant *)made->data)[i].value, &((variant *)s->data)[i].value);
            else if (type == GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY)
                copy(GDEXTENSION_VARIANT_TYPE_STRING, made->data + 8 * i, s->data + 8 * i);
    }
}

static const char *text_of(const void *string)
{
    return (const char *)(*(sequence *const *)string)->data;
}

static void new_name(void *to, const char *text, GDExtensionBool is_static)
{
    (void)is_static;
    *(sequence **)to = hold(text, (int64_t)strlen(text), 1);
}

static void new_string(void *to, const char *text, GDExtensionInt size)
{
    *(sequence **)to = hold(text, size, 1);
}

static GDExtensionInt utf8_of(const void *string, char *to, GDExtensionInt room)
{
    const sequence *s = *(sequence *const *)string;
    memcpy(to, s->data, (size_t)(s->count < room ? s->count : room));
    return s->count;
}

#define ELEMENT_AT(name, type)                       \
    static type *name(void *array, GDExtensionInt i) \
    {                                                \
        sequence *s = *(sequence **)array;           \
        if (i < 0 || i >= s->count)                  \
            engine_fail("outside", #name);           \
        return (type *)s->data + i;                  \
    }
ELEMENT_AT(byte_at, uint8_t)
ELEMENT_AT(int32_at, int32_t)
ELEMENT_AT(int64_at, int64_t)
ELEMENT_AT(float32_at, float)
ELEMENT_AT(float64_at, double)
ELEMENT_AT(name_at, int64_t)
ELEMENT_AT(variant_at, variant)

static const uint8_t *const_byte_at(const void *array, GDExtensionInt i)
{
    return byte_at((void *)array, i);
}

static void *string_at(void *array, GDExtensionInt i)
{
    return name_at(array, i);
}

static void *any_variant_at(void *array, GDExtensionInt i)
{
    return variant_at(array, i);
}

/* Functions of Godot know the type for which they were asked: one for each. */
#define TYPES(X, name) \
    X(name, 0)         \
    X(name, 1)         \
    X(name, 2)         \
    X(name, 3)         \
    X(name, 4)         \
    X(name, 21)        \
    X(name, 24)        \
    X(name, 28)        \
    X(name, 29)        \
    X(name, 30)        \
    X(name, 31)        \
    X(name, 32)        \
    X(name, 33)        \
    X(name, 34)

#define OF_TYPE(unused, t)                                                                                      \
    static void construct_##t(void *v, const GDExtensionConstTypePtr *arguments)                                \
    {                                                                                                           \
        (void)arguments;                                                                                        \
        if (is_sequence((GDExtensionVariantType)t))                                                             \
            *(sequence **)v = hold(NULL, 0, sizeof(variant));                                                   \
        else                                                                                                    \
            memset(v, 0, t == VARIANT_BOOL ? 1 : 8);                                                            \
    }                                                                                                           \
    static void destruct_##t(void *v)                                                                           \
    {                                                                                                           \
        destroy((GDExtensionVariantType)t, (pkt_godot_value *)v);                                               \
    }                                                                                                           \
    static void to_variant_##t(void *to, void *from)                                                            \
    {                                                                                                           \
        ((variant *)to)->type = (GDExtensionVariantType)t;                                                      \
        copy((GDExtensionVariantType)t, &((variant *)to)->value, from);                                         \
    }                                                                                                           \
    static void from_variant_##t(void *to, void *from)                                                          \
    {                                                                                                           \
        variant *v = (variant *)from;                                                                           \
        if (v->type == t && t == VARIANT_OBJECT)                                                                \
            *(void **)to = v->value.pointer; /* without a count */                                              \
        else if (v->type == t)                                                                                  \
            copy(v->type, to, &v->value);                                                                       \
        else if (t == VARIANT_FLOAT)                                                                            \
            *(double *)to = (double)v->value.number;                                                            \
        else if (t == VARIANT_INT)                                                                              \
            *(int64_t *)to = (int64_t)v->value.real;                                                            \
        else if (t == VARIANT_OBJECT)                                                                           \
            *(void **)to = NULL;                                                                                \
    }                                                                                                           \
    static void resize_##t(void *array, const GDExtensionConstTypePtr *arguments, void *result, int32_t count)  \
    {                                                                                                           \
        sequence *s = *(sequence **)array, *made = hold(NULL, *(const int64_t *)arguments[0], sizeof(variant)); \
        const size_t each = size_of_element((GDExtensionVariantType)t);                                         \
        for (int64_t i = 0; i < made->count && t == 34; i++)                                                    \
            *(sequence **)(made->data + 8 * i) = hold(NULL, 0, 1);                                              \
        if (t != 34 && t != VARIANT_ARRAY)                                                                      \
            memcpy(made->data, s->data, (size_t)(s->count < made->count ? s->count : made->count) * each);      \
        destroy((GDExtensionVariantType)t, (pkt_godot_value *)array);                                           \
        *(sequence **)array = made;                                                                             \
        *(int64_t *)result = count - 1;                                                                         \
    }                                                                                                           \
    static void size_##t(void *array, const GDExtensionConstTypePtr *arguments, void *result, int32_t count)    \
    {                                                                                                           \
        (void)arguments;                                                                                        \
        *(int64_t *)result = (*(sequence **)array)->count + count;                                              \
    }
TYPES(OF_TYPE, )

#define RETURN_OF(name, t) \
    case t: return name##_##t;

static GDExtensionPtrConstructor constructor(GDExtensionVariantType type, int32_t which)
{
    if ((int)type == VARIANT_OBJECT || which != 0)
        engine_fail("no constructor", "");
    switch ((int)type) {
        TYPES(RETURN_OF, construct)
    default: return NULL;
    }
}

static GDExtensionPtrDestructor destructor(GDExtensionVariantType type)
{
    if (!is_sequence(type))
        return NULL;
    switch ((int)type) {
        TYPES(RETURN_OF, destruct)
    default: return NULL;
    }
}

static GDExtensionVariantFromTypeConstructorFunc to_variant(GDExtensionVariantType type)
{
    switch ((int)type) {
        TYPES(RETURN_OF, to_variant)
    default: return NULL;
    }
}

static GDExtensionTypeFromVariantConstructorFunc from_variant(GDExtensionVariantType type)
{
    switch ((int)type) {
        TYPES(RETURN_OF, from_variant)
    default: return NULL;
    }
}

static GDExtensionPtrBuiltInMethod builtin(GDExtensionVariantType type, const void *name, GDExtensionInt hash)
{
    if ((int)type < VARIANT_ARRAY)
        engine_fail("no such method", text_of(name));
    if (strcmp(text_of(name), "resize") == 0 && hash == 848867239)
        switch ((int)type) {
            TYPES(RETURN_OF, resize)
        default: return NULL;
        }
    if (strcmp(text_of(name), "size") == 0 && hash == 3173160232)
        switch ((int)type) {
            TYPES(RETURN_OF, size)
        default: return NULL;
        }
    engine_fail("no such method", text_of(name));
    return NULL;
}

static GDExtensionVariantType type_of(const void *v)
{
    return ((const variant *)v)->type;
}

static GDExtensionBool can_convert(GDExtensionVariantType from, GDExtensionVariantType to)
{
    return from == to || ((int)from == VARIANT_INT && (int)to == VARIANT_FLOAT) ||
           ((int)from == VARIANT_FLOAT && (int)to == VARIANT_INT) ||
           ((int)from == VARIANT_NIL && (int)to == VARIANT_OBJECT);
}

static void new_nil(void *v)
{
    memset(v, 0, sizeof(variant));
}

/* ---- memory and objects */

static void *take(size_t size)
{
    living++;
    return malloc(size);
}

static void *take_more(void *old, size_t size)
{
    living += !old;
    return realloc(old, size);
}

static void give(void *memory)
{
    living -= memory != NULL;
    free(memory);
}

static void print_error(const char *text, const char *function, const char *file, int32_t line, GDExtensionBool notify)
{
    (void)function, (void)file, (void)line, (void)notify;
    snprintf(last_error, sizeof last_error, "%s", text);
}

static void *construct_object(const void *name)
{
    if (strcmp(text_of(name), "RefCounted") != 0)
        engine_fail("no class", text_of(name));
    engine_object *o = calloc(1, sizeof *o);
    o->count = 1;
    o->fresh = true;
    living++;
    return o;
}

static const engine_class *class_named(const char *name)
{
    for (size_t i = 0; i < class_count; i++)
        if (strcmp(engine_classes[i].name, name) == 0)
            return &engine_classes[i];
    engine_fail("no class", name);
    return NULL;
}

static void set_instance(void *object, const void *name, void *instance)
{
    ((engine_object *)object)->type = class_named(text_of(name));
    ((engine_object *)object)->instance = instance;
}

static void set_binding(void *object, void *token, void *binding, const GDExtensionInstanceBindingCallbacks *callbacks)
{
    if (callbacks->free_callback || callbacks->reference_callback)
        engine_fail("unexpected", "callbacks");
    ((engine_object *)object)->token = token;
    ((engine_object *)object)->binding = binding;
}

static void *binding_of(void *object, void *token, const GDExtensionInstanceBindingCallbacks *callbacks)
{
    (void)callbacks;
    return ((engine_object *)object)->token == token ? ((engine_object *)object)->binding : NULL;
}

/* ---- classes */

static void register_class(GDExtensionClassLibraryPtr library, const void *name, const void *parent,
                           const GDExtensionClassCreationInfo2 *about)
{
    if (strcmp(text_of(parent), "RefCounted") != 0 || !library || !about->free_instance_func || !about->is_exposed ||
        about->is_abstract == (about->create_instance_func != NULL))
        engine_fail("a wrong class", text_of(name));
    for (size_t i = 0; i < class_count; i++)
        if (strcmp(engine_classes[i].name, text_of(name)) == 0)
            engine_fail("two classes", text_of(name));
    engine_class *made = &engine_classes[class_count++];
    snprintf(made->name, sizeof made->name, "%s", text_of(name));
    made->about = *about;
}

static const engine_method *find_method(const char *owner, const char *name)
{
    for (size_t i = 0; i < method_count; i++)
        if (strcmp(engine_methods[i].name, name) == 0 && strcmp(engine_methods[i].owner, owner) == 0)
            return &engine_methods[i];
    return NULL;
}

static const engine_property *find_property(const char *owner, const char *name)
{
    for (size_t i = 0; i < property_count; i++)
        if (strcmp(engine_properties[i].name, name) == 0 && strcmp(engine_properties[i].owner, owner) == 0)
            return &engine_properties[i];
    return NULL;
}

static void register_method(GDExtensionClassLibraryPtr library, const void *owner,
                            const GDExtensionClassMethodInfo *about)
{
    const char *name = text_of(about->name);
    if (!library || find_method(text_of(owner), name) || find_property(text_of(owner), name))
        engine_fail("two of", name);
    engine_method *made = &engine_methods[method_count++];
    snprintf(made->owner, sizeof made->owner, "%s", text_of(owner));
    snprintf(made->name, sizeof made->name, "%s", name);
    made->about = *about;
    made->result = about->has_return_value ? about->return_value_info->type : GDEXTENSION_VARIANT_TYPE_NIL;
    for (uint32_t i = 0; i < about->argument_count; i++) {
        made->arguments[i] = about->arguments_info[i].type;
        if ((int)made->arguments[i] == VARIANT_OBJECT)
            class_named(text_of(about->arguments_info[i].class_name));
    }
    for (uint32_t i = 0; i < about->default_argument_count; i++)
        if (((variant *)about->default_arguments[i])->type != GDEXTENSION_VARIANT_TYPE_NIL)
            engine_fail("a wrong default", name);
}

static void register_property(GDExtensionClassLibraryPtr library, const void *owner,
                              const GDExtensionPropertyInfo *info, const void *setter, const void *getter)
{
    const char *name = text_of(info->name);
    const engine_method *get = find_method(text_of(owner), text_of(getter)),
                        *set = find_method(text_of(owner), text_of(setter));
    if (!library || !get || !set || get->result != info->type || set->arguments[0] != info->type ||
        find_method(text_of(owner), name) || find_property(text_of(owner), name))
        engine_fail("a wrong property", name);
    engine_property *made = &engine_properties[property_count++];
    snprintf(made->owner, sizeof made->owner, "%s", text_of(owner));
    snprintf(made->name, sizeof made->name, "%s", name);
    snprintf(made->getter, sizeof made->getter, "%s", text_of(getter));
    snprintf(made->setter, sizeof made->setter, "%s", text_of(setter));
    snprintf(made->of, sizeof made->of, "%s", text_of(info->class_name));
    made->type = info->type;
    made->usage = info->usage;
}

static void register_constant(GDExtensionClassLibraryPtr library, const void *owner, const void *of, const void *name,
                              GDExtensionInt number, GDExtensionBool flags)
{
    engine_constant *made = &engine_constants[constant_count++];
    if (!library)
        engine_fail("a wrong constant", text_of(name));
    snprintf(made->owner, sizeof made->owner, "%s", text_of(owner));
    snprintf(made->name, sizeof made->name, "%s", text_of(name));
    snprintf(made->of, sizeof made->of, "%s", text_of(of));
    made->value = number;
    made->flags = flags;
}

static void unregister_class(GDExtensionClassLibraryPtr library, const void *name)
{
    if (!library || strcmp(engine_classes[--class_count].name, text_of(name)) != 0)
        engine_fail("the last class is another one than", text_of(name));
}

static char help[100000];

static void load_help(const char *xml)
{
    if (strlen(help) + strlen(xml) + 2 < sizeof help)
        strcat(strcat(help, xml), "\n");
}

static GDExtensionInterfaceFunctionPtr find(const char *name)
{
#define FOUND(name, function) {name, (GDExtensionInterfaceFunctionPtr)function},
    static const struct {
        const char *name;
        GDExtensionInterfaceFunctionPtr function;
    } all[] = {
        FOUND("mem_alloc", take) FOUND("mem_realloc", take_more) FOUND("mem_free", give) FOUND(
            "print_error", print_error) FOUND("string_name_new_with_latin1_chars",
                                              new_name) FOUND("string_new_with_utf8_chars_and_len", new_string)
            FOUND("string_to_utf8_chars", utf8_of) FOUND("packed_byte_array_operator_index", byte_at)
                FOUND("packed_byte_array_operator_index_const", const_byte_at) FOUND(
                    "packed_int32_array_operator_index", int32_at) FOUND("packed_int64_array_operator_index", int64_at)
                    FOUND("packed_float32_array_operator_index",
                          float32_at) FOUND("packed_float64_array_operator_index",
                                            float64_at) FOUND("packed_string_array_operator_index",
                                                              string_at) FOUND("array_operator_index", any_variant_at)
                        FOUND("variant_get_type", type_of) FOUND("variant_can_convert_strict", can_convert)
                            FOUND("variant_new_nil", new_nil) FOUND("variant_get_ptr_constructor", constructor) FOUND(
                                "variant_get_ptr_destructor",
                                destructor) FOUND("get_variant_from_type_constructor", to_variant)
                                FOUND("get_variant_to_type_constructor",
                                      from_variant) FOUND("variant_get_ptr_builtin_method", builtin)
                                    FOUND("ref_set_object", set_ref) FOUND("classdb_construct_object", construct_object)
                                        FOUND("object_set_instance", set_instance) FOUND("object_set_instance_binding",
                                                                                         set_binding)
                                            FOUND("object_get_instance_binding",
                                                  binding_of) FOUND("classdb_register_extension_class2", register_class)
                                                FOUND("classdb_register_extension_class_method", register_method) FOUND(
                                                    "classdb_register_extension_class_property", register_property)
                                                    FOUND("classdb_register_extension_class_integer_constant",
                                                          register_constant)
                                                        FOUND("classdb_unregister_extension_class", unregister_class)
                                                            FOUND("editor_help_load_xml_from_utf8_chars", load_help)};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].function;
    engine_fail("no function", name);
    return NULL;
}

/* ---- what scripts do */

static variant of_number(int64_t n)
{
    return (variant){GDEXTENSION_VARIANT_TYPE_INT, {n}};
}

static variant of_real(double real)
{
    return (variant){GDEXTENSION_VARIANT_TYPE_FLOAT, {.real = real}};
}

static variant of_text(const char *text)
{
    return (variant){GDEXTENSION_VARIANT_TYPE_STRING, {.pointer = hold(text, (int64_t)strlen(text), 1)}};
}

static variant of_bytes(const void *data, size_t size)
{
    return (variant){GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, {.pointer = hold(data, (int64_t)size, 1)}};
}

static void drop(variant v)
{
    destroy(v.type, &v.value);
}

/* Calls a method of an object, or a static one of a class; the arguments are dropped. */
static variant call_of(const char *owner, void *instance, const char *name, int count, const variant *given)
{
    static unsigned calls;
    const engine_method *m = find_method(owner, name);
    if (!m)
        engine_fail("no method", name);
    variant result = {GDEXTENSION_VARIANT_TYPE_NIL, {0}};
    bool typed = calls++ % 2 == 0 && (uint32_t)count == m->about.argument_count;
    GDExtensionConstTypePtr pointers[16];
    for (int i = 0; i < count; i++)
        typed &= given[i].type == m->arguments[i];
    for (int i = 0; i < count; i++)
        pointers[i] = typed ? (const void *)&given[i].value : (const void *)&given[i];
    last_error[0] = 0;
    if (typed) {
        result.type = m->result;
        if (is_sequence(result.type))
            result.value.pointer = hold(NULL, 0, sizeof(variant));
        m->about.ptrcall_func(m->about.method_userdata, instance, pointers, &result.value);
    } else {
        GDExtensionCallError error = {GDEXTENSION_CALL_OK, 0, 0};
        m->about.call_func(m->about.method_userdata, instance, pointers, count, &result, &error);
        if (error.error != GDEXTENSION_CALL_OK)
            snprintf(last_error, sizeof last_error, "call error %d, argument %d, expected %d", (int)error.error,
                     (int)error.argument, (int)error.expected);
        else if (result.type != m->result && (int)m->result != VARIANT_NIL)
            engine_fail("a result of another type", name);
    }
    for (int i = 0; i < count; i++)
        drop(given[i]);
    return result;
}

static engine_object *object_in(variant v)
{
    return (engine_object *)v.value.pointer;
}

/* The same object once more. */
static variant again(variant v)
{
    variant made = {v.type, {0}};
    if (v.type != GDEXTENSION_VARIANT_TYPE_NIL)
        copy(v.type, &made.value, &v.value);
    return made;
}

#define CALL(on, name, ...) \
    call_in(on, name, (int)(sizeof((const variant[]){__VA_ARGS__}) / sizeof(variant)), (const variant[]){__VA_ARGS__})

static variant call_in(variant on, const char *name, int count, const variant *given)
{
    return call_of(object_in(on)->type->name, object_in(on)->instance, name, count, given);
}

static variant call0(variant on, const char *name)
{
    return call_in(on, name, 0, NULL);
}

static const engine_property *property_in(variant on, const char *name)
{
    const engine_property *p = find_property(object_in(on)->type->name, name);
    if (!p)
        engine_fail("no property", name);
    return p;
}

static variant get(variant on, const char *name)
{
    return call0(on, property_in(on, name)->getter);
}

static int64_t number_in(variant on, const char *name)
{
    return get(on, name).value.number;
}

static void put(variant on, const char *name, variant v)
{
    drop(CALL(on, property_in(on, name)->setter, v));
}

static variant make(const char *name)
{
    const engine_class *c = class_named(name);
    variant made = {GDEXTENSION_VARIANT_TYPE_OBJECT, {0}};
    set_ref(&made.value, c->about.create_instance_func(c->about.class_userdata));
    return made;
}

/* The memory of the value of an object. */
static void *memory_of(variant on)
{
    return ((pkt_godot_object *)object_in(on)->instance)->at;
}

static void start(GDExtensionInitializationFunction entry)
{
    if (!entry(find, &living, &extension) || extension.minimum_initialization_level != GDEXTENSION_INITIALIZATION_SCENE)
        engine_fail("no entry", "");
    for (int level = 0; level <= 3; level++)
        extension.initialize(extension.userdata, (GDExtensionInitializationLevel)level);
}

static void stop(void)
{
    for (int level = 3; level >= 0; level--)
        extension.deinitialize(extension.userdata, (GDExtensionInitializationLevel)level);
    if (living != 0 || class_count != 0)
        printf("%ld living, %zu classes\n", living, class_count);
}

#endif
