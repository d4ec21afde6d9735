/* msvc.c - compares libraries of msvc_packets.c, made by several compilers, in turns within one process: the time of a
 * packet in the first one, and the ratios of the others to it.
 * SPDX-License-Identifier: MIT
 *
 * usage: msvc.exe LIBRARY.dll...
 *
 * The least time of many short measurements counts. One process after the other would measure how busy the machine is.
 */
#include <windows.h>

#include <stdio.h>

#include "msvc.h"

enum { LIBRARIES = 4, ROUNDS = 1000 };

static double least(double a, double b)
{
    return a < b ? a : b;
}

int main(int argc, char **argv)
{
    measure_packet *measures[LIBRARIES];
    const int count = argc - 1 < LIBRARIES ? argc - 1 : LIBRARIES;
    for (int k = 0; k < count; k++) {
        HMODULE library = LoadLibraryA(argv[1 + k]);
        FARPROC found = library ? GetProcAddress(library, "measure") : NULL;
        if (!found) {
            fprintf(stderr, "%s is no library of msvc_packets.c\n", argv[1 + k]);
            return 1;
        }
        measures[k] = (measure_packet *)(void (*)(void))found;
    }
    printf("ticks a packet: pack, unpack, each with its ratios");
    for (int k = 1; k < count; k++)
        printf(" %s", argv[1 + k]);
    printf("\n");
    for (unsigned which = 0;; which++) {
        measurement best[LIBRARIES] = {{NULL, 0, 0, 0, 0}};
        for (int round = 0; round < ROUNDS; round++) {
            for (int k = 0; k < count; k++) {
                measurement m = {NULL, 0, 0, 0, 0};
                measures[k](which, &m);
                if (!m.name)
                    return 0;
                if (!m.works) {
                    fprintf(stderr, "%s: %s is not read back\n", argv[1 + k], m.name);
                    return 1;
                }
                if (round > 0) {
                    m.pack = least(m.pack, best[k].pack);
                    m.unpack = least(m.unpack, best[k].unpack);
                }
                best[k] = m;
            }
        }
        printf("%-18s %5u  %8.1f", best[0].name, best[0].bytes, best[0].pack);
        for (int k = 1; k < count; k++)
            printf(" %6.2f", best[k].pack / best[0].pack);
        printf("  %8.1f", best[0].unpack);
        for (int k = 1; k < count; k++)
            printf(" %6.2f", best[k].unpack / best[0].unpack);
        printf("\n");
        fflush(stdout);
    }
}
