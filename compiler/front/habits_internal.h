/* habits_internal.h - the tables of habits and types: habit_table.c defines them, habits.c matches them.
 * SPDX-License-Identifier: MIT
 *
 * A pattern is a list of words with a blank between them:
 *
 *     word, ;, <<     this token
 *     a|b|c           one of these tokens
 *     $x=a|b|c        one of these tokens; it is $x
 *     ...             at the start only: the pattern may match anywhere in the statement, not just at its beginning
 *     {}              braces with all that is in them
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
 * `instead` replaces the match. If it ends in ; or {, it replaces the rest of the statement too. In `instead`, in the
 * message and in the advice these are replaced:
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

#endif
