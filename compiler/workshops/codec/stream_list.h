/* stream_list.h - reads the list of the types of a stream: 'Header, State delta, Event*'.
 * SPDX-License-Identifier: MIT
 *
 *     Header                    one value
 *     Event*                    as many as there are
 *     Event[Events.count]       as many as the last Events before it says
 *     State delta               a delta, to a baseline that is given elsewhere
 *     State delta(Header.sequence from Header.baseline)
 *                               a delta; later ones call this value Header.sequence, and its own baseline is the one
 *                               that was called Header.baseline. If that field is absent, it is a delta to base values
 *     State delta(Header.sequence from Header.baseline after Header.before)
 *                               of a type with @delta(predict): its baseline has moved from the one that was called
 *                               Header.before, and goes on. The numbers count ticks. Without `after`, or if that field
 *                               is absent, it does not move
 *     State delta(last)         a delta to the last State that this sender has sent to this receiver, in an earlier
 *                               datagram
 *     Command delta(previous)[1 + bits(Inputs.repeated)]
 *                               each is a delta to the one before; how many there are is a sum
 *     State delta(last after previous), Command delta(previous after previous)*
 *                               of types with @delta(predict): the baseline has moved from the value before it, and goes
 *                               on, for one tick each. Where there is no value before it, it does not move
 *
 * A sum has constants, fields, and counts of the set bits in a field. It wraps at the width of its first field:
 * `Header.number - Header.back`.
 */
#ifndef PKTC_STREAM_LIST_H
#define PKTC_STREAM_LIST_H

#include "base/diag.h"
#include "codec/codec.h"

/* In a list that is also for other versions, a type without @delta(predict) may have an `after`. */
typedef enum list_use {
    LIST_OF_NOW,      /* it may not */
    LIST_OF_NEWEST,   /* stream_list_then is called with the list, so all names in it must exist */
    LIST_OF_RECORDING /* the schema is that of one recording among several: it need not have all names */
} list_use;

/* NULL after an error. */
codec_part *stream_list_read(arena *a, diag *d, const schema *s, const char *list, list_use use);

/* Parts 'NAME=LIST' into the name of the frame, NULL without one, and the list. False after an error. */
bool stream_list_name(arena *a, diag *d, const char *text, const char **name, const char **list);

/* Reports that two lists have the same name, or none. */
void stream_list_twice(diag *d, const char *name);

/* The struct, packet or union with a name; NULL after an error. */
const decl *stream_list_type(diag *d, const schema *s, const char *name);

/* Whether a sum can have a field of a type. */
bool is_whole_number(const type *t);

/* Of a part: whether its baseline is taken as if it did not move, though predictions move something in its type that has no speed of
 * its own; and warns of it.
 * is: "is", or "was" for an older version. */
bool stream_list_takes_unmoved(const codec_part *p);
void stream_list_unmoved(diag *d, const codec_part *p, const char *name, const char *is);

#endif
