/* test_chains.c - tests computed counts, and arrays whose elements are deltas to the ones before them.
 * SPDX-License-Identifier: MIT
 */
#include "chains.h"
#include "chains_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 256 };

static uint64_t state_of_draws = 1;

static uint32_t draw(uint32_t n)
{
    state_of_draws ^= state_of_draws << 13;
    state_of_draws ^= state_of_draws >> 7;
    state_of_draws ^= state_of_draws << 17;
    return (uint32_t)(state_of_draws % n);
}

static ch_Inputs draw_inputs(void)
{
    ch_Inputs v;
    ch_Inputs_init(&v);
    v.head.tick = draw(1000);
    v.head.repeated = (uint16_t)(draw(65536) & draw(65536));
    v.last = draw(2) != 0;
    for (uint32_t i = 0; i < ch_Inputs_commands_count(&v); i++) {
        ch_Command *c = &v.commands[i];
        *c = i != 0 ? v.commands[i - 1] : *c;
        if (draw(3) == 0)
            c->held = (ch_Buttons)draw(32);
        if (draw(3) == 0)
            c->turn = (int8_t)((int)draw(201) - 100);
        if (draw(5) == 0)
            c->weapon = (uint8_t)draw(256);
    }
    return v;
}

/* The same by hand: one value after the other. Returns the bits. */
static uint64_t assemble(const ch_Inputs *v, uint8_t *data)
{
    const ch_Tail tail = {.last = v->last};
    pkt_writer w;
    pkt_writer_init(&w, data, ROOM);
    assert_true(ch_Head_write(&w, &v->head));
    for (uint32_t i = 0; i < ch_Inputs_commands_count(v); i++)
        assert_true(ch_Command_write_delta(&w, i != 0 ? &v->commands[i - 1] : NULL, &v->commands[i]));
    assert_true(ch_Tail_write(&w, &tail));
    return pkt_writer_bits(&w);
}

static void test_bits_are_those_of_deltas_by_hand(void **state)
{
    (void)state;
    for (int n = 0; n < 5000; n++) {
        uint8_t data[ROOM] = {0}, by_hand[ROOM] = {0};
        const ch_Inputs v = draw_inputs();
        ch_Inputs got;
        const uint64_t bits = assemble(&v, by_hand);
        const size_t size = ch_Inputs_pack_body(&v, data, sizeof data);
        assert_int_equal(size, (bits + 7) / 8);
        assert_memory_equal(data, by_hand, size);
        assert_int_equal(ch_Inputs_measure(&v, 0), bits);
        memset(&got, 0x55, sizeof got);
        assert_true(ch_Inputs_unpack_body(&got, data, size));
        assert_true(ch_Inputs_equal(&got, &v));
        for (size_t less = 0; less < size; less++)
            assert_false(ch_Inputs_unpack_body(&got, data, less));
    }
}

static void test_errors_name_the_element(void **state)
{
    (void)state;
    ch_Inputs v;
    uint8_t data[ROOM];
    pkt_error error;
    ch_Inputs_init(&v);
    v.head.repeated = 5;
    v.commands[2].turn = 101;
    assert_int_equal(ch_Inputs_pack_body_error(&v, data, sizeof data, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_RANGE);
    assert_string_equal(error.field, "Inputs.commands[2].turn");
    v.commands[2].turn = 100;
    const size_t size = ch_Inputs_pack_body(&v, data, sizeof data);
    assert_int_equal(size, 9);
    assert_false(ch_Inputs_unpack_body_error(&v, data, 6, &error));
    assert_int_equal(error.code, PKT_ERROR_END);
    assert_string_equal(error.field, "Inputs.commands[0].changes");
    assert_int_equal(error.bit, 48);
}

/* A small step from 98 to 100 becomes one to 101. From the element before that, which has 50, it would be in range. */
static void test_errors_know_the_element_before(void **state)
{
    (void)state;
    ch_Inputs v;
    uint8_t data[ROOM];
    pkt_error error;
    unsigned found = 0;
    ch_Inputs_init(&v);
    v.head.repeated = 3;
    v.commands[0].turn = 50;
    v.commands[1].turn = 98;
    v.commands[2].turn = 100;
    const size_t size = ch_Inputs_pack_body(&v, data, sizeof data);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (!ch_Inputs_unpack_body_error(&v, data, size, &error) && error.code == PKT_ERROR_RANGE)
            found += strcmp(error.field, "Inputs.commands[2].turn") == 0;
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_true(found > 0);
}

/* The count is never more than the array, even if fields are out of range; and then nothing is written. */
static void test_counts_stay_in_the_array(void **state)
{
    (void)state;
    ch_Counts v, other;
    uint8_t data[ROOM];
    pkt_error error;
    ch_Counts_init(&v);
    assert_int_equal(ch_Counts_rest_count(&v), 0);
    assert_int_equal(ch_Counts_sums_count(&v), 0);
    v.few = 3;
    v.held = (ch_Buttons)(ch_Buttons_left | ch_Buttons_duck);
    assert_int_equal(ch_Counts_sums_count(&v), 5);
    assert_int_equal(ch_Counts_flags_count(&v), 1);
    v.few = 255;
    v.held = (ch_Buttons)255;
    v.wide = INT64_MIN;
    v.listed_count = 255;
    assert_int_equal(ch_Counts_sums_count(&v), 10);
    assert_int_equal(ch_Counts_rounded_count(&v), 5);
    assert_int_equal(ch_Counts_names_count(&v), 6);
    assert_int_equal(ch_Counts_rest_count(&v), 8);
    assert_int_equal(ch_Counts_inside_count(&v), 8);
    other = v;
    (void)ch_Counts_equal(&v, &other);
    ch_Counts_quantize(&v);
    assert_int_equal(ch_Counts_pack_body_error(&v, data, sizeof data, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_RANGE);
    assert_string_equal(error.field, "Counts.few");
}

static void test_counts_in_comparisons_and_text(void **state)
{
    (void)state;
    ch_Counts v, other;
    char text[2000];
    ch_Counts_init(&v);
    v.few = 2;
    v.wide = 3;
    other = v;
    assert_true(ch_Counts_equal(&v, &other));
    other.rounded[2] = 5.0f; /* not in use */
    assert_true(ch_Counts_equal(&v, &other));
    other.rounded[1] = 5.0f;
    assert_false(ch_Counts_equal(&v, &other));
    v.rounded[1] = 4.9f;
    ch_Counts_quantize(&v);
    assert_true(ch_Counts_equal(&v, &other));
    FILE *to = tmpfile();
    assert_non_null(to);
    pkt_print(to, &ch_Counts_reflection, &v);
    rewind(to);
    text[fread(text, 1, sizeof text - 1, to)] = 0;
    fclose(to);
    assert_non_null(strstr(text, "rounded"));
    assert_null(strstr(text, "[2]"));
}

/* Texts pad, so the size of each element depends on where it begins; the elements are coded. */
static void test_elements_of_all_kinds(void **state)
{
    (void)state;
    ch_Lines v, got;
    uint8_t data[ROOM], by_hand[ROOM] = {0};
    pkt_writer w;
    ch_Lines_init(&v);
    v.lines_count = 3;
    strcpy(v.lines[0].text, "one");
    strcpy(v.lines[1].text, "one");
    v.lines[1].marks_count = 2;
    v.lines[1].x = 7;
    strcpy(v.lines[2].text, "three");
    v.pair[1].x = 1000;
    const size_t size = ch_Lines_pack_body(&v, data, sizeof data);
    assert_int_equal(size, (ch_Lines_measure(&v, 0) + 7) / 8);
    assert_true(ch_Lines_unpack_body(&got, data, size));
    assert_true(ch_Lines_equal(&got, &v));
    pkt_writer_init(&w, by_hand, sizeof by_hand);
    w.bit = 6; /* after the phase and the count */
    for (int i = 0; i < 3; i++)
        assert_true(ch_Line_write_delta(&w, i != 0 ? &v.lines[i - 1] : NULL, &v.lines[i]));
    for (int i = 0; i < 2; i++)
        assert_true(ch_Line_write_delta(&w, i != 0 ? &v.pair[0] : NULL, &v.pair[i]));
    assert_int_equal(w.bit + 8, ch_Lines_measure(&v, 0));
    v.lines[1].marks_count = 4;
    assert_int_equal(ch_Lines_pack_body(&v, data, sizeof data), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_are_those_of_deltas_by_hand), cmocka_unit_test(test_errors_name_the_element),
        cmocka_unit_test(test_errors_know_the_element_before),   cmocka_unit_test(test_counts_stay_in_the_array),
        cmocka_unit_test(test_counts_in_comparisons_and_text),   cmocka_unit_test(test_elements_of_all_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
