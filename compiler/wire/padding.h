/* padding.h - whether the size of a part of a packet depends on the bit where it begins.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PADDING_H
#define PKTC_PADDING_H

#include "wire/wire.h"

/* Whether an op has padding to a whole byte: an align, a text or bytes. Needs `pads` of its nested types. */
bool op_pads(const op *o);
/* The same for a list of ops. */
bool ops_pad(const op *o);

#endif
