/* main.c - pktc: runs the phases in their order, from the arguments to the exit status.
 * SPDX-License-Identifier: MIT
 *
 * Each root file goes through the phases by itself (see compile). Files are written only at the end, and only if no
 * root file had an error.
 */
#include "base/files.h"
#include "base/map.h"
#include "base/out.h"
#include "check/check.h"
#include "commands/archive.h"
#include "commands/decode.h"
#include "commands/depfile.h"
#include "commands/encode.h"
#include "front/format.h"
#include "layout/sizes.h"
#include "record/recording.h"
#include "commands/targets.h"
#include "commands/wireshark.h"
#include "emit/emit.h"
#include "emit/names.h"
#include "emit/runtime_files.h"
#include "model/type_table.h"
#include "options/options.h"
#include "recordings.h"
#include "versions.h"
#include "wire/budgets.h"
#include "wire/delta_plan.h"
#include "wire/dump_wire.h"
#include "wire/fuse.h"

#include <errno.h>
#include <string.h>

enum { EXIT_DONE = 0, EXIT_ERRORS = 1, EXIT_WRONG_USE = 2 };

/* One run of pktc. */
typedef struct run {
    arena *arena;
    names *names;
    diag *diag;
    options options;
    outputs outputs;
    map *generated; /* (NULL, name): the output */
    path_list prerequisites;
    int status; /* of `pktc diff`: see verdict_status */
} run;

/* A file that two roots import is generated twice with the same content, and is one output. Two roots that generate
 * different files of the same name are an error of the user. */
static void add_output(run *r, const char *name, const char *text, size_t size)
{
    const char *key = intern(r->names, name, strlen(name));
    const output *other = map_get(r->generated, NULL, key);
    if (!other) {
        const char *target = file_in_directory(r->arena, r->options.output_dir, name);
        map_put(r->arena, r->generated, NULL, key, outputs_add(r->arena, &r->outputs, target, text, size));
    } else if (other->size != size || memcmp(other->text, text, size) != 0) {
        diag_error(r->diag, (span){0}, "the given files would generate two different versions of '%s'", other->path);
    }
}

/* A file whose path the user gave. */
static void add_asked_for(run *r, const char *target, const char *text, size_t size)
{
    outputs_add(r->arena, &r->outputs, target, text, size)->asked_for = true;
}

static void add_prerequisites(run *r, const schema *s)
{
    for (const schema_file *file = s->files; file; file = file->next)
        path_list_add(r->arena, &r->prerequisites, file->path);
    if (s->model_path)
        path_list_add(r->arena, &r->prerequisites, s->model_path);
}

/* The text of a schema for its recordings; NULL after an error. */
static const char *capture_text(run *r, const schema *s)
{
    size_t size;
    if (s->protocol)
        return archive_text(r->arena, r->names, r->diag, s, &size);
    diag_error(r->diag, (span){0}, "'%s' declares no protocol, so a recording cannot have it", s->root->path);
    return NULL;
}

static versions versions_of(run *r)
{
    return (versions){r->arena, r->names, r->diag, &r->options};
}

/* --upgrade. A library of types has no versions. */
static void generate_upgrade(run *r, const wire *w, outputs *made)
{
    const versions v = versions_of(r);
    if (!w->schema->protocol)
        return;
    const upgrade *u = versions_upgrade(&v, w);
    if (!u)
        return;
    for (const old_version *each = u->versions; each; each = each->next)
        add_prerequisites(r, each->wire->schema);
    emit_upgrade(r->arena, u, made);
}

static void generate(run *r, const wire *w, const delta_plan *const *deltas)
{
    outputs made;
    outputs_init(&made);
    const emit_extras extras = {.reflect = r->options.reflect,
                                .schema = r->options.capture ? capture_text(r, w->schema) : NULL};
    emit(r->arena, w, plan_bodies(r->arena, w), deltas, &extras, &made);
    if (r->options.upgrade)
        generate_upgrade(r, w, &made);
    for (const output *each = made.first; each; each = each->next)
        add_output(r, each->path, each->text, each->size);
}

static void show_layout(run *r, const wire *w)
{
    const options *o = &r->options;
    sizes_options how = {.mtu = o->mtu, .hz = o->hz};
    out *text = out_new(r->arena);
    size_t size;
    if (o->html) {
        sizes_html(r->arena, w, &how, text);
        const char *page = out_result(text, &size);
        add_asked_for(r, o->html, page, size);
    } else {
        sizes_text(r->arena, w, &how, text);
        fputs(out_result(text, &size), stdout);
    }
}

static const schema *check_root(run *r, const source *root)
{
    const check_options how = {
        .import_dirs = r->options.import_dirs,
        .import_dir_count = r->options.import_dir_count,
        .checks = r->options.checks,
        .names = &c_name_rules,
        .files = r->options.command == COMMAND_COMPILE && r->options.dump == DUMP_NONE ? &c_file_rules : NULL,
    };
    return check(r->arena, r->names, r->diag, root, &how);
}

static codec_request codec_request_of(const options *o)
{
    return (codec_request){.type = o->type,
                           .base = o->base,
                           .before = o->before,
                           .back = o->back,
                           .gap = o->gap,
                           .frame = o->frame,
                           .seed = o->seed,
                           .input = o->input,
                           .hex = o->hex,
                           .bits = o->bits,
                           .body = o->body,
                           .ignore_crc = o->ignore_crc,
                           .skip = o->skip};
}

/* Does what was asked for, if that needs no more than the schema. False if it needs the later phases. */
static bool show_schema(run *r, const schema *s)
{
    const options *o = &r->options;
    const codec_request asked = codec_request_of(o);
    const wireshark_request shown = {
        .port = o->port, .seed = o->seed, .streams = o->streams, .stream_count = o->stream_count};
    if (o->dump == DUMP_SCHEMA)
        dump_schema(s, stdout);
    else if (o->dump == DUMP_PROJECTION)
        fputs(s->projection, stdout);
    else if (o->command == COMMAND_DECODE)
        decode(r->arena, r->diag, s, &asked);
    else if (o->command == COMMAND_ENCODE)
        encode(r->arena, r->diag, s, &asked);
    else if (o->command == COMMAND_WIRESHARK)
        wireshark(r->arena, r->diag, s, &shown);
    else
        return false;
    return true;
}

/* Runs the phases. Each of them takes the result of the one before. Budgets are checked after `pktc layout`, which
 * shows why a packet exceeds its budget. */
static void compile(run *r, const source *root)
{
    const schema *s = check_root(r, root);
    if (!s)
        return;
    add_prerequisites(r, s);
    if (r->options.command == COMMAND_ARCHIVE) {
        const versions v = versions_of(r);
        versions_keep(&v, s, &r->outputs);
        return;
    }
    if (show_schema(r, s))
        return;
    const wire *w = lower(r->arena, s);
    if (r->options.command == COMMAND_LAYOUT) {
        show_layout(r, w);
        return;
    }
    if (!check_budgets(w, r->diag))
        return;
    const delta_plan *const *deltas = plan_deltas(r->arena, w);
    if (r->options.dump == DUMP_WIRE)
        dump_wire(r->arena, w, deltas, stdout);
    else
        generate(r, w, deltas);
}

/* A file with errors is not changed; the other files are formatted anyway. "-" is standard input, and as an output
 * standard output. */
static void format(run *r, const source *file, const char *name)
{
    size_t size;
    const char *text = format_source(r->arena, r->names, r->diag, file, reserved_type_word, &size);
    bool from_input = strcmp(name, "-") == 0;
    if (!text)
        return;
    if (!from_input && file_is_stream(name)) {
        message *m = diag_error(r->diag, (span){0}, "cannot format '%s' in place: it is not a regular file", name);
        diag_help(r->diag, m, "'pktc fmt -' formats standard input");
        return;
    }
    if (!from_input || !r->options.check_only || size != file->size || memcmp(text, file->text, size) != 0)
        add_asked_for(r, name, text, size);
}

static const source *read_root(run *r, const char *name)
{
    if (strcmp(name, "-") != 0)
        return source_read(r->arena, name);
    file_as_is(stdin);
    file_hint_at_terminal("a schema");
    return source_read_input(r->arena);
}

static void refuse_root(run *r, const char *name)
{
    message *m = diag_error(r->diag, (span){0}, "cannot read '%s': %s", name, strerror(errno));
    const char *schema_name = arena_printf(r->arena, "%s.pkt", name);
    if (file_is_regular(schema_name))
        diag_help(r->diag, m, "'%s' exists", schema_name);
    else if (r->options.command == COMMAND_COMPILE && name == r->options.files[0] && !strpbrk(name, "./\\"))
        diag_help(r->diag, m, "it is not a command either; 'pktc help' lists them");
}

static const source *read_or_report(run *r, const char *name)
{
    const source *root = read_root(r, name);
    if (!root)
        refuse_root(r, name);
    else if (targets_is_generated(name))
        diag_error(r->diag, (span){0}, "'%s' is no schema: pktc generated it", name);
    else if (recording_is(name))
        diag_error(r->diag, (span){0}, "'%s' is no schema: it is a recording", name);
    else
        return root;
    return NULL;
}

/* `pktc diff`: of two schemas, or of one and the newest of an archive. */
static void compare(run *r)
{
    const versions v = versions_of(r);
    const bool archived = r->options.archive != NULL;
    const source *before = archived ? NULL : read_or_report(r, r->options.files[0]);
    const source *after = read_or_report(r, r->options.files[archived ? 0 : 1]);
    if (after && (before || archived))
        r->status = versions_compare(&v, before, after);
}

/* The files of the command line; NULL after an error. */
static const source *const *read_given(run *r)
{
    const source **given = ARENA_ARRAY(r->arena, const source *, r->options.file_count);
    for (size_t i = 0; i < r->options.file_count; i++)
        if (!(given[i] = read_or_report(r, r->options.files[i])))
            return NULL;
    return given;
}

/* `pktc decode` of a recording, and `pktc report`. */
static void show_recording(run *r)
{
    const recordings all = {r->arena, r->names, r->diag, &r->options};
    const source *const *given = read_given(r);
    if (!given)
        return;
    if (r->options.command != COMMAND_REPORT) {
        recordings_decode(&all, given, r->options.file_count);
        return;
    }
    size_t size;
    const char *text = recordings_report(&all, given, r->options.file_count, &size);
    if (text && r->options.html)
        add_asked_for(r, r->options.html, text, size);
    else if (text)
        fputs(text, stdout);
}

/* `pktc train`. */
static void train_model(run *r)
{
    const recordings all = {r->arena, r->names, r->diag, &r->options};
    const source *const *given = read_given(r);
    size_t size;
    bool stale = false;
    const char *text = given ? recordings_train(&all, given, r->options.file_count, &size, &stale) : NULL;
    if (text && r->options.model)
        add_asked_for(r, r->options.model, text, size);
    else if (text)
        fputs(text, stdout);
    r->status = stale ? EXIT_ERRORS : EXIT_DONE;
}

/* `pktc convert`: from a schema, or from a folder of releases; of a recording, also from the schema in it. */
static void convert_input(run *r)
{
    const versions v = versions_of(r);
    const size_t schemas = r->options.file_count;
    const char *place = schemas > 1 ? r->options.files[0] : NULL;
    const bool older = place && !file_is_directory(place);
    const codec_request asked = codec_request_of(&r->options);
    const source *old = older ? read_or_report(r, place) : NULL;
    const source *now = read_or_report(r, r->options.files[schemas - 1]);
    if (!now || (older && !old))
        return;
    if (r->options.recording)
        versions_convert_recording(&v, place, old, now);
    else
        versions_convert(&v, place, old, now, &asked);
}

static void compile_file(run *r, const char *name)
{
    const source *root = read_or_report(r, name);
    if (!root)
        return;
    if (r->options.command == COMMAND_FORMAT)
        format(r, root, name);
    else if (r->options.dump == DUMP_TOKENS)
        dump_tokens(r->arena, r->names, r->diag, root, reserved_type_word, stdout);
    else if (r->options.dump == DUMP_AST)
        dump_ast(parse(r->arena, r->names, r->diag, root, reserved_type_word), stdout);
    else
        compile(r, root);
}

static void add_runtime(run *r)
{
    for (size_t i = 0; i < runtime_file_count; i++) {
        const runtime_file *file = &runtime_files[i];
        add_output(r, file->name, (const char *)file->text, file->size);
    }
}

/* Generated files that exist, but that no input generates any more. A run without inputs only writes the runtime. */
static path_list left_files(run *r)
{
    if (r->options.command != COMMAND_COMPILE || r->options.file_count == 0)
        return (path_list){0};
    return targets_left(r->arena, r->names, r->options.output_dir, &r->outputs);
}

/* --check: lists the files that are out of date. */
static bool all_current(run *r)
{
    bool current = true;
    for (const output *each = r->outputs.first; each; each = each->next) {
        if (!output_is_current(each)) {
            printf("%s\n", each->path);
            current = false;
        }
    }
    const path_list left = left_files(r);
    for (size_t i = 0; i < left.count; i++) {
        printf("%s\n", left.paths[i]);
        message *m =
            diag_warning(r->diag, (span){0}, "'%s' is left from an earlier run: no input makes it", left.paths[i]);
        diag_help(r->diag, m, "--prune removes it");
        current = false;
    }
    return current;
}

/* --prune. */
static void remove_left_files(run *r)
{
    const path_list left = left_files(r);
    for (size_t i = 0; i < left.count; i++)
        if (!file_remove(left.paths[i]))
            diag_error(r->diag, (span){0}, "cannot remove '%s': %s", left.paths[i], strerror(errno));
}

static void add_depfile(run *r)
{
    if (r->options.depfile && !r->options.check_only) {
        size_t size;
        const char *text = depfile_text(r->arena, &r->outputs, &r->prerequisites, &size);
        add_asked_for(r, r->options.depfile, text, size);
    }
}

static void write_outputs(run *r)
{
    const char *failed;
    if (!outputs_write(r->arena, &r->outputs, &failed))
        diag_error(r->diag, (span){0}, "%s", failed);
    else if (r->options.prune)
        remove_left_files(r);
    else if (r->options.command == COMMAND_ARCHIVE)
        for (const output *each = r->outputs.first; each; each = each->next)
            printf("%s\n", each->path);
}

/* Whether no root had an error. A file that is formatted is written if it has none itself. */
static bool is_sound(const run *r)
{
    return diag_errors(r->diag) == 0 || r->options.command == COMMAND_FORMAT;
}

static int run_phases(run *r)
{
    if (r->options.command == COMMAND_DIFF)
        compare(r);
    else if (r->options.command == COMMAND_TRAIN)
        train_model(r);
    else if (r->options.command == COMMAND_CONVERT)
        convert_input(r);
    else if (r->options.recording || r->options.recordings)
        show_recording(r);
    else
        for (size_t i = 0; i < r->options.file_count; i++)
            compile_file(r, r->options.files[i]);
    if (r->options.command == COMMAND_COMPILE && r->options.runtime != RUNTIME_NONE)
        add_runtime(r);

    bool current = true;
    if (r->options.dump == DUMP_NONE && is_sound(r)) {
        add_depfile(r);
        targets_check(r->arena, r->names, r->diag, &r->outputs, &r->prerequisites);
        if (is_sound(r) && r->options.check_only)
            current = all_current(r);
        else if (is_sound(r))
            write_outputs(r);
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        diag_error(r->diag, (span){0}, "cannot write to standard output: %s", strerror(errno));
    diag_print(r->diag, r->options.form, stderr);
    return current && diag_errors(r->diag) == 0 ? r->status : EXIT_ERRORS;
}

int main(int argc, char **argv)
{
    run r = {.arena = arena_new()};
    int status = EXIT_DONE;
    file_as_is(stdout);
    file_as_is(stderr);
    switch (options_read(r.arena, argc, argv, &r.options)) {
    case OPTIONS_RUN:
        r.names = names_new(r.arena);
        r.diag = diag_new(r.arena);
        r.generated = map_new(r.arena);
        outputs_init(&r.outputs);
        status = run_phases(&r);
        break;
    case OPTIONS_ANSWERED: status = fflush(stdout) == 0 && !ferror(stdout) ? EXIT_DONE : EXIT_ERRORS; break;
    case OPTIONS_WRONG: status = EXIT_WRONG_USE; break;
    }
    arena_free(r.arena);
    return status;
}
