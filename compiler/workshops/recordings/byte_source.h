/* byte_source.h - the bytes of a recording: of a file, a pipe or standard input, decompressed if they are compressed.
 * SPDX-License-Identifier: MIT
 *
 * Compression is known by the first bytes. Several members of gzip or frames of zstd one after the other are one.
 */
#ifndef PKTC_BYTE_SOURCE_H
#define PKTC_BYTE_SOURCE_H

#include "recordings/decompress.h"

typedef struct byte_source byte_source;

/* Opens a file, a pipe, or standard input ("-"); NULL with errno. As long as nothing was taken from a pipe, it can be
 * closed and opened again: it begins with the same bytes. */
byte_source *byte_source_open(const char *path);
void byte_source_close(byte_source *s);

/* The next bytes: at least so many, unless the end comes first. Waits only until there are that many. Valid until the
 * next call. */
const uint8_t *byte_source_look(byte_source *s, size_t least, size_t *size);

/* Takes some of them. */
void byte_source_take(byte_source *s, size_t size);

/* After the end: why the bytes end there, such as "its gzip data is cut off"; NULL if they are whole. */
const char *byte_source_failure(const byte_source *s);

/* How many bytes of the file have been read, and how many it has; 0 if it is no file. */
uint64_t byte_source_at(const byte_source *s);
uint64_t byte_source_size(const byte_source *s);

/* For bytes that are still being written: called before each read of a pipe, and at the end of a file with -1. Waits
 * until there may be more bytes; false if no more are wanted, so that they end. A file also ends if it was cut, or if
 * its path leads to another file. */
typedef bool byte_source_waiter(void *user, int file);
void byte_source_follow(byte_source *s, byte_source_waiter *wait, void *user);

/* Whether the bytes ended because no more were wanted, or because the file was cut or replaced. */
bool byte_source_left(const byte_source *s);

/* Whether the file was cut or replaced, so that opening it again has what follows. */
bool byte_source_replaced(const byte_source *s);

#endif
