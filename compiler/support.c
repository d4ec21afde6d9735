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
    if (f->local) {
        return;
    }
    switch (f->type.kind) {
    case TYPE_REF:
        refuse(d, f->span, "refs");
        return;
    case TYPE_BOOL: case TYPE_BITS: case TYPE_INT: case TYPE_FIXED: case TYPE_ENUM: case TYPE_FLAGS: case TYPE_FLOAT:
    case TYPE_QUANTIZED: case TYPE_COMPACT: case TYPE_QUAT: case TYPE_UNIT: case TYPE_STRING: case TYPE_BYTES: case TYPE_STRUCT: case TYPE_UNION: case TYPE_FOREIGN:
        return;
    }
}

void refuse_unsupported(const schema *s, diag *d)
{
    for (const decl *i = s->decls; i; i = i->next) {
        if (i->as_type) {
            refuse(d, i->span, "structs bound to a type of the program");
        }
        for (const field *f = i->fields; f; f = f->next) {
            refuse_field(f, d);
        }
    }
}
