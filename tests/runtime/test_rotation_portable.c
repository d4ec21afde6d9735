/* test_rotation_portable.c - the same as C without vectors, which other processors use.
 * SPDX-License-Identifier: MIT
 */
#define PKT_BYTEWISE
#include "test_rotation.c"
