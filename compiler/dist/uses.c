/* uses.c - a build tool: finds the parts of the runtime, and what uses them; prints the variables of emit/runtime_files.h.
 * SPDX-License-Identifier: MIT
 *
 *     uses build/made/pkt.h build/made/pkt_inside.h build/made/pkt.c
 *
 * A part is what is there between `#ifndef PKT_WITHOUT_FIT` and its #endif, also in headers. A macro or an inline function uses what it mentions. So does a .c file, but not
 * what has a stand-in behind `#ifdef PKT_WITHOUT_FIT`: it calls that only for certain entries of type tables, and a program
 * with such an entry has code that mentions the part. What is in no part may use none: that is an error. A part may have
 * lines inside of another one: they are there with both, so it does not use the other one by them.
 *
 * Only names that begin with pkt_ or PKT_ count. What is outside of functions begins in the first column. A word before ##
 * mentions all names that begin with it.
 */
#include "base/c_words.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PARTS = 32, MOST_NAMES = 8192, MOST_MENTIONS = 1 << 17, NONE = -1 };

typedef uint32_t part_set;

/* A name of the runtime. */
typedef struct name {
    const char *text;
    size_t size;
    bool stands_in;  /* there is a stand-in for it */
    int owner;       /* the part that defines it, or NONE */
    part_set needs;  /* what code needs that mentions it */
    part_set called; /* what a .c file needs that mentions it */
} name;

/* What mentions a name: an item of a header; or if that is NULL, the .c files of a part, or those without one. */
typedef struct mention {
    name *by, *of;
    int part, around; /* around: the part that has the lines of `part`, or NONE */
    bool pasted;      /* of all names that begin so */
} mention;

static name names[MOST_NAMES];
static mention mentions[MOST_MENTIONS];
static const char *parts[MOST_PARTS];
static part_set used[MOST_PARTS]; /* by each part, with itself */
static unsigned mention_count, part_count;

/* Where the reader is. */
static bool in_source;                       /* in a .c file */
static unsigned depth;                       /* how many #if are open */
static unsigned part_at, around_at, lack_at; /* the depth of the #if around a part, stand-ins; or 0 */
static int part = NONE, around = NONE;
static bool continues;     /* the line belongs to the macro of the line before it */
static name *item, *macro; /* what the lines define, or NULL */

static void fail(const char *what, const char *about, size_t size)
{
    fprintf(stderr, "uses: %s '%.*s'\n", what, (int)size, about);
    exit(1);
}

static char *read_text(const char *path, size_t *size)
{
    enum { MOST_BYTES = 1 << 24 };
    FILE *file = fopen(path, "rb");
    char *text = malloc(MOST_BYTES);
    *size = file && text ? fread(text, 1, MOST_BYTES, file) : MOST_BYTES;
    if (*size == MOST_BYTES || ferror(file))
        fail("cannot read", path, strlen(path));
    fclose(file);
    return text;
}

/* ---- names */

static name *the_name(const char *text, size_t size)
{
    uint32_t at = 2166136261u;
    for (size_t i = 0; i < size; i++)
        at = (at ^ (unsigned char)text[i]) * 16777619u;
    for (unsigned tries = 0; tries < MOST_NAMES; tries++, at++) {
        name *n = &names[at % MOST_NAMES];
        if (!n->text)
            *n = (name){.text = text, .size = size, .owner = NONE};
        if (n->size == size && memcmp(n->text, text, size) == 0)
            return n;
    }
    fail("too many names with", text, size);
    return NULL;
}

static void add_mention(name *by, name *of, bool pasted)
{
    if (!in_source && !by)
        return;
    if (mention_count == MOST_MENTIONS)
        fail("too many mentions with", of->text, of->size);
    mentions[mention_count++] = (mention){in_source ? NULL : by, of, part, around, pasted};
}

/* ---- the lines of a file */

static void blank_comments(char *text, size_t size)
{
    for (char *at = text, *end = text + size; at < end;) {
        char *past = text + (past_no_code(at, end) - text);
        for (char *c = at; c < past; c++)
            *c = *c == '\n' ? '\n' : ' ';
        at = past == at ? at + 1 : past;
    }
}

static bool begins(const char *line, const char *end, const char *word)
{
    const size_t size = strlen(word);
    return (size_t)(end - line) >= size && memcmp(line, word, size) == 0;
}

static int part_of_line(const char *at, const char *end)
{
    const size_t size = (size_t)(end - at);
    for (unsigned i = 0; i < part_count; i++)
        if (strlen(parts[i]) == size && memcmp(parts[i], at, size) == 0)
            return (int)i;
    char *copy = calloc(size + 1, 1);
    if (part_count == MOST_PARTS || !copy)
        fail("too many parts with", at, size);
    memcpy(copy, at, size);
    parts[part_count] = copy;
    return (int)part_count++;
}

static void read_condition(const char *line, const char *end)
{
    static const char left_out[] = "#ifndef PKT_WITHOUT_";
    if (begins(line, end, "#if")) {
        depth++;
        if (around == NONE && begins(line, end, left_out)) {
            around = part;
            around_at = part_at;
            part = part_of_line(line + sizeof left_out - 1, end);
            part_at = depth;
        } else if (in_source && begins(line, end, "#ifdef PKT_WITHOUT_")) {
            lack_at = depth;
        }
    } else if (begins(line, end, "#endif")) {
        if (part != NONE && part_at == depth) {
            part = around;
            part_at = around_at;
            around = NONE;
        }
        lack_at = lack_at == depth ? 0 : lack_at;
        depth--;
    }
}

/* The function or the variable that a line defines or declares: the first name before `(`, `[` or ` =`. */
static name *item_of_line(const char *line, const char *end)
{
    size_t size;
    for (const char *at = line, *text; (text = next_pkt_word(&at, end, &size));)
        if (text[0] == 'p' && at < end && (*at == '(' || *at == '[' || begins(at, end, " =")))
            return the_name(text, size);
    return NULL;
}

static name *defined(name *n)
{
    if (n && lack_at)
        n->stands_in = true;
    else if (n && part != NONE)
        n->owner = part;
    return n;
}

static void read_line(const char *line, const char *end)
{
    const char *at = line, *text;
    size_t size;
    if (!continues) {
        macro = NULL;
        if (*line == '#' && !begins(line, end, "#define ")) {
            read_condition(line, end);
            return;
        }
        if (*line == '#')
            macro = defined((text = next_pkt_word(&at, end, &size)) ? the_name(text, size) : NULL);
        else if (is_in_word(*line))
            item = defined(item_of_line(line, end));
    }
    continues = (continues || *line == '#') && end[-1] == '\\';
    while ((text = next_pkt_word(&at, end, &size)))
        add_mention(macro ? macro : item, the_name(text, size), begins(at, end, "##"));
    if (*line == '}')
        item = NULL;
}

static void read_file(const char *path)
{
    size_t size;
    char *text = read_text(path, &size);
    in_source = path[strlen(path) - 1] == 'c';
    blank_comments(text, size);
    for (const char *line = text, *end = text + size, *next; line < end; line = next + 1) {
        next = memchr(line, '\n', (size_t)(end - line));
        if (!next)
            next = end;
        if (next > line)
            read_line(line, next);
    }
    if (depth != 0)
        fail("an #if has no end in", path, strlen(path));
}

/* Makes mentions of what begins with a word mentions of each such name. */
static void complete_pasted(void)
{
    for (unsigned i = 0, before = mention_count; i < before; i++)
        for (name *n = names; mentions[i].pasted && n < names + MOST_NAMES; n++)
            if (n->text && n->size > mentions[i].of->size &&
                memcmp(n->text, mentions[i].of->text, mentions[i].of->size) == 0 && mention_count < MOST_MENTIONS)
                mentions[mention_count++] = (mention){mentions[i].by, n, mentions[i].part, mentions[i].around, false};
}

/* ---- who uses what */

static bool join(part_set *to, part_set more)
{
    const part_set before = *to;
    *to |= more;
    return *to != before;
}

static bool follow_owner(name *n)
{
    if (n->owner == NONE)
        return false;
    const bool more = join(&n->needs, used[n->owner]);
    return (!n->stands_in && join(&n->called, used[n->owner])) || more;
}

static bool follow(const mention *m)
{
    name *of = m->of;
    bool more = false;
    if (m->around != NONE && of->owner == m->around)
        return false;
    if (m->by) {
        more |= join(&m->by->needs, of->needs);
        more |= join(&m->by->called, of->called);
    } else if (m->part != NONE) {
        more |= join(&used[m->part], of->called);
    } else if (of->called != 0) {
        fail("what is in no part uses a part by", of->text, of->size);
    }
    return more;
}

static bool follow_parts(void)
{
    bool more = false;
    for (unsigned i = 0; i < part_count; i++)
        for (unsigned k = 0; k < part_count; k++)
            more |= (used[i] >> k & 1) != 0 && join(&used[i], used[k]);
    return more;
}

static void find_uses(void)
{
    bool more = true;
    for (unsigned i = 0; i < part_count; i++)
        used[i] = (part_set)1 << i;
    while (more) {
        more = follow_parts();
        for (unsigned i = 0; i < MOST_NAMES; i++)
            more |= names[i].text && follow_owner(&names[i]);
        for (unsigned i = 0; i < mention_count; i++)
            more |= follow(&mentions[i]);
    }
}

static int compare_names(const void *a, const void *b)
{
    const name *x = a, *y = b;
    if (!x->text || !y->text)
        return !x->text - !y->text;
    const int order = memcmp(x->text, y->text, x->size < y->size ? x->size : y->size);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

static void print_uses(void)
{
    puts("#include \"emit/runtime_files.h\"\n\nconst runtime_part runtime_part_rows[] = {");
    for (unsigned i = 0; i < part_count; i++)
        printf("    {\"%s\", 0x%lx},\n", parts[i], (unsigned long)used[i]);
    puts("};\n\nconst size_t runtime_part_count = sizeof runtime_part_rows / sizeof runtime_part_rows[0];\n\n"
         "const runtime_name runtime_names[] = {");
    qsort(names, MOST_NAMES, sizeof names[0], compare_names);
    for (const name *n = names; n < names + MOST_NAMES && n->text; n++)
        if (n->needs != 0)
            printf("    {\"%.*s\", 0x%lx},\n", (int)n->size, n->text, (unsigned long)n->needs);
    puts("};\n\nconst size_t runtime_name_count = sizeof runtime_names / sizeof runtime_names[0];");
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        read_file(argv[i]);
    if (part_count == 0) {
        fputs("usage: uses FILE...    with parts\n", stderr);
        return 1;
    }
    complete_pasted();
    find_uses();
    print_uses();
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
