/* recording.c - reads schemas from the first block of a file, and packets through libpcap.
 * SPDX-License-Identifier: MIT
 */
#include "record/recording.h"
#include "base/files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PKTC_PCAP
/* pcap.h uses types that a strict POSIX sys/types.h does not define. */
#include <sys/types.h>
#define u_char unsigned char
#define u_short unsigned short
#define u_int unsigned int
#include <pcap.h>
#endif

/* ---- the first block of a pcapng file, whose comments may be schemas */

enum {
    SECTION = 0x0A0D0D0A,
    BYTE_ORDER = 0x1A2B3C4D,
    SECTION_FIELDS = 24, /* type, size, order of bytes, version, size of the section */
    MOST_SECTION = 1 << 24,
    LONG_COMMENT = 63000, /* a longer one continues in the next, unless that begins a schema */
};

static uint32_t number_at(const uint8_t *at, bool big)
{
    return big ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
               : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static uint32_t short_at(const uint8_t *at, bool big)
{
    return big ? (uint32_t)at[0] << 8 | at[1] : (uint32_t)at[1] << 8 | at[0];
}

bool recording_is(const char *path)
{
    static const uint32_t known[] = {SECTION, 0xA1B2C3D4, 0xA1B23C4D};
    uint8_t start[4];
    FILE *from = file_open(path);
    const bool read = from && fread(start, 1, sizeof start, from) == sizeof start;
    bool is = false;
    if (from)
        fclose(from);
    for (size_t i = 0; read && i < sizeof known / sizeof known[0]; i++)
        is = is || number_at(start, false) == known[i] || number_at(start, true) == known[i];
    return is;
}

/* The options of the first block, as far as the file has them. NULL if it is not a pcapng file. */
static const uint8_t *read_options(arena *a, FILE *from, size_t *size, bool *big)
{
    uint8_t fields[SECTION_FIELDS];
    if (fread(fields, 1, sizeof fields, from) != sizeof fields || number_at(fields, false) != SECTION)
        return NULL;
    *big = number_at(fields + 8, true) == BYTE_ORDER;
    if (!*big && number_at(fields + 8, false) != BYTE_ORDER)
        return NULL;
    const uint32_t whole = number_at(fields + 4, *big);
    if (whole < SECTION_FIELDS + 4 || whole > MOST_SECTION)
        return NULL;
    uint8_t *options = arena_alloc(a, whole - SECTION_FIELDS);
    *size = fread(options, 1, whole - SECTION_FIELDS - 4, from);
    return options;
}

static bool begins_schema(const uint8_t *text, size_t size)
{
    static const char start[] = "protocol ";
    return size >= sizeof start && memcmp(text, start, sizeof start - 1) == 0;
}

static recorded_schema *schemas_of(arena *a, const uint8_t *options, size_t size, bool big)
{
    recorded_schema *first = NULL, **end = &first, *open = NULL;
    for (size_t at = 0; size - at >= 4;) {
        const uint32_t code = short_at(options + at, big), length = short_at(options + at + 2, big);
        const uint8_t *text = options + at + 4;
        if (length > size - at - 4)
            break;
        if (code == OPTION_COMMENT && begins_schema(text, length)) {
            open = ARENA_NEW(a, recorded_schema);
            *open = (recorded_schema){.text = arena_text(a, (const char *)text, length), .size = length};
            *end = open;
            end = &open->next;
        } else if (code == OPTION_COMMENT && open) {
            char *more = arena_alloc(a, open->size + length + 1);
            memcpy(more, open->text, open->size);
            memcpy(more + open->size, text, length);
            open->text = more;
            open->size += length;
        }
        if (length <= LONG_COMMENT)
            open = NULL;
        const size_t padded = ((size_t)length + 3) / 4 * 4;
        at += 4 + (padded < size - at - 4 ? padded : size - at - 4);
    }
    return first;
}

recorded_schema *recording_schemas(arena *a, const char *path)
{
    FILE *from = file_open(path);
    size_t size = 0;
    bool big = false;
    const uint8_t *options = from ? read_options(a, from, &size, &big) : NULL;
    if (from)
        fclose(from);
    return options ? schemas_of(a, options, size, big) : NULL;
}

/* ---- the packets */

#ifdef PKTC_PCAP

struct recording {
    arena *arena;
    diag *diag;
    const char *path;
    FILE *file; /* which pcap reads and closes */
    double size;
    pcap_t *pcap;
    long section; /* where the first block that this pcap has read begins */
    int link;
    uint64_t index, fragments, cut;
    const char *damage; /* see recording_damage */
};

recording *recording_open(arena *a, diag *d, const char *path)
{
    char why[PCAP_ERRBUF_SIZE] = "";
    recording *r = ARENA_NEW(a, recording);
    *r = (recording){.arena = a, .diag = d, .path = path, .file = file_open(path)};
    if (!r->file) {
        diag_error(d, (span){0}, "cannot read '%s': %s", path, file_failure());
        return NULL;
    }
    if (fseek(r->file, 0, SEEK_END) == 0)
        r->size = (double)ftell(r->file);
    rewind(r->file);
    r->pcap = pcap_fopen_offline_with_tstamp_precision(r->file, PCAP_TSTAMP_PRECISION_NANO, why);
    if (!r->pcap) {
        fclose(r->file);
        diag_error(d, (span){0}, "cannot read '%s': %s", path, why);
        return NULL;
    }
    r->link = pcap_datalink(r->pcap);
    if (network_reads(r->link))
        return r;
    const char *name = pcap_datalink_val_to_name(r->link);
    message *m = diag_error(d, (span){0}, "'%s' has packets of link type %d (%s), which pktc does not read", path,
                            r->link, name ? name : "unknown");
    diag_help(d, m, "it reads Ethernet, Linux cooked, loopback and raw IP; `tcpdump -i any` captures Linux cooked");
    pcap_close(r->pcap);
    return NULL;
}

/* Where the section after the one at `at` begins. -1 if it does not begin before `until`, or if there is no pcapng. */
static long section_after(FILE *from, long at, long until)
{
    uint8_t block[12]; /* type, size; in the first block of a section the order of bytes */
    bool big = false;
    for (bool first = true;; first = false) {
        if (at >= until || fseek(from, at, SEEK_SET) != 0 || fread(block, 1, sizeof block, from) != sizeof block)
            return -1;
        const bool begins = number_at(block, false) == SECTION;
        if (begins && !first)
            return at;
        if (first && !begins)
            return -1;
        if (first)
            big = number_at(block + 8, true) == BYTE_ORDER;
        const uint32_t size = number_at(block + 4, big);
        if (size < sizeof block || size > (unsigned long)(until - at))
            return -1;
        at += (long)size;
    }
}

/* libpcap refuses an interface of raw IP if it is not the first one of the file: it compares the link type in the file
 * with its own number, which is another one for raw IP only. So each section gets a pcap of its own then. */
static bool enter_next_section(recording *r)
{
    char why[PCAP_ERRBUF_SIZE];
    const long at = section_after(r->file, r->section, ftell(r->file));
    FILE *file = at > 0 ? file_open(r->path) : NULL;
    if (!file)
        return false;
    pcap_t *pcap = fseek(file, at, SEEK_SET) == 0
                       ? pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why)
                       : NULL;
    if (!pcap) {
        fclose(file);
        return false;
    }
    if (pcap_datalink(pcap) != r->link) {
        pcap_close(pcap);
        return false;
    }
    pcap_close(r->pcap);
    r->pcap = pcap;
    r->file = file;
    r->section = at;
    return true;
}

static int next_packet(recording *r, struct pcap_pkthdr **header, const uint8_t **bytes)
{
    int got;
    do
        got = pcap_next_ex(r->pcap, header, bytes);
    while (got == PCAP_ERROR && enter_next_section(r));
    return got;
}

static bool has_port(const datagram *d, uint16_t port)
{
    return port == 0 || d->from.port == port || d->to.port == port;
}

bool recording_next(recording *r, uint16_t port, recorded *next)
{
    struct pcap_pkthdr *header;
    const uint8_t *bytes;
    int got;
    while ((got = next_packet(r, &header, &bytes)) == 1) {
        r->index++;
        const network_result found = network_find(r->link, bytes, header->caplen, &next->datagram);
        r->fragments += found == NETWORK_FRAGMENT;
        if (found != NETWORK_DATAGRAM || !has_port(&next->datagram, port))
            continue;
        next->index = r->index;
        next->seconds = header->ts.tv_sec;
        next->nanoseconds = (uint32_t)header->ts.tv_usec;
        r->cut += next->datagram.captured < next->datagram.size && !next->datagram.fragment;
        return true;
    }
    if (got == PCAP_ERROR) {
        r->damage =
            arena_printf(r->arena, "'%s' ends after packet %" PRIu64 ": %s", r->path, r->index, pcap_geterr(r->pcap));
        diag_warning(r->diag, (span){0}, "%s", r->damage);
    }
    return false;
}

link_type recording_link(const recording *r)
{
    return (link_type)r->link;
}

double recording_progress(const recording *r)
{
    const long at = ftell(r->file);
    return r->size > 0 && at > 0 ? (double)at / r->size : 0;
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
    pcap_close(r->pcap);
}

#else

recording *recording_open(arena *a, diag *d, const char *path)
{
    (void)a;
    diag_error(d, (span){0}, "this pktc was built without libpcap, which reading '%s' needs", path);
    return NULL;
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

double recording_progress(const recording *r)
{
    (void)r;
    return 0;
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

void recording_show(int *shown, double share)
{
    const int percent = (int)(100 * share);
    if (percent == *shown || !file_is_terminal(stderr))
        return;
    *shown = percent;
    fprintf(stderr, "\r%3d %%", percent);
}

void recording_shown(const int *shown)
{
    if (*shown >= 0)
        fputs("\r     \r", stderr);
}

bool recording_each(arena *a, diag *d, const char *path, uint16_t port, recorded_visitor *visit, void *user,
                    const char **damage)
{
    enum { BETWEEN = 256 }; /* datagrams until progress is shown again */
    recording *from = recording_open(a, d, path);
    int shown = -1;
    recorded r;
    if (!from)
        return false;
    for (uint64_t n = 1; recording_next(from, port, &r); n++) {
        visit(user, &r);
        if (n % BETWEEN == 0)
            recording_show(&shown, recording_progress(from));
    }
    recording_shown(&shown);
    if (damage)
        *damage = recording_damage(from);
    recording_close(from);
    return true;
}
