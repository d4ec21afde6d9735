/* habits.h - mistakes of people who know other languages: what is wrong, and the line to write instead.
 * SPDX-License-Identifier: MIT
 *
 * Habits are searched for only after the parser, the lexer or check has found an error. So no pattern can make a
 * correct schema wrong. The workshop of habits knows them; without it, errors are worded as for everybody.
 */
#ifndef PKTC_HABITS_H
#define PKTC_HABITS_H

#include "base/diag.h"

/* Where a statement begins. */
typedef enum habit_place {
    HABIT_FILE = 1,    /* outside of all braces */
    HABIT_BODY = 2,    /* a field, or another item of a struct or packet */
    HABIT_UNION = 4,   /* a member of a union */
    HABIT_MEMBERS = 8, /* a member of an enum */
    HABIT_FLAGS = 16,  /* a member of flags */
    HABIT_HASH = 32,   /* a line that begins with # */
    HABIT_ANYWHERE = HABIT_FILE | HABIT_BODY | HABIT_UNION | HABIT_MEMBERS | HABIT_FLAGS
} habit_place;

typedef struct habit_found {
    const char *message; /* the mistake; NULL: the caller words it */
    const char *advice;  /* what to write */
    edit edits[2];       /* that write it; the second one is for what comes after braces. Without a text: none */
    span span;           /* the place of the mistake */
    uint32_t end;        /* errors up to this offset follow from this one */
} habit_found;

/* Adds the advice to an error. */
void help_with(diag *d, message *m, const habit_found *found);

/* What a workshop knows of other languages: the functions below. */
typedef struct habit_knowledge {
    bool (*find)(arena *a, const source *s, uint32_t begin, uint32_t error, habit_place place, habit_found *found);
    const char *(*line_with)(arena *a, uint32_t begin, span at, const char *text);
    edit (*line_in_order)(arena *a, const source *s, uint32_t begin, uint32_t name_end);
    const char *(*own_type)(const char *name);
    const char *(*own_number)(arena *a, const char *text, size_t size);
} habit_knowledge;

/* From now on, the functions below know it. */
void habits_know(const habit_knowledge *known);

/* Looks for a habit in the statement that begins at the offset `begin`. The match must contain the error, at offset
 * `error`. */
bool find_habit(arena *a, const source *s, uint32_t begin, uint32_t error, habit_place place, habit_found *found);

/* The statement of a body that begins at `begin`, with `text` in place of the span `at`. NULL if it has several lines,
 * or is long. */
const char *line_with(arena *a, uint32_t begin, span at, const char *text);

/* The statement of a field, from `begin` on, with its modifiers in the order of the grammar. `name_end` is the end of
 * the field's name. Without a text: it has several lines, or is long, or has other parts. */
edit line_in_order(arena *a, const source *s, uint32_t begin, uint32_t name_end);

/* The type for the type name of another language, or NULL: "u32" for "uint32_t". */
const char *own_type(const char *name);

/* How a number of another language is written here: "1.0" for "1.0f", "5" for "0b101". NULL if that is not known. */
const char *own_number(arena *a, const char *text, size_t size);

#endif
