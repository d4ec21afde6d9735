/* command_table.c - the rows of the commands.
 * SPDX-License-Identifier: MIT
 */
#include "options/command_table.h"
#include "options/options_internal.h"

#include <string.h>

const command_row command_table[] = {
    {.word = "",
     .usages = USED_FOR(COMPILE),
     .arguments = "[options] FILE.pkt...",
     .summary = "compile schemas to C",
     .about =
         "Options and files can be in any order; -- ends the options. A successful run prints nothing. Nothing is\n"
         "written unless every file compiles. Files that would not change are not touched, and files that pktc did\n"
         "not generate are not replaced.\n"
         "Exit status: 0 success; 1 errors in the input, files that cannot be written, or files out of date\n"
         "under --check; 2 errors in the command line.\n",
     .next = {":pkt"},
     .find_usage = usage_of_compile,
     .run = command_compile},
    {.word = "fmt",
     .option = "--format",
     .usages = USED_FOR(FORMAT),
     .arguments = "[options] FILE.pkt...",
     .summary = "reformat schemas in place",
     .about =
         "The file - is standard input, and its formatted text goes to standard output. A file with syntax errors\n"
         "stays as it is. Comments are kept.\n",
     .page = "#the-one-style",
     .next = {":pkt"},
     .find_usage = usage_of_format,
     .run = command_format},
    {.word = "layout",
     .option = "--layout",
     .usages = USED_FOR(LAYOUT),
     .arguments = "[options] FILE.pkt...",
     .summary = "print the size of each packet and each field",
     .about = "",
     .page = "#what-packets-cost",
     .next = {":pkt"},
     .find_usage = usage_of_layout,
     .run = command_layout},
    {.word = "decode",
     .usages = USED_FOR(DECODE) | USED_FOR(DECODE_RECORDING),
     .arguments = "[options] [FILE.pkt...] [TYPE] [INPUT]",
     .summary = "print packets as JSON",
     .about =
         "pktc decode FILE.pkt TYPE [INPUT] prints the bytes in the file INPUT, or without it those of standard input.\n"
         "TYPE is a packet, struct or union of the schema, or a list for the values of a stream, such as\n"
         "'Header, State delta, Event*': a delta to the value in --base, then any number of events. Bytes that generated\n"
         "code would refuse are refused, with the reason, the bit and the field.\n"
         "pktc decode RECORDING prints a line for each UDP datagram of a pcap or pcapng file. The schema is the one in the\n"
         "recording, or FILE.pkt. Packets are recognized by their crc. --stream, once for each kind, says what the values of\n"
         "streams are. There 'Event[Head.count]' are as many as a field says, and 'State delta(Head.number from\n"
         "Head.baseline)' is a delta to an earlier State. Of @delta(predict), '... from Head.baseline after Head.before)' says\n"
         "what that has moved from. 'State=State delta(last)' are packets that are deltas to the last State before them;\n"
         "of @delta(predict), as that has moved since the one before it: 'State delta(last after previous)'.\n",
     .page = "tools.md",
     .next = {":pkt :recording", "TYPE :recording", ":file"},
     .find_usage = usage_of_decode,
     .run = command_decode},
    {.word = "encode",
     .usages = USED_FOR(ENCODE),
     .arguments = "[options] FILE.pkt TYPE [INPUT]",
     .summary = "turn JSON into the bytes of a packet",
     .about =
         "TYPE is a packet, struct or union of the schema, or a list for the values of a stream, such as\n"
         "'Header, State delta, Event*': a delta to the value in --base, then any number of events.\n"
         "The JSON comes from the file INPUT, or without it from standard input. The bytes go to standard output.\n",
     .page = "tools.md",
     .next = {":pkt", "TYPE", ":file"},
     .find_usage = usage_of_encode,
     .run = command_encode},
    {.word = "diff",
     .usages = USED_FOR(DIFF) | USED_FOR(DIFF_ARCHIVE),
     .arguments = "[options] OLD.pkt NEW.pkt",
     .summary = "compare two versions of a schema by meaning",
     .about =
         "With --against, only NEW.pkt is given. The file - is standard input. The last line is the verdict, and the exit\n"
         "status says the same: 0 identical wire; 3 new protocol id, every recording converts; 4 recordings convert with\n"
         "loss; 5 recordings do not convert; 6 the same id, but the same bytes mean something else; 1 errors in the\n"
         "schemas; 2 errors in the command line.\n",
     .page = "tools.md#two-versions",
     .next = {":pkt"},
     .find_usage = usage_of_diff,
     .run = command_diff},
    {.word = "archive",
     .usages = USED_FOR(ARCHIVE),
     .arguments = "[options] DIR FILE.pkt...",
     .summary = "keep schemas as they are released",
     .about =
         "Writes each schema to DIR as one file that needs no others, with the number of the release and the protocol id\n"
         "in its name, and prints that name. Nothing is written where DIR has that id. Comments are dropped, except those\n"
         "that document something (///).\n",
     .page = "tools.md#releases",
     .next = {":directory", ":pkt"},
     .find_usage = usage_of_archive,
     .run = command_archive},
    {.word = "convert",
     .usages = USED_FOR(CONVERT) | USED_FOR(CONVERT_RECORDING),
     .arguments = "[options] [OLD] NEW.pkt [TYPE] [INPUT]",
     .summary = "turn the bytes of an older version into those of now",
     .about =
         "pktc convert OLD NEW.pkt TYPE [INPUT] converts a value. OLD is the schema that the bytes are of, or the\n"
         "folder where `pktc archive` keeps releases: then the checksum of the packet says which one it is. TYPE is a\n"
         "packet, struct or union of NEW.pkt. The bytes come from the file INPUT, or without it from standard input; the\n"
         "bytes of NEW.pkt go to standard output. What the value loses is said on standard error. Deltas do not convert,\n"
         "because their baselines are of the older version too.\n"
         "pktc convert [OLD] NEW.pkt RECORDING converts each UDP datagram of a pcap or pcapng file, and writes a pcapng file\n"
         "with NEW.pkt inside to standard output. Without OLD, the schema is the one in the recording. --stream, once for\n"
         "each kind, says what is in streams, in the names of NEW.pkt. Deltas in them convert with their baselines. What\n"
         "cannot be converted is left out, and said on standard error.\n",
     .page = "versions.md#old-packets",
     .next = {":pkt :directory", ":pkt :recording", "TYPE :recording", ":file"},
     .find_usage = usage_of_convert,
     .run = command_convert},
    {.word = "report",
     .usages = USED_FOR(REPORT),
     .arguments = "[options] [FILE.pkt...] RECORDING...",
     .summary = "print where the bytes of recordings go",
     .about =
         "Reads pcap and pcapng files. The schema is the one in the first recording, or FILE.pkt. Prints how many bytes each\n"
         "kind of datagram and each field took, how many bits its values would need at least (entropy), and what to change\n"
         "in the schema, with the bytes that each change by itself would have saved. --stream as for decode: it can be\n"
         "repeated, and names what is in streams.\n",
     .page = "tools.md#where-the-bytes-go",
     .next = {":pkt :recording"},
     .find_usage = usage_of_report,
     .run = command_report},
    {.word = "wireshark",
     .usages = USED_FOR(WIRESHARK),
     .arguments = "[options] FILE.pkt",
     .summary = "print a dissector for Wireshark",
     .about =
         "Prints Lua that shows the packets of the schema in Wireshark and tshark, field by field. Copy it to the folder\n"
         "of personal Lua plugins, or load it with `tshark -X lua_script:game.lua`. TYPES is a list as for decode, such\n"
         "as 'Header, State delta, Event*'. --stream can be repeated.\n",
     .page = "tools.md#wireshark",
     .next = {":pkt"},
     .find_usage = usage_of_wireshark,
     .run = command_wireshark},
    {.word = "train",
     .usages = USED_FOR(TRAIN) | USED_FOR(TRAIN_TYPE),
     .arguments = "[options] FILE.pkt [OLD.pkt...] [TYPE] RECORDING...",
     .summary = "make the model of a schema from recordings",
     .about =
         "Counts the symbols of coded fields in the deltas of pcap and pcapng files, and prints a model in which frequent\n"
         "symbols are short. The schema names the file to put it in: `model \"FILE\";`. A recording is read with the schema\n"
         "in it, else with OLD.pkt, else with FILE.pkt. It may be of an older version. --stream as for decode.\n"
         "With TYPE, a @delta type with coded fields, the values of this type are taken, and of each its delta to an earlier\n"
         "one. Then a recording can also be a file with these values in the order of their ticks: for each the number of its\n"
         "bytes, 32 bits little-endian, and the bytes that TYPE_pack_body writes.\n"
         "With --check, the exit status is 1 if a fresh model would save more than --tolerance.\n",
     .page = "tools.md#models",
     .next = {":pkt", "TYPE :pkt :file", ":file"},
     .find_usage = usage_of_train,
     .run = command_train},
    {.word = "help",
     .usages = USED_FOR(HELP),
     .arguments = "[COMMAND]",
     .summary = "print help for a command",
     .about = "",
     .next = {"COMMAND"},
     .find_usage = usage_of_help,
     .run = command_help,
     .ignores_options = true},
    {.word = "complete",
     .usages = USED_FOR(COMPLETE),
     .arguments = "-- WORD...",
     .summary = "print what may come next on a command line",
     .about = "The completion scripts of bash, zsh and fish, which are installed with pktc, ask it.\n",
     .next = {""},
     .find_usage = usage_of_complete,
     .run = command_complete},
};
const size_t command_count = sizeof command_table / sizeof command_table[0];

const command_row *command_by_word(const char *word)
{
    for (size_t i = 0; i < command_count; i++)
        if (*word && strcmp(command_table[i].word, word) == 0)
            return &command_table[i];
    return NULL;
}

const command_row *command_without_word(void)
{
    return &command_table[0];
}

bool command_has(const command_row *of, const option *o)
{
    return (of->usages & o->usages) != 0;
}
