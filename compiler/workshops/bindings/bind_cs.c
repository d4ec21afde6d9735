/* bind_cs.c - the types and functions of a schema in C# 7.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bindings.h"
#include "base/banner.h"

void bind_cs(const bindings *b, out *to)
{
    out_put(to, "/* $stem.cs - types and functions of $stem.pkt" BANNER_GENERATED " */\n", "stem", b->stem, NULL);
}
