/* releases.c - reads the names of a folder, sorts the releases among them, and checks their schemas.
 * SPDX-License-Identifier: MIT
 */
#include "releases/releases.h"
#include "base/files.h"
#include "emit/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- files */

enum { ID_DIGITS = 16, MOST_DIGITS = 9 };

static bool is_digit_of_base(char c, bool hexadecimal)
{
    return (c >= '0' && c <= '9') || (hexadecimal && c >= 'a' && c <= 'f');
}

/* Whether a file is called PROTOCOL-NUMBER-ID.pkt. */
static bool read_name(const char *name, const char *protocol, release *found)
{
    const size_t size = strlen(protocol);
    if (strncmp(name, protocol, size) != 0 || name[size] != '-')
        return false;
    const char *digits = name + size + 1, *end = digits;
    while (is_digit_of_base(*end, false))
        end++;
    if (end == digits || end - digits > MOST_DIGITS || *end != '-')
        return false;
    const char *id = end + 1;
    end = id;
    while (is_digit_of_base(*end, true))
        end++;
    found->number = (uint32_t)strtoul(digits, NULL, 10);
    found->id = strtoull(id, NULL, 16);
    return end - id == ID_DIGITS && strcmp(end, ".pkt") == 0;
}

uint32_t release_number(const char *file, const char *protocol)
{
    release read;
    return protocol && read_name(file + file_directory_size(file), protocol, &read) ? read.number : 0;
}

static int newest_first(const void *one, const void *other)
{
    const release *a = one, *b = other;
    return a->number != b->number ? (a->number < b->number) - (a->number > b->number) : strcmp(a->path, b->path);
}

bool releases_find(arena *a, diag *d, const char *directory, const char *protocol, releases *found)
{
    size_t count;
    const char **all = file_list(a, directory, &count);
    *found = (releases){ARENA_ARRAY(a, release, count + 1), 0};
    for (size_t i = 0; i < count; i++) {
        release *each = &found->list[found->count];
        each->path = file_in_directory(a, directory, all[i]);
        found->count += read_name(all[i], protocol, each);
    }
    qsort(found->list, found->count, sizeof *found->list, newest_first);
    for (size_t i = 1; i < found->count; i++) {
        if (found->list[i - 1].number != found->list[i].number)
            continue;
        message *m = diag_error(d, (span){0}, "two releases have the number %" PRIu32 ": '%s' and '%s'",
                                found->list[i].number, found->list[i - 1].path, found->list[i].path);
        diag_help(d, m, "rename the one that was released later, so that it has a greater number than all others");
        return false;
    }
    return true;
}

const release *release_with_id(const releases *all, uint64_t id)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].id == id)
            return &all->list[i];
    return NULL;
}

const char *release_path(arena *a, const char *directory, const releases *all, const schema *s)
{
    const uint32_t number = all->count ? all->list[0].number + 1 : 1;
    const char *name = arena_printf(a, "%s-%03" PRIu32 "-%016" PRIx64 ".pkt", s->protocol, number, s->id);
    release read;
    return read_name(name, s->protocol, &read) ? file_in_directory(a, directory, name) : NULL;
}

/* ---- schemas */

static schema *check_release(run *r, const source *text, bool checks, const char *prefix)
{
    check_options how = checked_as_asked(r);
    how.checks = checks;
    how.prefix = prefix;
    how.names = prefix ? &c_name_rules : NULL;
    return check_quietly(r, text, &how);
}

schema *release_schema(run *r, const release *of, const char *prefix, bool *fits)
{
    const bool checks = !r->options->no_checks;
    const source *text = source_read(r->arena, of->path);
    if (!text) {
        diag_error(r->diag, (span){0}, "cannot read '%s': %s", of->path, file_failure());
        return NULL;
    }
    schema *s = check_release(r, text, checks, prefix);
    *fits = s && s->id == of->id;
    if (!s || *fits)
        return s;
    schema *other = check_release(r, text, !checks, prefix);
    if (other && other->id == of->id)
        return other;
    message *m = diag_error(r->diag, (span){0},
                            "'%s' was changed after it was archived: its id is 0x%016" PRIx64 " now", of->path, s->id);
    diag_help(r->diag, m, "take it from your version control as it was");
    return NULL;
}

const schema *newest_release(run *r, const char *archive, const schema *of)
{
    releases all;
    if (!has_protocol(r, of, "an archive cannot have it") ||
        !releases_find(r->arena, r->diag, archive, of->protocol, &all))
        return NULL;
    for (size_t i = 0; i < all.count; i++) {
        bool fits = false;
        const schema *s = release_schema(r, &all.list[i], NULL, &fits);
        if (!s || fits)
            return s;
    }
    message *m = diag_error(r->diag, (span){0}, "there is no release of protocol '%s'%s in '%s'", of->protocol,
                            all.count == 0          ? ""
                            : r->options->no_checks ? " without checks"
                                                    : " with checks",
                            archive);
    diag_help(r->diag, m, "`pktc archive %s %s` keeps the first one", archive, of->root->path);
    return NULL;
}
