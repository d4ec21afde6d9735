/* amalgamate.c - a build tool: prints several C files as one file, for `make dist` and for the runtime inside pktc.
 * SPDX-License-Identifier: MIT
 *
 * usage: amalgamate [-t TEXT] [-l LICENSE] [-d MACRO]... [-I DIR]... [-k HEADER] FILE...
 *
 * The files are printed one after another. A file that they include by "name" is printed once, in place of the
 * first #include of it, so a header inside an #ifdef stays inside it. The macros of a C file are undefined
 * at its end. All other names differ from each other, the static ones of C files too: tests/one_file.sh checks that.
 *
 * -t TEXT, -l LICENSE: the result begins with a comment that has this text and the content of this file.
 * -d MACRO: the macro is defined at the top.
 * -k HEADER: another result has this header, "pkt.h", and what it includes. An #include of it stays, and headers stand
 * where they are included first, not before all C files.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 800, MAX_DIRS = 8, PATH_SIZE = 512 };

typedef struct file {
    char path[PATH_SIZE];
    char *text;
    bool header, printed, kept;
} file;

static file files[MAX_FILES];
static int file_count;
static const char *dirs[MAX_DIRS];
static int dir_count;
static const char *license;

static void fail(const char *what, const char *about)
{
    fprintf(stderr, "amalgamate: %s '%s'\n", what, about);
    exit(1);
}

/* The whole file, terminated; NULL if it does not exist. The caller frees it. */
static char *read_text(const char *path)
{
    FILE *from = fopen(path, "rb");
    if (!from)
        return NULL;
    size_t size = 0, got, room = 1 << 16;
    char *text = malloc(room);
    while (text && (got = fread(text + size, 1, room - size - 1, from)) > 0) {
        size += got;
        if (room - size == 1)
            text = realloc(text, room *= 2);
    }
    if (!text || ferror(from))
        fail("cannot read", path);
    fclose(from);
    text[size] = '\0';
    return text;
}

static const char *line_end(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Whether a line is `#word ...`; *rest is what follows the word. */
static bool is_directive(const char *line, const char *word, const char **rest)
{
    while (*line == ' ')
        line++;
    if (*line++ != '#')
        return false;
    while (*line == ' ')
        line++;
    size_t size = strlen(word);
    if (strncmp(line, word, size) != 0 || isalnum((unsigned char)line[size]))
        return false;
    for (line += size; *line == ' '; line++)
        continue;
    *rest = line;
    return true;
}

/* ---- headers */

/* The path of a header that a file includes: in the file's directory, or in one of the directories of -I. */
static void find_header(const char *from, const char *header, int size, char *path)
{
    const char *slash = strrchr(from, '/');
    snprintf(path, PATH_SIZE, "%.*s%.*s", slash ? (int)(slash - from) + 1 : 0, from, size, header);
    FILE *found = fopen(path, "rb");
    for (int i = 0; i < dir_count && !found; i++) {
        snprintf(path, PATH_SIZE, "%s/%.*s", dirs[i], size, header);
        found = fopen(path, "rb");
    }
    if (!found)
        fail("cannot find a header of", from);
    fclose(found);
}

static int find_file(const char *path)
{
    for (int i = 0; i < file_count; i++)
        if (strcmp(files[i].path, path) == 0)
            return i;
    return -1;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whether a line includes a file by "name"; *path is then the file's path. */
static bool includes_file(const char *from, const char *line, char *path)
{
    const char *rest;
    if (!is_directive(line, "include", &rest) || *rest != '"')
        return false;
    find_header(from, rest + 1, (int)strcspn(rest + 1, "\""), path);
    return true;
}

/* Adds a file and the files that it includes. */
static void add_file(const char *path)
{
    if (file_count == MAX_FILES || strlen(path) >= PATH_SIZE)
        fail("too many files with", path);
    file *added = &files[file_count++];
    snprintf(added->path, sizeof added->path, "%s", path);
    added->text = read_text(path);
    added->header = path[strlen(path) - 1] == 'h';
    if (!added->text)
        fail(strerror(errno), path);
    char found[PATH_SIZE];
    for (const char *line = added->text; *line; line = line_end(line))
        if (includes_file(added->path, line, found) && find_file(found) < 0)
            add_file(found);
}

/* ---- printing */

/* Whether a line defines a macro; *size is the size of its name. */
static bool defines(const char *line, const char **macro, size_t *size)
{
    if (!is_directive(line, "define", macro))
        return false;
    *size = strspn(*macro, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return true;
}

/* Whether a file defines a macro before the line `until`; NULL: anywhere. */
static bool defines_macro(const file *f, const char *wanted, size_t wanted_size, const char *until)
{
    const char *macro;
    size_t size;
    for (const char *line = f->text; *line && line != until; line = line_end(line))
        if (defines(line, &macro, &size) && size == wanted_size && memcmp(macro, wanted, size) == 0)
            return true;
    return false;
}

static bool is_macro_of_header(const char *macro, size_t size)
{
    for (int i = 0; i < file_count; i++)
        if (files[i].header && defines_macro(&files[i], macro, size, NULL))
            return true;
    return false;
}

/* Undefines the macros of a C file, each once. The C file that lemon generates defines the macros of its header again;
 * those stay. */
static void print_undefs(const file *f)
{
    const char *macro;
    size_t size;
    for (const char *line = f->text; *line; line = line_end(line))
        if (defines(line, &macro, &size) && !defines_macro(f, macro, size, line) && !is_macro_of_header(macro, size))
            printf("#undef %.*s\n", (int)size, macro);
}

/* Another result has a header and what it includes. */
static void leave_out(file *f)
{
    char included[PATH_SIZE];
    f->printed = true;
    for (const char *line = f->text; *line; line = line_end(line)) {
        file *other = includes_file(f->path, line, included) ? &files[find_file(included)] : NULL;
        if (other && !other->printed)
            leave_out(other);
    }
}

static void keep(const char *name)
{
    for (int i = 0; i < file_count; i++) {
        if (strcmp(base_name(files[i].path), name) == 0) {
            leave_out(&files[i]);
            files[i].kept = true;
            return;
        }
    }
    fail("no file includes", name);
}

/* Prints lines. Of several empty lines, the first. */
static void print_lines(const char *line, const char *end)
{
    static bool was_empty;
    const bool is_empty = *line == '\n';
    if (!is_empty || !was_empty)
        printf("%.*s", (int)(end - line), line);
    was_empty = is_empty;
}

/* Whether a line is that of the license in the comment at the top of a file: the result has it once. */
static bool says_license(const char *line)
{
    return license && strncmp(line, " * SPDX-", 8) == 0;
}

/* Prints a file, with its name unless its first line has it. An #include is replaced by the file that it names, unless that
 * file was printed before. */
static void print_text(file *f)
{
    static const char empty[] = "\n";
    char included[PATH_SIZE], own[PATH_SIZE + 8];
    const int length = snprintf(own, sizeof own, "/* %s - ", base_name(f->path));
    f->printed = true;
    print_lines(empty, empty + 1);
    if (strncmp(f->text, own, (size_t)length) != 0)
        printf("/* ==== %s */\n", base_name(f->path));
    for (const char *line = f->text, *end; *line; line = end) {
        end = line_end(line);
        if (!includes_file(f->path, line, included)) {
            if (!says_license(line))
                print_lines(line, end);
            continue;
        }
        file *other = &files[find_file(included)];
        if (other->kept)
            print_lines(line, end);
        else if (!other->printed)
            print_text(other);
        other->kept = false;
    }
    if (!f->header)
        print_undefs(f);
}

/* Prints the comment at the top: a text, a licence, or both. */
static void print_title(const char *text)
{
    char *terms = license ? read_text(license) : NULL;
    if (license && !terms)
        fail(strerror(errno), license);
    if (text || terms)
        printf("/* %s%s%s%s*/\n", text ? text : "", text && terms ? "\n\n" : "", terms ? terms : "", terms ? "" : " ");
    free(terms);
}

int main(int argc, char **argv)
{
    const char *title = NULL, *kept = NULL, *defined[MAX_DIRS];
    int defined_count = 0;
    for (int i = 1; i < argc; i++) {
        const char *argument = i + 1 < argc ? argv[i + 1] : "";
        if (argv[i][0] != '-') {
            if (find_file(argv[i]) < 0)
                add_file(argv[i]);
            continue;
        }
        switch (argv[i++][1]) {
        case 't': title = argument; break;
        case 'l': license = argument; break;
        case 'k': kept = argument; break;
        case 'd':
            if (defined_count < MAX_DIRS)
                defined[defined_count++] = argument;
            break;
        case 'I':
            if (dir_count < MAX_DIRS)
                dirs[dir_count++] = argument;
            break;
        default: fail("unknown option", argv[i - 1]);
        }
    }
    print_title(title);
    for (int i = 0; i < defined_count; i++)
        printf("#define %s\n", defined[i]);
    if (kept)
        keep(kept);
    for (int i = 0; i < file_count && !kept; i++)
        if (files[i].header && !files[i].printed)
            print_text(&files[i]);
    for (int i = 0; i < file_count; i++)
        if (!files[i].printed)
            print_text(&files[i]);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
