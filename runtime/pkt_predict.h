/* pkt_predict.h - predictions: where the numbers of a baseline have probably gone since.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_coder.h. Programs do not use this header.
 *
 * A predicted baseline is never stored as a whole: base_ is the baseline, and before_ the value that it has moved from,
 * or base_ itself if nothing moves. A number that goes by its own speed needs base_ alone: T_x_way_ says how far. From
 * both, the deltas compute the code of a number where they need it. Only a reader moves numbers in memory: in out_, which
 * it has made a copy of base_, so that those that are not sent are as expected. So it costs what moves, and values that
 * are the same in base_ and before_ cost a comparison.
 *
 * A value keeps its shape: fields that conditions ask for do not move, nor do fields that one of the two values lacks.
 */
#ifndef PKT_PREDICT_H
#define PKT_PREDICT_H

#include "pkt_delta.h"

PKT_C_BEGIN

/* Sets *to to the code to which a number goes on from the code `was`, as it came from the code `from`; both may be over the span. False if
 * it stays as it is in memory. farthest: it stays if it would go farther; of a rotation, the bits of a component. _around: on a
 * circle. */
bool pkt_move_value(const pkt_coding *k, uint64_t was, uint64_t from, uint64_t span, uint64_t farthest, uint64_t *to);
bool pkt_move_around(const pkt_coding *k, uint64_t was, uint64_t from, uint64_t span, uint64_t farthest, uint64_t *to);
bool pkt_move_quat(const pkt_coding *k, uint64_t was, uint64_t from, uint64_t span, uint64_t farthest, uint64_t *to);

/* The same for a kind of number. Most have not moved. */
#define PKT_MOVE_FUNCTION_(T, raw, value, kept, code, of, ...) pkt_move_##of
#define PKT_MOVES_(as, k, was, from, to) \
    ((was) != (from) && PKT_MOVE_FUNCTION_ as(k, was, from, PKT_SPAN_ as, PKT_FAR_ as, to))

/* How far a number goes in `back` ticks, in steps of its code, by a speed that has this code, from 0 to span. rest: the code of
 * the speed 0. A step of the speed is factor / 2^shift steps a tick. 0 if the speed has no code, or for 2^32 steps and more. */
PKT_INLINE int64_t pkt_way_of_speed(const pkt_coding *k, const uint64_t code, const uint64_t span, const uint64_t rest,
                                    const uint32_t factor, const unsigned shift)
{
    const bool down = code < rest;
    const uint64_t speed =
        down ? rest - code : code - rest; /* below 2^32; back and factor are below 2^16, and shift below 49 */
    const uint64_t way = (speed * k->back * factor + (UINT64_C(1) << (shift - 1))) >> shift;
    if (code > span || way >> 32 != 0)
        return 0;
    return down ? -(int64_t)way : (int64_t)way;
}

/* The body of T_x_way_: how far x goes by its own speed. Most numbers rest. */
#define PKT_WAY(as, speed, rest, factor, shift)                                                     \
    do {                                                                                            \
        const PKT_TYPE_ as x_ = speed;                                                              \
        return x_ != 0 ? pkt_way_of_speed(k_, PKT_CODE_ as, PKT_SPAN_ as, rest, factor, shift) : 0; \
    } while (0)

/* The code that is `way` steps from the code `was`, but not past 0 and span; or round a circle. It stays if it is over the span. */
PKT_INLINE uint64_t pkt_go_value(const uint64_t was, const int64_t way, const uint64_t span)
{
    if (was > span)
        return was;
    if (way < 0)
        return was < (uint64_t)-way ? 0 : was - (uint64_t)-way;
    return span - was < (uint64_t)way ? span : was + (uint64_t)way;
}

PKT_INLINE uint64_t pkt_go_around(const uint64_t was, const int64_t way, const uint64_t span)
{
    const uint64_t steps = (uint64_t)(way < 0 ? -way : way) % (span + 1);
    return was > span ? was : (was + (way < 0 ? span + 1 - steps : steps)) % (span + 1);
}

/* The same for a kind of number. */
#define PKT_GO_FUNCTION_(T, raw, value, kept, code, of, ...) pkt_go_##of

/* Sets `was` and `old` to the codes of a number in the baseline, before and after it is moved. how: `from`, and then before is the
 * number from which it has moved; or `by`, and then before is how far it goes. */
#define PKT_SET_OLD_(how, was, old, as, k, base, before) PKT_SET_OLD_##how(was, old, as, k, base, before)
#define PKT_SET_OLD_from(was, old, as, k, base, before) \
    do {                                                \
        uint64_t whence_;                               \
        PKT_SET_CODE_(as, was, base);                   \
        PKT_SET_CODE_(as, whence_, before);             \
        old = was;                                      \
        (void)PKT_MOVES_(as, k, was, whence_, &(old));  \
    } while (0)
#define PKT_SET_OLD_by(was, old, as, k, base, way)         \
    do {                                                   \
        PKT_SET_CODE_(as, was, base);                      \
        old = PKT_GO_FUNCTION_ as(was, way, PKT_SPAN_ as); \
    } while (0)

/* Sets the codes of a number and of its prediction. */
#define PKT_SET_MOVED(how, codes, k, as, number, base, before)            \
    do {                                                                  \
        PKT_SET_OLD_(how, (codes).was, (codes).old, as, k, base, before); \
        PKT_SET_CODE_(as, (codes).now, number);                           \
    } while (0)

/* Whether a number differs from its prediction; stores the codes if it does. */
bool pkt_moves_step(const pkt_coding *k, float now, float base, float before, float lo, float hi, uint32_t steps,
                    pkt_step_codes *codes);
bool pkt_moves_step64(const pkt_coding *k, double now, double base, double before, double lo, double hi, uint64_t steps,
                      pkt_step_codes *codes);
/* The same if the number goes `way` steps. */
bool pkt_goes_step(float now, float base, int64_t way, float lo, float hi, uint32_t steps, pkt_step_codes *codes);
bool pkt_goes_step64(double now, double base, int64_t way, double lo, double hi, uint64_t steps, pkt_step_codes *codes);
bool pkt_quat_step_moves(const pkt_coding *k, pkt_quat now, pkt_quat base, pkt_quat before, unsigned bits,
                         pkt_step_codes *codes);

/* Finds the next block of elements, from the old *end on, that is not bit for bit as in the baseline or has moved: *i to *end, at most
 * 16 elements. False if there are none. each: the bytes of an element with its padding. The array has room for `most`
 * elements; the baseline has `held`. */
bool pkt_next_moved(uint32_t *i, uint32_t *end, const void *now, const void *base, const void *before, size_t each,
                    uint32_t most, uint32_t held);

/* T_move_: moves a number of to_, a copy of base_. */
#define PKT_MOVE(m, as, base, before)                                                 \
    do {                                                                              \
        uint64_t was_, whence_, now_;                                                 \
        PKT_SET_CODE_(as, was_, base);                                                \
        PKT_SET_CODE_(as, whence_, before);                                           \
        if (PKT_MOVES_(as, k_, was_, whence_, &now_)) {                               \
            const uint64_t raw_ = pkt_wire_of_code(now_, PKT_FLIP_ as, PKT_BITS_ as); \
            bool good_ = true;                                                        \
            to_->m = PKT_VALUE_ as;                                                   \
            (void)good_;                                                              \
        }                                                                             \
    } while (0)

/* The same if it goes `way` steps. */
#define PKT_GO(m, as, base, way)                                                      \
    do {                                                                              \
        const int64_t way_ = way;                                                     \
        uint64_t was_;                                                                \
        PKT_SET_CODE_(as, was_, base);                                                \
        if (way_ != 0 && was_ <= PKT_SPAN_ as) {                                      \
            const uint64_t now_ = PKT_GO_FUNCTION_ as(was_, way_, PKT_SPAN_ as);      \
            const uint64_t raw_ = pkt_wire_of_code(now_, PKT_FLIP_ as, PKT_BITS_ as); \
            bool good_ = true;                                                        \
            to_->m = PKT_VALUE_ as;                                                   \
            (void)good_;                                                              \
        }                                                                             \
    } while (0)

/* While a delta is to a value that is not predicted: returns what coding->back is to be again after it. */
PKT_INLINE uint32_t pkt_hold(pkt_coding *k)
{
    const uint32_t back = (uint32_t)k->back;
    k->back = 0;
    return back;
}

/* The number of elements of an array; 0 if it is not from low to most. */
#define PKT_HELD(count, low, most) ((uint32_t)(count) - (low) <= (most) - (low) ? (uint32_t)(count) : 0u)

/* Makes p, a pointer to an element of a list in the baseline, one to the element with the same key in another list of n elements, if
 * that has it. at: where the search goes on, for keys ascend; if they do not, all machines find the same. */
#define PKT_FOLLOW(p, at, list, n, key, low)                                  \
    do {                                                                      \
        const uint32_t held_ = n;                                             \
        while ((at) < held_ && (list)[at].key != (p)->key &&                  \
               (uint64_t)(list)[at].key - (low) < (uint64_t)(p)->key - (low)) \
            (at)++;                                                           \
        if ((at) < held_ && (list)[at].key == (p)->key)                       \
            (p) = &(list)[(at)++];                                            \
    } while (0)

PKT_C_END

#endif
