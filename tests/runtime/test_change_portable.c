/* test_change_portable.c - test_change.c without vector instructions, as on other processors.
 * SPDX-License-Identifier: MIT
 */
#define PKT_BYTEWISE
#include "test_change.c"
