/* dissect_tree.c - reads what tshark prints as PDML.
 * SPDX-License-Identifier: MIT
 */
#include "dissect_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 600 };

/* The value of an attribute, without escapes; "" if there is none. */
static const char *attribute(arena *a, const char *line, const char *name)
{
    static const struct {
        const char *entity;
        char is;
    } entities[] = {{"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}};
    const char *start = strstr(line, arena_printf(a, " %s=\"", name));
    if (!start)
        return "";
    start += strlen(name) + 3;
    char *text = arena_text(a, start, strcspn(start, "\"")), *to = text;
    for (const char *from = text; *from;) {
        size_t i = 0;
        while (i < 5 && strncmp(from, entities[i].entity, strlen(entities[i].entity)) != 0)
            i++;
        *to++ = i < 5 ? entities[i].is : *from;
        from += i < 5 ? strlen(entities[i].entity) : 1;
    }
    *to = '\0';
    return text;
}

/* Takes " [bits 32-47]" from the end of a label. */
static void take_bits(char *label, shown *s)
{
    char *at = strrchr(label, '[');
    uint64_t last;
    if (!at || at == label || at[-1] != ' ')
        return;
    if (sscanf(at, "[bits %" SCNu64 "-%" SCNu64 "]", &s->bit, &last) == 2)
        s->bits = last - s->bit + 1;
    else if (sscanf(at, "[bit %" SCNu64 "]", &s->bit) == 1)
        s->bits = 1;
    else
        return;
    at[-1] = '\0';
}

static void add_item(arena *a, tree *t, const shown *s)
{
    if (t->count == t->room) {
        const size_t room = t->room ? 2 * t->room : 64;
        shown *items = ARENA_ARRAY(a, shown, room);
        if (t->count)
            memcpy(items, t->items, t->count * sizeof *items);
        t->items = items;
        t->room = room;
    }
    t->items[t->count++] = *s;
}

/* Whether a filter is that of the protocol itself: "game.refused". Fields have the names of their types before their own. */
static bool is_own(const tree *t, const char *filter, const char *name)
{
    const size_t size = t->protocol ? strlen(t->protocol) : 0;
    return size > 0 && strncmp(filter, t->protocol, size) == 0 && strcmp(filter + size, name) == 0;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text), end_size = strlen(end);
    return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

/* Adds the item of a line; the result is the path of what is inside it. */
static const char *read_item(arena *a, tree *t, const char *line, const char *outer, const char *root)
{
    const char *filter = attribute(a, line, "name");
    char *label = arena_printf(a, "%s", attribute(a, line, "showname"));
    const bool is_refused = is_own(t, filter, ".refused"), is_unknown = is_own(t, filter, ".not-known");
    if (is_refused)
        t->refused = label;
    else if (is_unknown)
        t->unknown = label;
    const bool is_hidden = *attribute(a, line, "hide") != '\0';
    if (is_refused || is_unknown || is_hidden || ends_with(filter, ".packet-type") || strncmp(filter, "_ws.", 4) == 0)
        return outer;
    shown s = {.filter = filter, .text = ""};
    take_bits(label, &s);
    char *colon = strstr(label, ": ");
    if (colon) {
        *colon = '\0';
        s.text = colon + 2;
    }
    const bool is_frame = ends_with(filter, ".packet-crc") || ends_with(filter, ".end-check");
    outer = is_frame ? root : outer;
    s.name = *outer ? arena_printf(a, "%s.%s", outer, label) : label;
    if (ends_with(filter, ".layout-item") && strcmp(label, "align") == 0)
        s.name = arena_printf(a, "%s.align", outer);
    add_item(a, t, &s);
    return s.name;
}

/* An element, without the spaces before it; NULL at the end. The text of an attribute can have line feeds, but no '>'. */
static char *read_tag(FILE *from, char **room, size_t *size)
{
    if (getdelim(room, size, '>', from) < 0)
        return NULL;
    return *room + strspn(*room, " \n");
}

bool read_tree(arena *a, FILE *pdml, const char *root, tree *t)
{
    static char *room;
    static size_t size;
    const char *paths[MOST_DEPTH] = {""};
    size_t depth = 0;
    char *line;
    *t = (tree){0};
    while ((line = read_tag(pdml, &room, &size))) {
        if (strstr(line, "Lua Error")) {
            printf("%s", line);
            return false;
        }
        if (strncmp(line, "</packet>", 9) == 0)
            return true;
        if (strncmp(line, "<proto ", 7) == 0 && strncmp(line, "<proto name=\"_ws", 16) != 0) {
            *t = (tree){.protocol = attribute(a, line, "name")}; /* the protocol of interest is the last one */
            depth = 0;
        } else if (strncmp(line, "</field>", 8) == 0) {
            depth--;
        } else if (strncmp(line, "<field ", 7) == 0) {
            const char *inside = read_item(a, t, line, paths[depth], root);
            if (!strstr(line, "/>") && depth + 1 < MOST_DEPTH)
                paths[++depth] = inside;
        }
    }
    return false;
}
