/* end_pairs.c - the pairs of ends, in a table of which the oldest entries are used again.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/end_pairs.h"

#include <string.h>

/* By chance, no bucket ever has MOST_IN_BUCKET pairs. Strangers can choose ends that are all in one bucket. */
enum { MOST_END_PAIRS = 1 << 15, END_PAIR_BUCKETS = 1 << 12, MOST_IN_BUCKET = 64 };

struct end_pairs {
    arena *arena;
    size_t entry;
    end_pair_test *is;
    age_list all;
    size_t count;
    end_pair *buckets[END_PAIR_BUCKETS];
};

end_pairs *end_pairs_new(arena *a, size_t size, end_pair_test *is)
{
    return ARENA_WITH(a, end_pairs, .arena = a, .entry = size, .is = is);
}

/* The same for both directions. The hashes are added: with ^, all pairs of two ends that are one would be in one
 * bucket. */
static end_pair **bucket_of_pair(end_pairs *t, const endpoint *one, const endpoint *other)
{
    return &t->buckets[(endpoints_hash(one, other) + endpoints_hash(other, one)) % END_PAIR_BUCKETS];
}

end_pair *end_pairs_find(end_pairs *t, const endpoint *one, const endpoint *other, const void *key)
{
    end_pair *p = *bucket_of_pair(t, one, other);
    for (; p; p = p->next)
        if (((same_endpoint(&p->one, one) && same_endpoint(&p->other, other)) ||
             (same_endpoint(&p->one, other) && same_endpoint(&p->other, one))) &&
            (!t->is || t->is(p, key)))
            break;
    return p;
}

/* Takes a pair out of its bucket. */
static end_pair *reuse_pair(end_pairs *t, end_pair *p)
{
    end_pair **at = bucket_of_pair(t, &p->one, &p->other);
    age_list_remove(&t->all, &p->links);
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    memset(p, 0, t->entry);
    return p;
}

/* Of too many pairs in a bucket, the first one that came is forgotten; of too many in all, the one kept least lately. */
static end_pair *new_pair(end_pairs *t, end_pair *bucket)
{
    unsigned count = 1;
    for (; bucket && bucket->next; bucket = bucket->next)
        count++;
    if (count == MOST_IN_BUCKET)
        return reuse_pair(t, bucket);
    if (t->count == MOST_END_PAIRS)
        return reuse_pair(t, (end_pair *)t->all.oldest);
    t->count++;
    return arena_alloc(t->arena, t->entry);
}

end_pair *end_pairs_keep(end_pairs *t, const endpoint *one, const endpoint *other, const void *key)
{
    end_pair *p = end_pairs_find(t, one, other, key);
    if (p) {
        age_list_remove(&t->all, &p->links);
    } else {
        end_pair **bucket = bucket_of_pair(t, one, other);
        p = new_pair(t, *bucket);
        p->one = *one;
        p->other = *other;
        p->next = *bucket;
        *bucket = p;
    }
    age_list_add(&t->all, &p->links);
    return p;
}
