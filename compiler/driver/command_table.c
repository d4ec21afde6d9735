/* command_table.c - the rows of the commands.
 * SPDX-License-Identifier: MIT
 */
#include "driver/command_table.h"
#include "driver/options_internal.h"

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
    {.word = "describe",
     .usages = USED_FOR(DESCRIBE),
     .arguments = "[options] FILE.pkt",
     .summary = "print types, values, bits and places as JSON",
     .about = "",
     .page = "describe.md",
     .next = {":pkt", ""},
     .find_usage = usage_of_describe,
     .run = command_describe},
    {.word = "decode",
     .usages = USED_FOR(DECODE) | USED_FOR(DECODE_RECORDING),
     .arguments = "[options] [FILE.pkt...] [TYPE] [INPUT]",
     .summary = "print packets as JSON",
     .about =
         "pktc decode FILE.pkt TYPE [INPUT] prints a value. Its bytes are in the file INPUT, or come from standard input.\n"
         "TYPE is a packet, struct or union of the schema. It can also be a list for the values of a stream, such as\n"
         "'Header, State delta, Event*': a header, a delta to the value in --base, and any number of events. decode\n"
         "refuses the bytes that generated code would refuse, and prints the reason, the bit and the field.\n"
         "pktc decode RECORDING prints a line for each UDP datagram of a pcap or pcapng file. The schema is the one in the\n"
         "recording, or FILE.pkt. Packets are recognized by their crc. --stream lists the values of a stream; give it once\n"
         "for each kind of stream. In its list, 'Event[Head.count]' are as many events as this field says, and 'State\n"
         "delta(Head.number from Head.baseline)' is a delta to an earlier State. If State is @delta(predict), 'State\n"
         "delta(Head.number from Head.baseline after Head.before)' also names the value from which the baseline has moved.\n"
         "'State=State delta(last)' are packets that are deltas to the last State before them; if State is\n"
         "@delta(predict), write 'State=State delta(last after previous)'.\n",
     .page = "tools.md",
     .next = {":pkt :recording", "TYPE :recording", ":file"},
     .find_usage = usage_of_decode,
     .run = command_decode},
    {.word = "encode",
     .usages = USED_FOR(ENCODE),
     .arguments = "[options] FILE.pkt TYPE [INPUT]",
     .summary = "turn JSON into the bytes of a packet",
     .about =
         "TYPE is a packet, struct or union of the schema. It can also be a list for the values of a stream, such as\n"
         "'Header, State delta, Event*': a header, a delta to the value in --base, and any number of events. The JSON\n"
         "comes from the file INPUT, or from standard input. The bytes go to standard output.\n",
     .page = "tools.md",
     .next = {":pkt", "TYPE", ":file"},
     .find_usage = usage_of_encode,
     .run = command_encode},
    {.word = "diff",
     .usages = USED_FOR(DIFF) | USED_FOR(DIFF_ARCHIVE),
     .arguments = "[options] OLD.pkt NEW.pkt",
     .summary = "compare two versions of a schema by meaning",
     .about =
         "With --against, give only NEW.pkt. The file - is standard input. The last line is the verdict, and the exit\n"
         "status says the same: 0 identical wire; 3 new protocol id, every recording converts; 4 recordings convert with\n"
         "loss, or without some packets; 5 recordings do not convert; 6 the same id, but the same bytes mean something\n"
         "else; 1 errors in the schemas; 2 errors in the command line.\n",
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
         "in its name, and prints that name. Nothing is written if DIR has that id already. Comments are dropped, except\n"
         "those that document something (///).\n",
     .page = "tools.md#releases",
     .next = {":directory", ":pkt"},
     .find_usage = usage_of_archive,
     .run = command_archive},
    {.word = "convert",
     .usages = USED_FOR(CONVERT) | USED_FOR(CONVERT_RECORDING),
     .arguments = "[options] [OLD] NEW.pkt [TYPE] [INPUT]",
     .summary = "convert the bytes of an older version to the current one",
     .about =
         "pktc convert OLD NEW.pkt TYPE [INPUT] converts a value. OLD is the schema of the bytes, or the folder where\n"
         "`pktc archive` keeps releases: then the packet's checksum tells its release. TYPE is a packet,\n"
         "struct or union of NEW.pkt. The bytes come from the file INPUT, or from standard input; the bytes of NEW.pkt go\n"
         "to standard output. Warnings say which parts of the value are lost. Deltas do not convert, because their\n"
         "baselines are of the older version too.\n"
         "pktc convert [OLD] NEW.pkt RECORDING converts each UDP datagram of a pcap or pcapng file, and writes a pcapng\n"
         "file with NEW.pkt inside to standard output. Without OLD, the schema is the one in the recording. --stream lists\n"
         "the values of a stream, in the names of NEW.pkt; give it once for each kind of stream. Deltas in streams convert\n"
         "with their baselines. A datagram that cannot be converted is left out, with a warning.\n",
     .page = "versions.md#old-packets",
     .next = {":pkt :directory", ":pkt :recording", "TYPE :recording", ":file"},
     .find_usage = usage_of_convert,
     .run = command_convert},
    {.word = "report",
     .usages = USED_FOR(REPORT),
     .arguments = "[options] [FILE.pkt...] RECORDING...",
     .summary = "print where the bytes of recordings go",
     .about =
         "Reads pcap and pcapng files, and tallies of them. The schema is the one in the first, or FILE.pkt. Prints how many bytes\n"
         "each kind of datagram and each field took, how many bits the values of a field would need at least (entropy),\n"
         "and which changes of the schema would have saved bytes, each by itself. --stream lists the values of a stream,\n"
         "as for decode; give it once for each kind of stream. The exit status is 3 if the report lacks a recording that\n"
         "could not be read.\n",
     .page = "tools.md#where-the-bytes-go",
     .next = {":pkt :recording"},
     .find_usage = usage_of_report,
     .run = command_report},
    {.word = "tally",
     .usages = USED_FOR(TALLY),
     .arguments = "[options] [FILE.pkt...] RECORDING...",
     .summary = "count recordings for report and train",
     .about =
         "Writes what report and train need of recordings, as a small file. report, train and tally take such files in\n"
         "place of recordings, and what they print is the same however the recordings were parted among them. The schema\n"
         "is the one in the first recording, or FILE.pkt; it is in the tally too. The exit status is 3 if a recording\n"
         "could not be read: the tally lacks it, and names it.\n",
     .page = "fleet.md",
     .next = {":pkt :recording"},
     .find_usage = usage_of_tally,
     .run = command_tally},
    {.word = "wireshark",
     .usages = USED_FOR(WIRESHARK),
     .arguments = "[options] FILE.pkt",
     .summary = "print a dissector for Wireshark",
     .about =
         "Prints Lua that shows the packets of the schema in Wireshark and tshark, field by field. Copy it to the folder\n"
         "of personal Lua plugins, or load it with `tshark -X lua_script:game.lua`. --stream lists the values of a stream,\n"
         "such as 'Header, State delta, Event*'; give it once for each kind of stream.\n",
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
         "symbols are short. The schema names the file of its model: `model \"FILE\";`. A recording is read with the schema\n"
         "in it, else with OLD.pkt, else with FILE.pkt, and may be of an older version. --stream is as for decode.\n"
         "With TYPE, a @delta type with coded fields, train takes all values of this type, and of each its delta to an\n"
         "earlier one. Then a recording can also be a file of values in the order of their ticks. Each value is the number\n"
         "of its bytes, 32 bits little-endian, and then the bytes that TYPE_pack_body writes.\n"
         "With --check, the exit status is 1 if a fresh model would save more than --tolerance. Otherwise it is 3 if a\n"
         "recording could not be read.\n",
     .page = "tools.md#models",
     .next = {":pkt", "TYPE :pkt :file", ":file"},
     .find_usage = usage_of_train,
     .run = command_train},
    {.word = "lsp",
     .usages = USED_FOR(LSP),
     .arguments = "[options]",
     .summary = "show schemas in an editor",
     .about =
         "A server of the Language Server Protocol 3.17 on standard input and output, which an editor starts: errors with\n"
         "quick fixes, bits beside each field, hover, completion, definitions, references, rename, format.\n",
     .page = "editors.md",
     .next = {""},
     .find_usage = usage_of_lsp,
     .run = command_lsp},
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
     .about = "The completion scripts of bash, zsh and fish, which are installed with pktc, call it.\n",
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
