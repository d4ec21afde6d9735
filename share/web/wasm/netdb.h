/* netdb.h - for libpcap in wasm, which includes it and uses nothing of it.
 * SPDX-License-Identifier: MIT
 */
