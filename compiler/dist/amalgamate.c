/* amalgamate.c - a build tool: prints several C files as one file, for `make dist` and for the runtime inside pktc.
 * SPDX-License-Identifier: MIT
 *
 * usage: amalgamate [-t TEXT] [-l LICENSE] [-d MACRO]... [-I DIR]... FILE...
 *
 * The files are printed one after another. A file that they include by "name" is printed once, in place of the
 * first #include of it, so a header inside an #ifdef stays inside it. The private names of a file (static names,
 * types and constants) may also be names in another file or in a system header, so the file's name is added before
 * them. The macros of a file are undefined at its end.
 *
 * -t TEXT, -l LICENSE: the result begins with a comment that has this text and the content of this file.
 * -d MACRO: the macro is defined at the top.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 400, MAX_NAMES = 40000, MAX_DIRS = 8, PATH_SIZE = 512, MAX_DEPTH = 64 };

/* A name of file scope, or a macro. */
typedef struct name {
    const char *text;
    int size, file;
    bool own; /* no other file can refer to it */
    bool macro;
    bool ends; /* it must not be visible after its file, so it is renamed, or undefined if it is a macro */
} name;

/* The position in the code of a file. */
typedef struct scanner {
    bool structs[MAX_DEPTH]; /* for each open brace, whether it belongs to a struct or union */
    int depth;
    bool tagged; /* `struct` or `union` came before */
    char last;   /* the last character before that is not a space; 'a' for a name, '>' for -> */
} scanner;

typedef struct file {
    char path[PATH_SIZE];
    char *text;
    bool header, printed;
} file;

static file files[MAX_FILES];
static int file_count;
static name names[MAX_NAMES];
static int name_count;
static const char *dirs[MAX_DIRS];
static int dir_count;

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

/* ---- names */

static bool is_word(const char *text, int size, const char *word)
{
    return (int)strlen(word) == size && memcmp(text, word, (size_t)size) == 0;
}

static void add_name(const char *text, int size, int in, bool own, bool macro)
{
    if (size > 2 && text[0] == '_' && text[1] == '_')
        return;
    for (int i = 0; i < name_count; i++)
        if (names[i].file == in && names[i].size == size && memcmp(names[i].text, text, (size_t)size) == 0)
            return;
    if (name_count == MAX_NAMES)
        fail("too many names in", files[in].path);
    names[name_count++] = (name){text, size, in, own, macro, false};
}

static const char *skip_quoted(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* The end of a directive, which may continue over several lines. */
static const char *skip_directive(const char *at)
{
    const char *end = line_end(at);
    while (*end && end - at >= 2 && end[-2] == '\\')
        end = line_end(end);
    return end;
}

static const char *skip_comment(const char *at)
{
    const char *end = at[1] == '/' ? strchr(at, '\n') : strstr(at + 2, "*/");
    return !end ? at + strlen(at) : at[1] == '/' ? end : end + 2;
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at) || (at[0] == '/' && (at[1] == '/' || at[1] == '*')))
        at = *at == '/' ? skip_comment(at) : at + 1;
    return at;
}

/* Finds the macros, the names that are declared outside of all braces and parentheses, and the constants of enums. A
 * struct that is defined without a typedef completes one that a header declares. */
static void find_names(int in)
{
    int braces = 0, parentheses = 0;
    bool starts = true; /* a declaration starts here */
    bool own = false;   /* the declaration is static, or declares a private type */
    bool tag = false;   /* struct, union or enum came before */
    bool extern_c = false, enumeration = false;
    for (const char *at = files[in].text; *at;) {
        const char *rest;
        if (*at == '#' && is_directive(at, "define", &rest)) {
            add_name(rest, (int)strspn(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"), in,
                     true, true);
            at = skip_directive(at);
        } else if (*at == '#') {
            at = skip_directive(at);
        } else if (*at == '"' || *at == '\'') {
            extern_c = strncmp(at, "\"C\"", 3) == 0;
            at = skip_quoted(at);
        } else if (at[0] == '/' && (at[1] == '/' || at[1] == '*')) {
            at = skip_comment(at);
        } else if (isalpha((unsigned char)*at) || *at == '_') {
            int size = 1;
            while (is_name_char(at[size]))
                size++;
            bool typed = is_word(at, size, "struct") || is_word(at, size, "union") || is_word(at, size, "enum");
            if (braces == 0)
                own = (own && !starts) || is_word(at, size, "static") || is_word(at, size, "typedef") ||
                      (starts && is_word(at, size, "enum"));
            if (braces == 0 && parentheses == 0 && is_word(at, size, "enum"))
                enumeration = true;
            char next = *skip_space(at + size);
            bool declares =
                braces == 0 && parentheses == 0 && !typed && (strchr("([=;,", next) || (tag && next == '{'));
            bool constant = enumeration && braces == 1 && parentheses == 0 && next && strchr("=,}", next);
            if (next && (declares || constant))
                add_name(at, size, in, own && !files[in].header, false);
            tag = typed;
            starts = false;
            at += size;
        } else {
            if (*at == '{' && extern_c)
                extern_c = false;
            else
                braces += (*at == '{') - (*at == '}' && braces > 0);
            parentheses += (*at == '(') - (*at == ')');
            if (braces == 0 && parentheses == 0 && (*at == ';' || *at == '}')) {
                starts = true;
                enumeration = false;
            }
            at++;
        }
    }
}

/* A macro of a header may look like a declared name: PRINTF_LIKE(1). And the C file that lemon generates defines the
 * macros of its header again. */
static bool is_macro_of_header(const name *n)
{
    for (int i = 0; i < name_count; i++) {
        const name *other = &names[i];
        if (other->macro && files[other->file].header && other->size == n->size &&
            memcmp(other->text, n->text, (size_t)n->size) == 0)
            return true;
    }
    return false;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- printing */

/* Prints a name, renamed if necessary. */
static void print_name(int in, const char *text, int size, bool member)
{
    for (int i = 0; i < name_count && !member; i++) {
        const name *n = &names[i];
        if (n->file == in && n->ends && !n->macro && n->size == size && memcmp(n->text, text, (size_t)size) == 0) {
            const char *base = base_name(files[in].path);
            printf("%.*s_", (int)strcspn(base, "."), base);
        }
    }
    printf("%.*s", size, text);
}

/* Prints code up to `end` with its names renamed, except for members of structs (after . and ->, or declared in a
 * struct). */
static void print_code(int in, const char *at, const char *end, scanner *s)
{
    while (at < end) {
        const char *from = at;
        if (*at == '"' || *at == '\'') {
            at = skip_quoted(at);
        } else if (at[0] == '/' && (at[1] == '/' || at[1] == '*')) {
            at = skip_comment(at);
        } else if (isdigit((unsigned char)*at)) {
            while (is_name_char(*at) || *at == '.')
                at++;
        } else if (is_name_char(*at)) {
            while (is_name_char(*at))
                at++;
            int size = (int)(at - from);
            char next = *skip_space(at);
            bool declared = s->depth > 0 && s->structs[s->depth - 1] && strchr(";,[:)", next);
            print_name(in, from, size, declared || s->last == '.' || s->last == '>');
            s->tagged = is_word(from, size, "struct") || is_word(from, size, "union") || (s->tagged && next == '{');
            s->last = 'a';
            continue;
        } else {
            if (*at == '{' && s->depth < MAX_DEPTH)
                s->structs[s->depth++] = s->tagged;
            else if (*at == '}' && s->depth > 0)
                s->depth--;
            if (*at == '>')
                s->last = s->last == '-' ? '>' : ' ';
            else if (!isspace((unsigned char)*at))
                s->last = *at;
            if (!isspace((unsigned char)*at))
                s->tagged = false;
            at++;
        }
        printf("%.*s", (int)(at - from), from);
    }
}

/* Standard headers that a file includes unconditionally are printed before all renamed names. */
static void print_standard_headers(int in)
{
    int depth = 0;
    const char *rest;
    for (const char *line = files[in].text; *line; line = line_end(line))
        if (is_directive(line, "if", &rest) || is_directive(line, "ifdef", &rest) ||
            is_directive(line, "ifndef", &rest))
            depth++;
        else if (is_directive(line, "endif", &rest))
            depth--;
        else if (depth == 0 && is_directive(line, "include", &rest) && *rest == '<')
            printf("%.*s", (int)(line_end(line) - line), line);
}

/* Prints a file, and in place of an #include the header, unless that was printed before. */
static void print_text(int in)
{
    scanner s = {.last = ' '};
    const char *rest;
    char included[PATH_SIZE];
    files[in].printed = true;
    printf("\n/* ==== %s */\n", base_name(files[in].path));
    for (const char *line = files[in].text, *end; *line; line = end) {
        end = line_end(line);
        if (includes_file(files[in].path, line, included)) {
            int header = find_file(included);
            if (!files[header].printed)
                print_text(header);
            continue;
        }
        if (is_directive(line, "include", &rest)) {
            printf("%.*s", (int)(end - line), line);
            continue;
        }
        /* Print up to the next #include at once, because a comment can have several lines. */
        while (*end && !is_directive(end, "include", &rest))
            end = line_end(end);
        print_code(in, line, end, &s);
    }
    for (int i = 0; i < name_count; i++)
        if (names[i].file == in && names[i].ends && names[i].macro)
            printf("#undef %.*s\n", names[i].size, names[i].text);
}

/* Prints the comment at the top: a text, a licence, or both. */
static void print_title(const char *text, const char *license)
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
    const char *title = NULL, *license = NULL, *defined[MAX_DIRS];
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
    for (int i = 0; i < file_count; i++)
        find_names(i);
    for (int i = 0; i < name_count; i++)
        names[i].ends = names[i].own && !files[names[i].file].header && !is_macro_of_header(&names[i]);
    print_title(title, license);
    for (int i = 0; i < defined_count; i++)
        printf("#define %s\n", defined[i]);
    for (int i = 0; i < file_count; i++)
        if (files[i].header && !files[i].printed)
            print_text(i);
    for (int i = 0; i < file_count; i++)
        if (!files[i].header && !files[i].printed)
            print_standard_headers(i);
    for (int i = 0; i < file_count; i++)
        if (!files[i].header && !files[i].printed)
            print_text(i);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
