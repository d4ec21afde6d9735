/* diff.h - the changes from one schema to the next, by meaning, and their effect on values recorded with the old one.
 * SPDX-License-Identifier: MIT
 *
 * A comparison is a list of pairs: a declaration of the old schema and the new one with its name, or with `was` and its
 * name. A pair has its changes, and the pairs of its fields or members. `pktc diff` prints it.
 */
#ifndef PKTC_DIFF_H
#define PKTC_DIFF_H

#include "wire/wire.h"

/* The effect on a recorded value if it is converted by name. Each is worse than the one before. */
typedef enum outcome {
    OUTCOME_KEPT,
    OUTCOME_DEFAULTED, /* the old schema has no such value: it is the initial value, or without one the base value */
    OUTCOME_ROUNDED,
    OUTCOME_CLAMPED, /* to the nearest value in range; texts and arrays are cut */
    OUTCOME_LOST,    /* some values, or all */
    OUTCOME_REFUSED  /* there is no rule for it */
} outcome;
enum { OUTCOMES = OUTCOME_REFUSED + 1 };

typedef enum change_kind {
    CHANGE_ADDED,
    CHANGE_REMOVED,
    CHANGE_RENAMED,
    CHANGE_MOVED,
    CHANGE_WIDER, /* the type of a field: more bits, fewer bits, the same bits for other values, another type */
    CHANGE_NARROWER,
    CHANGE_RANGE,
    CHANGE_TYPE,
    CHANGE_STORAGE, /* only the C type */
    CHANGE_CONTENT, /* the type of a field or member has changed inside */
    CHANGE_OPTIONAL,
    CHANGE_ARRAY,  /* another kind of array, or other dimensions */
    CHANGE_LIMITS, /* other lengths */
    CHANGE_MODE,   /* of a sparse array: how its indices are sent */
    CHANGE_KEEP,
    CHANGE_UNLESS,
    CHANGE_AFTER,
    CHANGE_WRAP,  /* whether a number goes round */
    CHANGE_CLAMP, /* whether a writer clamps a number */
    CHANGE_SEED,  /* of a packet's checksum */
    CHANGE_DELTA, /* the steps of a field, or @delta of a type */
    CHANGE_MODEL, /* the codes of a coded field, or of change masks */
    CHANGE_CONDITION,
    CHANGE_VALUE,   /* of a constant or of the member of an enum */
    CHANGE_WIDTH,   /* of an enum */
    CHANGE_LAYOUT,  /* const, reserved, check, align */
    CHANGE_KIND,    /* a struct is a packet now, an enum is flags ... */
    CHANGE_VERSION, /* the number of the protocol */
    CHANGE_INITIAL, /* the initial value */
    CHANGE_UNIT,    /* in a doc comment */
    CHANGE_MEANING  /* the same bits are another field or member now */
} change_kind;
enum { CHANGES = CHANGE_MEANING + 1 };

typedef struct change {
    struct change *next;
    change_kind kind;
    outcome outcome;
    bool meaning;       /* the same bytes mean something else now */
    const char *detail; /* "u8 -> u16 (8 -> 16 bits)"; "" if the kind is enough */
    const char *effect; /* more about the outcome: "where it is over 100"; "" for nothing */
    const char *help;   /* advice about it, or NULL */
    span renamed;       /* of a new declaration, if it may be an old one under another name: `help` says which */
} change;

typedef struct diff_size { /* bytes of a packet, bits of any other type */
    uint64_t least, most;
    bool delta;
    uint64_t delta_least, delta_most;
} diff_size;

typedef struct lost_value { /* a value of a type that is lost, as a condition behind the name of a field */
    struct lost_value *next;
    const char *condition; /* " is red", ".u is b" */
} lost_value;

typedef struct pair {
    struct pair *next;
    const char *noun;         /* "packet", "enum", "field", "member", "protocol" ... */
    const char *before_name;  /* NULL: added */
    const char *after_name;   /* NULL: removed */
    const char *before_words; /* of a field: its type and modifiers, with constants evaluated; else "" */
    const char *after_words;
    change *changes, **last_change;
    outcome outcome;    /* the worst of its changes, of its parts, and of the types in them */
    struct pair *parts; /* fields or members: those of the new schema in their order, then the removed ones */
    lost_value *lost; /* enum, flags: by removed members; struct, union: all of the value is lost, see lost_values.c */
    lost_value *lost_packets; /* struct, union: any packet with the value in it is lost */
    bool is_type;             /* struct, union: `sizes` are set where the type exists */
    bool stable;              /* both versions read it in a @stable packet, which has the same id in both */
    bool packet;              /* the old declaration is a packet, or the new one if there is no old one */
    diff_size before, after;
} pair;

typedef enum verdict {
    VERDICT_SAME,    /* the same id, and nothing means something else */
    VERDICT_CONVERT, /* another id; every recording converts */
    VERDICT_LOSS,    /* another id; recordings convert, but something is left out, lost, rounded or clamped */
    VERDICT_REFUSE,  /* another id; there is no rule for some value, so no recording is converted */
    VERDICT_MISREAD, /* another id, but the same bytes of a @stable packet mean something else */
    VERDICT_MEANING, /* the same id, and the same bytes mean something else */
    VERDICT_UNSTABLE /* a @stable packet has changed, or is gone */
} verdict;
enum { VERDICTS = VERDICT_UNSTABLE + 1 };

typedef struct comparison {
    const schema *before, *after;
    pair *pairs;       /* declarations: those of the new schema in their order, then the removed ones */
    outcome outcome;   /* of recordings: the worst of the old packets */
    bool left_out;     /* whole packets are lost */
    uint32_t meanings; /* the changes with `meaning` */
    verdict verdict;
    const decl *unstable;        /* the first @stable packet that the new schema lacks or has changed; or NULL */
    const decl *misread;         /* the first one that has the same id and another meaning; or NULL */
    bool asks_serving;           /* `unserved` is known */
    const struct loss *unserved; /* what programs of the old version cannot be told: see conversion.h */
} comparison;

/* Finds what programs of the old version cannot be told, if the two differ. number: of its release, or 0. */
void diff_serving(arena *a, names *n, comparison *r, const wire *before, const wire *after, uint32_t number);

bool has_changed(const pair *p); /* itself, or a part of it */

/* The first @stable packet of the old schema that the new one lacks or has changed; or NULL. */
const decl *find_unstable(const schema *before, const schema *after);

/* Compares two schemas whose names are interned in one table. */
comparison *diff(arena *a, const wire *before, const wire *after);

const char *outcome_name(outcome o);       /* "kept" */
const char *change_name(change_kind kind); /* "wider" */
const char *verdict_name(verdict v);       /* "loss", for JSON */
const char *verdict_sentence(verdict v);   /* what it means */

/* The exit status of pktc. meanings: each change of meaning in the same bytes counts, also under another id. */
int diff_status(const comparison *r, bool meanings);

#endif
