/* spoken.c - the last release of each two ends, for each protocol.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/spoken.h"
#include "recordings/end_pairs.h"

/* Two ends that spoke a release of a protocol. */
typedef struct spoken_release {
    end_pair pair;
    const schema *release;
} spoken_release;

static bool is_of_protocol(const end_pair *p, const void *of)
{
    return is_same_protocol(((const spoken_release *)p)->release, of);
}

spoken_releases *spoken_new(arena *a)
{
    return end_pairs_new(a, sizeof(spoken_release), is_of_protocol);
}

void spoken_keep(spoken_releases *r, const datagram *d, const schema *release)
{
    spoken_release *p = (spoken_release *)end_pairs_keep(r, &d->from, &d->to, release);
    p->release = release;
}

const schema *spoken_last(spoken_releases *r, const datagram *d, const schema *of)
{
    const end_pair *p = end_pairs_find(r, &d->from, &d->to, of);
    return p ? ((const spoken_release *)p)->release : NULL;
}
