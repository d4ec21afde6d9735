/* diag.h - errors, warnings and notes: collected, sorted, and printed with the lines that they are about.
 * SPDX-License-Identifier: MIT
 *
 *     message *m = diag_error(d, name.span, "unknown type '%s'", name.text);
 *     diag_fix(d, m, (edit){name.span, nearest}, "did you mean '%s'?", nearest);
 *
 * Messages are collected during a compilation. diag_print prints them sorted by file and position; a message that is
 * reported twice for the same position is printed once. A phase reports an error and goes on; the caller of the phases
 * asks diag_errors between them. This file knows positions and texts, but nothing of the language.
 */
#ifndef PKTC_DIAG_H
#define PKTC_DIAG_H

#include "base/source.h"
#include <stdio.h>

typedef struct diag diag;       /* the collection */
typedef struct message message; /* one error or warning, to which notes and helps can be added */

diag *diag_new(arena *a);

/* A text is one sentence without a full stop that says what is wrong and, where it is short, what would be right. Names
 * are in 'single quotes', code to write in `backquotes`. */
message *diag_error(diag *d, span at, const char *format, ...) PRINTF_LIKE(3);
message *diag_warning(diag *d, span at, const char *format, ...) PRINTF_LIKE(3);

/* Marks an error after which the syntax tree is still complete, so that no later error follows from it. */
void diag_mended(diag *d, message *m);

/* Adds another position with its own excerpt: `previous declaration is here`. */
void diag_note(diag *d, message *m, span at, const char *format, ...) PRINTF_LIKE(4);

/* Adds a line of advice under the excerpt: `declare 'Inner' outside of these braces`. */
void diag_help(diag *d, message *m, const char *format, ...) PRINTF_LIKE(3);

/* An edit of a file: the bytes of `at` become `text`. If `at` is empty, the text is inserted there. */
typedef struct edit {
    span at;          /* source NULL: there is no edit */
    const char *text; /* NULL: there is no edit. It is copied, as the texts of all messages are */
} edit;

/* Adds a line of advice that an editor can follow by itself: with this edit the file no longer has the error. If the
 * advice also asks for something that only the author can do, use diag_help. Without an edit, it is diag_help. */
void diag_fix(diag *d, message *m, edit e, const char *format, ...) PRINTF_LIKE(4);

/* Adds another edit to the fix that was added last. They are made together and do not overlap. */
void diag_fix_also(diag *d, message *m, edit e);

/* The errors after which the syntax tree is not complete. */
uint32_t diag_gaps(const diag *d);

/* The offsets in s at which these errors were reported, in ascending order; *count is their number. */
const uint32_t *diag_error_offsets(const diag *d, const source *s, size_t *count);

uint32_t diag_errors(const diag *d);
uint32_t diag_warnings(const diag *d);

/* Text: `file:line:col: error: message`, the source line, the underline, then helps and notes. After 100 errors or 100
 * warnings only the number of further ones is printed.
 *
 * JSON: all messages, one object per line: {"file","line","column","end_line","end_column","severity","message",
 * "help":[...],"fixes":[{"help","edits":[{"file","line","column","end_line","end_column","text"}]}],
 * "notes":[{"file","line","column","message"}]}. A message without a position has the file "" and line and column 0.
 * `fixes` repeats each help that has edits. The edits are positions in the file as it was read.
 *
 * In text, each byte that utf8_printable refuses is printed as \xNN; json.h says how JSON writes such bytes. */
typedef enum diag_form { DIAG_TEXT, DIAG_JSON } diag_form;
void diag_print(const diag *d, diag_form form, FILE *to);

/* Finds the candidate nearest to a misspelt name. Offer the candidates one by one; `best` is the nearest so far:
 *
 *     suggestion s = {.wanted = "healht"};
 *     for (...)
 *         suggest(&s, candidate);
 *
 * Nearness is the edit distance, in which swapping two neighbours counts as one edit. A candidate must be within a
 * third of the length of the name, or within 1 for a short name, and must have something in common with it. */
typedef struct suggestion {
    const char *wanted;
    const char *best; /* NULL: none yet */
    uint32_t distance;
} suggestion;
void suggest(suggestion *s, const char *candidate);

/* Adds the fix `did you mean '...'?` if there is a candidate, with which the misspelt name `at` is replaced. */
bool diag_suggest(diag *d, message *m, span at, const suggestion *s);

/* ---- the messages of a collection, one by one: for diag_print.c and for editors */

typedef enum severity { SEVERITY_ERROR, SEVERITY_WARNING } severity;

typedef struct remark { /* a note or a help */
    struct remark *next;
    span at; /* of a note */
    const char *text;
    struct listed_edit *edits; /* of a help */
} remark;

typedef struct listed_edit {
    struct listed_edit *next;
    edit edit;
} listed_edit;

struct message {
    message *next; /* in the order of reporting */
    severity severity;
    bool mended;
    span at;
    const char *text;
    uint32_t file;  /* files are numbered in the order of their first messages */
    uint32_t order; /* messages in the order of reporting */
    remark *helps, **helps_end, *last_help;
    remark *notes, **notes_end;
};

/* The messages in the order of reporting; NULL if there are none. */
const message *diag_messages(const diag *d);

/* The first error from a message on; NULL if there is none. */
const message *first_error(const message *m);

#endif
