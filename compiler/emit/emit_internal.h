/* emit_internal.h - shared by the files of emit: what emitter.h does not show others.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_EMIT_INTERNAL_H
#define PKTC_EMIT_INTERNAL_H

#include "emit/emitter.h"
#include "wire/delta_plan.h"

/* Whether the types of an older version are emitted, of which values are only read. */
bool is_only_read(const emitter *e);
/* Whether an older version is emitted with all its functions. */
bool is_served(const emitter *e);

/* ---- spell.c */

const char *spell_constant(const emitter *e, const decl *d);
/* The type that a ref to d points to, which need not be declared before: "struct Player", or the program's own type.
 * And the macro that names this type for the program's callbacks. */
const char *spell_pointed(const emitter *e, const decl *d);
const char *spell_ref(const emitter *e, const decl *d);
uint32_t ref_number(const char *name); /* the number of a type, by its C name */
/* A value of a scalar type as a C expression; enums and flags by the names of their members if possible. For other
 * types, their base value: no rotation, +z, NULL. */
const char *spell_value(const emitter *e, const type *t, const value *v);
const char *spell_base(const emitter *e, const field *f); /* the base value of a field, as an expression of its type */
/* A member of the struct: "bodies[i0_].x". `before` and `after` are added to the innermost name: "has_", "_count". */
const char *spell_access(const emitter *e, const lvalue *at, const char *before, const char *after);
/* A condition over the members of `base`, such as "in_->". */
const char *spell_condition(const emitter *e, const expr *x, const char *base);
/* The number of steps of a quantized number, marked if its range is a circle. */
const char *spell_steps(const emitter *e, const type *t, const char *steps);
/* "blobs_size[i0_]" for the member "blobs[i0_]" of the field blobs, of bytes. */
const char *spell_size_of_bytes(const emitter *e, const field *f, const char *m);
/* The type of the baseline that a program passes: T, or T_motion. */
const char *spell_baseline(const emitter *e, const decl *d);

/* ---- the parts of emission, each for one file or one type */

void emit_types(emitter *e, const schema_file *file); /* types and constants of NAME.h */
extern const char prototypes_explained[];             /* a comment that comes before them */
void emit_prototypes(emitter *e, const wire_type *t);

/* The prototypes of T_pack and T_unpack of one form, and their variants: emit_pack.c. delta, form: "" or a part of the names. base, seed: "" or
 * parameters. */
typedef struct packet_form {
    const char *what, *delta, *form, *base, *seed;
    bool in_c_file; /* T_pack and T_unpack are not inline */
} packet_form;
void emit_pack_prototypes(emitter *e, const wire_type *t, const packet_form *f);
void emit_binding_checks(emitter *e, const decl *d); /* check the members of a type of the program */
void emit_enum_functions(emitter *e, const decl *d); /* E_name */
/* T_sound, T_same if it is compared, T_copy_sent, T_move_, T_delta and its instances. */
void emit_delta(emitter *e, const delta_plan *p, delta_use use, bool compared);
void emit_delta_instances(emitter *e, const wire_type *t, delta_use use); /* T_delta_write, ... of T_delta */
void emit_delta_streams(emitter *e, const delta_plan *p);                 /* T_write_delta_, ... */
/* Clears the local blank_ before T_base sets it. Of a type that holds types of the program, padding and what the schema
 * does not declare are not cleared: they may be objects. */
const char *spell_cleared(const emitter *e, const decl *d);
/* Lines that measure element i0_ of an array in base_ and in_, if it differs: c_->changed says whether it does. */
void emit_delta_of_element(emitter *e, const wire_type *t, const delta_value *array);
/* A loop that sets the bits of the elements of a coded array that are expected to change in expected_. */
void emit_expected_elements(emitter *e, const wire_type *t, const delta_value *array);
/* For a type with @fit arrays: T_fit_write_delta or T_fit_write, their constants, and the functions for an element. */
void emit_fit_prototypes(emitter *e, const wire_type *t);
void emit_fit(emitter *e, const wire_type *t);
void emit_init(emitter *e, const wire_type *t); /* T_init, unless it only clears memory */
bool has_zero_init(const decl *d);
/* T_copy, of a type with lists: copies a value, but only those elements that its lists have. Without `all`, T_copy_sent of a type
 * that has members of the program: copies the rest. */
void emit_copy(emitter *e, const decl *d, bool all);
/* The same as spell_whole_copy, of what is sent of a value. */
const char *spell_copy(const emitter *e, const decl *d, const char *to, const char *from);
void emit_same(emitter *e, const wire_type *t); /* T_same: whether a delta need not send a value */
void emit_ways(emitter *e, const wire_type *t); /* T_x_way_: of each number x that goes by its own speed, how far */
void emit_move(emitter *e, const wire_type *t); /* T_move_: moves a copy of a baseline */
/* "(i0_ < PKT_HELD(before_->x_count, 0, 16) ? before_ : base_)": `from`, a pointer to what base_ has moved from, if its array has
 * element i. */
const char *spell_from_element(const emitter *e, const op *array, const char *from, const char *i);
/* Declares `name`, a pointer to what `old`, the address of an element of a list, has moved from. The search begins at `at`. */
void emit_follow(const emitter *e, const op *list, const char *name, const char *old, const char *at, const char *from);
void emit_sound(emitter *e, const wire_type *t); /* T_sound, of a type that can be unsound as a baseline */
/* The code tables of a type with coded fields, or only their prototypes; and their names. */
void emit_codes(emitter *e, const decl *d, bool declares);
const char *spell_masks(const emitter *e, const decl *d, const block *b);
const char *spell_runs(const emitter *e, const field *f);
/* Whether the lines of a packet are in each of T_pack, T_unpack, T_pack_body and T_unpack_body, in NAME.c. */
bool is_small_packet(const emitter *e, const wire_type *t);
void emit_streams(emitter *e, const wire_type *t); /* T_write_, T_read_, ... T_read_body */
/* Of a packet with parts: emit_datagram.c. */
void emit_datagram_prototypes(emitter *e, const wire_type *t);
void emit_datagram_inlines(emitter *e, const wire_type *t);
void emit_datagram(emitter *e, const wire_type *t); /* instead of emit_streams */
/* A field of a term, or with "has_" as `before`, whether it is present. */
const char *spell_path(const emitter *e, const field_sum *t, unsigned depth, const char *before);
/* Keeps a part of the packet at v in the ring of a T_receiver or T_sender. */
void emit_keep_part(emitter *e, const field *f, const char *side, const char *v, const char *number);
bool is_same_sum(const field_sum *a, const field_sum *b);
/* Of a ring, for T_sender or T_peer: marks the value of a number that the other side has, or without has_ forgets all marks; returns
 * whether it is newer than those that are marked. And: whether the value of a number is marked. */
void emit_ring_acknowledgements(emitter *e, const decl *d, const field *f);
/* T_sender and its functions, of a packet that has them: emit_sender.c. */
void emit_sender_prototypes(emitter *e, const decl *d);
void emit_sender(emitter *e, const decl *d);

/* Lists with keys: emit_list.c. The keys of a list as a local constant of this name; the least key and the greatest code,
 * as literals. */
void emit_keys(const emitter *e, const field *list, const char *name);
const char *spell_key_low(const emitter *e, const field *key);
const char *spell_key_span(const emitter *e, const field *key);
void emit_list_prototypes(emitter *e, const wire_type *t); /* T_x_find, T_x_add, T_x_remove, T_x_unused */
void emit_list_functions(emitter *e, const wire_type *t);

/* T_reflection of each type of the file: emit_table.c. */
void emit_reflection_header(emitter *e);
void emit_reflection_source(emitter *e);
void emit_schema_text(emitter *e, const char *text);          /* as a constant: emit_capture.c */
void emit_presence(emitter *e, const wire_type *t);           /* T_x_set, T_x_has, ... of sparse arrays, for NAME.h */
void emit_presence_functions(emitter *e, const wire_type *t); /* those that NAME.c defines */
void emit_subset(emitter *e, const step *s, void (*emit_element)(emitter *e, const step *s)); /* of T_serialize */

/* The contents of memory before base values are stored in it. */
typedef enum held {
    HELD_ANYTHING, /* elements after the count of an array stay as they are */
    HELD_NOTHING,  /* nothing yet: all elements are set */
    HELD_ZERO,
    HELD_KEPT /* anything, for a read: elements of sparse arrays with `keep` stay as they are */
} held;

/* The lines of a plan, or of a part of one. */
void emit_steps(emitter *e, const step *s);

/* ---- emit_branch.c: if and switch. base: the value that is asked, "in_->". */

/* The start of T_base and T_init: types that contain t call them if it is not small. */
const char *spell_called(const wire_type *t);
/* An expression: the side that v takes, from 1; 0 if it takes no arm of a switch. */
const char *spell_side(const emitter *e, const wire_type *t, const op *o, const char *v);
/* A statement that sets the fields of all sides to base values, except those of side `kept`, an expression. 0 keeps
 * none. */
void emit_clear(emitter *e, const wire_type *t, const op *o, const char *v, const char *kept);
/* Statements that set a field to its base value in `base` ("out_->"). */
void emit_base_of_value(emitter *e, const field *f, const char *base, held h);
/* The same for a field and its presence, and for one element of an array; subscript: "[i_]". */
void emit_base_of_field(emitter *e, const field *f, const char *base, held h);
void emit_base_of_element(emitter *e, const field *f, const char *base, const char *subscript);
/* The end of the name of a pkt_subset_kind, after PKT_SUBSET_. */
const char *spell_subset_kind(const field *f);
/* The number of 64-bit words in a bitmap of so many elements. */
const char *spell_words(const emitter *e, uint64_t count);

#endif
