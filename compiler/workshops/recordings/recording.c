/* recording.c - reads schemas from the comments of a file, and its packets, through pkt_replay of the runtime.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/recording.h"
#include "base/files.h"
#include "pkt_replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROOM = 1 << 20 }; /* for a packet and the interfaces of a section */

/* ---- what a file is */

static bool begins_recording(const uint8_t *start, size_t size)
{
    static const uint8_t known[][4] = {{0x0A, 0x0D, 0x0D, 0x0A},
                                       {0xA1, 0xB2, 0xC3, 0xD4},
                                       {0xD4, 0xC3, 0xB2, 0xA1},
                                       {0xA1, 0xB2, 0x3C, 0x4D},
                                       {0x4D, 0x3C, 0xB2, 0xA1}};
    for (size_t i = 0; size >= sizeof known[0] && i < sizeof known / sizeof known[0]; i++)
        if (memcmp(start, known[i], sizeof known[0]) == 0)
            return true;
    return false;
}

bool recording_is(const char *path)
{
    byte_source *from = byte_source_open(path);
    size_t size = 0;
    const uint8_t *start = from ? byte_source_look(from, 4, &size) : NULL;
    const bool is = begins_recording(start, size);
    if (from)
        byte_source_close(from);
    return is;
}

const char *recording_failure(arena *a, const char *path)
{
    byte_source *from = byte_source_open(path);
    size_t size;
    if (!from)
        return file_failure();
    byte_source_look(from, 4, &size);
    const char *why = byte_source_failure(from);
    why = why ? arena_printf(a, "%s", why) : NULL;
    byte_source_close(from);
    return why;
}

/* ---- the bytes of a source, as pkt_replay reads them */

typedef struct replayed_bytes {
    byte_source *from;
    size_t seen;
    bool stay; /* take none: others begin at the same place. So only the beginning can be seen */
} replayed_bytes;

enum { MOST_SEEN = 1 << 24 };

/* A pkt_replay_source. */
static size_t read_replayed(void *user, void *to, size_t size)
{
    replayed_bytes *b = user;
    size_t there;
    if (b->seen + size > MOST_SEEN)
        return 0;
    const uint8_t *bytes = byte_source_look(b->from, b->seen + size, &there);
    there = there > b->seen ? there - b->seen : 0;
    size = size < there ? size : there;
    if (size == 0)
        return 0;
    memcpy(to, bytes + b->seen, size);
    if (b->stay)
        b->seen += size;
    else
        byte_source_take(b->from, size);
    return size;
}

static uint8_t *new_room(void)
{
    uint8_t *room = malloc(MOST_ROOM);
    if (!room)
        arena_out_of_memory();
    return room;
}

bool recording_begun(const char *path)
{
    byte_source *from = file_is_pipe(path) ? NULL : byte_source_open(path);
    if (!from)
        return true;
    replayed_bytes bytes = {.from = from};
    uint8_t *room = new_room();
    pkt_replay replay;
    pkt_piece piece;
    pkt_replay_begin(&replay, read_replayed, &bytes, room, MOST_ROOM);
    const bool whole = pkt_replay_next(&replay, &piece) > PKT_PIECE_DAMAGE || replay.interfaces > 0;
    const bool begun = whole || (replay.damaged && !replay.cut) || byte_source_failure(from);
    byte_source_close(from);
    free(room);
    return begun;
}

/* ---- schemas */

enum {
    LONG_COMMENT = 63000, /* a longer one continues in the next, unless that begins a schema */
    MOST_SCHEMAS = 1000,
    /* Bytes of all schemas; what is over is left out. Without it, a small compressed file fills all memory. */
    MOST_TEXT = 1 << 24
};

/* Comments as they come, and the schemas that they were. */
typedef struct schema_reader {
    arena *arena;
    recorded_schema *first;
    size_t count;
    char *text; /* of the schema that may go on */
    size_t size, room;
    size_t kept; /* bytes of all schemas before it */
    bool open, too_many;
} schema_reader;

static bool begins_schema(const uint8_t *text, size_t size)
{
    static const char start[] = "protocol ";
    return size >= sizeof start && memcmp(text, start, sizeof start - 1) == 0;
}

/* The size of a comment without what mergecap puts behind the first one of a section. */
static size_t own_size(const uint8_t *text, size_t size)
{
    static const char added[] = " \nFile created by merging: ";
    enum { ADDED = sizeof added - 1 };
    size_t at = 0;
    while (size - at >= ADDED && memcmp(text + at, added, ADDED) != 0)
        at++;
    return size - at >= ADDED ? at : size;
}

static bool has_schema(const recorded_schema *list, const recorded_schema *s)
{
    while (list && (list->size != s->size || memcmp(list->text, s->text, s->size) != 0))
        list = list->next;
    return list != NULL;
}

static void end_schema(schema_reader *s)
{
    const recorded_schema found = {.text = s->text, .size = s->size};
    recorded_schema **end = &s->first;
    if (s->open && !has_schema(s->first, &found)) {
        s->too_many = s->count == MOST_SCHEMAS || s->kept + s->size > MOST_TEXT;
        while (*end)
            end = &(*end)->next;
        if (!s->too_many)
            *end =
                ARENA_WITH(s->arena, recorded_schema, .text = arena_text(s->arena, s->text, s->size), .size = s->size);
        s->count += !s->too_many;
        s->kept += s->size;
    }
    s->open = false;
    s->size = 0;
}

static void append_to_schema(schema_reader *s, const uint8_t *text, size_t size)
{
    size = size < MOST_TEXT - s->size ? size : MOST_TEXT - s->size;
    if (s->size + size > s->room) {
        const size_t room = 2 * (s->size + size);
        s->text = arena_grow(s->arena, s->text, s->room, room);
        s->room = room;
    }
    memcpy(s->text + s->size, text, size);
    s->size += size;
}

static void read_comment(schema_reader *s, const pkt_piece *p)
{
    const size_t own = own_size(p->data, p->size);
    const bool begins = begins_schema(p->data, own);
    if (p->first || begins)
        end_schema(s);
    s->open = s->open || begins;
    if (s->open)
        append_to_schema(s, p->data, own);
    if (own <= LONG_COMMENT)
        end_schema(s);
}

/* The schemas from where a source is: all, or those before the first packet. */
static void read_recorded_schemas(schema_reader *s, byte_source *from, bool all)
{
    replayed_bytes bytes = {.from = from, .stay = !all};
    uint8_t *room = new_room();
    pkt_replay replay;
    pkt_piece piece;
    pkt_replay_begin(&replay, read_replayed, &bytes, room, MOST_ROOM);
    for (pkt_piece_kind kind; !s->too_many && (kind = pkt_replay_next(&replay, &piece)) > PKT_PIECE_DAMAGE;)
        if (kind == PKT_PIECE_COMMENT)
            read_comment(s, &piece);
        else if (!all)
            break;
    end_schema(s);
    free(room);
}

recorded_schema *recording_schemas(arena *a, diag *d, const char *path)
{
    schema_reader found = {.arena = a};
    byte_source *from = byte_source_open(path);
    if (!from)
        return NULL;
    read_recorded_schemas(&found, from, !file_is_pipe(path));
    byte_source_close(from);
    if (found.too_many)
        diag_warning(d, (span){0}, "'%s' has more than %d schemas, or 16 MB of them: only the first %zu are used", path,
                     (int)MOST_SCHEMAS, found.count);
    return found.first;
}

/* ---- the packets */

struct recording {
    arena *arena;
    diag *diag;
    const char *path;
    byte_source *source;
    replayed_bytes bytes;
    pkt_replay replay;
    uint8_t *room;
    pkt_piece piece;
    pkt_piece_kind kind;
    bool looked_ahead; /* at the piece, which nobody has got yet */
    bool ended;
    sessions *sessions;
    bool grows;
    const recorded_schema *known; /* if may_lack: the schemas that recording_schemas has found */
    bool may_lack;                /* others may come: it has not seen the end */
    arena *of_met;
    schema_reader met; /* the schemas since the last packet, if may_lack */
    progress_line progress;
    uint64_t index, datagrams, fragments, cut;
    uint32_t section; /* of the last packet */
    uint64_t unread;  /* packets with a link header that network.h does not know */
    unsigned unread_link;
    const char *damage; /* see recording_damage */
};

/* Warns that what follows cannot be read. */
static void end_early(recording *r)
{
    const char *failure = byte_source_failure(r->source);
    if (byte_source_left(r->source))
        return;
    if (!failure)
        failure = r->replay.cut ? "the file ends within what follows" : "what follows is no block of a pcapng file";
    r->damage = arena_printf(r->arena, "'%s' ends after packet %" PRIu64 ": %s", r->path, r->index, failure);
    diag_warning(r->diag, (span){0}, "%s", r->damage);
}

/* Warns if a schema has come that nobody has seen. */
static void find_lacking(recording *r)
{
    end_schema(&r->met);
    const recorded_schema *s = r->met.first;
    while (s && has_schema(r->known, s))
        s = s->next;
    if (s) {
        message *m =
            diag_warning(r->diag, (span){0},
                         "'%s' has a schema after packet %" PRIu64 " that was not known at its start: it is not used",
                         r->path, r->index);
        diag_help(r->diag, m, "give a FILE.pkt of each protocol, or read the recording from a file that is complete");
        r->may_lack = false;
    }
    arena_clear(r->of_met);
    r->met = (schema_reader){.arena = r->of_met};
}

/* Reads on to the next packet. False at the end. */
static bool next_packet(recording *r)
{
    while (!r->looked_ahead && (r->kind = pkt_replay_next(&r->replay, &r->piece)) == PKT_PIECE_COMMENT)
        if (r->may_lack)
            read_comment(&r->met, &r->piece);
    r->looked_ahead = false;
    if (!r->grows)
        progress_step(&r->progress, byte_source_at(r->source), r->datagrams);
    return r->kind == PKT_PIECE_PACKET;
}

static void free_recording(recording *r)
{
    byte_source_close(r->source);
    arena_free(r->of_met);
    free(r->room);
}

recording *recording_follow(arena *a, diag *d, const char *path, byte_source_waiter *wait, void *user)
{
    recording *r = ARENA_NEW(a, recording);
    *r = (recording){.arena = a, .diag = d, .path = path, .source = byte_source_open(path), .grows = wait != NULL};
    r->sessions = sessions_new(a);
    if (!r->source) {
        diag_error(d, (span){0}, "cannot read '%s': %s", path, file_failure());
        return NULL;
    }
    byte_source_follow(r->source, wait, user);
    r->of_met = arena_new();
    r->met = (schema_reader){.arena = r->of_met};
    r->may_lack = wait || file_is_pipe(path);
    if (r->may_lack && file_is_pipe(path)) {
        schema_reader known = {.arena = a};
        read_recorded_schemas(&known, r->source, false);
        r->known = known.first;
    } else if (r->may_lack) {
        r->known = recording_schemas(a, d, path);
    }
    r->room = new_room();
    r->bytes.from = r->source;
    pkt_replay_begin(&r->replay, read_replayed, &r->bytes, r->room, MOST_ROOM);
    const bool has_packet = next_packet(r);
    r->looked_ahead = true;
    message *m = NULL;
    if (!r->replay.begun && !byte_source_left(r->source)) {
        const char *failure = byte_source_failure(r->source);
        if (!failure)
            failure = r->replay.cut ? "it ends within its head" : "its head is damaged";
        diag_error(d, (span){0}, "cannot read '%s': %s", path, failure);
    } else if (has_packet && !network_reads((int)r->piece.link)) {
        m = diag_error(d, (span){0}, "'%s' has packets of link type %u, which pktc does not read", path, r->piece.link);
        diag_help(d, m, "it reads Ethernet, Linux cooked, loopback and raw IP; `tcpdump -i any` captures Linux cooked");
    }
    if (!r->replay.begun || m) {
        free_recording(r);
        return NULL;
    }
    if (!r->grows)
        progress_begin(&r->progress, path, "datagrams", byte_source_size(r->source));
    return r;
}

recording *recording_open(arena *a, diag *d, const char *path)
{
    return recording_follow(a, d, path, NULL, NULL);
}

void recording_hide_progress(recording *r)
{
    r->progress.shows = false;
}

bool recording_replaced(const recording *r)
{
    return byte_source_replaced(r->source);
}

static bool has_port(const datagram *d, uint16_t port)
{
    return port == 0 || d->from.port == port || d->to.port == port;
}

/* Counts a packet. False if it is no datagram of the port. */
static bool take_packet(recording *r, uint16_t port, recorded *next)
{
    const pkt_piece *p = &r->piece;
    if (r->section != r->replay.sections)
        sessions_begin_section(r->sessions);
    r->section = r->replay.sections;
    if (r->may_lack && (r->met.first || r->met.open))
        find_lacking(r);
    r->index++;
    if (!network_reads((int)p->link)) {
        r->unread++;
        r->unread_link = p->link;
        return false;
    }
    const network_result found = network_find((int)p->link, p->data, p->size, &next->datagram);
    r->fragments += found == NETWORK_FRAGMENT;
    if (found == NETWORK_SESSION)
        sessions_keep(r->sessions, &next->datagram);
    return found == NETWORK_DATAGRAM && has_port(&next->datagram, port);
}

bool recording_next(recording *r, uint16_t port, recorded *next)
{
    enum { SECOND = 1000000000 };
    while (!r->ended && next_packet(r)) {
        if (!take_packet(r, port, next))
            continue;
        r->datagrams++;
        next->section = r->section;
        next->index = r->index;
        next->link = (link_type)r->piece.link;
        next->seconds = (int64_t)(r->piece.nanoseconds / SECOND);
        next->nanoseconds = (uint32_t)(r->piece.nanoseconds % SECOND);
        next->datagram.sessions = sessions_between(r->sessions, &next->datagram, &next->session_began);
        r->cut += next->datagram.captured < next->datagram.size && !next->datagram.fragment;
        return true;
    }
    if (!r->ended && (r->replay.damaged || byte_source_failure(r->source)))
        end_early(r);
    r->ended = true;
    return false;
}

const char *recording_damage(const recording *r)
{
    return r->damage;
}

void recording_close(recording *r)
{
    if (r->cut > 0) {
        message *m = diag_warning(r->diag, (span){0}, "%" PRIu64 " datagrams were not captured whole", r->cut);
        diag_help(r->diag, m, "`tcpdump -s 0` captures them whole");
    }
    if (r->fragments > 0)
        diag_warning(r->diag, (span){0}, "%" PRIu64 " packets are fragments of datagrams, which are not put together",
                     r->fragments);
    if (r->unread > 0)
        diag_warning(r->diag, (span){0},
                     "%" PRIu64 " packets have another link type, such as %u, which pktc does not read", r->unread,
                     r->unread_link);
    if (!r->grows)
        progress_end(&r->progress);
    free_recording(r);
}

bool recording_each(arena *a, diag *d, const char *path, uint16_t port, recorded_visitor *visit, void *user,
                    const char **damage)
{
    recording *from = recording_open(a, d, path);
    recorded r;
    if (!from)
        return false;
    while (recording_next(from, port, &r))
        visit(user, &r);
    if (damage)
        *damage = recording_damage(from);
    recording_close(from);
    return true;
}
