/* lsp_internal.h - shared by the files of lsp: the server, its documents, and what it knows of each.
 * SPDX-License-Identifier: MIT
 *
 * A document is what the editor has open. Each change of it makes a new analysis, with an arena of its own, so the
 * memory of a server does not grow with the number of changes.
 */
#ifndef PKTC_LSP_INTERNAL_H
#define PKTC_LSP_INTERNAL_H

#include "editor/lsp.h"

#include "costs/describe.h"
#include "releases/diff.h"

#ifdef PKTC_JSON

#include <jansson.h>

/* A file that was looked for, be it there or not. */
typedef struct sought_file {
    struct sought_file *next;
    const char *path, *identity;
    const source *found; /* its text then; NULL with `failure`, the errno */
    int failure;
} sought_file;

/* What is known of a file as the root of a schema. With errors, `part` is known of what is left without them: see
 * mend.c. */
typedef struct analysis {
    arena *arena;
    names *names;
    diag *diag;
    const source *source;
    const ast_file *tree; /* of this file alone */
    const wire *wire;     /* NULL: the schema has errors */
    sought_file *sought;  /* its imports, and theirs */
    name_uses uses;       /* of all files of the schema */
    const name_use **own; /* of this file, by their places */
    size_t own_count;
    struct mending *mending; /* of a part: what is cut; else NULL */
    const decl **partial;    /* of a part: the declarations that lack something, or contain one that does */
    size_t partial_count;
    struct analysis *part; /* NULL: not asked for yet, or nothing is left */
    bool part_sought;
} analysis;

/* The tokens of a document as the protocol wants them, five numbers each; edits that change few of them send few. */
typedef struct token_list {
    uint32_t *all;
    size_t count;    /* of the numbers */
    unsigned number; /* of the list, since the document was opened; 0: there is none */
} token_list;

typedef struct document {
    struct document *next;
    char *uri, *path;
    char *identity; /* of the file: see file_identity */
    json_int_t version;
    char *text;
    size_t size;
    analysis *analysis;
    token_list tokens; /* that the client has */
} document;

/* A file as it would be after a rename. */
typedef struct renamed_file {
    struct renamed_file *next;
    const char *uri, *identity;
    const source *before;
    const char *text;
    size_t size;
} renamed_file;

struct lsp_server {
    const lsp_options *options;
    lsp_answer *answer;
    void *user; /* of the answer */
    document *documents;
    json_t *folders;             /* paths of the folders that the editor has open */
    json_t *published;           /* the diagnostics that the client has: an object with an array for each URI */
    arena *scratch;              /* of the message that is handled */
    const renamed_file *renamed; /* read instead of documents and the disk, while a rename is tried; else NULL */
    json_t *named;               /* in its answers: the URI of each file that is not open, by its identity */
    const char *problem;         /* why it is refused; or NULL */
    const char *written;         /* the result, if it is text of JSON already; or NULL */
    bool watches;                /* the client can be asked to say when files change */
    bool shut_down, ended;
};

/* ---- protocol.c: messages with their lengths before them */

/* The next message and its size; the caller frees it. NULL: there are no more, or it is not known where the next one
 * begins. */
char *protocol_read(FILE *from, size_t *size);
void protocol_write(FILE *to, const char *json, size_t size);

/* Hands out and frees a message. */
void send_message(const lsp_server *s, json_t *sent);

/* ---- places.c: lines, columns and URIs. Columns count units of UTF-16. A position out of range is the nearest one. */

size_t offset_in_text(const char *text, size_t size, const json_t *position);
uint32_t offset_in_source(const source *s, const json_t *position);
typedef struct text_place {
    uint32_t line, character; /* from 0 */
} text_place;
text_place place_in_text(const source *s, uint32_t offset);
json_t *position_at(const source *s, uint32_t offset);
json_t *range_at(span at);

/* The path of a URI, or the URI itself if it is not that of a file. */
char *path_of_uri(const char *uri);
/* The URI of a path, which is the same for all paths of a file; of an open document, the one that the editor has given. */
const char *uri_of_path(const lsp_server *s, const char *path);

/* Whether two spans are the same place of the same file. */
bool is_same_place(const lsp_server *s, span x, span y);

/* ---- documents.c: the documents that are open, and all schemas of the editor's folders */

document *document_of(const lsp_server *s, const json_t *parameters);
void document_open(lsp_server *s, const json_t *parameters);
void document_change(lsp_server *s, const json_t *parameters);
void document_close(lsp_server *s, const json_t *parameters);
/* Analyses documents again whose files on the disk have changed. */
void documents_refresh(lsp_server *s);
/* Finds out again which files the documents are. If one has become another file, all are analysed again. */
void documents_find_files(lsp_server *s);
void documents_free(lsp_server *s);

/* Calls `each` with the analysis of every open document, and of every schema in the folders of the editor. Their parts have
 * been sought. */
void analyses_visit(lsp_server *s, void (*each)(void *user, const analysis *of), void *user);

/* ---- analysis.c */

/* A file without its byte-order mark, which no editor has in its text. NULL: it cannot be read. */
const source *read_from_disk(arena *a, const char *path);

/* Whether an analysis would be another one now, as its files are no longer what it has read. */
bool is_stale(const lsp_server *s, const analysis *of);

analysis *analyse(const lsp_server *s, const char *path, const char *text, size_t size);
void analysis_free(analysis *of);

/* The part of a schema that checks, which is all of it if there are no errors; its wire is not NULL. Offsets in it are
 * those of the file. NULL: there is none. */
const analysis *sound_part(const lsp_server *s, analysis *of);

/* Whether a declaration, or one that it contains, lacks what has errors. */
bool is_partial(const analysis *of, const decl *d);

/* The name at an offset of the file, or right before it; or NULL. */
const name_use *use_at(const analysis *of, uint32_t offset);

/* The name at a position of a document, from the part that checks or else from all of it; *of is set to where it is from.
 * NULL: there is none. */
const name_use *name_at(const lsp_server *s, const document *d, const json_t *parameters, const analysis **of);

/* ---- mend.c: the text of files without what has errors */

typedef struct cut { /* in a declaration, which has these bytes */
    struct cut *next;
    uint32_t begin, end;
} cut;

typedef struct mended_file {
    struct mended_file *next;
    const char *identity;
    const source *original;
    char *text;
    size_t size;
    cut *cuts;                    /* of parts of declarations */
    struct mended_pieces *pieces; /* while errors are cut */
    bool changed, finished;       /* declarations: in this round */
} mended_file;

typedef struct mending {
    arena *arena;
    mended_file *files;
    struct mended_source *sources; /* that were asked for */
} mending;

mended_file *mended_file_of(const mending *m, const char *identity);
/* Of a file that an analysis has read, once no more is cut; NULL: nothing of it is. */
mended_file *mended_file_of_source(mending *m, const source *s);

/* Cuts all errors, with the statements that they are in or, if asked for, with the whole declarations. False: there was
 * nothing to cut. */
bool cut_errors(mending *m, const diag *of, bool whole);

/* Whether a part of a declaration was cut. */
bool has_cuts(mending *m, const decl *d);

/* ---- history.c: what has changed since the newest release */

typedef struct history {
    const comparison *changes; /* NULL: there is no release, or the schema has errors */
    uint32_t number;           /* of the release */
} history;

history history_of(const lsp_server *s, const analysis *of);

/* A line about each declaration of a file that has changed, at its name: to an array of lenses. Declarations that lack
 * something have none. */
void add_history_lenses(const lsp_server *s, const analysis *of, const source *file, json_t *lenses);

/* Whether the release has what a name declares, under this name. */
bool was_released(const history *h, const name_use *u);

/* ---- answers: NULL is null, or `written` of the server. `problem` of the server says why a request is refused. */

typedef json_t *answer_function(lsp_server *s, document *d, const json_t *parameters);

/* problems.c: diagnostics, and the edits that mend them. */
void publish_problems(lsp_server *s);
answer_function answer_code_actions;

/* facts.c: what is known of a name, and the bits of fields and types. */
answer_function answer_hover, answer_hints, answer_lenses, answer_describe;
void add_lens(json_t *lenses, const source *file, span at, const char *title);

/* navigation.c: where names are declared and used. */
answer_function answer_definition, answer_highlights, answer_references, answer_prepare_rename, answer_rename,
    answer_workspace_symbols;

/* outline.c: the structure of a file, from its tree. */
answer_function answer_symbols, answer_folding;

/* text.c: tokens and format. The legend has the kinds of tokens, for the client. */
json_t *token_legend(void);
answer_function answer_tokens, answer_token_changes, answer_format;

/* completion.c */
answer_function answer_completion;

#endif
#endif
