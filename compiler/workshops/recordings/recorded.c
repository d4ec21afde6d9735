/* recorded.c - chooses between the schemas in a recording and those of the command line, and checks them.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/recorded.h"

#include <inttypes.h>
#include <string.h>

const source *const *recorded_sources(arena *a, const char *from, size_t *count)
{
    const recorded_schema *first = recording_schemas(a, from);
    *count = 0;
    for (const recorded_schema *s = first; s; s = s->next)
        ++*count;
    const source **list = ARENA_ARRAY(a, const source *, *count + 1), **to = list;
    for (const recorded_schema *s = first; s; s = s->next) {
        const char *name = *count == 1 ? arena_printf(a, "schema in %s", from)
                                       : arena_printf(a, "schema %d in %s", (int)(to - list) + 1, from);
        *to++ = source_from(a, name, s->text, s->size);
    }
    return list;
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
    check_options how = checked_as_asked(r);
    how.alone = true;
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
