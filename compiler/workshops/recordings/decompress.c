/* decompress.c - calls zlib or libzstd, where pktc was built with them.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/decompress.h"
#include "base/arena.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PKTC_ZLIB
#define ZLIB_CONST
#include <zlib.h>
#endif
#ifdef PKTC_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

packing packing_of(const uint8_t *start, size_t size)
{
    static const uint8_t gzip[] = {0x1F, 0x8B, 8}, zstd[] = {0x28, 0xB5, 0x2F, 0xFD}, skipped[] = {0x2A, 0x4D, 0x18};
    if (size >= sizeof gzip && memcmp(start, gzip, sizeof gzip) == 0)
        return PACKED_GZIP;
    if (size >= sizeof zstd && memcmp(start, zstd, sizeof zstd) == 0)
        return PACKED_ZSTD;
    /* A frame that readers of zstd skip. */
    const bool skips = size >= PACKING_START && start[0] >> 4 == 5 && memcmp(start + 1, skipped, sizeof skipped) == 0;
    return skips ? PACKED_ZSTD : PACKED_NOT;
}

const char *packing_name(packing p)
{
    static const char *const known[PACKINGS] = {"", "gzip", "zstd"};
    return known[p];
}

const char *packing_lacks(packing p)
{
    static const char *const lacking[PACKINGS] = {
#ifndef PKTC_ZLIB
        [PACKED_GZIP] = "it is compressed with gzip, and this pktc was built without zlib",
#endif
#ifndef PKTC_ZSTD
        [PACKED_ZSTD] = "it is compressed with zstd, and this pktc was built without libzstd",
#endif
        [PACKED_NOT] = NULL};
    return lacking[p];
}

enum { DAMAGE_SIZE = 120 };

struct decompressor {
    packing packing;
    char failure[DAMAGE_SIZE];
#ifdef PKTC_ZLIB
    z_stream gzip;
    bool has_gzip;
#endif
#ifdef PKTC_ZSTD
    ZSTD_DCtx *zstd;
#endif
};

decompressor *decompressor_new(void)
{
    decompressor *d = calloc(1, sizeof *d);
    if (!d)
        arena_out_of_memory();
    return d;
}

#if defined(PKTC_ZLIB) || defined(PKTC_ZSTD)
static const char *damage(decompressor *d, const char *name, const char *why)
{
    snprintf(d->failure, sizeof d->failure, "its %s data is damaged: %s", name, why);
    return d->failure;
}
#endif

/* ---- gzip */

#ifdef PKTC_ZLIB

static void free_gzip(decompressor *d)
{
    if (d->has_gzip)
        inflateEnd(&d->gzip);
}

static void begin_gzip(decompressor *d)
{
    enum { GZIP_ONLY = 16 };
    const bool good =
        d->has_gzip ? inflateReset(&d->gzip) == Z_OK : inflateInit2(&d->gzip, GZIP_ONLY + MAX_WBITS) == Z_OK;
    if (!good)
        arena_out_of_memory();
    d->has_gzip = true;
}

static void step_gzip(decompressor *d, decompress_step *step)
{
    const uInt size = step->size < UINT_MAX ? (uInt)step->size : UINT_MAX;
    const uInt room = step->room < UINT_MAX ? (uInt)step->room : UINT_MAX;
    d->gzip.next_in = step->from;
    d->gzip.avail_in = size;
    d->gzip.next_out = step->to;
    d->gzip.avail_out = room;
    const int result = inflate(&d->gzip, Z_NO_FLUSH);
    step->from += size - d->gzip.avail_in;
    step->size -= size - d->gzip.avail_in;
    step->to += room - d->gzip.avail_out;
    step->room -= room - d->gzip.avail_out;
    step->ended = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR)
        arena_out_of_memory();
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        step->failure = damage(d, "gzip", d->gzip.msg ? d->gzip.msg : "it is invalid");
}

#else

static void free_gzip(decompressor *d)
{
    (void)d;
}

static void begin_gzip(decompressor *d)
{
    (void)d;
}

static void step_gzip(decompressor *d, decompress_step *step)
{
    (void)d;
    (void)step;
}

#endif

/* ---- zstd */

#ifdef PKTC_ZSTD

static void free_zstd(decompressor *d)
{
    ZSTD_freeDCtx(d->zstd);
}

static void begin_zstd(decompressor *d)
{
    enum { MOST_WINDOW_BITS = 23 };
    if (!d->zstd && !(d->zstd = ZSTD_createDCtx()))
        arena_out_of_memory();
    ZSTD_DCtx_reset(d->zstd, ZSTD_reset_session_only);
    ZSTD_DCtx_setParameter(d->zstd, ZSTD_d_windowLogMax, MOST_WINDOW_BITS);
}

static void step_zstd(decompressor *d, decompress_step *step)
{
    ZSTD_inBuffer from = {step->from, step->size, 0};
    ZSTD_outBuffer to = {step->to, step->room, 0};
    const size_t result = ZSTD_decompressStream(d->zstd, &to, &from);
    step->from += from.pos;
    step->size -= from.pos;
    step->to += to.pos;
    step->room -= to.pos;
    step->ended = result == 0;
    if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge)
        step->failure = "its zstd data takes more than 8 MB to read: `zstd -dc --long=31` decompresses it";
    else if (ZSTD_isError(result))
        step->failure = damage(d, "zstd", ZSTD_getErrorName(result));
}

#else

static void free_zstd(decompressor *d)
{
    (void)d;
}

static void begin_zstd(decompressor *d)
{
    (void)d;
}

static void step_zstd(decompressor *d, decompress_step *step)
{
    (void)d;
    (void)step;
}

#endif

/* ---- both */

void decompressor_free(decompressor *d)
{
    if (!d)
        return;
    free_gzip(d);
    free_zstd(d);
    free(d);
}

void decompressor_begin(decompressor *d, packing p)
{
    d->packing = p;
    if (p == PACKED_GZIP)
        begin_gzip(d);
    else
        begin_zstd(d);
}

void decompress(decompressor *d, decompress_step *step)
{
    step->ended = false;
    step->failure = NULL;
    if (d->packing == PACKED_GZIP)
        step_gzip(d, step);
    else
        step_zstd(d, step);
}
