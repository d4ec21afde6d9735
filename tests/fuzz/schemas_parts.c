/* schemas_parts.c - random packets with parts that are deltas to named baselines.
 * SPDX-License-Identifier: MIT
 */
#include "schemas_internal.h"

#include <inttypes.h>
#include <stdio.h>

/* A type that a part can have. */
typedef struct part_type {
    const char *name;
    bool fits, predicts;
} part_type;

/* How a packet calls the fields that name its parts: "n0", "head.n0". */
typedef struct part_fields {
    const char *path;
    uint32_t number;
    bool optional; /* back is */
} part_fields;

static void put_part_type(maker *m, const char *name, bool predicts)
{
    begin_type(m, true, false);
    m->part = true;
    put(m, "struct %s @delta%s {\n", name, predicts ? "(predict)" : "");
    if (predicts)
        put(m, "int<-500, 500> seen%s coded;\n", one_in(m, 2) ? "[5]" : "");
    put(m, "bits<%" PRIu32 "> fitted[%" PRIu32 "] @fit;\n", lot_between(&m->lot, 1, 20), lot_between(&m->lot, 1, 40));
    for (uint32_t lists = below(m, 3); lists > 0 && m->keyed_count > 0; lists--)
        (void)put_list(m, &m->keyed[below(m, m->keyed_count)], true);
    put_items(m, below(m, 5), 0);
    put(m, "}\n");
}

/* number, back and gap. Returns whether back is optional. A baseline is at most 101 values back, and the value from which it moved at most 105. */
static bool put_part_fields(maker *m, uint32_t number)
{
    const bool optional = !one_in(m, 6);
    put(m, "u%" PRIu32 " n%" PRIu32 ";\n", UINT32_C(8) << below(m, 4), number);
    put(m, "%sint<1, %" PRIu32 "> back%" PRIu32 ";\n", optional ? "optional " : "", lot_between(&m->lot, 1, 100),
        number);
    put(m, "%sint<%d, 4> gap%" PRIu32 ";\n", one_in(m, 2) ? "optional " : "", 1 + one_in(m, 4), number);
    return optional;
}

static void put_part(maker *m, uint32_t index, const part_type *of_type, const part_fields *of, bool fit)
{
    static const char *const shifts[][2] = {{"", ""}, {" + 1", " + 1"}, {"", " - 1"}, {" - 3", " - 3"}};
    const char *const *shift = shifts[below(m, 4)];
    put(m, "%s%s part%" PRIu32 " delta(%sn%" PRIu32 "%s from %sn%" PRIu32 " - %sback%" PRIu32 "%s",
        one_in(m, 3) ? "optional " : "", of_type->name, index, of->path, of->number, shift[0], of->path, of->number,
        of->path, of->number, shift[1]);
    if (of_type->predicts && !one_in(m, 5))
        put(m, " after %sn%" PRIu32 "%s - %sback%" PRIu32 " - %sgap%" PRIu32, of->path, of->number, shift[1], of->path,
            of->number, of->path, of->number);
    put(m, "%s)%s;\n", of->optional && one_in(m, 2) ? " else start" : "", fit ? " @fit" : "");
}

static void put_datagram(maker *m, uint32_t index, const part_type *types, uint32_t type_count)
{
    const bool nested = one_in(m, 2);
    const uint32_t numbers = lot_between(&m->lot, 1, 2), parts = one_in(m, 8) ? 8 : lot_between(&m->lot, 1, 4);
    bool fit = false, optional[2] = {false, false};
    if (nested) {
        put(m, "struct Head%" PRIu32 " {\n", index);
        optional[0] = put_part_fields(m, 0);
        put(m, "}\n");
    }
    begin_type(m, false, false);
    m->part = m->datagram = true;
    put(m, "packet Datagram%" PRIu32 " {\n", index);
    put_items(m, below(m, 3), 0);
    if (nested)
        put(m, "Head%" PRIu32 " head;\n", index);
    for (uint32_t i = nested; i < numbers; i++)
        optional[i] = put_part_fields(m, i);
    /* What names a part decides about others too. */
    if (!nested && one_in(m, 2))
        put(m, "if (n0 > %" PRIu32 ") { bits<3> if_n0; }\n", below(m, 100));
    if (!nested && one_in(m, 2))
        put(m, "switch (n0) {\ncase 7: u8 case_n0;\ndefault: bool not_n0;\n}\n");
    if (one_in(m, 2))
        put(m, "bits<%" PRIu32 "> waiting[<=%" PRIu32 "] @fit;\n", lot_between(&m->lot, 1, 40),
            lot_between(&m->lot, 1, 20));
    put_items(m, below(m, 3), 0);
    for (uint32_t i = 0; i < parts; i++) {
        const part_type *of_type = &types[below(m, type_count)];
        const uint32_t number = below(m, numbers);
        const part_fields of = {
            .path = nested && number == 0 ? "head." : "", .number = number, .optional = optional[number]};
        const bool fits = of_type->fits && !fit && one_in(m, 2);
        put_part(m, i, of_type, &of, fits);
        fit |= fits;
        put_items(m, below(m, 2), 0);
    }
    put(m, "}\n");
}

void put_datagrams(maker *m, uint32_t number)
{
    part_type types[MOST_TYPES + 2] = {{"Part", true, false}, {"Moved", true, true}};
    uint32_t count = m->codes ? 2 : 1;
    put_part_type(m, "Part", false);
    if (m->codes)
        put_part_type(m, "Moved", true);
    for (uint32_t i = 0; i < m->struct_count; i++)
        if (m->structs[i].delta && !m->structs[i].refs)
            types[count++] = (part_type){m->structs[i].name, false, false};
    for (uint32_t i = 0; i < 1 + number % 2; i++)
        put_datagram(m, i, types, count);
}
