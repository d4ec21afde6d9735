/* vectors_codec.c - checks the codec of pktc decode and encode against records.
 * SPDX-License-Identifier: MIT
 */
#include "vectors.h"
#include "codec/codec.h"
#include "codec/codec_json.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct trial {
    arena *arena;
    const schema *schema;
    const decl *decl;
    json_t *record;
    codec_options how;
    const uint8_t *bytes;
    size_t size;
} trial;

static bool take_json(trial *t, json_t *json, datum *v, const char **problem)
{
    char *text = json_dumps(json, JSON_ENCODE_ANY);
    bool good = json_read(t->arena, t->decl, text, strlen(text), v, problem);
    free(text);
    return good;
}

static void take_bytes(trial *t)
{
    const char *hex = json_string_value(json_object_get(t->record, "hex"));
    t->size = hex ? strlen(hex) / 2 : 0;
    uint8_t *bytes = arena_alloc(t->arena, t->size);
    for (size_t i = 0; i < t->size; i++) {
        char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
        bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    t->bytes = bytes;
}

static const char *error_text(trial *t, const codec_error *e)
{
    return arena_printf(t->arena, "%s at bit %" PRIu64 ", %s", pkt_code_name(e->code), e->bit, e->field);
}

/* The bit and the field only where the record has them. */
static const char *check_error(trial *t, const char *reason, const codec_error *e)
{
    const json_t *bit = json_object_get(t->record, "bit"), *name = json_object_get(t->record, "field");
    if (strcmp(pkt_code_name(e->code), reason) == 0 && (!bit || e->bit == (uint64_t)json_integer_value(bit)) &&
        (!name || strcmp(e->field, json_string_value(name)) == 0))
        return NULL;
    return arena_printf(t->arena, "refuses for %s", error_text(t, e));
}

static const char *check_refusal(trial *t)
{
    codec_error error;
    datum v;
    if (codec_read(t->arena, t->schema, t->decl, t->bytes, t->size, &t->how, &v, &error))
        return "reads what it should refuse";
    return check_error(t, json_string_value(json_object_get(t->record, "refuse")), &error);
}

/* JSON with a value out of range is refused before it is written. */
static const char *check_unwritable(trial *t)
{
    codec_error error;
    datum v;
    size_t size;
    const char *problem;
    if (!take_json(t, json_object_get(t->record, "value"), &v, &problem))
        return NULL;
    if (codec_write(t->arena, t->schema, t->decl, &v, &t->how, &size, &error))
        return "writes what it should refuse";
    return check_error(t, json_string_value(json_object_get(t->record, "unwritable")), &error);
}

static const char *check_bytes(trial *t)
{
    codec_error error;
    datum written, wanted, got;
    size_t size;
    const char *problem;
    json_t *v = json_object_get(t->record, "value"), *read = json_object_get(t->record, "read");
    if (!take_json(t, v, &written, &problem) || !take_json(t, read ? read : v, &wanted, &problem))
        return problem;
    const uint8_t *bytes = codec_write(t->arena, t->schema, t->decl, &written, &t->how, &size, &error);
    if (!bytes)
        return arena_printf(t->arena, "does not write: %s", error_text(t, &error));
    if (size != t->size || memcmp(bytes, t->bytes, size) != 0)
        return "writes other bytes";
    if (!codec_read(t->arena, t->schema, t->decl, bytes, size, &t->how, &got, &error))
        return arena_printf(t->arena, "does not read: %s", error_text(t, &error));
    const char *text = json_print(t->arena, t->decl, &got);
    if (strcmp(text, json_print(t->arena, t->decl, &wanted)) != 0)
        return arena_printf(t->arena, "reads another value: %s", text);
    return NULL;
}

/* Makes the baseline of a type with @delta(predict) from the last value, which is *base, and from the one before it. */
static const char *predict(trial *t, datum *base, datum *last)
{
    json_t *before = json_object_get(t->record, "before"), *wanted = json_object_get(t->record, "predicted");
    uint32_t back = (uint32_t)json_integer_value(json_object_get(t->record, "back"));
    uint32_t gap = (uint32_t)json_integer_value(json_object_get(t->record, "gap"));
    datum older, want;
    const char *problem;
    *last = *base;
    t->how.was = last;
    if (before && !take_json(t, before, &older, &problem))
        return problem;
    *base = codec_predict(t->arena, t->decl, last, before ? &older : NULL, back, gap);
    if (!wanted)
        return NULL;
    if (!take_json(t, wanted, &want, &problem))
        return problem;
    const char *text = json_print(t->arena, t->decl, base);
    if (strcmp(text, json_print(t->arena, t->decl, &want)) != 0)
        return arena_printf(t->arena, "predicts another value: %s", text);
    return NULL;
}

const char *codec_problem(arena *a, const schema *s, const decl *d, const vector *v)
{
    trial t = {.arena = a, .schema = s, .decl = d, .record = v->record};
    json_t *base = json_object_get(v->record, "base");
    const char *id = json_string_value(json_object_get(v->record, "id")), *problem;
    datum baseline, last;
    t.how = (codec_options){
        .framed = id != NULL, .id = id ? strtoull(id, NULL, 16) : 0, .delta = base != NULL, .room = SIZE_MAX};
    if (json_object_get(v->record, "unsound"))
        return NULL;
    if (base && !json_is_null(base)) {
        if (!take_json(&t, base, &baseline, &problem))
            return problem;
        t.how.base = &baseline;
        problem = d->predicts ? predict(&t, &baseline, &last) : NULL;
        if (problem)
            return problem;
    }
    take_bytes(&t);
    if (json_object_get(v->record, "refuse"))
        return check_refusal(&t);
    return json_object_get(v->record, "unwritable") ? check_unwritable(&t) : check_bytes(&t);
}
