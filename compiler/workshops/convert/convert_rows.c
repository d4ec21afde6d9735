/* convert_rows.c - the row of `pktc convert`.
 * SPDX-License-Identifier: MIT
 */
#include "convert/convert_rows.h"

#include <string.h>

static const usage_row convert_usages[] = {
    {"convert", .arguments = "OLD NEW.pkt TYPE [INPUT]", .refuses = "needs a recording", .because = "is none",
     .shares = SHARES_SCHEMAS | SHARES_HEX, .run = command_convert},
};

static bool has_value_to_convert(const command_line *line)
{
    const options *o = line->options;
    if (o->file_count > 1 && is_schema_name(o->files[0]) && is_missing(o->files[1]) && is_name(o->files[1]))
        return wrong(line, "before '%s' has to be the older schema, or the folder of releases", o->files[0]);
    if (o->file_count < 3 || o->file_count > 4)
        return wrong(line, "convert needs the older schema or a folder, the newer schema, and the name of a type or a "
                           "recording");
    if (!is_name(o->files[2]) && !strchr(o->files[2], ','))
        return wrong(line, "'%s' is neither the name of a type nor a recording", o->files[2]);
    return true;
}

/* An older schema or a folder of them, a schema, the name of a type, and perhaps a file. */
static bool usage_of_convert(command_line *line)
{
    if (!uses(line, &convert_usages[0]) || !has_value_to_convert(line))
        return false;
    take_value(line->options, 2);
    return reads_no_input(line);
}

static const command_row convert_commands[] = {
    {.word = "convert",
     .place = 80,
     .arguments = "[options] [OLD] NEW.pkt [TYPE] [INPUT]",
     .summary = "convert the bytes of an older version to the current one",
     .about =
         "pktc convert OLD NEW.pkt TYPE [INPUT] converts a value. OLD is the schema of the bytes, or the folder where\n"
         "`pktc archive` keeps releases: then the packet's checksum tells its release. TYPE is a packet,\n"
         "struct or union of NEW.pkt. The bytes come from the file INPUT, or from standard input; the bytes of NEW.pkt go\n"
         "to standard output. Warnings say which parts of the value are lost. Deltas do not convert, because their\n"
         "baselines are of the older version too.\n",
     .page = "versions.md#old-packets",
     .next = {":pkt :directory", ":pkt :recording", "TYPE :recording", ":file"},
     .find_usage = usage_of_convert},
};

const workshop convert_workshop = {WORKSHOP_ROWS(convert)};
