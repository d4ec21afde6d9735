/* attributes.h - checks @budget, @delta, @deprecated and @large, and puts them into the model.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_ATTRIBUTES_H
#define PKTC_ATTRIBUTES_H

#include "check/context.h"

void check_attributes(checker *k, decl *d, const ast_attribute *list);

/* A field can only be @deprecated. */
void check_field_attributes(checker *k, field *f, const ast_attribute *list);

#endif
