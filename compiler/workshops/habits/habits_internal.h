/* habits_internal.h - shared by habit_table.c, which defines the tables of habits and types, habits.c, which matches them, and
 * habit_edits.c.
 * SPDX-License-Identifier: MIT
 *
 * A pattern is a list of words with a blank between them:
 *
 *     word, ;, <<     this token
 *     a|b|c           one of these tokens
 *     $x=a|b|c        one of these tokens; it is $x
 *     ...             at the start only: the pattern may match anywhere in the statement, not just at its beginning
 *     {}              braces with all that is in them
 *     /               what comes after it is not a part of the match that is replaced
 *     $n $m           a name
 *     $t $k           a type, with its arguments
 *     $f              a type of another language that is in foreign_types
 *     $q              a name with ::
 *     $u              an unsigned integer type with a number of bits in its name, which is then $i: u24, uint7_t
 *     $v $j           an unsigned and a signed one of another size than 8, 16, 32 or 64 bits
 *     $i              an integer
 *     $s              a string; without its quotes and without the extension of a file name
 *     $e $g $h        anything up to the word that follows in the pattern, at the end up to the end of the statement
 *     $d              dimensions, such as [4][4], or nothing
 *
 * `instead` replaces the match. If it ends in ; or {, it replaces the rest of the statement too; what is in braces stays.
 * An editor can follow the advice if it begins with "write `$@`", "declare `$@`, or", "remove the braces and write `$@`", or
 * "make the base"; if `instead` is empty, which removes the match; and if the
 * advice begins with "remove this line", without an `instead`. In `instead`, in the message and in the advice these are replaced:
 *
 *     $x              what $x has matched; a type of another language as it is written here
 *     $X              the same, as the author wrote it
 *     ${low} ${high}  the range of a signed integer of $i bits
 *     ${less}         $i - 1
 *     ${power}        2 to the power of $i
 *     ${Name}         $n with a capital letter
 *     ${last}         the last part of $q: red of Team::red
 *     $@              in the advice: the line with `instead` in it
 */
#ifndef PKTC_HABITS_INTERNAL_H
#define PKTC_HABITS_INTERNAL_H

#include "front/habits.h"

typedef struct habit {
    unsigned places; /* of habit_place */
    const char *pattern;
    const char *message; /* NULL: it parses, and check knows what is wrong */
    const char *instead; /* NULL: the advice says everything */
    const char *advice;  /* NULL: "write `$@`" */
} habit;

/* The first habit that matches is taken. The table ends with a pattern of NULL. */
extern const habit habit_table[];

/* Pairs: a type of another language, and the same type here. The table ends with NULL. */
extern const char *const foreign_types[][2];

/* All of it. */
extern const habit_knowledge known_habits;

/* See habits.h, own_number. */
const char *translated_number(arena *a, const char *text, size_t size);

/* ---- a match */

typedef struct habit_piece {
    uint32_t begin, end; /* equal at the end of the file */
} habit_piece;

enum { CAPTURES = 26 };

typedef struct matcher {
    arena *arena;
    const source *source;
    habit_place place;
    habit_piece captures[CAPTURES]; /* of $a to $z */
    habit_piece block;              /* of {}, with the braces */
    uint32_t kept;                  /* where / is in the pattern; 0: nowhere */
    uint64_t bits;                  /* the value of $i */
} matcher;

static inline const char *text_at(const matcher *m, uint32_t offset)
{
    return (const char *)m->source->text + offset;
}

/* The edits that write `instead`, as the advice shows it, for a statement that ends at `end`: at most two. */
void edits_instead(const matcher *m, const char *instead, habit_piece matched, uint32_t end, edit *edits);

/* The edits that write `instead` for all from `begin` up to the braces and the first of them; the last of them goes too, if
 * asked for. */
void edits_of_braces(const matcher *m, const char *instead, uint32_t begin, bool both, edit *edits);

/* The edit that removes the text from `begin` to `end`, and its line if there is nothing else on it. */
edit edit_to_remove(const matcher *m, uint32_t begin, uint32_t end);

#endif
