/* usages.c - tells the files of a command line apart and finds out how the command is used. Reports files that are
 * missing or in the wrong order.
 * SPDX-License-Identifier: MIT
 */
#include "base/files.h"
#include "recordings/tally_io.h"
#include "driver/options_internal.h"
#include "recordings/recording.h"

#include <string.h>

/* ---- what files are */

static bool is_schema_name(const char *file)
{
    const size_t size = strlen(file);
    return size > 4 && strcmp(file + size - 4, ".pkt") == 0;
}

static bool ends_with(const char *word, const char *ending)
{
    const size_t size = strlen(word), end = strlen(ending);
    return size >= end && strcmp(word + size - end, ending) == 0;
}

/* Whether a word means a recording: by its content, or by its name alone, so that reading it reports the error. */
static bool means_recording(const char *word)
{
    static const char *const endings[] = {".pcapng", ".pcap", ".pcapng.gz", ".pcap.gz", ".pcapng.zst", ".pcap.zst"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(word, endings[i]))
            return true;
    return !file_is_pipe(word) && recording_is(word);
}

/* Whether a file can be read, and is no recording. */
static bool is_something_else(const char *file)
{
    arena *a = arena_new();
    const bool is = !recording_is(file) && !recording_failure(a, file);
    arena_free(a);
    return is;
}

static bool is_name(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static bool is_missing(const char *file)
{
    return !file_is_regular(file) && !file_is_directory(file);
}

static bool is_source_name(const char *file)
{
    static const char *const endings[] = {".c", ".h", ".cpp", ".hpp", ".cc"};
    const char *end = strrchr(file, '.');
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (end && strcmp(end, endings[i]) == 0)
            return true;
    return false;
}

/* ---- schemas */

static bool has_file(const command_line *line)
{
    return line->options->file_count > 0 || wrong(line, "no .pkt file given");
}

static bool reads_no_input(const command_line *line)
{
    const options *o = line->options;
    for (size_t i = 0; i < o->file_count; i++)
        if (strcmp(o->files[i], "-") == 0)
            return wrong(line, "only fmt and diff read a schema from standard input");
    return true;
}

/* Without a file, only the runtime is written. */
static bool takes_schemas(const command_line *line)
{
    const options *o = line->options;
    const bool runtime_alone = o->runtime && !o->depfile && !o->prune && !o->dump && !o->projection;
    if (o->output_dir && strcmp(o->output_dir, "-") == 0)
        return wrong(line, "-o takes a directory: C is several files, which standard output cannot have");
    if (o->output_dir && is_source_name(o->output_dir))
        return wrong(line, "-o takes a directory for all files: '-o generated', not '-o %s'", o->output_dir);
    return (runtime_alone || has_file(line)) && reads_no_input(line);
}

bool usage_of_compile(command_line *line)
{
    return takes_schemas(line) && uses(line, USAGE_COMPILE);
}

bool usage_of_format(command_line *line)
{
    return has_file(line) && uses(line, USAGE_FORMAT);
}

bool usage_of_layout(command_line *line)
{
    const options *o = line->options;
    if (!has_file(line) || !reads_no_input(line))
        return false;
    for (size_t i = 1; i < o->file_count; i++)
        if (is_name(o->files[i]) && is_missing(o->files[i]))
            return wrong(line, "layout prints all types of '%s': it takes no name of one, as '%s' is", o->files[0],
                         o->files[i]);
    if (o->html && o->file_count > 1)
        return wrong(line, "--html takes one .pkt file");
    return uses(line, USAGE_LAYOUT);
}

bool usage_of_describe(command_line *line)
{
    if (!has_file(line) || !reads_no_input(line))
        return false;
    if (line->options->file_count > 1)
        return wrong(line, "describe takes one .pkt file");
    return uses(line, USAGE_DESCRIBE);
}

bool usage_of_wireshark(command_line *line)
{
    if (!has_file(line) || !reads_no_input(line))
        return false;
    if (line->options->file_count > 1)
        return wrong(line, "wireshark takes one .pkt file");
    return uses(line, USAGE_WIRESHARK);
}

/* ---- versions */

/* Two schemas, or one and an archive. */
bool usage_of_diff(command_line *line)
{
    const options *o = line->options;
    const char *const *files = o->files;
    if (o->archive)
        return o->file_count == 1 ? uses(line, USAGE_DIFF_ARCHIVE)
                                  : wrong(line, "diff --against DIR takes one .pkt file");
    if (o->file_count != 2)
        return wrong(line, "diff takes two .pkt files, the old one first");
    if (file_is_directory(files[0]))
        return wrong(line, "'%s' is a directory: 'diff --against %s %s' compares with the newest release in it",
                     files[0], files[0], files[1]);
    if (strcmp(files[0], "-") == 0 && strcmp(files[1], "-") == 0)
        return wrong(line, "only one of the schemas can be standard input");
    return uses(line, USAGE_DIFF);
}

/* A folder, then schemas. */
bool usage_of_archive(command_line *line)
{
    options *o = line->options;
    if (o->file_count < 2)
        return wrong(line, "archive needs a directory and .pkt files");
    if (is_schema_name(o->files[0]))
        return wrong(line, "archive needs the directory first, and '%s' is a .pkt file", o->files[0]);
    o->archive = o->files[0];
    o->files++;
    o->file_count--;
    return reads_no_input(line) && uses(line, USAGE_ARCHIVE);
}

/* ---- recordings, and the bytes of one value */

/* Reports a word after a recording. */
static bool refuse_after_recording(const command_line *line, const char *before, const char *word)
{
    if (is_schema_name(word))
        return wrong(line, "'%s' comes after a recording: schemas come first", word);
    return wrong(line, "'%s' comes after recording '%s', which has to be last", word, before);
}

/* decode and convert take one recording, as the last word. */
static bool has_one_recording(const command_line *line)
{
    const options *o = line->options;
    const char *last = o->file_count > 0 ? o->files[o->file_count - 1] : "";
    for (size_t i = 0; i + 1 < o->file_count; i++) {
        if (file_is_pipe(o->files[i]) || !recording_is(o->files[i]))
            continue;
        if (means_recording(last))
            return wrong(line, "%s takes one recording, and '%s' is another one", line->command->word, last);
        return refuse_after_recording(line, o->files[i], last);
    }
    return true;
}

/* Takes the recording, if the last file is one. A pipe has a recording, unless the name of a type comes before it. */
static bool take_recording(options *o)
{
    if (o->file_count == 0)
        return false;
    const char *last = o->files[o->file_count - 1];
    const bool typed = o->file_count > 1 && !is_schema_name(o->files[o->file_count - 2]);
    if (!means_recording(last) && (typed || !file_is_pipe(last)))
        return false;
    o->recording = last;
    o->file_count--;
    return true;
}

/* A pipe can be read only once. */
static bool reads_pipes_once(const command_line *line)
{
    const options *o = line->options;
    for (size_t i = 0; i < o->recording_count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(o->recordings[i], o->recordings[k]) == 0 && file_is_pipe(o->recordings[i]))
                return wrong(line, "'%s' is given twice, and can be read only once", o->recordings[i]);
    return true;
}

/* Takes the name of the type, and perhaps a file, after this many schemas. */
static void take_value(options *o, size_t schemas)
{
    const char *input = o->file_count > schemas + 1 ? o->files[schemas + 1] : "-";
    o->type = o->files[schemas];
    o->input = strcmp(input, "-") != 0 ? input : NULL;
    o->file_count = schemas;
}

/* Schemas (unless the recording has them) and a recording; or a schema, the name of a type, and perhaps a file. */
bool usage_of_decode(command_line *line)
{
    options *o = line->options;
    if (!has_one_recording(line))
        return false;
    const bool is_recorded = take_recording(o);
    if (!uses(line, is_recorded ? USAGE_DECODE_RECORDING : USAGE_DECODE))
        return false;
    for (size_t i = 0; i < o->file_count && is_recorded; i++)
        if (!is_schema_name(o->files[i]))
            return wrong(line, "'%s' is no .pkt file: types of streams in a recording need --stream", o->files[i]);
    if (is_recorded)
        return true;
    if (o->file_count == 1 && !is_schema_name(o->files[0]))
        return wrong(line, "'%s' is neither a recording nor a .pkt file", o->files[0]);
    if (o->file_count < 2 || o->file_count > 3)
        return wrong(line, "decode needs one .pkt file and the name of a type, or a recording");
    take_value(o, 1);
    return true;
}

bool usage_of_encode(command_line *line)
{
    options *o = line->options;
    if (o->file_count < 2 || o->file_count > 3)
        return wrong(line, "encode needs one .pkt file and the name of a type");
    take_value(o, 1);
    return uses(line, USAGE_ENCODE);
}

static bool has_schemas_to_convert(const command_line *line)
{
    const options *o = line->options;
    const char *now = o->file_count > 0 ? o->files[o->file_count - 1] : NULL;
    if (now && is_name(now) && is_missing(now))
        return wrong(line, "'%s' is no .pkt file: types of streams in a recording need --stream", now);
    if (!now || o->file_count > 2)
        return wrong(line,
                     "convert needs the newer schema before the recording, and at most the older one before that");
    return true;
}

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

/* An older schema or a folder of them, a schema, the name of a type, and perhaps a file; or perhaps older schemas, a
 * schema, and a recording. */
bool usage_of_convert(command_line *line)
{
    options *o = line->options;
    if (!has_one_recording(line))
        return false;
    const bool is_recorded = take_recording(o);
    if (!uses(line, is_recorded ? USAGE_CONVERT_RECORDING : USAGE_CONVERT) ||
        !(is_recorded ? has_schemas_to_convert : has_value_to_convert)(line))
        return false;
    if (!is_recorded)
        take_value(o, 2);
    return reads_no_input(line);
}

/* Schemas (unless the recordings have them) and recordings. */
static bool take_recordings(command_line *line)
{
    options *o = line->options;
    size_t schemas = 0;
    while (schemas < o->file_count && is_schema_name(o->files[schemas]))
        schemas++;
    o->recordings = o->files + schemas;
    o->recording_count = o->file_count - schemas;
    o->file_count = schemas;
    if (o->recording_count == 0)
        return wrong(line, "%s needs a recording", line->command->word);
    for (size_t i = 0; i < o->recording_count; i++) {
        const char *each = o->recordings[i];
        if (is_schema_name(each))
            return refuse_after_recording(line, o->recordings[0], each);
        if (is_name(each) && is_missing(each))
            return wrong(line, "'%s' is no recording: types of streams in a recording need --stream", each);
    }
    return reads_pipes_once(line);
}

bool usage_of_report(command_line *line)
{
    const options *o = line->options;
    if (!take_recordings(line))
        return false;
    if (o->follow && (o->recording_count > 1 || tally_is(o->recordings[0])))
        return wrong(line, "--follow takes one recording");
    return uses(line, USAGE_REPORT);
}

bool usage_of_tally(command_line *line)
{
    return take_recordings(line) && uses(line, USAGE_TALLY);
}

/* ---- training */

/* Takes the schemas, the name of the type if there is one, and the recordings. */
static bool take_training(command_line *line)
{
    options *o = line->options;
    size_t at = 0;
    while (at < o->file_count && is_schema_name(o->files[at]))
        at++;
    if (at == 0)
        return o->file_count == 0 ? wrong(line, "train needs a .pkt file and recordings")
                                  : wrong(line, "train needs a .pkt file first, and '%s' is none", o->files[0]);
    const bool typed =
        at < o->file_count && is_name(o->files[at]) && !file_is_pipe(o->files[at]) && !recording_is(o->files[at]);
    o->type = typed ? o->files[at] : NULL;
    o->recordings = o->files + at + typed;
    o->recording_count = o->file_count - at - typed;
    o->file_count = at;
    return o->recording_count > 0 || wrong(line, "train needs a recording");
}

/* A schema; the schemas of recordings without any; the name of a type, unless deltas are taken as they were sent; and
 * recordings. */
bool usage_of_train(command_line *line)
{
    const options *o = line->options;
    size_t packets = 0;
    if (!take_training(line))
        return false;
    for (size_t i = 0; i < o->recording_count; i++) {
        const char *each = o->recordings[i];
        packets += file_is_pipe(each) || means_recording(each);
        if (is_schema_name(each))
            return refuse_after_recording(line, o->recordings[0], each);
        if (o->check_only && file_is_pipe(each))
            return wrong(line, "--check reads recordings twice, and '%s' can be read only once", each);
        if (!o->type && file_is_regular(each) && is_something_else(each) && !tally_is(each))
            return wrong(line, "'%s' is no pcap or pcapng file: for a file of values, give the name of their type",
                         each);
    }
    if (packets == 0 && o->file_count > 1)
        return wrong(line, "'%s' is for pcap and pcapng files without a schema", o->files[1]);
    static const char *const of_packets[] = {"--port", "--stream", "--seed"};
    for (size_t i = 0; i < sizeof of_packets / sizeof *of_packets; i++)
        if (o->type && packets == 0 && is_given(line, of_packets[i]))
            return wrong(line, "%s is for pcap and pcapng files", of_packets[i]);
    return reads_pipes_once(line) && uses(line, o->type ? USAGE_TRAIN_TYPE : USAGE_TRAIN);
}

/* ---- editors */

bool usage_of_lsp(command_line *line)
{
    const options *o = line->options;
    return o->file_count == 0 ? uses(line, USAGE_LSP)
                              : wrong(line, "lsp takes no file: the editor says which ones are open");
}

/* ---- completion */

/* The words after -- are the command line so far. */
bool usage_of_complete(command_line *line)
{
    return line->ended == 0 ? uses(line, USAGE_COMPLETE) : wrong(line, "complete needs -- before the words");
}
