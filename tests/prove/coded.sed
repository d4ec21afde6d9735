# coded.sed - what the provers have to know inside the functions that read coded deltas. For contracts.sh and prove.sh.
/^#include "pkt_explain.h"/a\
#define PROVE_CODER\
#include "prove_coded.h"
/^} difference;/a\
#define PROVE_DIFFERENCE\
#include "prove_coded.h"
# ---- for contracts.sh: the functions of pkt_delta.c, which these call; loops; and terms that make the solvers apply
# what is known of each table
/^#include "pkt_delta.h"/a\
#include "prove_coded.h"
/^    while (symbol </i\
    /*@ loop invariant symbol <= k->last;\
      @ loop assigns symbol;\
      @ loop variant k->last - symbol; */
# The solvers know the remainder of a division, but not that bits below a mask are below it.
s|starts\[ahead & pkt_mask(PKT_CODE_AHEAD)\]|starts[ahead % (1 << PKT_CODE_AHEAD)]|
/^    if (PKT_UNLIKELY(\*symbol == PKT_CODE_LONG))/i\
    /*@ assert *symbol == start_of(k, ahead % 64); */
/^    if (k->contexts == 1)/i\
    /*@ assert table_of(k, 0) == k->codes; */
/^    return &k->codes\[context/i\
    /*@ assert \\let i = context < k->contexts ? context : k->contexts - 1;\
      @        table_of(k, i) == k->codes + i; */
/^    return old <= k->span && was <= k->span/i\
    /*@ assert table_of(k, 0) == k->codes; */
/^static pkt_code quat_get_parts/,/^}/{
    /^    for (unsigned i = 0/i\
    /*@ loop invariant 0 <= i <= 3;\
      @ loop assigns i, *now, c->bit, after, part, symbol;\
      @ loop variant 3 - i; */
    /^        \*now |= part << /i\
        /*@ assert i == 0 || i == 1 || i == 2; */\
        /*@ assert i * k->bits <= 40; */
}
/^static unsigned quat_differences/,/^}/{
    /^    for (unsigned i = 0/i\
    /*@ loop invariant 0 <= i <= 3;\
      @ loop assigns i, bits, parts[0 .. 2];\
      @ loop variant 3 - i; */
}
/^static uint32_t run_from/,/^}/{
    /^    while (i < n)/i\
    /*@ loop invariant from <= i <= n + 63;\
      @ loop assigns i;\
      @ loop variant n - i; */
}
/^static bool runs_put/,/^}/{
    /^    for (uint32_t at = 0/i\
    /*@ loop invariant at <= n + 1;\
      @ loop assigns at, *bits;\
      @ loop variant n - at; */
}
/^static pkt_code runs_get/,/^}/{
    /^    for (uint32_t at = 0/i\
    /*@ loop invariant at <= n;\
      @ loop assigns at, c->bit, *item, set[0 .. (n - 1) / 64];\
      @ loop variant n - at; */
    /^    for (uint32_t i = 0/i\
    /*@ loop invariant i <= (n + 63) / 64;\
      @ loop assigns i, set[0 .. (n - 1) / 64];\
      @ loop variant (n + 63) / 64 - i; */
    s/^        run |= \(.*\);/        run = prove_or(run, \1);/
}
