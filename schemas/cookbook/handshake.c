/* handshake.c - the server's side of a handshake that stores nothing.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Handshake and versions", has the schema and explains it.
 */
#include "shooter.h"

/* The server remembers nothing about clients that have not answered. It can compute the salt again. */
static uint64_t salt_for(uint64_t secret, uint64_t address, uint64_t client_salt)
{
    uint64_t parts[3] = {secret, address, client_salt};
    return pkt_hash(parts, sizeof parts); /* a real server: a keyed hash, such as SipHash */
}

/* Writes the answer to a Hello, and returns its bytes. */
static size_t answer(const Hello *hello, uint64_t secret, uint64_t address, bool full, uint8_t data[Hello_MAX_BYTES])
{
    const bool outdated = hello->game_id != shooter_PROTOCOL_ID;
    const Refused refused = {hello->client_salt, outdated ? Reason_must_update : Reason_server_full};
    const Challenge challenge = {hello->client_salt, salt_for(secret, address, hello->client_salt)};
    return outdated || full ? Refused_pack(&refused, data, Hello_MAX_BYTES)
                            : Challenge_pack(&challenge, data, Hello_MAX_BYTES);
}

/* Returns whether the client joins, if there is room. */
static bool admits(const Response *response, uint64_t secret, uint64_t address)
{
    return response->server_salt == salt_for(secret, address, response->client_salt);
}
