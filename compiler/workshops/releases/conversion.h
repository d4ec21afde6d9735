/* conversion.h - how values of an older version of a schema become values of the newest one, as data.
 * SPDX-License-Identifier: MIT
 *
 * Two users without common code rely on it: emit/ spells conversions in C, record/ converts values of the codec. The
 * rules themselves are in docs/versions.md.
 *
 * An upgrade has a conversion for each release of an archive. Most types are the same in many releases, so generated
 * code has them only once. The one in the newest release stands for all and is called their form.
 */
#ifndef PKTC_CONVERSION_H
#define PKTC_CONVERSION_H

#include "base/hash_table.h"
#include "wire/wire.h"

typedef struct comparer comparer;

/* How a value, or an element of an array, becomes one of another type. */
typedef enum rule {
    RULE_NONE,   /* there is no rule */
    RULE_BOOL,   /* of a bool, or of an integer from 0 to 1 */
    RULE_NUMBER, /* of a number, bool, enum or flags: the nearest value in range; halfway, away from zero */
    RULE_ENUM,   /* by the names of members */
    RULE_FLAGS,
    RULE_QUAT,
    RULE_UNIT,
    RULE_TEXT, /* of texts and bytes, which are cut */
    RULE_BYTES,
    RULE_BYTES_OF_TEXT,
    RULE_REF,
    RULE_TYPE /* a struct or union, field by field */
} rule;

/* Which parts of the old schema are which of the new one, by name. */
typedef struct conversion {
    const comparer *matches;
} conversion;

conversion conversion_new(arena *a, const wire *before, const wire *after);

/* The same parts the other way round, for values that are sent to a program of the older version. A member that it does
 * not have is the one that `else` names. */
conversion conversion_back(arena *a, const conversion *c);

/* As conversion_new, but either version may be the older one: it is the one in which more parts have an old name. */
conversion conversion_between(arena *a, const wire *one, const wire *other);

/* The new thing for an old one; NULL: it was removed. A declaration of another kind is not the same thing. */
const decl *decl_now(const conversion *c, const decl *before);
const decl *decl_by_name(const conversion *c, const decl *before); /* also one of another kind */
const field *field_now(const conversion *c, const field *before);
const member *member_now(const conversion *c, const member *before);
/* Whether it is the member itself, and not one that `else` names. */
bool is_same_member(const conversion *c, const member *before, const member *now);
const field *field_then(const conversion *c, const field *after); /* the other way round */
const decl *decl_then(const conversion *c, const decl *after);

rule conversion_rule(const conversion *c, const type *before, const type *after);
/* Whether the elements of one array can be those of the other. Also true if neither is an array. */
bool arrays_convert(const conversion *c, const field *before, const field *after);

/* Whether each value of an enum or flags type has the same number now. */
bool same_numbers(const conversion *c, const decl *before, const decl *after);

/* The array or presence of a field, and its type, for messages: "[<=8]", "optional u8[4]". */
const char *field_text(arena *a, const field *f);

/* ---- all releases */

typedef struct old_version {
    struct old_version *next; /* the newest first */
    uint32_t number;          /* of the release */
    const wire *wire;         /* as schema_without_program left it, each name after the prefix of the version */
    conversion conversion;
    bool served;                /* --serve: it has all its types in C, and shares none with other versions */
    const struct upgrade *back; /* served: to this version. Its only old version is the one now */
    map *packets;               /* (new declaration, NULL): form, of its packets without a seed */
} old_version;

typedef struct form {
    const old_version *version;
    const decl *decl;
    const decl *now;   /* the new declaration, or NULL */
    bool converted;    /* some value of it must be converted */
    bool program;      /* @convert of the type: the program converts it */
    bool refused;      /* it, or a type in it, does not convert: see find_refusals */
    bool can_fail;     /* some value of it has no new value: a member of a union was removed */
    bool needed;       /* it must be read */
    bool today;        /* the same as the new type, with the same bytes */
    struct form *same; /* the form that stands for it, maybe itself */
} form;

typedef struct upgrade {
    const wire *now;
    uint32_t number; /* of the version now */
    old_version *versions;
    map *forms;   /* (old decl, NULL): form */
    bool is_back; /* see old_version.back: `now` is the older version, and versions->wire is the one now */
} upgrade;

/* Fills u->forms. All names are interned in n. */
void find_forms(arena *a, names *n, upgrade *u);

form *form_of(const upgrade *u, const decl *before);

/* Whether the program converts a field or type (@convert) from a version. */
bool program_converts(uint32_t convert, const old_version *from);

/* ---- what does not convert */

typedef struct refusal {
    struct refusal *next;
    const old_version *version;
    const decl *before, *after;              /* of two types */
    const field *field_before, *field_after; /* of two fields in them; NULL: the types are of different kinds */
    const member *member_before, *member_after;
} refusal;

/* Whether part of an older type has neither a rule nor @convert. before and after are of one kind. */
bool is_refused(const old_version *from, const decl *before, const decl *after);

/* The parts of packets that are refused, each once, for the newest version from which it does not convert. Types in no
 * packet are not converted. Needs u->forms. */
refusal *find_refusals(arena *a, const upgrade *u);

/* ---- what cannot be served */

/* Part of a value that an older version cannot hold, and that no rule of the schema allows to be lost. */
typedef struct loss {
    struct loss *next;
    const decl *decl;                /* now */
    const field *field, *field_then; /* or NULL */
    const member *member;            /* or NULL */
    const char *what;                /* "holds at most 200" */
    const char *advice;              /* the line to write, or NULL */
} loss;

/* The way from the version now back to an older one, with its forms. It takes over what @convert leaves to the program. */
const upgrade *way_back(arena *a, names *n, const wire *now_wire, const old_version *v);

/* Whether both versions write a packet with a seed and parts, or neither does. Otherwise it is not the same packet. */
bool is_sent_alike(const decl *now, const decl *then);

/* u: from way_back. Also what does not convert at all. */
const loss *find_losses(arena *a, const upgrade *u);
const char *loss_name(arena *a, const loss *l); /* "Class.medic" */

#endif
