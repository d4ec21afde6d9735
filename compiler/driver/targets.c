/* targets.c - compares each output with the existing file, and finds files that no output replaces.
 * SPDX-License-Identifier: MIT
 */
#include "driver/targets.h"
#include "base/banner.h"
#include "base/files.h"
#include "base/hash_table.h"
#include "base/source.h"

#include <ctype.h>
#include <string.h>

enum { BANNER_SIZE = 512 };

/* ---- pktc's own files */

/* The comment at the start of a file, joined to one line because a formatter may have broken it. Empty if the file does
 * not start with a comment. */
static void read_first_comment(const char *path, char *comment)
{
    char text[BANNER_SIZE];
    FILE *file = file_is_regular(path) ? file_open(path) : NULL;
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[size] = '\0';
    char *end = strstr(text, "*/");
    if (end)
        *end = '\0';
    if (strncmp(text, "/*", 2) != 0)
        text[0] = '\0';
    char *to = comment;
    for (const char *from = text[0] ? text + 2 : text; *from; from++) {
        bool blank = isspace((unsigned char)*from) || *from == '*';
        if (!blank)
            *to++ = *from;
        else if (to != comment && to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
}

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Whether a text is a depfile: targets before a colon, paths with two blanks before them, then each path as a
 * target. */
static bool is_depfile(const char *text)
{
    if (*text == '\0' || strchr(" \t\n#", *text))
        return false;
    for (bool first = true; *text; first = false) {
        const size_t size = strcspn(text, "\n");
        const char *end = text + size, *last = size > 1 && end[-1] == '\\' && end[-2] == ' ' ? end - 2 : end;
        const bool is_rule = last > text && last[-1] == ':' && *text != ' ';
        const bool is_path = !first && strncmp(text, "  ", 2) == 0 && text[2] != ' ';
        if (size > 0 && !is_rule && !is_path)
            return false;
        text = end + (*end == '\n');
    }
    return true;
}

/* Whether a file is a page, a model, a tally or a depfile that pktc wrote. */
static bool is_own_answer(arena *a, const char *path)
{
    const source *s = source_read(a, path);
    const char *text = s ? (const char *)s->text : "";
    const char *page = strstr(text, BANNER_PAGE), *head = strstr(text, "</head>");
    return (page && head && page < head) || begins_with(text, BANNER_MODEL) || begins_with(text, BANNER_TALLY) ||
           is_depfile(text);
}

/* Earlier versions also wrote runtime files with names such as pkt_codec.h. */
bool targets_is_generated(const char *path)
{
    char comment[BANNER_SIZE];
    const char *name = path + file_directory_size(path);
    read_first_comment(path, comment);
    if (!begins_with(comment, name) || !begins_with(comment + strlen(name), " - "))
        return false;
    return strstr(comment, BANNER_GENERATED) || strstr(comment, BANNER_RUNTIME) || begins_with(name, "pkt_") ||
           strcmp(name, "pkt.h") == 0 || strcmp(name, "pkt.c") == 0;
}

/* ---- what may be written */

static const char *identity(arena *a, names *n, const char *path)
{
    const char *text = file_identity(a, path);
    return intern(n, text, strlen(text));
}

/* Equal for names in the same directory that differ only in case, because some systems treat them as the same file. */
static const char *target_place(arena *a, names *n, const char *path)
{
    size_t size = file_directory_size(path);
    const char *directory = size == 0 ? "." : arena_text(a, path, size);
    char *text = arena_printf(a, "%s/%s", file_identity(a, directory), path + size);
    for (char *c = text; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return intern(n, text, strlen(text));
}

/* Whether an output would replace a file that pktc did not write. An empty file may be replaced. */
static bool replaces_foreign_file(arena *a, const output *o)
{
    const output empty = {.path = o->path, .text = ""};
    return file_is_regular(o->path) && !output_is_current(&empty) && !output_is_current(o) &&
           !(o->asked_for ? is_own_answer(a, o->path) : targets_is_generated(o->path));
}

/* The inputs and outputs of this run. */
typedef struct known_files {
    map *inputs;  /* (NULL, identity): the path in a path_list */
    map *outputs; /* (NULL, identity or place): the output */
} known_files;

static void check_output(arena *a, names *n, diag *d, const known_files *k, output *o)
{
    const char *keys[] = {identity(a, n, o->path), target_place(a, n, o->path)};
    const char **input = map_get(k->inputs, NULL, keys[0]);
    if (input && !o->in_place) {
        diag_error(d, (span){0}, "the output '%s' would replace the input '%s'", o->path, *input);
        return;
    }
    for (int i = 0; i < 2; i++) {
        const output *other = map_get(k->outputs, NULL, keys[i]);
        if (other && (other->size != o->size || memcmp(other->text, o->text, o->size) != 0)) {
            diag_error(d, (span){0}, "the outputs '%s' and '%s' are the same file", other->path, o->path);
            return;
        }
        map_put(a, k->outputs, NULL, keys[i], o);
    }
    if (!o->in_place && replaces_foreign_file(a, o)) {
        message *m = diag_error(d, (span){0}, "'%s' exists, and pktc did not generate it", o->path);
        diag_help(d, m,
                  o->asked_for ? "remove it, or write to another file"
                               : "remove it, or write to another directory with -o");
    }
}

void targets_check(arena *a, names *n, diag *d, const outputs *o, const path_list *inputs)
{
    const known_files k = {.inputs = map_new(a), .outputs = map_new(a)};
    for (size_t i = 0; i < inputs->count; i++)
        map_put(a, k.inputs, NULL, identity(a, n, inputs->paths[i]), &inputs->paths[i]);
    for (output *each = o->first; each; each = each->next)
        if (!each->asked_for || !file_is_stream(each->path))
            check_output(a, n, d, &k, each);
}

/* ---- files left by an earlier run */

static bool is_source(const char *name)
{
    size_t size = strlen(name);
    return size > 2 && name[size - 2] == '.' && (name[size - 1] == 'h' || name[size - 1] == 'c');
}

path_list targets_left(arena *a, names *n, const char *directory, const outputs *o)
{
    path_list left = {0};
    map *made = map_new(a);
    for (output *each = o->first; each; each = each->next)
        map_put(a, made, NULL, identity(a, n, each->path), each);
    size_t count;
    const char **list = file_list(a, directory ? directory : ".", &count);
    for (size_t i = 0; i < count; i++) {
        const char *path = file_in_directory(a, directory, list[i]);
        if (is_source(list[i]) && targets_is_generated(path) && !map_get(made, NULL, identity(a, n, path)))
            path_list_add(a, &left, path);
    }
    return left;
}
