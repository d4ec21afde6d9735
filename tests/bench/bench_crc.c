/* bench_crc.c - CRC-32 over the bytes of a packet: the runtime's, the article's, and zlib's if it is installed.
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"
#include "pkt.h"

#include "article_bits.h"

#include <stdio.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

enum { CALLS = 50000, LONGEST = 1200 };

static uint32_t of_runtime(const uint8_t *data, size_t size)
{
    return pkt_crc32(0, data, size);
}
static uint32_t of_article(const uint8_t *data, size_t size)
{
    return ab_crc32(0, data, size);
}
#ifdef HAVE_ZLIB
static uint32_t of_zlib(const uint8_t *data, size_t size)
{
    return (uint32_t)crc32(0, data, (uInt)size);
}
#endif

static const struct {
    const char *name;
    uint32_t (*crc)(const uint8_t *data, size_t size);
} contenders[] = {
    {"runtime", of_runtime},
    {"article", of_article},
#ifdef HAVE_ZLIB
    {"zlib", of_zlib},
#endif
};
enum { COUNT = sizeof contenders / sizeof contenders[0] };

void bench_crc(void)
{
    static const size_t sizes[] = {16, 64, 200, 1200};
    static uint8_t data[LONGEST + 64];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 37 + i / 64);
    printf("%-12s %8s %8s %8s %8s\n", "CRC-32", "bytes", "", "ns", "ratio");
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        double times[COUNT][BENCH_ROUNDS], medians[COUNT];
        for (size_t k = 0; k < COUNT; k++) {
            for (size_t at = 0; at < 64; at++)
                bench_demand(contenders[k].crc(data + at, sizes[s]) == contenders[0].crc(data + at, sizes[s]), "CRC-32",
                             contenders[k].name, "differs", at);
        }
        for (int round = 0; round < BENCH_ROUNDS; round++) {
            for (size_t k = 0; k < COUNT; k++) {
                double start = bench_now();
                for (size_t i = 0; i < CALLS; i++)
                    bench_sink += contenders[k].crc(data + i % 64, sizes[s]);
                times[k][round] = (bench_now() - start) / CALLS;
            }
        }
        for (size_t k = 0; k < COUNT; k++) {
            medians[k] = bench_median(times[k]);
            printf("%-12s %8zu %8s %8.1f %8.2f\n", "", sizes[s], contenders[k].name, medians[k],
                   medians[k] / medians[0]);
        }
    }
}
