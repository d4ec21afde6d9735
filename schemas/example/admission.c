/* admission.c - answers greetings without keeping anything.
 * SPDX-License-Identifier: MIT
 */
#include "admission.h"

#include <stdio.h>
#include <string.h>

/* The server does not have to remember which salt it has sent, because it can compute it again. A real server uses a
 * function that nobody can compute without the secret, such as SipHash. pkt_hash is not one. */
static uint64_t salt_for(const admission *a, const udp_address *from, uint64_t client_salt)
{
    uint64_t parts[4];
    parts[0] = a->secret;
    parts[1] = from->sin_addr.s_addr;
    parts[2] = from->sin_port;
    parts[3] = client_salt;
    return pkt_hash(parts, sizeof parts);
}

admission_verdict admission_judge(const admission *a, const udp_address *from, const Handshake *m, bool full,
                                  Handshake *answer)
{
    Handshake_init(answer);
    if (m->tag == Handshake_tag_hello) {
        bool outdated = m->as.hello.game_id != a->game_id;
        if (outdated || full) {
            answer->tag = Handshake_tag_refused;
            Refused_init(&answer->as.refused);
            answer->as.refused.client_salt = m->as.hello.client_salt;
            answer->as.refused.reason = outdated ? Reason_must_update : Reason_server_full;
            snprintf(answer->as.refused.version, sizeof answer->as.refused.version, "%u", (unsigned)a->release);
        } else {
            answer->tag = Handshake_tag_challenge;
            answer->as.challenge.client_salt = m->as.hello.client_salt;
            answer->as.challenge.server_salt = salt_for(a, from, m->as.hello.client_salt);
        }
        return ADMISSION_ANSWER;
    }
    if (m->tag == Handshake_tag_response && !full &&
        m->as.response.server_salt == salt_for(a, from, m->as.response.client_salt))
        return ADMISSION_JOINS;
    return ADMISSION_NOTHING; /* what only servers send, or a response to another server */
}
