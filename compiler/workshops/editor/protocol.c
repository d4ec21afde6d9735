/* protocol.c - reads and writes messages: a line with the length, an empty line, and the JSON.
 * SPDX-License-Identifier: MIT
 */
#include "editor/lsp_internal.h"

#ifdef PKTC_JSON

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_HEADER = 1000, LONGEST_MESSAGE = 64 << 20 };

/* Reads a line without its line end. False at the end of the file, or if it is too long. */
static bool read_header_line(FILE *from, char line[LONGEST_HEADER])
{
    size_t size = 0;
    for (int c; (c = getc(from)) != EOF;) {
        if (c == '\n') {
            line[size > 0 && line[size - 1] == '\r' ? size - 1 : size] = '\0';
            return true;
        }
        if (size + 1 == LONGEST_HEADER)
            return false;
        line[size++] = (char)c;
    }
    return false;
}

static bool is_length_line(const char *line)
{
    static const char name[] = "content-length:";
    for (size_t i = 0; name[i]; i++)
        if (tolower((unsigned char)line[i]) != name[i])
            return false;
    return true;
}

/* The length of the next message; 0 if there is none. */
static size_t read_length(FILE *from)
{
    char line[LONGEST_HEADER];
    unsigned long length = 0;
    while (read_header_line(from, line)) {
        if (!*line)
            return length <= LONGEST_MESSAGE ? length : 0;
        if (!strchr(line, ':'))
            return 0;
        if (is_length_line(line)) {
            char *end;
            const char *digits = strchr(line, ':') + 1;
            length = strtoul(digits, &end, 10);
            if (*end || strchr(digits, '-'))
                return 0;
        }
    }
    return 0;
}

char *protocol_read(FILE *from, size_t *size)
{
    const size_t length = read_length(from);
    char *text = length > 0 ? malloc(length) : NULL;
    if (text && fread(text, 1, length, from) != length) {
        free(text);
        text = NULL;
    }
    *size = text ? length : 0;
    return text;
}

void protocol_write(FILE *to, const char *json, size_t size)
{
    fprintf(to, "Content-Length: %zu\r\n\r\n", size);
    fwrite(json, 1, size, to);
    fflush(to);
}

void send_message(const lsp_server *s, json_t *sent)
{
    char *text = json_dumps(sent, JSON_COMPACT);
    if (text)
        s->answer(s->user, text, strlen(text));
    free(text);
    json_decref(sent);
}

#endif
