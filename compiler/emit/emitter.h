/* emitter.h - the parts of emission that C for older releases is made of too: names, values, types, readers, tables.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_EMITTER_H
#define PKTC_EMITTER_H

#include "emit/cname.h"
#include "emit/emit.h"
#include "emit/runtime_parts.h"
#include "model/type_table.h"

typedef struct emitter {
    arena *arena;        /* texts for one declaration; cleared after it */
    struct arena *files; /* the text of the files; not cleared */
    const wire *wire;
    const body_plan *bodies;         /* by wire_type.index */
    const delta_plan *const *deltas; /* by wire_type.index */
    const schema *schema;
    const schema_file *file; /* the file whose declarations are emitted */
    const wire_type *type;   /* the type whose T_serialize is emitted */
    other_version older;     /* the version that is emitted; empty: the version now */
    bool deprecated;         /* the file or one that it imports has something @deprecated */
    out *out;
} emitter;

/* ---- names and values */

/* The C name of a declaration (with its prefix), and of a member (Team_red; of a union's tag U_tag_a). */
const char *spell_decl(const emitter *e, const decl *d);
const char *spell_member(const emitter *e, const decl *d, const member *m);
/* Makes a text of the schema safe in a comment: it neither ends nor begins a comment and has no trigraph, and what
 * utf8_printable refuses becomes U+FFFD. */
char *spell_comment(const emitter *e, const char *text);
/* The C type of a value, or of an element of an array. */
const char *spell_type(const emitter *e, const type *t);
/* The copy of a value: "T_copy(to, from)" or "*to = *from". to and from are pointers. */
const char *spell_whole_copy(const emitter *e, const decl *d, const char *to, const char *from);
const char *spell_number(const emitter *e, uint64_t n);
const char *spell_hexadecimal(const emitter *e, uint64_t n);
/* The count of an array with a computed one, in the struct at `v`, which is "in_", or "&in_->part". */
const char *spell_computed_count(const emitter *e, const decl *owner, const field *f, const char *v);
/* The condition of an if, the subject of a switch, and the labels of an arm: "case 1: case 2:". base: the value that is
 * asked, "in_->". */
const char *spell_branch_condition(const emitter *e, const op *o, const char *base);
const char *spell_subject(const emitter *e, const op *o, const char *base);
const char *spell_labels(const emitter *e, const arm *a, const char *base);

/* States, before `#include "pkt.h"` or "pkt_inside.h", the parts of the runtime that a file uses, and these ones. */
void state_parts(emitter *e, output *made, runtime_parts parts);

/* ---- packets with parts */

/* Of the packet at v_: a sum in the width at which it wraps, and whether all fields of a sum are present, and the structs
 * that they are in. */
const char *spell_sum(const emitter *e, const field_sum *sum, unsigned bits);
const char *spell_sum_present(const emitter *e, const field_sum *sum);
const field *fit_part_of(const decl *d); /* the part with @fit, or NULL */
/* Whether a packet with parts has a T_sender: `delta(number from number - back)` with an optional back. */
bool has_sender(const decl *d);
/* T_acknowledged_for and T_sender_baselines_for, in NAME_serve.h and .c. For each part x, they call T_x_acknowledge_for_ and
 * T_x_arrived_for_: those of the ring in the release of T_peer. */
void emit_served_sender_prototypes(emitter *e, const decl *d);
void emit_served_sender(emitter *e, const decl *d);
const char *spell_part(const emitter *e, const field *f);  /* the parameter that is a part: "world_" */
uint32_t packet_crc_start(const schema *s, const decl *d); /* CRC-32 of the protocol id and the packet's name */

/* ---- types and their functions */

/* What makes declarations those of C in C++ too, before and after them. */
extern const char externs_open[], externs_close[];
void emit_declared(emitter *e, const decl *d); /* a type, as in NAME.h; nothing for a constant */
/* For NAME_codec.h: T_x_count of computed arrays; T_sideN_ for each switch, and T_clearN_ for each branch that has
 * fields; T_serialize. */
void emit_computed_counts(emitter *e, const decl *d);
void emit_branches(emitter *e, const wire_type *t);
void emit_serialize(emitter *e, const plan *p);
/* For NAME.c: T_base; T_clearN_ of branches that contain others in others; T_read_. */
void emit_base_prototype(emitter *e, const decl *d);
void emit_base(emitter *e, const wire_type *t);
void emit_nested_branches(emitter *e, const wire_type *t);
void emit_read(emitter *e, const wire_type *t);
/* T_side and T_type_; E_type_ of an enum, if it is needed, or only its prototype. */
void emit_table(emitter *e, const wire_type *t);
void emit_enum_table(emitter *e, const decl *d);
void emit_enum_table_prototype(emitter *e, const decl *d);
/* Statements that set an element of an array to its initial value; to: the field, "v_->x"; subscript: "[i_]". */
void emit_initial_of_element(emitter *e, const field *f, const char *to, const char *subscript);
/* Sets a field and its presence to initial values, in memory that holds anything. */
void emit_initial_of_field(emitter *e, const field *f, const char *base);

#endif
