/* headers.h - all headers of the C library that a test of MSVC includes: the beginning of strict.h, see msvc.sh.
 * SPDX-License-Identifier: MIT
 */
#include <assert.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <intrin.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
