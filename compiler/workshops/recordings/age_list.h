/* age_list.h - things from the oldest to the newest, of which the oldest are forgotten if all take too much memory.
 * SPDX-License-Identifier: MIT
 *
 * A thing begins with its links:
 *
 *     typedef struct flow {
 *         aged links;
 *         ...
 *     } flow;
 *
 *     age_list_add(&list, &f->links);
 *     flow *oldest = (flow *)list.oldest;
 */
#ifndef PKTC_AGE_LIST_H
#define PKTC_AGE_LIST_H

#include <stddef.h>

typedef struct aged {
    struct aged *older, *newer;
} aged;

typedef struct age_list { /* NULL and NULL: empty */
    aged *oldest, *newest;
} age_list;

/* Adds a thing as the newest. */
static inline void age_list_add(age_list *l, aged *a)
{
    a->older = l->newest;
    a->newer = NULL;
    *(l->newest ? &l->newest->newer : &l->oldest) = a;
    l->newest = a;
}

static inline void age_list_remove(age_list *l, aged *a)
{
    *(a->older ? &a->older->newer : &l->oldest) = a->newer;
    *(a->newer ? &a->newer->older : &l->newest) = a->older;
}

#endif
