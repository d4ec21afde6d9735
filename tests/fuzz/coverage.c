/* coverage.c - counts the combinations of constructs in checked schemas.
 * SPDX-License-Identifier: MIT
 */
#include "schemas.h"
#include "model/type_table.h"

#include <stdio.h>

/* ---- what is where: kinds of fields and layout items, by shape and by place */

typedef enum row {
    BOOL,
    BITS,
    SIGNED_BITS,
    INT,
    COMPACT,
    ENUM,
    RESERVED_ENUM,
    FLAGS,
    HALF,
    FLOAT,
    DOUBLE,
    QUANTIZED,
    QUANTIZED64,
    OR_RAW,
    FIXED,
    QUAT,
    UNIT,
    STRING,
    BYTES,
    REF,
    STRUCT,
    UNION,
    ALIGN,
    CONST,
    RESERVED,
    CHECK,
    ROWS
} row;

typedef enum column {
    PLAIN,
    OPTIONAL,
    UNLESS,
    INITIAL,
    LOCAL,
    STEPS,
    AFTER,
    ARRAY,
    DIMENSIONS,
    UP_TO,
    FROM_TO,
    OPTIONAL_ARRAY,
    COMPUTED,
    CHAINED,
    LISTED,
    KEY,
    SPARSE_MODES,
    KEEP = SPARSE_MODES + 6,
    IN_STRUCT,
    IN_PACKET,
    IN_MEMBER,
    IN_DELTA,
    IN_IF,
    IN_ELSE,
    IN_CASE,
    IN_DEFAULT,
    COLUMNS
} column;

static const char *const row_names[ROWS] = {
    "bool",  "bits, uN", "iN",         "int<lo, hi>", "compact", "enum",  "enum : bits", "flags", "half",
    "float", "double",   "float<...>", "double<...>", "or raw",  "fixed", "quat",        "unit",  "string",
    "bytes", "ref",      "struct",     "union",       "align",   "const", "reserved",    "check",
};
static const char *const column_names[COLUMNS] = {
    "one",   "opt",   "unls",  "init",  "locl",  "dlta", "aftr", "[N]",  "[N][]", "[<=N]", "[A..]",
    "opt[]", "[n+1]", "prev",  "by",    "key",   "flag", "cnt",  "sent", "rel",   "bmap",  "auto",
    "keep",  "strct", "packt", "membr", "@delt", "if",   "else", "case", "deflt",
};
static unsigned long fields[ROWS][COLUMNS];

/* Whether the language has the combination. */
static bool is_possible(row r, column c)
{
    bool scalar = r < QUAT;
    if (r >= ALIGN)
        return c >= IN_STRUCT;
    switch (c) {
    case UNLESS:
    case INITIAL: return scalar;
    case STEPS:
        return r == BITS || r == SIGNED_BITS || r == INT || r == COMPACT || r == HALF || r == FLOAT || r == DOUBLE ||
               r == QUANTIZED || r == QUANTIZED64 || r == OR_RAW || r == FIXED || r == QUAT;
    case AFTER: return r == BITS;
    case CHAINED:
    case LISTED: return r == STRUCT;
    case KEY: return r == BITS || r == SIGNED_BITS || r == INT || r == ENUM || r == RESERVED_ENUM;
    case LOCAL: return r != OR_RAW;
    case PLAIN:
    case OPTIONAL:
    case ARRAY:
    case DIMENSIONS:
    case UP_TO:
    case FROM_TO:
    case OPTIONAL_ARRAY:
    case COMPUTED:
    case SPARSE_MODES:
    case KEEP:
    case IN_STRUCT:
    case IN_PACKET:
    case IN_MEMBER:
    case IN_DELTA:
    case IN_IF:
    case IN_ELSE:
    case IN_CASE:
    case IN_DEFAULT:
    case COLUMNS: break;
    }
    return true;
}

static row row_of(const type *t)
{
    switch (t->kind) {
    case TYPE_BOOL: return BOOL;
    case TYPE_BITS: return t->low.negative ? SIGNED_BITS : BITS;
    case TYPE_INT: return INT;
    case TYPE_FIXED: return FIXED;
    case TYPE_ENUM: return t->decl->width ? RESERVED_ENUM : ENUM;
    case TYPE_FLAGS: return FLAGS;
    case TYPE_FLOAT: return is_narrow_real(t) ? HALF : t->storage == STORAGE_FLOAT ? FLOAT : DOUBLE;
    case TYPE_QUANTIZED: return t->storage == STORAGE_FLOAT ? QUANTIZED : QUANTIZED64;
    case TYPE_OR_RAW: return OR_RAW;
    case TYPE_COMPACT: return COMPACT;
    case TYPE_QUAT: return QUAT;
    case TYPE_UNIT: return UNIT;
    case TYPE_STRING: return STRING;
    case TYPE_BYTES: return BYTES;
    case TYPE_STRUCT: return STRUCT;
    case TYPE_UNION: return UNION;
    case TYPE_REF: return REF;
    case TYPE_FOREIGN: break;
    }
    return ROWS;
}

static column shape_of(const field *f)
{
    switch (f->array) {
    case ARRAY_NONE: return f->optional ? OPTIONAL : PLAIN;
    case ARRAY_FIXED: return f->optional ? OPTIONAL_ARRAY : f->dim_count > 1 ? DIMENSIONS : ARRAY;
    case ARRAY_COUNTED: return f->optional ? OPTIONAL_ARRAY : f->count_low ? FROM_TO : UP_TO;
    case ARRAY_COMPUTED: return COMPUTED;
    case ARRAY_SPARSE: break;
    }
    return (column)(SPARSE_MODES + f->mode);
}

static void add_field(const field *f, column place)
{
    row r = row_of(&f->type);
    if (r == ROWS)
        return;
    if (f->local || f->key) {
        fields[r][f->local ? LOCAL : KEY]++;
        return;
    }
    fields[r][shape_of(f)]++;
    fields[r][CHAINED] += f->chain;
    fields[r][LISTED] += f->by != NULL;
    fields[r][place]++;
    fields[r][UNLESS] += f->has_unless;
    fields[r][INITIAL] += f->has_initial;
    fields[r][STEPS] += f->has_delta;
    fields[r][AFTER] += f->after != NULL;
    fields[r][KEEP] += f->keep;
    fields[r][IN_DELTA] += f->owner->delta;
}

/* ---- conditions: operators, by what they test */

typedef enum operand_sort {
    A_BOOL,
    A_HAS,
    AN_INTEGER,
    A_FIXED,
    AN_ENUM,
    SOME_FLAGS,
    A_COUNT,
    A_MEMBER,
    SORTS
} operand_sort;

static const char *const sort_names[SORTS] = {"bool", "has_x", "integer", "fixed", "enum", "flags", "count", "a.b"};
enum { OPERATORS = OPERATOR_REMAINDER + 1 };
static unsigned long conditions[OPERATORS][SORTS];

static bool is_asked(operator_kind kind, operand_sort s)
{
    switch (kind) {
    case OPERATOR_NONE: return false;
    case OPERATOR_NOT:
    case OPERATOR_OR:
    case OPERATOR_AND: return s == A_BOOL || s == A_HAS;
    case OPERATOR_EQ:
    case OPERATOR_NE: return true;
    case OPERATOR_NEGATE:
    case OPERATOR_LT:
    case OPERATOR_LE:
    case OPERATOR_GT:
    case OPERATOR_GE:
    case OPERATOR_MASK:
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER: break;
    }
    return s >= AN_INTEGER && s != AN_ENUM;
}

static void add_operand(operator_kind kind, const expr *e)
{
    if (e->kind == EXPR_HAS)
        conditions[kind][A_HAS]++;
    else if (e->kind == EXPR_COUNT)
        conditions[kind][A_COUNT]++;
    if (e->kind != EXPR_FIELD)
        return;
    const path *p = e->path;
    conditions[kind][A_MEMBER] += p->next != NULL;
    while (p->next)
        p = p->next;
    type_kind t = p->field->type.kind;
    conditions[kind][t == TYPE_BOOL    ? A_BOOL
                     : t == TYPE_FIXED ? A_FIXED
                     : t == TYPE_ENUM  ? AN_ENUM
                     : t == TYPE_FLAGS ? SOME_FLAGS
                                       : AN_INTEGER]++;
}

static void add_condition(const expr *e)
{
    const expr *sides[] = {e->left, e->right};
    for (int i = 0; i < 2; i++) {
        if (!sides[i])
            continue;
        add_operand(e->operator, sides[i]);
        add_condition(sides[i]);
    }
}

/* ---- schemas */

static void add_items(const item *items, const decl *owner, column place)
{
    for (const item *i = items; i; i = i->next) {
        row r = ROWS;
        switch (i->kind) {
        case ITEM_FIELD: add_field(i->as.field, place); break;
        case ITEM_ALIGN: r = ALIGN; break;
        case ITEM_CONST: r = CONST; break;
        case ITEM_RESERVED: r = RESERVED; break;
        case ITEM_CHECK: r = CHECK; break;
        case ITEM_IF:
            add_condition(i->as.branch.condition);
            add_items(i->as.branch.then.items, owner, IN_IF);
            add_items(i->as.branch.other.items, owner, IN_ELSE);
            break;
        case ITEM_SWITCH:
            for (const arm *each = i->as.choice.arms; each; each = each->next)
                add_items(each->body.items, owner, each->is_default ? IN_DEFAULT : IN_CASE);
            break;
        }
        if (r != ROWS) {
            fields[r][place]++;
            fields[r][IN_DELTA] += owner->delta;
        }
    }
}

void coverage_add(const schema *s)
{
    for (const decl *d = s->decls; d; d = d->next) {
        if (d->kind == DECL_STRUCT) {
            add_items(d->body.items, d, d->packet ? IN_PACKET : IN_STRUCT);
            for (const field *f = d->fields; f; f = f->next)
                if (f->local || f->key)
                    add_field(f, IN_STRUCT);
        }
        for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
            add_items(m->type->body.items, m->type, IN_MEMBER);
    }
}

static bool print_cell(unsigned long count, bool possible)
{
    if (possible)
        printf(" %6lu", count);
    else
        printf(" %6s", count ? "!" : ".");
    return possible == (count > 0);
}

bool coverage_print(void)
{
    bool full = true;
    printf("%-12s", "");
    for (int c = 0; c < COLUMNS; c++)
        printf(" %6s", column_names[c]);
    for (int r = 0; r < ROWS; r++) {
        printf("\n%-12s", row_names[r]);
        for (int c = 0; c < COLUMNS; c++)
            full &= print_cell(fields[r][c], is_possible((row)r, (column)c));
    }
    printf("\n\n%-12s", "");
    for (int s = 0; s < SORTS; s++)
        printf(" %6s", sort_names[s]);
    for (int k = OPERATOR_NOT; k < OPERATORS; k++) {
        printf("\n%-12s", k == OPERATOR_NEGATE ? "- x" : operator_text((operator_kind)k));
        for (int s = 0; s < SORTS; s++)
            full &= print_cell(conditions[k][s], is_asked((operator_kind)k, (operand_sort)s));
    }
    printf("\n");
    return full;
}
