/* pkt_save.c - T_save and T_restore: the bytes of a value, without elements that its counted arrays do not have.
 * SPDX-License-Identifier: MIT
 *
 * A save of a struct begins with its bytes in memory, but those of counted arrays and of members that contain some. These follow in
 * the order of the entries, so the count of an array comes before its elements. Of a union, the member of the tag follows the tag.
 * What is not there, such as an absent optional, may have any count or tag: with a greater count than there is room for, all elements
 * are saved, and of a union with an unknown tag all bytes. One walk saves and restores.
 */
#include "pkt_save.h"

#include "pkt_value.h"

typedef struct pkt_saving {
    char *at;    /* in the save */
    size_t left; /* bytes of the save from there on */
    bool restores;
} pkt_saving;

static bool pkt_save_bytes(pkt_saving *s, char *v, size_t size)
{
    if (size > s->left)
        return false;
    if (size != 0)
        memcpy(s->restores ? v : s->at, s->restores ? s->at : v, size);
    s->at += size;
    s->left -= size;
    return true;
}

/* ---- what varies: counted arrays, and what has one in it */

/* The next member of the same struct; that of an optional, or of a side of a branch, is one too. */
static const pkt_entry *pkt_member_after(const pkt_entry *e)
{
    const bool around = e->kind == PKT_ENTRY_OPTIONAL || e->kind == PKT_ENTRY_UNLESS || e->kind >= PKT_ENTRY_UNION;
    return around ? e + 1 : pkt_entry_after(e);
}

static bool pkt_is_array(const pkt_entry *e)
{
    return e->kind >= PKT_ENTRY_ARRAY && e->kind <= PKT_ENTRY_SPARSE;
}

static uint64_t pkt_most_elements(const pkt_entry *e)
{
    return e->kind == PKT_ENTRY_COUNTED ? e->low + e->span : e->span;
}

/* Of an array, the bytes of as many elements as it has room for. */
static size_t pkt_room_of(const pkt_entry *e)
{
    uint64_t count = 1;
    for (; pkt_is_array(e); e++)
        count *= pkt_most_elements(e);
    return (size_t)count * pkt_entry_size(e->kind == PKT_ENTRY_UNLESS ? e + 1 : e);
}

static bool pkt_type_varies(const pkt_type *t);

static bool pkt_entry_varies(const pkt_entry *e)
{
    while (pkt_is_array(e) && e->kind != PKT_ENTRY_COUNTED)
        e++;
    return e->kind == PKT_ENTRY_COUNTED ||
           ((e->kind == PKT_ENTRY_STRUCT || e->kind == PKT_ENTRY_MEMBER) && pkt_type_varies((const pkt_type *)e->of));
}

/* A type of the program whose members are in another order than in the schema is saved as a whole. */
static bool pkt_type_varies(const pkt_type *t)
{
    bool varies = false;
    size_t end = 0;
    for (const pkt_entry *e = t->entries; e != pkt_type_end(t); e = pkt_member_after(e)) {
        if (!pkt_entry_varies(e))
            continue;
        if (e->offset < end && t->kind != PKT_KIND_UNION)
            return false;
        end = e->offset + pkt_room_of(e);
        varies = true;
    }
    return varies;
}

/* ---- the walk */

static bool pkt_save_type(pkt_saving *s, const pkt_type *t, char *v);

static bool pkt_save_union(pkt_saving *s, const pkt_type *t, char *v)
{
    const pkt_entry *e = t->entries;
    if (!pkt_save_bytes(s, v, e[1].offset))
        return false;
    const uint64_t tag = pkt_entry_load(v + e->offset, e->size);
    if (tag > e->span)
        return pkt_save_bytes(s, v + e[1].offset, t->size - e[1].offset);
    return pkt_save_type(s, (const pkt_type *)e[1 + tag].of, v + e[1 + tag].offset);
}

/* The elements of an array, or a single member, that varies. */
static bool pkt_save_varying(pkt_saving *s, const pkt_entry *e, char *v)
{
    uint64_t count = 1;
    for (; pkt_is_array(e); e++) {
        const uint64_t most = pkt_most_elements(e),
                       n = e->kind == PKT_ENTRY_COUNTED ? pkt_entry_load(v + e->other, e->size) : most;
        count *= n < most ? n : most;
    }
    const pkt_entry *element = e->kind == PKT_ENTRY_UNLESS ? e + 1 : e;
    const size_t size = pkt_entry_size(element);
    v += element->offset;
    if (!pkt_entry_varies(element))
        return pkt_save_bytes(s, v, (size_t)count * size);
    for (; count != 0; count--, v += size)
        if (!pkt_save_type(s, (const pkt_type *)element->of, v))
            return false;
    return true;
}

static bool pkt_save_struct(pkt_saving *s, const pkt_type *t, char *v)
{
    size_t end = 0;
    for (const pkt_entry *e = t->entries; e != pkt_type_end(t); e = pkt_member_after(e)) {
        if (!pkt_entry_varies(e))
            continue;
        if (!pkt_save_bytes(s, v + end, e->offset - end))
            return false;
        end = e->offset + pkt_room_of(e);
    }
    if (!pkt_save_bytes(s, v + end, t->size - end))
        return false;
    for (const pkt_entry *e = t->entries; e != pkt_type_end(t); e = pkt_member_after(e))
        if (pkt_entry_varies(e) && !pkt_save_varying(s, e, v))
            return false;
    return true;
}

static bool pkt_save_type(pkt_saving *s, const pkt_type *t, char *v)
{
    return !pkt_type_varies(t)         ? pkt_save_bytes(s, v, t->size)
           : t->kind == PKT_KIND_UNION ? pkt_save_union(s, t, v)
                                       : pkt_save_struct(s, t, v);
}

size_t pkt_save(const pkt_type *type, const void *v, void *data, size_t size)
{
    pkt_saving s = {(char *)data, size, false};
    return pkt_save_type(&s, type, (char *)(uintptr_t)v) ? size - s.left : 0;
}

bool pkt_restore(const pkt_type *type, void *v, const void *data, size_t size)
{
    pkt_saving s = {(char *)(uintptr_t)data, size, true};
    return pkt_save_type(&s, type, (char *)v) && s.left == 0;
}
