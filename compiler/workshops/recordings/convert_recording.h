/* convert_recording.h - `pktc convert` of a recording: rewrites its datagrams for another version of the schema.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CONVERT_RECORDING_H
#define PKTC_CONVERT_RECORDING_H

#include "recordings/datagrams.h"

typedef struct convert_recording_request {
    const char *path;
    uint16_t port; /* only datagrams from or to it; 0: all */
    const upgrade *versions;
    bool one_version;            /* datagrams without a crc are of versions->versions, or of `now` */
    const schema *const *others; /* of other protocols, whose packets stay as they are */
    size_t other_count;
    const char *const *texts; /* of the schemas, for the file: first that of the version now */
    size_t text_count;
    const char *const *streams; /* of the version now, as in datagrams_request */
    size_t stream_count;
    uint64_t seed;
} convert_recording_request;

/* Writes the recording to a file. Losses of values and omitted datagrams are warnings in d, with the first packet of
 * each kind. */
void convert_recording(arena *a, diag *d, const convert_recording_request *request, FILE *to);

#endif
