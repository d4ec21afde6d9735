/* pkt_explain.h - finds out why a value cannot be written, or bytes cannot be read.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_codec.h. Programs do not use this header.
 */
#ifndef PKT_EXPLAIN_H
#define PKT_EXPLAIN_H

#include "pkt_cursor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each function repeats one item and moves on, or records the error and returns false. When a write is explained, *raw
 * or *v is the value; when a read is explained, it is set to the value read. */
PKT_COLD bool pkt_explain_fail(pkt_cursor *c, pkt_code code, uint64_t bit, const char *field);
PKT_COLD bool pkt_explain_outer(pkt_cursor *c, const char *outer);
PKT_COLD bool pkt_explain_leaf(pkt_cursor *c, uint64_t *raw, uint64_t span, unsigned bits, const char *field);
PKT_COLD bool pkt_explain_quantized(pkt_cursor *c, float *v, float lo, float hi, uint32_t steps, unsigned bits,
                                    const char *field);
PKT_COLD bool pkt_explain_quantized64(pkt_cursor *c, double *v, double lo, double hi, uint64_t steps, unsigned bits,
                                      const char *field);
PKT_COLD bool pkt_explain_quat(pkt_cursor *c, const pkt_quat *in, pkt_quat *out, unsigned bits, const char *field);
PKT_COLD bool pkt_explain_unit(pkt_cursor *c, const pkt_vec3 *in, pkt_vec3 *out, unsigned bits, const char *field);
PKT_COLD bool pkt_explain_compact(pkt_cursor *c, uint64_t *v, unsigned bytes, const char *field);
PKT_COLD bool pkt_explain_after(pkt_cursor *c, uint32_t *v, uint32_t start, const char *field);
PKT_COLD bool pkt_explain_constant(pkt_cursor *c, uint64_t value, unsigned bits, const char *field);
PKT_COLD bool pkt_explain_align(pkt_cursor *c, const char *field);
PKT_COLD bool pkt_explain_text(pkt_cursor *c, const char *in, char *out, uint32_t size, const char *field);
PKT_COLD bool pkt_explain_bytes(pkt_cursor *c, uint8_t *out, uint64_t size, const char *field);
/* Like pkt_explain_bytes, but each byte is an item. */
PKT_COLD bool pkt_explain_elements(pkt_cursor *c, uint8_t *out, uint64_t size, const char *field);

#ifdef __cplusplus
}
#endif

#endif
