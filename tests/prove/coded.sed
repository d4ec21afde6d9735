# coded.sed - what the provers have to know inside the functions that read coded deltas. For contracts.sh and prove.sh.
/^\/\* ---- bits \*\//a\
#define PROVE_CODER\
#include "prove_coded.h"
/^} pkt_coder_difference;/a\
#define PROVE_VALUES\
#include "prove_coded.h"
/^} pkt_row_bits;/a\
#define PROVE_ROWS\
#include "prove_coded.h"
/^} pkt_coded_run;/a\
#define PROVE_RUNS\
#include "prove_coded.h"
# ---- for contracts.sh: the functions of pkt_delta.c, which these call; loops; and terms that make the solvers apply
# what is known of each table
/^\/\* pkt_delta\.c/,/^#include/{
    /^#include "pkt_delta.h"/a\
#include "pkt_coder.h"\
#include "prove_coded.h"
}
/^    while (symbol </i\
    /*@ loop invariant symbol <= k->last;\
      @ loop assigns symbol;\
      @ loop variant k->last - symbol; */
# The solvers know the remainder of a division, but not that bits below a mask are below it.
s|starts\[ahead & pkt_mask(PKT_CODE_AHEAD)\]|starts[ahead % (1 << PKT_CODE_AHEAD)]|
/^PKT_INLINE unsigned pkt_symbol_ahead/,/^}/{
    /^    return /i\
    /*@ assert symbol == start_of(k, ahead % 64); */
}
s|ahead & pkt_mask(row->changes->count)|prove_bits(ahead, row->changes->count)|
s|mask >> row->bit & ((1u << row->count) - 1)|prove_bits(mask >> row->bit, row->count)|
s|left &= left - 1|left = prove_others(left)|
s|s->left &= s->left - 1|s->left = prove_others(s->left)|
/^    return k->contexts == 1 ? /i\
    /*@ assert table_of(k, 0) == k->codes; */
/^static bool pkt_row_get_/,/^}/{
    /^        const pkt_coded \*k/i\
        /*@ assert i < row->count; */\
        /*@ assert i == 0 || i == 1 || i == 2 || i == 3; */\
        /*@ assert \\let j = i; row->numbers[j].span == \\at(row->numbers[j].span, Pre); */\
        /*@ assert in_row(&row->numbers[i]); */\
        /*@ assert \\separated(numbers + i, c, row); */
    /^        numbers\[i\].now = now/i\
        /*@ assert \\let j = i; now <= \\at(row->numbers[j].span, Pre); */
}
/^static bool pkt_row_get_coded/,/^}/{
    /^    for (uint64_t left/i\
    /*@ loop invariant c->from == \\at(c->from, Pre) && c->limit == \\at(c->limit, Pre);\
      @ loop invariant row->numbers[0].span == \\at(row->numbers[0].span, Pre);\
      @ loop invariant row->numbers[1].span == \\at(row->numbers[1].span, Pre);\
      @ loop invariant row->numbers[2].span == \\at(row->numbers[2].span, Pre);\
      @ loop invariant row->numbers[3].span == \\at(row->numbers[3].span, Pre);\
      @ loop invariant left <= most(row->count);\
      @ loop invariant PROVE_IN_ROW_(0);\
      @ loop invariant PROVE_IN_ROW_(1);\
      @ loop invariant row->count < 3 || PROVE_IN_ROW_(2);\
      @ loop invariant row->count < 4 || PROVE_IN_ROW_(3);\
      @ loop assigns c->bit, left, bit, ahead, loaded, plain, numbers[0 .. row->count - 1].now;\
      @ loop variant 64 - low(left); */
}
/^static bool pkt_row_get_plain/,/^}/{
    /^    for (uint64_t left/i\
    /*@ loop invariant c->from == \\at(c->from, Pre) && c->limit == \\at(c->limit, Pre);\
      @ loop invariant row->numbers[0].span == \\at(row->numbers[0].span, Pre);\
      @ loop invariant row->numbers[1].span == \\at(row->numbers[1].span, Pre);\
      @ loop invariant row->numbers[2].span == \\at(row->numbers[2].span, Pre);\
      @ loop invariant row->numbers[3].span == \\at(row->numbers[3].span, Pre);\
      @ loop invariant left <= most(row->count);\
      @ loop invariant PROVE_IN_ROW_(0);\
      @ loop invariant PROVE_IN_ROW_(1);\
      @ loop invariant row->count < 3 || PROVE_IN_ROW_(2);\
      @ loop invariant row->count < 4 || PROVE_IN_ROW_(3);\
      @ loop assigns c->bit, left, bit, ahead, loaded, coded, numbers[0 .. row->count - 1].now;\
      @ loop variant 64 - low(left); */
}
/^    if (k->contexts == 1)/i\
    /*@ assert table_of(k, 0) == k->codes; */
/^    return &k->codes\[context/i\
    /*@ assert \\let i = context < k->contexts ? context : k->contexts - 1;\
      @        table_of(k, i) == k->codes + i; */
/^    return old <= k->span && was <= k->span/i\
    /*@ assert table_of(k, 0) == k->codes; */
/^static pkt_code pkt_quat_get_parts/,/^}/{
    /^    for (unsigned i = 0/i\
    /*@ loop invariant 0 <= i <= 3;\
      @ loop assigns i, *now, c->bit, after, part, symbol;\
      @ loop variant 3 - i; */
    /^        \*now |= part << /i\
        /*@ assert i == 0 || i == 1 || i == 2; */\
        /*@ assert i * k->bits <= 40; */
}
/^static unsigned pkt_quat_differences/,/^}/{
    /^    for (unsigned i = 0/i\
    /*@ loop invariant 0 <= i <= 3;\
      @ loop assigns i, bits, parts[0 .. 2];\
      @ loop variant 3 - i; */
}
/^PKT_INLINE bool pkt_run_next/,/^}/{
    /^    while (/i\
    /*@ loop invariant s->word % 64 == 0 && s->word < s->n && s->from <= s->word + low(s->left);\
      @ loop assigns s->word, s->left;\
      @ loop variant s->n - s->word; */
}
/^static bool pkt_runs_put/,/^}/{
    /^    for (pkt_run_scan s/i\
    /*@ loop invariant scanning(&s) && s.n == n;\
      @ loop assigns s.left, s.word, s.from, s.run, s.is_last, *bits;\
      @ loop variant n - s.from; */
}
/^static pkt_code pkt_runs_get/,/^}/{
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
