/* convert_recording.h - `pktc convert` of a recording: rewrites its datagrams for another version of the schema.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CONVERT_RECORDING_H
#define PKTC_CONVERT_RECORDING_H

#include "recordings/datagrams.h"

/* What decides on the version of a datagram if neither its crc nor the release of its two ends does. */
typedef enum version_decision {
    DECIDED_BY_CRC,    /* nothing: it is left out */
    DECIDED_BY_ONE,    /* it is of versions->versions, or if there is none, of `now` */
    DECIDED_BY_READING /* it is of the first version in the recording that can read it */
} version_decision;

typedef struct convert_recording_request {
    const char *path;
    uint16_t port; /* only datagrams from or to it; 0: all */
    const upgrade *versions;
    version_decision decides;
    bool now_is_inside;          /* the recording has the version now too */
    const schema *const *others; /* of other protocols, whose packets stay as they are */
    size_t other_count;
    const char *const *texts; /* of the schemas, for the file: first that of the version now */
    size_t text_count;
    const char *const *streams; /* of the version now, as in datagrams_request */
    size_t stream_count;
    uint64_t seed;
} convert_recording_request;

/* Writes the recording to a file. Losses of values and omitted datagrams are warnings in d, with the first packet of
 * each kind. It is an error if more than one datagram in a hundred is omitted. */
void convert_recording(arena *a, diag *d, const convert_recording_request *request, FILE *to);

#endif
