/* test_valid.c - tests T_valid: it refuses what T_write and T_pack refuse, for the same reason and in the same field.
 * SPDX-License-Identifier: MIT
 */
#include "valid.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static va_Sheet good_sheet(void)
{
    va_Sheet v;
    va_Sheet_init(&v);
    v.color = va_Color_red;
    v.end = 1;
    v.list_count = 2;
    va_Choice_init(&v.choice);
    return v;
}

/* What T_write, T_valid and T_pack say about a value. An empty field: it can be written. */
#define CHECK_TYPE(T)                                                                    \
    static void check_##T(const va_##T *v, pkt_code code, const char *field)             \
    {                                                                                    \
        static uint8_t data[va_##T##_MAX_BYTES];                                         \
        const bool good = code == PKT_OK;                                                \
        pkt_error error, packed;                                                         \
        pkt_writer w;                                                                    \
        memset(&error, 0xa5, sizeof error);                                              \
        pkt_writer_init(&w, data, sizeof data);                                          \
        assert_int_equal(va_##T##_write(&w, v), good);                                   \
        assert_int_equal(va_##T##_valid(v, &error), good);                               \
        assert_int_equal(va_##T##_valid(v, NULL), good);                                 \
        assert_int_equal(error.code, code);                                              \
        assert_string_equal(error.field, field);                                         \
        assert_int_equal(error.bit, w.error.bit);                                        \
        assert_int_equal(w.error.code, code);                                            \
        assert_string_equal(w.error.field, field);                                       \
        assert_int_equal(va_##T##_pack_error(v, data, sizeof data, &packed) != 0, good); \
        assert_int_equal(packed.code, code);                                             \
        assert_string_equal(packed.field, field);                                        \
    }
CHECK_TYPE(Sheet)
CHECK_TYPE(Chosen)

#define CHECK(member, value, code, field) \
    do {                                  \
        va_Sheet v = good_sheet();        \
        v.member = (value);               \
        check_Sheet(&v, code, field);     \
    } while (0)

TEST(test_good)
{
    CHECK(narrow, 31, PKT_OK, "");
    CHECK(name[0], 'x', PKT_OK, "");
    CHECK(die, 7, PKT_OK, "");  /* absent */
    CHECK(more, 7, PKT_OK, ""); /* on a side that is not taken */
    CHECK(list[2], 7, PKT_OK, "");
}

TEST(test_numbers)
{
    CHECK(narrow, 32, PKT_ERROR_RANGE, "Sheet.narrow");
    CHECK(tiny, -4, PKT_ERROR_RANGE, "Sheet.tiny");
    CHECK(tiny, 4, PKT_ERROR_RANGE, "Sheet.tiny");
    CHECK(limited, 1001, PKT_ERROR_RANGE, "Sheet.limited");
    CHECK(color, (va_Color)3, PKT_ERROR_RANGE, "Sheet.color");
    CHECK(usual, 10, PKT_ERROR_RANGE, "Sheet.usual");
    CHECK(end, 0, PKT_ERROR_ORDER, "Sheet.end");
    CHECK(spots[1].x, 100, PKT_ERROR_RANGE, "Sheet.spots[1].x");
}

TEST(test_reals)
{
    CHECK(real, NAN, PKT_ERROR_VALUE, "Sheet.real");
    CHECK(fine, NAN, PKT_ERROR_VALUE, "Sheet.fine");
    CHECK(angle, NAN, PKT_ERROR_VALUE, "Sheet.angle");
    CHECK(turn.x, NAN, PKT_ERROR_RANGE, "Sheet.turn");
    CHECK(turn.w, INFINITY, PKT_ERROR_RANGE, "Sheet.turn");
    CHECK(way.z, NAN, PKT_ERROR_RANGE, "Sheet.way");
}

TEST(test_texts)
{
    va_Sheet v = good_sheet();
    CHECK(name[0], '\xC3', PKT_ERROR_UTF8, "Sheet.name");
    memset(v.name, 'x', sizeof v.name);
    check_Sheet(&v, PKT_ERROR_VALUE, "Sheet.name");
    CHECK(blob_size, 5, PKT_ERROR_RANGE, "Sheet.blob_size");
}

/* A name that is cut in the middle of a character cannot be written; pkt_text_set cuts it before that character. */
TEST(test_cut_text)
{
    static const char name[] = "xy\xC3\xBC\xC3\xBC\xC3\xBC";
    va_Sheet v = good_sheet();
    memcpy(v.name, name, sizeof v.name - 1);
    check_Sheet(&v, PKT_ERROR_UTF8, "Sheet.name");
    assert_false(pkt_text_set(v.name, sizeof v.name, name));
    assert_string_equal(v.name, "xy\xC3\xBC\xC3\xBC");
    check_Sheet(&v, PKT_OK, "");
    assert_true(pkt_text_set(v.name, sizeof v.name, "x\xC3\xBC\xC3\xBC\xC3\xBC"));
    check_Sheet(&v, PKT_OK, "");
}

TEST(test_containers)
{
    va_Sheet v = good_sheet();
    CHECK(list_count, 1, PKT_ERROR_RANGE, "Sheet.list_count");
    CHECK(list_count, 4, PKT_ERROR_RANGE, "Sheet.list_count");
    CHECK(choice.tag, (va_Choice_tag)2, PKT_ERROR_RANGE, "Sheet.choice.tag");
    v.has_die = true;
    v.die = 7;
    check_Sheet(&v, PKT_ERROR_RANGE, "Sheet.die");
    v = good_sheet();
    v.tiny = 1;
    v.more = 7;
    check_Sheet(&v, PKT_ERROR_RANGE, "Sheet.more");
    v = good_sheet();
    v.choice.tag = va_Choice_tag_spot;
    v.choice.as.spot.x = 4;
    check_Sheet(&v, PKT_ERROR_RANGE, "Sheet.choice.spot.x");
}

TEST(test_subset)
{
    va_Chosen v;
    va_Chosen_init(&v);
    v.chosen[6] = 10;
    check_Chosen(&v, PKT_OK, ""); /* absent */
    v.chosen_present[0] = 1 << 6;
    check_Chosen(&v, PKT_ERROR_RANGE, "Chosen.chosen[6]");
    v.chosen_present[0] = 7;
    check_Chosen(&v, PKT_ERROR_RANGE, "Chosen.chosen");
    v.chosen_present[0] = 1 << 8;
    check_Chosen(&v, PKT_ERROR_RANGE, "Chosen.chosen");
}

static uint32_t id_of(void *user, uint32_t type, const void *target)
{
    (void)type;
    return target ? *(const uint32_t *)user : 0;
}

TEST(test_refs)
{
    uint32_t id = 10;
    pkt_refs refs = {.id_of = id_of, .user = &id};
    pkt_error error;
    va_Thing thing = {0};
    va_Linked v;
    va_Linked_init(&v);
    assert_true(va_Linked_valid(&v, &error));
    assert_true(va_Linked_valid_refs(&v, NULL, &error));
    v.thing = &thing;
    assert_false(va_Linked_valid(&v, &error)); /* without callbacks, nothing has an id */
    assert_int_equal(error.code, PKT_ERROR_VALUE);
    assert_string_equal(error.field, "Linked.thing");
    assert_int_equal(error.bit, 8);
    assert_true(va_Linked_valid_refs(&v, &refs, &error));
    assert_int_equal(error.code, PKT_OK);
    id = 11;
    assert_false(va_Linked_valid_refs(&v, &refs, &error));
    assert_int_equal(error.code, PKT_ERROR_RANGE);
    id = 10;
    v.digit = 10;
    assert_false(va_Linked_valid_refs(&v, &refs, NULL));
}
