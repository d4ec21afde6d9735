/* cubes.c - sends a recorded simulation as snapshots with schemas/cubes.pkt, in fewer bits step by step.
 * SPDX-License-Identifier: MIT
 *
 * usage: cubes TRACE        TRACE is tests/data/cubes-901.trace, unpacked
 *
 * Sends 60 frames per second, each as a packet. The baseline of a frame is the newest one that the sender knows to have
 * arrived, at least 6 frames ago. A receiver reads every packet, knowing only the packets before. Its state must have
 * the same hash as the sender's. The first frames, which have no baseline, are sent and checked but not counted. Exits
 * with 0 if every frame arrived as it was sent, and deltas to a prediction need less than 256 kbit/s.
 */
#include "cubes.h"
#include "cubes_predict.h"
#include "trace.h"

enum { DELAY = 6, WARM_UP = 16, RATE = 60, BUFFER = 65536, HISTORY = 64 };
static const double TARGET = 256; /* kbit/s */

/* The state to send for a frame, with cubes as a reader will have them. */
static void state_of(int frame, State *s)
{
    State_init(s);
    for (int i = 0; i < CUBES; i++)
        TRACE_CUBE(&s->cubes[i], &trace[frame][i]);
    State_quantize(s);
}

static uint8_t scratch[BUFFER];

static uint32_t hash_of(const State *s)
{
    size_t size;
    pkt_writer w;
    pkt_writer_init(&w, scratch, sizeof scratch);
    if (!State_write(&w, s) || !pkt_writer_finish(&w, &size))
        fail("a state cannot be written");
    return pkt_crc32(0, scratch, size);
}

/* ---- the steps

   Each writes a frame against a baseline, which is NULL at first, and reads it against the reader's own. */

typedef struct frame {
    int number;
    const State *state, *base; /* the state to send, and the state of the baseline, or the predicted one */
    Baseline baseline;
} frame;

/* Bits of a packet, by purpose. */
typedef struct parts {
    double changed, index, position, orientation;
} parts;

typedef struct step {
    const char *name;
    bool has_baseline, predicts;
    size_t (*write)(const frame *f, uint8_t *data);
    bool (*read)(const State *base, State *state, const uint8_t *data, size_t size);
    void (*measure)(const frame *f, parts *p);
} step;

static size_t write_raw(const frame *f, uint8_t *data)
{
    static Raw packet;
    packet.sequence = (uint16_t)f->number;
    for (int i = 0; i < cubes_CUBES; i++) {
        const traced *t = &trace[f->number][i];
        RawCube *c = &packet.cubes[i];
        memcpy(&c->x, &t->v[0], 4);
        c->y = t->v[1];
        c->z = t->v[2];
        c->qx = t->v[3];
        c->qy = t->v[4];
        c->qz = t->v[5];
        c->qw = t->v[6];
        c->vx = t->v[7];
        c->vy = t->v[8];
        c->vz = t->v[9];
        c->touched = (t->flags & 2) != 0;
    }
    return Raw_pack(&packet, data, BUFFER);
}

static bool read_raw(const State *base, State *state, const uint8_t *data, size_t size)
{
    static Raw packet;
    (void)base;
    if (!Raw_unpack(&packet, data, size))
        return false;
    for (int i = 0; i < cubes_CUBES; i++) {
        const RawCube *c = &packet.cubes[i];
        state->cubes[i].x = c->x;
        state->cubes[i].y = c->y;
        state->cubes[i].z = c->z;
        state->cubes[i].turn.x = c->qx;
        state->cubes[i].turn.y = c->qy;
        state->cubes[i].turn.z = c->qz;
        state->cubes[i].turn.w = c->qw;
    }
    State_quantize(state);
    return true;
}

static void set_velocity(Velocity *v, const traced *t)
{
    v->x = t->v[7];
    v->y = t->v[8];
    v->z = t->v[9];
}

/* Quantized and AtRest have the same members for a cube. */
#define SET_CUBE(to, cube) ((to)->x = (cube)->x, (to)->y = (cube)->y, (to)->z = (cube)->z, (to)->turn = (cube)->turn)

static size_t write_quantized(const frame *f, uint8_t *data)
{
    static Quantized packet;
    packet.sequence = (uint16_t)f->number;
    for (int i = 0; i < cubes_CUBES; i++) {
        const traced *t = &trace[f->number][i];
        SET_CUBE(&packet.cubes[i], &f->state->cubes[i]);
        set_velocity(&packet.cubes[i].velocity, t);
        packet.cubes[i].touched = (t->flags & 2) != 0;
    }
    return Quantized_pack(&packet, data, BUFFER);
}

static bool read_quantized(const State *base, State *state, const uint8_t *data, size_t size)
{
    static Quantized packet;
    (void)base;
    if (!Quantized_unpack(&packet, data, size))
        return false;
    for (int i = 0; i < cubes_CUBES; i++)
        SET_CUBE(&state->cubes[i], &packet.cubes[i]);
    return true;
}

static size_t write_at_rest(const frame *f, uint8_t *data)
{
    static AtRest packet;
    packet.sequence = (uint16_t)f->number;
    for (int i = 0; i < cubes_CUBES; i++) {
        const traced *t = &trace[f->number][i];
        SET_CUBE(&packet.cubes[i], &f->state->cubes[i]);
        set_velocity(&packet.cubes[i].velocity, t);
        packet.cubes[i].touched = (t->flags & 2) != 0;
        packet.cubes[i].at_rest = (t->flags & 1) != 0;
    }
    return AtRest_pack(&packet, data, BUFFER);
}

static bool read_at_rest(const State *base, State *state, const uint8_t *data, size_t size)
{
    static AtRest packet;
    (void)base;
    if (!AtRest_unpack(&packet, data, size))
        return false;
    for (int i = 0; i < cubes_CUBES; i++)
        SET_CUBE(&state->cubes[i], &packet.cubes[i]);
    return true;
}

enum { POSITION_BITS = 16 + 16 + 13, CUBE_BITS = Cube_MIN_BITS, HEADER_BITS = DeltaHeader_MIN_BITS };

static void measure_all(const frame *f, parts *p, double position, double orientation)
{
    (void)f;
    p->changed = cubes_CUBES;
    p->position = position * cubes_CUBES;
    p->orientation = orientation * cubes_CUBES;
}

static void measure_raw(const frame *f, parts *p)
{
    measure_all(f, p, 96, 128);
}

static void measure_quantized(const frame *f, parts *p)
{
    measure_all(f, p, POSITION_BITS, CUBE_BITS - POSITION_BITS);
}

static bool is_changed(const frame *f, int i)
{
    return f->base == NULL || !Cube_equal(&f->base->cubes[i], &f->state->cubes[i]);
}

/* The packets with changed cubes differ only in the kind of the subset. Cubes that are not sent keep the state of the
 * baseline. */
#define SUBSET_STEP(T)                                                                         \
    static T subset_##T;                                                                       \
    static size_t write_##T(const frame *f, uint8_t *data)                                     \
    {                                                                                          \
        T##_init(&subset_##T);                                                                 \
        subset_##T.sequence = (uint16_t)f->number;                                             \
        subset_##T.baseline = f->baseline;                                                     \
        memcpy(subset_##T.cubes, f->state->cubes, sizeof subset_##T.cubes);                    \
        for (int i = 0; i < cubes_CUBES; i++)                                                  \
            if (is_changed(f, i))                                                              \
                T##_cubes_set(&subset_##T, (uint32_t)i);                                       \
        return T##_pack(&subset_##T, data, BUFFER);                                            \
    }                                                                                          \
    static bool read_##T(const State *base, State *state, const uint8_t *data, size_t size)    \
    {                                                                                          \
        T##_init(&subset_##T);                                                                 \
        if (base != NULL)                                                                      \
            memcpy(subset_##T.cubes, base->cubes, sizeof subset_##T.cubes);                    \
        if (!T##_unpack(&subset_##T, data, size))                                              \
            return false;                                                                      \
        memcpy(state->cubes, subset_##T.cubes, sizeof subset_##T.cubes);                       \
        return true;                                                                           \
    }                                                                                          \
    static void measure_##T(const frame *f, parts *p)                                          \
    {                                                                                          \
        for (int i = 0; i < cubes_CUBES; i++)                                                  \
            p->changed += is_changed(f, i);                                                    \
        p->position = POSITION_BITS * p->changed;                                              \
        p->orientation = (CUBE_BITS - POSITION_BITS) * p->changed;                             \
        p->index = (double)T##_measure(&subset_##T, 0) - HEADER_BITS - CUBE_BITS * p->changed; \
    }
SUBSET_STEP(ByFlag)
SUBSET_STEP(ByCount)
SUBSET_STEP(ByRelative)
SUBSET_STEP(ByBitmap)
SUBSET_STEP(ByAuto)

/* The number of the baseline precedes the packet, because a receiver needs it first. */
static size_t write_delta(const frame *f, uint8_t *data)
{
    DeltaHeader header;
    size_t begun, size;
    pkt_writer w;
    header.sequence = (uint16_t)f->number;
    header.baseline = f->baseline;
    pkt_writer_init(&w, data, BUFFER);
    if (!DeltaHeader_write(&w, &header) || !pkt_writer_finish(&w, &begun))
        return 0;
    size = State_pack_delta(f->base, f->state, data + begun, BUFFER - begun);
    return size == 0 ? 0 : begun + size;
}

static bool read_delta(const State *base, State *state, const uint8_t *data, size_t size)
{
    const size_t begun = (HEADER_BITS + 7) / 8;
    if (size <= begun || !State_unpack_delta(base, state, data + begun, size - begun))
        return false;
    /* A value equal to its initial value is sent as such, and need not be the exact value of a code. */
    State_quantize(state);
    return true;
}

/* The bits of a part are those that would be saved if it had not changed. Masks count as indices, because both say what
 * follows. */
static void measure_delta(const frame *f, parts *p)
{
    double inside = 0;
    for (int i = 0; i < cubes_CUBES; i++) {
        const Cube *base = f->base != NULL ? &f->base->cubes[i] : NULL, *now = &f->state->cubes[i];
        Cube placed = *now, turned = *now;
        if (!is_changed(f, i))
            continue;
        p->changed++;
        if (base == NULL)
            continue;
        placed.turn = base->turn;
        turned.x = base->x;
        turned.y = base->y;
        turned.z = base->z;
        const double whole = (double)Cube_measure_delta(base, now, 0);
        p->position += whole - (double)Cube_measure_delta(base, &turned, 0);
        p->orientation += whole - (double)Cube_measure_delta(base, &placed, 0);
    }
    inside = p->position + p->orientation;
    p->index = (double)State_measure_delta(f->base, f->state, 0) - inside;
}

static const step steps[] = {
    {"raw", false, false, write_raw, read_raw, measure_raw},
    {"quantized", false, false, write_quantized, read_quantized, measure_quantized},
    {"no velocity at rest", false, false, write_at_rest, read_at_rest, measure_quantized},
    {"changed: flag", true, false, write_ByFlag, read_ByFlag, measure_ByFlag},
    {"changed: count", true, false, write_ByCount, read_ByCount, measure_ByCount},
    {"changed: relative", true, false, write_ByRelative, read_ByRelative, measure_ByRelative},
    {"changed: bitmap", true, false, write_ByBitmap, read_ByBitmap, measure_ByBitmap},
    {"changed: auto", true, false, write_ByAuto, read_ByAuto, measure_ByAuto},
    {"delta", true, false, write_delta, read_delta, measure_delta},
    {"delta to a prediction", true, true, write_delta, read_delta, measure_delta},
};
enum { STEPS = sizeof steps / sizeof steps[0] };

/* ---- sending */

/* What a side remembers: the states of the last frames that arrived. */
typedef struct memory {
    State states[HISTORY];
    int numbers[HISTORY]; /* of frames; -1 if empty */
} memory;

static memory sender, receiver;
static State sent[FRAMES];

static const State *remembered(const memory *m, int number)
{
    return number >= 0 && m->numbers[number % HISTORY] == number ? &m->states[number % HISTORY] : NULL;
}

static void remember(memory *m, int number, const State *s)
{
    m->numbers[number % HISTORY] = number;
    m->states[number % HISTORY] = *s;
}

/* The state that a frame is written against, which its Baseline selects; NULL for none. */
static const State *base_of(const memory *m, int number, Baseline b, State *predicted)
{
    const State *base = b.back != 0 ? remembered(m, number - b.back) : NULL;
    const State *before = b.before != 0 ? remembered(m, number - b.back - b.before) : NULL;
    if (base == NULL || before == NULL)
        return base;
    predict(base, before, b.back, b.before, predicted);
    return predicted;
}

/* The newest frame that the sender knows to have arrived, and the one before it. */
static Baseline choose(const memory *m, const step *s, int number)
{
    Baseline b = {0, 0};
    for (int back = DELAY; s->has_baseline && b.back == 0 && back < HISTORY; back++)
        if (remembered(m, number - back) != NULL)
            b.back = (uint8_t)back;
    for (int before = 1; s->predicts && b.back != 0 && b.before == 0 && before < 16 && b.back + before < HISTORY;
         before++)
        if (remembered(m, number - b.back - before) != NULL)
            b.before = (uint8_t)before;
    return b;
}

/* Whether a packet is lost: one in 20, pseudo-random. */
static bool is_lost(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16 < 65536 / 20;
}

/* Returns kbit/s, or -1 if a frame did not arrive as it was sent. */
static double run(const step *s, bool lossy)
{
    static uint8_t data[BUFFER];
    static State predicted, arrived;
    parts sum = {0, 0, 0, 0};
    uint32_t seed = 7, hash = 0;
    double bits = 0, counted = 0;
    for (int i = 0; i < HISTORY; i++)
        sender.numbers[i] = receiver.numbers[i] = -1;
    for (int n = 0; n < FRAMES; n++) {
        frame f = {.number = n, .state = &sent[n], .baseline = choose(&sender, s, n)};
        f.base = base_of(&sender, n, f.baseline, &predicted);
        const size_t size = s->write(&f, data);
        if (size == 0)
            fail("a packet cannot be written");
        if (n >= WARM_UP) {
            parts p = {0, 0, 0, 0};
            s->measure(&f, &p);
            sum.changed += p.changed;
            sum.index += p.index;
            sum.position += p.position;
            sum.orientation += p.orientation;
            bits += 8 * (double)size;
            counted++;
        }
        if (lossy && is_lost(&seed))
            continue;
        State_init(&arrived);
        if (!s->read(base_of(&receiver, n, f.baseline, &predicted), &arrived, data, size))
            return -1;
        if (hash_of(&arrived) != hash_of(&sent[n]))
            return -1;
        hash = pkt_crc32(hash, data, size);
        remember(&sender, n, &sent[n]);
        remember(&receiver, n, &arrived);
    }
    const double rate = bits / counted * RATE / 1000;
    printf("%-22s %4s %10.1f %9.1f %8.2f %9.2f %12.2f   %08x\n", s->name, lossy ? "5 %" : "", rate,
           sum.changed / counted, sum.index / sum.changed, sum.position / sum.changed, sum.orientation / sum.changed,
           (unsigned)hash);
    return rate;
}

int main(int argc, char **argv)
{
    double rate = -1;
    if (argc != 2)
        fail("usage: cubes TRACE");
    load_trace(argv[1]);
    for (int n = 0; n < FRAMES; n++)
        state_of(n, &sent[n]);
    printf("%-22s %4s %10s %9s %8s %9s %12s   %s\n", "", "lost", "kbit/s", "changed", "index", "position",
           "orientation", "hash");
    for (int i = 0; i < STEPS; i++) {
        for (int lossy = 0; lossy <= (int)steps[i].has_baseline; lossy++) {
            const double now = run(&steps[i], lossy != 0);
            if (now < 0)
                fail("a frame did not arrive as it was sent");
            if (!lossy)
                rate = now;
        }
    }
    return rate < TARGET ? 0 : 1;
}
