/* command_decode.c - reads one value and prints it, or the list of its bits.
 * SPDX-License-Identifier: MIT
 */
#include "codec/command_decode.h"
#include "base/files.h"
#include "codec/codec_json.h"
#include "recordings/counting.h"
#include "recordings/recorded.h"
#include "driver/run.h"

#include <inttypes.h>
#include <string.h>

static const char *quoted(arena *a, const char *text)
{
    return arena_printf(a, "\"%s\"", text);
}

/* Prints a line of the list: up to 64 bits as a number, more as hexadecimal bytes. The meaning of an item comes after
 * its name, unless it equals the number. */
static void list_item(void *user, const codec_place *p, uint64_t bit, uint64_t bits, const uint8_t *data)
{
    const codec_io *io = user;
    const char *name = codec_place_name(io->arena, p);
    uint64_t raw = 0;
    char *hex = arena_alloc(io->arena, 2 * (size_t)(bits / 8 + 1) + 1);
    for (uint64_t i = 0; i < bits; i += 8) {
        unsigned byte = 0;
        for (unsigned k = 0; k < 8 && i + k < bits; k++)
            byte |= (unsigned)(data[(bit + i + k) / 8] >> (bit + i + k) % 8 & 1) << k;
        sprintf(hex + i / 4, "%02x", byte);
        if (i < 64)
            raw |= (uint64_t)byte << i;
    }
    const char *text = bits <= 64 ? arena_printf(io->arena, "%" PRIu64, raw) : hex;
    const bool says_more = io->note && strcmp(io->note, text) != 0 && strcmp(io->note, quoted(io->arena, text)) != 0;
    printf("%8" PRIu64 " %6" PRIu64 "  %-20s  %s%s%s\n", bit, bits, text, name, says_more ? " = " : "",
           says_more ? io->note : "");
}

/* Whether the bytes are a text of digits, so that --hex was forgotten. */
static bool is_hex(const uint8_t *data, size_t size)
{
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        if (!data[i] || (hex_digit(data[i]) < 0 && !strchr(" \t\r\n,:xX", data[i])))
            return false;
        digits += hex_digit(data[i]) >= 0;
    }
    return digits >= 2;
}

/* The packet whose crc fits the bytes, if it is not the one that the user named. */
static const decl *with_crc(const codec_io *io, const uint8_t *data, size_t size)
{
    const size_t skipped = (size_t)(io->how.skip / 8);
    const codec_options plain = {.id = io->schema->id};
    for (const decl *d = io->schema->decls; d; d = d->next)
        if (d->packet && skipped < size && codec_has_crc(d->name, data + skipped, size - skipped, &plain))
            return d;
    return NULL;
}

/* Whether a single value can be read with or without its frame, as a delta or as a whole. */
static bool reads(const codec_io *io, const uint8_t *data, size_t size, bool framed, bool delta)
{
    codec_options how = io->how;
    codec_error error;
    datum v;
    how.trace = NULL;
    how.framed = framed;
    how.delta = delta;
    return codec_read(io->arena, io->schema, io->decl, data, size, &how, &v, &error);
}

/* Advice for a packet that was refused; or NULL. */
static const char *other_form(const codec_io *io, const uint8_t *data, size_t size, const codec_error *error)
{
    const bool framed = io->how.framed, delta = io->how.delta;
    if (!io->decl || !io->decl->packet)
        return NULL;
    if (!framed && with_crc(io, data, size) == io->decl)
        return "it is a whole packet, with its crc: leave out --body";
    if (framed && error->code == PKT_ERROR_CRC && reads(io, data, size, false, delta))
        return "it can be a body without crc; --body reads those";
    if (framed && delta && error->code != PKT_ERROR_CRC && reads(io, data, size, true, false))
        return "it is no delta: leave out --base";
    if (framed && !delta && io->decl->delta && with_crc(io, data, size) == io->decl)
        return "its crc is right, so it can be a delta; --base FILE names its baseline";
    return NULL;
}

static void report(codec_io *io, const uint8_t *data, size_t size, const codec_error *error)
{
    message *m = codec_io_refused(io, "refused", error);
    const decl *other = error->code == PKT_ERROR_CRC ? with_crc(io, data, size) : NULL;
    const char *hint = other ? NULL : other_form(io, data, size, error);
    if (other)
        diag_help(io->diag, m, "its crc is that of packet '%s'", other->name);
    if (hint)
        diag_help(io->diag, m, "%s", hint);
    if (!io->options->hex && is_hex(data, size))
        diag_help(io->diag, m, "the input is hexadecimal digits; --hex reads those");
}

/* The baseline that the user named, from which the predicted one has moved; NULL: base values. */
static const datum *baseline_of(const codec_io *io)
{
    return io->how.was ? io->how.was : io->how.base;
}

static void print_value(codec_io *io, const datum *v, const codec_part *parts)
{
    const bool changes = io->options->changes;
    out *o = out_new(io->arena);
    json_writer *j = json_new(io->arena, o, JSON_SPACED);
    size_t size;
    if (io->parts)
        json_parts(j, parts, changes);
    else if (changes && io->decl->parts > 0)
        json_packet(j, v, parts);
    else if (changes && baseline_of(io))
        json_changes(j, io->decl, v, baseline_of(io));
    else
        json_value(j, io->decl, v);
    puts(out_result(o, &size));
}

void decode_bytes(codec_io *io, const uint8_t *data, size_t size)
{
    datum v;
    codec_part *parts = NULL;
    codec_error error;
    if (io->options->bits) {
        printf("%8s %6s  %-20s  %s\n", "bit", "bits", "raw", "field");
        io->how.trace = list_item;
        io->how.note = &io->note;
    }
    io->how.parts = io->options->changes ? &parts : NULL;
    const bool good = io->parts
                          ? codec_read_stream(io->arena, io->schema, io->parts, data, size, &io->how, &parts, &error)
                          : codec_read(io->arena, io->schema, io->decl, data, size, &io->how, &v, &error);
    if (!good)
        report(io, data, size, &error);
    else if (!io->options->bits)
        print_value(io, &v, parts);
}

static void decode_value(run *r)
{
    const schema *s = load_schema(r, r->options->files[0]);
    codec_io io;
    size_t size;
    const uint8_t *data = s && codec_io_open(&io, r, s) ? codec_io_bytes(&io, &size) : NULL;
    if (data)
        decode_bytes(&io, data, size);
}

/* ---- recordings */

static void print_line(arena *a, const recorded *r, const decoded *found, bool changes)
{
    static const char *const ways[] = {NULL, "received", "sent"};
    const datagram *d = &r->datagram;
    out *o = out_new(a);
    json_writer *j = json_new(a, o, JSON_ONE_LINE);
    size_t size;
    json_begin_object(j, JSON_IN_LINE);
    json_u64(json_key(j, "index"), r->index);
    json_plain(json_key(j, "time"), "%" PRId64 ".%09" PRIu32, r->seconds, r->nanoseconds);
    if (ways[d->direction])
        json_text(json_key(j, "direction"), ways[d->direction]);
    json_text(json_key(j, "from"), endpoint_text(a, &d->from));
    json_text(json_key(j, "to"), endpoint_text(a, &d->to));
    json_u64(json_key(j, "size"), d->size);
    json_text(json_key(j, "type"), found->name);
    if (found->unchecked)
        json_text(json_key(j, "crc"), "unchecked");
    if (found->refused)
        json_text(json_key(j, "refused"), found->refused);
    if (found->decl && !found->refused && found->decl->parts > 0)
        json_packet(json_key(j, "value"), &found->value, changes ? found->parts : NULL);
    else if (found->decl && !found->refused)
        json_value(json_key(j, "value"), found->decl, &found->value);
    else if (!found->decl && found->parts)
        json_parts(json_key(j, "values"), found->parts, changes);
    json_end(j);
    puts(out_result(o, &size));
}

/* A line of JSON for each datagram. */
static void decode_datagrams(run *r, datagrams *kinds)
{
    const options *o = r->options;
    recording *from = recording_open(r->arena, r->diag, o->recording);
    uint64_t all = 0;
    recorded each;
    if (!from)
        return;
    if (file_is_terminal(stdout))
        recording_hide_progress(from);
    arena *scratch = arena_new();
    for (; recording_next(from, (uint16_t)o->port, &each); all++) {
        decoded found;
        datagrams_read(kinds, scratch, &each.datagram, NULL, NULL, &found);
        print_line(scratch, &each, &found, o->changes);
        arena_clear(scratch);
    }
    recording_close(from);
    if (all == 0 && o->port != 0)
        diag_warning(r->diag, (span){0}, "'%s' has no datagram from or to port %u", o->recording, o->port);
    datagrams_warn(kinds);
    arena_free(scratch);
}

/* Whether a datagram can be a delta. If not, --changes is reported to have no effect. */
static bool changes_have_use(run *r, const datagrams_request *request)
{
    if (!r->options->changes || request->stream_count > 0)
        return true;
    for (size_t i = 0; i < request->schema_count; i++)
        for (const decl *d = request->schemas[i]->decls; d; d = d->next)
            if (d->parts > 0)
                return true;
    diag_error(r->diag, (span){0}, "--changes needs --stream, or a packet with parts that are deltas");
    return false;
}

static void decode_recording(run *r)
{
    const counted_files files = {.recordings = &r->options->recording, .recording_count = 1};
    datagrams_request request;
    if (!is_recording(r->diag, r->options->recording) || !counting_request(r, &files, &request) ||
        !changes_have_use(r, &request))
        return;
    datagrams *kinds = datagrams_new(r->arena, r->diag, &request);
    if (!kinds)
        return;
    decode_datagrams(r, kinds);
    datagrams_free(kinds);
}

void command_decode(run *r)
{
    (r->options->recording ? decode_recording : decode_value)(r);
}
