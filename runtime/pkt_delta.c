/* pkt_delta.c - why a delta could not be written or read.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_delta.h"

bool pkt_explain_changes(pkt_cursor *c, uint64_t *changed, unsigned count, uint64_t rest)
{
    if (c->bit + count + rest > c->limit)
        return pkt_explain_fail(c, c->reading ? PKT_ERROR_END : PKT_ERROR_CAPACITY, c->bit, "");
    return pkt_explain_leaf(c, changed, pkt_mask(count), count, "");
}

/* What came of an item that began at `start`. */
static bool explained(pkt_cursor *c, pkt_code code, uint64_t start, const char *field)
{
    if (code == PKT_OK && !c->reading && c->bit > c->limit) code = PKT_ERROR_CAPACITY;
    return code == PKT_OK || pkt_explain_fail(c, code, start, field);
}

bool pkt_explain_step(pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_steps *k, const char *field)
{
    const uint64_t start = c->bit;
    return explained(c, pkt_step_item(c->reading ? PKT_READ : PKT_MEASURE, c, old, now, k), start, field);
}

bool pkt_explain_quat_step(pkt_cursor *c, uint64_t old, const pkt_quat *in, pkt_quat *out, const pkt_steps *k, const char *field)
{
    const uint64_t start = c->bit;
    pkt_code code = c->reading ? pkt_quat_step_get(c, old, out, k)
                               : pkt_quat_step_put(PKT_MEASURE, c, old, pkt_quat_code(*in, k->bits), k);
    return explained(c, code, start, field);
}

pkt_cursor pkt_baseline_explain(const pkt_cursor *c)
{
    pkt_cursor baseline = *c;
    baseline.reading = false;
    baseline.limit = UINT64_MAX;
    baseline.error->code = PKT_OK;
    return baseline;
}

bool pkt_baseline_explained(const pkt_cursor *baseline, const pkt_cursor *c)
{
    pkt_cursor at = *baseline;
    if (at.error->code == PKT_OK) (void)pkt_explain_fail(&at, PKT_ERROR_VALUE, c->bit, "");
    at.error->bit = c->bit;
    return false;
}
