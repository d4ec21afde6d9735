/* tuning.h - the numbers that decide the shape of generated code, each with the reason for it.
 * SPDX-License-Identifier: MIT
 *
 * "Measured" gives the change with another number: of the code of mygame.pkt, all.pkt, cubes.pkt and
 * tests/bench/messages.pkt, which is 808 KB with the numbers below (gcc 12, -O2), or of the instructions that `make
 * bench-instructions` counts.
 */
#ifndef PKTC_TUNING_H
#define PKTC_TUNING_H

enum {
    /* Types in types (placement.c). A fixed struct with at most this many leaves, lines, and loops and structs around a
     * line is spelled out where it is a field. Measured: FLAT_LEAVES 8: +0.1 %, 32: +0.1 %. With 8, streams of Ints,
     * Input and deltas of objects take up to 10 % more instructions; with 32, no message takes fewer. Lines and nesting
     * are limited for arrays in arrays: without these limits, 180 types of one line each made 268 MB of C. */
    FLAT_LEAVES = 16,
    FLAT_LINES = 64,
    FLAT_NESTING = 8,
    /* An array has at most this many times the lines of its element: a group of 8, and a single one. */
    LOOP_LINES = 9,
    /* A type with up to this many leaves is inlined; larger ones are called. Measured: INLINE_LEAVES 2: -0.6 %, 8: +2.2
     * %. With 2, Chat is read in 12 % more instructions; with 8, no message takes fewer. Calls keep code small: 64
     * `else if`s made 114 KB when everything was inlined, and 44 KB with calls. */
    INLINE_LEAVES = 4,
    /* Rotations and items of varying width count as this many leaves, because their code is longer. Measured:
     * ROTATION_WEIGHT 2: +1.2 %; VARYING_WEIGHT 1: +0.9 %. */
    ROTATION_WEIGHT = 4,
    VARYING_WEIGHT = 3,

    /* Arrays (fuse.c). A fixed array of up to this many elements, with up to this many leaves together, is unrolled.
     * Measured: UNROLLED_ELEMENTS 4: -0.1 %, 16: +0.4 %; UNROLLED_LEAVES 8: -2.6 %, 32: +1.2 %. No message of the
     * benchmark changes. */
    UNROLLED_ELEMENTS = 8,
    UNROLLED_LEAVES = 16,
    /* In a loop, a group of elements grows up to GROUP_GROWS leaves, and never has more than GROUP_LEAVES. Measured:
     * GROUP_GROWS 4: no difference, 16: no difference; GROUP_LEAVES 8: -1.1 %. */
    GROUP_GROWS = 8,
    GROUP_LEAVES = 16,
    /* An aligned array of at least this many u8 is copied. Measured: COPY_BYTES 16: no difference. */
    COPY_BYTES = 4,
    /* One operation moves this many quats: one component of all of them is a vector of four. */
    QUATS = 4,

    /* Bodies (fuse.c). A packet with up to this many leaves is spelled out in both T_pack and T_pack_body. A larger one
     * has a body of its own for buffers if one in START_GAINS leaves is at a known bit; a leaf in a loop counts as
     * LOOP_WEIGHT. One body for all others took mygame from 129 to 62 KB. Measured: SMALL_LEAVES 8: -0.9 %, 32: +0.5 %;
     * START_GAINS 5: -1.3 %, 20: +3.8 %; LOOP_WEIGHT 4: +2.3 %, 16: -0.4 %. */
    SMALL_LEAVES = 16,
    START_GAINS = 10,
    LOOP_WEIGHT = 8,

    /* Rows (fuse_runs.c). This many neighbouring quantized floats in a word, or four, are one operation, which has four
     * lanes. An array of objects is written 1.6 times as fast with rows (gcc; 1.2 with clang). */
    ROW_LEAST = 3,
    ROW_MOST = 4,

    /* Deltas. One call writes or reads up to this many coded numbers; without such rows a small coded packet took 2.7
     * to 5.9 times as long as a plain one. */
    CODED_ROW_MOST = 4,
    /* The delta of a packet with up to this many bits has instances for its first bit: an object against a baseline is
     * written 1.2 times as fast. */
    SMALL_DELTA_BITS = 256,
    /* An array of more elements is first compared in blocks of this many, as memory. The delta of 4,096 cells with one
     * changed cell is written in 0.24 microseconds instead of 2.6, a delta of 1,024 structs of 4 bytes in 0.22 instead
     * of 0.7, and one without changes in 0.11. */
    BLOCK_ELEMENTS = 64,

    /* A predicted array of more elements is first compared in blocks of 16, because something moves in most larger ones: 901 cubes, of
     * which 75 move, are compared in 15,000 instructions instead of 40,000. */
    MOVED_ELEMENTS = 32,

    /* The bits of a value that T_hash may have on the stack. Not measured: threads of games have 256 KB and more. */
    MOST_HASHED = 64 * 1024 * 8
};

#endif
