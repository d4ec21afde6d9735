/* imports.c - finds, reads and parses the root file and every file it imports, each once.
 * SPDX-License-Identifier: MIT
 *
 * A depth-first walk: a file is listed after the files it imports, so the root is last. A file is known by what the file
 * system says it is, not by the path that led there. The names of generated files come from the names of .pkt files,
 * so the latter are checked here.
 */
#include "check/phases.h"
#include "base/files.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define MAX_IMPORT_DEPTH 200

typedef struct loaded {
    file_info *info;
    struct loaded *importer;
    bool running; /* its imports are still being loaded: to meet it now is a cycle */
} loaded;

typedef struct loader {
    checker *k;
    map *seen;   /* (NULL, identity): loaded */
    map *direct; /* (importing file, path of the imported one): struct import */
    schema_file **last_file;
    file_info **last_info;
} loader;

/* ---- paths */

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

static const char *base_name(const char *whole)
{
    const char *base = whole;
    for (const char *c = whole; *c; c++) {
        if (is_separator(*c)) {
            base = c + 1;
        }
    }
    return base;
}

static bool is_absolute(const char *name)
{
    return is_separator(name[0]) || (name[0] && name[1] == ':');
}

static const char *joined(arena *a, const char *directory, size_t size, const char *name)
{
    bool bare = size == 0 || is_separator(directory[size - 1]);
    return arena_printf(a, "%.*s%s%s", (int)size, directory, bare ? "" : "/", name);
}

/* Equal for two sources exactly where they are of one file. */
static const char *identity(checker *k, const source *file)
{
    const char *text = file_identity(k->arena, file->path);
    return intern(k->names, text, strlen(text));
}

/* ---- names of files */

/* Headers that generated code includes, or that those of common C libraries include in turn. */
static const char *const standard_headers[] = {
    "alloca",   "assert",    "complex", "ctype",  "endian", "errno",     "features",    "fenv",      "float",
    "inttypes", "io",        "iso646",  "limits", "locale", "malloc",    "math",        "memory",    "process",
    "sal",      "sched",     "search",  "setjmp", "signal", "stdalign",  "stdarg",      "stdatomic", "stdbit",
    "stdbool",  "stdckdint", "stddef",  "stdint", "stdio",  "stdlib",    "stdnoreturn", "string",    "strings",
    "tgmath",   "threads",   "time",    "uchar",  "unistd", "vcruntime", "wchar",       "wctype",    "windows",
};

static bool equal_but_for_case(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return tolower((unsigned char)*a) == tolower((unsigned char)*b);
}

static bool is_c_name(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_') {
        return false;
    }
    for (const char *c = text; *c; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_') {
            return false;
        }
    }
    return true;
}

/* The nearest text that would do as a stem. */
static const char *as_c_name(arena *a, const char *stem)
{
    char *text = arena_printf(a, "%s%s", isdigit((unsigned char)*stem) || !*stem ? "_" : "", stem);
    for (char *c = text; *c; c++) {
        if (!isalnum((unsigned char)*c)) {
            *c = '_';
        }
    }
    return text;
}

static void check_stem(checker *k, span at, const char *stem)
{
    if (!is_c_name(stem)) {
        message *m = diag_error(k->diag, at, "the file's name becomes part of names in C, and '%s' is not one", stem);
        if (*stem) {
            diag_help(k->diag, m, "'%s.pkt' would do", as_c_name(k->arena, stem));
        }
        return;
    }
    if (equal_but_for_case(stem, "pkt")) {
        message *m =
            diag_error(k->diag, at, "the header generated from '%s.pkt' would hide the runtime's 'pkt.h'", stem);
        diag_help(k->diag, m, "give the file another name");
        return;
    }
    for (size_t i = 0; i < sizeof standard_headers / sizeof *standard_headers; i++) {
        if (equal_but_for_case(stem, standard_headers[i])) {
            message *m = diag_error(k->diag, at, "the header generated from '%s.pkt' would hide the C header <%s.h>",
                                    stem, standard_headers[i]);
            diag_help(k->diag, m, "give the file another name, such as 'game_%s.pkt'", stem);
            return;
        }
    }
}

/* mygame from dir/mygame.pkt */
static const char *stem_of(arena *a, const source *file)
{
    const char *base = base_name(file->path);
    const char *dot = strrchr(base, '.');
    return arena_text(a, base, dot ? (size_t)(dot - base) : strlen(base));
}

/* Output files of one run are all named after stems, those of X with or without "_codec". */
static void check_stems_differ(checker *k, span at, const schema_file *file)
{
    for (const file_info *i = k->files; i; i = i->next) {
        const char *other = i->file->stem;
        size_t size = strlen(other);
        if (equal_but_for_case(file->stem, other)) {
            diag_error(k->diag, at, "'%s' and '%s' would be generated into files of the same name", file->path,
                       i->file->path);
        } else if (strncmp(file->stem, other, size) == 0 && strcmp(file->stem + size, "_codec") == 0) {
            diag_error(k->diag, at, "'%s' would be generated into the file that '%s' has for its codec", file->path,
                       i->file->path);
        } else if (size > 6 && strlen(file->stem) == size - 6 && strncmp(other, file->stem, size - 6) == 0 &&
                   strcmp(other + size - 6, "_codec") == 0) {
            diag_error(k->diag, at, "'%s' would be generated into the file that '%s' has for its codec", i->file->path,
                       file->path);
        }
    }
}

/* ---- loading */

static loaded *load(loader *l, const source *s, span at, loaded *importer, uint32_t depth);

/* The first of the places an import can be in that there is, or NULL after an error. */
static const source *find_import(checker *k, const source *importer, ast_name name)
{
    const char *directory = importer->path;
    size_t size = (size_t)(base_name(directory) - directory);
    const char *place = is_absolute(name.text) ? name.text : joined(k->arena, directory, size, name.text);
    const source *s = source_read(k->arena, place);
    bool absent = !s && (errno == ENOENT || errno == ENOTDIR);
    const char *tried = arena_printf(k->arena, "'%s'", place);
    for (size_t i = 0; absent && !is_absolute(name.text) && i < k->options->import_dir_count; i++) {
        directory = k->options->import_dirs[i];
        place = joined(k->arena, directory, strlen(directory), name.text);
        s = source_read(k->arena, place);
        absent = !s && (errno == ENOENT || errno == ENOTDIR);
        tried = arena_printf(k->arena, "%s, '%s'", tried, place);
    }
    if (absent) {
        message *m = diag_error(k->diag, name.span, "there is no file '%s' to import", name.text);
        diag_help(k->diag, m, "looked for %s; -I names further directories", tried);
    } else if (!s) {
        diag_error(k->diag, name.span, "cannot read '%s': %s", place, strerror(errno));
    }
    return s;
}

/* "a.pkt imports b.pkt, which imports a.pkt": from is the file that closes the cycle, to the one it comes back to. */
static void report_cycle(checker *k, span at, const loaded *from, const loaded *to)
{
    const char *chain = "";
    for (const loaded *i = from; i != to; i = i->importer) {
        chain = arena_printf(k->arena, ", which imports '%s'%s", i->info->file->path, chain);
    }
    if (from == to) {
        diag_error(k->diag, at, "'%s' imports itself", to->info->file->path);
        return;
    }
    chain += strlen(", which ");
    diag_error(k->diag, at, "a cycle of imports: '%s' %s, which imports '%s'", to->info->file->path, chain,
               to->info->file->path);
}

/* Lists the files that this one imports, each once. */
static void load_imports(loader *l, loaded *this, uint32_t depth)
{
    checker *k = l->k;
    file_info *info = this->info;
    struct import *first = NULL, **last = &first;
    for (const ast_decl *d = info->tree->decls; d; d = d->next) {
        if (d->kind != AST_DECL_IMPORT) {
            continue;
        }
        if (depth == MAX_IMPORT_DEPTH) {
            diag_error(k->diag, d->name.span, "imports nest more than %d deep", MAX_IMPORT_DEPTH);
            k->incomplete = true;
            break;
        }
        const source *s = find_import(k, info->tree->source, d->name);
        loaded *that = s ? load(l, s, d->name.span, this, depth + 1) : NULL;
        if (!that) {
            k->incomplete = true;
            continue;
        }
        if (that->running) {
            k->incomplete = true;
            report_cycle(k, d->name.span, this, that);
            continue;
        }
        if (!map_get(l->direct, info->file, that->info->file->path)) {
            struct import *i = ARENA_NEW(k->arena, struct import);
            i->file = that->info->file;
            *last = i;
            last = &i->next;
            map_put(k->arena, l->direct, info->file, that->info->file->path, i);
        }
    }
    info->file->imports = first;
}

static loaded *load(loader *l, const source *s, span at, loaded *importer, uint32_t depth)
{
    checker *k = l->k;
    const char *key = identity(k, s);
    loaded *this = map_get(l->seen, NULL, key);
    if (this) {
        return this;
    }
    this = ARENA_NEW(k->arena, loaded);
    map_put(k->arena, l->seen, NULL, key, this);
    this->importer = importer;
    this->running = true;
    file_info *info = ARENA_NEW(k->arena, file_info);
    this->info = info;
    info->file = ARENA_NEW(k->arena, schema_file);
    info->file->path = s->path;
    info->file->stem = stem_of(k->arena, s);
    info->file->prefix = "";
    info->file->root = !importer;
    check_stem(k, at, info->file->stem);
    uint32_t errors = diag_errors(k->diag);
    info->tree = parse(k->arena, k->names, k->diag, s);
    k->incomplete |= diag_errors(k->diag) > errors;
    load_imports(l, this, depth);
    this->running = false;
    check_stems_differ(k, at, info->file);
    *l->last_file = info->file;
    l->last_file = &info->file->next;
    *l->last_info = info;
    l->last_info = &info->next;
    return this;
}

void load_files(checker *k, const source *root)
{
    loader l = {.k = k,
                .seen = map_new(k->arena),
                .direct = map_new(k->arena),
                .last_file = &k->schema->files,
                .last_info = &k->files};
    loaded *r = load(&l, root, (span){root, 0, 0}, NULL, 0);
    k->schema->root = r->info->file;
}
