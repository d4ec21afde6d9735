/* peer_capnproto.cpp - Cap'n Proto in the benchmark: messages are built from the structs of the game, and read back.
 * SPDX-License-Identifier: MIT
 */
#include "peer.h"
#include "peer.capnp.h"

#include <capnp/serialize.h>
#include <cstring>
#include <kj/io.h>

namespace {

/* Memory for builders, which need it zeroed, and zero it again. */
capnp::word scratch[1024];

size_t finish(capnp::MallocMessageBuilder &message, uint8_t *to)
{
    kj::ArrayOutputStream stream(kj::arrayPtr(to, BENCH_BUFFER));
    capnp::writeMessage(stream, message);
    return stream.getArray().size();
}

struct reader : capnp::FlatArrayMessageReader {
    reader(const uint8_t *data, size_t size)
        : FlatArrayMessageReader(
              kj::arrayPtr(reinterpret_cast<const capnp::word *>(data), size / sizeof(capnp::word))) {}
};

size_t write(const Input *v, uint8_t *to)
{
    capnp::MallocMessageBuilder message(kj::arrayPtr(scratch, 1024));
    auto root = message.initRoot<peer::Input>();
    root.setSequence(v->sequence);
    root.setAckBits(v->ack_bits);
    root.setEntity(v->entity);
    root.setAimX(v->aim_x);
    root.setAimY(v->aim_y);
    root.setAimZ(v->aim_z);
    root.setYaw(v->yaw);
    root.setMoving(v->moving);
    root.setFiring(v->firing);
    root.setSentAt(v->sent_at);
    root.setWeapon(v->weapon);
    return finish(message, to);
}

bool read(Input *v, const uint8_t *data, size_t size)
{
    reader message(data, size);
    auto root = message.getRoot<peer::Input>();
    v->sequence = root.getSequence();
    v->ack_bits = root.getAckBits();
    v->entity = root.getEntity();
    v->aim_x = root.getAimX();
    v->aim_y = root.getAimY();
    v->aim_z = root.getAimZ();
    v->yaw = root.getYaw();
    v->moving = root.getMoving();
    v->firing = root.getFiring();
    v->sent_at = root.getSentAt();
    v->weapon = root.getWeapon();
    return true;
}

size_t write(const ObjectArray *v, uint8_t *to)
{
    capnp::MallocMessageBuilder message(kj::arrayPtr(scratch, 1024));
    auto objects = message.initRoot<peer::ObjectArray>().initObjects(v->objects_count);
    for (unsigned i = 0; i < v->objects_count; i++) {
        const Object *from = &v->objects[i];
        auto object = objects[i];
        object.setX(from->x);
        object.setY(from->y);
        object.setZ(from->z);
        object.setVx(from->vx);
        object.setVy(from->vy);
        object.setVz(from->vz);
        object.setAtRest(from->at_rest);
        object.setId(from->id);
    }
    return finish(message, to);
}

bool read(ObjectArray *v, const uint8_t *data, size_t size)
{
    reader message(data, size);
    auto objects = message.getRoot<peer::ObjectArray>().getObjects();
    if (objects.size() > 64)
        return false;
    v->objects_count = static_cast<uint8_t>(objects.size());
    for (unsigned i = 0; i < objects.size(); i++) {
        Object *to = &v->objects[i];
        auto object = objects[i];
        to->x = object.getX();
        to->y = object.getY();
        to->z = object.getZ();
        to->vx = object.getVx();
        to->vy = object.getVy();
        to->vz = object.getVz();
        to->at_rest = object.getAtRest();
        to->id = object.getId();
    }
    return true;
}

size_t write(const Chat *v, uint8_t *to)
{
    capnp::MallocMessageBuilder message(kj::arrayPtr(scratch, 1024));
    message.initRoot<peer::Chat>().setText(v->text);
    return finish(message, to);
}

bool read(Chat *v, const uint8_t *data, size_t size)
{
    reader message(data, size);
    auto text = message.getRoot<peer::Chat>().getText();
    if (text.size() >= sizeof v->text)
        return false;
    memcpy(v->text, text.cStr(), text.size() + 1);
    return true;
}

}

extern "C" {
BENCH_CONTENDER(capnproto, Input, Input, 0, NULL, NULL, 0, write(v, to), read(v, from, size))
BENCH_CONTENDER(capnproto, ObjectArray, ObjectArray, 0, NULL, NULL, 0, write(v, to), read(v, from, size))
BENCH_CONTENDER(capnproto, Chat, Chat, 0, NULL, NULL, 0, write(v, to), read(v, from, size))
}
