/* spoken.c - the last release of each two ends, in a table of which the oldest entries are used again.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/spoken.h"
#include "recordings/age_list.h"

enum { MOST_END_PAIRS = 1 << 15, END_PAIR_BUCKETS = 1 << 12 };

/* Two ends that spoke a release of a protocol. */
typedef struct end_pair {
    aged links;
    endpoint one, other;
    const schema *release;
    struct end_pair *next; /* in its bucket */
} end_pair;

struct spoken_releases {
    arena *arena;
    age_list all;
    size_t count;
    end_pair *buckets[END_PAIR_BUCKETS];
};

spoken_releases *spoken_new(arena *a)
{
    spoken_releases *r = ARENA_NEW(a, spoken_releases);
    r->arena = a;
    return r;
}

/* Where the two ends are, or could be; the same for both directions. The hashes are added: with ^, all pairs of two ends
 * that are one would be in one bucket. */
static end_pair **find_pair(spoken_releases *r, const endpoint *one, const endpoint *other, const schema *of)
{
    end_pair **at = &r->buckets[(endpoints_hash(one, other) + endpoints_hash(other, one)) % END_PAIR_BUCKETS];
    for (; *at; at = &(*at)->next) {
        const end_pair *p = *at;
        if (is_same_protocol(p->release, of) && ((same_endpoint(&p->one, one) && same_endpoint(&p->other, other)) ||
                                                 (same_endpoint(&p->one, other) && same_endpoint(&p->other, one))))
            break;
    }
    return at;
}

/* Takes the pair that spoke least lately out of its bucket. */
static end_pair *reuse_pair(spoken_releases *r)
{
    end_pair *p = (end_pair *)r->all.oldest;
    age_list_remove(&r->all, &p->links);
    *find_pair(r, &p->one, &p->other, p->release) = p->next;
    return p;
}

static end_pair *new_pair(spoken_releases *r)
{
    if (r->count == MOST_END_PAIRS)
        return reuse_pair(r);
    r->count++;
    return ARENA_NEW(r->arena, end_pair);
}

void spoken_keep(spoken_releases *r, const datagram *d, const schema *release)
{
    end_pair *p = *find_pair(r, &d->from, &d->to, release);
    if (p) {
        age_list_remove(&r->all, &p->links);
        p->release = release;
    } else {
        p = new_pair(r);
        end_pair **bucket = find_pair(r, &d->from, &d->to, release);
        *p = (end_pair){.one = d->from, .other = d->to, .release = release};
        *bucket = p;
    }
    age_list_add(&r->all, &p->links);
}

const schema *spoken_last(spoken_releases *r, const datagram *d, const schema *of)
{
    const end_pair *p = *find_pair(r, &d->from, &d->to, of);
    return p ? p->release : NULL;
}
