/* gdextension_interface.h - as much of Godot's header as `pktc bind gdextension` uses.
 * SPDX-License-Identifier: MIT
 */
#ifndef GDEXTENSION_INTERFACE_H
#define GDEXTENSION_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

typedef uint8_t GDExtensionBool;
typedef int64_t GDExtensionInt;
typedef void *GDExtensionTypePtr, *GDExtensionVariantPtr, *GDExtensionObjectPtr, *GDExtensionClassInstancePtr,
    *GDExtensionClassLibraryPtr;
typedef const void *GDExtensionConstTypePtr, *GDExtensionConstVariantPtr;

typedef enum GDExtensionVariantType {
    GDEXTENSION_VARIANT_TYPE_NIL,
    GDEXTENSION_VARIANT_TYPE_BOOL,
    GDEXTENSION_VARIANT_TYPE_INT,
    GDEXTENSION_VARIANT_TYPE_FLOAT,
    GDEXTENSION_VARIANT_TYPE_STRING,
    GDEXTENSION_VARIANT_TYPE_STRING_NAME = 21,
    GDEXTENSION_VARIANT_TYPE_OBJECT = 24,
    GDEXTENSION_VARIANT_TYPE_ARRAY = 28,
    GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY,
    GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY,
    GDEXTENSION_VARIANT_TYPE_PACKED_INT64_ARRAY,
    GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY,
    GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT64_ARRAY,
    GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY,
    GDEXTENSION_VARIANT_TYPE_VARIANT_MAX = 38
} GDExtensionVariantType;

typedef enum GDExtensionCallErrorType {
    GDEXTENSION_CALL_OK,
    GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT = 2,
    GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS,
    GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS
} GDExtensionCallErrorType;
typedef struct GDExtensionCallError {
    GDExtensionCallErrorType error;
    int32_t argument, expected;
} GDExtensionCallError;

typedef void (*GDExtensionPtrConstructor)(void *base, const GDExtensionConstTypePtr *arguments);
typedef void (*GDExtensionPtrDestructor)(void *base);
typedef void (*GDExtensionPtrBuiltInMethod)(void *base, const GDExtensionConstTypePtr *arguments, void *result,
                                            int32_t count);
typedef void (*GDExtensionVariantFromTypeConstructorFunc)(void *variant, void *value);
typedef void (*GDExtensionTypeFromVariantConstructorFunc)(void *value, void *variant);
typedef void (*GDExtensionClassMethodCall)(void *userdata, void *instance, const GDExtensionConstVariantPtr *arguments,
                                           GDExtensionInt count, void *result, GDExtensionCallError *error);
typedef void (*GDExtensionClassMethodPtrCall)(void *userdata, void *instance, const GDExtensionConstTypePtr *arguments,
                                              void *result);

typedef enum GDExtensionClassMethodArgumentMetadata {
    GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE
} GDExtensionClassMethodArgumentMetadata;
enum { GDEXTENSION_METHOD_FLAG_NORMAL = 1, GDEXTENSION_METHOD_FLAG_STATIC = 32 };
typedef struct GDExtensionPropertyInfo {
    GDExtensionVariantType type;
    void *name, *class_name;
    uint32_t hint;
    void *hint_string;
    uint32_t usage;
} GDExtensionPropertyInfo;
typedef struct GDExtensionClassMethodInfo {
    void *name, *method_userdata;
    GDExtensionClassMethodCall call_func;
    GDExtensionClassMethodPtrCall ptrcall_func;
    uint32_t method_flags;
    GDExtensionBool has_return_value;
    GDExtensionPropertyInfo *return_value_info;
    uint32_t argument_count;
    GDExtensionPropertyInfo *arguments_info;
    GDExtensionClassMethodArgumentMetadata *arguments_metadata;
    uint32_t default_argument_count;
    GDExtensionVariantPtr *default_arguments;
} GDExtensionClassMethodInfo;
typedef struct GDExtensionClassCreationInfo2 {
    GDExtensionBool is_abstract, is_exposed;
    GDExtensionObjectPtr (*create_instance_func)(void *userdata);
    void (*free_instance_func)(void *userdata, GDExtensionClassInstancePtr instance);
    void *class_userdata;
} GDExtensionClassCreationInfo2;
typedef struct GDExtensionInstanceBindingCallbacks {
    void *(*create_callback)(void *token, void *instance);
    void (*free_callback)(void *token, void *instance, void *binding);
    GDExtensionBool (*reference_callback)(void *token, void *binding, GDExtensionBool reference);
} GDExtensionInstanceBindingCallbacks;

typedef enum GDExtensionInitializationLevel {
    GDEXTENSION_INITIALIZATION_CORE,
    GDEXTENSION_INITIALIZATION_SCENE = 2,
    GDEXTENSION_INITIALIZATION_EDITOR
} GDExtensionInitializationLevel;
typedef struct GDExtensionInitialization {
    GDExtensionInitializationLevel minimum_initialization_level;
    void *userdata;
    void (*initialize)(void *userdata, GDExtensionInitializationLevel level);
    void (*deinitialize)(void *userdata, GDExtensionInitializationLevel level);
} GDExtensionInitialization;
typedef void (*GDExtensionInterfaceFunctionPtr)(void);
typedef GDExtensionInterfaceFunctionPtr (*GDExtensionInterfaceGetProcAddress)(const char *name);
typedef GDExtensionBool (*GDExtensionInitializationFunction)(GDExtensionInterfaceGetProcAddress find,
                                                             GDExtensionClassLibraryPtr library,
                                                             GDExtensionInitialization *initialization);

typedef void *(*GDExtensionInterfaceMemAlloc)(size_t size);
typedef void *(*GDExtensionInterfaceMemRealloc)(void *memory, size_t size);
typedef void (*GDExtensionInterfaceMemFree)(void *memory);
typedef void (*GDExtensionInterfacePrintError)(const char *text, const char *function, const char *file, int32_t line,
                                               GDExtensionBool notify);
typedef void (*GDExtensionInterfaceStringNameNewWithLatin1Chars)(void *to, const char *text, GDExtensionBool is_static);
typedef void (*GDExtensionInterfaceStringNewWithUtf8CharsAndLen)(void *to, const char *text, GDExtensionInt size);
typedef GDExtensionInt (*GDExtensionInterfaceStringToUtf8Chars)(const void *string, char *to, GDExtensionInt room);
typedef uint8_t *(*GDExtensionInterfacePackedByteArrayOperatorIndex)(void *array, GDExtensionInt index);
typedef const uint8_t *(*GDExtensionInterfacePackedByteArrayOperatorIndexConst)(const void *array,
                                                                                GDExtensionInt index);
typedef int32_t *(*GDExtensionInterfacePackedInt32ArrayOperatorIndex)(void *array, GDExtensionInt index);
typedef int64_t *(*GDExtensionInterfacePackedInt64ArrayOperatorIndex)(void *array, GDExtensionInt index);
typedef float *(*GDExtensionInterfacePackedFloat32ArrayOperatorIndex)(void *array, GDExtensionInt index);
typedef double *(*GDExtensionInterfacePackedFloat64ArrayOperatorIndex)(void *array, GDExtensionInt index);
typedef void *(*GDExtensionInterfacePackedStringArrayOperatorIndex)(void *array, GDExtensionInt index);
typedef void *(*GDExtensionInterfaceArrayOperatorIndex)(void *array, GDExtensionInt index);
typedef GDExtensionVariantType (*GDExtensionInterfaceVariantGetType)(const void *variant);
typedef GDExtensionBool (*GDExtensionInterfaceVariantCanConvertStrict)(GDExtensionVariantType from,
                                                                       GDExtensionVariantType to);
typedef void (*GDExtensionInterfaceVariantNewNil)(void *variant);
typedef GDExtensionPtrConstructor (*GDExtensionInterfaceVariantGetPtrConstructor)(GDExtensionVariantType type,
                                                                                  int32_t which);
typedef GDExtensionPtrDestructor (*GDExtensionInterfaceVariantGetPtrDestructor)(GDExtensionVariantType type);
typedef GDExtensionPtrBuiltInMethod (*GDExtensionInterfaceVariantGetPtrBuiltinMethod)(GDExtensionVariantType type,
                                                                                      const void *name,
                                                                                      GDExtensionInt hash);
typedef GDExtensionVariantFromTypeConstructorFunc (*GDExtensionInterfaceGetVariantFromTypeConstructor)(
    GDExtensionVariantType type);
typedef GDExtensionTypeFromVariantConstructorFunc (*GDExtensionInterfaceGetVariantToTypeConstructor)(
    GDExtensionVariantType type);
typedef void (*GDExtensionInterfaceRefSetObject)(void *ref, GDExtensionObjectPtr object);
typedef GDExtensionObjectPtr (*GDExtensionInterfaceClassdbConstructObject)(const void *name);
typedef void (*GDExtensionInterfaceObjectSetInstance)(GDExtensionObjectPtr object, const void *name, void *instance);
typedef void (*GDExtensionInterfaceObjectSetInstanceBinding)(GDExtensionObjectPtr object, void *token, void *binding,
                                                             const GDExtensionInstanceBindingCallbacks *callbacks);
typedef void *(*GDExtensionInterfaceObjectGetInstanceBinding)(GDExtensionObjectPtr object, void *token,
                                                              const GDExtensionInstanceBindingCallbacks *callbacks);
typedef void (*GDExtensionInterfaceClassdbRegisterExtensionClass2)(GDExtensionClassLibraryPtr library, const void *name,
                                                                   const void *parent,
                                                                   const GDExtensionClassCreationInfo2 *about);
typedef void (*GDExtensionInterfaceClassdbRegisterExtensionClassMethod)(GDExtensionClassLibraryPtr library,
                                                                        const void *class_name,
                                                                        const GDExtensionClassMethodInfo *about);
typedef void (*GDExtensionInterfaceClassdbRegisterExtensionClassProperty)(GDExtensionClassLibraryPtr library,
                                                                          const void *class_name,
                                                                          const GDExtensionPropertyInfo *about,
                                                                          const void *setter, const void *getter);
typedef void (*GDExtensionInterfaceClassdbRegisterExtensionClassIntegerConstant)(
    GDExtensionClassLibraryPtr library, const void *class_name, const void *enum_name, const void *name,
    GDExtensionInt number, GDExtensionBool is_bitfield);
typedef void (*GDExtensionInterfaceClassdbUnregisterExtensionClass)(GDExtensionClassLibraryPtr library,
                                                                    const void *name);

#endif
