/* option_table.c - see option_table.h.
 * SPDX-License-Identifier: MIT
 */
#include "options/option_table.h"

#include <string.h>

#define ON(command) (1u << COMMAND_##command)
#define CODES (ON(DECODE) | ON(ENCODE))
#define VERSIONS (ON(DIFF) | ON(ARCHIVE) | ON(CONVERT))
#define RECORDED (ON(DECODE) | ON(CONVERT) | ON(REPORT) | ON(TRAIN) | ON(WIRESHARK))
#define READS_SCHEMA (ON(COMPILE) | ON(LAYOUT) | CODES | VERSIONS | ON(WIRESHARK) | ON(REPORT) | ON(TRAIN))
#define ALL (READS_SCHEMA | ON(FORMAT) | ON(HELP) | ON(COMPLETE))

/* An argument is attached or the next word: -oDIR or -o DIR, --hz=20 or --hz 20. */
const option option_table[] = {
    {OPTION_OUTPUT, ON(COMPILE), "-o", NULL, "DIR", NULL,
     "write the C files to DIR, created if missing (default: the current directory)"},
    {OPTION_IMPORT, READS_SCHEMA, "-I", NULL, "DIR", NULL,
     "search DIR for imports too, after the importing file's own directory"},
    {OPTION_CHECK, ON(COMPILE) | ON(FORMAT) | ON(ARCHIVE), "--check", NULL, NULL, NULL,
     "write nothing; list the files that would change, and exit with 1 if there are any"},
    {OPTION_PRUNE, ON(COMPILE), "--prune", NULL, NULL, NULL,
     "also remove from DIR the generated files that no FILE.pkt makes any more"},
    {OPTION_DEPFILE, ON(COMPILE), "--depfile", NULL, "FILE", NULL,
     "also write the outputs' dependencies to FILE, in make's syntax"},
    {OPTION_RUNTIME, ON(COMPILE), "--runtime", NULL, NULL, NULL,
     "also write the runtime, pkt.h and pkt.c (the default); without FILE.pkt, write only the runtime"},
    {OPTION_NO_RUNTIME, ON(COMPILE), "--no-runtime", NULL, NULL, NULL,
     "write no runtime: the program has it from elsewhere"},
    {OPTION_REFLECT, ON(COMPILE), "--reflect", NULL, NULL, NULL,
     "also write NAME_reflect.h and .c, which describe the types for pkt_print and pkt_visit"},
    {OPTION_CAPTURE, ON(COMPILE), "--capture", NULL, NULL, NULL,
     "also write NAME_capture.h and .c, which have the schema's text for recordings of packets"},
    {OPTION_UPGRADE, ON(COMPILE), "--upgrade", NULL, "DIR", NULL,
     "also write NAME_upgrade.h and .c, which read packets of the releases that 'pktc archive' keeps in DIR"},
    {OPTION_NO_CHECKS, READS_SCHEMA, "--no-checks", NULL, NULL, NULL,
     "leave all checks off the wire; this changes the protocol id"},
    {OPTION_DUMP, ON(COMPILE), "--dump", NULL, "PHASE", "tokens ast schema wire",
     "print tokens, ast, schema or wire; write no files"},
    {OPTION_PROJECTION, ON(COMPILE), "--projection", NULL, NULL, NULL,
     "print the text that the protocol id is a hash of; write no files"},
    {OPTION_FORMAT, ON(COMPILE), "--format", NULL, NULL, NULL, "the same as 'pktc fmt'"},
    {OPTION_LAYOUT, ON(COMPILE), "--layout", NULL, NULL, NULL, "the same as 'pktc layout'"},
    {OPTION_MTU, ON(LAYOUT), "--mtu", NULL, "BYTES", NULL, "the size that packets should not exceed (default: 1200)"},
    {OPTION_HZ, ON(LAYOUT), "--hz", NULL, "N", NULL, "also print kbit/s, for N packets per second"},
    {OPTION_HTML, ON(LAYOUT) | ON(REPORT), "--html", NULL, "FILE", NULL, "write a page with pictures to FILE instead"},
    {OPTION_HEX, CODES | ON(CONVERT), "--hex", NULL, NULL, NULL,
     "the bytes are hexadecimal digits: 0a1b, 0a 1b, 0a:1b or 0x0a, 0x1b"},
    {OPTION_BITS, CODES, "--bits", NULL, NULL, NULL, "list the position, width and raw value of each item instead"},
    {OPTION_BASE, CODES, "--base", NULL, "FILE", NULL,
     "the bytes are a delta; FILE has its baseline as JSON, or null for base values"},
    {OPTION_BEFORE, CODES, "--before", NULL, "FILE", NULL,
     "of @delta(predict): FILE has what the baseline has moved from, as JSON, or null; needs --back and --gap"},
    {OPTION_FRAME, CODES, "--frame", NULL, "NAME", NULL, "the bytes are a frame of this name around a stream of TYPEs"},
    {OPTION_SEED, ON(ENCODE) | RECORDED, "--seed", NULL, "N", NULL,
     "the seed of the frame, decimal or hexadecimal (0x...)"},
    {OPTION_BODY, CODES, "--body", NULL, NULL, NULL,
     "the bytes are the body of a packet alone, without crc and end check"},
    {OPTION_IGNORE_CRC, ON(DECODE), "--ignore-crc", NULL, NULL, NULL, "decode what a wrong crc would refuse"},
    {OPTION_SKIP, ON(DECODE), "--skip", NULL, "BITS", NULL, "the value begins after so many bits"},
    {OPTION_MODEL, ON(TRAIN), "-o", NULL, "FILE", NULL, "write the model to FILE, not to standard output"},
    {OPTION_CHECK, ON(TRAIN), "--check", NULL, NULL, NULL,
     "make no model; say what a fresh one would save, and exit with 1 if it is more than --tolerance"},
    {OPTION_TOLERANCE, ON(TRAIN), "--tolerance", NULL, "PERCENT", NULL,
     "what a fresh model may save before --check exits with 1 (default: 2)"},
    {OPTION_BACK, ON(TRAIN) | CODES, "--back", NULL, "N", NULL,
     "the baseline of a value is of N ticks before it (train with TYPE: N values; default: 6)"},
    {OPTION_GAP, ON(TRAIN) | CODES, "--gap", NULL, "N", NULL,
     "it goes on as it has moved from N ticks before that (train with TYPE: N values; default: 1)"},
    {OPTION_JSON, ON(DIFF) | ON(REPORT), "--json", NULL, NULL, NULL, "print one JSON object, with all there is to say"},
    {OPTION_AGAINST, ON(DIFF), "--against", NULL, "DIR", NULL,
     "the old schema is the newest of its protocol in DIR, where 'pktc archive' keeps them"},
    {OPTION_PORT, RECORDED, "--port", NULL, "N", NULL,
     "all UDP datagrams of this port are of the protocol; of a recording, the others are left out"},
    {OPTION_STREAM, RECORDED, "--stream", NULL, "NAME=TYPES", NULL,
     "also frames of this name around a stream of TYPEs; without NAME=, datagrams without a frame"},
    {OPTION_ERROR_FORMAT, READS_SCHEMA | ON(FORMAT), "--error-format", NULL, "FORM", "text json",
     "print diagnostics as text (the default) or json, one per line"},
    {OPTION_HELP, ALL, "--help", "-h", NULL, NULL, "print this help"},
    {OPTION_VERSION, ON(COMPILE), "--version", NULL, NULL, NULL, "print the version"},
};
const size_t option_count = sizeof option_table / sizeof option_table[0];

const command_entry command_table[] = {
    {COMMAND_COMPILE, "", "[options] FILE.pkt...", "compile schemas to C",
     "Options and files can be in any order; -- ends the options. A successful run prints nothing. Nothing is\n"
     "written unless every file compiles. Files that would not change are not touched, and files that pktc did\n"
     "not generate are not replaced.\n"
     "Exit status: 0 success; 1 errors in the input, files that cannot be written, or files out of date\n"
     "under --check; 2 errors in the command line.\n",
     command_compile},
    {COMMAND_FORMAT, "fmt", "[options] FILE.pkt...", "reformat schemas in place",
     "The file - is standard input, and its formatted text goes to standard output. A file with syntax errors\n"
     "stays as it is. Comments are kept.\n",
     command_format},
    {COMMAND_LAYOUT, "layout", "[options] FILE.pkt...", "print the size of each packet and each field", "",
     command_layout},
    {COMMAND_DECODE, "decode", "[options] [FILE.pkt...] [TYPE] [INPUT]", "print packets as JSON",
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
     command_decode},
    {COMMAND_ENCODE, "encode", "[options] FILE.pkt TYPE [INPUT]", "turn JSON into the bytes of a packet",
     "TYPE is a packet, struct or union of the schema, or a list for the values of a stream, such as\n"
     "'Header, State delta, Event*': a delta to the value in --base, then any number of events.\n"
     "The JSON comes from the file INPUT, or without it from standard input. The bytes go to standard output.\n",
     command_encode},
    {COMMAND_DIFF, "diff", "[options] OLD.pkt NEW.pkt", "compare two versions of a schema by meaning",
     "With --against, only NEW.pkt is given. The file - is standard input. The last line is the verdict, and the exit\n"
     "status says the same: 0 identical wire; 3 new protocol id, every recording converts; 4 recordings convert with\n"
     "loss; 5 recordings do not convert; 6 the same id, but the same bytes mean something else; 1 errors in the\n"
     "schemas; 2 errors in the command line.\n",
     command_diff},
    {COMMAND_ARCHIVE, "archive", "[options] DIR FILE.pkt...", "keep schemas as they are released",
     "Writes each schema to DIR as one file that needs no others, with the number of the release and the protocol id\n"
     "in its name, and prints that name. Nothing is written where DIR has that id. Comments are dropped, except those\n"
     "that document something (///).\n",
     command_archive},
    {COMMAND_CONVERT, "convert", "[options] [OLD] NEW.pkt [TYPE] [INPUT]",
     "turn the bytes of an older version into those of now",
     "pktc convert OLD NEW.pkt TYPE [INPUT] converts a value. OLD is the schema that the bytes are of, or the\n"
     "folder where `pktc archive` keeps releases: then the checksum of the packet says which one it is. TYPE is a\n"
     "packet, struct or union of NEW.pkt. The bytes come from the file INPUT, or without it from standard input; the\n"
     "bytes of NEW.pkt go to standard output. What the value loses is said on standard error. Deltas do not convert,\n"
     "because their baselines are of the older version too.\n"
     "pktc convert [OLD] NEW.pkt RECORDING converts each UDP datagram of a pcap or pcapng file, and writes a pcapng file\n"
     "with NEW.pkt inside to standard output. Without OLD, the schema is the one in the recording. --stream, once for\n"
     "each kind, says what is in streams, in the names of NEW.pkt. Deltas in them convert with their baselines. What\n"
     "cannot be converted is left out, and said on standard error.\n",
     command_convert},
    {COMMAND_REPORT, "report", "[options] [FILE.pkt...] RECORDING...", "print where the bytes of recordings go",
     "Reads pcap and pcapng files. The schema is the one in the first recording, or FILE.pkt. Prints how many bytes each\n"
     "kind of datagram and each field took, how many bits its values would need at least (entropy), and what to change\n"
     "in the schema, with the bytes that each change by itself would have saved. --stream as for decode: it can be\n"
     "repeated, and names what is in streams.\n",
     command_report},
    {COMMAND_WIRESHARK, "wireshark", "[options] FILE.pkt", "print a dissector for Wireshark",
     "Prints Lua that shows the packets of the schema in Wireshark and tshark, field by field. Copy it to the folder\n"
     "of personal Lua plugins, or load it with `tshark -X lua_script:game.lua`. TYPES is a list as for decode, such\n"
     "as 'Header, State delta, Event*'. --stream can be repeated.\n",
     command_wireshark},
    {COMMAND_TRAIN, "train", "[options] FILE.pkt [OLD.pkt...] [TYPE] RECORDING...",
     "make the model of a schema from recordings",
     "Counts the symbols of coded fields in the deltas of pcap and pcapng files, and prints a model in which frequent\n"
     "symbols are short. The schema names the file to put it in: `model \"FILE\";`. A recording is read with the schema\n"
     "in it, else with OLD.pkt, else with FILE.pkt. It may be of an older version. --stream as for decode.\n"
     "With TYPE, a @delta type with coded fields, the values of this type are taken, and of each its delta to an earlier\n"
     "one. Then a recording can also be a file with these values in the order of their ticks: for each the number of its\n"
     "bytes, 32 bits little-endian, and the bytes that TYPE_pack_body writes.\n"
     "With --check, the exit status is 1 if a fresh model would save more than --tolerance.\n",
     command_train},
    {COMMAND_HELP, "help", "[COMMAND]", "print help for a command", "", NULL},
    {COMMAND_COMPLETE, "complete", "-- WORD...", "print what may come next on a command line",
     "The completion scripts of bash, zsh and fish, which are installed with pktc, ask it.\n", NULL},
};
const size_t command_count = sizeof command_table / sizeof command_table[0];

const command_entry *command_by_word(const char *word)
{
    for (size_t i = 0; i < command_count; i++)
        if (*word && strcmp(command_table[i].word, word) == 0)
            return &command_table[i];
    return NULL;
}

const command_entry *command_by_id(command c)
{
    for (size_t i = 0; i < command_count; i++)
        if (command_table[i].command == c)
            return &command_table[i];
    return NULL;
}
