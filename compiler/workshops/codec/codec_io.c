/* codec_io.c - finds out the form of the input, and reads the input and its baseline.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_io.h"
#include "base/files.h"
#include "base/source.h"
#include "codec/codec_json.h"
#include "codec/stream_list.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

bool codec_io_reads_json(diag *d, const char *what)
{
    if (json_can_read())
        return true;
    diag_error(d, (span){0}, "this pktc was built without jansson, which %s needs", what);
    return false;
}

static uint8_t *read_all(codec_io *io, FILE *from, const char *name, size_t *size)
{
    uint8_t *bytes = read_to_end(io->arena, from, SIZE_MAX, size);
    if (!bytes)
        diag_error(io->diag, (span){0}, "cannot read %s: %s", name, strerror(errno));
    return bytes;
}

static uint8_t *read_file(codec_io *io, const char *name, size_t *size)
{
    FILE *from = fopen(name, "rb");
    if (!from) {
        diag_error(io->diag, (span){0}, "cannot read '%s': %s", name, strerror(errno));
        return NULL;
    }
    uint8_t *bytes = read_all(io, from, arena_printf(io->arena, "'%s'", name), size);
    fclose(from);
    return bytes;
}

/* In errors. */
static const char *input_name(const codec_io *io)
{
    return io->options->input ? io->options->input : "standard input";
}

bool codec_io_json(codec_io *io, const uint8_t *text, size_t size, datum *v)
{
    const char *problem;
    if (json_read(io->arena, io->decl, (const char *)text, size, v, &problem))
        return true;
    diag_error(io->diag, (span){0}, "%s: %s", input_name(io), problem);
    return false;
}

bool codec_io_json_parts(codec_io *io, const uint8_t *text, size_t size, codec_part **parts)
{
    const char *problem;
    if (json_read_parts(io->arena, io->parts, (const char *)text, size, parts, &problem))
        return true;
    diag_error(io->diag, (span){0}, "%s: %s", input_name(io), problem);
    return false;
}

static bool is_null(const uint8_t *text, size_t size)
{
    while (size > 0 && strchr(" \t\r\n", text[size - 1]))
        size--;
    return size == 4 && memcmp(text, "null", 4) == 0;
}

/* Reads a value from a file; if the file says `null`, *found is NULL. False after an error. */
static bool read_value(codec_io *io, const decl *d, const char *name, datum *v, const datum **found)
{
    const char *problem;
    size_t size;
    const uint8_t *text = read_file(io, name, &size);
    *found = NULL;
    if (!text || is_null(text, size))
        return text != NULL;
    *found = v;
    if (json_read(io->arena, d, (const char *)text, size, v, &problem))
        return true;
    diag_error(io->diag, (span){0}, "%s: %s", name, problem);
    return false;
}

/* Predicts the baseline from its motion. False after an error. */
static bool move_base(codec_io *io, const decl *d, const datum **base, const datum **was)
{
    const codec_choices *o = io->chosen;
    datum earlier;
    const datum *before = NULL;
    if (!d->predicts) {
        diag_error(io->diag, (span){0}, "%s: '%s' is not @delta(predict), so its baseline does not move",
                   o->before ? "--before" : "--back", d->name);
        return false;
    }
    if (o->before && !read_value(io, d, o->before, &earlier, &before))
        return false;
    if (*base) {
        io->moved = codec_predict(io->arena, d, *base, before, o->back, o->gap);
        *was = *base;
        *base = &io->moved;
    }
    return true;
}

/* Reads the baseline of a value, and the value from which it was predicted. False after an error. */
static bool read_base(codec_io *io, const decl *d, const datum **base, const datum **was)
{
    const codec_choices *o = io->chosen;
    if (!codec_io_reads_json(io->diag, "--base"))
        return false;
    if (!d->delta) {
        diag_error(io->diag, (span){0}, "'%s' cannot be sent as a delta, because it is not @delta", d->name);
        return false;
    }
    return read_value(io, d, o->base, &io->base, base) && ((!o->before && o->back == 0) || move_base(io, d, base, was));
}

/* ---- the baselines of parts */

static void add_base(codec_io *io, decl *to, const field *part, const char *name, item ***end)
{
    field *f = ARENA_NEW(io->arena, field);
    item *i = ARENA_NEW(io->arena, item);
    *f = (field){.name = name, .owner = to, .type = part->type, .optional = true, .index = to->field_count++};
    *i = (item){.kind = ITEM_FIELD, .as.field = f};
    f->next = to->fields;
    to->fields = f;
    **end = i;
    *end = &i->next;
}

/* after: "" of the baseline, "_before", or "_start". */
static const char *name_of_base(codec_io *io, const field *part, const char *after)
{
    return arena_printf(io->arena, "%s%s", part->name, after);
}

/* The type of the file, which is that of T_bases in C: an optional member for each baseline. */
static const decl *type_of_bases(codec_io *io, const decl *packet)
{
    decl *made = ARENA_NEW(io->arena, decl);
    *made = (decl){.kind = DECL_STRUCT, .name = arena_printf(io->arena, "%s_bases", packet->name)};
    item **end = &made->body.items;
    for (const field *f = packet->fields; f; f = f->next) {
        if (f->part)
            add_base(io, made, f, name_of_base(io, f, ""), &end);
        if (f->part && f->part->before)
            add_base(io, made, f, name_of_base(io, f, "_before"), &end);
        if (f->part && f->part->starts)
            add_base(io, made, f, name_of_base(io, f, "_start"), &end);
    }
    return made;
}

static const datum *given_base(codec_io *io, const field *part, const char *after)
{
    const char *name = name_of_base(io, part, after);
    const field *f = io->bases ? io->bases->decl->fields : NULL;
    while (f && strcmp(f->name, name) != 0)
        f = f->next;
    return f && slot_of(io->bases, f)->present ? &slot_of(io->bases, f)->data[0] : NULL;
}

/* Finds the one that was given. Its number does not matter. */
static bool find_given(void *user, const codec_part *expected, uint64_t number, const datum **base)
{
    (void)number;
    *base = given_base(user, expected->field, expected->base ? "_before" : "");
    return *base != NULL;
}

static const datum *find_given_start(void *user, const codec_part *part)
{
    return given_base(user, part->field, "_start");
}

static bool read_bases(codec_io *io)
{
    const datum *found;
    io->how.find = find_given;
    io->how.start = find_given_start;
    if (!io->chosen->base)
        return true;
    if (io->chosen->before || io->chosen->back != 0) {
        diag_error(io->diag, (span){0}, "%s: all baselines of a packet with parts are in the file of --base",
                   io->chosen->before ? "--before" : "--back");
        return false;
    }
    if (!codec_io_reads_json(io->diag, "--base") ||
        !read_value(io, type_of_bases(io, io->decl), io->chosen->base, &io->base, &found))
        return false;
    io->bases = found ? found->record : NULL;
    return true;
}

static message *refused_base(codec_io *io, const char *what, const codec_error *error)
{
    const char *part = strrchr(error->field, '.') + 1;
    if (error->of_start)
        return diag_error(io->diag, (span){0}, "%s: %s: its start value, `%s_start` of --base, cannot be written", what,
                          error->field, part);
    message *m = diag_error(io->diag, (span){0}, "%s: %s: %s, %" PRIu64 ", is not given", what, error->field,
                            error->of_baseline ? "what its baseline has moved from" : "its baseline", error->number);
    diag_help(io->diag, m, "--base FILE gives the baselines of the parts: {\"%s%s\": {...}}", part,
              error->of_baseline ? "_before" : "");
    return m;
}

/* ---- streams */

static bool read_list(codec_io *io)
{
    io->parts = stream_list_read(io->arena, io->diag, io->schema, io->options->type, LIST_OF_NOW);
    codec_part *delta = NULL;
    if (!io->parts)
        return false;
    for (codec_part *p = io->parts; p; p = p->next) {
        if (!p->delta || p->chained)
            continue;
        if (delta || p->many || p->count) {
            diag_error(io->diag, (span){0}, "only one value of a stream can be a delta to --base");
            return false;
        }
        delta = p;
    }
    if (!delta == !io->chosen->base)
        return !delta || read_base(io, delta->decl, &delta->base, &delta->was);
    if (delta)
        diag_error(io->diag, (span){0}, "'%s delta' needs --base", delta->decl->name);
    else
        diag_error(io->diag, (span){0}, "--base needs a type in the list that is followed by 'delta'");
    return false;
}

/* ---- */

/* Refuses options that would have no effect, or that contradict each other. */
static bool fits(codec_io *io)
{
    const options *o = io->options;
    const codec_choices *c = io->chosen;
    if (c->body && (!io->decl || !io->decl->packet))
        diag_error(io->diag, (span){0}, "--body is for packets, and '%s' is none", o->type);
    else if (c->ignore_crc && !io->how.framed)
        diag_error(io->diag, (span){0}, "--ignore-crc is for packets and frames, and '%s' has no crc", o->type);
    else if (o->seed != 0 && !c->frame && (!io->decl || !io->decl->seeded))
        diag_error(io->diag, (span){0}, "--seed needs --frame, or a packet with parts or @seed");
    else if (io->how.framed && c->skip % 8 != 0)
        diag_error(io->diag, (span){0}, "--skip %" PRIu32 ": a packet or frame begins at a whole byte", c->skip);
    else
        return true;
    return false;
}

bool codec_io_open(codec_io *io, run *r, const schema *s)
{
    const options *o = r->options;
    const codec_choices *c = codec_chosen(o);
    *io = (codec_io){.arena = r->arena, .diag = r->diag, .schema = s, .options = o, .chosen = c};
    add_input(r, c->base);
    add_input(r, c->before);
    io->how = (codec_options){
        .id = s->id, .room = SIZE_MAX, .skip = c->skip, .ignore_crc = c->ignore_crc, .seed = o->seed, .user = io};
    if (c->frame || strpbrk(o->type, ", *")) {
        io->how.framed = c->frame != NULL;
        io->how.frame = c->frame;
        return fits(io) && read_list(io);
    }
    io->decl = stream_list_type(io->diag, s, o->type);
    if (!io->decl)
        return false;
    io->how.framed = io->decl->packet && !c->body;
    if (!fits(io))
        return false;
    if (io->decl->parts > 0)
        return read_bases(io);
    io->how.delta = c->base != NULL;
    return !c->base || read_base(io, io->decl, &io->how.base, &io->how.was);
}

const uint8_t *codec_io_input(codec_io *io, const char *what, size_t *size)
{
    if (io->options->input)
        return read_file(io, io->options->input, size);
    file_as_is(stdin);
    file_hint_at_terminal(what);
    return read_all(io, stdin, "standard input", size);
}

/* ---- bytes */

int hex_digit(uint8_t c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) % 16 : -1;
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
        int high = hex_digit(text[i]), low = i + 1 < *size ? hex_digit(text[i + 1]) : -1;
        if (high < 0 || low < 0) {
            message *m = diag_error(io->diag, (span){0}, "%s: line %zu: expected two hexadecimal digits for each byte",
                                    input_name(io), line);
            diag_help(io->diag, m, "`xxd -p FILE` prints bytes as such digits");
            return NULL;
        }
        bytes[count++] = (uint8_t)(high << 4 | low);
        i += 2;
    }
    *size = count;
    return bytes;
}

const uint8_t *codec_io_bytes(codec_io *io, size_t *size)
{
    const bool hex = io->options->hex;
    const uint8_t *data = codec_io_input(io, hex ? "hexadecimal digits" : "bytes", size);
    return data && hex ? bytes_of_hex(io, data, size) : data;
}

bool codec_io_can_print(diag *d, bool text)
{
    if (text || !file_is_terminal(stdout))
        return true;
    message *m = diag_error(d, (span){0}, "standard output is a terminal, and the bytes are not text");
    diag_help(d, m, "--hex prints them as hexadecimal digits; > FILE saves them");
    return false;
}

void codec_io_print(const codec_io *io, const uint8_t *data, size_t size)
{
    if (!io->options->hex) {
        fwrite(data, 1, size, stdout);
        return;
    }
    for (size_t i = 0; i < size; i++)
        printf("%02x", data[i]);
    putchar('\n');
}

/* ---- */

/* The field's name is printed here, because pkt_error_string would cut a long name. */
message *codec_io_refused(codec_io *io, const char *what, const codec_error *error)
{
    pkt_error nameless = {.code = error->code, .bit = error->bit};
    char text[256];
    if (error->code == PKT_ERROR_BASELINE)
        return refused_base(io, what, error);
    return diag_error(io->diag, (span){0}, "%s: %s%s%s", what, error->field, *error->field ? ": " : "",
                      pkt_error_string(&nameless, text, sizeof text));
}
