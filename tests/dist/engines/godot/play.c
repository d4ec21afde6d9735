/* play.c - loads the extension of docs/engines.md as Godot would, and calls its functions in both ways.
 * SPDX-License-Identifier: MIT
 *
 * A String, a StringName or a packed array is a pointer to allocated bytes; `living` counts those that are not destroyed. A
 * Variant is a type and such a value.
 */
#include "game.h"
#include "gdextension_interface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes {
    int64_t size;
    unsigned char *data;
} bytes;
typedef union value {
    int64_t number;
    bytes *held;
} value;
typedef struct variant {
    GDExtensionVariantType type;
    value value;
} variant;

GDExtensionBool game_net_init(GDExtensionInterfaceGetProcAddress get_proc_address, GDExtensionClassLibraryPtr library,
                              GDExtensionInitialization *initialization);

static int living;
static GDExtensionClassMethodInfo methods[2];
static int method_count;

static bytes *hold(const void *data, size_t size)
{
    bytes *held = calloc(1, sizeof *held);
    held->data = calloc(size + 1, 1);
    held->size = (int64_t)size;
    if (size > 0)
        memcpy(held->data, data, size);
    living++;
    return held;
}

static void construct(void *base, const GDExtensionConstTypePtr *arguments)
{
    (void)arguments;
    ((value *)base)->held = hold(NULL, 0);
}

static void destruct(void *base)
{
    bytes *held = ((value *)base)->held;
    free(held->data);
    free(held);
    living--;
}

static void new_name(void *to, const char *text, GDExtensionBool is_static)
{
    (void)is_static;
    ((value *)to)->held = hold(text, strlen(text));
}

static GDExtensionInt to_utf8(const void *string, char *to, GDExtensionInt room)
{
    const bytes *held = ((const value *)string)->held;
    memcpy(to, held->data, (size_t)(held->size < room ? held->size : room));
    return held->size;
}

static uint8_t *byte_at(void *array, GDExtensionInt index)
{
    return ((value *)array)->held->data + index;
}

static const uint8_t *const_byte_at(const void *array, GDExtensionInt index)
{
    return ((const value *)array)->held->data + index;
}

static void *point_at(void *array, GDExtensionInt index)
{
    return ((value *)array)->held->data + 2 * sizeof(float) * (size_t)index;
}

static void resize(bytes *held, size_t size)
{
    held->data = realloc(held->data, size + 1);
    held->size = (int64_t)size;
}

static void resize_bytes(void *base, const GDExtensionConstTypePtr *arguments, void *result, int32_t count)
{
    resize(((value *)base)->held, (size_t) * (const int64_t *)arguments[0] * (size_t)count);
    *(int64_t *)result = 0;
}

static void resize_points(void *base, const GDExtensionConstTypePtr *arguments, void *result, int32_t count)
{
    resize(((value *)base)->held, 2 * sizeof(float) * (size_t) * (const int64_t *)arguments[0] * (size_t)count);
    *(int64_t *)result = 0;
}

static void count_bytes(void *base, const GDExtensionConstTypePtr *arguments, void *result, int32_t count)
{
    (void)arguments, (void)count;
    *(int64_t *)result = ((value *)base)->held->size;
}

static GDExtensionPtrBuiltInMethod builtin(GDExtensionVariantType type, const void *name, GDExtensionInt hash)
{
    const char *text = (const char *)((const value *)name)->held->data;
    const bool is_bytes = type == GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY;
    if (strcmp(text, "size") == 0 && hash == 3173160232 && is_bytes)
        return count_bytes;
    return strcmp(text, "resize") != 0 || hash != 848867239 ? NULL : is_bytes ? resize_bytes : resize_points;
}

static GDExtensionPtrConstructor constructor(GDExtensionVariantType type, int32_t which)
{
    return type != GDEXTENSION_VARIANT_TYPE_INT && which == 0 ? construct : NULL;
}

static GDExtensionPtrDestructor destructor(GDExtensionVariantType type)
{
    return type != GDEXTENSION_VARIANT_TYPE_INT ? destruct : NULL;
}

static void copy_value(value *to, GDExtensionVariantType type, value from)
{
    *to = from;
    if (type != GDEXTENSION_VARIANT_TYPE_INT)
        to->held = hold(from.held->data, (size_t)from.held->size);
}

static GDExtensionVariantType converted;

static void from_variant(void *to, void *from)
{
    copy_value(to, converted, ((variant *)from)->value);
}

static void to_variant(void *to, void *from)
{
    ((variant *)to)->type = converted;
    copy_value(&((variant *)to)->value, converted, *(value *)from);
}

static GDExtensionTypeFromVariantConstructorFunc get_from_variant(GDExtensionVariantType type)
{
    converted = type;
    return from_variant;
}

static GDExtensionVariantFromTypeConstructorFunc get_to_variant(GDExtensionVariantType type)
{
    converted = type;
    return to_variant;
}

static void register_class(GDExtensionClassLibraryPtr library, const void *name, const void *parent,
                           const GDExtensionClassCreationInfo2 *about)
{
    printf("class %s : %s%s%s\n", (const char *)((const value *)name)->held->data,
           (const char *)((const value *)parent)->held->data, library && about->is_abstract ? ", abstract" : "",
           about->free_instance_func ? "" : ", but Godot wants a function that frees instances");
}

static void register_method(GDExtensionClassLibraryPtr library, const void *class_name,
                            const GDExtensionClassMethodInfo *about)
{
    printf("%s.%s(", (const char *)((const value *)class_name)->held->data,
           (const char *)((value *)about->name)->held->data);
    for (uint32_t i = 0; i < about->argument_count; i++)
        printf("%s%d", i ? ", " : "", (int)about->arguments_info[i].type);
    printf(") -> %d%s\n", (int)about->return_value_info->type,
           library && about->method_flags == GDEXTENSION_METHOD_FLAG_STATIC ? ", static" : "");
    methods[method_count++] = *about;
}

static void unregister_class(GDExtensionClassLibraryPtr library, const void *name)
{
    (void)library;
    printf("no more %s\n", (const char *)((const value *)name)->held->data);
}

static GDExtensionInterfaceFunctionPtr find(const char *name)
{
    static const struct {
        const char *name;
        GDExtensionInterfaceFunctionPtr function;
    } all[] = {
        {"string_name_new_with_latin1_chars", (GDExtensionInterfaceFunctionPtr)new_name},
        {"string_to_utf8_chars", (GDExtensionInterfaceFunctionPtr)to_utf8},
        {"packed_byte_array_operator_index", (GDExtensionInterfaceFunctionPtr)byte_at},
        {"packed_byte_array_operator_index_const", (GDExtensionInterfaceFunctionPtr)const_byte_at},
        {"packed_vector2_array_operator_index", (GDExtensionInterfaceFunctionPtr)point_at},
        {"variant_get_ptr_builtin_method", (GDExtensionInterfaceFunctionPtr)builtin},
        {"variant_get_ptr_constructor", (GDExtensionInterfaceFunctionPtr)constructor},
        {"variant_get_ptr_destructor", (GDExtensionInterfaceFunctionPtr)destructor},
        {"get_variant_from_type_constructor", (GDExtensionInterfaceFunctionPtr)get_to_variant},
        {"get_variant_to_type_constructor", (GDExtensionInterfaceFunctionPtr)get_from_variant},
        {"classdb_register_extension_class2", (GDExtensionInterfaceFunctionPtr)register_class},
        {"classdb_register_extension_class_method", (GDExtensionInterfaceFunctionPtr)register_method},
        {"classdb_unregister_extension_class", (GDExtensionInterfaceFunctionPtr)unregister_class},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].function;
    return NULL;
}

/* Calls positions, and prints them. */
static void show_positions(const uint8_t *data, size_t size)
{
    value packet = {.held = hold(data, size)}, points;
    const GDExtensionConstTypePtr arguments[] = {&packet};
    construct(&points, NULL);
    methods[1].ptrcall_func(methods[1].method_userdata, NULL, arguments, &points);
    for (size_t i = 0; i < (size_t)points.held->size / sizeof(float); i++) {
        float place;
        memcpy(&place, points.held->data + i * sizeof place, sizeof place);
        printf("%g ", (double)place);
    }
    printf("in %d bytes\n", (int)points.held->size);
    destruct(&packet);
    destruct(&points);
}

/* Calls pack_join, and prints what is in the packet. */
static void show_join(const char *name, GDExtensionInt count)
{
    variant salt = {GDEXTENSION_VARIANT_TYPE_INT, {7}}, text = {GDEXTENSION_VARIANT_TYPE_STRING, {0}}, result;
    const GDExtensionConstVariantPtr arguments[] = {&salt, &text};
    GDExtensionCallError error;
    game_Join join;
    text.value.held = hold(name, strlen(name));
    methods[0].call_func(methods[0].method_userdata, NULL, arguments, count, &result, &error);
    if (error.error != GDEXTENSION_CALL_OK) {
        printf("error %d, expected %d\n", (int)error.error, (int)error.expected);
    } else {
        const bytes *packet = result.value.held;
        if (game_Join_unpack(&join, packet->data, (size_t)packet->size))
            printf("%u %s\n", (unsigned)join.salt, join.name);
        else
            printf("%d bytes\n", (int)packet->size);
        destruct(&result.value);
    }
    destruct(&text.value);
}

int main(void)
{
    GDExtensionInitialization extension;
    const game_State state = {1, {{1, true, 2.5f, -3.0f}, {2, false, 0.0f, 1.0f}}, 2};
    uint8_t data[game_State_MAX_BYTES];
    const size_t size = game_State_pack(&state, data, sizeof data);
    if (!game_net_init(find, &living, &extension))
        return 1;
    for (int level = 0; level <= 3; level++)
        extension.initialize(extension.userdata, (GDExtensionInitializationLevel)level);
    show_join("anna", 2);
    show_join("a name that does not fit into 31 bytes", 2);
    show_join("anna", 1);
    show_positions(data, size);
    show_positions(data, size - 1);
    show_positions(data, 0);
    for (int level = 3; level >= 0; level--)
        extension.deinitialize(extension.userdata, (GDExtensionInitializationLevel)level);
    printf("%d living\n", living);
    return 0;
}
