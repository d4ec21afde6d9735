/* peer_flatbuffers.cpp - FlatBuffers in the benchmark: built from the structs of the game, verified, and read back.
 * SPDX-License-Identifier: MIT
 */
#include "peer.h"
#include "peer_generated.h"

#include <cstring>

namespace {

flatbuffers::FlatBufferBuilder builder(BENCH_BUFFER);

template <typename T> size_t finish(flatbuffers::Offset<T> root, uint8_t *to)
{
    builder.Finish(root);
    size_t size = builder.GetSize();
    memcpy(to, builder.GetBufferPointer(), size);
    builder.Clear();
    return size;
}

template <typename T> const T *root_of(const uint8_t *from, size_t size)
{
    flatbuffers::Verifier verifier(from, size);
    return verifier.VerifyBuffer<T>(nullptr) ? flatbuffers::GetRoot<T>(from) : nullptr;
}

size_t write(const Input *v, uint8_t *to)
{
    return finish(peer::CreateInput(builder, v->sequence, v->ack_bits, v->entity, v->aim_x, v->aim_y, v->aim_z, v->yaw,
                                    v->moving, v->firing, v->sent_at, v->weapon), to);
}

bool read(Input *to, const uint8_t *data, size_t size)
{
    const peer::Input *root = root_of<peer::Input>(data, size);
    if (!root)
        return false;
#define GET_FIELD(name) to->name = root->name();
    INPUT_FIELDS(GET_FIELD)
    return true;
}

size_t write(const ObjectArray *v, uint8_t *to)
{
    peer::Object *objects;
    auto vector = builder.CreateUninitializedVectorOfStructs(v->objects_count, &objects);
    for (size_t i = 0; i < v->objects_count; i++) {
        const Object *from = &v->objects[i];
        objects[i] = peer::Object(from->x, from->y, from->z, from->vx, from->vy, from->vz, from->at_rest, from->id);
    }
    return finish(peer::CreateObjectArray(builder, vector), to);
}

bool read(ObjectArray *v, const uint8_t *data, size_t size)
{
    const peer::ObjectArray *array = root_of<peer::ObjectArray>(data, size);
    if (!array || !array->objects() || array->objects()->size() > 64)
        return false;
    v->objects_count = static_cast<uint8_t>(array->objects()->size());
    for (unsigned i = 0; i < v->objects_count; i++) {
        const peer::Object *root = array->objects()->Get(i);
        Object *to = &v->objects[i];
        OBJECT_FIELDS(GET_FIELD)
    }
    return true;
}

size_t write(const Chat *v, uint8_t *to)
{
    return finish(peer::CreateChat(builder, builder.CreateString(v->text)), to);
}

bool read(Chat *v, const uint8_t *data, size_t size)
{
    const peer::Chat *root = root_of<peer::Chat>(data, size);
    if (!root || !root->text() || root->text()->size() >= sizeof v->text)
        return false;
    memcpy(v->text, root->text()->c_str(), root->text()->size() + 1);
    return true;
}

}

extern "C" {
BENCH_CONTENDER(flatbuffers, Input, Input, 0, NULL, NULL, 0, write(v, to), read(v, from, size))
BENCH_CONTENDER(flatbuffers, ObjectArray, ObjectArray, 0, NULL, NULL, 0, write(v, to), read(v, from, size))
BENCH_CONTENDER(flatbuffers, Chat, Chat, 0, NULL, NULL, 0, write(v, to), read(v, from, size))
}
