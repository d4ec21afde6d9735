/* rounding.c - prints hashes over what generated code does with all kinds of floats, which must be the same on all
 * machines.
 * SPDX-License-Identifier: MIT
 *
 * Prints the hash of the bytes written, that of the values read back, and that of what is refused. All codes of one number
 * are read.
 */
#include "rounding.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 20000 };

static uint64_t random_state = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* A number in [low, high], by exact products and sums of integers. */
static double sample(double low, double high)
{
    return low + (high - low) * ((double)(next_random() >> 32) / 4294967296.0);
}

static void fill(Rounding *v)
{
    volatile double x, y, z; /* each is rounded once, even if the target fuses operations */
    Rounding_init(v);
    for (int i = 0; i < 8; i++) {
        v->heights[i] = (float)(x = sample(-1100, 1100));
        v->angles[i] = (float)(x = sample(-10, 370));
        v->thirds[i] = (float)(x = sample(-0.2, 0.4));
        v->distances[i] = x = sample(0, 1001);
    }
    v->x = (float)(x = sample(-33, 33));
    v->y = (float)(y = sample(-33, 33));
    v->z = (float)(z = sample(0, 9));
    for (int i = 0; i < 4; i++) {
        v->turns[i].x = (float)(x = sample(-0.5, 0.5));
        v->turns[i].y = (float)(x = sample(-0.5, 0.5));
        v->turns[i].z = (float)(x = sample(-0.5, 0.5));
        v->turns[i].w = (float)(x = sample(0.7, 0.9));
        v->ways[i].x = (float)(x = sample(-1, 1));
        v->ways[i].y = (float)(x = sample(-1, 1));
        v->ways[i].z = (float)(x = sample(-1, 1));
    }
    v->thousandths = (float)(x = sample(-0.1, 1.1));
    v->over = (float)(x = sample(0, 0.8));
    v->yaw = (float)(x = sample(-1000, 1000));
    v->turn = x = sample(-7, 7);
    v->usual = (float)(x = sample(0.29, 0.31));
    v->usual64 = x = sample(0.099, 0.101);
}

/* Hashes the bits of a float, independently of the byte order. */
static uint32_t hash_float(uint32_t hash, float v)
{
    uint32_t bits;
    uint8_t bytes[4];
    memcpy(&bits, &v, 4);
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    return pkt_crc32(hash, bytes, 4);
}

static uint32_t hash_double(uint32_t hash, double v)
{
    uint64_t bits;
    uint8_t bytes[8];
    memcpy(&bits, &v, 8);
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    return pkt_crc32(hash, bytes, 8);
}

static uint32_t hash_values(uint32_t hash, const Rounding *v)
{
    for (int i = 0; i < 8; i++) {
        hash = hash_float(hash_float(hash_float(hash, v->heights[i]), v->angles[i]), v->thirds[i]);
        hash = hash_double(hash, v->distances[i]);
    }
    hash = hash_float(hash_float(hash_float(hash, v->x), v->y), v->z);
    for (int i = 0; i < 4; i++) {
        hash = hash_float(hash_float(hash, v->turns[i].x), v->turns[i].y);
        hash = hash_float(hash_float(hash, v->turns[i].z), v->turns[i].w);
        hash = hash_float(hash_float(hash_float(hash, v->ways[i].x), v->ways[i].y), v->ways[i].z);
    }
    hash = hash_float(hash_float(hash_float(hash, v->thousandths), v->over), v->yaw);
    return hash_double(hash_double(hash_float(hash, v->usual), v->turn), v->usual64);
}

/* Hashes which members are refused, each with each of these values. */
static uint32_t hash_refusals(void)
{
    static const double values[] = {NAN, INFINITY, -INFINITY, -0.0, 3e38, -3e38, 1e-20};
    static const size_t floats[] = {
        offsetof(Rounding, heights),     offsetof(Rounding, heights[4]), offsetof(Rounding, angles),
        offsetof(Rounding, thirds[7]),   offsetof(Rounding, x),          offsetof(Rounding, z),
        offsetof(Rounding, turns[0].y),  offsetof(Rounding, turns[3]),   offsetof(Rounding, ways[1].z),
        offsetof(Rounding, thousandths), offsetof(Rounding, over),       offsetof(Rounding, yaw),
        offsetof(Rounding, usual)};
    static const size_t doubles[] = {offsetof(Rounding, distances[7]), offsetof(Rounding, turn),
                                     offsetof(Rounding, usual64)};
    static uint8_t data[Rounding_MAX_BYTES];
    const size_t count = sizeof floats / sizeof *floats, all = count + sizeof doubles / sizeof *doubles;
    uint32_t hash = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (size_t member = 0; member < all; member++) {
            const float single = (float)values[i];
            Rounding v;
            fill(&v);
            for (int k = 0; k < 4; k++)
                v.turns[k].x = v.turns[k].y = v.turns[k].z = 0, v.turns[k].w = 1;
            if (member < count)
                memcpy((char *)&v + floats[member], &single, sizeof single);
            else
                memcpy((char *)&v + doubles[member - count], &values[i], sizeof values[i]);
            const size_t size = Rounding_pack(&v, data, sizeof data);
            const uint8_t written = size != 0;
            hash = pkt_crc32(pkt_crc32(hash, &written, 1), data, size);
        }
    return hash;
}

int main(void)
{
    static uint8_t data[Rounding_MAX_BYTES];
    uint32_t written = 0, read = 0;
    for (int i = 0; i < ROUNDS; i++) {
        Rounding v, back;
        fill(&v);
        v.thousandths = i <= 1000 ? (float)i / 1000 : v.thousandths;
        const size_t size = Rounding_pack(&v, data, sizeof data);
        if (size == 0) {
            written++; /* a rotation whose length is too far from 1; which ones must be the same everywhere */
            continue;
        }
        written = pkt_crc32(written, data, size);
        if (!Rounding_unpack(&back, data, size))
            return 1;
        read = hash_values(read, &back);
        Rounding_quantize(&v);
        if (!Rounding_equal(&v, &back))
            return 1;
    }
    printf("%08x %08x %08x\n", (unsigned)written, (unsigned)read, (unsigned)hash_refusals());
    return 0;
}
