/* handshake.c - the server's side of a handshake.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Handshake and versions", explains it.
 */
#include "pkt.h"

/* For a datagram of nobody who plays. Returns true if a client joins, with the seed guest->session. Otherwise *size becomes that of
 * the answer, or 0. */
static bool greet(pkt_door *d, const void *address, size_t address_size, uint64_t game_id, bool full, const void *data,
                  size_t *size, pkt_guest *guest, uint8_t answer[PKT_HELLO_BYTES])
{
    const pkt_wish wish = pkt_door_receive(d, address, address_size, data, *size, guest);
    const bool outdated = guest->game_id != game_id; /* with --serve: game_PROTOCOL_VERSION_OF(guest->game_id) == 0 */
    const pkt_refusal refusal = outdated ? PKT_REFUSE_OUTDATED : full ? PKT_REFUSE_FULL : PKT_REFUSE_NOT;
    *size = wish == PKT_WISH_HELLO ? pkt_door_answer(d, address, address_size, guest, refusal, 8, answer) : 0;
    return wish == PKT_WISH_JOIN && refusal == PKT_REFUSE_NOT && pkt_door_admit(d, guest);
}
