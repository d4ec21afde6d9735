/* commands.h - the functions that run the commands of the driver. driver_rows.c has their rows.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COMMANDS_H
#define PKTC_COMMANDS_H

struct run;
typedef void command_function(struct run *r);

command_function command_compile, command_help, command_complete;

#endif
