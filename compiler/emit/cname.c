/* cname.c - spells literals and types in C.
 * SPDX-License-Identifier: MIT
 */
#include "emit/cname.h"
#include "model/type_table.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cname_storage(storage s)
{
    switch (s) {
    case STORAGE_NONE: break;
    case STORAGE_BOOL: return "bool";
    case STORAGE_U8: return "uint8_t";
    case STORAGE_U16: return "uint16_t";
    case STORAGE_U32: return "uint32_t";
    case STORAGE_U64: return "uint64_t";
    case STORAGE_I8: return "int8_t";
    case STORAGE_I16: return "int16_t";
    case STORAGE_I32: return "int32_t";
    case STORAGE_I64: return "int64_t";
    case STORAGE_FLOAT: return "float";
    case STORAGE_DOUBLE: return "double";
    }
    assert(false && "a type without storage has no C type of its own");
    return "";
}

const char *cname_type(const type *t)
{
    switch (type_row_of(t)->sort) {
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_FIXED:
    case SORT_REAL: return cname_storage(t->storage);
    case SORT_QUAT: return "pkt_quat";
    case SORT_UNIT: return "pkt_vec3";
    case SORT_STRING: return "char";
    case SORT_BYTES: return "uint8_t";
    case SORT_FOREIGN: return t->c_type;
    case SORT_ENUM:
    case SORT_FLAGS:
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_REF: break;
    }
    return NULL;
}

/* A type narrower than int is an int in expressions. The least value of a type has no literal, because its magnitude
 * does not fit in the type. */
static const char *signed_literal(arena *a, num n)
{
    const uint64_t int_max = INT32_MAX;
    if (n.magnitude <= int_max)
        return num_text(a, n);
    if (n.negative && n.magnitude == int_max + 1)
        return "(-2147483647 - 1)";
    if (n.negative && n.magnitude == (uint64_t)INT64_MAX + 1)
        return "(-INT64_C(9223372036854775807) - 1)";
    return arena_printf(a, "%sINT64_C(%llu)", n.negative ? "-" : "", (unsigned long long)n.magnitude);
}

static const char *unsigned_literal(arena *a, num n, bool wide)
{
    if (n.magnitude <= INT32_MAX)
        return num_text(a, n);
    return arena_printf(a, wide ? "UINT64_C(%llu)" : "%lluu", (unsigned long long)n.magnitude);
}

const char *cname_integer(arena *a, num n, storage s)
{
    switch (s) {
    case STORAGE_BOOL: return n.magnitude != 0 ? "true" : "false";
    case STORAGE_U8:
    case STORAGE_U16:
    case STORAGE_U32: return unsigned_literal(a, n, false);
    case STORAGE_U64: return unsigned_literal(a, n, true);
    case STORAGE_I8:
    case STORAGE_I16:
    case STORAGE_I32:
    case STORAGE_I64: return signed_literal(a, n);
    case STORAGE_NONE:
    case STORAGE_FLOAT:
    case STORAGE_DOUBLE: break;
    }
    assert(false && "only an integer or a bool has an integer literal");
    return "";
}

/* Whether a C compiler reads the text as exactly this number, as a float or as a double. */
static bool reads_back(const char *text, double real, bool single)
{
    return single ? strtof(text, NULL) == (float)real : strtod(text, NULL) == real;
}

const char *cname_real(arena *a, double real, storage s)
{
    bool single = s == STORAGE_FLOAT;
    char shortest[40];
    int digits = 0;
    assert((single || s == STORAGE_DOUBLE) && isfinite(real));
    /* Most bounds are whole numbers, for which the search below would find the same text. */
    if (fabs(real) < 1e15 && real == (double)(int64_t)real && !(real == 0.0 && signbit(real)))
        return arena_printf(a, "%s.0%s", num_text(a, num_i64((int64_t)real)), single ? "f" : "");
    do {
        snprintf(shortest, sizeof shortest, "%.*e", digits++, real);
    } while (!reads_back(shortest, real, single));

    /* The exponent says whether the number is short when it is written without one. */
    char *e = strchr(shortest, 'e');
    int exponent = atoi(e + 1);
    const char *suffix = single ? "f" : "";
    if (exponent < -5 || exponent > 15)
        return arena_printf(a, "%.*se%d%s", (int)(e - shortest), shortest, exponent, suffix);
    int decimals = digits - 1 - exponent;
    return arena_printf(a, "%.*f%s", decimals > 1 ? decimals : 1, real, suffix);
}
