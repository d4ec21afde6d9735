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

bool pkt_explain_step(pkt_cursor *c, uint64_t old, uint64_t *now, uint64_t span, uint64_t flip, unsigned bits, unsigned s,
                      unsigned l, bool may_equal, const char *field)
{
    const uint64_t start = c->bit;
    pkt_code code = pkt_step_item(c->reading ? PKT_READ : PKT_MEASURE, c, old, now, span, flip, bits, s, l, may_equal);
    if (code == PKT_OK && !c->reading && c->bit > c->limit) code = PKT_ERROR_CAPACITY;
    return code == PKT_OK || pkt_explain_fail(c, code, start, field);
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
