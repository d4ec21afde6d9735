/* words.c - what a script in Godot sees of words.pkt: names, views, and what is refused with a message and changes nothing.
 * SPDX-License-Identifier: MIT
 */
#include "words_godot.c"

#include "engine.h"

static void check(bool good, const char *what)
{
    if (!good)
        printf("failed: %s (%s)\n", what, last_error);
}

/* The last call was refused with this message. */
static void refused(const char *message)
{
    if (strcmp(last_error, message) != 0)
        printf("'%s', not '%s'\n", last_error, message);
}

static variant array_of(GDExtensionVariantType type, const void *data, int64_t count)
{
    return (variant){type, {.pointer = hold(data, count, size_of_element(type))}};
}

static void check_names(void)
{
    const char *const names[] = {"WordsObject.constructor", "WordsObject.set_",     "WordsObject.free_",
                                 "WordsObject.toObject",    "WordsLet.object",      "WordsLet.var_",
                                 "WordsData.equal_",        "WordsData.pack_",      "WordsPoint.init_",
                                 "WordsData.with",          "WordsArguments.await_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char owner[100];
        const char *dot = strchr(names[i], '.');
        snprintf(owner, sizeof owner, "%.*s", (int)(dot - names[i]), names[i]);
        check(find_property(owner, dot + 1) != NULL, names[i]);
    }
    const engine_property *wide = find_property("WordsArguments", "wide"),
                          *keys = find_property("WordsArguments", "keys");
    const engine_property *tag = find_property("WordsLet", "tag"), *code = find_property("WordsPktError", "code");
    check(strcmp(wide->of, "WordsPackets.Wide") == 0 && wide->usage == (6 | 1 << 16), "an enum");
    check(strcmp(keys->of, "WordsPackets.load") == 0 && keys->usage == (6 | 1 << 9), "flags");
    check(strcmp(tag->of, "WordsPackets.let_tag") == 0 && strcmp(code->of, "WordsPackets.pkt_code") == 0,
          "a tag and a code");
    const engine_constant wanted[] = {{"WordsPackets", "yield_", "", 3, false},
                                      {"WordsPackets", "null_one", "null_", 4, false},
                                      {"WordsPackets", "Wide_far", "Wide", INT64_MIN + 1, false},
                                      {"WordsPackets", "load_jump", "load", 2, true},
                                      {"WordsPackets", "let_tag_var", "let_tag", 1, false},
                                      {"WordsPackets", "pkt_code_baseline", "pkt_code", 12, false},
                                      {"WordsFunction", "MAX_BYTES", "", 8, false}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        bool found = false;
        for (size_t k = 0; k < constant_count; k++) {
            const engine_constant *c = &engine_constants[k], *w = &wanted[i];
            found |= strcmp(c->owner, w->owner) == 0 && strcmp(c->name, w->name) == 0 && strcmp(c->of, w->of) == 0 &&
                     c->value == w->value && c->flags == w->flags;
        }
        check(found, wanted[i].name);
    }
    check(strstr(help, "<class name=\"WordsArguments\" inherits=\"RefCounted\"><brief_description>Ends here: */ no."
                       "</brief_description>") != NULL,
          "the help of a class");
    check(
        strstr(help, "<member name=\"marks\" type=\"PackedInt32Array\" setter=\"set_marks_\" getter=\"get_marks_\">") !=
            NULL,
        "the help of a member");
}

static void check_values(variant data)
{
    const uint8_t bytes[5] = {1, 2, 3, 4, 5};
    const int64_t longs[] = {-1, INT64_MIN, 3};
    variant v, text;
    put(data, "name", of_text("sechs\xc3\xbc\xc3\xbc"));
    text = get(data, "name");
    check(strcmp(text_of(&text.value), "sechs\xc3\xbc") == 0, "a text is cut before what does not fit");
    drop(text);
    put(data, "blob", of_bytes(bytes, 4));
    put(data, "blob", of_bytes(bytes, 5));
    refused("WordsData.blob: more bytes than it has room for");
    check(number_in(data, "blob_size") == 4, "the bytes stay");
    put(data, "longs", array_of(GDEXTENSION_VARIANT_TYPE_PACKED_INT64_ARRAY, longs, 2));
    put(data, "longs", array_of(GDEXTENSION_VARIANT_TYPE_PACKED_INT64_ARRAY, longs, 3));
    refused("WordsData.longs: more elements than it has room for");
    check(number_in(data, "longs_count") == 2 && CALL(data, "longs_at", of_number(1)).value.number == INT64_MIN,
          "elements stay");
    drop(CALL(data, "longs_at", of_number(2)));
    refused("WordsData.longs: there is no such element");
    drop(CALL(data, "longs_put", of_number(-1), of_number(0)));
    refused("WordsData.longs: there is no such element");
    put(data, "try_unpack", of_number(-32768));
    put(data, "try_unpack", of_number(32768));
    refused("WordsData.try_unpack: out of the range of its type");
    check(number_in(data, "try_unpack") == -32768, "a number stays");
    const int32_t marks[] = {7, 65536};
    put(data, "count", of_number(2));
    put(data, "marks", array_of(GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY, marks, 2));
    refused("WordsData.marks: out of the range of its type");
    v = get(data, "marks");
    check((*(sequence **)&v.value)->count == 2 && *int32_at(&v.value, 0) == 0, "all elements stay");
    drop(v);
    v = array_of(GDEXTENSION_VARIANT_TYPE_ARRAY, NULL, 2);
    *variant_at(&v.value, 0) = make("WordsObject");
    *variant_at(&v.value, 1) = of_number(1);
    put(data, "grid", v);
    refused("WordsData.grid: an element of another type");
    v = array_of(GDEXTENSION_VARIANT_TYPE_ARRAY, NULL, 1);
    *variant_at(&v.value, 0) = make("WordsPoint");
    put(data, "grid", v);
    refused("WordsData.grid: no object of its class");
    v = array_of(GDEXTENSION_VARIANT_TYPE_ARRAY, NULL, 2);
    *variant_at(&v.value, 0) = of_bytes(bytes, 2);
    *variant_at(&v.value, 1) = of_bytes(bytes, 3);
    put(data, "blobs", v);
    refused("WordsData.blobs: more bytes than it has room for");
    check(((uint8_t *)memory_of(data))[find_property("WordsData", "blobs") ? offsetof(Data, blobs) : 0] == 0,
          "all bytes stay");
    put(data, "with", make("WordsObject"));
    refused("WordsData.with: no object of its class");
    put(data, "with", (variant){GDEXTENSION_VARIANT_TYPE_OBJECT, {0}});
    refused("WordsData.with: no object of its class");
    put(data, "target", of_number(-1));
    refused("WordsData.target: out of the range of its type");
}

/* Views see and change the value of their owner, which they keep alive. */
static void check_views(void)
{
    variant data = make("WordsData"), with = get(data, "with"), var, packed, read = make("WordsData"), seen;
    var = make("WordsArguments");
    put(var, "wide", of_number(INT64_MIN + 1));
    put(with, "var_", again(var));
    check(number_in(with, "tag") == 1, "an arm sets the tag");
    put(var, "wide", of_number(0));
    drop(var);
    packed = call0(data, "pack");
    drop(data);
    var = get(with, "var_");
    drop(with);
    check(number_in(var, "wide") == INT64_MIN + 1, "a view lives longer than its owner");
    drop(var);
    check(CALL(read, "unpack", again(packed)).value.number == 1, "a packet");
    with = get(read, "with");
    var = get(with, "var_");
    seen = get(read, "with");
    put(var, "keys", of_number(3));
    drop(var);
    var = get(seen, "var_");
    check(number_in(var, "keys") == 3, "two views are of one value");
    drop(var);
    drop(seen);
    drop(with);
    drop(packed);
    drop(read);
}

static void check_calls(variant data)
{
    variant error = make("WordsPktError"), old = make("WordsPoint"), now = make("WordsPoint"),
            next = make("WordsPoint");
    const variant null = {GDEXTENSION_VARIANT_TYPE_NIL, {0}};
    variant packed = call0(data, "pack"), field;
    check((*(sequence **)&packed.value)->count > 8, "a packet");
    (*(sequence **)&packed.value)->data[9] ^= 1;
    check(CALL(data, "unpack", again(packed), again(error)).value.number == 0, "a damaged packet");
    check(number_in(error, "code") == PKT_ERROR_CRC && number_in(error, "bit") == 0, "its error");
    field = get(error, "field");
    check(strcmp(text_of(&field.value), "Data.crc") == 0, "its field");
    drop(field);
    check(CALL(data, "unpack", packed).value.number == 0, "without an error");
    check(CALL(data, "unpack", of_bytes(NULL, 0)).value.number == 0, "no bytes");
    drop(call0(data, "equal"));
    refused("call error 4, argument 0, expected 1");
    drop(CALL(data, "equal", again(data), again(data)));
    refused("call error 3, argument 0, expected 1");
    drop(CALL(data, "equal", of_text("x")));
    refused("call error 2, argument 0, expected 24");
    for (int i = 0; i < 2; i++) {
        drop(CALL(data, "equal", (variant){GDEXTENSION_VARIANT_TYPE_OBJECT, {0}}));
        refused("WordsData.equal: 'b' is null, of another class or out of range");
        drop(CALL(data, "equal", again(old)));
        refused("WordsData.equal: 'b' is null, of another class or out of range");
        drop(CALL(data, "cells_set", of_number(-1)));
        refused("WordsData.cells_set: 'index' is null, of another class or out of range");
    }
    check(CALL(data, "cells_set", of_number(69)).value.number == 1 && call0(data, "cells_count").value.number == 1,
          "a sparse array");
    put(old, "text", of_text("the same in both"));
    put(now, "text", of_text("the same in both"));
    put(now, "init_", of_number(-3));
    packed = CALL(now, "pack_delta", again(old));
    check(CALL(next, "unpack_delta", again(old), packed).value.number == 1 && number_in(next, "init_") == -3,
          "a delta");
    packed = CALL(now, "pack_delta", null, again(error));
    check(CALL(next, "unpack_delta", null, packed, error).value.number == 1 && last_error[0] == 0,
          "a delta without a baseline");
    drop(next);
    drop(old);
    drop(now);
}

int main(int argc, char **argv)
{
    start(words_godot_init);
    if (argc > 1) {
        printf("%s\n%zu classes\n", last_error, class_count);
        return argv[1][0] != 'w';
    }
    check_names();
    variant data = make("WordsData");
    check_values(data);
    check_calls(data);
    drop(data);
    check_views();
    stop();
    puts("passed");
    return 0;
}
