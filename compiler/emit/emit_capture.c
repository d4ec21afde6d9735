/* emit_capture.c - --capture: the text of the schema as a constant, for runtime/pkt_capture.h.
 * SPDX-License-Identifier: MIT
 *
 * The constant is a list of texts, one for each line, because compilers accept only short string literals.
 */
#include "emit/emit_internal.h"

#include <string.h>

/* C99 has string literals of at most 4,095 characters, and a byte takes at most four here. */
enum { MOST_BYTES = 1000 };

static const char *literal(const emitter *e, const char *text, size_t size)
{
    char *literal = arena_alloc(e->arena, 4 * size + 1), *to = literal;
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '\n')
            to += sprintf(to, "\\n");
        else if (c == '"' || c == '\\' || c == '?') /* ?: two of them may begin a trigraph */
            to += sprintf(to, "\\%c", c);
        else if (c < 0x20 || c >= 0x7f)
            to += sprintf(to, "\\%03o", c);
        else
            *to++ = (char)c;
    }
    *to = '\0';
    return literal;
}

void emit_schema_text(emitter *e, const char *text)
{
    out_put(e->out, "const char *const ${prefix}PROTOCOL_SCHEMA[] = {\n", "prefix",
            schema_constant_prefix(e->arena, e->schema, e->file), NULL);
    out_indent(e->out);
    while (*text) {
        size_t size = strcspn(text, "\n");
        size += text[size] == '\n';
        if (size > MOST_BYTES) /* but no character of UTF-8 is divided */
            for (size = MOST_BYTES; size > 1 && ((unsigned char)text[size] & 0xC0) == 0x80; size--)
                continue;
        out_put(e->out, "\"$line\",\n", "line", literal(e, text, size), NULL);
        text += size;
    }
    out_put(e->out, "NULL\n", NULL);
    out_dedent(e->out);
    out_put(e->out, "};\n\n", NULL);
}
