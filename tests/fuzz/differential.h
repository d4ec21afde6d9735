/* differential.h - shared by the parts of the differential test: its state, and the questions for generated C and
 * codec.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_DIFFERENTIAL_H
#define TESTS_DIFFERENTIAL_H

#include "ask.h"
#include "codec/codec.h"
#include "engine.h"
#include "lot.h"
#include "wire/wire.h"

#include <stdio.h>

enum { MOST_COMPILERS = 8, MOST_FAILURES = 8, MOST_PACKET = 1 << 16 };

typedef struct fuzz {
    uint64_t seed;
    uint32_t number; /* of the current schema */
    workshop shop;
    const char *given;    /* the only schema to test, or NULL */
    bool write;           /* only writes the C of each schema */
    const char *recorded; /* the directory for recorded reads, or NULL */
    unsigned long held;   /* packets of each match, in place of questions; or 0 */
    FILE *tape;           /* the recorded reads of the current schema, or NULL */
    engine engines[MOST_COMPILERS];
    size_t engine_count, used; /* used: how many have compiled the current schema */
    const schema *schema;
    const wire *wire;
    lot lot;
    arena *arena; /* freed after each case */
    /* How many values were compared, deltas of one change made, and values made invalid: each field has its turn. */
    uint32_t compared, changed, spoiled;
    unsigned long cases, accepted, refused, failures;
    unsigned long reasons[PKT_ERROR_BASELINE + 1];
    unsigned long written[PKT_ERROR_BASELINE + 1];
} fuzz;

/* A question for generated C and for the codec. */
typedef struct question {
    const decl *decl;
    manner how;
    const datum *base;         /* the baseline, or NULL */
    const datum *was;          /* what the baseline was predicted from, or NULL */
    const uint8_t *base_bytes; /* if reads are recorded: the baseline as a body */
    size_t base_size;
    bool junk; /* sides that the baseline does not take have random contents, which what has not changed keeps */
    void *base_memory[MOST_COMPILERS]; /* the baseline in C, or its motion; NULL without one */
    const datum *least;                /* a value that is as short as possible, or NULL if there is none */
    const datum *value;                /* to write */
    const uint8_t *bytes;              /* to read */
    size_t size;
    const uint8_t *good; /* reading variants of what was written: its bytes, and the value in them; or NULL */
    size_t good_size;
    void *good_memory[MOST_COMPILERS];
} question;

/* ---- failures.c */

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void fail(fuzz *f, const engine *e, const question *q, const char *format, ...);
/* Whether the baseline, if there is one, is a value that can be sent. */
bool base_is_valid(const fuzz *f, const question *q);
void print_bytes(const uint8_t *bytes, size_t size);
const char *described(fuzz *f, pkt_code code, uint64_t bit, const char *name);
/* Whether both report the same about a write or a read. Reports a failure if not. */
bool same_error(fuzz *f, const engine *e, const question *q, const char *what, const codec_error *codec,
                const pkt_error *c);
/* If generated code crashes, prints the schema and exits with status 1. */
void watch_for_crashes(const fuzz *f);

/* ---- differential.c */

/* Corrects the CRC of a packet, so that what follows is tested. seed: 0 if there is none. */
void correct_crc(const fuzz *f, const decl *d, uint64_t seed, uint8_t *bytes, size_t size);

/* ---- cases.c */

codec_options how_of(const fuzz *f, const question *q, size_t room);
/* A new C struct with a value, or after init if v is NULL. The caller frees it. */
void *memory_with(fuzz *f, const fuzz_type *t, const decl *d, const datum *v);

/* The same `size` bytes each time, before a page that must not be accessed: reading or writing past them crashes. */
uint8_t *at_edge(size_t size);
/* Prepares memory for a read: leaves the value of an earlier read, or fills it with noise. A type with `keep` is then
 * initialized, because it keeps earlier values. */
void spoil_memory(fuzz *f, const fuzz_type *t, const decl *d, void *memory);

/* Writes the question's value into `room` bytes. */
void write_case(fuzz *f, const question *q, size_t room);
/* Writes the question's value with an invalid field; `which` selects the field. */
void spoil_case(fuzz *f, const question *q, uint32_t which);
/* Reads the question's bytes. memory is what each engine reads into, again and again. */
void read_case(fuzz *f, const question *q, void *const *memory);
/* Compares the question's value with one that differs in one field; `which` selects it. */
void equal_case(fuzz *f, const question *q, uint32_t which);
/* Mixes the question's value with others: mixes.c. */
void mix_case(fuzz *f, const question *q, uint32_t which);
/* Saves the question's value, and restores it: saves.c. */
void save_case(fuzz *f, const question *q);
/* The base value of the question's type is one that a reader can give: quantizing leaves it as it is. A delta without a
 * baseline copies it to the reader. */
void base_case(fuzz *f, const question *q);
/* Removes elements from the sparse arrays of the question's value. */
void clear_case(fuzz *f, const question *q);
/* Reads bytes of a packet with parts, and writes such packets, with baselines of each kind: datagrams.c. */
void datagram_case(fuzz *f, const decl *d, void *const *memory);
/* Sends the packets with parts of the schema from a server to a client: held.c. */
void held_schema(fuzz *f, arena *a);
/* Prints of how many packets these were. */
void held_print(void);
/* Checks base values and initial values. */
void blank_case(fuzz *f, const decl *d, const engine *e);
/* Checks the names of the members of enums and flags. */
void names_case(fuzz *f, const engine *e);

#endif
