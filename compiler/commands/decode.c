/* decode.c - pktc decode: see decode.h.
 * SPDX-License-Identifier: MIT
 */
#include "commands/decode.h"
#include "codec/codec_json.h"

#include <inttypes.h>
#include <string.h>

/* What a list of items is printed with. */
typedef struct lister {
    arena *arena;
    const char *note;
} lister;

static const char *quoted(arena *a, const char *text)
{
    return arena_printf(a, "\"%s\"", text);
}

/* Prints a line of the list: up to 64 bits as a number, more as hexadecimal bytes. What an item means comes after its
 * name, unless it is the number. */
static void list_item(void *user, const char *name, uint64_t bit, uint64_t bits, const uint8_t *data)
{
    const lister *l = user;
    uint64_t raw = 0;
    char *hex = arena_alloc(l->arena, 2 * (size_t)(bits / 8 + 1) + 1);
    for (uint64_t i = 0; i < bits; i += 8) {
        unsigned byte = 0;
        for (unsigned k = 0; k < 8 && i + k < bits; k++)
            byte |= (unsigned)(data[(bit + i + k) / 8] >> (bit + i + k) % 8 & 1) << k;
        sprintf(hex + i / 4, "%02x", byte);
        if (i < 64)
            raw |= (uint64_t)byte << i;
    }
    const char *text = bits <= 64 ? arena_printf(l->arena, "%" PRIu64, raw) : hex;
    const bool says_more = l->note && strcmp(l->note, text) != 0 && strcmp(l->note, quoted(l->arena, text)) != 0;
    printf("%8" PRIu64 " %6" PRIu64 "  %-20s  %s%s%s\n", bit, bits, text, name, says_more ? " = " : "",
           says_more ? l->note : "");
}

static int digit_value(uint8_t c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) % 16 : -1;
}

/* Whether bytes are a text that --hex would have been for. */
static bool is_hex(const uint8_t *data, size_t size)
{
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        if (!data[i] || (digit_value(data[i]) < 0 && !strchr(" \t\r\n,:xX", data[i])))
            return false;
        digits += digit_value(data[i]) >= 0;
    }
    return digits >= 2;
}

/* The packet that the bytes are, if they are not what was asked for. */
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

/* What to try for a packet that was refused; or NULL. */
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
    const char *form = other ? NULL : other_form(io, data, size, error);
    if (other)
        diag_help(io->diag, m, "its crc is that of packet '%s'", other->name);
    if (form)
        diag_help(io->diag, m, "%s", form);
    if (!io->request->hex && is_hex(data, size))
        diag_help(io->diag, m, "the input is hexadecimal digits; --hex reads those");
}

void decode_bytes(codec_io *io, const uint8_t *data, size_t size)
{
    datum v;
    codec_part *parts;
    codec_error error;
    lister l = {.arena = io->arena};
    if (io->request->bits) {
        printf("%8s %6s  %-20s  %s\n", "bit", "bits", "raw", "field");
        io->how.trace = list_item;
        io->how.user = &l;
        io->how.note = &l.note;
    }
    const bool good = io->parts
                          ? codec_read_stream(io->arena, io->schema, io->parts, data, size, &io->how, &parts, &error)
                          : codec_read(io->arena, io->schema, io->decl, data, size, &io->how, &v, &error);
    if (!good)
        report(io, data, size, &error);
    else if (!io->request->bits)
        fputs(io->parts ? json_print_parts(io->arena, parts) : json_print(io->arena, io->decl, &v), stdout);
}

/* Bytes from text: two digits each, with or without 0x, and between them blanks, commas or colons. NULL after an
 * error. */
static const uint8_t *bytes_of_hex(codec_io *io, const uint8_t *text, size_t *size)
{
    uint8_t *bytes = arena_alloc(io->arena, *size / 2 + 1);
    size_t count = 0, line = 1;
    for (size_t i = 0; i < *size;) {
        if (text[i] && strchr(" \t\r\n,:", text[i])) {
            line += text[i++] == '\n';
            continue;
        }
        if (*size - i > 2 && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X'))
            i += 2;
        int high = digit_value(text[i]), low = i + 1 < *size ? digit_value(text[i + 1]) : -1;
        if (high < 0 || low < 0) {
            message *m = diag_error(io->diag, (span){0}, "%s: line %zu: expected two hexadecimal digits for each byte",
                                    codec_io_input_name(io), line);
            diag_help(io->diag, m, "`xxd -p FILE` prints bytes as such digits");
            return NULL;
        }
        bytes[count++] = (uint8_t)(high << 4 | low);
        i += 2;
    }
    *size = count;
    return bytes;
}

const uint8_t *decode_input(codec_io *io, size_t *size)
{
    const bool hex = io->request->hex;
    const uint8_t *data = codec_io_input(io, hex ? "hexadecimal digits" : "bytes", size);
    return data && hex ? bytes_of_hex(io, data, size) : data;
}

void decode(arena *a, diag *d, const schema *s, const codec_request *request)
{
    codec_io io;
    size_t size;
    if (!codec_io_open(&io, a, d, s, request))
        return;
    const uint8_t *data = decode_input(&io, &size);
    if (data)
        decode_bytes(&io, data, size);
}
