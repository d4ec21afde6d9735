/* dissect_types.c - types, numbers and constants as Lua.
 * SPDX-License-Identifier: MIT
 */
#include "dissect/dissect_internal.h"
#include "model/coding.h"
#include "model/type_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LUA_EXACT_BITS = 52 };

bool is_narrow(num low, num high)
{
    const num most = num_u64((uint64_t)1 << LUA_EXACT_BITS);
    return num_compare(low, num_negate(most)) >= 0 && num_compare(high, most) <= 0;
}

static bool is_narrow_type(const type *t)
{
    return is_narrow(t->low, t->high);
}

const char *lua_text(arena *a, const char *text)
{
    char *quoted = arena_alloc(a, 4 * strlen(text) + 3), *to = quoted;
    *to++ = '"';
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            to += sprintf(to, "\\%03u", (unsigned)c);
        else if (c == '"' || c == '\\')
            to += sprintf(to, "\\%c", c);
        else
            *to++ = (char)c;
    }
    *to = '"';
    return quoted;
}

static const char *halves(arena *a, const char *make, uint64_t bits)
{
    return arena_printf(a, "%s(0x%" PRIx64 ", 0x%" PRIx64 ")", make, bits >> 32, bits & UINT32_MAX);
}

const char *lua_number(arena *a, num n, bool narrow)
{
    return narrow ? num_text(a, n) : halves(a, n.negative ? "s64" : "u64", num_bits(n));
}

const char *lua_key(arena *a, num n, bool narrow)
{
    return narrow ? num_text(a, n) : arena_printf(a, "\"%s\"", num_text(a, n));
}

const char *lua_value(arena *a, const type *t, const value *v)
{
    switch (t->kind) {
    case TYPE_BOOL: return v->number.magnitude ? "true" : "false";
    case TYPE_FLOAT:
    case TYPE_OR_RAW:
    case TYPE_QUANTIZED: /* -0 would be the integer 0 */
        return signbit(v->real) && !(v->real < 0) ? "-0.0" : arena_printf(a, "%.17g", v->real);
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_FIXED:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_COMPACT:
    case TYPE_REF:
    case TYPE_QUAT:
    case TYPE_UNIT:
    case TYPE_STRING:
    case TYPE_BYTES:
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_FOREIGN: break;
    }
    if (is_narrow_type(t))
        return num_text(a, v->number);
    return halves(a, t->low.negative ? "s64" : "u64", num_bits(v->number));
}

/* ---- types */

/* An integer that is sent as its distance from the least one. */
static const char *ranged(arena *a, const type *t)
{
    const uint64_t most = greatest_number_code(t);
    if (is_narrow_type(t))
        return arena_printf(a, "int(%u, %s, %" PRIu64 ")", bit_length(most), num_text(a, t->low), most);
    return arena_printf(a, "wide(%u, %s, 0x%" PRIx64 ", 0x%" PRIx64 ", %s)", bit_length(most),
                        t->low.negative ? "true" : "false", num_bits(t->low) >> 32, num_bits(t->low) & UINT32_MAX,
                        halves(a, "u64", most));
}

static const char *two_s_complement(arena *a, unsigned bits)
{
    if (bits <= LUA_EXACT_BITS)
        return arena_printf(a, "signed(%u)", bits);
    return arena_printf(a, "wide(%u, true, 0, 0, u64(0xffffffff, 0xffffffff))", bits);
}

static const char *quantized(arena *a, const type *t)
{
    return arena_printf(a, "quantized(%s, %u, %.17g, %.17g, %" PRIu64 ")", real_word(t),
                        bit_length(t->steps - t->wraps), t->real_low, t->real_high, t->steps);
}

static const char *lua_range(arena *a, const type *t)
{
    const unsigned length_bits = bit_length(t->length);
    switch (t->kind) {
    case TYPE_BOOL: return "bool";
    case TYPE_BITS: return storage_is_signed(t->storage) ? two_s_complement(a, t->bits) : ranged(a, t);
    case TYPE_INT: return ranged(a, t);
    case TYPE_FIXED: return arena_printf(a, "fixed(%s, %u)", ranged(a, t), t->fraction_bits);
    case TYPE_FLOAT: return real_word(t);
    case TYPE_QUANTIZED: return quantized(a, t);
    case TYPE_OR_RAW: return arena_printf(a, "or_raw(%s)", quantized(a, t));
    case TYPE_COMPACT: return arena_printf(a, "compact(%u)", t->bits / 8);
    case TYPE_QUAT: return arena_printf(a, "quat(%u)", t->bits);
    case TYPE_UNIT: return arena_printf(a, "unit(%u)", t->bits);
    case TYPE_STRING: return arena_printf(a, "text(%u, %" PRIu32 ")", length_bits, t->length);
    case TYPE_BYTES: return arena_printf(a, "bytes(%u, %" PRIu32 ")", length_bits, t->length);
    case TYPE_REF: return arena_printf(a, "ref(%u, %s)", bit_length(num_bits(t->high)), num_text(a, t->high));
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_STRUCT:
    case TYPE_UNION: return arena_printf(a, "types[\"%s\"]", t->decl->name);
    case TYPE_FOREIGN: break;
    }
    return "nil";
}

const char *lua_type(arena *a, const type *t)
{
    const char *range = lua_range(a, t);
    return t->wraps ? arena_printf(a, "circle(%" PRIu64 ", %s)", circle_of(t), range) : range;
}

/* ---- descriptions for people */

const char *about_type(arena *a, const type *t)
{
    switch (t->kind) {
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_COMPACT: return arena_printf(a, "from %s to %s", num_text(a, t->low), num_text(a, t->high));
    case TYPE_FIXED: {
        const double unit = (double)((uint64_t)1 << t->fraction_bits);
        return arena_printf(a, "from %.15g to %.15g in steps of 1/%.0f", num_double(t->low) / unit,
                            num_double(t->high) / unit, unit);
    }
    case TYPE_QUANTIZED:
    case TYPE_OR_RAW:
        return arena_printf(a, "from %.6g to %.6g in %" PRIu64 " steps of %.6g%s", t->real_low, t->real_high, t->steps,
                            (t->real_high - t->real_low) / (double)t->steps, t->kind == TYPE_OR_RAW ? ", or raw" : "");
    case TYPE_STRING: return arena_printf(a, "at most %" PRIu32 " bytes of text", t->length);
    case TYPE_BYTES: return arena_printf(a, "at most %" PRIu32 " bytes", t->length);
    case TYPE_REF: return arena_printf(a, "the id of a %s, from 1 to %s", t->decl->name, num_text(a, t->high));
    case TYPE_QUAT: return arena_printf(a, "a rotation in %u bits", 2 + 3 * t->bits);
    case TYPE_UNIT: return arena_printf(a, "a direction in %u bits", 2 * t->bits);
    case TYPE_BOOL:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_FLOAT:
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_FOREIGN: break;
    }
    return "";
}
