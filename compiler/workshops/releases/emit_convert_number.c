/* emit_convert_number.c - expressions that convert a number to another type.
 * SPDX-License-Identifier: MIT
 *
 * Only values of the older type count: if all of them are in range, nothing is compared.
 */
#include "releases/emit_upgrade.h"

static const char *cast(const emitter *e, const type *t, const char *text)
{
    return arena_printf(e->arena, "(%s)%s", cname_storage(t->storage), text);
}

static num lowest(const type *t)
{
    return t->kind == TYPE_BOOL ? num_u64(0) : t->low;
}

static num highest(const type *t)
{
    return t->kind == TYPE_BOOL ? num_u64(1) : t->high;
}

/* An integer in the range of another one. */
static const char *integer_of_integer(const emitter *e, const type *old, const type *now, const char *from)
{
    arena *a = e->arena;
    const num low = lowest(old), high = highest(old);
    if (num_compare(low, now->low) >= 0 && num_compare(high, now->high) <= 0)
        return old->storage == now->storage && old->kind != TYPE_ENUM ? from : cast(e, now, from);
    if (num_compare(low, now->high) >= 0)
        return cname_integer(a, now->high, now->storage);
    if (num_compare(high, now->low) <= 0)
        return cname_integer(a, now->low, now->storage);
    if (num_fits_i64(high))
        return cast(e, now,
                    arena_printf(a, "pkt_clamped((int64_t)%s, %s, %s)", from,
                                 cname_integer(a, num_greatest(now->low, num_i64(INT64_MIN)), STORAGE_I64),
                                 cname_integer(a, num_least(now->high, num_i64(INT64_MAX)), STORAGE_I64)));
    return cast(e, now,
                arena_printf(a, "pkt_clamped_unsigned(%s, %s, %s)", from,
                             cname_integer(a, num_greatest(now->low, num_u64(0)), STORAGE_U64),
                             cname_integer(a, now->high, STORAGE_U64)));
}

static double power_of_2(unsigned bits)
{
    double power = 1;
    while (bits-- > 0)
        power *= 2;
    return power;
}

/* An integer or fixed number, from any number except one with as many fraction bits. */
static const char *integer_of_number(const emitter *e, const type *old, const type *now, const char *from)
{
    arena *a = e->arena;
    const char *wide;
    if (type_row_of(old)->sort == SORT_REAL) {
        wide = arena_printf(a, "pkt_wide_real(%s%s, %s)", old->storage == STORAGE_FLOAT ? "(double)" : "", from,
                            cname_real(a, power_of_2(now->fraction_bits), STORAGE_DOUBLE));
    } else {
        wide = arena_printf(a, storage_is_signed(old->storage) ? "pkt_wide_signed(%s)" : "pkt_wide_unsigned(%s)", from);
        if (now->fraction_bits > old->fraction_bits)
            wide = arena_printf(a, "pkt_wide_up(%s, %u)", wide, now->fraction_bits - old->fraction_bits);
        if (now->fraction_bits < old->fraction_bits)
            wide = arena_printf(a, "pkt_wide_down(%s, %u)", wide, old->fraction_bits - now->fraction_bits);
    }
    const bool is_signed = storage_is_signed(now->storage);
    const storage st = is_signed ? STORAGE_I64 : STORAGE_U64;
    return cast(e, now,
                arena_printf(a, "%s(%s, %s, %s)", is_signed ? "pkt_narrow" : "pkt_narrow_unsigned", wide,
                             cname_integer(a, now->low, st), cname_integer(a, now->high, st)));
}

static const char *real_of_number(const emitter *e, const type *old, const type *now, const char *from)
{
    arena *a = e->arena;
    const bool is_real_now = type_row_of(old)->sort == SORT_REAL;
    const bool inside =
        old->kind == TYPE_QUANTIZED && old->real_low >= now->real_low && old->real_high <= now->real_high;
    if (is_real_now && old->storage == now->storage && (now->kind != TYPE_QUANTIZED || inside))
        return from;
    const char *wide = is_real_now && old->storage == STORAGE_DOUBLE ? from : arena_printf(a, "(double)%s", from);
    if (!is_real_now && old->fraction_bits != 0)
        wide = arena_printf(a, "%s / %s", wide, cname_real(a, power_of_2(old->fraction_bits), STORAGE_DOUBLE));
    if (now->kind == TYPE_QUANTIZED) {
        const double base = now->real_low <= 0 && now->real_high >= 0 ? 0 : now->real_low;
        wide = arena_printf(a, "%s(%s, %s, %s, %s)", now->wraps ? "pkt_real_around" : "pkt_real_in", wide,
                            cname_real(a, now->real_low, STORAGE_DOUBLE), cname_real(a, now->real_high, STORAGE_DOUBLE),
                            cname_real(a, base, STORAGE_DOUBLE));
        return now->storage == STORAGE_FLOAT ? arena_printf(a, "(float)%s", wide) : wide;
    }
    return now->storage == STORAGE_FLOAT ? arena_printf(a, "pkt_float_of(%s)", wide) : wide;
}

const char *spell_clamped_number(const emitter *e, const type *t, const char *from)
{
    const bool is_signed = storage_is_signed(t->storage);
    const storage st = is_signed ? STORAGE_I64 : STORAGE_U64;
    return cast(e, t,
                arena_printf(e->arena, "%s(%s, %s, %s)", is_signed ? "pkt_clamped" : "pkt_clamped_unsigned", from,
                             cname_integer(e->arena, t->low, st), cname_integer(e->arena, t->high, st)));
}

const char *spell_number_now(const emitter *e, const type *old, const type *now, const char *from)
{
    const value_sort was = type_row_of(old)->sort;
    if (is_real(now))
        return real_of_number(e, old, now, from);
    return was != SORT_REAL && old->fraction_bits == now->fraction_bits ? integer_of_integer(e, old, now, from)
                                                                        : integer_of_number(e, old, now, from);
}
