/* depfile.c - writes the rule of a depfile, with its paths escaped for make.
 * SPDX-License-Identifier: MIT
 */
#include "commands/depfile.h"

#include <string.h>

/* make removes one layer of backslashes before a blank, so existing backslashes there are doubled. */
static const char *escaped(arena *a, const char *path)
{
    char *text = arena_alloc(a, 2 * strlen(path) + 1);
    char *to = text;
    size_t backslashes = 0;
    for (; *path; path++) {
        if (*path == ' ' || *path == '\t' || *path == '#' || *path == ':') {
            memset(to, '\\', backslashes + 1);
            to += backslashes + 1;
        } else if (*path == '$') {
            *to++ = '$';
        }
        backslashes = *path == '\\' ? backslashes + 1 : 0;
        *to++ = *path;
    }
    return text;
}

/* What make takes for its own in a rule, and no backslash can quote. */
static const char unquotable[] = ";|=%*?[";

static const char *unquotable_in(const char *path)
{
    while (*path && !strchr(unquotable, *path) && (unsigned char)*path >= 0x20)
        path++;
    return *path ? path : NULL;
}

const char *depfile_refused(const outputs *made, const path_list *prerequisites)
{
    for (const output *each = made->first; each; each = each->next)
        if (unquotable_in(each->path))
            return each->path;
    for (size_t i = 0; i < prerequisites->count; i++)
        if (unquotable_in(prerequisites->paths[i]))
            return prerequisites->paths[i];
    return NULL;
}

const char *depfile_text(arena *a, const outputs *made, const path_list *prerequisites, size_t *size)
{
    out *o = out_new(a);
    const char *separator = "";
    for (const output *each = made->first; each; each = each->next) {
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
