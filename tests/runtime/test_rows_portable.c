/* test_rows_portable.c - test_rows.c without vector instructions, as on other processors.
 * SPDX-License-Identifier: MIT
 */
#define PKT_BYTEWISE
#include "test_rows.c"
