/* pkt_reflect.c - walks through values by descriptions of their types, and prints them, as one of many visitors.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_reflect.h"

#include "pkt_value.h"

#include <stdlib.h>
#include <string.h>

enum { PKT_MOST_DIMS = sizeof(((pkt_member *)0)->dims) / sizeof(uint32_t) };

/* ---- members --------------------------------------------------------------------------------------- */

static pkt_part pkt_part_at(size_t offset, size_t size)
{
    pkt_part p;
    p.offset = offset;
    p.size = size;
    return p;
}

static size_t pkt_element_count(const pkt_member *m)
{
    size_t count = 1;
    for (int d = 0; d < PKT_MOST_DIMS && m->dims[d] != 0; d++)
        count *= m->dims[d];
    return count;
}

/* The bits of a value; 0 if they vary. */
static unsigned pkt_member_bits(const pkt_entry *e)
{
    switch ((pkt_entry_kind)e->kind) {
#define PKT_LEAF_BITS(kind, bits, last, changes, plain) \
    case PKT_ENTRY_##kind: return bits;
        PKT_ENTRY_LEAVES(PKT_LEAF_BITS)
#undef PKT_LEAF_BITS
        PKT_ENTRY_OTHERS(PKT_CASE) break;
    }
    return 0;
}

static void pkt_find_bounds(pkt_member *m, const pkt_entry *e)
{
    const pkt_bounds *bounds = (const pkt_bounds *)e->of;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BOOL: m->high = 1; return;
    case PKT_ENTRY_BITS:
        if (e->low != 0) {
            m->low = 0 - e->low;
            m->high = e->low - 1;
        } else if (m->kind != PKT_KIND_FLOAT) {
            m->high = pkt_mask(e->bits);
        }
        return;
    case PKT_ENTRY_INT:
    case PKT_ENTRY_ENUM:
    case PKT_ENTRY_KEY:
    case PKT_ENTRY_CLAMPED:
        m->low = e->low;
        m->high = e->low + e->span;
        return;
    case PKT_ENTRY_QUANTIZED:
        m->real_low = bounds->low;
        m->real_high = bounds->high;
        m->step = (bounds->high - bounds->low) / (double)(pkt_entry_last(e) + ((e->flags & PKT_ENTRY_WRAPS) != 0));
        return;
    case PKT_ENTRY_COMPACT:
    case PKT_ENTRY_AFTER: m->high = pkt_mask(8 * (unsigned)e->size); return;
    case PKT_ENTRY_HALF:
    case PKT_ENTRY_OR_RAW:
    case PKT_ENTRY_QUAT:
    case PKT_ENTRY_UNIT:
    case PKT_ENTRY_REF: PKT_ENTRY_OTHERS(PKT_CASE) m->high = e->span; return;
    }
}

/* Describes the value of a field, or of each element. */
static void pkt_find_value(pkt_member *m, const pkt_entry *e)
{
    const size_t count = pkt_element_count(m);
    m->kind = (pkt_kind)e->as;
    m->value = pkt_part_at(e->offset, count * pkt_entry_size(e));
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_STRUCT:
    case PKT_ENTRY_MEMBER:
        m->type = (const pkt_type *)e->of;
        m->kind = m->type->kind;
        return;
    case PKT_ENTRY_BYTES:
        m->kind = PKT_KIND_BYTES;
        m->sizes = pkt_part_at(e[1].offset, count * e[1].size);
        break;
    case PKT_ENTRY_TEXT:
        m->kind = PKT_KIND_STRING;
        break;
        PKT_ENTRY_LEAVES(PKT_CASE_LEAF)
        PKT_ENTRY_GAPS(PKT_CASE)
        PKT_ENTRY_HOLDERS(PKT_CASE)
    case PKT_ENTRY_UNION:
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE: break;
    }
    if (m->kind == PKT_KIND_ENUM || m->kind == PKT_KIND_FLAGS || m->kind == PKT_KIND_REF)
        m->type = (const pkt_type *)e->of;
    m->bits = pkt_member_bits(e);
    m->fraction_bits = e->fraction_bits;
    pkt_find_bounds(m, e);
}

/* Describes one dimension of an array. */
static void pkt_find_dimension(pkt_member *m, const pkt_entry *e, int dimension)
{
    m->dims[dimension] = (uint32_t)e->span;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_COUNTED:
        m->dims[dimension] += (uint32_t)e->low;
        m->shape = PKT_COUNTED;
        m->count = pkt_part_at(e->other, e->size);
        return;
    case PKT_ENTRY_COMPUTED:
        m->shape = PKT_COMPUTED;
        m->computed = (unsigned)e->low;
        return;
    case PKT_ENTRY_SPARSE:
        m->shape = PKT_SPARSE;
        m->count = pkt_part_at(e->other, ((size_t)e->span + 63) / 64 * sizeof(uint64_t));
        return;
    case PKT_ENTRY_ARRAY:
    case PKT_ENTRY_OPTIONAL:
    case PKT_ENTRY_UNLESS:
        PKT_ENTRY_LEAVES(PKT_CASE_LEAF)
        PKT_ENTRY_GAPS(PKT_CASE)
        PKT_ENTRY_VALUES(PKT_CASE)
        PKT_ENTRY_LISTS(PKT_CASE) m->shape = m->shape == PKT_ONE ? PKT_ARRAY : m->shape;
        return;
    }
}

static PKT_COLD void pkt_find_member(pkt_member *m, const pkt_entry *e)
{
    memset(m, 0, sizeof *m);
    m->next = pkt_entry_after(e);
    if (e->kind == PKT_ENTRY_OPTIONAL) {
        m->has = pkt_part_at(e->other, sizeof(bool));
        e++;
    }
    m->name = e->name;
    for (int dimension = 0; e->kind > PKT_ENTRY_BYTES && e->kind < PKT_ENTRY_UNION; e++)
        if (e->kind != PKT_ENTRY_UNLESS)
            pkt_find_dimension(m, e, dimension++);
    pkt_find_value(m, e);
}

static bool pkt_describes_member(const pkt_entry *e)
{
    switch ((pkt_entry_kind)e->kind) {
        PKT_ENTRY_GAPS(PKT_CASE)
    case PKT_ENTRY_UNION:
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE: return false;
    case PKT_ENTRY_MEMBER:
        PKT_ENTRY_LEAVES(PKT_CASE_LEAF)
        PKT_ENTRY_VALUES(PKT_CASE)
        PKT_ENTRY_HOLDERS(PKT_CASE) break;
    }
    return true;
}

bool pkt_next_member(const pkt_type *type, pkt_member *member)
{
    const pkt_entry *e = member->next != NULL ? member->next : type->entries, *end = pkt_type_end(type),
                    *side_end = member->side_end;
    if (type->kind != PKT_KIND_STRUCT && type->kind != PKT_KIND_UNION)
        return false;
    for (; e != end && !pkt_describes_member(e); e++)
        if (e->kind == PKT_ENTRY_BRANCH && (side_end == NULL || e >= side_end))
            side_end = pkt_entry_after(e);
    if (e == end)
        return false;
    pkt_find_member(member, e);
    member->side_end = side_end;
    member->conditional = side_end != NULL && e < side_end;
    return true;
}

bool pkt_chosen_member(const pkt_type *type, const void *value, pkt_member *member)
{
    const pkt_entry *tag = type->entries;
    uint64_t chosen;
    if (type->kind != PKT_KIND_UNION)
        return false;
    chosen = pkt_entry_load((const char *)value + tag->offset, tag->size);
    if (chosen > tag->span)
        return false;
    pkt_find_member(member, tag + 1 + chosen);
    return true;
}

static uint64_t pkt_load_part(const uint8_t *base, pkt_part from)
{
    return pkt_entry_load(base + from.offset, (unsigned)from.size);
}

static uint64_t pkt_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- walking --------------------------------------------------------------------------------------- */

typedef struct pkt_reflect_walk {
    pkt_visitor *visit;
    void *user;
    uint32_t depth;
} pkt_reflect_walk;

static bool pkt_reflect_step(pkt_reflect_walk *w, pkt_item *item, pkt_step what)
{
    bool ends = what == PKT_STEP_ARRAY_END || what == PKT_STEP_STRUCT_END || what == PKT_STEP_UNION_END;
    bool begins = what == PKT_STEP_ARRAY || what == PKT_STEP_STRUCT || what == PKT_STEP_UNION;
    if (ends)
        w->depth--;
    item->step = what;
    item->depth = w->depth;
    if (begins)
        w->depth++;
    return w->visit(w->user, item);
}

static PKT_COLD bool pkt_walk_member(pkt_reflect_walk *w, const pkt_type *owner, const pkt_member *m,
                                     const uint8_t *base);

static bool pkt_walk_struct(pkt_reflect_walk *w, pkt_item *item)
{
    pkt_member m;
    if (!pkt_reflect_step(w, item, PKT_STEP_STRUCT))
        return false;
    memset(&m, 0, sizeof m);
    while (pkt_next_member(item->type, &m))
        if (!pkt_walk_member(w, item->type, &m, (const uint8_t *)item->value))
            return false;
    return pkt_reflect_step(w, item, PKT_STEP_STRUCT_END);
}

static bool pkt_walk_union(pkt_reflect_walk *w, pkt_item *item)
{
    pkt_member m;
    if (!pkt_reflect_step(w, item, PKT_STEP_UNION))
        return false;
    if (pkt_chosen_member(item->type, item->value, &m) &&
        !pkt_walk_member(w, item->type, &m, (const uint8_t *)item->value))
        return false;
    return pkt_reflect_step(w, item, PKT_STEP_UNION_END);
}

static PKT_COLD bool pkt_walk_value(pkt_reflect_walk *w, pkt_item *item)
{
    switch (item->kind) {
    case PKT_KIND_STRUCT: return pkt_walk_struct(w, item);
    case PKT_KIND_UNION: return pkt_walk_union(w, item);
    case PKT_KIND_BOOL:
    case PKT_KIND_UNSIGNED:
    case PKT_KIND_SIGNED:
    case PKT_KIND_FIXED:
    case PKT_KIND_FLOAT:
    case PKT_KIND_QUAT:
    case PKT_KIND_UNIT:
    case PKT_KIND_STRING:
    case PKT_KIND_BYTES:
    case PKT_KIND_REF:
    case PKT_KIND_ENUM:
    case PKT_KIND_FLAGS: break;
    }
    return pkt_reflect_step(w, item, PKT_STEP_VALUE);
}

/* Visits one element; `before` elements, of all dimensions, come before it. */
static bool pkt_walk_element(pkt_reflect_walk *w, pkt_item item, const uint8_t *base, size_t before)
{
    const pkt_member *m = item.member;
    const uint8_t *at = base + m->value.offset + before * item.size;
    const void *end;
    size_t each;
    item.value = at;
    switch (m->kind) {
    case PKT_KIND_STRING:
        end = memchr(at, 0, item.size);
        item.size = end != NULL ? (size_t)((const uint8_t *)end - at) : item.size;
        break;
    case PKT_KIND_BYTES:
        each = m->sizes.size / pkt_element_count(m);
        item.size =
            (size_t)pkt_least(pkt_entry_load(base + m->sizes.offset + before * each, (unsigned)each), item.size);
        break;
    case PKT_KIND_BOOL:
    case PKT_KIND_UNSIGNED:
    case PKT_KIND_SIGNED:
    case PKT_KIND_FIXED:
    case PKT_KIND_FLOAT:
    case PKT_KIND_QUAT:
    case PKT_KIND_UNIT:
    case PKT_KIND_REF:
    case PKT_KIND_ENUM:
    case PKT_KIND_FLAGS:
    case PKT_KIND_STRUCT:
    case PKT_KIND_UNION: break;
    }
    return pkt_walk_value(w, &item);
}

static bool pkt_reflect_is_present(const pkt_member *m, const uint8_t *base, uint32_t index)
{
    return (pkt_entry_load(base + m->count.offset + index / 64 * 8, 8) >> index % 64 & 1) != 0;
}

/* Visits one dimension of an array; `before` elements come before its first one. */
static PKT_COLD bool pkt_walk_dimension(pkt_reflect_walk *w, pkt_item item, const uint8_t *base, int dimension,
                                        size_t before)
{
    const pkt_member *m = item.member;
    bool innermost = dimension + 1 == PKT_MOST_DIMS || m->dims[dimension + 1] == 0;
    size_t inside = 1;
    uint32_t count = m->dims[dimension];
    pkt_item element = item;
    for (int d = dimension + 1; d < PKT_MOST_DIMS && m->dims[d] != 0; d++)
        inside *= m->dims[d];
    if (m->shape == PKT_COUNTED)
        count = (uint32_t)pkt_least(pkt_load_part(base, m->count), count);
    if (m->shape == PKT_COMPUTED)
        count = item.owner->side(base, m->computed);
    item.value = base + m->value.offset + before * item.size;
    if (!pkt_reflect_step(w, &item, PKT_STEP_ARRAY))
        return false;
    element.element = true;
    for (uint32_t i = 0; i < count; i++) {
        bool good;
        if (m->shape == PKT_SPARSE && !pkt_reflect_is_present(m, base, i))
            continue;
        element.index = i;
        good = innermost ? pkt_walk_element(w, element, base, before + i)
                         : pkt_walk_dimension(w, element, base, dimension + 1, before + i * inside);
        if (!good)
            return false;
    }
    return pkt_reflect_step(w, &item, PKT_STEP_ARRAY_END);
}

static bool pkt_walk_member(pkt_reflect_walk *w, const pkt_type *owner, const pkt_member *m, const uint8_t *base)
{
    pkt_item item;
    if (m->has.size != 0 && pkt_load_part(base, m->has) == 0)
        return true;
    memset(&item, 0, sizeof item);
    item.kind = m->kind;
    item.member = m;
    item.type = m->type;
    item.owner = owner;
    item.size = m->value.size / pkt_element_count(m);
    return m->shape == PKT_ONE ? pkt_walk_element(w, item, base, 0) : pkt_walk_dimension(w, item, base, 0, 0);
}

bool pkt_visit(const pkt_type *type, const void *value, pkt_visitor *visit, void *user)
{
    pkt_reflect_walk w;
    pkt_item item;
    w.visit = visit;
    w.user = user;
    w.depth = 0;
    memset(&item, 0, sizeof item);
    item.kind = type->kind;
    item.type = type;
    item.value = value;
    item.size = type->size;
    return pkt_walk_value(&w, &item);
}

/* ---- values ---------------------------------------------------------------------------------------- */

uint64_t pkt_item_integer(const pkt_item *item)
{
    uint64_t v, sign;
    switch (item->kind) {
    case PKT_KIND_BOOL: return pkt_entry_load(item->value, (unsigned)item->size) != 0;
    case PKT_KIND_UNSIGNED:
    case PKT_KIND_ENUM:
    case PKT_KIND_FLAGS: return pkt_entry_load(item->value, (unsigned)item->size);
    case PKT_KIND_SIGNED:
    case PKT_KIND_FIXED:
        v = pkt_entry_load(item->value, (unsigned)item->size);
        sign = UINT64_C(1) << (8 * item->size - 1);
        return (v ^ sign) - sign;
    case PKT_KIND_FLOAT:
    case PKT_KIND_QUAT:
    case PKT_KIND_UNIT:
    case PKT_KIND_STRING:
    case PKT_KIND_BYTES:
    case PKT_KIND_REF:
    case PKT_KIND_STRUCT:
    case PKT_KIND_UNION: break;
    }
    return 0;
}

/* The sign in two's complement. Conversion to a signed type would be implementation-defined. */
static bool pkt_is_negative(uint64_t v)
{
    return v >> 63 != 0;
}

static float pkt_reflect_load_float(const void *from)
{
    float v;
    memcpy(&v, from, sizeof v);
    return v;
}

double pkt_item_real(const pkt_item *item)
{
    double v;
    uint64_t raw;
    if (item->kind == PKT_KIND_FIXED) {
        raw = pkt_item_integer(item);
        v = pkt_is_negative(raw) ? -(double)(0 - raw) : (double)raw;
        return v / (double)(UINT64_C(1) << item->member->fraction_bits);
    }
    if (item->kind != PKT_KIND_FLOAT)
        return 0.0;
    if (item->size == sizeof(float))
        return (double)pkt_reflect_load_float(item->value);
    memcpy(&v, item->value, sizeof v);
    return v;
}

const char *pkt_enum_name(const pkt_type *type, uint64_t value)
{
    for (uint32_t i = 0; type->names != NULL && i < type->count; i++)
        if (type->names[i].value == value)
            return type->names[i].name;
    return NULL;
}

/* ---- printing -------------------------------------------------------------------------------------- */

/* Line breaks are printed before a line instead of after it, so that the next item decides whether there is one. */
typedef struct pkt_printer {
    pkt_sink *sink;
    void *user;
    unsigned indent;
    bool first; /* nothing has been printed yet of the innermost array, struct or union */
} pkt_printer;

static void pkt_reflect_put_bytes(pkt_printer *p, const char *text, size_t size)
{
    if (size != 0)
        p->sink(p->user, text, size);
}

static void pkt_reflect_put(pkt_printer *p, const char *text)
{
    pkt_reflect_put_bytes(p, text, strlen(text));
}

static void pkt_put_line(pkt_printer *p)
{
    pkt_reflect_put(p, "\n");
    for (unsigned i = 0; i < p->indent; i++)
        pkt_reflect_put(p, "    ");
}

static void pkt_put_unsigned(pkt_printer *p, uint64_t v)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + v % 10);
        v /= 10;
    } while (v != 0);
    pkt_reflect_put_bytes(p, digits + at, sizeof digits - at);
}

static void pkt_put_signed(pkt_printer *p, uint64_t v)
{
    if (pkt_is_negative(v))
        pkt_reflect_put(p, "-");
    pkt_put_unsigned(p, pkt_is_negative(v) ? 0 - v : v);
}

static void pkt_put_hex(pkt_printer *p, uint8_t value)
{
    static const char digits[] = "0123456789abcdef";
    char text[2];
    text[0] = digits[value >> 4];
    text[1] = digits[value & 15];
    pkt_reflect_put_bytes(p, text, 2);
}

/* The digits by which a tie is known, and the size of the text of a number with them. */
enum { PKT_REFLECT_MORE = 20, PKT_REFLECT_REAL = 80 };

/* Prints v with so many decimals, with or without an exponent. C libraries round ties in different directions. Here a tie
 * goes to the even digit: 1.20703125 with 7 decimals is 1.2070312. */
static void pkt_reflect_real(char text[PKT_REFLECT_REAL], bool exponent, int decimals, double v)
{
    char *cut;
    snprintf(text, PKT_REFLECT_REAL, exponent ? "%.*e" : "%.*f", decimals + PKT_REFLECT_MORE, v);
    cut = text + strcspn(text, "e") - PKT_REFLECT_MORE;
    if (*cut == '5' && strspn(cut + 1, "0") == PKT_REFLECT_MORE - 1 && cut[-1] >= '0' && cut[-1] % 2 == 0)
        memmove(cut, cut + PKT_REFLECT_MORE, strlen(cut + PKT_REFLECT_MORE) + 1);
    else
        snprintf(text, PKT_REFLECT_REAL, exponent ? "%.*e" : "%.*f", decimals, v);
}

/* Prints v, or (float)v if single, with the fewest digits that read back as the same number. 0.00001 is the least and
 * 9999999999999998 the greatest number that is printed without an exponent. */
static void pkt_put_real(pkt_printer *p, double v, bool single)
{
    char text[PKT_REFLECT_REAL];
    int decimals = 0, exponent;
    if (v != v) {
        pkt_reflect_put(p, "nan");
        return;
    }
    if (v - v != 0.0) {
        pkt_reflect_put(p, v > 0.0 ? "inf" : "-inf");
        return;
    }
    for (; decimals < 17; decimals++) {
        pkt_reflect_real(text, true, decimals, v);
        if (single ? strtof(text, NULL) == (float)v : strtod(text, NULL) == v)
            break;
    }
    exponent = atoi(strchr(text, 'e') + 1);
    if (exponent >= -5 && exponent < 16)
        pkt_reflect_real(text, false, decimals > exponent ? decimals - exponent : 0, v);
    /* A point, whatever the locale uses. */
    for (char *c = text; *c != 0; c++)
        if (strchr("+-0123456789.e", *c) == NULL)
            *c = '.';
    pkt_reflect_put(p, text);
}

/* Prints raw / 2^fraction_bits with all its digits. */
static void pkt_put_fixed(pkt_printer *p, uint64_t raw, unsigned fraction_bits)
{
    uint64_t size = pkt_is_negative(raw) ? 0 - raw : raw, fraction;
    if (pkt_is_negative(raw))
        pkt_reflect_put(p, "-");
    pkt_put_unsigned(p, size >> fraction_bits);
    fraction = fraction_bits != 0 ? size << (64 - fraction_bits) : 0;
    if (fraction != 0)
        pkt_reflect_put(p, ".");
    while (fraction != 0) {
        uint64_t low = (fraction & UINT32_MAX) * 10, high = (fraction >> 32) * 10 + (low >> 32);
        pkt_put_unsigned(p, high >> 32);
        fraction = high << 32 | (low & UINT32_MAX);
    }
}

static void pkt_put_components(pkt_printer *p, const void *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pkt_reflect_put(p, i == 0 ? "(" : ", ");
        pkt_put_real(p, (double)pkt_reflect_load_float((const uint8_t *)from + i * sizeof(float)), true);
    }
    pkt_reflect_put(p, ")");
}

static void pkt_put_enum(pkt_printer *p, const pkt_type *type, uint64_t v)
{
    const char *name = pkt_enum_name(type, v);
    if (name != NULL)
        pkt_reflect_put(p, name);
    else
        pkt_put_unsigned(p, v);
}

static void pkt_put_flags(pkt_printer *p, const pkt_type *type, uint64_t v)
{
    const char *between = "";
    for (uint32_t i = 0; i < type->count; i++) {
        if ((v & type->names[i].value) == 0)
            continue;
        pkt_reflect_put(p, between);
        pkt_reflect_put(p, type->names[i].name);
        between = " | ";
        v &= ~type->names[i].value;
    }
    if (v == 0 && between[0] != 0)
        return;
    pkt_reflect_put(p, between);
    pkt_put_unsigned(p, v);
}

/* The number of bytes of the UTF-8 character at `text`, or 0 if there is none. */
static size_t pkt_character_size(const uint8_t *text, size_t size)
{
    for (size_t n = 1; n <= 4 && n <= size; n++)
        if (pkt_text_valid(text, n))
            return n;
    return 0;
}

/* The number of a character of up to three bytes. */
static unsigned pkt_character(const uint8_t *text, size_t size)
{
    if (size == 1)
        return text[0];
    if (size == 2)
        return (text[0] & 0x1Fu) << 6 | (text[1] & 0x3Fu);
    return (text[0] & 0x0Fu) << 12 | (text[1] & 0x3Fu) << 6 | (text[2] & 0x3Fu);
}

/* Whether a character must not be printed as it is: a control character, or one that changes the direction of the text
 * around it. */
static bool pkt_is_unshown(const uint8_t *text, size_t size)
{
    const unsigned c = size <= 3 ? pkt_character(text, size) : 'a';
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

static void pkt_put_text(pkt_printer *p, const uint8_t *text, size_t size)
{
    pkt_reflect_put(p, "\"");
    while (size != 0) {
        size_t taken = pkt_character_size(text, size);
        if (*text == '"' || *text == '\\') {
            pkt_reflect_put(p, "\\");
            pkt_reflect_put_bytes(p, (const char *)text, 1);
        } else if (*text == '\n') {
            pkt_reflect_put(p, "\\n");
        } else if (*text == '\t') {
            pkt_reflect_put(p, "\\t");
        } else if (taken == 0) {
            pkt_reflect_put(p, "\\x");
            pkt_put_hex(p, *text);
            taken = 1;
        } else if (pkt_is_unshown(text, taken)) {
            const unsigned c = pkt_character(text, taken);
            pkt_reflect_put(p, "\\u");
            pkt_put_hex(p, (uint8_t)(c >> 8));
            pkt_put_hex(p, (uint8_t)c);
        } else {
            pkt_reflect_put_bytes(p, (const char *)text, taken);
        }
        text += taken;
        size -= taken;
    }
    pkt_reflect_put(p, "\"");
}

static void pkt_put_raw(pkt_printer *p, const uint8_t *bytes, size_t size)
{
    pkt_reflect_put(p, "<");
    for (size_t i = 0; i < size; i++) {
        if (i != 0)
            pkt_reflect_put(p, " ");
        pkt_put_hex(p, bytes[i]);
    }
    pkt_reflect_put(p, ">");
}

static void pkt_put_ref(pkt_printer *p, const pkt_item *item)
{
    const void *target;
    memcpy(&target, item->value, sizeof target);
    pkt_reflect_put(p, target == NULL ? "null" : "-> ");
    if (target != NULL)
        pkt_reflect_put(p, item->type->name);
}

static void pkt_put_value(pkt_printer *p, const pkt_item *item)
{
    uint64_t v = pkt_item_integer(item);
    switch (item->kind) {
    case PKT_KIND_BOOL: pkt_reflect_put(p, v != 0 ? "true" : "false"); break;
    case PKT_KIND_UNSIGNED: pkt_put_unsigned(p, v); break;
    case PKT_KIND_SIGNED: pkt_put_signed(p, v); break;
    case PKT_KIND_FIXED: pkt_put_fixed(p, v, item->member->fraction_bits); break;
    case PKT_KIND_FLOAT: pkt_put_real(p, pkt_item_real(item), item->size == sizeof(float)); break;
    case PKT_KIND_QUAT: pkt_put_components(p, item->value, 4); break;
    case PKT_KIND_UNIT: pkt_put_components(p, item->value, 3); break;
    case PKT_KIND_STRING: pkt_put_text(p, (const uint8_t *)item->value, item->size); break;
    case PKT_KIND_BYTES: pkt_put_raw(p, (const uint8_t *)item->value, item->size); break;
    case PKT_KIND_REF: pkt_put_ref(p, item); break;
    case PKT_KIND_ENUM: pkt_put_enum(p, item->type, v); break;
    case PKT_KIND_FLAGS: pkt_put_flags(p, item->type, v); break;
    case PKT_KIND_STRUCT:
    case PKT_KIND_UNION: break;
    }
}

/* Arrays of values are on one line; those of structs and unions have a line for each element. */
static bool pkt_has_lines(const pkt_item *item)
{
    return item->kind == PKT_KIND_STRUCT || item->kind == PKT_KIND_UNION;
}

/* Prints what comes before an item: its name or index, on a new line if it has one. */
static void pkt_put_label(pkt_printer *p, const pkt_item *item)
{
    if (item->member == NULL) {
        pkt_reflect_put(p, item->type->name);
        pkt_reflect_put(p, item->kind == PKT_KIND_STRUCT ? " " : ": ");
    } else if (!item->element && item->owner->kind == PKT_KIND_UNION) {
        pkt_reflect_put(p, item->member->name);
        pkt_reflect_put(p, " ");
    } else if (!item->element) {
        pkt_put_line(p);
        pkt_reflect_put(p, item->member->name);
        pkt_reflect_put(p, ": ");
    } else {
        if (pkt_has_lines(item))
            pkt_put_line(p);
        else if (!p->first)
            pkt_reflect_put(p, ", ");
        if (pkt_has_lines(item) || item->member->shape == PKT_SPARSE) {
            pkt_put_unsigned(p, item->index);
            pkt_reflect_put(p, ": ");
        }
    }
}

static void pkt_begin(pkt_printer *p, const char *bracket, bool lines)
{
    pkt_reflect_put(p, bracket);
    p->first = true;
    if (lines)
        p->indent++;
}

static void pkt_reflect_end(pkt_printer *p, const char *bracket, bool lines)
{
    if (lines)
        p->indent--;
    if (lines && !p->first)
        pkt_put_line(p);
    pkt_reflect_put(p, bracket);
    p->first = false;
}

static PKT_COLD bool pkt_print_item(void *user, const pkt_item *item)
{
    pkt_printer *p = (pkt_printer *)user;
    switch (item->step) {
    case PKT_STEP_VALUE:
        pkt_put_label(p, item);
        pkt_put_value(p, item);
        p->first = false;
        break;
    case PKT_STEP_ARRAY:
        pkt_put_label(p, item);
        pkt_begin(p, "[", pkt_has_lines(item));
        break;
    case PKT_STEP_STRUCT:
        pkt_put_label(p, item);
        pkt_begin(p, "{", true);
        break;
    case PKT_STEP_UNION:
        pkt_put_label(p, item);
        p->first = true;
        break;
    case PKT_STEP_ARRAY_END: pkt_reflect_end(p, "]", pkt_has_lines(item)); break;
    case PKT_STEP_STRUCT_END: pkt_reflect_end(p, "}", true); break;
    case PKT_STEP_UNION_END:
        if (p->first)
            pkt_reflect_put(p, "?");
        p->first = false;
        break;
    }
    return true;
}

void pkt_print_to(pkt_sink *sink, void *user, const pkt_type *type, const void *value)
{
    pkt_printer p;
    p.sink = sink;
    p.user = user;
    p.indent = 0;
    p.first = true;
    pkt_visit(type, value, pkt_print_item, &p);
    pkt_reflect_put(&p, "\n");
}

static void pkt_print_to_file(void *user, const char *text, size_t size)
{
    fwrite(text, 1, size, (FILE *)user);
}

void pkt_print(FILE *to, const pkt_type *type, const void *value)
{
    pkt_print_to(pkt_print_to_file, to, type, value);
}
