/* section_stream.c - hands bytes on to libpcap, as far as the end of the section.
 * SPDX-License-Identifier: MIT
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* fopencookie */
#endif

#include "recordings/section_stream.h"

#include <string.h>

uint32_t recorded_number(const uint8_t *at, bool big)
{
    return big ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
               : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

#ifdef PKTC_PCAP

enum { BLOCK_START = 12, STREAM_BUFFER = 1 << 16 }; /* type, size; in the first block of a section the order of bytes */

/* Begins a block of these bytes. False at the end of the section. */
static bool begin_block(section_stream *s, const uint8_t *bytes, size_t size)
{
    s->rest = UINT64_MAX;
    if (size < BLOCK_START)
        return true;
    if (recorded_number(bytes, false) == PCAPNG_SECTION) {
        s->ended = s->begun;
        s->big = recorded_number(bytes + 8, true) == PCAPNG_BYTE_ORDER;
    } else if (!s->begun) {
        return true; /* no pcapng file */
    }
    s->begun = true;
    const uint32_t whole = recorded_number(bytes + 4, s->big);
    if (!s->ended && whole >= BLOCK_START)
        s->rest = whole;
    return !s->ended;
}

/* Never waits for more bytes than it needs to return some. */
static size_t read_section(section_stream *s, char *to, size_t room)
{
    size_t done = 0, there;
    const uint8_t *bytes = byte_source_look(s->source, s->rest == 0 ? BLOCK_START : 1, &there);
    while (done < room && there > 0 && !s->ended) {
        if (s->rest == 0 && ((there < BLOCK_START && done > 0) || !begin_block(s, bytes, there)))
            break;
        size_t size = there < room - done ? there : room - done;
        size = size < s->rest ? size : (size_t)s->rest;
        memcpy(to + done, bytes, size);
        byte_source_take(s->source, size);
        bytes += size;
        there -= size;
        done += size;
        s->rest -= s->rest == UINT64_MAX ? 0 : size;
    }
    return done;
}

#if defined __linux__ || defined __wasi__

static ssize_t read_cookie(void *cookie, char *to, size_t room)
{
    return (ssize_t)read_section(cookie, to, room);
}

static FILE *open_sections(section_stream *s)
{
    return fopencookie(s, "rb", (cookie_io_functions_t){.read = read_cookie});
}

#else

/* BSD and macOS have it, but hide it from programs that keep to POSIX. */
FILE *funopen(const void *cookie, int (*read)(void *, char *, int), int (*write)(void *, const char *, int),
              fpos_t (*seek)(void *, fpos_t, int), int (*close)(void *));

static int read_cookie(void *cookie, char *to, int room)
{
    return (int)read_section(cookie, to, (size_t)room);
}

static FILE *open_sections(section_stream *s)
{
    return funopen(s, read_cookie, NULL, NULL, NULL);
}

#endif

FILE *section_open(section_stream *s, byte_source *source)
{
    *s = (section_stream){.source = source};
    FILE *opened = open_sections(s);
    if (opened)
        setvbuf(opened, NULL, _IOFBF, STREAM_BUFFER);
    return opened;
}

bool section_is_followed(const section_stream *s)
{
    return s->ended;
}

#endif
