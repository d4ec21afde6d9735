/* attributes.h - checks @budget, @delta, @deprecated, @fit and @large, and puts them into the model.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_ATTRIBUTES_H
#define PKTC_ATTRIBUTES_H

#include "check/context.h"

void check_attributes(checker *k, decl *d, const ast_attribute *list);

/* A field can be @deprecated, and an array @fit. Its type and its dimensions are known. */
void check_field_attributes(checker *k, const field_info *info, const ast_attribute *list);

/* The name of attribute i, from 0; NULL after the last. */
const char *attribute_name_at(size_t i);

#endif
