/* padding.h - whether the size of a part of a packet depends on the bit where it begins.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PADDING_H
#define PKTC_PADDING_H

#include "wire/wire.h"

/* Whether there is padding to a whole byte in an op: it has an align, a text or bytes. `pads` of the types in it is
 * known. */
bool op_pads(const op *o);
/* The same of a list of ops. */
bool ops_pad(const op *o);

#endif
