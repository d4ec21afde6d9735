/* vectors_text.c - reads lines of `TYPE=VALUE TYPE=VALUE ...: bytes` as records.
 * SPDX-License-Identifier: MIT
 *
 * Line N becomes `struct LineN` with a field f0, f1, ... for each item of the line. The value that a reader gets for a
 * quantized number is computed here from docs/wire.md, independently of pktc. `after(A)=B` is B after A, where the
 * bytes do not contain A: then the struct begins with A as a u32, and so do the bytes.
 */
#include "vectors.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct line {
    arena *arena;
    const source *file;
    uint32_t number;
    unsigned item_count;
    const char *fields; /* the fields of the struct so far */
    const char *lead;   /* hexadecimal bytes to put before those of the line */
    json_t *value, *read;
} line;

static void add_field(line *l, const char *name, const char *declaration, json_t *written, json_t *read)
{
    l->fields = arena_printf(l->arena, "%s %s;", l->fields, declaration);
    json_object_set(l->value, name, written);
    json_object_set(l->read, name, read ? read : written);
    json_decref(written);
    json_decref(read);
}

/* The rules for quantized numbers. Each step is rounded to float: volatile prevents wider or fused operations. */
static double quantized_read(double low, double high, double resolution, double number)
{
    volatile float lo = (float)low, hi = (float)high, res = (float)resolution, v = (float)number;
    volatile float delta = hi - lo;
    volatile float ratio = delta / res;
    volatile float steps = ceilf(ratio) < 1 ? 1 : ceilf(ratio);
    volatile float offset = v - lo;
    volatile float n = offset / delta;
    n = n < 0 ? 0 : n > 1 ? 1 : n;
    volatile float scaled = n * steps;
    volatile float moved = scaled + 0.5f;
    volatile float q = floorf(moved);
    volatile float part = q / steps;
    volatile float product = part * delta;
    volatile float result = product + lo;
    return result > hi ? hi : result;
}

/* Indices and values: {3:22,4:29} */
static json_t *sparse_value(line *l, const char *text)
{
    json_t *pairs = json_array();
    const char *at = text + 1;
    while (*at != '}') {
        char *end;
        unsigned long long index = strtoull(at, &end, 10);
        if (end == at || *end != ':')
            reject(l->file, l->number, "'%s' is not {index:value,...}", text);
        at = end + 1;
        unsigned long long element = strtoull(at, &end, 10);
        if (end == at || (*end != ',' && *end != '}'))
            reject(l->file, l->number, "'%s' is not {index:value,...}", text);
        json_array_append_new(pairs, json_pack("[I, I]", (json_int_t)index, (json_int_t)element));
        at = *end == ',' ? end + 1 : end;
    }
    return pairs;
}

/* raw/2^F, where raw is the integer that is stored. */
static json_t *fixed_value(line *l, const char *text)
{
    const char *slash = strchr(text, '/');
    if (!slash)
        reject(l->file, l->number, "'%s' is not raw/2^F", text);
    return json_string(arena_text(l->arena, text, (size_t)(slash - text)));
}

static void add_after(line *l, const char *name, const char *kind, const char *text)
{
    char *end;
    unsigned long start = strtoul(kind + strlen("after("), &end, 10);
    if (strcmp(end, ")") != 0 || start > UINT32_MAX || l->lead[0])
        reject(l->file, l->number, "'%s' is not one after(A)", kind);
    l->lead = arena_printf(l->arena, "%02lx%02lx%02lx%02lx", start & 255, start >> 8 & 255, start >> 16 & 255,
                           start >> 24 & 255);
    l->fields = arena_printf(l->arena, " u32 start;%s", l->fields);
    json_object_set_new(l->value, "start", json_integer((json_int_t)start));
    json_object_set_new(l->read, "start", json_integer((json_int_t)start));
    add_field(l, name, arena_printf(l->arena, "u32 %s after start", name), json_string(text), NULL);
}

static void add_sparse(line *l, const char *name, const char *kind, const char *text)
{
    const char *element = strchr(kind, '>'), *bracket = strchr(kind, '[');
    if (!element || !bracket || bracket < element || text[0] != '{')
        reject(l->file, l->number, "'%s=%s' is not sparse<mode>T[N]={...}", kind, text);
    const char *declaration = arena_printf(l->arena, "%.*s %.*s %s%s", (int)(element + 1 - kind), kind,
                                           (int)(bracket - element - 1), element + 1, name, bracket);
    add_field(l, name, declaration, sparse_value(l, text), NULL);
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static void add_scalar(line *l, const char *name, const char *kind, const char *text)
{
    const char *declaration = arena_printf(l->arena, "%s %s", kind, name);
    double low, high, resolution;
    size_t length = strlen(text);
    if (strcmp(kind, "bool") == 0) {
        add_field(l, name, declaration, json_boolean(strcmp(text, "1") == 0), NULL);
    } else if (begins_with(kind, "bits<") || begins_with(kind, "int<") || strcmp(kind, "float") == 0 ||
               strcmp(kind, "double") == 0) {
        add_field(l, name, declaration, json_string(text), NULL);
    } else if (sscanf(kind, "float<%lf,%lf,%lf>", &low, &high, &resolution) == 3) {
        double v = (double)strtof(text, NULL);
        add_field(l, name, declaration, json_real(v), json_real(quantized_read(low, high, resolution, v)));
    } else if (begins_with(kind, "fixed<")) {
        add_field(l, name, declaration, fixed_value(l, text), NULL);
    } else if (begins_with(kind, "string<") && length >= 2 && text[0] == '"' && text[length - 1] == '"') {
        add_field(l, name, declaration, json_stringn(text + 1, length - 2), NULL);
    } else {
        reject(l->file, l->number, "what '%s=%s' means is not known here", kind, text);
    }
}

static void add_item(line *l, char *token)
{
    if (strcmp(token, "align") == 0) {
        l->fields = arena_printf(l->arena, "%s align;", l->fields);
        return;
    }
    char *equals = strchr(token, '=');
    if (!equals)
        reject(l->file, l->number, "'%s' is not TYPE=VALUE", token);
    *equals = '\0';
    const char *kind = token, *text = equals + 1, *name = arena_printf(l->arena, "f%u", l->item_count++);
    if (begins_with(kind, "after("))
        add_after(l, name, kind, text);
    else if (begins_with(kind, "sparse<"))
        add_sparse(l, name, kind, text);
    else
        add_scalar(l, name, kind, text);
}

/* Splits at spaces outside quotes. */
static void add_items(line *l, char *text)
{
    bool quoted = false;
    char *token = text;
    for (char *at = text;; at++) {
        if (*at == '"')
            quoted = !quoted;
        bool last = *at == '\0';
        if (!last && (*at != ' ' || quoted))
            continue;
        *at = '\0';
        if (token != at)
            add_item(l, token);
        if (last)
            return;
        token = at + 1;
    }
}

/* The colon between the items and the bytes; there may be no bytes. */
static char *last_colon(char *text)
{
    size_t size = strlen(text);
    char *found = NULL;
    if (size != 0 && text[size - 1] == ':')
        return text + size - 1;
    for (char *at = text; (at = strstr(at, ": ")) != NULL; at++)
        found = at;
    return found;
}

suite *read_text_vectors(arena *a, const source *file)
{
    suite *first = NULL, **last = &first;
    suite *s = suite_new(a, &last, "vectors", "protocol vectors = 1;\n");
    for (uint32_t number = 1; number <= file->line_count; number++) {
        uint32_t size;
        const char *bytes = source_line(file, number, &size);
        if (size == 0 || bytes[0] == '#')
            continue;
        char *text = arena_text(a, bytes, size);
        char *colon = last_colon(text);
        if (!colon)
            reject(file, number, "a line is items, a colon, and bytes in hex");
        const char *own = colon[1] == '\0' ? "" : colon + 2;
        *colon = '\0';
        line l = {.arena = a,
                  .file = file,
                  .number = number,
                  .fields = "",
                  .lead = "",
                  .value = json_object(),
                  .read = json_object()};
        add_items(&l, text);
        const char *name = arena_printf(a, "Line%" PRIu32, number);
        const char *hex = arena_printf(a, "%s%s", l.lead, own);
        s->pkt = arena_printf(a, "%sstruct %s {%s }\n", s->pkt, name, l.fields);
        json_t *record = json_pack("{s:s, s:o, s:o, s:s}", "type", name, "value", l.value, "read", l.read, "hex", hex);
        if (json_equal(l.value, l.read))
            json_object_del(record, "read");
        suite_add(a, s, number, record);
    }
    return first;
}
