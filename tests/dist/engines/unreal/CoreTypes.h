/* CoreTypes.h - as much of Unreal as docs/engines.md uses: types, and macros that generated code must not mind.
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include <cstddef>
#include <cstdint>

typedef uint8_t uint8;
typedef uint32_t uint32;
typedef int32_t int32;
typedef char16_t TCHAR;

#ifdef _WIN32
#define DLLEXPORT __declspec(dllexport)
#define DLLIMPORT __declspec(dllimport)
#else
#define DLLEXPORT __attribute__((visibility("default")))
#define DLLIMPORT __attribute__((visibility("default")))
#endif
#define TEXT(text) u##text
#define check(condition) static_assert(false, "check")
#define verify(condition) static_assert(false, "verify")
#define ensure(condition) static_assert(false, "ensure")
#define PI (3.1415926535897932f)
