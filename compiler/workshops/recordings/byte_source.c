/* byte_source.c - reads blocks, and decompresses them into a buffer that grows only if somebody looks far ahead.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/byte_source.h"
#include "base/arena.h"
#include "base/files.h"
#include "base/interrupts.h"
#include "recordings/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16, FAILURE_SIZE = 160 };

struct byte_source {
    byte_source *next; /* of the pipes that may be opened again */
    char *path;        /* of a pipe, which is kept in that list; NULL: a file */
    const char *name;
    int file;
    uint64_t size, at;
    /* The bytes as they are read: */
    uint8_t block[BLOCK];
    size_t from, filled;
    bool file_ended;
    /* And decompressed: */
    uint8_t *bytes;
    size_t taken, there, room;
    bool begun, ended, used;
    packing packing; /* of the member that is being read; PACKED_NOT between two, or if nothing is compressed */
    bool packed;
    decompressor *decompressor;
    char failure[FAILURE_SIZE];
    byte_source_waiter *wait;
    void *user;
    bool left, replaced;
};

static byte_source *kept_pipes; /* from which nothing was taken yet */

/* ---- opening */

static byte_source *kept_pipe(const char *path)
{
    byte_source **at = &kept_pipes;
    while (*at && strcmp((*at)->path, path) != 0)
        at = &(*at)->next;
    byte_source *found = *at;
    if (found)
        *at = found->next;
    return found;
}

static void *sure(void *memory)
{
    if (!memory)
        arena_out_of_memory();
    return memory;
}

byte_source *byte_source_open(const char *path)
{
    const bool is_pipe = file_is_pipe(path);
    byte_source *s = is_pipe ? kept_pipe(path) : NULL;
    if (s)
        return s;
    const int file = file_open_bytes(path);
    if (file < 0)
        return NULL;
    s = sure(calloc(1, sizeof *s));
    s->name = path;
    s->file = file;
    if (is_pipe)
        strcpy(s->path = sure(malloc(strlen(path) + 1)), path);
    const long long size = file_size(file);
    s->size = size > 0 ? (uint64_t)size : 0;
    return s;
}

void byte_source_close(byte_source *s)
{
    const bool again = s->path && !s->used;
    if (again) {
        s->next = kept_pipes;
        kept_pipes = s;
        return;
    }
    file_close_bytes(s->file);
    decompressor_free(s->decompressor);
    free(s->bytes);
    free(s->path);
    free(s);
}

/* ---- reading */

static void fail_source(byte_source *s, const char *format, const char *why)
{
    snprintf(s->failure, sizeof s->failure, format, why);
    s->ended = true;
}

/* Whether a file that is being followed was cut, or its path leads to another one. All its bytes were read. */
static bool is_replaced(byte_source *s)
{
    const long long size = file_size(s->file);
    s->replaced = (size >= 0 && (uint64_t)size < s->at) || !file_is_still(s->file, s->name);
    return s->replaced;
}

/* Waits for bytes that are still being written. False if no more are wanted. file: as in byte_source_waiter. */
static bool wait_for_more(byte_source *s, int file)
{
    s->left = !s->wait(s->user, file);
    return !s->left;
}

/* Waits until a pipe has bytes, or has ended. False if no more are wanted, or a signal came. */
static bool wait_for_pipe(byte_source *s)
{
    enum { FOR_EVER = -1 };
    char key;
    if (s->wait)
        return wait_for_more(s, s->file);
    while (!terminal_wait(s->file, FOR_EVER, &key))
        if (interrupts_came())
            return false;
    return true;
}

/* Reads more after the bytes that are left in the block. */
static void read_block(byte_source *s)
{
    memmove(s->block, s->block + s->from, s->filled - s->from);
    s->filled -= s->from;
    s->from = 0;
    while (!s->file_ended) {
        s->file_ended = s->path && !wait_for_pipe(s);
        if (s->file_ended)
            return;
        const long got = file_read_bytes(s->file, s->block + s->filled, BLOCK - s->filled);
        if (got > 0) {
            s->filled += (size_t)got;
            s->at += (uint64_t)got;
            return;
        }
        if (got < 0)
            fail_source(s, "%s", strerror(errno));
        s->file_ended = got < 0 || !s->wait || s->path || is_replaced(s) || !wait_for_more(s, -1);
    }
}

/* Finds out how the next bytes are compressed. False at the end. */
static bool begin_member(byte_source *s)
{
    while (s->filled - s->from < PACKING_START && !s->file_ended)
        read_block(s);
    const size_t left = s->filled - s->from;
    const packing p = packing_of(s->block + s->from, left);
    if (left == 0)
        s->ended = true;
    else if (s->begun && p == PACKED_NOT)
        fail_source(s, "other bytes follow its compressed data%s", "");
    else if (packing_lacks(p))
        fail_source(s, "%s", packing_lacks(p));
    if (s->ended)
        return false;
    s->begun = true;
    s->packing = p;
    s->packed = p != PACKED_NOT;
    if (!s->packed)
        return true;
    if (!s->decompressor)
        s->decompressor = decompressor_new();
    decompressor_begin(s->decompressor, p);
    return true;
}

/* Makes room for a block more. */
static void make_room(byte_source *s)
{
    const size_t left = s->there - s->taken;
    if (left > 0)
        memmove(s->bytes, s->bytes + s->taken, left);
    s->there = left;
    s->taken = 0;
    if (s->room - left >= BLOCK)
        return;
    s->room = 2 * s->room + BLOCK;
    s->bytes = sure(realloc(s->bytes, s->room));
}

static void unpack_member(byte_source *s)
{
    decompress_step step = {
        .from = s->block + s->from, .size = s->filled - s->from, .to = s->bytes + s->there, .room = s->room - s->there};
    decompress(s->decompressor, &step);
    const bool nothing = step.to == s->bytes + s->there && step.size == s->filled - s->from && !step.ended;
    s->from = s->filled - step.size;
    s->there = s->room - step.room;
    if (step.failure)
        fail_source(s, "%s", step.failure);
    else if (step.ended)
        s->packing = PACKED_NOT;
    else if (nothing && s->file_ended)
        fail_source(s, "its %s data is cut off", packing_name(s->packing));
    else if (nothing)
        read_block(s);
}

static void copy_block(byte_source *s)
{
    if (s->from == s->filled && !s->file_ended)
        read_block(s);
    const size_t left = s->filled - s->from, room = s->room - s->there, size = left < room ? left : room;
    memcpy(s->bytes + s->there, s->block + s->from, size);
    s->there += size;
    s->from += size;
    s->ended = s->ended || (size == 0 && s->file_ended);
}

const uint8_t *byte_source_look(byte_source *s, size_t least, size_t *size)
{
    while (s->there - s->taken < least && !s->ended) {
        make_room(s);
        if ((!s->begun || (s->packed && s->packing == PACKED_NOT)) && !begin_member(s))
            break;
        if (s->packed)
            unpack_member(s);
        else
            copy_block(s);
    }
    *size = s->there - s->taken;
    return s->bytes + s->taken;
}

void byte_source_take(byte_source *s, size_t size)
{
    s->taken += size;
    s->used = true;
}

const char *byte_source_failure(const byte_source *s)
{
    return *s->failure ? s->failure : NULL;
}

uint64_t byte_source_at(const byte_source *s)
{
    return s->at;
}

uint64_t byte_source_size(const byte_source *s)
{
    return s->size;
}

/* ---- following */

void byte_source_follow(byte_source *s, byte_source_waiter *wait, void *user)
{
    s->wait = wait;
    s->user = user;
}

bool byte_source_left(const byte_source *s)
{
    return s->left || s->replaced;
}

bool byte_source_replaced(const byte_source *s)
{
    return s->replaced;
}
