/* depfile.c - writes the rule of a depfile, with its paths escaped for make.
 * SPDX-License-Identifier: MIT
 */
#include "driver/run.h"

#include <string.h>

/* make removes one layer of backslashes before a blank, so existing backslashes there are doubled. */
static const char *escaped(arena *a, const char *name)
{
    char *text = arena_alloc(a, 2 * strlen(name) + 1);
    char *to = text;
    size_t backslashes = 0;
    for (; *name; name++) {
        if (*name == ' ' || *name == '\t' || *name == '#' || *name == ':') {
            memset(to, '\\', backslashes + 1);
            to += backslashes + 1;
        } else if (*name == '$') {
            *to++ = '$';
        }
        backslashes = *name == '\\' ? backslashes + 1 : 0;
        *to++ = *name;
    }
    return text;
}

/* Characters that are special in a rule of make, and that no backslash can quote. */
static const char unquotable[] = ";|=%*?[";

static const char *unquotable_in(const char *name)
{
    while (*name && !strchr(unquotable, *name) && (unsigned char)*name >= 0x20)
        name++;
    return *name ? name : NULL;
}

/* The first path that no depfile can name, because it has a character that make cannot quote; or NULL. */
static const char *refused_path(const char *target, const outputs *made, const path_list *prerequisites)
{
    if (target && unquotable_in(target))
        return target;
    for (const output *each = target ? NULL : made->first; each; each = each->next)
        if (unquotable_in(each->path))
            return each->path;
    for (size_t i = 0; i < prerequisites->count; i++)
        if (unquotable_in(prerequisites->paths[i]))
            return prerequisites->paths[i];
    return NULL;
}

void add_depfile(run *r)
{
    const options *o = r->options;
    size_t size;
    const char *refused = refused_path(o->depfile_target, &r->outputs, &r->inputs);
    if (refused) {
        message *m = diag_error(r->diag, (span){0},
                                "a depfile cannot name '%s': make would take a part of it for its own", refused);
        diag_help(r->diag, m, "rename it without any of ; | = %% * ? [ and control characters");
        return;
    }
    const char *text = depfile_text(r->arena, o->depfile_target, &r->outputs, &r->inputs, &size);
    put_text(r, o->depfile, text, size);
}

const char *depfile_text(arena *a, const char *target, const outputs *made, const path_list *prerequisites,
                         size_t *size)
{
    out *o = out_new(a);
    const char *separator = "";
    if (target)
        out_put(o, "$path", "path", escaped(a, target), NULL);
    for (const output *each = target ? NULL : made->first; each; each = each->next) {
        out_put(o, "$separator$path", "separator", separator, "path", escaped(a, each->path), NULL);
        separator = " ";
    }
    out_put(o, ":", NULL);
    for (size_t i = 0; i < prerequisites->count; i++)
        out_put(o, " \\\n  $path", "path", escaped(a, prerequisites->paths[i]), NULL);
    out_put(o, "\n", NULL);
    for (size_t i = 0; i < prerequisites->count; i++)
        out_put(o, "\n$path:\n", "path", escaped(a, prerequisites->paths[i]), NULL);
    return out_result(o, size);
}
