/* fmt.c - `pktc fmt`: formats schemas in place.
 * SPDX-License-Identifier: MIT
 */
#include "front/format.h"
#include "base/files.h"
#include "commands/run.h"
#include "model/type_table.h"

#include <string.h>

/* "-" is standard input, and as an output standard output. */
static void format_file(run *r, const source *file, const char *name)
{
    size_t size;
    const char *text = format_source(r->arena, r->names, r->diag, file, reserved_type_word, &size);
    const bool from_input = strcmp(name, "-") == 0;
    if (!text)
        return;
    if (from_input && r->options->check_only && size == file->size && memcmp(text, file->text, size) == 0)
        return;
    output *formatted = outputs_add(r->arena, &r->outputs, name, text, size);
    formatted->asked_for = formatted->in_place = true;
}

static bool is_in_place(run *r, const char *name)
{
    if (strcmp(name, "-") == 0 || !file_is_stream(name))
        return true;
    message *m = diag_error(r->diag, (span){0}, "cannot format '%s' in place: it is not a regular file", name);
    diag_help(r->diag, m, "'pktc fmt -' formats standard input");
    return false;
}

/* A file with errors is not changed; the others are formatted anyway. */
void command_format(run *r)
{
    const options *o = r->options;
    r->ignores_failure = true;
    for (size_t i = 0; i < o->file_count; i++) {
        const source *file = is_in_place(r, o->files[i]) ? read_schema(r, o->files[i]) : NULL;
        if (file)
            format_file(r, file, o->files[i]);
    }
}
