/* faults.c - a value that cannot be written is reported alike for each release that is served, and never sent.
 * SPDX-License-Identifier: MIT
 */
#include "faults_serve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 8, BUDGET = 600, NEWEST = 2 };

static unsigned long failures, checks;

static void check(bool good, const char *what, const char *fault, uint32_t release)
{
    checks++;
    if (!good && failures++ < 20)
        fprintf(stderr, "%s, release %u: %s\n", fault, (unsigned)release, what);
}

static void init_unit(Unit *u)
{
    Unit_init(u);
    u->kind = Kind_tank;
    u->x = 100;
    u->health = 100;
    strcpy(u->label, "Ann");
}

static void break_x(Unit *u)
{
    u->x = NAN;
}
static void break_infinite(Unit *u)
{
    u->x = -INFINITY;
}
static void break_health(Unit *u)
{
    u->health = 999;
}
static void break_kind(Unit *u)
{
    u->kind = (Kind)9;
}
static void break_way(Unit *u)
{
    u->way.x = u->way.y = u->way.z = 0;
}
static void break_turn(Unit *u)
{
    u->turn.w = NAN;
}
static void break_label(Unit *u)
{
    memset(u->label, 'a', sizeof u->label);
}
static void break_text(Unit *u)
{
    strcpy(u->label, "Zo\xc3");
}

static const struct {
    const char *field;
    pkt_code code;
    void (*break_it)(Unit *u);
} faults[] = {
    {"x", PKT_ERROR_VALUE, break_x},           {"x", PKT_ERROR_VALUE, break_infinite},
    {"health", PKT_ERROR_RANGE, break_health}, {"kind", PKT_ERROR_RANGE, break_kind},
    {"way", PKT_ERROR_RANGE, break_way},       {"turn", PKT_ERROR_RANGE, break_turn},
    {"label", PKT_ERROR_VALUE, break_label},   {"label", PKT_ERROR_UTF8, break_text},
};

static ToClient_peer peer;
static ToClient out;
static World world;
static World_served served, sent;
static pkt_element order[UNITS];
static uint32_t count;
static pkt_fit_report report;
static pkt_error error;
static uint8_t data[BUDGET];

static void begin(uint32_t release)
{
    memset(&peer, 0, sizeof peer);
    peer.release = release;
    ToClient_init(&out);
    out.tick = 7;
    World_init(&world);
    for (int i = 0; i < UNITS; i++)
        init_unit(&world.units[i]);
    World_quantize(&world);
}

static size_t pack(void)
{
    count = UNITS;
    for (uint32_t i = 0; i < UNITS; i++)
        order[i].number = UNITS - 1 - i;
    if (!ToClient_fit_pack_for(&peer, &out, &served, &sent, order, &count, sizeof data, &report)) {
        error = report.error;
        return 0;
    }
    return ToClient_pack_for_error(&peer, &out, &sent, 0, data, sizeof data, &error);
}

static void test_elements(size_t f, uint32_t release)
{
    static Unit blank;
    static ToClient got;
    static ToClient_peer receiver;
    char field[PKT_FIELD_SIZE];
    const char *name = faults[f].field;
    begin(release);
    faults[f].break_it(&world.units[3]);
    check(World_serve(&served, release, &world, &error), "World_serve fails", name, release);
    const size_t size = pack();
    check(size != 0, "nothing is sent", name, release);
    check(report.kept == UNITS - 1 && count == UNITS - 1, "the others are not sent", name, release);
    check(report.invalid == 1 && report.left_out == 0 && report.absent == 0 && report.cut == 0, "counts", name,
          release);
    check(order[count].number == 3, "order", name, release);
    snprintf(field, sizeof field, "ToClient.world.units[3].%s", name);
    check(strcmp(report.error.field, field) == 0, report.error.field, name, release);
    check(report.error.code == faults[f].code, pkt_code_name(report.error.code), name, release);
    memset(&receiver, 0, sizeof receiver);
    receiver.release = release;
    check(ToClient_unpack_for_error(&receiver, &got, 0, data, size, &error), "it cannot be read", name, release);
    check(ToClient_pack_for_error(&peer, &out, &served, 0, data, sizeof data, &error) == 0, "it is sent", name,
          release);
    snprintf(field, sizeof field, "units[3].%s", name);
    check(error.code == faults[f].code && strstr(error.field, field), error.field, name, release);
    Unit_init(&blank);
    check(Unit_equal(&got.world.units[3], &blank), "something was made of it", name, release);
    check(got.world.units[2].health == 100, "another is not sent", name, release);
}

static void test_deltas(size_t f, uint32_t release)
{
    static Whole v;
    static Whole_served now, sent;
    char field[PKT_FIELD_SIZE];
    const char *name = faults[f].field;
    Whole_init(&v);
    for (int i = 0; i < UNITS; i++)
        init_unit(&v.units[i]);
    Whole_quantize(&v);
    faults[f].break_it(&v.units[3]);
    check(Whole_serve(&now, release, &v, &error), "Whole_serve fails", name, release);
    count = UNITS;
    for (uint32_t i = 0; i < UNITS; i++)
        order[i].number = i;
    check(Whole_fit_pack_delta_for(NULL, &now, &sent, order, &count, BUDGET, &report), "nothing fits", name, release);
    check(count == UNITS - 1 && report.invalid == 1 && order[count].number == 3, "counts of a delta", name, release);
    snprintf(field, sizeof field, "Whole.units[3].%s", name);
    check(strcmp(report.error.field, field) == 0, report.error.field, name, release);
    check(Whole_pack_delta_for_error(NULL, &sent, data, sizeof data, &error) != 0, "no delta", name, release);
}

/* A packet that is sent whole is refused. */
static void test_packets(size_t f, uint32_t release)
{
    static Plain v;
    static Whole whole;
    char field[PKT_FIELD_SIZE];
    const char *name = faults[f].field;
    init_unit(&v.unit);
    Plain_quantize(&v);
    check(Plain_pack_for_error(release, &v, data, sizeof data, &error) != 0, "a good one is refused", name, release);
    faults[f].break_it(&v.unit);
    check(Plain_pack_for_error(release, &v, data, sizeof data, &error) == 0, "a packet is sent", name, release);
    snprintf(field, sizeof field, "Plain.unit.%s", name);
    check(strcmp(error.field, field) == 0, error.field, name, release);
    check(error.code == faults[f].code, pkt_code_name(error.code), name, release);
    Whole_init(&whole);
    faults[f].break_it(&whole.units[5]);
    check(Whole_pack_for_error(release, &whole, data, sizeof data, &error) == 0, "a whole value is sent", name,
          release);
}

static void test_events(uint32_t release)
{
    begin(release);
    faults[0].break_it(&world.units[3]);
    check(World_serve(&served, release, &world, &error), "World_serve fails", "events", release);
    out.events_count = 3;
    out.events[0].tag = out.events[1].tag = out.events[2].tag = Event_tag_killed;
    out.events[1].as.killed.killer = 9;
    check(pack() != 0, "nothing is sent", "events", release);
    check(out.events_count == 1 && report.cut == 1, "the array is not cut", "events", release);
    check(report.invalid == 1 && order[count].number == 3, "invalid", "events", release);
    check(strcmp(report.error.field, "ToClient.events[1].killed.killer") == 0, report.error.field, "events", release);
    out.events_count = 2;
    out.events[1].tag = (Event_tag)7;
    check(pack() != 0 && out.events_count == 1 && report.cut == 1, "a tag", "events", release);
    out.events[0].tag = Event_tag_chat;
    memset(out.events[0].as.chat.text, 'x', sizeof out.events[0].as.chat.text);
    check(pack() != 0 && out.events_count == 0 && report.cut == 1, "a text", "events", release);
    check(strcmp(report.error.field, "ToClient.events[0].chat.text") == 0, report.error.field, "events", release);
}

/* Without T_fit_pack_for nothing is cut. */
static void test_whole_events(uint32_t release)
{
    begin(release);
    check(World_serve(&served, release, &world, &error), "World_serve fails", "events", release);
    out.events_count = 2;
    out.events[0].tag = Event_tag_killed;
    out.events[1].tag = (Event_tag)7;
    check(ToClient_pack_for_error(&peer, &out, &served, 0, data, sizeof data, &error) == 0 && out.events_count == 2,
          "sent", "events", release);
    check(strncmp(error.field, "ToClient.events[1]", 18) == 0, error.field, "events", release);
}

/* Faults of other fields. */
static void test_rest(uint32_t release)
{
    begin(release);
    check(World_serve(&served, release, &world, &error), "World_serve fails", "rest", release);
    out.you = 9;
    check(pack() == 0 && count == 0, "sent", "you", release);
    check(strcmp(error.field, "ToClient.you") == 0, error.field, "you", release);
    check(strcmp(report.error.field, "ToClient.you") == 0, report.error.field, "you", release);
    world.wind = 10;
    out.you = 1;
    if (release == NEWEST) { /* found when it is written */
        check(World_serve(&served, release, &world, &error) && pack() == 0, "sent", "wind", release);
        check(strcmp(error.field, "ToClient.world.wind") == 0, error.field, "wind", release);
    } else {
        check(!World_serve(&served, release, &world, &error), "served", "wind", release);
        check(strcmp(error.field, "World.wind") == 0, error.field, "wind", release);
    }
}

/* A release that is not served, and a value in the form of another one. */
static void test_releases(void)
{
    begin(NEWEST);
    check(World_serve(&served, NEWEST, &world, &error), "World_serve fails", "releases", NEWEST);
    for (uint32_t release = 0; release <= NEWEST + 1; release++) {
        peer.release = release;
        check((pack() != 0) == (release == NEWEST), "of another release", "releases", release);
        check(release == NEWEST || strcmp(error.field, "ToClient.release") == 0, error.field, "releases", release);
    }
    check(!World_serve(&served, 0, &world, &error), "served", "releases", 0);
    check(strcmp(error.field, "World.release") == 0, error.field, "releases", 0);
}

int main(void)
{
    test_releases();
    for (uint32_t release = 1; release <= NEWEST; release++) {
        for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
            test_elements(f, release);
            test_deltas(f, release);
            test_packets(f, release);
        }
        test_events(release);
        test_whole_events(release);
        test_rest(release);
    }
    printf(failures == 0 ? "[  PASSED  ] %lu test(s).\n" : "[  FAILED  ] %lu test(s)\n",
           failures == 0 ? checks : failures);
    return failures != 0;
}
