/* godot.c - the packets of docs/engines.md as a class of Godot: a GDExtension with two static functions.
 * SPDX-License-Identifier: MIT
 */
#include "game.h"
#include "gdextension_interface.h"

#include <string.h>

/* A String, a StringName, an int or a packed array of Godot. */
typedef union value {
    int64_t number;
    void *words[2];
} value;

static GDExtensionInterfaceStringNameNewWithLatin1Chars new_name;
static GDExtensionInterfaceStringToUtf8Chars string_to_utf8;
static GDExtensionInterfacePackedByteArrayOperatorIndex byte_at;
static GDExtensionInterfacePackedByteArrayOperatorIndexConst const_byte_at;
static GDExtensionInterfacePackedVector2ArrayOperatorIndex point_at;
static GDExtensionInterfaceVariantGetPtrConstructor constructor;
static GDExtensionInterfaceVariantGetPtrDestructor destructor;
static GDExtensionInterfaceGetVariantFromTypeConstructor to_variant;
static GDExtensionInterfaceGetVariantToTypeConstructor from_variant;
static GDExtensionPtrBuiltInMethod resize_bytes, resize_points, count_bytes;
static value class_name;

static void resize(GDExtensionPtrBuiltInMethod method, GDExtensionTypePtr array, int64_t size)
{
    int64_t error;
    const GDExtensionConstTypePtr arguments[] = {&size};
    method(array, arguments, &error, 1);
}

/* pack_join(salt: int, name: String) -> PackedByteArray, which is empty if the name is too long. */
static void pack_join(void *method, GDExtensionClassInstancePtr none, const GDExtensionConstTypePtr *arguments,
                      GDExtensionTypePtr result)
{
    game_Join join;
    uint8_t data[game_Join_MAX_BYTES];
    (void)method, (void)none;
    game_Join_init(&join);
    join.salt = (uint32_t) * (const int64_t *)arguments[0];
    const GDExtensionInt length = string_to_utf8(arguments[1], join.name, sizeof join.name - 1);
    const size_t size = length < (GDExtensionInt)sizeof join.name ? game_Join_pack(&join, data, sizeof data) : 0;
    resize(resize_bytes, result, (int64_t)size);
    if (size != 0)
        memcpy(byte_at(result, 0), data, size);
}

/* positions(state: PackedByteArray) -> PackedVector2Array, which is empty if the packet is refused. */
static void positions(void *method, GDExtensionClassInstancePtr none, const GDExtensionConstTypePtr *arguments,
                      GDExtensionTypePtr result)
{
    game_State state;
    int64_t size;
    (void)method, (void)none;
    count_bytes((GDExtensionTypePtr)arguments[0], NULL, &size, 0);
    if (size == 0 || !game_State_unpack(&state, const_byte_at(arguments[0], 0), (size_t)size))
        state.ships_count = 0;
    resize(resize_points, result, state.ships_count);
    for (int i = 0; i < state.ships_count; i++)
        memcpy(point_at(result, i), (float[2]){state.ships[i].x, state.ships[i].y}, 2 * sizeof(float));
}

typedef struct method {
    const char *name;
    GDExtensionClassMethodPtrCall run;
    GDExtensionVariantType result;
    uint32_t count;
    GDExtensionVariantType types[2];
} method;

static method methods[] = {
    {"pack_join",
     pack_join,
     GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY,
     2,
     {GDEXTENSION_VARIANT_TYPE_INT, GDEXTENSION_VARIANT_TYPE_STRING}},
    {"positions",
     positions,
     GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR2_ARRAY,
     1,
     {GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY}},
};

static void destroy(GDExtensionVariantType type, value *v)
{
    const GDExtensionPtrDestructor found = destructor(type);
    if (found)
        found(v);
}

/* Godot calls `run` itself if it knows the types of the arguments, and else this, with any arguments. */
static void call(void *userdata, GDExtensionClassInstancePtr none, const GDExtensionConstVariantPtr *arguments,
                 GDExtensionInt count, GDExtensionVariantPtr result, GDExtensionCallError *error)
{
    const method *m = (const method *)userdata;
    value values[2], returned;
    const GDExtensionConstTypePtr typed[] = {&values[0], &values[1]};
    if (count != m->count) {
        error->error =
            count < m->count ? GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS : GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS;
        error->expected = (int32_t)m->count;
        return;
    }
    for (uint32_t i = 0; i < m->count; i++)
        from_variant(m->types[i])(&values[i], (GDExtensionVariantPtr)arguments[i]);
    constructor(m->result, 0)(&returned, NULL);
    m->run(userdata, none, typed, &returned);
    to_variant(m->result)(result, &returned);
    destroy(m->result, &returned);
    for (uint32_t i = 0; i < m->count; i++)
        destroy(m->types[i], &values[i]);
    error->error = GDEXTENSION_CALL_OK;
}

static void free_instance(void *userdata, GDExtensionClassInstancePtr instance)
{
    (void)userdata, (void)instance; /* nothing but static functions: there are no instances */
}

static GDExtensionInterfaceGetProcAddress find;
static GDExtensionClassLibraryPtr library;

static GDExtensionPtrBuiltInMethod builtin(GDExtensionVariantType type, const char *name, GDExtensionInt hash)
{
    value text;
    new_name(&text, name, false);
    GDExtensionPtrBuiltInMethod found =
        ((GDExtensionInterfaceVariantGetPtrBuiltinMethod)find("variant_get_ptr_builtin_method"))(type, &text, hash);
    destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &text);
    return found;
}

static void initialize(void *userdata, GDExtensionInitializationLevel level)
{
    value parent, name, no_name, no_text;
    (void)userdata;
    if (level != GDEXTENSION_INITIALIZATION_SCENE)
        return;
    new_name = (GDExtensionInterfaceStringNameNewWithLatin1Chars)find("string_name_new_with_latin1_chars");
    string_to_utf8 = (GDExtensionInterfaceStringToUtf8Chars)find("string_to_utf8_chars");
    byte_at = (GDExtensionInterfacePackedByteArrayOperatorIndex)find("packed_byte_array_operator_index");
    const_byte_at =
        (GDExtensionInterfacePackedByteArrayOperatorIndexConst)find("packed_byte_array_operator_index_const");
    point_at = (GDExtensionInterfacePackedVector2ArrayOperatorIndex)find("packed_vector2_array_operator_index");
    constructor = (GDExtensionInterfaceVariantGetPtrConstructor)find("variant_get_ptr_constructor");
    destructor = (GDExtensionInterfaceVariantGetPtrDestructor)find("variant_get_ptr_destructor");
    to_variant = (GDExtensionInterfaceGetVariantFromTypeConstructor)find("get_variant_from_type_constructor");
    from_variant = (GDExtensionInterfaceGetVariantToTypeConstructor)find("get_variant_to_type_constructor");
    /* The numbers are in extension_api.json of Godot: a hash of the arguments. */
    resize_bytes = builtin(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, "resize", 848867239);
    resize_points = builtin(GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR2_ARRAY, "resize", 848867239);
    count_bytes = builtin(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, "size", 3173160232);

    const GDExtensionClassCreationInfo2 about = {
        .is_abstract = true, .is_exposed = true, .free_instance_func = free_instance};
    new_name(&class_name, "GameNet", false);
    new_name(&parent, "Object", false);
    new_name(&no_name, "", false);
    constructor(GDEXTENSION_VARIANT_TYPE_STRING, 0)(&no_text, NULL);
    ((GDExtensionInterfaceClassdbRegisterExtensionClass2)find("classdb_register_extension_class2"))(
        library, &class_name, &parent, &about);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        method *m = &methods[i];
        const GDExtensionPropertyInfo none = {
            .name = &no_name, .class_name = &no_name, .hint_string = &no_text, .usage = 6};
        GDExtensionPropertyInfo returned = none, arguments[2] = {none, none};
        GDExtensionClassMethodArgumentMetadata metadata[2] = {GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE};
        returned.type = m->result;
        for (uint32_t k = 0; k < m->count; k++)
            arguments[k].type = m->types[k];
        new_name(&name, m->name, false);
        const GDExtensionClassMethodInfo info = {
            .name = &name,
            .method_userdata = m,
            .call_func = call,
            .ptrcall_func = m->run,
            .method_flags = GDEXTENSION_METHOD_FLAG_STATIC,
            .has_return_value = true,
            .return_value_info = &returned,
            .argument_count = m->count,
            .arguments_info = arguments,
            .arguments_metadata = metadata,
        };
        ((GDExtensionInterfaceClassdbRegisterExtensionClassMethod)find("classdb_register_extension_class_method"))(
            library, &class_name, &info);
        destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &name);
    }
    destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &parent);
    destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &no_name);
    destroy(GDEXTENSION_VARIANT_TYPE_STRING, &no_text);
}

static void deinitialize(void *userdata, GDExtensionInitializationLevel level)
{
    (void)userdata;
    if (level != GDEXTENSION_INITIALIZATION_SCENE)
        return;
    ((GDExtensionInterfaceClassdbUnregisterExtensionClass)find("classdb_unregister_extension_class"))(library,
                                                                                                      &class_name);
    destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, &class_name);
}

#if defined(_WIN32)
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
    GDExtensionBool game_net_init(GDExtensionInterfaceGetProcAddress get_proc_address, GDExtensionClassLibraryPtr of,
                                  GDExtensionInitialization *initialization)
{
    find = get_proc_address;
    library = of;
    initialization->minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE;
    initialization->userdata = NULL;
    initialization->initialize = initialize;
    initialization->deinitialize = deinitialize;
    return true;
}
