/* ask.c - values between structs in C and objects of Godot, for the replay of vectors.
 * SPDX-License-Identifier: MIT
 *
 * Compiled with -DGODOT='"NAME_godot.c"' -DENTRY=NAME_godot_init.
 */
#include GODOT

#include "engine.h"

#include "ask.h"
#include <ctype.h>

static void begin(void)
{
    static bool begun;
    if (!begun) {
        start(ENTRY);
        atexit(stop);
    }
    begun = true;
}

/* Of the type T_name of the schema s: "STName". */
static variant make_of(const char *type, const char *ending)
{
    char text[200], name[200];
    size_t size = 0;
    bool starts = true;
    snprintf(text, sizeof text, "%s_%s_%s", pkt_godot.stem, type, ending);
    for (const char *at = text; *at; at++) {
        if (*at != '_')
            name[size++] = starts ? (char)toupper((unsigned char)*at) : *at;
        starts = *at == '_';
    }
    name[size] = 0;
    return make(name);
}

static const pkt_godot_class *table_of(variant on)
{
    return ((pkt_godot_object *)object_in(on)->instance)->type;
}

static void move(variant to, variant from);

/* A double of Godot does not keep all bits of a NaN, so these are copied. */
static void copy_nans(variant to, variant from, const pkt_godot_member *m)
{
    for (uint32_t i = 0; i < (m->length ? m->length : 1) && m->kind == PKT_GODOT_FLOAT; i++) {
        const size_t place = m->place + i * sizeof(float);
        float number;
        memcpy(&number, (uint8_t *)memory_of(from) + place, sizeof number);
        if (number != number)
            memcpy((uint8_t *)memory_of(to) + place, &number, sizeof number);
    }
}

static void move_member(variant to, variant from, const pkt_godot_member *m)
{
    char name[300];
    variant v = get(from, m->name);
    if ((int)v.type == VARIANT_OBJECT && !v.value.pointer) {
        drop(v);
        return;
    }
    put(to, m->name, again(v));
    if (m->kind == PKT_GODOT_VALUE && m->length == 0) {
        variant there = get(to, m->name);
        move(there, v);
        drop(there);
    }
    const int64_t count = m->length ? (*(sequence **)&v.value)->count : 0;
    for (int64_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s_at", m->name);
        variant each = CALL(from, name, of_number(i));
        snprintf(name, sizeof name, "%s_put", m->name);
        drop(CALL(to, name, of_number(i), again(each)));
        drop(each);
    }
    copy_nans(to, from, m);
    drop(v);
}

/* Copies a value by its properties; in a union, by the chosen one. */
static void move(variant to, variant from)
{
    const pkt_godot_class *t = table_of(from);
    for (uint32_t i = 0; i < t->member_count; i++) {
        const pkt_godot_member *m = &t->members[i];
        if (m->kind == PKT_GODOT_NONE ||
            (t->is_union && i > 0 && (int64_t)i - 1 != number_in(from, t->members[0].name)))
            continue;
        move_member(to, from, m);
    }
}

/* An object with the value of a struct, made of its properties. */
static variant object_of(const fuzz_type *t, const void *v)
{
    variant held = make_of(t->name, ""), made = make_of(t->name, "");
    memcpy(memory_of(held), v, t->type->size);
    move(made, held);
    variant equal = CALL(made, "equal", again(held));
    if (equal.value.number != t->equal(v, v))
        printf("equal: %d of %s\n", (int)equal.value.number, t->name);
    if (equal.value.number && (uint64_t)CALL(made, "measure", of_number(0)).value.number != t->measure(v, 0))
        printf("measure of %s\n", t->name);
    drop(held);
    return made;
}

static variant base_of_value(const fuzz_type *t, const void *base)
{
    if (!base)
        return (variant){GDEXTENSION_VARIANT_TYPE_NIL, {0}};
    if (!t->predict)
        return object_of(t, base);
    variant made = make_of(t->name, "motion");
    memcpy(memory_of(made), base, table_of(made)->size);
    return made;
}

/* Copies the error, and drops its object. */
static void take_error(variant object, pkt_error *error)
{
    memset(error, 0, sizeof *error);
    error->code = (pkt_code)number_in(object, "code");
    error->bit = (uint64_t)number_in(object, "bit");
    variant field = get(object, "field");
    snprintf(error->field, sizeof error->field, "%s", text_of(&field.value));
    drop(field);
    drop(object);
}

size_t ask_write(const fuzz_type *t, manner how, const void *base, const void *v, uint8_t *to, size_t room,
                 pkt_error *error)
{
    begin();
    const char *name = how.framed      ? how.delta ? "pack_delta" : "pack"
                       : how.delta     ? "write_delta"
                       : how.by_stream ? "write"
                                       : "pack_body";
    variant object = object_of(t, v), fault = make_of("pkt_error", "");
    variant bytes =
        how.delta ? CALL(object, name, base_of_value(t, base), again(fault)) : CALL(object, name, again(fault));
    const sequence *s = *(sequence **)&bytes.value;
    size_t size = (size_t)s->count;
    take_error(fault, error);
    /* A PackedByteArray has the room that it needs. */
    if (error->code == PKT_OK && size > room)
        *error = (pkt_error){.code = PKT_ERROR_CAPACITY};
    size = error->code == PKT_OK ? size : 0;
    memcpy(to, s->data, size);
    drop(bytes);
    drop(object);
    return size;
}

void ask_read(const fuzz_type *t, manner how, const void *base, void *v, const uint8_t *bytes, size_t size,
              pkt_error *error)
{
    begin();
    const char *name = how.framed      ? how.delta ? "unpack_delta" : "unpack"
                       : how.delta     ? "read_delta"
                       : how.by_stream ? "read"
                                       : "unpack_body";
    variant object = make_of(t->name, ""), fault = make_of("pkt_error", ""), back = make_of(t->name, "");
    memcpy(memory_of(object), v, t->type->size);
    memcpy(memory_of(back), v, t->type->size);
    variant read = how.delta ? CALL(object, name, base_of_value(t, base), of_bytes(bytes, size), again(fault))
                             : CALL(object, name, of_bytes(bytes, size), again(fault));
    take_error(fault, error);
    if ((read.value.number != 0) != (error->code == PKT_OK))
        printf("%s of %s: %d\n", name, t->name, (int)read.value.number);
    if (error->code == PKT_OK)
        move(back, object);
    memcpy(v, memory_of(error->code == PKT_OK ? back : object), t->type->size);
    drop(back);
    drop(object);
}
