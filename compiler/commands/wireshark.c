/* wireshark.c - see wireshark.h.
 * SPDX-License-Identifier: MIT
 */
#include "commands/wireshark.h"
#include "record/stream_list.h"
#include "dissect/dissect.h"

#include <string.h>

/* Numbers wrap as the first field does. */
static const dissect_sum *sum_of(arena *a, const codec_sum *from)
{
    if (!from)
        return NULL;
    dissect_sum *sum = ARENA_NEW(a, dissect_sum);
    const dissect_term **end = &sum->terms;
    sum->bits = from->decl && !from->ones ? storage_bits(from->path[from->depth - 1]->type.storage) : 64;
    for (; from; from = from->next) {
        dissect_term *t = ARENA_NEW(a, dissect_term);
        *t = (dissect_term){.minus = from->minus,
                            .ones = from->ones,
                            .number = from->number,
                            .decl = from->decl,
                            .fields = from->path,
                            .depth = from->depth};
        *end = t;
        end = &t->next;
    }
    return sum;
}

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
                            .count = sum_of(a, each->count),
                            .number = sum_of(a, each->number),
                            .base_number = sum_of(a, each->base_number),
                            .before_number = sum_of(a, each->before_number)};
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

/* Whether another stream before this one has the same name, or none either. */
static bool is_known(const dissect_stream *streams, const dissect_stream *one)
{
    for (const dissect_stream *each = streams; each != one; each = each->next)
        if (!each->name == !one->name && (!one->name || strcmp(each->name, one->name) == 0))
            return true;
    return false;
}

void wireshark(arena *a, diag *d, const schema *s, const wireshark_request *request)
{
    dissect_options how = {.ports = request->port ? arena_printf(a, "%u", (unsigned)request->port) : "",
                           .seed = request->seed};
    const dissect_stream **end = &how.streams;
    size_t size;
    if (!s->protocol) {
        diag_error(d, (span){0}, "'%s' declares no protocol, so it has no packets", s->root->path);
        return;
    }
    for (size_t i = 0; i < request->stream_count; i++) {
        dissect_stream *stream = ARENA_NEW(a, dissect_stream);
        if (!read_stream(a, d, s, request->streams[i], stream))
            return;
        *end = stream;
        end = &stream->next;
        if (is_known(how.streams, stream)) {
            stream_list_twice(d, stream->name);
            return;
        }
    }
    const char *text = dissect(a, s, &how, &size);
    fwrite(text, 1, size, stdout);
}
