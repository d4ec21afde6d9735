/* trained.c - sends recorded cubes as deltas that a model codes, against predictions.
 * SPDX-License-Identifier: MIT
 *
 * usage: trained TRACE KBITS NAME    TRACE is tests/data/cubes-901.trace or cubes-901-2.trace, unpacked
 *        trained TRACE - FILE        writes the frames to FILE, for pktc train
 *
 * As the last steps of cubes.c: 60 frames per second, each against the newest frame that the sender knows to have arrived, at
 * least 6 frames ago. Prints kbit/s as cubes.c does, in rows with that NAME, without loss and with one packet of 20 lost. Exits with 0 if every frame
 * arrived as it was sent, in at most KBITS, and lost packets cost at most 1 kbit/s more.
 */
#include "trace.h"
#include "trained.h"

enum { DELAY = 6, WARM_UP = 16, RATE = 60, BUFFER = 16384, HISTORY = 64 };

static State sent[FRAMES];

/* What a side remembers: the frames that arrived. */
typedef struct memory {
    State states[HISTORY];
    int numbers[HISTORY]; /* -1 if empty */
} memory;

static memory sender, receiver;

static void load_states(const char *path)
{
    load_trace(path);
    for (int n = 0; n < FRAMES; n++) {
        State_init(&sent[n]);
        for (int i = 0; i < CUBES; i++)
            TRACE_CUBE(&sent[n].cubes[i], &trace[n][i]);
        State_quantize(&sent[n]);
    }
}

static void write_recording(const char *path)
{
    static uint8_t data[BUFFER];
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        fail("the recording cannot be written");
    for (int n = 0; n < FRAMES; n++) {
        const size_t size = State_pack_body(&sent[n], data, sizeof data);
        const uint8_t head[4] = {(uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16), (uint8_t)(size >> 24)};
        if (size == 0 || fwrite(head, 1, 4, file) != 4 || fwrite(data, 1, size, file) != size)
            fail("the recording cannot be written");
    }
    if (fclose(file) != 0)
        fail("the recording cannot be written");
}

static const State *remembered(const memory *m, int number)
{
    return number >= 0 && m->numbers[number % HISTORY] == number ? &m->states[number % HISTORY] : NULL;
}

static void remember(memory *m, int number, const State *s)
{
    m->numbers[number % HISTORY] = number;
    m->states[number % HISTORY] = *s;
}

/* The baseline that a header names; NULL for none. */
static const State_motion *base_of(const memory *m, const DeltaHeader *h, State_motion *to)
{
    const State *base = h->back != 0 ? remembered(m, h->sequence - h->back) : NULL;
    if (base == NULL)
        return NULL;
    State_predict(base, h->before != 0 ? remembered(m, h->sequence - h->back - h->before) : NULL, h->back, h->before,
                  to);
    return to;
}

/* The newest frame that the sender knows to have arrived, and the one before it. */
static DeltaHeader header_of(int number)
{
    DeltaHeader h;
    DeltaHeader_init(&h);
    h.sequence = (uint16_t)number;
    for (int back = DELAY; h.back == 0 && back < HISTORY; back++)
        if (remembered(&sender, number - back) != NULL)
            h.back = (uint8_t)back;
    for (int before = 1; h.back != 0 && h.before == 0 && before < 16 && h.back + before < HISTORY; before++)
        if (remembered(&sender, number - h.back - before) != NULL)
            h.before = (uint8_t)before;
    return h;
}

static size_t write_frame(const DeltaHeader *h, const State_motion *base, const State *s, uint8_t *data)
{
    pkt_writer w;
    size_t begun, size;
    pkt_writer_init(&w, data, BUFFER);
    if (!DeltaHeader_write(&w, h) || !pkt_writer_finish(&w, &begun))
        return 0;
    size = State_pack_delta(base, s, data + begun, BUFFER - begun);
    return size == 0 ? 0 : begun + size;
}

static bool read_frame(const uint8_t *data, size_t size, State *s)
{
    static State_motion motion;
    const size_t begun = (DeltaHeader_MAX_BITS + 7) / 8;
    DeltaHeader h;
    pkt_reader r;
    pkt_reader_init(&r, data, size);
    if (!DeltaHeader_read(&r, &h) || size <= begun)
        return false;
    State_init(s);
    return State_unpack_delta(base_of(&receiver, &h, &motion), s, data + begun, size - begun);
}

static double run(bool lossy)
{
    static uint8_t data[BUFFER];
    static State_motion motion;
    static State arrived;
    uint32_t seed = 7;
    double bytes = 0;
    for (int i = 0; i < HISTORY; i++)
        sender.numbers[i] = receiver.numbers[i] = -1;
    for (int n = 0; n < FRAMES; n++) {
        const DeltaHeader h = header_of(n);
        const size_t size = write_frame(&h, base_of(&sender, &h, &motion), &sent[n], data);
        if (size == 0)
            fail("a packet cannot be written");
        bytes += n >= WARM_UP ? (double)size : 0;
        seed = seed * 1664525u + 1013904223u;
        if (lossy && seed >> 16 < 65536 / 20)
            continue;
        if (!read_frame(data, size, &arrived) || !State_equal(&arrived, &sent[n]))
            fail("a frame did not arrive as it was sent");
        remember(&sender, n, &sent[n]);
        remember(&receiver, n, &arrived);
    }
    return 8 * bytes / (FRAMES - WARM_UP) * RATE / 1000;
}

int main(int argc, char **argv)
{
    double rate, lossy;
    if (argc != 4)
        fail("usage: trained TRACE KBITS NAME, or trained TRACE - FILE");
    load_states(argv[1]);
    if (strcmp(argv[2], "-") == 0) {
        write_recording(argv[3]);
        return 0;
    }
    rate = run(false);
    lossy = run(true);
    printf("%-22s %4s %10.1f\n%-22s %4s %10.1f\n", argv[3], "", rate, argv[3], "5 %", lossy);
    return rate <= atof(argv[2]) && lossy <= rate + 1 ? 0 : 1;
}
