/* peer.h - the fields of the messages for other libraries, which have the same names there.
 * SPDX-License-Identifier: MIT
 */
#ifndef PEER_H
#define PEER_H

#include "bench.h"
#include "messages.h"

#define INPUT_FIELDS(X) \
    X(sequence) X(ack_bits) X(entity) X(aim_x) X(aim_y) X(aim_z) X(yaw) X(moving) X(firing) X(sent_at) X(weapon)
#define OBJECT_FIELDS(X) X(x) X(y) X(z) X(vx) X(vy) X(vz) X(at_rest) X(id)

/* Operations for the lists above, with pointers to and from, or a and b. */
#define COPY_FIELD(name) to->name = from->name;
#define SAME_FIELD(name) &&a->name == b->name

#endif
