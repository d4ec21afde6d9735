/* section_stream.h - a FILE from which libpcap reads one section of a pcapng file, or the whole of another file.
 * SPDX-License-Identifier: MIT
 *
 * Files that were put together, as by `cat`, have several sections. libpcap refuses an interface of raw IP if it is not
 * the first one of the file: it compares the link type in the file with its own number, which is another one for raw IP
 * only. So each section gets a pcap of its own.
 */
#ifndef PKTC_SECTION_STREAM_H
#define PKTC_SECTION_STREAM_H

#include "recordings/byte_source.h"

#include <stdio.h>

enum { PCAPNG_SECTION = 0x0A0D0D0A, PCAPNG_BYTE_ORDER = 0x1A2B3C4D };

/* A number of 32 bits as it is in a file, big-endian or little-endian. */
uint32_t recorded_number(const uint8_t *at, bool big);

typedef struct section_stream {
    byte_source *source;
    bool blocks; /* of a pcapng file, which are told apart */
    bool begun;  /* a block of the section was read */
    bool big;
    bool ended;    /* at a section that begins */
    uint64_t rest; /* bytes of the block that is being read */
} section_stream;

/* The FILE of the section that begins where the source is now. It does not close the source. NULL with errno. */
FILE *section_open(section_stream *s, byte_source *source);

/* Whether another section follows the one that was read to its end. */
bool section_is_followed(const section_stream *s);

#endif
