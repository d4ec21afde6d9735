/* test_editors.c - tests share/editors: its grammars know all words of the language, and color every schema here right.
 * SPDX-License-Identifier: MIT
 *
 * The words are those of the lexer, of the table of types and of the attributes. A schema is colored by the TextMate
 * grammar as an editor does it: at each place the first pattern that matches. Its regular expressions are such that
 * those of the C library read them in the same way. The colors are compared with the tokens of the lexer.
 */
#include "check/check.h"
#include "front/lexer.h"
#include "model/type_table.h"
#include "process.h"
#include "unit.h"

#include "grammar.h"

#include <ctype.h>
#include <jansson.h>
#include <regex.h>
#include <string.h>

#define GRAMMAR "share/editors/vscode/pkt.tmLanguage.json"

/* ---- the TextMate grammar */

enum { MOST_RULES = 20 };

typedef struct rule {
    const char *name;
    regex_t begin, end;
    bool lines; /* it goes on until `end` matches */
} rule;

static rule rules[MOST_RULES];
static size_t rule_count;

static void compile_rule(regex_t *to, const char *pattern)
{
    /* Matches begin where the text does. */
    char *anchored = text_format("^(%s)", pattern[0] == '\\' && pattern[1] == 'b' ? pattern + 2 : pattern);
    assert_int_equal(regcomp(to, anchored, REG_EXTENDED), 0);
    free(anchored);
}

static void load_grammar(void)
{
    json_t *grammar = json_load_file(GRAMMAR, 0, NULL), *each;
    size_t i;
    if (rule_count > 0)
        return;
    assert_non_null(grammar);
    json_array_foreach(json_object_get(grammar, "patterns"), i, each)
    {
        const char *match = json_string_value(json_object_get(each, "match"));
        rule *r = &rules[rule_count++];
        assert_true(rule_count <= MOST_RULES);
        r->name = strdup(json_string_value(json_object_get(each, "name")));
        r->lines = !match;
        compile_rule(&r->begin, match ? match : json_string_value(json_object_get(each, "begin")));
        if (r->lines)
            compile_rule(&r->end, json_string_value(json_object_get(each, "end")));
    }
    json_decref(grammar);
}

/* The bytes that the rule matches at a place of a line; 0 if none. A word begins where no word goes on. */
static size_t matched(const rule *r, const char *at, const char *line)
{
    regmatch_t m;
    const bool inside =
        at > line && (isalnum((unsigned char)at[-1]) || at[-1] == '_') && (isalnum((unsigned char)*at) || *at == '_');
    return !inside && regexec(&r->begin, at, 1, &m, 0) == 0 ? (size_t)m.rm_eo : 0;
}

/* The bytes up to the end of a rule of several lines, whose beginning has been found. */
static size_t to_end(const rule *r, const char *at)
{
    regmatch_t m;
    size_t size = 0;
    while (at[size] && regexec(&r->end, at + size, 1, &m, 0) != 0)
        size++;
    return at[size] ? size + (size_t)m.rm_eo : size;
}

/* Gives each byte of a text the rule that colors it; NULL for none. */
static const rule **colors_of(const char *given)
{
    const rule **colors = calloc(strlen(given) + 1, sizeof *colors);
    char *text = strdup(given), *line = text;
    while (*line) {
        char *end = line + strcspn(line, "\n"), *at = line;
        while (at < end) {
            const char ending = *end;
            const rule *found = NULL;
            size_t size = 0;
            *end = '\0';
            for (size_t i = 0; i < rule_count && size == 0; i++)
                if ((size = matched(&rules[i], at, line)) > 0)
                    found = &rules[i];
            *end = ending;
            if (found && found->lines)
                size += to_end(found, at + size);
            size = size > 0 ? size : 1;
            for (size_t i = 0; i < size; i++)
                colors[at - text + (ptrdiff_t)i] = found;
            at += size;
            if (at > end)
                end = at + strcspn(at, "\n");
        }
        line = *end ? end + 1 : end;
    }
    free(text);
    return colors;
}

static const char *color_of_word(const char *word)
{
    const rule **colors = colors_of(word);
    const char *name = colors[0] && colors[0] == colors[strlen(word) - 1] ? colors[0]->name : "";
    free(colors);
    return name;
}

/* ---- words */

/* The words of the lexer: "NAME"      { TOKEN(word(l, t, TOK_... */
static char **lexer_words(void)
{
    static char *words[100];
    char *text = file_read("compiler/front/lexer.re");
    size_t count = 0;
    assert_non_null(text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char name[40];
        if (strstr(line, "TOKEN(word(") && sscanf(line, " \"%39[a-z]\"", name) == 1 && count < 99)
            words[count++] = strdup(name);
    }
    assert_true(count > 30);
    words[count] = NULL;
    free(text);
    return words;
}

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Whether a text has a word by itself. */
static bool has_word(const char *text, const char *word)
{
    const size_t size = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if (!isalnum((unsigned char)at[size]) && (at == text || !isalnum((unsigned char)at[-1])))
            return true;
    return false;
}

static void expect_word(const char *file, const char *text, const char *kind, const char *word)
{
    if (!has_word(text, word))
        fail_msg("%s lacks the %s '%s'", file, kind, word);
}

TEST(every_word_is_in_every_grammar)
{
    /* With a query, types and attributes are kinds of nodes. */
    static const struct {
        const char *name;
        bool words_alone;
    } files[] = {
        {GRAMMAR, false},
        {"share/editors/vim/syntax/pkt.vim", false},
        {"share/editors/emacs/pkt-mode.el", false},
        {"share/editors/tree-sitter/grammar.js", false},
        {"share/editors/tree-sitter/src/parser.c", false},
        {"share/editors/tree-sitter/queries/highlights.scm", true},
    };
    char **words = lexer_words();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *name = files[i].name;
        char *text = file_read(name);
        assert_non_null(text);
        for (size_t k = 0; words[k]; k++)
            if (!files[i].words_alone || (strcmp(words[k], "true") != 0 && strcmp(words[k], "false") != 0))
                expect_word(name, text, "word", words[k]);
        for (size_t k = 0; type_word_at(k) && !files[i].words_alone; k++)
            expect_word(name, text, "type", type_word_at(k)->name);
        for (size_t k = 0; attribute_name_at(k) && !files[i].words_alone; k++)
            expect_word(name, text, "attribute", attribute_name_at(k));
        free(text);
    }
}

TEST(words_have_the_colors_of_their_kind)
{
    char **words = lexer_words();
    load_grammar();
    for (size_t i = 0; words[i]; i++) {
        const char *color = color_of_word(words[i]);
        if (!begins(color, "keyword.") && !begins(color, "constant.language"))
            fail_msg("'%s' is %s", words[i], color);
    }
    for (size_t i = 0; type_word_at(i); i++)
        assert_string_equal(color_of_word(type_word_at(i)->name), "storage.type.pkt");
    for (size_t i = 0; attribute_name_at(i); i++) {
        char *written = text_format("@%s", attribute_name_at(i));
        assert_string_equal(color_of_word(written), "entity.other.attribute-name.pkt");
        free(written);
    }
    assert_string_equal(color_of_word("structs"), "entity.name.pkt");
    assert_string_equal(color_of_word("u8x"), "entity.name.pkt");
}

/* ---- schemas */

/* The color that a token must have; NULL: any. A word that can be a name has the color of the word. */
static const char *wanted_color(int terminal, const token *t, int before)
{
    switch (terminal) {
    case TOK_INT:
    case TOK_REAL: return "constant.numeric";
    case TOK_STRING: return "string.";
    case TOK_SCALAR: return "storage.type";
    case TOK_TRUE:
    case TOK_FALSE: return "constant.language";
    case TOK_ID:
        return before == TOK_AT              ? "entity.other.attribute"
               : type_word_named(t->as.text) ? "storage.type"
                                             : "entity.name";
    default: return isalpha(t->span.source->text[t->span.begin]) ? (before == TOK_AT ? NULL : "keyword.") : NULL;
    }
}

static void compare_colors(const char *file)
{
    arena *a = arena_new();
    diag *d = diag_new(a);
    const source *s = source_read(a, file);
    lexer l;
    token t;
    comment *comments = NULL;
    assert_non_null(s);
    const rule **colors = colors_of((const char *)s->text);
    lexer_init(&l, a, names_new(a), d, s, reserved_type_word);
    l.comments = &comments;
    for (int terminal, before = 0; (terminal = lex(&l, &t)) != 0; before = terminal) {
        const char *wanted = wanted_color(terminal, &t, before);
        for (uint32_t i = t.span.begin; wanted && i < t.span.end; i++)
            if (!colors[i] || !begins(colors[i]->name, wanted))
                fail_msg("%s: byte %u is %s, not %s", file, i, colors[i] ? colors[i]->name : "nothing", wanted);
    }
    for (const comment *c = comments; c; c = c->next)
        for (uint32_t i = c->span.begin; i < c->span.end; i++)
            if (s->text[i] != '\r' && (!colors[i] || !begins(colors[i]->name, "comment.")))
                fail_msg("%s: byte %u is no comment", file, i);
    if (diag_errors(d) > 0)
        fail_msg("%s has no tokens", file);
    free(colors);
    arena_free(a);
}

/* Those of the folders `errors` have no tokens on purpose. */
TEST(every_schema_has_the_colors_of_its_tokens)
{
    process_result found = process_run("find schemas tests -name '*.pkt' -not -path '*/errors/*'");
    size_t count = 0;
    load_grammar();
    assert_int_equal(found.status, 0);
    for (char *file = strtok(found.out, "\n"); file; file = strtok(NULL, "\n"), count++)
        compare_colors(file);
    assert_true(count > 30);
    process_free(&found);
}
