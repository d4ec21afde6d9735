/* runtime.c - adds the parts of the runtime that generated files need, and writes them again until they are all there.
 * SPDX-License-Identifier: MIT
 */
#include "driver/driver.h"
#include "driver/targets.h"
#include "base/files.h"
#include "emit/runtime_parts.h"

static runtime_parts needed_parts(const run *r)
{
    const options *o = r->options;
    runtime_parts parts = o->runtime ? PARTS_ALL : 0;
    for (const output *each = r->outputs.first; each; each = each->next)
        parts |= parts_of_text(each->text, each->size);
    if (o->runtime || o->prune)
        return parts;
    const path_list left = targets_left(r->arena, r->names, o->output_dir, &r->outputs);
    for (size_t i = 0; i < left.count; i++)
        parts |= parts_of_file(left.paths[i]);
    return parts;
}

static void add_files(run *r, outputs *to)
{
    const runtime_parts parts = needed_parts(r);
    for (size_t i = 0; i < runtime_file_count; i++) {
        size_t size;
        const char *target = file_in_directory(r->arena, r->options->output_dir, runtime_files[i].name);
        const char *text = runtime_text(r->arena, &runtime_files[i], parts, &size);
        outputs_add(r->arena, to, target, text, size);
    }
}

void runtime_add(run *r)
{
    r->has_runtime = !r->options->runtime;
    add_files(r, &r->outputs);
}

bool runtime_settle(run *r, const char **failed)
{
    while (r->has_runtime) {
        outputs runtime;
        bool current = true;
        outputs_init(&runtime);
        add_files(r, &runtime);
        for (const output *each = runtime.first; each; each = each->next)
            current &= output_is_current(each);
        if (current)
            return true;
        if (!outputs_write(r->arena, &runtime, failed))
            return false;
    }
    return true;
}
