/* tuning.h - the numbers that decide the shape of generated code.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TUNING_H
#define PKTC_TUNING_H

enum {
    FLAT_LEAVES = 16,
    FLAT_LINES = 64,
    FLAT_NESTING = 8,
    INLINE_LEAVES = 4,
    LOOP_LINES = 9,
    UNROLLED_ELEMENTS = 8,
    UNROLLED_LEAVES = 16,
    GROUP_GROWS = 8,
    GROUP_LEAVES = 16,
    COPY_BYTES = 4,
    SMALL_LEAVES = 16,
    START_GAINS = 10,
    LOOP_WEIGHT = 8,
    ROW_LEAST = 3,
    ROW_MOST = 4,
    QUATS = 4,
    CODED_ROW_MOST = 4,
    SMALL_DELTA_BITS = 256,
    ROTATION_WEIGHT = 4,
    VARYING_WEIGHT = 3
};

#endif
