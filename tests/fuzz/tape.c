/* tape.c - writes reads as lines of text.
 * SPDX-License-Identifier: MIT
 */
#include "tape.h"

#include <inttypes.h>

static void put_bytes(FILE *to, const uint8_t *bytes, size_t size)
{
    fputs(" x", to);
    for (size_t i = 0; i < size; i++)
        fprintf(to, "%02x", bytes[i]);
}

void tape_read(FILE *to, const fuzz_type *t, const taped *read, const pkt_error *error, const void *v)
{
    const char *kind = read->how.framed ? "p" : read->how.by_stream ? "s" : "f";
    fprintf(to, "%s %s%s", t->name, kind, read->how.delta ? "d" : "");
    if (read->base)
        put_bytes(to, read->base, read->base_size);
    else
        fputs(" -", to);
    put_bytes(to, read->bytes, read->size);
    fprintf(to, " %d %" PRIu64 " %" PRIx32 " %s\n", (int)error->code, error->bit,
            error->code == PKT_OK ? ask_hash(t, v) : 0, error->field);
}
