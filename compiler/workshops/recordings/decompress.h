/* decompress.h - the bytes of gzip and zstd, piece by piece, by zlib and libzstd.
 * SPDX-License-Identifier: MIT
 *
 * Memory does not depend on the data: gzip takes 40 KB, zstd at most 8 MB, which all its levels up to 19 keep to.
 */
#ifndef PKTC_DECOMPRESS_H
#define PKTC_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum packing { PACKED_NOT, PACKED_GZIP, PACKED_ZSTD, PACKINGS } packing;

enum { PACKING_START = 4 }; /* by so many bytes packing_of knows it */

/* How bytes are compressed that begin like this. */
packing packing_of(const uint8_t *start, size_t size);

/* "gzip". */
const char *packing_name(packing p);

/* Why this pktc does not read such bytes: the library that it was built without. NULL if it does. */
const char *packing_lacks(packing p);

typedef struct decompressor decompressor;

decompressor *decompressor_new(void);
void decompressor_free(decompressor *d);

/* Begins a member of a gzip file, or a frame of zstd. */
void decompressor_begin(decompressor *d, packing p);

/* Bytes to read, and room for those that they become. */
typedef struct decompress_step {
    const uint8_t *from;
    size_t size;
    uint8_t *to;
    size_t room;
    bool ended;          /* the member or frame is whole */
    const char *failure; /* why it cannot be read: "its gzip data is damaged: ..."; else NULL */
} decompress_step;

/* Moves the four members above on, as far as bytes and room go. Without bytes, it gives those that it has kept. */
void decompress(decompressor *d, decompress_step *step);

#endif
