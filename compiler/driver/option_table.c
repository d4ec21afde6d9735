/* option_table.c - the rows of the options.
 * SPDX-License-Identifier: MIT
 */
#include "driver/option_table.h"

#define RECORDING .refuses = "is for the bytes of one value", .because = "is a recording"
#define VALUE .refuses = "needs a recording", .because = "is none"

const usage_row usage_table[] = {
    {USAGE_COMPILE, .arguments = "[options] FILE.pkt..."},
    {USAGE_FORMAT, .arguments = "FILE.pkt..."},
    {USAGE_LAYOUT, .arguments = "FILE.pkt..."},
    {USAGE_DESCRIBE, .arguments = "FILE.pkt"},
    {USAGE_DECODE, .arguments = "FILE.pkt TYPE [INPUT]", VALUE},
    {USAGE_DECODE_RECORDING, .arguments = "[FILE.pkt...] RECORDING", RECORDING},
    {USAGE_ENCODE, .arguments = "FILE.pkt TYPE [INPUT]"},
    {USAGE_DIFF, .arguments = "OLD.pkt NEW.pkt"},
    {USAGE_DIFF_ARCHIVE, .option = "--against", .arguments = "NEW.pkt"},
    {USAGE_ARCHIVE, .arguments = "DIR FILE.pkt..."},
    {USAGE_CONVERT, .arguments = "OLD NEW.pkt TYPE [INPUT]", VALUE},
    {USAGE_CONVERT_RECORDING, .arguments = "[OLD] NEW.pkt RECORDING > CONVERTED", RECORDING},
    {USAGE_REPORT, .arguments = "[FILE.pkt...] RECORDING..."},
    {USAGE_TALLY, .arguments = "[FILE.pkt...] RECORDING..."},
    {USAGE_WIRESHARK, .arguments = "FILE.pkt"},
    {USAGE_TRAIN, .arguments = "FILE.pkt [OLD.pkt...] RECORDING...",
     .refuses = "needs the name of a type: deltas are taken as they were sent"},
    {USAGE_TRAIN_TYPE, .arguments = "FILE.pkt [OLD.pkt...] TYPE RECORDING..."},
    {USAGE_LSP, .arguments = ""},
    {USAGE_HELP, .arguments = "[COMMAND]"},
    {USAGE_COMPLETE, .arguments = "-- WORD..."},
};
const size_t usage_count = sizeof usage_table / sizeof usage_table[0];

#define ON(name) USED_FOR(name)
#define DIFFS (ON(DIFF) | ON(DIFF_ARCHIVE))
#define TRAINS (ON(TRAIN) | ON(TRAIN_TYPE))
#define CODES (ON(DECODE) | ON(ENCODE))
#define RECORDED (ON(DECODE_RECORDING) | ON(CONVERT_RECORDING) | ON(REPORT) | ON(TALLY) | ON(WIRESHARK) | TRAINS)
#define COUNTS (ON(REPORT) | ON(TALLY) | TRAINS)
#define SCHEMAS (ON(COMPILE) | ON(LAYOUT) | ON(DESCRIBE) | CODES | DIFFS | ON(ARCHIVE) | ON(CONVERT) | RECORDED)
#define ALL (SCHEMAS | ON(LSP) | ON(FORMAT) | ON(HELP) | ON(COMPLETE))

/* The offset of a member. If its type is another one, the compiler warns of the comparison. */
#define AT(type, name) (offsetof(options, name) + 0 * sizeof(&((options *)0)->name == (type *)0))
#define FLAG(name) .kind = OPTION_FLAG, .member = AT(bool, name)
#define TEXT(name) .kind = OPTION_TEXT, .member = AT(const char *, name)
#define LIST(name) .kind = OPTION_LIST, .member = AT(text_list, name)
#define NUMBER(name, low, high) .kind = OPTION_NUMBER, .member = AT(uint32_t, name), .least = (low), .most = (high)
#define SEED(name) .kind = OPTION_SEED, .member = AT(uint64_t, name)

enum { MANY = 1000000, PORTS = 65535, HOUR = 3600 };

/* An argument is attached to its option, or it is the next word: -oDIR or -o DIR, --hz=20 or --hz 20. */
const option option_table[] = {
    {"-o", ON(COMPILE), TEXT(output_dir), .argument = "DIR",
     .help = "write the C files to DIR, created if missing (default: the current directory)"},
    {"-I", SCHEMAS | ON(LSP), LIST(import_dirs), .argument = "DIR",
     .help = "search DIR for imports too, after the importing file's own directory"},
    {"--check", ON(COMPILE) | ON(FORMAT) | ON(ARCHIVE), FLAG(check_only),
     .help = "write nothing; list the files that would change, and exit with 1 if there are any",
     .more = "Generated files that no input makes any more are listed too."},
    {"--diff", ON(FORMAT), FLAG(diff),
     .help = "write nothing; print the lines that would change, and exit with 1 if there are any"},
    {"--prune", ON(COMPILE), FLAG(prune),
     .help = "also remove from DIR the generated files that no FILE.pkt makes any more",
     .more = "Files that pktc did not generate stay."},
    {"--depfile", ON(COMPILE) | TRAINS, TEXT(depfile), .argument = "FILE",
     .help = "also write the outputs' dependencies to FILE, in make's syntax",
     .more = "The file - is standard output."},
    {"--depfile-target", ON(COMPILE) | TRAINS, TEXT(depfile_target), .argument = "NAME",
     .help = "in the depfile, NAME depends on the inputs, not each output",
     .more = "This is what -MT is for compilers."},
    {"--runtime", ON(COMPILE), FLAG(runtime),
     .help =
         "also write all parts of the runtime, not only those that DIR needs; without FILE.pkt, write only the runtime",
     .page = "build.md#the-runtime"},
    {"--no-runtime", ON(COMPILE), FLAG(no_runtime), .help = "write no runtime: the program has it from elsewhere",
     .more = "That can be the installed library, CMake or another directory."},
    {"--reflect", ON(COMPILE), FLAG(reflect),
     .help = "also write NAME_reflect.h and .c, which describe the types for pkt_print and pkt_visit",
     .page = "runtime.md#reflection"},
    {"--capture", ON(COMPILE), FLAG(capture),
     .help = "also write NAME_capture.h and .c, which have the schema's text for recordings of packets",
     .more = "A program that records packets with pkt_capture puts the text into the recording.",
     .page = "runtime.md#recordings"},
    {"--upgrade", ON(COMPILE), TEXT(upgrade), .argument = "DIR",
     .help = "also write NAME_upgrade.h and .c, which read packets of the releases that 'pktc archive' keeps in DIR",
     .page = "versions.md#old-packets"},
    {"--serve", ON(COMPILE), NUMBER(serve, 1, 99), .argument = "N",
     .help =
         "also write NAME_serve.h and .c, which write and read packets for clients of the N releases before this one",
     .page = "versions.md#clients-of-older-releases"},
    {"--no-checks", SCHEMAS | ON(LSP), FLAG(no_checks),
     .help = "leave all checks off the wire; this changes the protocol id",
     .more = "So programs with and without checks refuse each other's packets."},
    {"--dump", ON(COMPILE), TEXT(dump), .argument = "PHASE", .words = "tokens ast schema wire",
     .help = "print tokens, ast, schema or wire; write no files"},
    {"--projection", ON(COMPILE), FLAG(projection),
     .help = "print the text whose hash is the protocol id; write no files"},
    {"--mtu", ON(LAYOUT) | ON(LSP), NUMBER(mtu, 1, MANY), .measure = " of bytes", .usual = 1200, .argument = "BYTES",
     .help = "the size that packets should not exceed"},
    {"--hz", ON(LAYOUT), NUMBER(hz, 1, MANY), .argument = "N", .help = "also print kbit/s, for N packets per second"},
    {"--html", ON(LAYOUT) | ON(REPORT), TEXT(html), .argument = "FILE",
     .help = "write a page with pictures to FILE instead",
     .more = "The page needs no other file. The file - is standard output."},
    {"--hex", CODES | ON(CONVERT), FLAG(hex),
     .help = "the bytes are hexadecimal digits: 0a1b, 0a 1b, 0a:1b or 0x0a, 0x1b"},
    {"--bits", CODES, FLAG(bits), .help = "list the position, width and raw value of each item instead"},
    {"--base", CODES, TEXT(base), .argument = "FILE",
     .help = "the bytes are a delta; FILE has its baseline as JSON, or null for base values",
     .more = "For a packet with parts, FILE has an object with the baselines of the parts."},
    {"--before", CODES, TEXT(before), .argument = "FILE",
     .help =
         "of @delta(predict): FILE has the value from which the baseline has moved, as JSON or null; needs --back and --gap"},
    {"--back", CODES, NUMBER(back, 0, MANY), .argument = "N",
     .help = "with --before: the baseline is N ticks older than the value"},
    {"--gap", CODES, NUMBER(gap, 0, MANY), .argument = "N",
     .help = "with --before: the baseline has moved for N ticks; with 0 it does not move"},
    {"--changes", ON(DECODE) | ON(DECODE_RECORDING), FLAG(changes),
     .help = "of a delta, print only what has changed since its baseline", .page = "tools.md#deltas"},
    {"--frame", CODES, TEXT(frame), .argument = "NAME",
     .help = "the bytes are a frame of this name around a stream of TYPEs"},
    {"--body", CODES, FLAG(body), .help = "the bytes are the body of a packet alone, without crc and end check"},
    {"--skip", ON(DECODE), NUMBER(skip, 1, MANY), .measure = " of bits", .argument = "BITS",
     .help = "the value begins after this many bits"},
    {"--ignore-crc", ON(DECODE), FLAG(ignore_crc), .help = "decode although the crc is wrong"},
    {"--port", RECORDED, NUMBER(port, 1, PORTS), .argument = "N",
     .help = "all UDP datagrams of this port are of the protocol; of a recording, all others are left out"},
    {"--stream", RECORDED, LIST(streams), .argument = "[NAME=]TYPES",
     .help = "also frames of this name around a stream of TYPEs; without NAME=, datagrams without a frame"},
    {"--seed", CODES | RECORDED, SEED(seed), .argument = "N",
     .help = "the seed of frames, and of packets with parts or @seed: decimal or hexadecimal (0x...)"},
    {"-o", TRAINS, TEXT(model), .argument = "FILE", .help = "write the model to FILE, not to standard output"},
    {"-o", ON(TALLY), TEXT(tally), .argument = "FILE", .help = "write the tally to FILE, not to standard output"},
    {"-j", COUNTS, NUMBER(jobs, 1, 256), .usual = 1, .argument = "N",
     .help = "count recordings in N processes at the same time (on Windows, always one)",
     .page = "fleet.md#one-machine"},
    {"--check", TRAINS, FLAG(check_only),
     .help = "make no model; say how much a fresh one would save, and exit with 1 if it is more than --tolerance"},
    {"--tolerance", TRAINS, NUMBER(tolerance, 0, 100), .usual = 2, .argument = "PERCENT",
     .help = "how much a fresh model may save before --check exits with 1"},
    {"--back", ON(TRAIN_TYPE), NUMBER(back, 1, MANY), .usual = 6, .argument = "N",
     .help = "with TYPE: the baseline of a value is the one N values before it"},
    {"--gap", ON(TRAIN_TYPE), NUMBER(gap, 1, MANY), .usual = 1, .argument = "N",
     .help = "with TYPE: the baseline is predicted from its motion over the N values before it"},
    {"--json", ON(LAYOUT) | DIFFS | ON(REPORT), FLAG(json), .help = "print one JSON object with everything"},
    {"--follow", ON(REPORT), FLAG(follow),
     .help = "print what each few seconds took, while the recording is being written; with --json, a line for each",
     .more =
         "The recording is a file that grows, or a pipe. On a terminal the window is drawn again each time, until you "
         "press q.",
     .page = "tools.md#while-it-runs"},
    {"--interval", ON(REPORT), NUMBER(interval, 1, HOUR), .measure = " of seconds", .usual = 2, .argument = "SECONDS",
     .help = "with --follow: how many seconds each time"},
    {"--against", ON(DIFF_ARCHIVE), TEXT(archive), .argument = "DIR",
     .help = "the old schema is the newest of its protocol in DIR, where 'pktc archive' keeps them"},
    {"--against", ON(LSP), TEXT(archive), .argument = "DIR",
     .help = "also show what has changed since the newest release in DIR, where 'pktc archive' keeps them"},
    {"--meanings", DIFFS, FLAG(meanings),
     .help = "exit with 6 if the same bytes mean something else, under another protocol id too",
     .more = "This is for programs that send bodies without a frame, whose readers do not see the id."},
    {"--error-format", SCHEMAS | ON(FORMAT), TEXT(error_format), .argument = "FORM", .words = "text json",
     .help = "print diagnostics as text (the default) or json, one per line"},
    {"--help", ALL, .kind = OPTION_HELP, .letter = "-h", .help = "print this help",
     .more = "'pktc fmt -h' prints the help of fmt, as 'pktc help fmt' does."},
    {"--version", ON(COMPILE), .kind = OPTION_VERSION,
     .help = "print the versions of pktc and of the wire format, and what pktc was built with"},
};
const size_t option_count = sizeof option_table / sizeof option_table[0];

const option_rule rule_table[] = {
    {ON(COMPILE), "--runtime", .excludes = "--no-runtime"},
    {ON(COMPILE), "--check", .excludes = "--dump"},
    {ON(COMPILE), "--check", .excludes = "--projection"},
    {ON(COMPILE), "--prune", .excludes = "--check"},
    {ON(COMPILE), "--prune", .excludes = "--dump"},
    {ON(COMPILE), "--prune", .excludes = "--projection"},
    {ON(COMPILE), "--dump", .excludes = "--projection"},
    {ON(ENCODE), "--hex", .excludes = "--bits"},
    {ON(DECODE), "--changes", .excludes = "--bits"},
    {ON(DECODE), "--changes", .needs = "--base"},
    {CODES, "--before", .needs = "--base"},
    {CODES, "--before", .needs = "--back and --gap"},
    {CODES, "--back", .needs = "--before"},
    {CODES, "--gap", .needs = "--before"},
    {ON(LAYOUT) | ON(REPORT), "--json", .excludes = "--html"},
    {ON(REPORT), "--follow", .excludes = "--html"},
    {ON(REPORT), "--interval", .needs = "--follow"},
    {ON(COMPILE), "--serve", .needs = "--upgrade"},
    {ON(COMPILE) | TRAINS, "--depfile-target", .needs = "--depfile"},
    {ON(FORMAT), "--check", .excludes = "--diff"},
    {TRAINS, "--depfile", .needs = "-o"},
    {TRAINS, "-o", .excludes = "--check", .why = "--check makes no model"},
    {TRAINS, "--tolerance", .needs = "--check"},
};
const size_t rule_count = sizeof rule_table / sizeof rule_table[0];
