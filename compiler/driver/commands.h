/* commands.h - the functions that run the commands, a file for each. driver/command_table.c has their rows.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COMMANDS_H
#define PKTC_COMMANDS_H

struct run;
typedef void command_function(struct run *r);

command_function command_compile, command_format, command_layout, command_decode, command_encode, command_diff,
    command_archive, command_convert, command_report, command_tally, command_wireshark, command_train, command_describe,
    command_lsp;

#endif
