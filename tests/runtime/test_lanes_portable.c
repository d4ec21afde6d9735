/* test_lanes_portable.c - test_lanes.c without vector instructions, as on other processors.
 * SPDX-License-Identifier: MIT
 */
#define PKT_BYTEWISE
#include "test_lanes.c"
