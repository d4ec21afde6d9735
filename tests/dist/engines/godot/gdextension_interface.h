/* gdextension_interface.h - as much of Godot's header as docs/engines.md uses.
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>
#include <stdint.h>

typedef uint8_t GDExtensionBool;
typedef int64_t GDExtensionInt;
typedef void *GDExtensionTypePtr, *GDExtensionVariantPtr, *GDExtensionClassInstancePtr, *GDExtensionClassLibraryPtr;
typedef const void *GDExtensionConstTypePtr, *GDExtensionConstVariantPtr;

typedef enum GDExtensionVariantType {
    GDEXTENSION_VARIANT_TYPE_INT = 2,
    GDEXTENSION_VARIANT_TYPE_STRING = 4,
    GDEXTENSION_VARIANT_TYPE_STRING_NAME = 21,
    GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY = 29,
    GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR2_ARRAY = 35
} GDExtensionVariantType;

typedef enum GDExtensionCallErrorType {
    GDEXTENSION_CALL_OK,
    GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS = 3,
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
enum { GDEXTENSION_METHOD_FLAG_STATIC = 32 };
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
} GDExtensionClassMethodInfo;
typedef struct GDExtensionClassCreationInfo2 {
    GDExtensionBool is_abstract, is_exposed;
    void (*free_instance_func)(void *userdata, GDExtensionClassInstancePtr instance);
} GDExtensionClassCreationInfo2;

typedef enum GDExtensionInitializationLevel {
    GDEXTENSION_INITIALIZATION_CORE,
    GDEXTENSION_INITIALIZATION_SCENE = 2
} GDExtensionInitializationLevel;
typedef struct GDExtensionInitialization {
    GDExtensionInitializationLevel minimum_initialization_level;
    void *userdata;
    void (*initialize)(void *userdata, GDExtensionInitializationLevel level);
    void (*deinitialize)(void *userdata, GDExtensionInitializationLevel level);
} GDExtensionInitialization;
typedef void (*GDExtensionInterfaceFunctionPtr)(void);
typedef GDExtensionInterfaceFunctionPtr (*GDExtensionInterfaceGetProcAddress)(const char *name);

typedef void (*GDExtensionInterfaceStringNameNewWithLatin1Chars)(void *to, const char *text, GDExtensionBool is_static);
typedef GDExtensionInt (*GDExtensionInterfaceStringToUtf8Chars)(const void *string, char *to, GDExtensionInt room);
typedef uint8_t *(*GDExtensionInterfacePackedByteArrayOperatorIndex)(void *array, GDExtensionInt index);
typedef const uint8_t *(*GDExtensionInterfacePackedByteArrayOperatorIndexConst)(const void *array,
                                                                                GDExtensionInt index);
typedef void *(*GDExtensionInterfacePackedVector2ArrayOperatorIndex)(void *array, GDExtensionInt index);
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
typedef void (*GDExtensionInterfaceClassdbRegisterExtensionClass2)(GDExtensionClassLibraryPtr library, const void *name,
                                                                   const void *parent,
                                                                   const GDExtensionClassCreationInfo2 *about);
typedef void (*GDExtensionInterfaceClassdbRegisterExtensionClassMethod)(GDExtensionClassLibraryPtr library,
                                                                        const void *class_name,
                                                                        const GDExtensionClassMethodInfo *about);
typedef void (*GDExtensionInterfaceClassdbUnregisterExtensionClass)(GDExtensionClassLibraryPtr library,
                                                                    const void *name);
