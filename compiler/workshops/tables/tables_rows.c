/* tables_rows.c - the rows of `pktc table`.
 * SPDX-License-Identifier: MIT
 */
#include "tables/tables_rows.h"
#include "recordings/recordings_rows.h"
#include "recordings/tally_io.h"

enum { USAGE_TABLE };
#define ON(name) (1u << USAGE_##name)

static const usage_row tables_usages[] = {
    [USAGE_TABLE] = {"table", .arguments = "-o DIR [FILE.pkt...] RECORDING...",
                     .shares = SHARES_RECORDING | SHARES_CHANGES | SHARES_JOBS, .run = table_recordings},
};

static bool usage_of_table(command_line *line)
{
    const options *o = line->options;
    if (!take_recordings(line))
        return false;
    if (!tables_chosen(o)->directory)
        return wrong(line, "table needs -o DIR: it writes a folder of files for each table");
    for (size_t i = 0; i < o->recording_count; i++)
        if (tally_is(o->recordings[i]))
            return wrong(line, "'%s' is a tally, which has counts and no values", o->recordings[i]);
    return uses(line, &tables_usages[USAGE_TABLE]);
}

static const command_row tables_commands[] = {
    {.word = "table",
     .place = 110,
     .arguments = "[options] -o DIR [FILE.pkt...] RECORDING...",
     .summary = "write recordings as tables, in Parquet files",
     .about =
         "Writes the datagrams of pcap and pcapng files, their values, and the elements of each array as tables that\n"
         "DuckDB, Polars, Spark and others read: DIR/TABLE/RECORDING.parquet. The schemas are those in each recording, or\n"
         "FILE.pkt. --stream is as for decode. Prints the rows of each table. The exit status is 3 if a recording\n"
         "could not be read or its files not be written: the tables lack it, and a warning names it. If one ends\n"
         "early, the tables have what comes before, with a warning.\n",
     .page = "tables.md",
     .next = {":pkt :recording"},
     .find_usage = usage_of_table},
};

static const option_row tables_option_rows[] = {
    {"-o", ON(TABLE), SETS_TEXT(tables_choices, directory), .place = 215, .argument = "DIR",
     .help = "write the tables to DIR, created if missing"},
};

const workshop tables_workshop = {WORKSHOP_ROWS(tables), WORKSHOP_OPTIONS(tables, tables_choices)};
