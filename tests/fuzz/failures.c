/* failures.c - describes how generated C and codec differ.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_json.h"
#include "differential.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const fuzz *running;

void print_bytes(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size && i < 200; i++)
        printf("%02x", bytes[i]);
    printf(size > 200 ? "... (%zu bytes)\n" : "\n", size);
}

bool base_is_valid(const fuzz *f, const question *q)
{
    const codec_options how = {.room = SIZE_MAX};
    codec_error error;
    size_t size;
    return !q->base || codec_write(f->arena, f->schema, q->decl, q->base, &how, &size, &error) != NULL;
}

void fail(fuzz *f, const engine *e, const question *q, const char *format, ...)
{
    va_list arguments;
    if (++f->failures > MOST_FAILURES)
        return;
    printf("DIFFER: seed %" PRIu64 ", schema %" PRIu32 " (%s/schema.pkt), %s, %s%s%s: ", f->seed, f->number,
           f->shop.directory, e->compiler, q->decl->name, q->how.framed ? ", packet" : "",
           q->how.delta ? ", delta" : "");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    if (q->base)
        printf("base: %s", base_is_valid(f, q) ? json_print(f->arena, q->decl, q->base) : "cannot be written\n");
    if (q->bytes) {
        printf("bytes: ");
        print_bytes(q->bytes, q->size);
    }
    char *copy = arena_printf(f->arena, "cp '%s/schema.pkt' '%s/differs-%" PRIu32 ".pkt'", f->shop.directory,
                              f->shop.directory, f->number);
    if (system(copy) != 0)
        printf("the schema could not be kept\n");
}

const char *described(fuzz *f, pkt_code code, uint64_t bit, const char *name)
{
    if (code == PKT_OK)
        return "fine";
    return arena_printf(f->arena, "%s at bit %" PRIu64 ", '%s'", pkt_code_name(code), bit, name);
}

/* In C the names of fields are cut on the left if they are too long. */
static bool same_name(const char *whole, const char *cut)
{
    if (strncmp(cut, "...", 3) != 0)
        return strcmp(whole, cut) == 0;
    size_t size = strlen(cut) - 3;
    return strlen(whole) > size && strcmp(whole + strlen(whole) - size, cut + 3) == 0;
}

/* For an error at the end of a body, the codec and streams name no field, but the functions for bodies of packets name
 * the packet. */
static bool same_field(const question *q, const codec_error *codec, const pkt_error *c)
{
    return same_name(*codec->field || q->how.framed || q->how.by_stream ? codec->field : q->decl->name, c->field);
}

bool same_error(fuzz *f, const engine *e, const question *q, const char *what, const codec_error *codec,
                const pkt_error *c)
{
    if (codec->code == c->code && (c->code == PKT_OK || (codec->bit == c->bit && same_field(q, codec, c))))
        return true;
    fail(f, e, q, "%s: the codec says %s, C %s", what, described(f, codec->code, codec->bit, codec->field),
         described(f, c->code, c->bit, c->field));
    return false;
}

static void crashed(int number)
{
    static const char text[] = "DIFFER: generated code crashed; the schema is the last one in the directory\n";
    (void)number;
    if (write(STDOUT_FILENO, text, sizeof text - 1) < 0)
        _exit(2);
    fprintf(stderr, "seed %" PRIu64 ", schema %" PRIu32 "\n", running->seed, running->number);
    _exit(1);
}

void watch_for_crashes(const fuzz *f)
{
    running = f;
    signal(SIGSEGV, crashed);
    signal(SIGBUS, crashed);
    signal(SIGILL, crashed);
    signal(SIGTRAP, crashed);
    signal(SIGFPE, crashed);
    signal(SIGABRT, crashed);
}
