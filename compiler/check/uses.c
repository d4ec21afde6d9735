/* uses.c - lists the names in the files of a schema.
 * SPDX-License-Identifier: MIT
 */
#include "check/check.h"

#include <string.h>

static void add_use(name_uses *uses, name_use use)
{
    if (!uses)
        return;
    name_use *added = ARENA_NEW(uses->arena, name_use);
    *added = use;
    *(uses->last ? &uses->last->next : &uses->first) = added;
    uses->last = added;
}

void use_decl(name_uses *uses, span at, const decl *d)
{
    add_use(uses, (name_use){.at = at, .declared = d->span, .decl = d});
}

void use_field(name_uses *uses, span at, const field *f)
{
    static const char presence[] = "has_";
    const uint32_t size = (uint32_t)strlen(f->name), before = sizeof presence - 1, written = at.end - at.begin;
    const char *text = (const char *)at.source->text + at.begin;
    if (written == before + size && memcmp(text, presence, before) == 0 && memcmp(text + before, f->name, size) == 0)
        at.begin += before;
    at.end = at.begin + size;
    add_use(uses, (name_use){.at = at, .declared = f->span, .decl = f->owner, .field = f});
}

void use_member(name_uses *uses, span at, const decl *of, const member *m)
{
    add_use(uses, (name_use){.at = at, .declared = m->span, .decl = of, .member = m});
}

void use_import(name_uses *uses, span at, const source *file)
{
    add_use(uses, (name_use){.at = at, .declared = {file, 0, 0}, .imported = file});
}
