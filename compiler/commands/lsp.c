/* lsp.c - `pktc lsp`: shows schemas in an editor, which starts it and talks to it on standard input and output.
 * SPDX-License-Identifier: MIT
 */
#include "lsp/lsp.h"
#include "base/files.h"
#include "commands/run.h"
#include "emit/names.h"

void command_lsp(run *r)
{
    lsp_options how = {.check = checked_as_asked(r), .mtu = r->options->mtu};
    if (!lsp_is_there()) {
        diag_error(r->diag, (span){0}, "this pktc was built without jansson, which lsp needs");
        return;
    }
    how.check.names = &c_name_rules;
    file_as_is(stdin);
    file_hint_at_terminal("the protocol of an editor");
    r->status = lsp_serve(&how, stdin, stdout);
}
