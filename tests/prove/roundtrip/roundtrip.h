/* roundtrip.h - for what is proved of packets, in C that roundtrip.py executes for all values at once.
 * SPDX-License-Identifier: MIT
 */
#ifndef ROUNDTRIP_H
#define ROUNDTRIP_H

/* Sets these bytes to arbitrary ones. */
void prove_any(void *bytes, size_t size);
/* What follows is only proved if the condition is true. */
void prove_if(bool condition);
/* The condition has to be true. */
void prove_that(bool condition);
/* The text begins with so many bytes that are not 0; the states are told apart. */
size_t prove_text_size(const char *text, size_t max);
/* Whether a text is UTF-8 without zeros. */
bool prove_text_valid(const char *text, size_t size);

/* ---- the bits of a body, from the lowest bit of the first byte on */

/* The name begins with pkt_: so states that meet are kept apart if they differ in `bit`. */
typedef struct pkt_wire {
    uint8_t *bytes;
    size_t bit;
} pkt_wire;

static void put(pkt_wire *w, unsigned bits, uint64_t v)
{
    uint8_t *const to = w->bytes + w->bit / 8;
    const unsigned shift = w->bit % 8;
    pkt_store64(to, pkt_load64(to) | v << shift);
    if (shift + bits > 64)
        to[8] = (uint8_t)(v >> (64 - shift));
    w->bit += bits;
}

static void put_text(pkt_wire *w, unsigned bits, const char *text, size_t size)
{
    put(w, bits, size);
    w->bit = (w->bit + 7) / 8 * 8;
    memcpy(w->bytes + w->bit / 8, text, size);
    w->bit += 8 * size;
}

/* Whether a bool holds a value of its type: reading any other one is undefined. */
static bool is_bool(const bool *v)
{
    unsigned char byte;
    memcpy(&byte, v, 1);
    return byte <= 1;
}

static bool same_float(float a, float b)
{
    return pkt_float_bits(a) == pkt_float_bits(b);
}

static bool same_text(const char *a, const char *b, size_t size)
{
    return memcmp(a, b, size + 1) == 0;
}

/* ---- quantized numbers: lo, hi, steps */

#define YAW 0.0f, 360.0f, PKT_CIRCLE(3600)
#define PITCH -90.0f, 90.0f, 1800
#define MOVE -1.0f, 1.0f, 32
#define PLACE -1024.0f, 1024.0f, 204800
#define HEIGHT 0.0f, 256.0f, 25600
#define SPEED -32.0f, 32.0f, 2048
#define CODE(v, range) pkt_quantize(v, range)
#define ARRIVES(sent, got, range) same_float(got, pkt_dequantize(pkt_quantize(sent, range), range))
#define SENDABLE(v, range) (pkt_quantize(v, range) != UINT32_MAX)

#endif
