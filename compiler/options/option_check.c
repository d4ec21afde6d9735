/* option_check.c - checks which files and options a command has: what is missing, in the wrong order, or without
 * effect.
 * SPDX-License-Identifier: MIT
 */
#include "options/option_table.h"
#include "options/options_internal.h"
#include "base/files.h"
#include "record/recording.h"

#include <string.h>

enum { DEFAULT_MTU = 1200 };

/* What is wrong with an option of other commands: where it belongs. */
static options_result misplaced(const options *o, const option *given)
{
    const char *first = NULL;
    const char *second = NULL;
    if (o->command != COMMAND_COMPILE)
        return wrong(o, "%s has no option %s", command_by_id(o->command)->word, given->name);
    for (size_t i = 0; i < command_count; i++) {
        if (given->commands & 1u << command_table[i].command)
            *(first ? &second : &first) = command_table[i].word;
    }
    return wrong(o, "%s is an option of %s%s%s", given->name, first, second ? " and " : "", second ? second : "");
}

static bool is_schema_name(const char *path)
{
    const size_t size = strlen(path);
    return size > 4 && strcmp(path + size - 4, ".pkt") == 0;
}

/* Whether a word means a recording: it is one, or it is called like one, and reading it says what is wrong with it. */
static bool means_recording(const char *word)
{
    const char *end = strrchr(word, '.');
    return recording_is(word) || (end && (strcmp(end, ".pcapng") == 0 || strcmp(end, ".pcap") == 0));
}

static bool is_name(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static bool is_missing(const char *path)
{
    return !file_is_regular(path) && !file_is_directory(path);
}

/* What is wrong with a word behind a recording. */
static options_result behind_recording(const options *o, const char *before, const char *word)
{
    if (is_schema_name(word))
        return wrong(o, "'%s' comes after a recording: schemas come first", word);
    return wrong(o, "'%s' comes after recording '%s', which has to be last", word, before);
}

/* decode and convert take one recording, which comes last. */
static options_result check_one_recording(const options *o)
{
    const char *last = o->file_count > 0 ? o->files[o->file_count - 1] : "";
    for (size_t i = 0; i + 1 < o->file_count; i++) {
        if (!recording_is(o->files[i]))
            continue;
        if (means_recording(last))
            return wrong(o, "%s takes one recording, and '%s' is another one", command_by_id(o->command)->word, last);
        return behind_recording(o, o->files[i], last);
    }
    return OPTIONS_RUN;
}

/* In recordings only frames have a seed, and --stream says what is in them. */
static options_result check_seed(const options *o)
{
    return o->seeded && o->stream_count == 0 ? wrong(o, "--seed needs --stream") : OPTIONS_RUN;
}

/* The recording comes last, after schemas. */
static options_result take_recording(options *o)
{
    const char *other = o->hex          ? "--hex"
                        : o->bits       ? "--bits"
                        : o->base       ? "--base"
                        : o->before     ? "--before"
                        : o->back != 0  ? "--back"
                        : o->gap != 0   ? "--gap"
                        : o->frame      ? "--frame"
                        : o->body       ? "--body"
                        : o->ignore_crc ? "--ignore-crc"
                        : o->skip != 0  ? "--skip"
                                        : NULL;
    o->recording = o->files[--o->file_count];
    if (other)
        return wrong(o, "%s is for the bytes of one value, and '%s' is a recording", other, o->recording);
    return check_seed(o);
}

/* decode takes schemas, if they are not in the recording, and a recording. */
static options_result check_recording(options *o)
{
    if (take_recording(o) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    for (size_t i = 0; i < o->file_count; i++)
        if (!is_schema_name(o->files[i]))
            return wrong(o, "'%s' is no .pkt file: types of streams in a recording need --stream", o->files[i]);
    return OPTIONS_RUN;
}

/* report takes schemas, if they are not in the recordings, and recordings. */
static options_result check_report(options *o)
{
    size_t schemas = 0;
    while (schemas < o->file_count && is_schema_name(o->files[schemas]))
        schemas++;
    o->recordings = o->files + schemas;
    o->recording_count = o->file_count - schemas;
    o->file_count = schemas;
    if (o->recording_count == 0)
        return wrong(o, "report needs a recording");
    for (size_t i = 0; i < o->recording_count; i++) {
        const char *each = o->recordings[i];
        if (is_schema_name(each))
            return behind_recording(o, o->recordings[0], each);
        if (is_name(each) && is_missing(each))
            return wrong(o, "'%s' is no recording: types of streams in a recording need --stream", each);
    }
    if (o->json && o->html)
        return wrong(o, "--json and --html cannot be combined");
    return check_seed(o);
}

/* Options that have no effect on the bytes of a single value. */
static options_result check_no_recording(const options *o)
{
    const char *without_effect = o->port != 0                                 ? "--port"
                                 : o->stream_count > 0                        ? "--stream"
                                 : o->command == COMMAND_CONVERT && o->seeded ? "--seed"
                                                                              : NULL;
    if (!without_effect)
        return OPTIONS_RUN;
    if (o->file_count == 0)
        return wrong(o, "%s needs a recording", without_effect);
    return wrong(o, "%s is for recordings, and '%s' is none", without_effect, o->files[o->file_count - 1]);
}

/* What belongs together for the bytes of a single value. */
static options_result check_value(options *o)
{
    if (o->before && !o->base)
        return wrong(o, "--before needs --base");
    if (o->before && (o->back == 0 || o->gap == 0))
        return wrong(o, "--before needs --back and --gap");
    if (!o->before && (o->back != 0 || o->gap != 0))
        return wrong(o, "%s needs --before", o->back != 0 ? "--back" : "--gap");
    return OPTIONS_RUN;
}

/* decode and encode take a schema, the name of a type, and perhaps a file. */
static options_result check_codec(options *o)
{
    const bool decodes = o->command == COMMAND_DECODE;
    if (decodes && check_one_recording(o) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    if (decodes && o->file_count > 0 && means_recording(o->files[o->file_count - 1]))
        return check_recording(o);
    if (check_no_recording(o) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    if (decodes && o->file_count == 1 && !is_schema_name(o->files[0]))
        return wrong(o, "'%s' is neither a recording nor a .pkt file", o->files[0]);
    if (o->file_count < 2 || o->file_count > 3)
        return wrong(o, "%s needs one .pkt file and the name of a type%s", command_by_id(o->command)->word,
                     decodes ? ", or a recording" : "");
    o->type = o->files[1];
    o->input = o->file_count == 3 && strcmp(o->files[2], "-") != 0 ? o->files[2] : NULL;
    o->file_count = 1;
    if (o->hex && o->bits && o->command == COMMAND_ENCODE)
        return wrong(o, "--hex and --bits cannot be combined");
    if (o->seeded && !o->frame)
        return wrong(o, "--seed needs --frame");
    return check_value(o);
}

/* diff takes two schemas, or one and an archive. */
static options_result check_diff(options *o)
{
    if (o->archive && o->file_count != 1)
        return wrong(o, "diff --against DIR takes one .pkt file");
    if (!o->archive && o->file_count != 2)
        return wrong(o, "diff takes two .pkt files, the old one first");
    if (!o->archive && file_is_directory(o->files[0]))
        return wrong(o, "'%s' is a directory: 'diff --against %s %s' compares with the newest release in it",
                     o->files[0], o->files[0], o->files[1]);
    if (!o->archive && strcmp(o->files[0], "-") == 0 && strcmp(o->files[1], "-") == 0)
        return wrong(o, "only one of the schemas can be standard input");
    return OPTIONS_RUN;
}

/* convert takes an older schema or a folder of them, a schema, the name of a type, and perhaps a file; or a recording,
 * after a schema, and perhaps older ones before it. */
static options_result check_convert(options *o)
{
    if (check_one_recording(o) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    if (o->file_count > 0 && means_recording(o->files[o->file_count - 1])) {
        if (take_recording(o) != OPTIONS_RUN)
            return OPTIONS_WRONG;
        const char *now = o->file_count > 0 ? o->files[o->file_count - 1] : NULL;
        if (now && is_name(now) && is_missing(now))
            return wrong(o, "'%s' is no .pkt file: types of streams in a recording need --stream", now);
        if (o->file_count == 0 || o->file_count > 2)
            return wrong(o,
                         "convert needs the newer schema before the recording, and at most the older one before that");
        return OPTIONS_RUN;
    }
    if (check_no_recording(o) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    if (o->file_count > 1 && is_schema_name(o->files[0]) && is_missing(o->files[1]) && is_name(o->files[1]))
        return wrong(o, "before '%s' has to be the older schema, or the folder of releases", o->files[0]);
    if (o->file_count < 3 || o->file_count > 4)
        return wrong(o, "convert needs the older schema or a folder, the newer schema, and the name of a type or a "
                        "recording");
    if (!is_name(o->files[2]) && !strchr(o->files[2], ','))
        return wrong(o, "'%s' is neither the name of a type nor a recording", o->files[2]);
    o->type = o->files[2];
    o->input = o->file_count == 4 && strcmp(o->files[3], "-") != 0 ? o->files[3] : NULL;
    o->file_count = 2;
    return check_value(o);
}

/* train takes a schema, those of recordings that have none in them, the name of a type unless deltas are to be taken as
 * they were sent, and recordings. */
static options_result check_train(options *o)
{
    size_t at = 0, packets = 0;
    while (at < o->file_count && is_schema_name(o->files[at]))
        at++;
    if (at == 0)
        return o->file_count == 0 ? wrong(o, "train needs a .pkt file and recordings")
                                  : wrong(o, "train needs a .pkt file first, and '%s' is none", o->files[0]);
    const bool typed = at < o->file_count && is_name(o->files[at]) && !recording_is(o->files[at]);
    o->type = typed ? o->files[at] : NULL;
    o->recordings = o->files + at + typed;
    o->recording_count = o->file_count - at - typed;
    o->file_count = at;
    if (o->recording_count == 0)
        return wrong(o, "train needs a recording");
    for (size_t i = 0; i < o->recording_count; i++) {
        const char *each = o->recordings[i];
        packets += means_recording(each);
        if (is_schema_name(each))
            return behind_recording(o, o->recordings[0], each);
        if (!typed && file_is_regular(each) && !recording_is(each))
            return wrong(o, "'%s' is no pcap or pcapng file: for a file of values, give the name of their type", each);
    }
    if (packets == 0 && at > 1)
        return wrong(o, "'%s' is for pcap and pcapng files without a schema", o->files[1]);
    if (typed && packets == 0 && (o->port != 0 || o->stream_count > 0 || o->seeded))
        return wrong(o, "%s is for pcap and pcapng files",
                     o->port != 0          ? "--port"
                     : o->stream_count > 0 ? "--stream"
                                           : "--seed");
    if (check_seed(o) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    if (!typed && (o->back != 0 || o->gap != 0))
        return wrong(o, "%s needs the name of a type: deltas are taken as they were sent",
                     o->back != 0 ? "--back" : "--gap");
    if (o->check_only && o->model)
        return wrong(o, "--check makes no model, so it cannot be combined with -o");
    if (o->tolerant && !o->check_only)
        return wrong(o, "--tolerance needs --check");
    o->back = o->back != 0 ? o->back : 6;
    o->gap = o->gap != 0 ? o->gap : 1;
    o->tolerance = o->tolerant ? o->tolerance : 2;
    return OPTIONS_RUN;
}

/* archive takes a folder, then schemas. */
static options_result check_archive(options *o)
{
    if (o->file_count < 2)
        return wrong(o, "archive needs a directory and .pkt files");
    if (is_schema_name(o->files[0]))
        return wrong(o, "archive needs the directory first, and '%s' is a .pkt file", o->files[0]);
    o->archive = o->files[0];
    o->files++;
    o->file_count--;
    return OPTIONS_RUN;
}

/* wireshark takes one schema. */
static options_result check_wireshark(options *o)
{
    if (o->file_count > 1)
        return wrong(o, "wireshark takes one .pkt file");
    return check_seed(o);
}

static options_result check_no_input(const options *o)
{
    for (size_t i = 0; i < o->file_count; i++)
        if (strcmp(o->files[i], "-") == 0)
            return wrong(o, "only fmt and diff read a schema from standard input");
    return OPTIONS_RUN;
}

/* The commands that take schemas, and nothing else: archive, too, once its folder is taken. */
static options_result check_schemas(options *o)
{
    const bool runtime_alone = o->command == COMMAND_COMPILE && o->runtime == RUNTIME_WANTED && !o->depfile &&
                               !o->prune && o->dump == DUMP_NONE;
    if (o->file_count == 0 && !runtime_alone)
        return wrong(o, "no .pkt file given");
    if (o->command != COMMAND_FORMAT && check_no_input(o) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    if (o->check_only && o->dump != DUMP_NONE)
        return wrong(o, "--check and a dump cannot be combined");
    if (o->prune && (o->check_only || o->dump != DUMP_NONE))
        return wrong(o, "--prune cannot be combined with %s", o->check_only ? "--check" : "a dump");
    if (o->html && o->file_count > 1)
        return wrong(o, "--html takes one .pkt file");
    if (o->mtu == 0)
        o->mtu = DEFAULT_MTU;
    return OPTIONS_RUN;
}

options_result options_check(options *o, const bool *given)
{
    for (size_t i = 0; i < o->file_count; i++)
        if (o->command == COMMAND_COMPILE && command_by_word(o->files[i]))
            return wrong(o, "the command comes first: 'pktc %s'", o->files[i]);
    /* An option that would have no effect on this run is an error; it is not ignored. */
    for (size_t i = 0; i < option_count; i++)
        if (given[i] && !(option_table[i].commands & 1u << o->command))
            return misplaced(o, &option_table[i]);
    switch (o->command) {
    case COMMAND_DECODE:
    case COMMAND_ENCODE: return check_codec(o);
    case COMMAND_DIFF: return check_diff(o);
    case COMMAND_CONVERT: return check_convert(o) == OPTIONS_RUN ? check_no_input(o) : OPTIONS_WRONG;
    case COMMAND_REPORT: return check_report(o);
    case COMMAND_TRAIN: return check_train(o);
    case COMMAND_ARCHIVE: return check_archive(o) == OPTIONS_RUN ? check_schemas(o) : OPTIONS_WRONG;
    case COMMAND_WIRESHARK: return check_schemas(o) == OPTIONS_RUN ? check_wireshark(o) : OPTIONS_WRONG;
    case COMMAND_COMPILE:
    case COMMAND_FORMAT:
    case COMMAND_LAYOUT:
    case COMMAND_HELP:
    case COMMAND_COMPLETE: break;
    }
    return check_schemas(o);
}
