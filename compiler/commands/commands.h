/* commands.h - what the commands of pktc do, a file for each. options/command_table.c has a row for each.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COMMANDS_H
#define PKTC_COMMANDS_H

struct run;
typedef void command_function(struct run *r);

command_function command_compile, command_format, command_layout, command_decode, command_encode, command_diff,
    command_archive, command_convert, command_report, command_wireshark, command_train;

#endif
