/* emit_pack.c - the prototypes of T_pack and T_unpack in NAME.h, in all their forms.
 * SPDX-License-Identifier: MIT
 *
 * The order of parameters is the same in all of them: baseline, value, seed, data and size, refs, error.
 */
#include "emit/emit_internal.h"

/* $form is "" for packets with a frame and "_body" without; $what describes it. For deltas $delta is "_delta". $base
 * and $seed are parameters, or empty. */
static const char packet_prototypes[] =
    "\n"
    "/* $what */\n"
    "${inline}size_t ${name}_pack$delta$form(${base}const $name *v_, ${seed}void *data_, size_t size_);\n"
    "${inline}bool ${name}_unpack$delta$form($base$name *v_, ${seed}const void *data_, size_t size_);\n"
    "PKT_INLINE size_t ${name}_pack$delta${form}_error(${base}const $name *v_, ${seed}void *data_, size_t size_, pkt_error "
    "*error_);\n"
    "PKT_INLINE bool ${name}_unpack$delta${form}_error($base$name *v_, ${seed}const void *data_, size_t size_, pkt_error "
    "*error_);\n";

static const char refs_prototypes[] =
    "PKT_INLINE size_t ${name}_pack$delta${form}_refs(${base}const $name *v_, ${seed}void *data_, size_t size_, "
    "pkt_refs *refs_, pkt_error *error_);\n"
    "PKT_INLINE bool ${name}_unpack$delta${form}_refs($base$name *v_, ${seed}const void *data_, size_t size_, "
    "pkt_refs *refs_, pkt_error *error_);\n";

void emit_pack_prototypes(emitter *e, const wire_type *t, const packet_form *f)
{
    const char *name = spell_decl(e, t->decl);
    out_put(e->out, packet_prototypes, "name", name, "form", f->form, "what", f->what, "delta", f->delta, "base",
            f->base, "seed", f->seed, "inline", f->in_c_file ? "PKT_API " : "PKT_INLINE ", NULL);
    if (t->has_refs)
        out_put(e->out, refs_prototypes, "name", name, "form", f->form, "delta", f->delta, "base", f->base, "seed",
                f->seed, NULL);
}
