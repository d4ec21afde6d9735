/* differential.h - what the parts of the differential test share: the run, and what is asked of generated C and of the codec.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_DIFFERENTIAL_H
#define TESTS_DIFFERENTIAL_H

#include "ask.h"
#include "codec/codec.h"
#include "engine.h"
#include "lot.h"

#include <stdio.h>

enum { MOST_COMPILERS = 8, MOST_FAILURES = 8, MOST_PACKET = 1 << 16 };

typedef struct fuzz {
    uint64_t seed;
    uint32_t number; /* of the schema */
    workshop shop;
    const char *given;    /* the one schema, or NULL */
    const char *recorded; /* where reads are recorded, or NULL */
    FILE *tape;           /* of the schema's reads, or NULL */
    engine engines[MOST_COMPILERS];
    size_t engine_count, used; /* that have the schema */
    const schema *schema;
    lot lot;
    arena *arena; /* of one case */
    uint32_t compared, changed,
        spoiled; /* so often was a value compared, a delta of one change asked for, a value with one
                                 * mistake: each field has its turn */
    unsigned long cases, accepted, refused, failures;
    unsigned long reasons[PKT_ERROR_VALUE + 1];
    unsigned long written[PKT_ERROR_VALUE + 1];
} fuzz;

/* What is asked of both. */
typedef struct question {
    const decl *decl;
    manner how;
    const datum *base;         /* or NULL */
    const uint8_t *base_bytes; /* where reads are recorded: the same as a body */
    size_t base_size;
    bool junk; /* sides that the base does not take hold anything; what has not changed keeps that */
    void *base_memory[MOST_COMPILERS]; /* the same in C; NULL without */
    const datum *least;                /* next to nothing, or NULL where the type has no such value */
    const datum *value;                /* writing */
    const uint8_t *bytes;              /* reading */
    size_t size;
    const uint8_t *good; /* reading around what was written: its bytes, and what came of them; NULL without */
    size_t good_size;
    void *good_memory[MOST_COMPILERS];
} question;

/* ---- failures.c */

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void fail(fuzz *f, const engine *e, const question *q, const char *format, ...);
void print_bytes(const uint8_t *bytes, size_t size);
const char *described(fuzz *f, pkt_code code, uint64_t bit, const char *name);
/* Whether both say the same of a write or a read; fails where not. */
bool same_error(fuzz *f, const engine *e, const question *q, const char *what, const codec_error *codec,
                const pkt_error *c);
/* Generated code that crashes ends the program with status 1; said is which schema it was of. */
void watch_for_crashes(const fuzz *f);

/* ---- cases.c */

codec_options how_of(const fuzz *f, const question *q, size_t room);
/* A C struct with a value in it, freed by the caller; without one it is as init leaves it. */
void *memory_with(fuzz *f, const fuzz_type *t, const decl *d, const datum *v);

/* Writing the question's value into so many bytes. */
void write_case(fuzz *f, const question *q, size_t room);
/* Writing the question's value with something in the field of that number that cannot be written. */
void spoil_case(fuzz *f, const question *q, uint32_t which);
/* Reading the question's bytes; memory is what each engine reads into, again and again. */
void read_case(fuzz *f, const question *q, void *const *memory);
/* Comparing the question's value to one that differs in its field of that number. */
void equal_case(fuzz *f, const question *q, uint32_t which);
/* Taking elements out of the sparse arrays of the question's value. */
void clear_case(fuzz *f, const question *q);
/* Base values and initial values. */
void blank_case(fuzz *f, const decl *d, const engine *e);
/* What an engine calls the members of enums and flags. */
void names_case(fuzz *f, const engine *e);

#endif
