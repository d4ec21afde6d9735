/* command_convert.c - `pktc convert`: converts a value's bytes from an older version to the current one.
 * SPDX-License-Identifier: MIT
 */
#include "convert/command_convert.h"
#include "base/files.h"
#include "codec/codec_io.h"
#include "convert/convert_rows.h"
#include "convert/convert_value.h"

/* ---- the older versions */

bool load_older(run *r, const older *from, upgrade *u)
{
    const schema *now = u->now->schema;
    releases all;
    if (from->text) {
        const check_options how = checked_as_asked(r);
        schema *s = check_quietly(r, from->text, &how);
        u->versions = s ? make_old_version(r, s, release_number(from->place, now->protocol), false, u->now) : NULL;
        return s != NULL;
    }
    return has_protocol(r, now, "an archive cannot have it") &&
           releases_find(r->arena, r->diag, from->place, now->protocol, &all) && load_releases(r, &all, false, u);
}

/* ---- a value */

/* The losses of a value. Those of less than a step are counted. */
typedef struct value_losses {
    codec_io *io;
    const char *rounded; /* the first one */
    uint64_t count;
} value_losses;

static void warn(void *user, const char *place, const char *what, bool rounded)
{
    value_losses *all = user;
    if (!rounded)
        diag_warning(all->io->diag, (span){0}, "%s: %s", place, what);
    else if (all->count++ == 0)
        all->rounded = arena_printf(all->io->arena, "%s: %s", place, what);
}

static codec_options packet_options(const schema *s, const decl *d)
{
    return (codec_options){.id = s->id, .framed = d->packet, .room = SIZE_MAX};
}

/* The value in the bytes, if they are of this version. */
static bool read_then(const codec_io *io, const old_version *v, const decl *then, const uint8_t *data, size_t size,
                      datum *read, codec_error *error)
{
    const codec_options how = packet_options(v->wire->schema, then);
    return codec_read(io->arena, v->wire->schema, then, data, size, &how, read, error);
}

static void write_now(codec_io *io, const old_version *v, const decl *then, const datum *from)
{
    datum to;
    codec_error error;
    size_t size;
    value_losses losses = {.io = io};
    const bool good = convert_value(io->arena, NULL, v, then, io->decl, from, &to, warn, &losses);
    convert_warn_rounded(io->diag, losses.rounded, losses.count);
    if (!good) {
        diag_error(io->diag, (span){0}, "%s has no value in the newer schema", then->name);
        return;
    }
    const codec_options how = packet_options(io->schema, io->decl);
    const uint8_t *data = codec_write(io->arena, io->schema, io->decl, &to, &how, &size, &error);
    if (data)
        codec_io_print(io, data, size);
    else
        codec_io_refused(io, "cannot be written", &error);
}

/* The version of the bytes, by their checksum; if there is only one, that one. NULL after an error, or if the bytes are
 * of the current version and were printed. */
static const old_version *version_of_input(codec_io *io, const upgrade *u, bool find, const uint8_t *data, size_t size,
                                           const decl **then, datum *read)
{
    codec_error error;
    const codec_options how = packet_options(io->schema, io->decl);
    if (find && codec_read(io->arena, io->schema, io->decl, data, size, &how, read, &error)) {
        codec_io_print(io, data, size);
        return NULL;
    }
    for (const old_version *v = u->versions; v; v = v->next) {
        *then = decl_then(&v->conversion, io->decl);
        if (!*then && find)
            continue;
        if (!*then) {
            diag_error(io->diag, (span){0}, "the older schema has no '%s'", io->decl->name);
            return NULL;
        }
        if (read_then(io, v, *then, data, size, read, &error))
            return v;
        if (!find || error.code != PKT_ERROR_CRC) {
            codec_io_refused(io, "refused", &error);
            return NULL;
        }
    }
    diag_error(io->diag, (span){0}, "refused: damaged, or a '%s' of no release in the folder", io->decl->name);
    return NULL;
}

/* If there are several older versions, or `find` is set, the checksum tells the version of a packet, which can also be
 * the current one. */
static void convert_input(run *r, const upgrade *u, bool find)
{
    codec_io io;
    size_t size;
    datum read;
    const decl *then;
    if (!codec_io_open(&io, r, u->now->schema))
        return;
    if (io.parts) {
        diag_error(r->diag, (span){0}, "convert takes the name of one type");
        return;
    }
    if (find && !io.decl->packet) {
        message *m = diag_error(r->diag, (span){0}, "'%s' has no checksum, because it is no packet", io.decl->name);
        diag_help(r->diag, m, "give the schema of its version instead of a folder");
        return;
    }
    const uint8_t *data = codec_io_can_print(r->diag, r->options->hex) ? codec_io_bytes(&io, &size) : NULL;
    const old_version *v = data ? version_of_input(&io, u, find, data, size, &then, &read) : NULL;
    if (v)
        write_now(&io, v, then, &read);
}

static void convert_bytes(run *r, const older *from, const schema *now)
{
    upgrade u = {.now = lower(r->arena, now)};
    const uint32_t errors = diag_errors(r->diag);
    if (!load_older(r, from, &u))
        return;
    report_refusals(r, &u);
    if (diag_errors(r->diag) == errors)
        convert_input(r, &u, !from->text);
}

/* ---- */

const schema *read_versions(run *r, older *from)
{
    const options *o = r->options;
    *from = (older){.place = o->file_count > 1 ? o->files[0] : NULL};
    const bool is_file = from->place && !file_is_directory(from->place);
    if (is_file)
        from->text = read_schema(r, from->place);
    const source *text = read_schema(r, o->files[o->file_count - 1]);
    if (!text || (is_file && !from->text))
        return NULL;
    const check_options how = checked_as_asked(r);
    return check(r->arena, r->names, r->diag, text, &how);
}

void command_convert(run *r)
{
    older from;
    const schema *now = read_versions(r, &from);
    if (now)
        convert_bytes(r, &from, now);
}
