/* codec_command.h - pktc decode and pktc encode.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CODEC_COMMAND_H
#define PKTC_CODEC_COMMAND_H

#include "options.h"
#include "model/schema.h"

/* Turns what comes from standard input into what goes to standard output: of packets whole packets, else bare values
 * that end with a byte. What is wrong with the input or the refusal of a packet is an error in d. */
void codec_command(arena *a, diag *d, const schema *s, const options *o);

#endif
