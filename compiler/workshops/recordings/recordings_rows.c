/* recordings_rows.c - the rows of `pktc report`, `tally` and `train`, and of decode and convert for recordings.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/recordings_rows.h"
#include "base/files.h"
#include "recordings/recorded.h"
#include "recordings/recording.h"
#include "recordings/tally_io.h"

#include <string.h>

enum {
    USAGE_REPORT,
    USAGE_TALLY,
    USAGE_TRAIN,
    USAGE_TRAIN_TYPE,
    USAGE_DECODE_RECORDING,
    USAGE_CONVERT_RECORDING,
};
#define ON(name) (1u << USAGE_##name)
#define TRAINS (ON(TRAIN) | ON(TRAIN_TYPE))
enum { HOUR = 3600 };

static claim claim_decode(command_line *line);
static claim claim_convert(command_line *line);

static const usage_row recordings_usages[] = {
    [USAGE_REPORT] = {"report", .arguments = "[FILE.pkt...] RECORDING...",
                      .shares = SHARES_RECORDING | SHARES_HTML | SHARES_JSON | SHARES_JOBS, .run = command_report},
    [USAGE_TALLY] = {"tally", .arguments = "[FILE.pkt...] RECORDING...", .shares = SHARES_RECORDING | SHARES_JOBS,
                     .run = command_tally},
    [USAGE_TRAIN] = {"train", .arguments = "FILE.pkt [OLD.pkt...] RECORDING...",
                     .refuses = "needs the name of a type: deltas are taken as they were sent",
                     .shares = SHARES_RECORDING | SHARES_DEPFILE | SHARES_JOBS, .run = command_train},
    [USAGE_TRAIN_TYPE] = {"train", .arguments = "FILE.pkt [OLD.pkt...] TYPE RECORDING...",
                          .shares = SHARES_RECORDING | SHARES_DEPFILE | SHARES_JOBS, .run = command_train},
    [USAGE_DECODE_RECORDING] =
        {"decode", .arguments = "[FILE.pkt...] RECORDING", .refuses = "is for the bytes of one value",
         .because = "is a recording",
         .about =
             "pktc decode RECORDING prints a line for each UDP datagram of a pcap or pcapng file. The schema is the one in the\n"
             "recording, or FILE.pkt. Packets are recognized by their crc. --stream lists the values of a stream; give it once\n"
             "for each kind of stream. In its list, 'Event[Head.count]' are as many events as this field says, and 'State\n"
             "delta(Head.number from Head.baseline)' is a delta to an earlier State. If State is @delta(predict), 'State\n"
             "delta(Head.number from Head.baseline after Head.before)' also names the value from which the baseline has moved.\n"
             "'State=State delta(last)' are packets that are deltas to the last State before them; if State is\n"
             "@delta(predict), write 'State=State delta(last after previous)'.\n",
         .shares = SHARES_RECORDING | SHARES_CHANGES, .run = decode_recording, .claims = claim_decode},
    [USAGE_CONVERT_RECORDING] =
        {"convert", .arguments = "[OLD] NEW.pkt RECORDING > CONVERTED", .refuses = "is for the bytes of one value",
         .because = "is a recording",
         .about =
             "pktc convert [OLD] NEW.pkt RECORDING converts each UDP datagram of a pcap or pcapng file, and writes a pcapng\n"
             "file with NEW.pkt inside to standard output. Without OLD, the schema is the one in the recording. --stream lists\n"
             "the values of a stream, in the names of NEW.pkt; give it once for each kind of stream. Deltas in streams convert\n"
             "with their baselines. A datagram that cannot be converted is left out, with a warning. The exit status is 1 if\n"
             "more than one in a hundred is left out.\n",
         .shares = SHARES_RECORDING, .run = convert_packets, .claims = claim_convert},
};

/* ---- what files are */

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

/* ---- decode and convert */

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

/* Schemas, unless the recording has them, and a recording. */
static claim claim_decode(command_line *line)
{
    options *o = line->options;
    if (!has_one_recording(line))
        return CLAIM_WRONG;
    if (!take_recording(o))
        return CLAIM_NO;
    if (!uses(line, &recordings_usages[USAGE_DECODE_RECORDING]))
        return CLAIM_WRONG;
    for (size_t i = 0; i < o->file_count; i++)
        if (!is_schema_name(o->files[i])) {
            wrong(line, "'%s' is no .pkt file: types of streams in a recording need --stream", o->files[i]);
            return CLAIM_WRONG;
        }
    return CLAIM_YES;
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

/* Perhaps older schemas, a schema, and a recording. */
static claim claim_convert(command_line *line)
{
    if (!has_one_recording(line))
        return CLAIM_WRONG;
    if (!take_recording(line->options))
        return CLAIM_NO;
    return uses(line, &recordings_usages[USAGE_CONVERT_RECORDING]) && has_schemas_to_convert(line) &&
                   reads_no_input(line)
               ? CLAIM_YES
               : CLAIM_WRONG;
}

/* ---- report and tally */

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

bool take_recordings(command_line *line)
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
        if (i + 1 < o->recording_count && is_name(each) && is_missing(each))
            return wrong(line, "'%s' is no recording: types of streams in a recording need --stream", each);
    }
    return reads_pipes_once(line);
}

static bool usage_of_report(command_line *line)
{
    const options *o = line->options;
    if (!take_recordings(line))
        return false;
    if (recordings_chosen(o)->follow && (o->recording_count > 1 || tally_is(o->recordings[0])))
        return wrong(line, "--follow takes one recording");
    return uses(line, &recordings_usages[USAGE_REPORT]);
}

static bool usage_of_tally(command_line *line)
{
    return take_recordings(line) && uses(line, &recordings_usages[USAGE_TALLY]);
}

/* ---- train */

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
static bool usage_of_train(command_line *line)
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
        if (recordings_chosen(o)->check && file_is_pipe(each))
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
    return reads_pipes_once(line) && uses(line, &recordings_usages[o->type ? USAGE_TRAIN_TYPE : USAGE_TRAIN]);
}

static const char *noun_of_recording(const char *file)
{
    return recording_is(file) ? "a recording" : tally_is(file) ? "a tally" : NULL;
}

static const command_row recordings_commands[] = {
    {.word = "report",
     .place = 90,
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
     .find_usage = usage_of_report},
    {.word = "tally",
     .place = 100,
     .arguments = "[options] [FILE.pkt...] RECORDING...",
     .summary = "count recordings for report and train",
     .about =
         "Writes what report and train need of recordings, as a small file. report, train and tally take such files in\n"
         "place of recordings, and what they print is the same however the recordings were parted among them. The schema\n"
         "is the one in the first recording, or FILE.pkt; it is in the tally too. The exit status is 3 if a recording\n"
         "could not be read: the tally lacks it, and names it.\n",
     .page = "fleet.md",
     .next = {":pkt :recording"},
     .find_usage = usage_of_tally},
    {.word = "train",
     .place = 120,
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
     .find_usage = usage_of_train},
};

static const option_row recordings_option_rows[] = {
    {"-o", TRAINS, SETS_TEXT(recordings_choices, model), .place = 210, .argument = "FILE",
     .help = "write the model to FILE, not to standard output"},
    {"-o", ON(TALLY), SETS_TEXT(recordings_choices, tally), .argument = "FILE",
     .help = "write the tally to FILE, not to standard output"},
    {"--check", TRAINS, SETS_FLAG(recordings_choices, check),
     .help = "make no model; say how much a fresh one would save, and exit with 1 if it is more than --tolerance"},
    {"--tolerance", TRAINS, SETS_NUMBER(recordings_choices, tolerance, 0, 100), .usual = 2, .argument = "PERCENT",
     .help = "how much a fresh model may save before --check exits with 1"},
    {"--back", ON(TRAIN_TYPE), SETS_NUMBER(recordings_choices, back, 1, OPTION_MANY), .usual = 6, .argument = "N",
     .help = "with TYPE: the baseline of a value is the one N values before it"},
    {"--gap", ON(TRAIN_TYPE), SETS_NUMBER(recordings_choices, gap, 1, OPTION_MANY), .usual = 1, .argument = "N",
     .help = "with TYPE: the baseline is predicted from its motion over the N values before it"},
    {"--follow", ON(REPORT), SETS_FLAG(recordings_choices, follow), .place = 230,
     .help = "print what each few seconds took, while the recording is being written; with --json, a line for each",
     .more =
         "The recording is a file that grows, or a pipe. On a terminal the window is drawn again each time, until you "
         "press q."},
    {"--interval", ON(REPORT), SETS_NUMBER(recordings_choices, interval, 1, HOUR), .measure = " of seconds", .usual = 2,
     .argument = "SECONDS", .help = "with --follow: how many seconds each time"},
};

static const option_rule recordings_rules[] = {
    {ON(REPORT), "--follow", .excludes = "--html"},
    {ON(REPORT), "--interval", .needs = "--follow"},
    {TRAINS, "--depfile", .needs = "-o"},
    {TRAINS, "-o", .excludes = "--check", .why = "--check makes no model"},
    {TRAINS, "--tolerance", .needs = "--check"},
};

const workshop recordings_workshop = {WORKSHOP_ROWS(recordings), WORKSHOP_OPTIONS(recordings, recordings_choices),
                                      WORKSHOP_RULES(recordings), .noun_of = noun_of_recording,
                                      .schema_in = recorded_schema_in};
