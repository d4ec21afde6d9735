/* storage.c - a table with a row for each storage.
 * SPDX-License-Identifier: MIT
 */
#include "model/kinds.h"

#include <assert.h>

typedef enum storage_kind { KIND_NONE, KIND_UNSIGNED, KIND_SIGNED, KIND_REAL } storage_kind;

/* clang-format off */
static const struct {
    const char *word;
    unsigned bits; /* in memory */
    storage_kind kind;
    num low, high; /* of a bool or integer */
} storages[] = {
    [STORAGE_NONE]   = {"",       0,  KIND_NONE,     {0, false},                {0, false}},
    [STORAGE_BOOL]   = {"bool",   8,  KIND_UNSIGNED, {0, false},                {1, false}},
    [STORAGE_U8]     = {"u8",     8,  KIND_UNSIGNED, {0, false},                {UINT8_MAX, false}},
    [STORAGE_U16]    = {"u16",    16, KIND_UNSIGNED, {0, false},                {UINT16_MAX, false}},
    [STORAGE_U32]    = {"u32",    32, KIND_UNSIGNED, {0, false},                {UINT32_MAX, false}},
    [STORAGE_U64]    = {"u64",    64, KIND_UNSIGNED, {0, false},                {UINT64_MAX, false}},
    [STORAGE_I8]     = {"i8",     8,  KIND_SIGNED,   {UINT64_C(1) << 7, true},  {INT8_MAX, false}},
    [STORAGE_I16]    = {"i16",    16, KIND_SIGNED,   {UINT64_C(1) << 15, true}, {INT16_MAX, false}},
    [STORAGE_I32]    = {"i32",    32, KIND_SIGNED,   {UINT64_C(1) << 31, true}, {INT32_MAX, false}},
    [STORAGE_I64]    = {"i64",    64, KIND_SIGNED,   {UINT64_C(1) << 63, true}, {INT64_MAX, false}},
    [STORAGE_FLOAT]  = {"float",  32, KIND_REAL,     {0, false},                {0, false}},
    [STORAGE_DOUBLE] = {"double", 64, KIND_REAL,     {0, false},                {0, false}},
};
/* clang-format on */

const char *storage_word(storage s)
{
    return storages[s].word;
}

unsigned storage_bits(storage s)
{
    return storages[s].bits;
}

bool storage_is_signed(storage s)
{
    return storages[s].kind == KIND_SIGNED;
}

bool storage_is_real(storage s)
{
    return storages[s].kind == KIND_REAL;
}

void storage_range(storage s, num *low, num *high)
{
    assert((storages[s].kind == KIND_UNSIGNED || storages[s].kind == KIND_SIGNED) && "not the storage of an integer");
    *low = storages[s].low;
    *high = storages[s].high;
}

static bool holds(storage s, num low, num high)
{
    return num_compare(low, storages[s].low) >= 0 && num_compare(high, storages[s].high) <= 0;
}

storage storage_for(uint64_t max)
{
    storage s = STORAGE_U8;
    while (!holds(s, num_u64(0), num_u64(max)))
        s++;
    return s;
}

storage storage_for_signed(num low, num high)
{
    for (storage s = STORAGE_I8; s <= STORAGE_I64; s++)
        if (holds(s, low, high))
            return s;
    return STORAGE_NONE;
}
