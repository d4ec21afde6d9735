/* taken.c - who takes a name, and the patterns of names: see taken.h.
 * SPDX-License-Identifier: MIT
 */
#include "model/taken.h"

#include <string.h>

bool taken_by_decl(const taken_name *t, const decl *d)
{
    unsigned kinds = d->packet ? TAKEN_BY_PACKET : 0;
    switch (d->kind) {
    case DECL_CONST: kinds |= TAKEN_BY_CONSTANT; break;
    case DECL_ENUM: kinds |= TAKEN_BY_ENUM; break;
    case DECL_FLAGS: kinds |= TAKEN_BY_FLAGS; break;
    case DECL_STRUCT: kinds |= TAKEN_BY_STRUCT; break;
    case DECL_UNION: kinds |= TAKEN_BY_UNION; break;
    }
    return (t->by & kinds) != 0;
}

bool taken_by_field(const taken_name *t, const field *f)
{
    unsigned kinds = 0;
    if (f->array == ARRAY_COUNTED)
        kinds |= TAKEN_BY_COUNTED;
    if (f->array == ARRAY_SPARSE)
        kinds |= TAKEN_BY_SPARSE;
    if (f->optional)
        kinds |= TAKEN_BY_OPTIONAL;
    if (f->type.kind == TYPE_BYTES)
        kinds |= TAKEN_BY_BYTES;
    if (f->type.kind == TYPE_STRING)
        kinds |= TAKEN_BY_STRING;
    if (f->has_unless)
        kinds |= TAKEN_BY_UNLESS;
    if (f->array != ARRAY_NONE)
        kinds |= TAKEN_BY_ARRAY;
    if (f->type.kind == TYPE_QUANTIZED)
        kinds |= TAKEN_BY_QUANTIZED;
    return (t->by & kinds) != 0;
}

/* T and m are placeholders if they are a whole word between underscores. */
static bool is_placeholder(const char *pattern, const char *at)
{
    return (*at == 'T' || *at == 'm') && (at == pattern || at[-1] == '_') && (at[1] == 0 || at[1] == '_');
}

bool taken_has_member(const taken_name *t)
{
    for (const char *at = t->pattern; *at != 0; at++)
        if (*at == 'm' && is_placeholder(t->pattern, at))
            return true;
    return false;
}

size_t taken_spell(char *to, size_t size, const char *pattern, const char *of, const char *m)
{
    size_t length = 0;
    for (const char *at = pattern; *at != 0; at++) {
        bool placeholder = is_placeholder(pattern, at);
        const char *part = !placeholder ? at : *at == 'T' ? of : m;
        size_t part_length = placeholder ? strlen(part) : 1;
        if (length + part_length < size)
            memcpy(to + length, part, part_length);
        length += part_length;
    }
    if (length < size)
        to[length] = 0;
    return length;
}
