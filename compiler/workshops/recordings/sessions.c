/* sessions.c - remembers the last sessions of each two ends.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/sessions.h"
#include "recordings/end_pairs.h"

#include <string.h>

enum { PORTS_AT = 8, SEED_AT = 12, ID_AT = 20 };

typedef struct session_pair {
    end_pair pair;
    end_sessions sessions;
    uint64_t section; /* in which they were recorded */
    bool changed;
} session_pair;

struct sessions {
    end_pairs *pairs;
    uint64_t section;
};

sessions *sessions_new(arena *a)
{
    sessions *s = ARENA_NEW(a, sessions);
    s->pairs = end_pairs_new(a, sizeof(session_pair), NULL);
    return s;
}

void sessions_begin_section(sessions *s)
{
    s->section++;
}

static uint64_t big64(const uint8_t *at)
{
    uint64_t n = 0;
    for (int i = 0; i < 8; i++)
        n = n << 8 | at[i];
    return n;
}

void sessions_keep(sessions *s, const datagram *announced)
{
    session_pair *p = (session_pair *)end_pairs_keep(s->pairs, &announced->from, &announced->to, NULL);
    if (p->section != s->section)
        p->sessions.count = 0;
    p->section = s->section;
    const session is = {big64(announced->data + SEED_AT), big64(announced->data + ID_AT)};
    session *each = p->sessions.each;
    unsigned at = 0;
    while (at < p->sessions.count && each[at].seed != is.seed)
        at++;
    if (at == p->sessions.count)
        at = at < MOST_SESSIONS ? p->sessions.count++ : MOST_SESSIONS - 1;
    memmove(each + 1, each, at * sizeof *each);
    each[0] = is;
    p->changed = true;
}

const end_sessions *sessions_between(sessions *s, const datagram *d, bool *changed)
{
    session_pair *p = (session_pair *)end_pairs_find(s->pairs, &d->from, &d->to, NULL);
    if (p && p->section != s->section)
        p = NULL;
    *changed = p && p->changed;
    if (!p)
        return NULL;
    p->changed = false;
    return &p->sessions;
}

static uint8_t *put_big(uint8_t *to, uint64_t n, int bytes)
{
    while (bytes-- > 0)
        *to++ = (uint8_t)(n >> 8 * bytes);
    return to;
}

void session_write(const endpoint *from, const endpoint *to, const session *s, uint8_t bytes[SESSION_BYTES])
{
    memcpy(bytes, SESSION_MARK, PORTS_AT);
    uint8_t *at = put_big(bytes + PORTS_AT, from->port, 2);
    at = put_big(at, to->port, 2);
    at = put_big(at, s->seed, 8);
    put_big(at, s->id, 8);
}
