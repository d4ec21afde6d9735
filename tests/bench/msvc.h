/* msvc.h - what msvc.c asks of the libraries that it compares.
 * SPDX-License-Identifier: MIT
 */
#ifndef MSVC_H
#define MSVC_H

/* Ticks of the processor's clock for one packet; `works` is 0 if it was not read back. A name of NULL: there is no such packet. */
typedef struct measurement {
    const char *name;
    double pack, unpack;
    unsigned bytes, works;
} measurement;

/* Measures a packet once; the first one is 0. A library exports it as `measure`. */
typedef void measure_packet(unsigned which, measurement *m);

#endif
