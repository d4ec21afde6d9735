/* reserved_names.h - the text of reserved_names.txt, which is part of the pktc program: names_reserved.c reads it.
 * SPDX-License-Identifier: MIT
 *
 * When pktc is built, dist/embed.c makes an array of the file.
 */
#ifndef PKTC_RESERVED_NAMES_H
#define PKTC_RESERVED_NAMES_H

#include <stddef.h>

typedef struct reserved_name {
    const char *name; /* of the file */
    const unsigned char *text;
    size_t size;
} reserved_name;

extern const reserved_name reserved_names[]; /* one file */
extern const size_t reserved_name_count;

#endif
