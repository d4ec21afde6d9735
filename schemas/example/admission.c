/* admission.c - answers greetings without keeping anything.
 * SPDX-License-Identifier: MIT
 */
#include "admission.h"

/* The server does not have to remember which salt it has sent, because it can compute it again. */
static uint64_t salt_for(const pkt_door *d, uint32_t window, const udp_address *from, uint64_t client_salt)
{
    const uint64_t text[4] = {from->sin_addr.s_addr, from->sin_port, client_salt, window};
    return pkt_siphash(d->key, text, sizeof text);
}

uint32_t admission_release(uint64_t game_id)
{
    const uint32_t release = arena_PROTOCOL_VERSION_OF(game_id);
    return release + OLDER_RELEASES >= arena_PROTOCOL_VERSION ? release : 0;
}

size_t admission_answer(const pkt_door *d, const udp_address *from, const Hello *hello, bool full,
                        uint8_t answer[Hello_MAX_BYTES])
{
    const bool outdated = admission_release(hello->game_id) == 0;
    if (outdated || full) {
        const Refused refused = {hello->client_salt, outdated ? Reason_must_update : Reason_server_full,
                                 arena_PROTOCOL_VERSION};
        return Refused_pack(&refused, answer, Hello_MAX_BYTES);
    }
    const Challenge challenge = {hello->client_salt, salt_for(d, d->window, from, hello->client_salt)};
    return Challenge_pack(&challenge, answer, Hello_MAX_BYTES);
}

bool admission_admits(pkt_door *d, const udp_address *from, const Response *response)
{
    const uint64_t salt = response->server_salt;
    const pkt_guest guest = {.session = response->client_salt ^ salt};
    return (salt == salt_for(d, d->window, from, response->client_salt) ||
            salt == salt_for(d, d->window - 1, from, response->client_salt)) &&
           pkt_door_admit(d, &guest);
}
