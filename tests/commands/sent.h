/* sent.h - packets that pktc has encoded, for the tests that record them.
 * SPDX-License-Identifier: MIT
 */
#ifndef SENT_H
#define SENT_H

#define PKT_WITH_CAPTURE
#include "pkt.h"

#include "commands/cli.h"

/* What a command prints. The caller frees it. */
static inline uint8_t *bytes_of(const char *command, size_t *size)
{
    char *whole = text_format("%s > made.bin", command);
    run_shell(whole);
    FILE *from = fopen("made.bin", "rb");
    uint8_t *bytes = malloc(PKT_CAPTURE_MOST);
    *size = fread(bytes, 1, PKT_CAPTURE_MOST, from);
    fclose(from);
    free(whole);
    return bytes;
}

/* Encodes a JSON value with a schema, and records it as sent n tenths of a second after the first one. */
static inline void add_sent(const pkt_capture *c, unsigned n, const char *schema, const char *options, const char *type,
                            const char *json)
{
    static const uint8_t address[4] = {192, 0, 2, 9};
    const pkt_endpoint peer = pkt_endpoint_of(address, 4, 50000);
    size_t size;
    char *command = text_format("echo '%s' | %s encode %s %s '%s'", json, pktc, options, schema, type);
    uint8_t *bytes = bytes_of(command, &size);
    assert_true(
        pkt_capture_packet(c, UINT64_C(1700000000000000000) + n * UINT64_C(100000000), PKT_SENT, &peer, bytes, size));
    free(bytes);
    free(command);
}

#endif
