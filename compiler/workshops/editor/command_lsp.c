/* command_lsp.c - `pktc lsp`: shows schemas in an editor, which starts it and talks to it on standard input and output.
 * SPDX-License-Identifier: MIT
 */
#include "editor/lsp.h"
#include "base/files.h"
#include "releases/releases.h"
#include "driver/run.h"
#include "editor/editor_rows.h"
#include "emit/names.h"

/* The newest release in the folder of --against. What is wrong with the folder is not said: the editor has no place for
 * it. */
static const schema *newest_of(const void *archive, arena *a, names *n, const schema *of, uint32_t *number)
{
    run r = {.arena = a, .names = n, .diag = diag_new(a), .options = archive};
    const schema *found = newest_release(&r, editor_chosen(archive)->archive, of);
    *number = found ? release_number(found->root->path, of->protocol) : 0;
    return found;
}

void command_lsp(run *r)
{
    lsp_options how = {.check = checked_as_asked(r), .mtu = r->options->mtu};
    if (!lsp_is_there()) {
        diag_error(r->diag, (span){0}, "this pktc was built without jansson, which lsp needs");
        return;
    }
    how.check.names = &c_name_rules;
    if (editor_chosen(r->options)->archive) {
        how.newest = newest_of;
        how.archive = r->options;
    }
    file_as_is(stdin);
    file_hint_at_terminal("the protocol of an editor");
    r->status = lsp_serve(&how, stdin, stdout);
}
