/* support.c - refuses what is part of the language but cannot be generated yet.
 * SPDX-License-Identifier: MIT
 *
 * Such schemas are checked fully all the same. What comes to be supported loses its line here.
 */
#include "check.h"

static void refuse(diag *d, span at, const char *what)
{
    diag_error(d, at, "%s are not supported yet", what);
}

static void refuse_field(const field *f, diag *d)
{
    if (f->has_delta) {
        refuse(d, f->span, "'delta' fields");
    }
}

void refuse_unsupported(const schema *s, diag *d)
{
    for (const decl *i = s->decls; i; i = i->next) {
        if (i->delta) {
            refuse(d, i->span, "@delta types");
        }
        for (const field *f = i->fields; f; f = f->next) {
            refuse_field(f, d);
        }
    }
}
