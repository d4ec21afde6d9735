/* jansson_private_config.h - what jansson's configure would find in wasm.
 * SPDX-License-Identifier: MIT
 */
#define HAVE_STDINT_H 1
#define HAVE_STDLIB_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_UNISTD_H 1
#define INITIAL_HASHTABLE_ORDER 3
