/* command_wireshark.c - `pktc wireshark`: prints a dissector for Wireshark, in Lua.
 * SPDX-License-Identifier: MIT
 */
#include "driver/run.h"
#include "dissect/dissect.h"
#include "dissect/dissect_rows.h"
#include "codec/stream_list.h"

#include <string.h>

/* The values of a stream; NULL after an error. */
static const dissect_part *read_parts(arena *a, diag *d, const schema *s, const char *list)
{
    const dissect_part *first = NULL, **end = &first;
    for (const codec_part *each = stream_list_read(a, d, s, list, LIST_OF_NOW); each; each = each->next) {
        dissect_part *p = ARENA_NEW(a, dissect_part);
        *p = (dissect_part){.decl = each->decl,
                            .delta = each->delta,
                            .many = each->many,
                            .chained = each->chained,
                            .last = each->last,
                            .moves = each->moves,
                            .count = each->count,
                            .number = each->number,
                            .base_number = each->base_number,
                            .before_number = each->before_number};
        *end = p;
        end = &p->next;
    }
    return first;
}

/* "Update=Header, Event*". False after an error. */
static bool read_stream(arena *a, diag *d, const schema *s, const char *text, dissect_stream *stream)
{
    const char *list;
    if (!stream_list_name(a, d, text, &stream->name, &list))
        return false;
    stream->parts = read_parts(a, d, s, list);
    return stream->parts != NULL;
}

/* Whether an earlier stream has the same name, or also has none. */
static bool is_known(const dissect_stream *streams, const dissect_stream *one)
{
    for (const dissect_stream *each = streams; each != one; each = each->next)
        if (!each->name == !one->name && (!one->name || strcmp(each->name, one->name) == 0))
            return true;
    return false;
}

/* The streams of --stream. False after an error. */
static bool read_streams(run *r, const schema *s, const dissect_stream **first)
{
    const dissect_stream **end = first;
    for (size_t i = 0; i < r->options->streams.count; i++) {
        dissect_stream *stream = ARENA_NEW(r->arena, dissect_stream);
        if (!read_stream(r->arena, r->diag, s, r->options->streams.texts[i], stream))
            return false;
        *end = stream;
        end = &stream->next;
        if (is_known(*first, stream)) {
            stream_list_twice(r->diag, stream->name);
            return false;
        }
    }
    return true;
}

void command_wireshark(run *r)
{
    const options *o = r->options;
    const schema *s = load_schema(r, o->files[0]);
    dissect_options how = {.ports = o->port ? arena_printf(r->arena, "%u", (unsigned)o->port) : "", .seed = o->seed};
    if (!s || !has_protocol(r, s, "it has no packets") || !seed_has_use(r, packets_have_seeds(s)) ||
        !read_streams(r, s, &how.streams))
        return;
    size_t size;
    const char *text = dissect(r->arena, s, &how, &size);
    put_text(r, NULL, text, size);
}
