/* bind_cs.c - the types and functions of a schema in C# 7: structs of the layout of C, without references, so that a pointer to
 * one is all that a call passes.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bindings.h"
#include "base/banner.h"
#include "emit/cname.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* The type of an array of structs or pointers, which C# has none for that is part of a struct. */
typedef struct array_type {
    struct array_type *next;
    const char *name;
} array_type;

typedef struct sharp {
    arena *arena;
    const bindings *b;
    out *out;
    array_type *arrays; /* those that are declared */
} sharp;

/* ---- names */

static const char keywords[] =
    " abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else"
    " enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long"
    " namespace new null object operator out override params private protected public readonly ref return sbyte sealed short"
    " sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual"
    " void volatile while ";
/* What a member of this name would hide: members of every object, and the class of the functions. */
static const char hidden[] = " Equals Finalize GetHashCode GetType MemberwiseClone Packets ReferenceEquals ToString ";
/* What the file itself names, which a type of this name would hide. */
static const char named[] = " CallingConvention Constants DllImport DllImportAttribute FieldOffset FieldOffsetAttribute"
                            " LayoutKind Packets StructLayout StructLayoutAttribute ";

static bool is_one_of(const sharp *k, const char *words, const char *name)
{
    return strstr(words, arena_printf(k->arena, " %s ", name)) != NULL;
}

static const char *spell_name(const sharp *k, const char *name)
{
    return is_one_of(k, keywords, name) ? arena_printf(k->arena, "@%s", name) : name;
}

/* Of a type or a constant. No name of a schema ends in an underscore. */
static const char *spell_type_name(const sharp *k, const char *name)
{
    return is_one_of(k, named, name) ? arena_printf(k->arena, "%s_", name) : spell_name(k, name);
}

static bool is_member(const bind_type *t, const char *name)
{
    const bind_member *m = t->members;
    while (m && strcmp(m->name, name) != 0)
        m = m->next;
    return m != NULL;
}

/* A member cannot have the name of its type. */
static const char *spell_member_name(const sharp *k, const bind_type *t, const char *name)
{
    if (is_one_of(k, hidden, name) || strcmp(name, t->name) == 0)
        return arena_printf(k->arena, "%s_", name);
    return spell_name(k, name);
}

static const char *spell_storage(storage s)
{
    switch (s) {
    case STORAGE_NONE: break;
    case STORAGE_BOOL: return "bool";
    case STORAGE_U8: return "byte";
    case STORAGE_U16: return "ushort";
    case STORAGE_U32: return "uint";
    case STORAGE_U64: return "ulong";
    case STORAGE_I8: return "sbyte";
    case STORAGE_I16: return "short";
    case STORAGE_I32: return "int";
    case STORAGE_I64: return "long";
    case STORAGE_FLOAT: return "float";
    case STORAGE_DOUBLE: return "double";
    }
    assert(false && "no scalar");
    return "";
}

static const char *spell_pointer(const sharp *k, const bind_type *t)
{
    return t ? arena_printf(k->arena, "%s*", spell_type_name(k, t->name)) : "global::System.UIntPtr";
}

/* The type of a member, or of an element. */
static const char *spell_element(const sharp *k, const bind_member *m)
{
    switch (m->kind) {
    case BIND_SCALAR:
        if (m->is_code)
            return "pkt_code";
        if (m->of && m->of->kind == DECL_UNION)
            return arena_printf(k->arena, "%s_tag", m->of->name);
        return m->of && m->dim_count == 0 ? spell_type_name(k, m->of->name) : spell_storage(m->storage);
    case BIND_TEXT:
    case BIND_BYTES: return "byte";
    case BIND_TYPE: return spell_type_name(k, m->type->name);
    case BIND_POINTER: break;
    }
    return spell_pointer(k, m->type);
}

/* A comment of the schema before a declaration. */
static void put_summary(const sharp *k, const char *doc)
{
    if (!doc)
        return;
    out_put(k->out, "/// <summary>\n", NULL);
    for (const char *line = doc; line;) {
        const size_t size = strcspn(line, "\n");
        const char *text = "";
        for (size_t i = 0; i < size; i++)
            text = line[i] == '<' || line[i] == '>' || line[i] == '&' ? arena_printf(k->arena, "%s&#%d;", text, line[i])
                                                                      : arena_printf(k->arena, "%s%c", text, line[i]);
        out_put(k->out, *text ? "/// $text\n" : "///\n", "text", text, NULL);
        line = line[size] ? line + size + 1 : NULL;
    }
    out_put(k->out, "/// </summary>\n", NULL);
}

/* ---- types */

/* Of so many elements: two halves, and the last element of an odd number. */
static const char *declare_array(sharp *k, const char *element, uint64_t length)
{
    const char *stem = strchr(element, ':') ? "pointer" : element[0] == '@' ? element + 1 : element;
    if (length == 1)
        return element;
    const char *name = arena_printf(k->arena, "%s_x%" PRIu64 "_", stem, length);
    for (const array_type *each = k->arrays; each; each = each->next)
        if (strcmp(each->name, name) == 0)
            return name;
    const char *half = declare_array(k, element, length / 2);
    array_type *made = ARENA_NEW(k->arena, array_type);
    *made = (array_type){k->arrays, name};
    k->arrays = made;
    out_put(k->out,
            "[StructLayout(LayoutKind.Sequential)]\n"
            "public unsafe struct $name\n"
            "{\n"
            "    $half a, b;\n",
            "name", name, "half", half, NULL);
    if (length % 2 != 0)
        out_put(k->out, "    $element c;\n", "element", element, NULL);
    out_put(k->out,
            "    public ref $element this[int i]\n"
            "    {\n"
            "        get { if ((uint)i >= $length) throw new global::System.IndexOutOfRangeException(); "
            "fixed ($name* p = &this) return ref (($element*)p)[i]; }\n"
            "    }\n"
            "}\n\n",
            "name", name, "element", element, "length", arena_printf(k->arena, "%" PRIu64, length), NULL);
    return name;
}

static bool is_buffer(const bind_member *m)
{
    return m->dim_count > 0 && m->kind != BIND_TYPE && m->kind != BIND_POINTER;
}

/* What the type of an element does not say. */
static const char *describe_member(const sharp *k, const bind_member *m)
{
    const char *comment = m->of && m->dim_count > 0 ? arena_printf(k->arena, " // %s", m->of->name) : "";
    if (m->of && m->kind == BIND_POINTER)
        comment = arena_printf(k->arena, " // the id of %s, or 0", m->of->name);
    if (m->kind == BIND_TEXT)
        comment = " // UTF-8, which ends with a zero byte";
    if (m->dim_count > 1) {
        comment = arena_printf(k->arena, "%s%s", *comment ? comment : " //", *comment ? ", " : " ");
        for (unsigned i = 0; i < m->dim_count; i++)
            comment = arena_printf(k->arena, "%s[%" PRIu32 "]", comment, m->dims[i]);
    }
    return comment;
}

/* A text as a string. */
static void put_text_property(const sharp *k, const bind_type *t, const bind_member *m, const char *name)
{
    const char *property = arena_printf(k->arena, "%s_text", m->name);
    while (is_member(t, property))
        property = arena_printf(k->arena, "%s_", property);
    out_put(k->out,
            "public string $property\n"
            "{\n"
            "    get { fixed (byte* p = $name) return Packets.text(p, $size); }\n"
            "    set { fixed (byte* p = $name) Packets.set_text(p, $size, value); }\n"
            "}\n",
            "property", property, "name", name, "size", arena_printf(k->arena, "%" PRIu64, m->length), NULL);
}

static void put_member(const sharp *k, const bind_type *t, const bind_member *m, const char *type_name)
{
    const char *name = spell_member_name(k, t, m->name);
    put_summary(k, m->doc);
    out_put(k->out, is_buffer(m) ? "public fixed $type $name[$length];$comment\n" : "public $type $name;$comment\n",
            "type", type_name, "name", name, "length", arena_printf(k->arena, "%" PRIu64, m->length), "comment",
            describe_member(k, m), NULL);
    if (m->kind == BIND_TEXT && m->dim_count == 1)
        put_text_property(k, t, m, name);
}

/* The types of members: they are declared before the struct. */
static const char **declare_arrays(sharp *k, const bind_type *t)
{
    size_t count = 0, i = 0;
    for (const bind_member *m = t->members; m; m = m->next)
        count++;
    const char **types = ARENA_ARRAY(k->arena, const char *, count + 1);
    for (const bind_member *m = t->members; m; m = m->next, i++) {
        const char *element = spell_element(k, m);
        types[i] = m->dim_count > 0 && !is_buffer(m) ? declare_array(k, element, m->length) : element;
    }
    return types;
}

static void open_struct(const sharp *k, const char *name, const char *layout)
{
    out_put(k->out, "[StructLayout(LayoutKind.$layout)]\npublic unsafe struct $name\n{\n", "layout", layout, "name",
            name, NULL);
    out_indent(k->out);
}

static void close_block(const sharp *k)
{
    out_close(k->out);
    out_put(k->out, "\n", NULL);
}

static void put_union_struct(const sharp *k, const bind_type *t)
{
    uint64_t number = 0;
    out_put(k->out, "public enum ${name}_tag : $storage\n{\n", "name", t->name, "storage",
            spell_storage(t->members->storage), NULL);
    out_indent(k->out);
    for (const bind_member *m = t->members->next; m; m = m->next)
        out_put(k->out, "$name = $number,\n", "name", spell_name(k, m->name), "number",
                arena_printf(k->arena, "%" PRIu64, number++), NULL);
    close_block(k);
    const char *as = arena_printf(k->arena, "%s_as_", t->name);
    open_struct(k, as, "Explicit");
    for (const bind_member *m = t->members->next; m; m = m->next) {
        out_put(k->out, "[FieldOffset(0)] ", NULL);
        put_member(k, t, m, spell_element(k, m));
    }
    close_block(k);
    put_summary(k, t->decl->doc);
    open_struct(k, spell_type_name(k, t->name), "Sequential");
    put_member(k, t, t->members, spell_element(k, t->members));
    out_put(k->out, "public $as @as;\n", "as", as, NULL);
    close_block(k);
}

static void put_declared(sharp *k, const bind_type *t)
{
    const char *name = spell_type_name(k, t->name);
    if (t->form == BIND_UNION) {
        put_union_struct(k, t);
        return;
    }
    if (t->form == BIND_OPAQUE) {
        out_put(k->out,
                "/// <summary>Memory of ${name}_size() bytes, which only functions look into.</summary>\n"
                "public struct $name\n{\n}\n\n",
                "name", name, NULL);
        return;
    }
    const char *const *types = declare_arrays(k, t);
    size_t i = 0;
    put_summary(k, t->decl ? t->decl->doc : NULL);
    open_struct(k, name, "Sequential");
    for (const bind_member *m = t->members; m; m = m->next)
        put_member(k, t, m, types[i++]);
    close_block(k);
}

static void put_enum(const sharp *k, const decl *d)
{
    put_summary(k, d->doc);
    out_put(k->out,
            d->kind == DECL_FLAGS ? "[global::System.Flags]\npublic enum $name : $storage\n{\n"
                                  : "public enum $name : $storage\n{\n",
            "name", spell_type_name(k, d->name), "storage", spell_storage(d->type.storage), NULL);
    out_indent(k->out);
    for (const member *m = d->members; m; m = m->next) {
        put_summary(k, m->doc);
        out_put(k->out, "$name = $value,\n", "name", spell_name(k, m->name), "value", num_text(k->arena, m->value),
                NULL);
    }
    close_block(k);
}

static void put_constants(const sharp *k, bool own)
{
    for (const bind_constant *c = k->b->constants; c; c = c->next) {
        if (own != !!c->decl)
            continue;
        const bool small = num_fits_i64(c->number) && num_compare(c->number, num_i64(INT32_MIN)) >= 0 &&
                           num_compare(c->number, num_i64(INT32_MAX)) <= 0;
        put_summary(k, c->decl ? c->decl->doc : NULL);
        out_put(k->out, "public const $type $name = $value;\n", "type",
                c->is_real                ? "double"
                : small                   ? "int"
                : num_fits_i64(c->number) ? "long"
                                          : "ulong",
                "name", spell_type_name(k, c->name), "value",
                c->is_real ? cname_real(k->arena, c->real, STORAGE_DOUBLE) : num_text(k->arena, c->number), NULL);
    }
}

/* ---- functions */

static const char *spell_result(const sharp *k, const bind_function *f)
{
    switch (f->result) {
    case RESULT_VOID: return "void";
    case RESULT_BOOL: return "bool"; /* that of four bytes, as P/Invoke has it */
    case RESULT_SIZE: return "int";
    case RESULT_NUMBER: return spell_storage(f->storage);
    case RESULT_POINTER: break;
    }
    return spell_pointer(k, f->type);
}

static const char *spell_param(const sharp *k, const bind_param *p)
{
    switch (p->pass) {
    case PASS_IN:
    case PASS_OUT: return arena_printf(k->arena, "%s %s", spell_pointer(k, p->type), spell_name(k, p->name));
    case PASS_READ:
    case PASS_WRITE: return "byte* data, int size";
    case PASS_STORE: return arena_printf(k->arena, "%s* %s", spell_storage(p->storage), p->name);
    case PASS_NUMBER: break;
    }
    return arena_printf(k->arena, "%s %s", spell_storage(p->storage), p->name);
}

/* Whether a function takes nothing but a value, its bytes, a seed and an error, so that it has a form without pointers. */
static bool is_simple(const bind_function *f)
{
    bool data = false;
    for (const bind_param *p = f->params; p; p = p->next) {
        data |= p->pass == PASS_READ || p->pass == PASS_WRITE;
        if (p->pass == PASS_STORE || ((p->pass == PASS_IN || p->pass == PASS_OUT) && p->type->form == BIND_OPAQUE) ||
            (p->type && strcmp(p->name, "v") != 0 && strcmp(p->name, "error") != 0))
            return false;
    }
    return data;
}

static void put_simple(const sharp *k, const bind_function *f)
{
    const char *params = "", *passed = "", *pinned = "";
    for (const bind_param *p = f->params; p; p = p->next) {
        const char *more = *params ? ", " : "";
        const bool data = p->pass == PASS_READ || p->pass == PASS_WRITE;
        if (data) {
            params = arena_printf(k->arena, "%s%sbyte[] data, int size", params, more);
            pinned = arena_printf(k->arena, "%sfixed (byte* data_ = data) ", pinned);
            passed = arena_printf(k->arena, "%s%sdata_, size", passed, more);
        } else if (p->pass == PASS_NUMBER) {
            params = arena_printf(k->arena, "%s%s%s %s", params, more, spell_storage(p->storage), p->name);
            passed = arena_printf(k->arena, "%s%s%s", passed, more, p->name);
        } else {
            const char *name = spell_type_name(k, p->type->name);
            params = arena_printf(k->arena, "%s%s%s %s %s", params, more, strcmp(p->name, "error") == 0 ? "out" : "ref",
                                  name, p->name);
            pinned = arena_printf(k->arena, "%sfixed (%s* %s_ = &%s) ", pinned, name, p->name, p->name);
            passed = arena_printf(k->arena, "%s%s%s_", passed, more, p->name);
        }
    }
    out_put(k->out,
            "public static $result $name($params)\n"
            "{\n"
            "    if (size > data.Length) throw new global::System.ArgumentOutOfRangeException(\"size\");\n"
            "    ${pinned}return $name($passed);\n"
            "}\n",
            "result", spell_result(k, f), "name", f->name, "params", params, "pinned", pinned, "passed", passed, NULL);
}

static void put_function(const sharp *k, const bind_function *f)
{
    const char *params = "";
    for (const bind_param *p = f->params; p; p = p->next)
        params = arena_printf(k->arena, "%s%s%s", params, *params ? ", " : "", spell_param(k, p));
    out_put(k->out,
            "[DllImport(Library, EntryPoint = \"$exported\", CallingConvention = CallingConvention.Cdecl)]\n"
            "public static extern $result $name($params);\n",
            "exported", f->exported, "result", spell_result(k, f), "name", f->name, "params", params, NULL);
    if (is_simple(f))
        put_simple(k, f);
}

/* ---- the layout */

static const char layout_head[] =
    "/// <summary>Compares the types with those of the library: Packets does it before its first call.</summary>\n"
    "public static unsafe class Layout_\n"
    "{\n"
    "    [DllImport(Packets.Library, EntryPoint = \"bind_${name}_layout_\", CallingConvention = CallingConvention.Cdecl)]\n"
    "    static extern ulong* Table();\n"
    "\n"
    "    static void Same(string what, ulong library, ulong here)\n"
    "    {\n"
    "        if (library != here)\n"
    "            throw new global::System.InvalidOperationException(\"$stem.cs is not of the library \" + Packets.Library + \": \" +\n"
    "                what + \" is \" + here + \" in $stem.cs and \" + library + \" in the library. Make both of one schema.\");\n"
    "    }\n"
    "\n"
    "    /// <summary>Throws an InvalidOperationException if a type, or the protocol, is another one there.</summary>\n"
    "    public static void Check()\n"
    "    {\n"
    "        ulong* at = Table();\n"
    "        Same(\"the number of members\", *at++, $count);\n"
    "        Same(\"the protocol id\", *at++, $id);\n";

static void put_layout_of(const sharp *k, const bind_type *t)
{
    const char *name = spell_type_name(k, t->name);
    out_put(k->out,
            "    {\n"
            "        $name* v = ($name*)65536; // only for places: nothing is there\n"
            "        Same(\"the size of $type\", *at++, (ulong)sizeof($name));\n",
            "name", name, "type", t->name, NULL);
    for (const bind_member *m = t->members; m; m = m->next)
        out_put(k->out,
                "        Same(\"the place of $type.$member\", *at++, (ulong)((byte*)$address$as$name - (byte*)v));\n",
                "type", t->name, "member", m->name, "address", is_buffer(m) ? "v->" : "&v->", "as",
                t->form == BIND_UNION && m != t->members ? "@as." : "", "name", spell_member_name(k, t, m->name), NULL);
    out_put(k->out, "    }\n", NULL);
}

static void put_layout(const sharp *k)
{
    const bindings *b = k->b;
    out_put(k->out, layout_head, "name", b->name, "stem", b->stem, "count",
            arena_printf(k->arena, "%" PRIu64, bind_layout_count(b)), "id",
            arena_printf(k->arena, "0x%016" PRIx64, b->schema->protocol ? b->schema->id : 0), NULL);
    out_indent(k->out);
    for (const bind_type *t = b->types; t; t = t->next)
        if (t->form != BIND_OPAQUE)
            put_layout_of(k, t);
    out_dedent(k->out);
    out_put(k->out, "    }\n}\n", NULL);
}

/* ---- the file */

static const char cs_head[] =
    "/* $stem.cs - types and functions of $stem.pkt" BANNER_GENERATED "\n"
    " *\n"
    " * The functions are those of $stem.h, where comments explain them, in a library that has ${stem}_bind.c. They keep no\n"
    " * pointer. Compile with -unsafe, or \"Allow 'unsafe' Code\" in Unity. C# 7.0. */\n"
    "#pragma warning disable 169, 649\n"
    "using System.Runtime.InteropServices;\n"
    "\n"
    "namespace $namespace\n"
    "{\n"
    "public enum pkt_code\n"
    "{\n"
    "    ok, end, range, order, padding, utf8, check, canonical, trailing, crc, capacity, value, baseline\n"
    "}\n"
    "\n";

static const char packets_head[] =
    "public static unsafe class Packets\n"
    "{\n"
    "#if UNITY_IOS && !UNITY_EDITOR\n"
    "    public const string Library = \"__Internal\";\n"
    "#else\n"
    "    public const string Library = \"$stem\";\n"
    "#endif\n"
    "\n"
    "    static Packets()\n"
    "    {\n"
    "        Layout_.Check();\n"
    "    }\n"
    "\n"
    "    /// <summary>A text of a field, up to its zero byte.</summary>\n"
    "    public static string text(byte* from, int room)\n"
    "    {\n"
    "        int size = 0;\n"
    "        while (size < room && from[size] != 0)\n"
    "            size++;\n"
    "        return size == 0 ? \"\" : global::System.Text.Encoding.UTF8.GetString(from, size);\n"
    "    }\n"
    "\n"
    "    /// <summary>Sets the text of a field to as many characters as there is room for.</summary>\n"
    "    public static void set_text(byte* to, int room, string value)\n"
    "    {\n"
    "        int count = 0, size = 0;\n"
    "        while (count < value.Length)\n"
    "        {\n"
    "            bool pair = char.IsSurrogatePair(value, count);\n"
    "            size += pair ? 4 : value[count] < 0x80 ? 1 : value[count] < 0x800 ? 2 : 3;\n"
    "            if (size >= room)\n"
    "                break;\n"
    "            count += pair ? 2 : 1;\n"
    "        }\n"
    "        size = 0;\n"
    "        if (count > 0)\n"
    "            fixed (char* from = value)\n"
    "                size = global::System.Text.Encoding.UTF8.GetBytes(from, count, to, room);\n"
    "        while (size < room)\n"
    "            to[size++] = 0;\n"
    "    }\n"
    "\n";

void bind_cs(const bindings *b, out *to)
{
    sharp k = {.arena = b->arena, .b = b, .out = to};
    out_put(to, cs_head, "stem", b->stem, "namespace", spell_name(&k, b->name), NULL);
    for (const decl *d = b->schema->decls; d; d = d->next)
        if (d->kind == DECL_ENUM || d->kind == DECL_FLAGS)
            put_enum(&k, d);
    for (const bind_type *t = b->types; t; t = t->next)
        put_declared(&k, t);
    out_put(to, "public static class Constants\n{\n", NULL);
    out_indent(to);
    put_constants(&k, true);
    close_block(&k);
    out_put(to, packets_head, "stem", b->stem, NULL);
    out_indent(to);
    if (b->schema->protocol)
        out_format(to, "public const ulong PROTOCOL_ID = 0x%016" PRIx64 ";\n", b->schema->id);
    put_constants(&k, false);
    out_put(to, "\n", NULL);
    for (const bind_function *f = b->functions; f; f = f->next)
        put_function(&k, f);
    close_block(&k);
    put_layout(&k);
    out_put(to, "}\n", NULL);
}
