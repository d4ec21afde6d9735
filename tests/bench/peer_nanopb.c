/* peer_nanopb.c - nanopb in the benchmark: structs of fixed size, without allocation.
 * SPDX-License-Identifier: MIT
 */
#include "peer.h"
#include "peer.pb.h"

#include <pb_decode.h>
#include <pb_encode.h>
#include <string.h>

static void make_input(void *own, const void *value)
{
    peer_Input *to = own;
    const Input *from = value;
    INPUT_FIELDS(COPY_FIELD)
}

static bool same_input(const void *out, const void *own)
{
    const peer_Input *a = out, *b = own;
    return true INPUT_FIELDS(SAME_FIELD);
}

static void make_objects(void *own, const void *value)
{
    peer_ObjectArray *array = own;
    const ObjectArray *objects = value;
    array->objects_count = (pb_size_t)objects->objects_count;
    for (size_t i = 0; i < objects->objects_count; i++) {
        peer_Object *to = &array->objects[i];
        const Object *from = &objects->objects[i];
        OBJECT_FIELDS(COPY_FIELD)
    }
}

static bool same_objects(const void *out, const void *own)
{
    const peer_ObjectArray *read = out, *array = own;
    bool same = read->objects_count == array->objects_count;
    for (size_t i = 0; same && i < array->objects_count; i++) {
        const peer_Object *a = &read->objects[i], *b = &array->objects[i];
        same = true OBJECT_FIELDS(SAME_FIELD);
    }
    return same;
}

static void make_chat(void *own, const void *value)
{
    memcpy(((peer_Chat *)own)->text, ((const Chat *)value)->text, sizeof((peer_Chat *)own)->text);
}

static bool same_chat(const void *out, const void *own)
{
    return strcmp(((const peer_Chat *)out)->text, ((const peer_Chat *)own)->text) == 0;
}

static inline size_t encode(const pb_msgdesc_t *fields, const void *v, uint8_t *to)
{
    pb_ostream_t stream = pb_ostream_from_buffer(to, BENCH_BUFFER);
    return pb_encode(&stream, fields, v) ? stream.bytes_written : 0;
}

static inline bool decode(const pb_msgdesc_t *fields, void *v, const uint8_t *from, size_t size)
{
    pb_istream_t stream = pb_istream_from_buffer(from, size);
    return pb_decode(&stream, fields, v);
}

#define NANOPB(NAME, make, same)                                                   \
    BENCH_CONTENDER(nanopb, NAME, peer_##NAME, sizeof(peer_##NAME), make, same, 0, \
                    encode(peer_##NAME##_fields, v, to), decode(peer_##NAME##_fields, v, from, size))
NANOPB(Input, make_input, same_input)
NANOPB(ObjectArray, make_objects, same_objects)
NANOPB(Chat, make_chat, same_chat)
