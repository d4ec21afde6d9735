/* workshops.c - the workshops that pktc is built with, a line each.
 * SPDX-License-Identifier: MIT
 *
 * Without its line and its folder, and those of the workshops that use it (tests/arrows.sh), pktc lacks the commands and
 * options of a workshop, and nothing else.
 */
#include "workshops.h"

// clang-format off
#define WORKSHOPS(each) \
    each(codec) \
    each(format) \
    each(releases) \
    each(convert) \
    each(recordings) \
    each(tables) \
    each(bindings) \
    each(dissect) \
    each(editor) \
    each(costs) \
    each(phases) \
    each(habits) \
    each(completion) \
    /* the last one */
// clang-format on

#define DECLARE(name) extern const workshop name##_workshop;
WORKSHOPS(DECLARE)

#define LIST(name) &name##_workshop,
const workshop *const workshops[] = {&driver_workshop, WORKSHOPS(LIST) NULL};
