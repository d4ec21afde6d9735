/* reflected.c - implements reflected.h.
 * SPDX-License-Identifier: MIT
 */
#include "reflected.h"
#include "spot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON */

/* What stands behind a value: a comma, a bracket, or the end. */
static const char *json_end(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"')
            for (at++; *at != '"'; at++)
                at += *at == '\\';
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    } while (depth > 0 || (*at && !strchr(",]}", *at)));
    return at;
}

/* The next element of an array, or key of an object; or the bracket behind the last one. */
static const char *json_next(const char *at)
{
    const char *end = json_end(at);
    return end + (*end == ',');
}

/* The value of a key: a plain word in quotes. */
static const char *json_value(const char *key)
{
    return strchr(key + 1, '"') + 2;
}

static bool json_is_key(const char *key, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(key + 1, name, length) == 0 && key[1 + length] == '"';
}

const char *json_at(const char *object, const char *name)
{
    for (const char *key = object + 1; *key == '"'; key = json_next(json_value(key)))
        if (json_is_key(key, name))
            return json_value(key);
    return NULL;
}

uint64_t json_count(const char *json)
{
    return json ? strtoull(json + (*json == '"'), NULL, 0) : 0;
}

/* How many elements have values: all of a sparse array have, since those that are absent have base values. */
static size_t count_of(const pkt_type *type, const pkt_member *m, const void *at)
{
    if (m->shape == PKT_COMPUTED)
        return type->side(at, m->computed);
    return m->shape == PKT_COUNTED ? (size_t)load_part(at, m->count) : capacity_of(m);
}

/* ---- from JSON to structs */

static const char *put_integer(spot s, const char *json)
{
    const bool is_signed = s.member->kind == PKT_KIND_SIGNED || s.member->kind == PKT_KIND_FIXED;
    const uint64_t mask = UINT64_MAX >> (64 - 8 * s.value_size), most = is_signed ? mask / 2 : mask;
    if (*json == 't' || *json == 'f') {
        pkt_entry_store(s.value, s.value_size, *json == 't');
        return NULL;
    }
    json += *json == '"';
    const bool negative = *json == '-';
    char *end;
    errno = 0;
    const uint64_t n = strtoull(json + negative, &end, 10);
    if (end == json + negative || !strchr("\",]}", *end))
        fail("the value of '%s' is no integer", s.member->name);
    if (errno == ERANGE ||
        n > (!negative   ? most
             : is_signed ? most + 1
                         : 0) ||
        (s.member->kind == PKT_KIND_BOOL && n > 1))
        return "out of the C type";
    pkt_entry_store(s.value, s.value_size, negative ? 0 - n : n);
    return NULL;
}

/* A float or a double: its bits in quotes, or a number. */
static void put_real(uint8_t *to, size_t size, const char *json)
{
    const double number = strtod(json, NULL);
    const float single = (float)number;
    if (*json == '"')
        pkt_entry_store(to, (unsigned)size, json_count(json));
    else
        memcpy(to, size == sizeof single ? (const void *)&single : (const void *)&number, size);
}

static void put_components(spot s, const char *json)
{
    size_t done = 0;
    for (const char *at = json + 1; *at != ']' && done < s.value_size; at = json_next(at), done += sizeof(float))
        put_real(s.value + done, sizeof(float), at);
    if (done != s.value_size)
        fail("'%s' has another number of components", s.member->name);
}

/* A character of a text, which may be escaped as jansson escapes it. */
static char take_character(const char **at)
{
    static const char letters[] = "bfnrt", controls[] = "\b\f\n\r\t";
    const char c = *(*at)++;
    if (c != '\\')
        return c;
    const char escaped = *(*at)++, *letter = strchr(letters, escaped);
    if (letter)
        return controls[letter - letters];
    if (escaped != 'u')
        return escaped;
    *at += 4;
    const char digits[] = {(*at)[-2], (*at)[-1], 0};
    return (char)strtoul(digits, NULL, 16);
}

static const char *put_text(spot s, const char *json)
{
    size_t size = 0;
    for (const char *at = json + 1; *at != '"'; size++) {
        const char c = take_character(&at);
        if (c == '\0')
            return "a zero byte in a string";
        if (size + 1 == s.value_size)
            return "a string too long for its array";
        s.value[size] = (uint8_t)c;
    }
    s.value[size] = '\0';
    return NULL;
}

static const char *put_bytes(spot s, const char *json)
{
    size_t size = 0;
    for (const char *at = json + 1; *at != '"'; at += 2, size++) {
        const char digits[] = {at[0], at[1], 0};
        if (size == s.value_size)
            return "more bytes than their array has";
        s.value[size] = (uint8_t)strtoul(digits, NULL, 16);
    }
    pkt_entry_store(s.size, s.size_size, size);
    return NULL;
}

static const char *put_element(spot s, const char *json)
{
    void *ref;
    switch (s.member->kind) {
    case PKT_KIND_BOOL:
    case PKT_KIND_UNSIGNED:
    case PKT_KIND_SIGNED:
    case PKT_KIND_FIXED:
    case PKT_KIND_ENUM:
    case PKT_KIND_FLAGS: return put_integer(s, json);
    case PKT_KIND_FLOAT: put_real(s.value, s.value_size, json); return NULL;
    case PKT_KIND_QUAT:
    case PKT_KIND_UNIT: put_components(s, json); return NULL;
    case PKT_KIND_STRING: return put_text(s, json);
    case PKT_KIND_BYTES: return put_bytes(s, json);
    case PKT_KIND_REF:
        ref = (void *)(uintptr_t)json_count(json);
        memcpy(s.value, &ref, sizeof ref);
        return NULL;
    case PKT_KIND_STRUCT:
    case PKT_KIND_UNION: break;
    }
    /* Elements after the count have no base values. */
    if (s.member->shape == PKT_COUNTED)
        functions_of(s.member->type->name)->base(s.value);
    return put_json(s.member->type, s.value, json);
}

/* Puts the elements of a dimension, and of those inside it; `before` arrays of this dimension come before this one. */
static const char *put_elements(const pkt_member *m, void *at, size_t dimension, size_t before, const char *json)
{
    const bool innermost = dimension + 1 == sizeof m->dims / sizeof *m->dims || m->dims[dimension + 1] == 0;
    const char *why = NULL;
    size_t count = 0;
    for (const char *each = json + 1; *each != ']' && !why; each = json_next(each), count++) {
        const size_t index = before * m->dims[dimension] + count;
        if (count == m->dims[dimension])
            return "more elements than their array has";
        why = innermost ? put_element(spot_of(m, at, index), each) : put_elements(m, at, dimension + 1, index, each);
    }
    if (m->shape == PKT_COUNTED && dimension == 0)
        store_part(at, m->count, count);
    else if (!why && m->shape != PKT_COMPUTED && count != m->dims[dimension])
        fail("'%s' has another number of elements", m->name);
    return why;
}

static const char *put_sparse(const pkt_member *m, void *at, const char *json)
{
    const char *why = NULL;
    for (const char *pair = json + 1; *pair != ']' && !why; pair = json_next(pair)) {
        const uint64_t index = json_count(pair + 1);
        if (index >= m->dims[0])
            fail("'%s' has no element %" PRIu64, m->name, index);
        const pkt_part word = presence_of(m, (uint32_t)index);
        store_part(at, word, load_part(at, word) | UINT64_C(1) << index % 64);
        why = put_element(spot_of(m, at, (size_t)index), json_next(pair + 1));
    }
    return why;
}

static const char *put_member(const pkt_member *m, void *at, const char *json)
{
    if (m->has.size)
        store_part(at, m->has, *json != 'n');
    if (m->has.size && *json == 'n')
        return NULL;
    switch (m->shape) {
    case PKT_ONE: return put_element(spot_of(m, at, 0), json);
    case PKT_ARRAY:
    case PKT_COMPUTED:
    case PKT_COUNTED: return put_elements(m, at, 0, 0, json);
    case PKT_SPARSE: break;
    }
    return put_sparse(m, at, json);
}

const char *put_json(const pkt_type *type, void *at, const char *json)
{
    const char *why = NULL;
    for (const char *key = json + 1; *key == '"' && !why; key = json_next(json_value(key))) {
        pkt_member m = {0};
        uint64_t number = 0;
        while (pkt_next_member(type, &m) && !json_is_key(key, m.name))
            number++;
        if (!json_is_key(key, m.name))
            fail("'%s' has no %.20s", type->name, key);
        if (type->kind == PKT_KIND_UNION) {
            store_part(at, tag_of(type), number);
            functions_of(m.type->name)->base((uint8_t *)at + m.value.offset);
        }
        why = put_member(&m, at, json_value(key));
    }
    return why;
}

/* ---- comparing and checking */

/* What a read leaves behind the end of a string or of bytes means nothing, and may be unset. */
static bool same_string(spot got, spot want)
{
    return memchr(got.value, '\0', got.value_size) && strcmp((char *)got.value, (char *)want.value) == 0;
}

static bool same_bytes(spot got, spot want)
{
    const uint64_t size = pkt_entry_load(got.size, got.size_size);
    return pkt_entry_load(want.size, want.size_size) == size && memcmp(got.value, want.value, (size_t)size) == 0;
}

static void same_element(spot got, spot want)
{
    bool same = true;
    if (got.member->kind == PKT_KIND_STRUCT || got.member->kind == PKT_KIND_UNION)
        same_values(got.member->type, got.value, want.value);
    else if (got.member->kind == PKT_KIND_STRING)
        same = same_string(got, want);
    else if (got.member->kind == PKT_KIND_BYTES)
        same = same_bytes(got, want);
    else
        same = memcmp(got.value, want.value, got.value_size) == 0;
    if (!same)
        fail("%s differs", got.member->name);
}

static void same_part(const char *name, pkt_part part, const void *got, const void *want)
{
    if (part.size && memcmp((const uint8_t *)got + part.offset, (const uint8_t *)want + part.offset, part.size) != 0)
        fail("the presence, count or tag of %s differs", name);
}

void same_values(const pkt_type *type, const void *got, const void *want)
{
    pkt_member m = {0};
    if (type->kind == PKT_KIND_UNION) {
        same_part(type->name, tag_of(type), got, want);
        if (pkt_chosen_member(type, want, &m))
            same_element(spot_of(&m, got, 0), spot_of(&m, want, 0));
        return;
    }
    while (pkt_next_member(type, &m)) {
        same_part(m.name, m.has, got, want);
        if (m.has.size && !load_part(want, m.has))
            continue;
        same_part(m.name, m.count, got, want);
        for (size_t i = 0; i < count_of(type, &m, want); i++)
            same_element(spot_of(&m, got, i), spot_of(&m, want, i));
    }
}

/* An enum that fills its bits may have all their values. The key of a list has no bits of its own, and its enum no gaps. */
static bool is_sane_enum(spot s)
{
    const uint64_t n = pkt_entry_load(s.value, s.value_size);
    const bool full =
        s.member->bits > 0 ? s.member->high == pkt_mask(s.member->bits) : (s.member->high & (s.member->high + 1)) == 0;
    return n <= s.member->high && (full || pkt_enum_name(s.member->type, n));
}

static void check_element(spot s)
{
    bool sane = true;
    if (s.member->kind == PKT_KIND_STRUCT || s.member->kind == PKT_KIND_UNION)
        check_sane(s.member->type, s.value);
    else if (s.member->kind == PKT_KIND_ENUM)
        sane = is_sane_enum(s);
    else if (s.member->kind == PKT_KIND_REF)
        sane = pkt_entry_load(s.value, s.value_size) <= s.member->high;
    else if (s.member->kind == PKT_KIND_STRING)
        sane = memchr(s.value, '\0', s.value_size) != NULL;
    else if (s.member->kind == PKT_KIND_BYTES)
        sane = pkt_entry_load(s.size, s.size_size) <= s.value_size;
    if (!sane)
        fail("%s is out of its range after a read", s.member->name);
}

void check_sane(const pkt_type *type, const void *v)
{
    pkt_member m = {0};
    for (const pkt_entry *e = type->entries; e != pkt_type_end(type); e++)
        if (e->kind == PKT_ENTRY_COUNTED && load_part(v, (pkt_part){e->other, e->size}) - e->low > e->span)
            fail("%s.%s_count is out of its range after a read", type->name, e->name);
    if (type->kind == PKT_KIND_UNION) {
        if (!pkt_chosen_member(type, v, &m))
            fail("%s.tag is out of its range after a read", type->name);
        check_element(spot_of(&m, v, 0));
        return;
    }
    while (pkt_next_member(type, &m))
        for (size_t i = 0; i < count_of(type, &m, v); i++)
            check_element(spot_of(&m, v, i));
}
