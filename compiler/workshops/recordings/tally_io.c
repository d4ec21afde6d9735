/* tally_io.c - writes and reads the file around the counts of a tally. A reader believes nothing: see packed.h.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/tally_io.h"
#include "base/banner.h"
#include "base/files.h"
#include "base/source.h"
#include "releases/archive_text.h"
#include "recordings/tally_file.h"

#include <inttypes.h>
#include <string.h>

enum {
    TALLY_VERSION = 5,
    /* BANNER_TALLY, and the version of the format: */ HEAD = sizeof BANNER_TALLY,
    CRC = 4,
    MOST_TALLY = 64 << 20,
    MOST_SCHEMA = 1 << 24
};

bool tally_is(const char *name)
{
    char start[HEAD - 1];
    FILE *from = file_is_pipe(name) ? NULL : file_open(name);
    const bool is =
        from && fread(start, 1, sizeof start, from) == sizeof start && memcmp(start, BANNER_TALLY, sizeof start) == 0;
    if (from)
        fclose(from);
    return is;
}

/* ---- reading */

/* All bytes of a file; NULL after an error. */
static const uint8_t *read_tally(arena *a, diag *d, const char *name, size_t *size)
{
    FILE *from = file_open(name);
    const uint8_t *bytes = from ? read_to_end(a, from, MOST_TALLY, size) : NULL;
    if (!bytes && from && *size > MOST_TALLY)
        diag_error(d, (span){0}, "'%s' is no tally: it has more than %d MB", name, MOST_TALLY >> 20);
    else if (!bytes)
        diag_error(d, (span){0}, "cannot read '%s': %s", name, file_failure());
    if (from)
        fclose(from);
    return bytes;
}

static bool refuse_damaged(diag *d, const char *name)
{
    diag_help(d, diag_error(d, (span){0}, "'%s' is a damaged tally", name), "make it again with `pktc tally`");
    return false;
}

static bool refuse_wrong(diag *d, const char *name, const char *wrong)
{
    message *m = diag_error(d, (span){0}, "'%s' is a damaged tally: it has %s that the schema has not", name, wrong);
    diag_help(d, m, "make it again with `pktc tally`");
    return false;
}

static uint32_t crc_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* A part of the file, whose size comes before it. */
static unpacker take_section(unpacker *from)
{
    const size_t size = (size_t)unpack_up_to(from, from->size - from->at);
    from->bad = from->bad || size > from->size - from->at;
    if (from->bad)
        return (unpacker){.bad = true};
    from->at += size;
    return (unpacker){.arena = from->arena, .bytes = from->bytes + from->at - size, .size = size};
}

bool tally_open(arena *a, diag *d, const char *name, tally_file *file)
{
    size_t size;
    *file = (tally_file){.path = name};
    const uint8_t *bytes = read_tally(a, d, name, &size);
    if (!bytes)
        return false;
    if (size < HEAD + CRC || memcmp(bytes, BANNER_TALLY, HEAD - 1) != 0)
        return refuse_damaged(d, name);
    if (bytes[HEAD - 1] != TALLY_VERSION) {
        message *m = diag_error(d, (span){0}, "'%s' is a tally of version %u, and this pktc reads version %u", name,
                                bytes[HEAD - 1], (unsigned)TALLY_VERSION);
        diag_help(d, m, "make it again with this pktc, or read it with that of its maker");
        return false;
    }
    if (packed_crc(bytes, size - CRC) != crc_at(bytes + size - CRC))
        return refuse_damaged(d, name);
    unpacker from = {.arena = a, .bytes = bytes, .size = size - CRC, .at = HEAD};
    file->checks = unpack_up_to(&from, 1) != 0;
    file->schema_count = (size_t)unpack_up_to(&from, TALLY_SCHEMAS);
    for (size_t i = 0; i < file->schema_count && !from.bad; i++) {
        size_t length;
        file->ids[i] = unpack_number(&from);
        const char *text = unpack_text(&from, MOST_SCHEMA, &length);
        file->texts[i] = source_recorded(a, arena_printf(a, "schema in %s", name), text, length);
    }
    file->counts = take_section(&from);
    for (size_t i = 0; i < file->schema_count; i++)
        file->symbols[i] = take_section(&from);
    return (!from.bad && file->schema_count > 0 && from.at == from.size) || refuse_damaged(d, name);
}

/* The place of the schema with this id among the schemas; their number if there is none. */
static size_t place_of_id(const schema *const *schemas, size_t count, uint64_t id)
{
    size_t place = 0;
    while (place < count && schemas[place]->id != id)
        place++;
    return place;
}

bool tally_fits(diag *d, tally_file *file, const schema *const *schemas, size_t count)
{
    size_t same = 0;
    while (same < file->schema_count && (file->places[same] = place_of_id(schemas, count, file->ids[same])) < count)
        same++;
    if (same == count && same == file->schema_count)
        return true;
    message *m = diag_error(d, (span){0}, "'%s' was made with another schema", file->path);
    if (count == 1 && file->schema_count == 1)
        diag_help(d, m, "the id of the schema in it is 0x%016" PRIx64 ", and that of '%s' is 0x%016" PRIx64,
                  file->ids[0], schemas[0]->root->path, schemas[0]->id);
    else if (same < file->schema_count)
        diag_help(d, m, "the schema with the id 0x%016" PRIx64 " in it is not asked for", file->ids[same]);
    else
        diag_help(d, m, "it has %zu schemas, and %zu are asked for", file->schema_count, count);
    return false;
}

bool tally_read(diag *d, tally_file *file, tally *to)
{
    return (tally_take(&file->counts, file->places, to) && file->counts.at == file->counts.size) ||
           refuse_damaged(d, file->path);
}

bool tally_read_faults(diag *d, tally_file *file, tally *to)
{
    unpacker from = file->counts;
    return tally_take_faults(&from, to) || refuse_damaged(d, file->path);
}

bool tally_read_symbols(diag *d, tally_file *file, size_t number, training *to)
{
    unpacker *from = &file->symbols[number];
    const char *wrong;
    if (training_take(from, to, &wrong) && from->at == from->size)
        return true;
    return wrong ? refuse_wrong(d, file->path, wrong) : refuse_damaged(d, file->path);
}

/* ---- writing */

static void put_section(packer *to, const packer *section)
{
    pack_text(to, (const char *)section->bytes, section->size);
}

const uint8_t *tally_bytes(run *r, const tally *t, training *const *trainings, size_t *size)
{
    packer to = {.arena = r->arena}, counts = {.arena = r->arena};
    for (size_t i = 0; i < HEAD - 1; i++)
        pack_byte(&to, (uint8_t)BANNER_TALLY[i]);
    pack_byte(&to, TALLY_VERSION);
    pack_number(&to, !r->options->no_checks);
    pack_number(&to, t->schema_count);
    for (size_t i = 0; i < t->schema_count; i++) {
        size_t length;
        const char *text = archive_text(r->arena, r->names, r->diag, t->schemas[i], &length);
        if (!text)
            return NULL;
        pack_number(&to, t->schemas[i]->id);
        pack_text(&to, text, length);
    }
    tally_put(&counts, t);
    put_section(&to, &counts);
    for (size_t i = 0; i < t->schema_count; i++) {
        packer symbols = {.arena = r->arena};
        if (trainings[i])
            training_put(&symbols, trainings[i]);
        put_section(&to, &symbols);
    }
    const uint32_t crc = packed_crc(to.bytes, to.size);
    for (unsigned i = 0; i < CRC; i++)
        pack_byte(&to, (uint8_t)(crc >> 8 * i));
    *size = to.size;
    return to.bytes;
}
