/* lua_files.h - the part of a dissector that is the same for all schemas, which is part of the pktc program.
 * SPDX-License-Identifier: MIT
 *
 * They are the .lua files of this folder, each after the files that it uses. When pktc is built, dist/embed.c makes
 * these arrays of them.
 */
#ifndef PKTC_LUA_FILES_H
#define PKTC_LUA_FILES_H

#include <stddef.h>

typedef struct lua_file {
    const char *name; /* "bits.lua" */
    const unsigned char *text;
    size_t size;
} lua_file;

extern const lua_file lua_files[];
extern const size_t lua_file_count;

#endif
