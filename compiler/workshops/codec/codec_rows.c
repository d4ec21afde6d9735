/* codec_rows.c - the rows of `pktc decode` and `encode`, and of their options.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_rows.h"

enum { USAGE_DECODE, USAGE_ENCODE };
#define ON(name) (1u << USAGE_##name)
#define CODES (ON(DECODE) | ON(ENCODE))

static const usage_row codec_usages[] = {
    [USAGE_DECODE] = {"decode", .arguments = "FILE.pkt TYPE [INPUT]", .refuses = "needs a recording",
                      .because = "is none", .shares = SHARES_SCHEMAS | SHARES_HEX | SHARES_CHANGES | SHARES_SEED,
                      .run = command_decode},
    [USAGE_ENCODE] = {"encode", .arguments = "FILE.pkt TYPE [INPUT]",
                      .shares = SHARES_SCHEMAS | SHARES_HEX | SHARES_SEED, .run = command_encode},
};

/* A schema, the name of a type, and perhaps a file. */
static bool usage_of_decode(command_line *line)
{
    options *o = line->options;
    if (!uses(line, &codec_usages[USAGE_DECODE]))
        return false;
    if (o->file_count == 1 && !is_schema_name(o->files[0]))
        return wrong(line, "'%s' is neither a recording nor a .pkt file", o->files[0]);
    if (o->file_count < 2 || o->file_count > 3)
        return wrong(line, "decode needs one .pkt file and the name of a type, or a recording");
    take_value(o, 1);
    return true;
}

static bool usage_of_encode(command_line *line)
{
    options *o = line->options;
    if (o->file_count < 2 || o->file_count > 3)
        return wrong(line, "encode needs one .pkt file and the name of a type");
    take_value(o, 1);
    return uses(line, &codec_usages[USAGE_ENCODE]);
}

static const command_row codec_commands[] = {
    {.word = "decode",
     .place = 40,
     .arguments = "[options] [FILE.pkt...] [TYPE] [INPUT]",
     .summary = "print packets as JSON",
     .about =
         "pktc decode FILE.pkt TYPE [INPUT] prints a value. Its bytes are in the file INPUT, or come from standard input.\n"
         "TYPE is a packet, struct or union of the schema. It can also be a list for the values of a stream, such as\n"
         "'Header, State delta, Event*': a header, a delta to the value in --base, and any number of events. decode\n"
         "refuses the bytes that generated code would refuse, and prints the reason, the bit and the field.\n",
     .page = "tools.md",
     .next = {":pkt :recording", "TYPE :recording", ":file"},
     .find_usage = usage_of_decode},
    {.word = "encode",
     .place = 50,
     .arguments = "[options] FILE.pkt TYPE [INPUT]",
     .summary = "turn JSON into the bytes of a packet",
     .about =
         "TYPE is a packet, struct or union of the schema. It can also be a list for the values of a stream, such as\n"
         "'Header, State delta, Event*': a header, a delta to the value in --base, and any number of events. The JSON\n"
         "comes from the file INPUT, or from standard input. The bytes go to standard output.\n" ABOUT_RECORDINGS,
     .page = "tools.md",
     .next = {":pkt", "TYPE", ":file"},
     .find_usage = usage_of_encode},
};

static const option_row codec_option_rows[] = {
    {"--bits", CODES, SETS_FLAG(codec_choices, bits), .place = 170,
     .help = "list the position, width and raw value of each item instead"},
    {"--base", CODES, SETS_TEXT(codec_choices, base), .argument = "FILE",
     .help = "the bytes are a delta; FILE has its baseline as JSON, or null for base values",
     .more = "For a packet with parts, FILE has an object with the baselines of the parts."},
    {"--before", CODES, SETS_TEXT(codec_choices, before), .argument = "FILE",
     .help =
         "of @delta(predict): FILE has the value from which the baseline has moved, as JSON or null; needs --back and --gap"},
    {"--back", CODES, SETS_NUMBER(codec_choices, back, 0, OPTION_MANY), .argument = "N",
     .help = "of @delta(predict): the baseline is N ticks older than the value"},
    {"--gap", CODES, SETS_NUMBER(codec_choices, gap, 0, OPTION_MANY), .argument = "N",
     .help = "with --before: the baseline has moved for N ticks; with 0 it does not move"},
    {"--frame", CODES, SETS_TEXT(codec_choices, frame), .place = 190, .argument = "NAME",
     .help = "the bytes are a frame of this name around a stream of TYPEs"},
    {"--body", CODES, SETS_FLAG(codec_choices, body),
     .help = "the bytes are the body of a packet alone, without crc and end check"},
    {"--skip", ON(DECODE), SETS_NUMBER(codec_choices, skip, 1, OPTION_MANY), .measure = " of bits", .argument = "BITS",
     .help = "the value begins after this many bits"},
    {"--ignore-crc", ON(DECODE), SETS_FLAG(codec_choices, ignore_crc), .help = "decode although the crc is wrong"},
};

static const option_rule codec_rules[] = {
    {ON(ENCODE), "--hex", .excludes = "--bits"},
    {ON(DECODE), "--changes", .excludes = "--bits"},
    {ON(DECODE), "--changes", .needs = "--base"},
    {CODES, "--before", .needs = "--base"},
    {CODES, "--before", .needs = "--back and --gap"},
    {CODES, "--back", .needs = "--base"},
    {CODES, "--gap", .needs = "--before"},
};

const workshop codec_workshop = {WORKSHOP_ROWS(codec), WORKSHOP_OPTIONS(codec, codec_choices), WORKSHOP_RULES(codec)};
