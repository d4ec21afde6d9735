/* recorded.c - chooses between the schemas in a recording and those of the command line, and checks them.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/recorded.h"
#include "base/files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const source *const *recorded_sources(arena *a, diag *d, const char *from, size_t *count)
{
    const recorded_schema *first = recording_schemas(a, d, from);
    *count = 0;
    for (const recorded_schema *s = first; s; s = s->next)
        ++*count;
    const source **list = ARENA_ARRAY(a, const source *, *count + 1), **to = list;
    for (const recorded_schema *s = first; s; s = s->next) {
        const char *name = *count == 1 ? arena_printf(a, "schema in %s", from)
                                       : arena_printf(a, "schema %d in %s", (int)(to - list) + 1, from);
        *to++ = source_recorded(a, name, s->text, s->size);
    }
    return list;
}

/* The number behind the last colon of a name; 0 if there is none. */
static size_t number_behind(const char *name)
{
    const char *colon = strrchr(name, ':');
    const size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    return digits > 0 && digits < 9 && colon[1 + digits] == '\0' ? (size_t)atol(colon + 1) : 0;
}

static bool is_recording_file(const char *name)
{
    return !file_is_pipe(name) && recording_is(name);
}

bool recorded_schema_in(run *r, const char *file, const source **found)
{
    const bool whole = is_recording_file(file);
    const size_t number = whole ? 0 : number_behind(file);
    const char *place = number > 0 ? arena_text(r->arena, file, (size_t)(strrchr(file, ':') - file)) : file;
    size_t count;
    if (!whole && (number == 0 || !is_recording_file(place)))
        return false;
    const source *const *all = recorded_sources(r->arena, r->diag, place, &count);
    const size_t asked = whole && count == 1 ? 1 : number;
    *found = asked > 0 && asked <= count ? all[asked - 1] : NULL;
    add_input(r, place);
    if (count == 0)
        diag_error(r->diag, (span){0}, "'%s' has no schema in it", place);
    else if (number > count)
        diag_error(r->diag, (span){0}, "'%s' has no schema %zu: it has %zu", place, number, count);
    else if (!*found)
        diag_help(r->diag, diag_error(r->diag, (span){0}, "'%s' has %zu schemas in it", place, count),
                  "choose one by its number: '%s:1' is the first", place);
    return true;
}

bool is_recording(diag *d, const char *name)
{
    if (recording_is(name))
        return true;
    arena *a = arena_new();
    const char *failure = recording_failure(a, name);
    if (failure)
        diag_error(d, (span){0}, "cannot read '%s': %s", name, failure);
    else
        diag_error(d, (span){0}, "'%s' is not a recording: pktc reads files of tcpdump, Wireshark and pkt_capture",
                   name);
    arena_free(a);
    return false;
}

void report_no_schema(run *r, const char *from, const char *before)
{
    message *m = diag_error(r->diag, (span){0}, "'%s' has no schema in it", from);
    diag_help(r->diag, m, "give the schema that it was made with: `pktc %s %sFILE.pkt %s`", r->options->word, before,
              from);
}

/* "'game', 'chat'" */
static const char *protocol_list(arena *a, const schema *const *schemas, size_t count)
{
    const char *list = "";
    for (size_t i = 0; i < count; i++)
        list = arena_printf(a, "%s%s'%s'", list, i > 0 ? ", " : "", schemas[i]->protocol ? schemas[i]->protocol : "");
    return list;
}

bool is_recorded_with(run *r, const char *from, const source *const *texts, size_t count, const schema *const *given,
                      size_t given_count, bool only, const char *use)
{
    const check_options how = checked_as_asked(r);
    for (size_t k = 0; k < count; k++) {
        const schema *s = check_quietly(r, texts[k], &how), *other = NULL;
        bool known = false;
        for (size_t i = 0; s && i < given_count; i++) {
            if (!is_same_protocol(s, given[i]))
                continue;
            known = known || s->id == given[i]->id;
            other = given[i];
        }
        if (s && (known || (!other && !only)))
            continue;
        if (s && !other)
            diag_help(r->diag,
                      diag_error(r->diag, (span){0}, "'%s' has a schema of protocol '%s', and the other files have %s",
                                 from, s->protocol ? s->protocol : "", protocol_list(r->arena, given, given_count)),
                      "count them one by one, or give a FILE.pkt of each protocol");
        else if (s)
            diag_help(r->diag,
                      diag_error(r->diag, (span){0},
                                 "'%s' was made with another schema of protocol '%s': the id of the one in it is "
                                 "0x%016" PRIx64 ", and that of '%s' is 0x%016" PRIx64,
                                 from, other->protocol, s->id, other->root->path, other->id),
                      "%s", use);
        return false;
    }
    return true;
}
