/* test_rotation_portable.c - test_rotation.c without vector instructions, as on other processors.
 * SPDX-License-Identifier: MIT
 */
#define PKT_BYTEWISE
#include "test_rotation.c"
