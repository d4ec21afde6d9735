/* spoken.h - which release of a protocol two ends speak.
 * SPDX-License-Identifier: MIT
 *
 * A client and its server speak one release until the client is updated. So a datagram whose crc has told its release
 * says of which one the others between these two ends are. Only so many pairs of ends are remembered.
 */
#ifndef PKTC_SPOKEN_H
#define PKTC_SPOKEN_H

#include "model/schema.h"
#include "recordings/network.h"

typedef struct end_pairs spoken_releases;

spoken_releases *spoken_new(arena *a);

/* The crc of a datagram has told its release. */
void spoken_keep(spoken_releases *r, const datagram *d, const schema *release);

/* The release of a schema's protocol that the ends of a datagram spoke last, in either direction; NULL: not known. */
const schema *spoken_last(spoken_releases *r, const datagram *d, const schema *of);

#endif
