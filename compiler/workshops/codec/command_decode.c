/* command_decode.c - reads one value and prints it, or the list of its bits.
 * SPDX-License-Identifier: MIT
 */
#include "codec/command_decode.h"
#include "codec/codec_json.h"
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
    if (other && other != io->decl)
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
    out *o = out_to_file(io->arena, stdout);
    json_writer *j = json_new(io->arena, o, JSON_SPACED);
    if (io->parts)
        json_parts(j, parts, changes);
    else if (changes && io->decl->parts > 0)
        json_packet(j, v, parts);
    else if (changes && baseline_of(io))
        json_changes(j, io->decl, v, baseline_of(io));
    else
        json_value(j, io->decl, v);
    out_add(o, "\n");
    out_end(o);
}

void decode_bytes(codec_io *io, const uint8_t *data, size_t size)
{
    datum v;
    codec_part *parts = NULL;
    codec_error error;
    if (io->chosen->bits) {
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
    else if (!io->chosen->bits)
        print_value(io, &v, parts);
}

void command_decode(run *r)
{
    const schema *s = load_schema(r, r->options->files[0]);
    codec_io io;
    size_t size;
    const uint8_t *data = s && codec_io_open(&io, r, s) ? codec_io_bytes(&io, &size) : NULL;
    if (data)
        decode_bytes(&io, data, size);
}
