/* imports.c - finds, reads and parses the root file and every file that it imports, each one once.
 * SPDX-License-Identifier: MIT
 *
 * A depth-first walk: a file is listed after the files it imports, so the root is last. A file is known by its identity
 * in the file system, not by its path. The names of .pkt files are checked here, because generated files get their
 * names from them.
 */
#include "check/check_internal.h"
#include "base/files.h"
#include "model/type_table.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define MAX_IMPORT_DEPTH 200

typedef struct loaded {
    file_info *info;
    struct loaded *importer;
    bool running; /* its imports are being loaded: meeting it now means a cycle */
} loaded;

typedef struct loader {
    checker *k;
    map *seen;   /* (NULL, identity): loaded */
    map *direct; /* (importing file, path of the imported one): struct import */
    map *made;   /* (NULL, name of an output in small letters): the file_info of its source */
    uint32_t file_count;
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
    for (const char *c = whole; *c; c++)
        if (is_separator(*c))
            base = c + 1;
    return base;
}

static bool is_absolute(const char *name)
{
    return is_separator(name[0]) || (name[0] && name[1] == ':');
}

static const char *joined_path(arena *a, const char *directory, size_t size, const char *name)
{
    bool bare = size == 0 || is_separator(directory[size - 1]);
    return arena_printf(a, "%.*s%s%s", (int)size, directory, bare ? "" : "/", name);
}

/* ---- names of files */

/* The stem as a name: "my_game" of "my-game", "v1_2" of "v1.2", "file_2d" of "2d". */
static const char *name_of_stem(arena *a, const char *stem)
{
    char *text = arena_printf(a, "%s", stem), *to = text;
    bool skipped = false;
    for (const char *c = stem; *c; c++) {
        if (isalnum((unsigned char)*c) || *c == '_') {
            if (skipped)
                *to++ = '_';
            *to++ = *c;
            skipped = false;
        } else {
            skipped = true;
        }
    }
    *to = 0;
    if (isalpha((unsigned char)*text))
        return text;
    return arena_printf(a, "file%s%s", *text == '_' ? "" : "_", text);
}

static void check_stem(checker *k, span at, const schema_file *file)
{
    const file_rules *rules = k->options->files;
    if (!rules)
        return;
    if (!file_is_separator('\\') && strchr(file->path, '\\')) {
        message *m = diag_error(k->diag, at, "the path '%s' has a '\\', which is another path on Windows", file->path);
        diag_help(k->diag, m, "rename the file, for example to 'game_%s.pkt'", file->name);
        return;
    }
    for (const char *const *ending = rules->endings; *ending; ending++) {
        const char *made = arena_printf(k->arena, "%s%s", file->stem, *ending);
        const char *wrong = *file->stem ? rules->refused(made) : "would have nothing before its ending";
        if (wrong) {
            message *m = diag_error(k->diag, at, "the generated file '%s' %s", made, wrong);
            diag_help(k->diag, m, "rename the file, for example to 'game_%s.pkt'", file->name);
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

/* Reports each file that would generate the same output as this one. */
static void check_outputs_differ(loader *l, span at, file_info *file)
{
    checker *k = l->k;
    const file_rules *rules = k->options->files;
    const file_info *reported = NULL;
    if (!rules)
        return;
    for (const char *const *ending = rules->endings; *ending; ending++) {
        const char *made = arena_printf(k->arena, "%s%s", file->file->stem, *ending);
        char *small = arena_printf(k->scratch, "%s", made);
        for (char *c = small; *c; c++) /* some file systems ignore case */
            *c = (char)tolower((unsigned char)*c);
        const char *key = intern(k->names, small, strlen(small));
        const file_info *other = map_get(l->made, NULL, key);
        if (!other) {
            map_put(k->scratch, l->made, NULL, key, file);
        } else if (other != reported) {
            message *m = diag_error(k->diag, at, "'%s' and '%s' would both generate '%s'", file->file->path,
                                    other->file->path, made);
            diag_help(k->diag, m, "rename one of them");
            reported = other;
        }
    }
}

/* ---- loading */

static loaded *load_file(loader *l, const source *s, span at, loaded *importer, uint32_t depth);

/* What the caller of check has of a file comes before what is on the disk. */
static const source *read_import(checker *k, const char *place)
{
    const check_options *o = k->options;
    return o->read ? o->read(o->reader, k->arena, place) : source_read(k->arena, place);
}

/* Reads an imported file from the first directory that has it. NULL after an error. */
static const source *find_import(checker *k, const source *importer, ast_name name)
{
    const char *directory = importer->path;
    size_t size = (size_t)(base_name(directory) - directory);
    const char *place = is_absolute(name.text) ? name.text : joined_path(k->arena, directory, size, name.text);
    const source *s = read_import(k, place);
    bool absent = !s && (errno == ENOENT || errno == ENOTDIR);
    const char *tried = arena_printf(k->arena, "'%s'", place);
    for (size_t i = 0; absent && !is_absolute(name.text) && i < k->options->import_dir_count; i++) {
        directory = k->options->import_dirs[i];
        place = joined_path(k->arena, directory, strlen(directory), name.text);
        s = read_import(k, place);
        absent = !s && (errno == ENOENT || errno == ENOTDIR);
        tried = arena_printf(k->arena, "%s, '%s'", tried, place);
    }
    if (absent) {
        message *m = diag_error(k->diag, name.span, "cannot find '%s'", name.text);
        size_t stem = strcspn(base_name(name.text), ".") + (size_t)(base_name(name.text) - name.text);
        if (strcmp(name.text + stem, ".pkt") != 0)
            diag_fix(k->diag, m, (edit){name.span, arena_printf(k->arena, "\"%.*s.pkt\"", (int)stem, name.text)},
                     "imported files are .pkt files: write `import \"%.*s.pkt\";`", (int)stem, name.text);
        diag_help(k->diag, m, "looked for %s; -I DIR adds a directory to search", tried);
    } else if (!s) {
        diag_error(k->diag, name.span, "cannot read '%s': %s", place, file_failure());
    }
    return s;
}

/* "a.pkt imports b.pkt, which imports a.pkt": the import of `to` in `from` closes the cycle. */
static void report_import_cycle(checker *k, span at, const loaded *from, const loaded *to)
{
    const char *chain = "";
    for (const loaded *i = from; i != to; i = i->importer)
        chain = arena_printf(k->arena, ", which imports '%s'%s", i->info->file->path, chain);
    if (from == to) {
        diag_error(k->diag, at, "'%s' imports itself", to->info->file->path);
        return;
    }
    chain += strlen(", which ");
    diag_error(k->diag, at, "import cycle: '%s' %s, which imports '%s'", to->info->file->path, chain,
               to->info->file->path);
}

/* Loads the files that this one imports and lists each of them once. */
static void load_imports(loader *l, loaded *this, uint32_t depth)
{
    checker *k = l->k;
    file_info *info = this->info;
    struct import *first = NULL, **last = &first;
    for (const ast_decl *d = info->tree->decls; d; d = d->next) {
        if (d->kind != AST_DECL_IMPORT)
            continue;
        if (depth == MAX_IMPORT_DEPTH) {
            diag_error(k->diag, d->name.span, "imports nest more than %d deep", MAX_IMPORT_DEPTH);
            k->incomplete = true;
            break;
        }
        const source *from = info->tree->source, *s = from->alone ? NULL : find_import(k, from, d->name);
        if (from->alone)
            diag_error(k->diag, d->name.span, "a schema in a recording has no files beside it, so it imports none");
        loaded *that = s ? load_file(l, s, d->name.span, this, depth + 1) : NULL;
        if (!that) {
            k->incomplete = true;
            continue;
        }
        use_import(k->options->uses, d->name.span, that->info->file->source);
        if (that->running) {
            k->incomplete = true;
            report_import_cycle(k, d->name.span, this, that);
            continue;
        }
        if (!map_get(l->direct, info->file, that->info->file->path)) {
            struct import *i = ARENA_NEW(k->arena, struct import);
            i->file = that->info->file;
            *last = i;
            last = &i->next;
            map_put(k->scratch, l->direct, info->file, that->info->file->path, i);
        }
    }
    info->file->imports = first;
}

static loaded *load_file(loader *l, const source *s, span at, loaded *importer, uint32_t depth)
{
    checker *k = l->k;
    const char *identity = file_identity(k->arena, s->path), *key = intern(k->names, identity, strlen(identity));
    loaded *this = map_get(l->seen, NULL, key);
    if (this)
        return this;
    this = ARENA_NEW(k->scratch, loaded);
    map_put(k->scratch, l->seen, NULL, key, this);
    this->importer = importer;
    this->running = true;
    file_info *info = ARENA_NEW(k->scratch, file_info);
    this->info = info;
    info->file = ARENA_NEW(k->arena, schema_file);
    info->file->source = s;
    info->file->path = s->path;
    info->file->stem = stem_of(k->arena, s);
    info->file->name = name_of_stem(k->arena, info->file->stem);
    info->file->prefix = "";
    info->file->root = !importer;
    check_stem(k, at, info->file);
    uint32_t gaps = diag_gaps(k->diag);
    info->tree = parse(k->scratch, k->names, k->diag, s, reserved_type_word);
    k->incomplete |= diag_gaps(k->diag) > gaps;
    load_imports(l, this, depth);
    this->running = false;
    check_outputs_differ(l, at, info);
    info->file->index = l->file_count++;
    *l->last_file = info->file;
    l->last_file = &info->file->next;
    *l->last_info = info;
    l->last_info = &info->next;
    return this;
}

/* Each file comes after those that it imports. */
static void find_reachable(checker *k, uint32_t count)
{
    file_info **files = ARENA_ARRAY(k->scratch, file_info *, count);
    for (file_info *f = k->files; f; f = f->next) {
        files[f->file->index] = f;
        f->reachable = ARENA_ARRAY(k->scratch, uint64_t, (count + 63) / 64);
        f->reachable[f->file->index / 64] |= UINT64_C(1) << f->file->index % 64;
        for (const struct import *i = f->file->imports; i; i = i->next)
            for (uint32_t word = 0; word <= i->file->index / 64; word++)
                f->reachable[word] |= files[i->file->index]->reachable[word];
    }
}

void load_files(checker *k, const source *root)
{
    loader l = {.k = k,
                .seen = map_new(k->scratch),
                .direct = map_new(k->scratch),
                .made = map_new(k->scratch),
                .last_file = &k->schema->files,
                .last_info = &k->files};
    loaded *r = load_file(&l, root, (span){root, 0, 0}, NULL, 0);
    k->schema->root = r->info->file;
    find_reachable(k, l.file_count);
}
