/* peer_protobuf_c.c - protobuf-c in the benchmark: it allocates each message that it reads, and frees the one before.
 * SPDX-License-Identifier: MIT
 *
 * The messages that values are converted to are never freed.
 */
#include "peer.h"
#include "peer.pb-c.h"

#include <stdlib.h>
#include <string.h>

typedef struct input_box {
    Peer__Input *message;
} input_box;
typedef struct objects_box {
    Peer__ObjectArray *message;
} objects_box;
typedef struct chat_box {
    Peer__Chat *message;
} chat_box;

static void *allocate(size_t count, size_t size)
{
    void *p = calloc(count + (count == 0), size);
    bench_demand(p != NULL, "protobuf-c", "memory", "there is none left", 0);
    return p;
}

static void make_input(void *own, const void *value)
{
    Peer__Input *to = allocate(1, sizeof *to);
    const Input *from = value;
    peer__input__init(to);
    INPUT_FIELDS(COPY_FIELD)
    ((input_box *)own)->message = to;
}

static bool same_input(const void *out, const void *own)
{
    const Peer__Input *a = ((const input_box *)out)->message, *b = ((const input_box *)own)->message;
    return true INPUT_FIELDS(SAME_FIELD);
}

static void make_objects(void *own, const void *value)
{
    Peer__ObjectArray *array = allocate(1, sizeof *array);
    const ObjectArray *objects = value;
    peer__object_array__init(array);
    array->n_objects = objects->objects_count;
    array->objects = allocate(array->n_objects, sizeof *array->objects);
    for (size_t i = 0; i < array->n_objects; i++) {
        Peer__Object *to = allocate(1, sizeof *to);
        const Object *from = &objects->objects[i];
        peer__object__init(to);
        OBJECT_FIELDS(COPY_FIELD)
        array->objects[i] = to;
    }
    ((objects_box *)own)->message = array;
}

static bool same_objects(const void *out, const void *own)
{
    const Peer__ObjectArray *read = ((const objects_box *)out)->message, *array = ((const objects_box *)own)->message;
    bool same = read->n_objects == array->n_objects;
    for (size_t i = 0; same && i < array->n_objects; i++) {
        const Peer__Object *a = read->objects[i], *b = array->objects[i];
        same = true OBJECT_FIELDS(SAME_FIELD);
    }
    return same;
}

static void make_chat(void *own, const void *value)
{
    Peer__Chat *to = allocate(1, sizeof *to);
    const Chat *from = value;
    peer__chat__init(to);
    to->text = allocate(strlen(from->text) + 1, 1);
    strcpy(to->text, from->text);
    ((chat_box *)own)->message = to;
}

static bool same_chat(const void *out, const void *own)
{
    return strcmp(((const chat_box *)out)->message->text, ((const chat_box *)own)->message->text) == 0;
}

#define PROTOBUF_C(NAME, box, prefix, make, same)                                                      \
    static inline bool read_into_##box(box *v, const uint8_t *from, size_t size)                       \
    {                                                                                                  \
        if (v->message)                                                                                \
            prefix##__free_unpacked(v->message, NULL);                                                 \
        v->message = prefix##__unpack(NULL, size, from);                                               \
        return v->message != NULL;                                                                     \
    }                                                                                                  \
    BENCH_CONTENDER(protobuf_c, NAME, box, sizeof(box), make, same, 0, prefix##__pack(v->message, to), \
                    read_into_##box(v, from, size))
PROTOBUF_C(Input, input_box, peer__input, make_input, same_input)
PROTOBUF_C(ObjectArray, objects_box, peer__object_array, make_objects, same_objects)
PROTOBUF_C(Chat, chat_box, peer__chat, make_chat, same_chat)
