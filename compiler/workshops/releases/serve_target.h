/* serve_target.h - the releases that are served, and how their functions are called.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_SERVE_TARGET_H
#define PKTC_SERVE_TARGET_H

#include "base/hash_table.h"
#include "releases/emit_upgrade.h"

/* A release that is served, or the version now, which is the first one. */
typedef struct target {
    struct target *next;
    upgrader k; /* k.now spells its types, and k.old those of the version now; of the version now, both do */
    uint32_t number;
    const char *label; /* "now", "v5" */
    bool is_now;
    map *parts; /* (decl, NULL): of the types of parts that it has of packets sent, the target */
    map *fits;  /* the same of parts whose elements are chosen, which have @fit in both releases */
} target;

typedef struct server {
    upgrader *k; /* k->now: the version now */
    target *targets;
} server;

void find_targets(server *s);

/* Where the version now is spelled, and everything is put. */
emitter *out_of(server *s);
/* The packet of a target for a packet now; NULL if the release does not have it, or has another type of that name. */
const decl *packet_in(const target *t, const decl *now);
const char *name_in(const target *t, const decl *now); /* the C name of a type that the release has */
/* A copy of a value of the release's type, between two pointers: of a type with lists, only the elements that there are. */
const char *spell_copy_in(const target *t, const decl *now, const char *to, const char *from);
const field *field_in(const target *t, const field *now); /* NULL: the release does not have it */
/* Whether the release has deltas of a packet; and values of a type as T_served: for such deltas, or as a part. */
bool has_delta_packet(server *s, const target *t, const decl *d);
bool has_served_form(server *s, const target *t, const decl *d);
/* Whether what fits of a type is chosen for a release: of a delta, or of a part with @fit. */
bool is_chosen(server *s, const target *t, const decl *d);
/* What holds values in the forms of all releases: a union, or a struct if there may be objects of C++ with constructors
 * among them. It is the same in C, so that C and C++ files can be linked together. */
const char *spell_forms(bool objects);
bool is_own_packet(const emitter *e, const decl *d);
/* The rest of a function: a switch over a release. `spell` makes the end of each case, such as " return 0", or NULL: the
 * function fails for this release. */
void emit_release_switch(server *s, const decl *d, const char *release,
                         const char *(*spell)(server *s, const target *t, const decl *d), const char *failure);
/* An expression for the failure of a function that returns a size, or a bool. */
const char *failure_of(server *s, const decl *d, bool is_size);
/* The same, if the release is to blame: "ToClient.release". */
const char *unserved_of(server *s, const decl *d, bool is_size);

/* How T_pack and T_unpack are called, which depends on refs and the seed. */
typedef struct calls {
    const char *form;          /* "_error" or "_refs": of the function that is called, */
    const char *ending;        /* and of the one that calls it */
    const char *before, *seed; /* a parameter, its argument */
    const char *after, *refs;  /* likewise */
    const char *given;         /* ", refs_" if the one that calls takes refs */
    const char *unused;        /* a line, if the function that is called takes no refs */
} calls;
calls calls_of(const target *t, const emitter *e, const decl *d);

/* The prototype of a function that takes an error, and inline functions that call it without what is rare. */
typedef struct served_call {
    const char *result, *name;          /* "size_t", "Join_pack_for" */
    const char *parameters, *arguments; /* up to the size of the data */
    const char *ending;                 /* "_error", or "_refs" if it takes refs */
    const char *rare;                   /* "", or a parameter before the error: ", pkt_refs *refs_" */
} served_call;
void put_served_prototypes(emitter *e, const served_call *c);

#endif
