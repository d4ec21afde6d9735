/* bind_classes.c - which functions and constants the class of a type has, and how its members are seen.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bind_classes.h"

#include <string.h>

/* ---- members */

bind_sight bind_sight_of(const bind_type *t, const bind_member *m)
{
    switch (m->kind) {
    case BIND_SCALAR:
        if (t->decl && t->decl->kind == DECL_STRUCT && !t->decl->fields)
            return SIGHT_NONE;
        return m->dim_count == 0 ? SIGHT_NUMBER : SIGHT_NUMBERS;
    case BIND_TEXT: return m->dim_count == 1 ? SIGHT_TEXT : SIGHT_TEXTS;
    case BIND_BYTES: return m->dim_count == 1 ? SIGHT_BYTES : SIGHT_BLOBS;
    case BIND_TYPE: return m->dim_count == 0 ? SIGHT_VIEW : SIGHT_VIEWS;
    case BIND_POINTER: break;
    }
    return m->dim_count == 0 ? SIGHT_POINTER : SIGHT_NUMBERS;
}

const field *bind_field_of(const bind_type *t, const bind_member *m)
{
    for (const field *f = t->decl && t->decl->kind == DECL_STRUCT ? t->decl->fields : NULL; f; f = f->next)
        if (strcmp(f->name, m->name) == 0)
            return f;
    return NULL;
}

/* ---- functions */

/* Arguments that C takes a null pointer for: there is no baseline, or the program does not want the report. */
bool bind_may_be_null(const bind_param *p)
{
    static const char *const optional[] = {"base_", "before", "from", "report", "deviation"};
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
        if (strcmp(optional[i], p->name) == 0)
            return true;
    return false;
}

uint64_t bind_room_of(const bind_class *t)
{
    uint64_t most = 0;
    for (const bind_class_constant *c = t->constants; c; c = c->next) {
        const bool bits = strcmp(c->name, "MAX_BITS") == 0 || strcmp(c->name, "DELTA_MAX_BITS") == 0;
        const bool bytes = strcmp(c->name, "MAX_BYTES") == 0 || strcmp(c->name, "DELTA_MAX_BYTES") == 0;
        const uint64_t n = c->constant->number.magnitude, room = bits ? n / 8 + 1 : bytes ? n : 0;
        most = room > most ? room : most;
    }
    return most;
}

/* The class that a name begins with: its name, an underscore, and more. NULL: none. */
static bind_class *bind_owner_of(const bind_classes *k, const char *name)
{
    bind_class *best = NULL;
    size_t most = 0;
    for (bind_class *t = k->types; t != k->types + k->count; t++) {
        const size_t size = strlen(t->type->name);
        if (size > most && strncmp(name, t->type->name, size) == 0 && name[size] == '_' && name[size + 1] != 0) {
            best = t;
            most = size;
        }
    }
    return best;
}

bool bind_is_error(const bind_param *p)
{
    return p->type && strcmp(p->type->name, "pkt_error") == 0;
}

/* `this` is the parameter v, or else the first one of the class. */
static void add_bind_method(const bind_classes *k, const bind_function *f)
{
    bind_class *of = bind_owner_of(k, f->name);
    bind_method *m = ARENA_NEW(k->arena, bind_method);
    *m = (bind_method){.function = f, .name = f->name + strlen(of->type->name) + 1};
    for (const bind_param *p = f->params; p; p = p->next) {
        if (p->type == of->type && (!m->self || strcmp(p->name, "v") == 0))
            m->self = p;
        m->throws |= bind_is_error(p);
    }
    for (const bind_param *p = f->params; p; p = p->next)
        m->tries |= m->throws && p->pass == PASS_READ;
    *of->last_method = m;
    of->last_method = &m->next;
}

static void add_class_constant(bind_classes *k, const bind_constant *c,
                               const char *(*spell)(arena *a, const char *name))
{
    bind_class *of = bind_owner_of(k, c->name);
    bind_class_constant ***last = of ? &of->last_constant : &k->last_constant,
                        *new = ARENA_NEW(k->arena, bind_class_constant);
    *new = (bind_class_constant){.constant = c,
                                 .name = of ? c->name + strlen(of->type->name) + 1 : spell(k->arena, c->name)};
    **last = new;
    *last = &new->next;
}

const bind_class *bind_class_of(const bind_classes *k, const bind_type *t)
{
    const bind_class *at = k->types;
    while (at->type != t)
        at++;
    return at;
}

void bind_classes_begin(bind_classes *k, const bindings *b, const char *(*spell)(arena *a, const char *name), out *to)
{
    *k = (bind_classes){.b = b, .arena = b->arena, .to = to, .last_constant = &k->constants};
    size_t count = 0;
    for (const bind_type *t = b->types; t; t = t->next)
        count++;
    k->types = ARENA_ARRAY(k->arena, bind_class, count);
    for (const bind_type *t = b->types; t; t = t->next) {
        bind_class *new = &k->types[k->count++];
        *new = (bind_class){.type = t, .name = spell(k->arena, t->name), .align = 1};
        new->last_method = &new->methods;
        new->last_constant = &new->constants;
    }
    for (const bind_function *f = b->functions; f; f = f->next)
        add_bind_method(k, f);
    for (const bind_constant *c = b->constants; c; c = c->next)
        add_class_constant(k, c, spell);
}
