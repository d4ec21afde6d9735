/* emit_list.c - lists with keys: T_x_find, T_x_add, T_x_remove and T_x_unused.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"
#include "model/coding.h"

const char *spell_key_low(const emitter *e, const field *key)
{
    const num low = key->type.low;
    return low.negative ? arena_printf(e->arena, "(uint64_t)%s", cname_integer(e->arena, low, STORAGE_I64))
                        : cname_integer(e->arena, low, STORAGE_U64);
}

const char *spell_key_span(const emitter *e, const field *key)
{
    return cname_integer(e->arena, num_u64(greatest_number_code(&key->type)), STORAGE_U64);
}

void emit_keys(const emitter *e, const field *list, const char *name)
{
    const field *key = list->by;
    out_put(e->out, "static const pkt_keys $name = PKT_KEYS($type, $key, $most, $low, $span);\n", "name", name, "type",
            spell_decl(e, list->type.decl), "key", key->name, "most",
            arena_printf(e->arena, "%u", (unsigned)list->dims[0]), "low", spell_key_low(e, key), "span",
            spell_key_span(e, key), NULL);
}

static const char prototypes[] =
    "/* The element of $field with this $key, or NULL. */\n"
    "PKT_API $of *${name}_${field}_find(const $name *v_, $type key_);\n"
    "/* Adds an element with this $key and initial values, in its place. If there is one already, returns that. NULL if the\n"
    " * list is full, or if the key is out of range. Pointers to other elements are invalid after it. */\n"
    "PKT_API $of *${name}_${field}_add($name *v_, $type key_);\n"
    "/* Removes the element; false if there is none. Pointers to other elements are invalid after it. */\n"
    "PKT_API bool ${name}_${field}_remove($name *v_, $type key_);\n";

/* Of numbers: what no element has of an enum need not be one of its members. */
static const char unused_prototype[] =
    "/* Stores the first $key from `from_` up that no element of $field has, or else the first one from the least up. False if all\n"
    " * are used. With the last one plus 1, a $key comes again as late as possible. */\n"
    "PKT_API bool ${name}_${field}_unused(const $name *v_, $type from_, $type *key_);\n";

static const char find_function[] =
    "$of *${name}_${field}_find(const $name *v_, $type key_)\n"
    "{\n"
    "    const uint64_t code_ = (uint64_t)key_ - $low;\n"
    "    const uint32_t count_ = v_->${field}_count < $most ? v_->${field}_count : $most;\n"
    "    const uint32_t i_ = pkt_list_find(&${name}_${field}_keys_, v_->$field, count_, code_);\n"
    "    return i_ < count_ && v_->$field[i_].$key == key_ ? ($of *)(uintptr_t)&v_->$field[i_] : NULL;\n"
    "}\n"
    "\n";

static const char add_function[] =
    "$of *${name}_${field}_add($name *v_, $type key_)\n"
    "{\n"
    "    const uint64_t code_ = (uint64_t)key_ - $low;\n"
    "    const uint32_t count_ = v_->${field}_count < $most ? v_->${field}_count : $most;\n"
    "    const uint32_t i_ = pkt_list_find(&${name}_${field}_keys_, v_->$field, count_, code_);\n"
    "    if (i_ < count_ && v_->$field[i_].$key == key_)\n"
    "        return &v_->$field[i_];\n"
    "    if (code_ > ${name}_${field}_keys_.span || count_ == $most)\n"
    "        return NULL;\n"
    "    pkt_list_open(&${name}_${field}_keys_, v_->$field, v_->${field}_count, i_);\n"
    "    v_->${field}_count++;\n"
    "    ${of}_init(&v_->$field[i_]);\n"
    "    v_->$field[i_].$key = key_;\n"
    "    return &v_->$field[i_];\n"
    "}\n"
    "\n";

static const char remove_function[] =
    "bool ${name}_${field}_remove($name *v_, $type key_)\n"
    "{\n"
    "    $of *const found_ = ${name}_${field}_find(v_, key_);\n"
    "    if (!found_ || pkt_over(v_->${field}_count, $most))\n"
    "        return false;\n"
    "    pkt_list_close(&${name}_${field}_keys_, v_->$field, v_->${field}_count, (uint32_t)(found_ - v_->$field));\n"
    "    v_->${field}_count--;\n"
    "    return true;\n"
    "}\n"
    "\n";

static const char unused_function[] =
    "bool ${name}_${field}_unused(const $name *v_, $type from_, $type *key_)\n"
    "{\n"
    "    uint64_t code_ = (uint64_t)from_ - $low;\n"
    "    const uint32_t count_ = v_->${field}_count < $most ? v_->${field}_count : $most;\n"
    "    if (!pkt_list_unused(&${name}_${field}_keys_, v_->$field, count_, &code_))\n"
    "        return false;\n"
    "    *key_ = ($type)(code_ + $low);\n"
    "    return true;\n"
    "}\n"
    "\n";

static bool has_number_key(const field *list)
{
    return list->by->type.kind != TYPE_ENUM;
}

static void put_list(emitter *e, const wire_type *t, const field *f, const char *text)
{
    out_put(e->out, text, "name", spell_decl(e, t->decl), "field", f->name, "of", spell_decl(e, f->type.decl), "key",
            f->by->name, "type", spell_type(e, &f->by->type), "low", spell_key_low(e, f->by), "most",
            arena_printf(e->arena, "%u", (unsigned)f->dims[0]), NULL);
}

void emit_list_prototypes(emitter *e, const wire_type *t)
{
    for (const field *f = t->decl->fields; f; f = f->next)
        if (f->by) {
            put_list(e, t, f, prototypes);
            if (has_number_key(f))
                put_list(e, t, f, unused_prototype);
        }
}

void emit_list_functions(emitter *e, const wire_type *t)
{
    for (const field *f = t->decl->fields; f; f = f->next) {
        if (!f->by)
            continue;
        emit_keys(e, f, arena_printf(e->arena, "%s_%s_keys_", spell_decl(e, t->decl), f->name));
        out_put(e->out, "\n", NULL);
        put_list(e, t, f, find_function);
        put_list(e, t, f, add_function);
        put_list(e, t, f, remove_function);
        if (has_number_key(f))
            put_list(e, t, f, unused_function);
    }
}
