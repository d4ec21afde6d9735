/* taken.c - the kinds of names that a declaration or field takes, and how the patterns of names are filled in.
 * SPDX-License-Identifier: MIT
 */
#include "model/taken.h"

#include <string.h>

unsigned taken_by_decl(const decl *d)
{
    unsigned kinds = (d->packet ? TAKEN_BY_PACKET : 0) | (d->predicts ? TAKEN_BY_PREDICTED : 0);
    for (const field *f = d->fields; f; f = f->next)
        kinds |= f->part ? TAKEN_BY_DATAGRAM : 0;
    switch (d->kind) {
    case DECL_CONST: kinds |= TAKEN_BY_CONSTANT; break;
    case DECL_ALIAS: break;
    case DECL_ENUM: kinds |= TAKEN_BY_ENUM; break;
    case DECL_FLAGS: kinds |= TAKEN_BY_FLAGS; break;
    case DECL_STRUCT: kinds |= TAKEN_BY_STRUCT; break;
    case DECL_UNION: kinds |= TAKEN_BY_UNION; break;
    }
    return kinds;
}

unsigned taken_by_field(const field *f)
{
    unsigned kinds = 0;
    if (f->by)
        kinds |= TAKEN_BY_LIST;
    if (f->array == ARRAY_COUNTED)
        kinds |= TAKEN_BY_COUNTED;
    if (f->array == ARRAY_COMPUTED)
        kinds |= TAKEN_BY_COMPUTED;
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
    if (f->fit)
        kinds |= TAKEN_BY_FIT;
    if (f->part)
        kinds |= TAKEN_BY_PART;
    if (f->part && f->part->starts)
        kinds |= TAKEN_BY_START;
    return kinds;
}

static size_t word_size(const char *at)
{
    size_t size = 0;
    while (at[size] != 0 && at[size] != '_')
        size++;
    return size;
}

bool taken_has_member(const taken_name *t)
{
    for (const char *at = t->pattern;; at++) {
        size_t size = word_size(at);
        if (size == 1 && *at == 'm')
            return true;
        at += size;
        if (*at == 0)
            return false;
    }
}

static size_t add_part(char *to, size_t size, size_t length, const char *part, size_t part_size)
{
    if (length + part_size < size)
        memcpy(to + length, part, part_size);
    return length + part_size;
}

size_t taken_spell(char *to, size_t size, const char *pattern, const char *of, const char *m)
{
    size_t length = 0;
    for (const char *at = pattern;;) {
        /* T and m are placeholders if they are a whole word between underscores. */
        size_t word = word_size(at);
        if (word == 1 && *at == 'T')
            length = add_part(to, size, length, of, strlen(of));
        else if (word == 1 && *at == 'm')
            length = add_part(to, size, length, m, strlen(m));
        else
            length = add_part(to, size, length, at, word);
        at += word;
        if (*at == 0)
            break;
        length = add_part(to, size, length, at++, 1);
    }
    if (length < size)
        to[length] = 0;
    return length;
}
