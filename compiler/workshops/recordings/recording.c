/* recording.c - reads schemas from the sections of a file, and packets through libpcap.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/recording.h"
#include "base/files.h"
#include "recordings/section_stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#ifdef PKTC_PCAP
/* pcap.h uses types that a strict POSIX sys/types.h does not define. */
#include <sys/types.h>
#define u_char unsigned char
#define u_short unsigned short
#define u_int unsigned int
#include <pcap.h>
#endif

/* ---- the first block of each section of a pcapng file, whose comments may be schemas */

enum {
    SECTION_FIELDS = 24, /* type, size, order of bytes, version, size of the section */
    MOST_SECTION = 1 << 24,
    LONG_COMMENT = 63000, /* a longer one continues in the next, unless that begins a schema */
};

static uint32_t short_at(const uint8_t *at, bool big)
{
    return big ? (uint32_t)at[0] << 8 | at[1] : (uint32_t)at[1] << 8 | at[0];
}

static bool begins_recording(const uint8_t *start, size_t size)
{
    static const uint32_t known[] = {PCAPNG_SECTION, 0xA1B2C3D4, 0xA1B23C4D};
    for (size_t i = 0; size >= 4 && i < sizeof known / sizeof known[0]; i++)
        if (recorded_number(start, false) == known[i] || recorded_number(start, true) == known[i])
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

/* The size of the first block; of a file that is no pcapng file, that of its head. */
static size_t size_of_beginning(const uint8_t *start)
{
    enum { PCAP_HEAD = 24 };
    const bool big = recorded_number(start + 8, true) == PCAPNG_BYTE_ORDER;
    const uint32_t size = recorded_number(start + 4, big);
    return recorded_number(start, false) != PCAPNG_SECTION || size > MOST_SECTION ? PCAP_HEAD : size;
}

bool recording_begun(const char *path)
{
    enum { KNOWN = 12 };
    byte_source *from = file_is_pipe(path) ? NULL : byte_source_open(path);
    size_t size;
    if (!from)
        return true;
    const uint8_t *start = byte_source_look(from, KNOWN, &size);
    bool begun = size >= KNOWN;
    if (begun && begins_recording(start, size)) {
        const size_t whole = size_of_beginning(start);
        byte_source_look(from, whole, &size);
        begun = size >= whole;
    }
    begun = begun || byte_source_failure(from);
    byte_source_close(from);
    return begun;
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

/* The options of the first block, as far as the file has them. NULL if it is not a pcapng file. */
static const uint8_t *look_at_options(byte_source *from, size_t *size, bool *big)
{
    const uint8_t *fields = byte_source_look(from, SECTION_FIELDS, size);
    if (*size < SECTION_FIELDS || recorded_number(fields, false) != PCAPNG_SECTION)
        return NULL;
    *big = recorded_number(fields + 8, true) == PCAPNG_BYTE_ORDER;
    if (!*big && recorded_number(fields + 8, false) != PCAPNG_BYTE_ORDER)
        return NULL;
    const uint32_t whole = recorded_number(fields + 4, *big);
    if (whole < SECTION_FIELDS + 4 || whole > MOST_SECTION)
        return NULL;
    const uint8_t *options = byte_source_look(from, whole - 4, size) + SECTION_FIELDS;
    *size = (*size < whole - 4 ? *size : whole - 4) - SECTION_FIELDS;
    return options;
}

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

static void append_text(arena *a, recorded_schema *s, const uint8_t *text, size_t size)
{
    char *more = arena_alloc(a, s->size + size + 1);
    memcpy(more, s->text, s->size);
    memcpy(more + s->size, text, size);
    s->text = more;
    s->size += size;
}

static recorded_schema *schemas_of(arena *a, const uint8_t *options, size_t size, bool big)
{
    recorded_schema *first = NULL, **end = &first, *open = NULL;
    for (size_t at = 0; size - at >= 4;) {
        const uint32_t code = short_at(options + at, big), length = short_at(options + at + 2, big);
        const uint8_t *text = options + at + 4;
        if (length > size - at - 4)
            break;
        const size_t own = code == OPTION_COMMENT ? own_size(text, length) : 0;
        if (code == OPTION_COMMENT && begins_schema(text, own)) {
            open = ARENA_NEW(a, recorded_schema);
            *open = (recorded_schema){.text = arena_text(a, (const char *)text, own), .size = own};
            *end = open;
            end = &open->next;
        } else if (code == OPTION_COMMENT && open) {
            append_text(a, open, text, own);
        }
        if (own <= LONG_COMMENT)
            open = NULL;
        const size_t padded = ((size_t)length + 3) / 4 * 4;
        at += 4 + (padded < size - at - 4 ? padded : size - at - 4);
    }
    return first;
}

/* The schemas of the section that begins where the source is now. Takes nothing. */
static recorded_schema *schemas_of_section(arena *a, byte_source *from)
{
    size_t size = 0;
    bool big = false;
    const uint8_t *options = look_at_options(from, &size, &big);
    return options ? schemas_of(a, options, size, big) : NULL;
}

static bool pass_bytes(byte_source *from, uint64_t count)
{
    while (count > 0) {
        size_t there;
        byte_source_look(from, 1, &there);
        if (there == 0)
            return false;
        there = there < count ? there : (size_t)count;
        byte_source_take(from, there);
        count -= there;
    }
    return true;
}

/* Takes all blocks before the next section. False if there is none. */
static bool pass_section(byte_source *from)
{
    enum { BLOCK_START = 12 };
    bool big = false;
    for (bool begun = false;; begun = true) {
        size_t size;
        const uint8_t *start = byte_source_look(from, BLOCK_START, &size);
        const bool begins = size >= BLOCK_START && recorded_number(start, false) == PCAPNG_SECTION;
        if (begins == begun || size < BLOCK_START)
            return begins;
        if (begins)
            big = recorded_number(start + 8, true) == PCAPNG_BYTE_ORDER;
        const uint32_t whole = recorded_number(start + 4, big);
        if (whole < BLOCK_START || !pass_bytes(from, whole))
            return false;
    }
}

static bool has_schema(const recorded_schema *list, const recorded_schema *s)
{
    while (list && (list->size != s->size || memcmp(list->text, s->text, s->size) != 0))
        list = list->next;
    return list != NULL;
}

/* The schemas of one file. */
enum { MOST_SCHEMAS = 1000 };

/* Adds those that the list does not have. False if there are too many. */
static bool add_schemas(arena *a, recorded_schema **list, const recorded_schema *more)
{
    for (; more; more = more->next) {
        recorded_schema **end = list;
        size_t count = 0;
        if (has_schema(*list, more))
            continue;
        for (; *end; end = &(*end)->next)
            count++;
        if (count == MOST_SCHEMAS)
            return false;
        *end = ARENA_NEW(a, recorded_schema);
        **end = (recorded_schema){.text = arena_text(a, more->text, more->size), .size = more->size};
    }
    return true;
}

recorded_schema *recording_schemas(arena *a, diag *d, const char *path)
{
    const bool all = !file_is_pipe(path);
    byte_source *from = byte_source_open(path);
    recorded_schema *first = NULL;
    bool fit = true;
    if (!from)
        return NULL;
    arena *scratch = arena_new();
    do {
        fit = add_schemas(a, &first, schemas_of_section(scratch, from));
        arena_clear(scratch);
    } while (all && fit && pass_section(from));
    arena_free(scratch);
    byte_source_close(from);
    if (!fit)
        diag_warning(d, (span){0}, "'%s' has more than %d schemas: only the first %d are used", path, (int)MOST_SCHEMAS,
                     (int)MOST_SCHEMAS);
    return first;
}

/* ---- the packets */

#ifdef PKTC_PCAP

struct recording {
    arena *arena;
    diag *diag;
    const char *path;
    byte_source *source;
    section_stream section;
    pcap_t *pcap;
    int link;
    sessions *sessions;
    bool grows;
    const recorded_schema *known; /* if may_lack: the schemas that recording_schemas has found */
    bool may_lack;                /* others may come: it has not seen the end */
    progress_line progress;
    uint64_t sections_before, index, datagrams, fragments, cut;
    const char *damage; /* see recording_damage */
};

/* Opens the section that begins where the source is now. NULL with *why. */
static pcap_t *open_section(recording *r, char why[PCAP_ERRBUF_SIZE])
{
    FILE *file = section_open(&r->section, r->source);
    pcap_t *opened = NULL;
    if (file)
        opened = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why);
    else
        snprintf(why, PCAP_ERRBUF_SIZE, "%s", strerror(errno));
    if (file && !opened)
        fclose(file);
    return opened;
}

static const char *link_text(arena *a, int link)
{
    const char *name = pcap_datalink_val_to_name(link);
    return arena_printf(a, "%d (%s)", link, name ? name : "unknown");
}

recording *recording_follow(arena *a, diag *d, const char *path, byte_source_waiter *wait, void *user)
{
    char why[PCAP_ERRBUF_SIZE] = "";
    recording *r = ARENA_NEW(a, recording);
    *r = (recording){.arena = a, .diag = d, .path = path, .source = byte_source_open(path), .grows = wait != NULL};
    r->sessions = sessions_new(a);
    if (!r->source) {
        diag_error(d, (span){0}, "cannot read '%s': %s", path, file_failure());
        return NULL;
    }
    byte_source_follow(r->source, wait, user);
    const bool is_pipe = file_is_pipe(path);
    r->may_lack = wait || is_pipe;
    if (r->may_lack)
        r->known = is_pipe ? schemas_of_section(a, r->source) : recording_schemas(a, d, path);
    r->pcap = open_section(r, why);
    if (!r->pcap) {
        const char *failure = byte_source_failure(r->source);
        if (!byte_source_left(r->source))
            diag_error(d, (span){0}, "cannot read '%s': %s", path, failure ? failure : why);
        byte_source_close(r->source);
        return NULL;
    }
    r->link = pcap_datalink(r->pcap);
    if (!network_reads(r->link)) {
        message *m = diag_error(d, (span){0}, "'%s' has packets of link type %s, which pktc does not read", path,
                                link_text(a, r->link));
        diag_help(d, m, "it reads Ethernet, Linux cooked, loopback and raw IP; `tcpdump -i any` captures Linux cooked");
        pcap_close(r->pcap);
        byte_source_close(r->source);
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

/* Warns that what follows cannot be read. */
static void end_early(recording *r, const char *why)
{
    const char *failure = byte_source_failure(r->source);
    if (byte_source_left(r->source))
        return;
    r->damage =
        arena_printf(r->arena, "'%s' ends after packet %" PRIu64 ": %s", r->path, r->index, failure ? failure : why);
    diag_warning(r->diag, (span){0}, "%s", r->damage);
}

/* Warns that the next section has a schema which nobody has seen. */
static void find_lacking(recording *r)
{
    arena *scratch = arena_new();
    const recorded_schema *s = schemas_of_section(scratch, r->source);
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
    arena_free(scratch);
}

static bool enter_next_section(recording *r)
{
    char why[PCAP_ERRBUF_SIZE] = "";
    pcap_close(r->pcap);
    if (r->may_lack)
        find_lacking(r);
    r->pcap = open_section(r, why);
    if (!r->pcap) {
        end_early(r, why);
        return false;
    }
    r->sections_before++;
    sessions_begin_section(r->sessions);
    const int link = pcap_datalink(r->pcap);
    if (link != r->link) {
        snprintf(why, sizeof why, "the packets after it are of link type %d, and those before it of %d", link, r->link);
        end_early(r, why);
    }
    return link == r->link;
}

static bool next_packet(recording *r, struct pcap_pkthdr **header, const uint8_t **bytes)
{
    int got;
    do {
        got = pcap_next_ex(r->pcap, header, bytes);
        if (!r->grows)
            progress_step(&r->progress, byte_source_at(r->source), r->datagrams);
    } while (got == PCAP_ERROR_BREAK && section_is_followed(&r->section) && enter_next_section(r));
    if (got == PCAP_ERROR)
        end_early(r, pcap_geterr(r->pcap));
    else if (got != 1 && byte_source_failure(r->source))
        end_early(r, "");
    return got == 1;
}

static bool has_port(const datagram *d, uint16_t port)
{
    return port == 0 || d->from.port == port || d->to.port == port;
}

bool recording_next(recording *r, uint16_t port, recorded *next)
{
    struct pcap_pkthdr *header;
    const uint8_t *bytes;
    while (r->pcap && next_packet(r, &header, &bytes)) {
        r->index++;
        const network_result found = network_find(r->link, bytes, header->caplen, &next->datagram);
        r->fragments += found == NETWORK_FRAGMENT;
        if (found == NETWORK_SESSION)
            sessions_keep(r->sessions, &next->datagram);
        if (found != NETWORK_DATAGRAM || !has_port(&next->datagram, port))
            continue;
        r->datagrams++;
        next->section = r->sections_before;
        next->index = r->index;
        next->seconds = header->ts.tv_sec;
        next->nanoseconds = (uint32_t)header->ts.tv_usec;
        next->datagram.sessions = sessions_between(r->sessions, &next->datagram, &next->session_began);
        r->cut += next->datagram.captured < next->datagram.size && !next->datagram.fragment;
        return true;
    }
    return false;
}

link_type recording_link(const recording *r)
{
    return (link_type)r->link;
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
    if (!r->grows)
        progress_end(&r->progress);
    if (r->pcap)
        pcap_close(r->pcap);
    byte_source_close(r->source);
}

#else

recording *recording_open(arena *a, diag *d, const char *path)
{
    (void)a;
    diag_error(d, (span){0}, "this pktc was built without libpcap, which reading '%s' needs", path);
    return NULL;
}

recording *recording_follow(arena *a, diag *d, const char *path, byte_source_waiter *wait, void *user)
{
    (void)wait;
    (void)user;
    return recording_open(a, d, path);
}

void recording_hide_progress(recording *r)
{
    (void)r;
}

bool recording_replaced(const recording *r)
{
    (void)r;
    return false;
}

bool recording_next(recording *r, uint16_t port, recorded *next)
{
    (void)r;
    (void)port;
    (void)next;
    return false;
}

link_type recording_link(const recording *r)
{
    (void)r;
    return LINK_RAW;
}

const char *recording_damage(const recording *r)
{
    (void)r;
    return NULL;
}

void recording_close(recording *r)
{
    (void)r;
}

#endif

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
