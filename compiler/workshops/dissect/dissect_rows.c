/* dissect_rows.c - the row of `pktc wireshark`.
 * SPDX-License-Identifier: MIT
 */
#include "dissect/dissect_rows.h"

static const usage_row dissect_usages[] = {
    {"wireshark", .arguments = "FILE.pkt", .shares = SHARES_RECORDING, .run = command_wireshark},
};

static bool usage_of_wireshark(command_line *line)
{
    return takes_one_schema(line) && uses(line, &dissect_usages[0]);
}

static const command_row dissect_commands[] = {
    {.word = "wireshark",
     .place = 110,
     .arguments = "[options] FILE.pkt",
     .summary = "print a dissector for Wireshark",
     .about =
         "Prints Lua that shows the packets of the schema in Wireshark and tshark, field by field. Copy it to the folder\n"
         "of personal Lua plugins, or load it with `tshark -X lua_script:game.lua`. --stream lists the values of a stream,\n"
         "such as 'Header, State delta, Event*'; give it once for each kind of stream.\n" ABOUT_RECORDINGS,
     .page = "tools.md#wireshark",
     .next = {":pkt"},
     .find_usage = usage_of_wireshark},
};

const workshop dissect_workshop = {WORKSHOP_ROWS(dissect)};
