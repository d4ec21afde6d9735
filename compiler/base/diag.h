/* diag.h - errors, warnings and notes: collected, ordered, printed with their excerpt.
 * SPDX-License-Identifier: MIT
 *
 * Messages are collected during a compilation and printed by diag_print, sorted by file and place, the
 * same message at the same place once. A phase reports and goes on; whoever orders the phases asks
 * diag_errors between them. This file knows places and texts, nothing of the language.
 */
#ifndef PKTC_DIAG_H
#define PKTC_DIAG_H

#include "base/source.h"
#include <stdio.h>

typedef struct diag diag;       /* the collection */
typedef struct message message; /* one error or warning, for notes to be added to */

diag *diag_new(arena *a);

/* Texts are one sentence without a full stop: what was found and what would be right. Names stand in 'quotes'. */
message *diag_error(diag *d, span at, const char *format, ...) PRINTF_LIKE(3);
message *diag_warning(diag *d, span at, const char *format, ...) PRINTF_LIKE(3);

/* A further place with its own excerpt: `previous declaration is here`. */
void diag_note(diag *d, message *m, span at, const char *format, ...) PRINTF_LIKE(4);

/* A line of advice under the excerpt without a place of its own: `did you mean 'health'?`. */
void diag_help(diag *d, message *m, const char *format, ...) PRINTF_LIKE(3);

/* The offsets in s at which errors were reported, ascending; *count gets their number. */
const uint32_t *diag_error_offsets(const diag *d, const source *s, size_t *count);

uint32_t diag_errors(const diag *d);
uint32_t diag_warnings(const diag *d);

/* text: `file:line:col: error: message`, the source line, the underline, then helps and notes.
 * json: one object a line: {"file","line","column","end_line","end_column","severity","message","help":[...],
 * "notes":[{"file","line","column","message"}]}; a place that is nowhere has the file "" and line and column 0.
 * Bytes that are not UTF-8, and control bytes, are printed as \xNN in both. Text ends after 100 errors and 100 warnings
 * with the number of those left out; JSON has all. */
typedef enum diag_form { DIAG_TEXT, DIAG_JSON } diag_form;
void diag_print(const diag *d, diag_form form, FILE *to);

/* The candidate nearest to a misspelt name (edit distance with transpositions; at most a third of its length, at
 * least 1, and something in common), or NULL. Candidates are offered one after the other: start with best == NULL. */
typedef struct suggestion {
    const char *wanted;
    const char *best;
    uint32_t distance;
} suggestion;
void suggest(suggestion *s, const char *candidate);

#endif
