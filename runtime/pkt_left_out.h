/* pkt_left_out.h - stand-ins for the parts that pkt.c lacks: functions that other parts mention.
 * SPDX-License-Identifier: MIT
 *
 * Other parts call these functions only for certain entries of type tables. No table of the program has such an entry,
 * so nothing calls them. compiler/dist/uses.c says if one is missing.
 */
#ifndef PKT_LEFT_OUT_H
#define PKT_LEFT_OUT_H

#include "pkt_inside.h"

#ifdef PKT_WITHOUT_ROTATION
uint64_t pkt_code_of_quat(pkt_quat q, unsigned bits)
{
    (void)q, (void)bits;
    return PKT_FAILED;
}

pkt_quat pkt_quat_of_code(uint64_t code, unsigned bits, bool *good)
{
    (void)code, (void)bits, (void)good;
    return pkt_quat_identity();
}

bool pkt_quats_differ(pkt_quat a, pkt_quat b, unsigned bits)
{
    (void)a, (void)b, (void)bits;
    return false;
}

uint64_t pkt_code_of_unit(pkt_vec3 v, unsigned bits)
{
    (void)v, (void)bits;
    return PKT_FAILED;
}

pkt_vec3 pkt_unit_of_code(uint64_t code, unsigned bits, bool *good)
{
    (void)code, (void)bits, (void)good;
    return pkt_vec3_z();
}

bool pkt_units_differ(pkt_vec3 a, pkt_vec3 b, unsigned bits)
{
    (void)a, (void)b, (void)bits;
    return false;
}

pkt_quat pkt_settle_quat(pkt_quat q, unsigned bits)
{
    (void)bits;
    return q;
}

pkt_vec3 pkt_settle_unit(pkt_vec3 v, unsigned bits)
{
    (void)bits;
    return v;
}
#endif

#ifdef PKT_WITHOUT_SUBSET
bool pkt_explain_subset_begin(pkt_cursor *c, pkt_subset *s, pkt_subset_kind kind, uint64_t *present, uint32_t n,
                              uint32_t limit, const char *field)
{
    (void)c, (void)s, (void)kind, (void)present, (void)n, (void)limit, (void)field;
    return false;
}

bool pkt_explain_subset_next(pkt_cursor *c, pkt_subset *s, pkt_subset_kind kind)
{
    (void)c, (void)s, (void)kind;
    return false;
}
#endif

#ifdef PKT_WITHOUT_LIST
bool pkt_explain_key(pkt_cursor *c, const pkt_keys *k, const pkt_entry *key, char *elements, uint32_t i)
{
    (void)c, (void)k, (void)key, (void)elements, (void)i;
    return false;
}

bool pkt_explain_keys(pkt_cursor *c, const pkt_keys *k, const pkt_entry *element, char *elements, uint32_t count)
{
    (void)c, (void)k, (void)element, (void)elements, (void)count;
    return false;
}
#endif

#ifdef PKT_WITHOUT_DELTA
bool pkt_explain_delta(pkt_cursor *c, const pkt_type *t, const void *base, const void *v)
{
    (void)c, (void)t, (void)base, (void)v;
    return false;
}

bool pkt_explain_coded_delta(pkt_cursor *c, const pkt_type *t, const void *base, const void *v)
{
    return pkt_explain_delta(c, t, base, v);
}

bool pkt_explain_predicted(pkt_cursor *c, const pkt_type *t, const void *base, const void *was, const void *v)
{
    (void)was;
    return pkt_explain_delta(c, t, base, v);
}
#endif

#ifdef PKT_WITHOUT_PREDICT
pkt_coding pkt_coding_of(const void *base, const pkt_motion *motion)
{
    const pkt_coding k = {base, NULL, 0, 1, 0, false, false, false};
    (void)motion;
    return k;
}
#endif

#ifdef PKT_WITHOUT_CODED
bool pkt_explain_coded(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k, bool wraps,
                       const char *field)
{
    (void)c, (void)old, (void)was, (void)now, (void)k, (void)wraps, (void)field;
    return false;
}

bool pkt_explain_coded_quat(pkt_cursor *c, pkt_quat old, pkt_quat was, pkt_quat *q, const pkt_coded *k,
                            const char *field)
{
    (void)c, (void)old, (void)was, (void)q, (void)k, (void)field;
    return false;
}

bool pkt_explain_coded_mask(pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k)
{
    (void)c, (void)mask, (void)k;
    return false;
}

bool pkt_explain_coded_elements(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                                const pkt_codes *codes, const char *field)
{
    (void)c, (void)set, (void)expected, (void)n, (void)codes, (void)field;
    return false;
}

void pkt_coded_count(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes)
{
    (void)c, (void)set, (void)expected, (void)n, (void)codes;
}

unsigned pkt_coded_mask_bits(uint64_t mask, const pkt_coded_changes *k)
{
    (void)mask, (void)k;
    return 0;
}

unsigned pkt_coded_run_bits(uint32_t run, const pkt_codes *codes)
{
    (void)run, (void)codes;
    return 0;
}

unsigned pkt_coded_end_bits(const pkt_codes *codes)
{
    (void)codes;
    return 0;
}

bool pkt_put_coded(pkt_writer *w, const void *base, const void *v, pkt_coded_put *put)
{
    (void)w, (void)base, (void)v, (void)put;
    return false;
}

bool pkt_write_form(pkt_writer *w)
{
    (void)w;
    return false;
}
#endif

#endif
