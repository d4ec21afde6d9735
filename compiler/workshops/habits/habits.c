/* habits.c - matches the text of a statement with the patterns of habit_table.c.
 * SPDX-License-Identifier: MIT
 *
 * The text is in another language, so this file has its own tokens: `std::vector` is one, and so is `<<`.
 */
#include "habits/habits_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A longer line would not help as advice. The tokens of a block are counted only up to LONGEST_BLOCK: otherwise a file
 * with an error in each line would be read to its end for each error. */
enum { LONGEST_LINE = 100, LONGEST_EXPRESSION = 40, LONGEST_BLOCK = 4000 };

/* ---- tokens */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The text ends with a zero, which is neither blank nor the start of a comment. */
static uint32_t skip_blanks(const matcher *m, uint32_t at)
{
    for (;;) {
        const char *text = text_at(m, at);
        if (*text && strchr(" \t\r\n\v\f", *text))
            at++;
        else if (text[0] == '/' && text[1] == '/')
            at += (uint32_t)strcspn(text, "\n");
        else if (text[0] == '/' && text[1] == '*' && strstr(text + 2, "*/"))
            at += (uint32_t)(strstr(text + 2, "*/") + 2 - text);
        else
            return at;
    }
}

static size_t name_size(const char *text)
{
    size_t size = 0;
    while (is_letter(text[size]) || (size > 0 && is_digit(text[size])))
        size++;
    return size;
}

/* Names with :: between them. */
static size_t qualified_size(const char *text)
{
    size_t size = name_size(text);
    while (size > 0 && text[size] == ':' && text[size + 1] == ':' && name_size(text + size + 2) > 0)
        size += 2 + name_size(text + size + 2);
    return size;
}

static size_t number_size(const char *text)
{
    size_t size = 0;
    while (is_digit(text[size]) || is_letter(text[size]) || (text[size] == '.' && is_digit(text[size + 1])))
        size++;
    return size;
}

static size_t operator_size(const char *text)
{
    static const char *const longer[] = {
        "..=", "...", "===", "..", "<<", "->", "=>", ":=", "&&", "||", "==", "!=", "<=", ">=", "::"};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (strncmp(text, longer[i], strlen(longer[i])) == 0)
            return strlen(longer[i]);
    return 1;
}

static habit_piece next_piece(const matcher *m, uint32_t at)
{
    at = skip_blanks(m, at);
    const char *text = text_at(m, at);
    size_t size;
    if (at >= m->source->size)
        size = 0;
    else if (is_letter(*text))
        size = qualified_size(text);
    else if (is_digit(*text))
        size = number_size(text);
    else if (*text == '"')
        size = 1 + strcspn(text + 1, "\"\n") + (text[1 + strcspn(text + 1, "\"\n")] == '"');
    else
        size = operator_size(text);
    return (habit_piece){at, at + (uint32_t)size};
}

static bool piece_is_text(const matcher *m, habit_piece p, const char *wanted, size_t size)
{
    return p.end - p.begin == size && size > 0 && memcmp(text_at(m, p.begin), wanted, size) == 0;
}

static bool piece_is_word(const matcher *m, habit_piece p, const char *wanted)
{
    return piece_is_text(m, p, wanted, strlen(wanted));
}

/* Whether a token is one of the words in "a|b|c", a list that ends at a blank. A single `|` means the token |. */
static bool piece_is_one_of(const matcher *m, habit_piece p, const char *words)
{
    size_t all = strcspn(words, " ");
    if (all == 1 || words[0] == '|')
        return piece_is_text(m, p, words, all);
    for (const char *word = words, *limit = words + all; word < limit;) {
        size_t size = strcspn(word, "| ");
        if (piece_is_text(m, p, word, size))
            return true;
        word += size + 1;
    }
    return false;
}

static bool piece_is_name(const matcher *m, habit_piece p)
{
    return p.end > p.begin && is_letter(*text_at(m, p.begin)) && name_size(text_at(m, p.begin)) == p.end - p.begin;
}

/* The words that are never names or types. */
static bool is_own_word(const matcher *m, habit_piece p)
{
    return piece_is_one_of(
               m, p, "protocol|import|const|enum|struct|packet|union|optional|sparse|local|align|reserved|compact") ||
           piece_is_one_of(m, p, "switch|case|default|if|else|true|false");
}

/* The words that are types and cannot be names. */
static bool is_type_word(const matcher *m, habit_piece p)
{
    return piece_is_one_of(m, p,
                           "bool|bits|int|float|double|fixed|quat|string|bytes|ref|u8|u16|u32|u64|i8|i16|i32|i64");
}

static bool same_line(const matcher *m, uint32_t begin, uint32_t end)
{
    return memchr(text_at(m, begin), '\n', end - begin) == NULL;
}

/* ---- types */

static const char *const c_words = "unsigned|signed|long|short|int|char|double";

/* Moves *at past the balanced brackets that begin there; false if they are never closed. */
static bool skip_balanced(const matcher *m, uint32_t *at, const char *open, const char *close, unsigned most)
{
    unsigned depth = 0;
    uint32_t end = *at;
    do {
        habit_piece p = next_piece(m, end);
        if (p.begin == p.end || most-- == 0)
            return false;
        depth += piece_is_word(m, p, open);
        depth -= piece_is_word(m, p, close);
        end = p.end;
    } while (depth > 0);
    *at = end;
    return true;
}

static bool match_type(const matcher *m, uint32_t *at, habit_piece *type)
{
    habit_piece p = next_piece(m, *at);
    if (p.begin == p.end || !is_letter(*text_at(m, p.begin)) || is_own_word(m, p))
        return false;
    *type = p;
    if (piece_is_one_of(m, p, "unsigned|signed|long|short"))
        for (p = next_piece(m, p.end); piece_is_one_of(m, p, c_words); p = next_piece(m, p.end))
            type->end = p.end;
    for (p = next_piece(m, type->end); piece_is_word(m, p, "."); p = next_piece(m, type->end)) {
        habit_piece part = next_piece(m, p.end);
        if (!piece_is_name(m, part))
            return false;
        type->end = part.end;
    }
    if (piece_is_word(m, p, "<") && !skip_balanced(m, &type->end, "<", ">", LONGEST_EXPRESSION))
        return false;
    *at = type->end;
    return true;
}

/* The text with one blank between words, so that `unsigned  int` is found in the table. */
static const char *squeezed(const matcher *m, habit_piece p)
{
    char *text = arena_text(m->arena, text_at(m, p.begin), p.end - p.begin), *to = text;
    for (const char *from = text; *from; from++)
        if (!strchr(" \t\r\n", *from) || (from[1] && !strchr(" \t\r\n", from[1])))
            *to++ = *from == '\t' || *from == '\n' || *from == '\r' ? ' ' : *from;
    *to = '\0';
    return text;
}

static const char *translated_type(const char *name)
{
    if (strncmp(name, "std::", 5) == 0)
        name += 5;
    for (size_t i = 0; foreign_types[i][0]; i++)
        if (strcmp(foreign_types[i][0], name) == 0)
            return foreign_types[i][1];
    return NULL;
}

/* How a type is written here. Packages and namespaces are left out. */
static const char *translated(const matcher *m, habit_piece type)
{
    const char *text = squeezed(m, type), *own = translated_type(text);
    if (own)
        return own;
    for (const char *c = text; *c && *c != '<'; c++)
        if (*c == '.' || *c == ':')
            text = c + 1;
    return text;
}

/* u24, uint24 and uint24_t for the letter u; i7, int7 and int7_t for i. */
static bool match_sized(matcher *m, habit_piece p, char letter)
{
    const char *text = text_at(m, p.begin);
    if (!piece_is_name(m, p) || *text != letter)
        return false;
    text += letter == 'u' && strncmp(text, "uint", 4) == 0 ? 4 : strncmp(text, "int", 3) == 0 ? 3 : 1;
    char *end;
    if (!is_digit(*text) || *text == '0')
        return false;
    m->bits = strtoul(text, &end, 10);
    end += strncmp(end, "_t", 2) == 0 ? 2 : 0;
    m->captures['i' - 'a'] =
        (habit_piece){p.begin + (uint32_t)(text - text_at(m, p.begin)),
                      p.begin + (uint32_t)(text + strspn(text, "0123456789") - text_at(m, p.begin))};
    return end == text_at(m, p.end) && m->bits <= 64;
}

static bool is_usual_size(uint64_t bits)
{
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* ---- patterns */

static bool piece_ends_statement(const matcher *m, habit_piece p)
{
    return p.begin == p.end || piece_is_one_of(m, p, ";|,|{|}");
}

/* Matches the words up to `next`, the rest of the pattern. */
static bool match_expression(const matcher *m, uint32_t *at, const char *next, habit_piece *found)
{
    unsigned depth = 0, count = 0;
    uint32_t start = skip_blanks(m, *at), end = start;
    for (habit_piece p = next_piece(m, start); count++ < LONGEST_EXPRESSION; p = next_piece(m, end)) {
        if (depth == 0 &&
            (*next ? piece_is_one_of(m, p, next) : piece_ends_statement(m, p) || !same_line(m, start, p.begin))) {
            *found = (habit_piece){start, end};
            *at = end;
            return end > start;
        }
        if (p.begin == p.end || piece_is_one_of(m, p, ";|{|}") || !same_line(m, start, p.end))
            return false;
        depth += piece_is_one_of(m, p, "(|[");
        depth -= depth > 0 && piece_is_one_of(m, p, ")|]");
        end = p.end;
    }
    return false;
}

static bool match_dims(const matcher *m, uint32_t *at, habit_piece *dims)
{
    *dims = (habit_piece){*at, *at};
    while (piece_is_word(m, next_piece(m, *at), "["))
        if (!skip_balanced(m, at, "[", "]", LONGEST_EXPRESSION))
            return false;
    dims->end = *at;
    return true;
}

/* A string without its quotes and extension; <file.h> counts as one. */
static bool match_string(const matcher *m, uint32_t *at, habit_piece *found)
{
    habit_piece p = next_piece(m, *at);
    bool angles = piece_is_word(m, p, "<");
    if (!angles && (p.end - p.begin < 3 || *text_at(m, p.begin) != '"' || *text_at(m, p.end - 1) != '"'))
        return false;
    *found = (habit_piece){p.begin + 1, p.begin + 1 + (uint32_t)strcspn(text_at(m, p.begin + 1), ".>\"\n")};
    *at = p.end;
    if (angles && found->end > found->begin)
        *at = found->end + (uint32_t)strcspn(text_at(m, found->end), ">\n");
    return found->end > found->begin;
}

static bool match_integer(matcher *m, habit_piece p)
{
    char *end = NULL;
    if (p.begin == p.end || !is_digit(*text_at(m, p.begin)))
        return false;
    m->bits = strtoull(text_at(m, p.begin), &end, 10);
    return end == text_at(m, p.end);
}

/* Matches the word of a pattern that begins with $. */
static bool match_capture(matcher *m, const char *word, const char *next, uint32_t *at)
{
    habit_piece *found = &m->captures[word[1] - 'a'], p = next_piece(m, *at);
    if (word[2] == '=') {
        *found = p;
        *at = p.end;
        return piece_is_one_of(m, p, word + 3);
    }
    bool matches = false;
    switch (word[1]) {
    case 'd': return match_dims(m, at, found);
    case 'e':
    case 'g':
    case 'h': return match_expression(m, at, next, found);
    case 'f': return match_type(m, at, found) && translated_type(squeezed(m, *found));
    case 't':
    case 'k': return match_type(m, at, found);
    case 's': return match_string(m, at, found);
    case 'n':
    case 'm': matches = piece_is_name(m, p) && !is_own_word(m, p) && !is_type_word(m, p); break;
    case 'q': matches = p.end > p.begin && is_letter(*text_at(m, p.begin)) && !piece_is_name(m, p); break;
    case 'u': matches = match_sized(m, p, 'u'); break;
    case 'v': matches = match_sized(m, p, 'u') && !is_usual_size(m->bits); break;
    case 'j': matches = match_sized(m, p, 'i') && !is_usual_size(m->bits); break;
    case 'i': matches = match_integer(m, p); break;
    }
    *found = p;
    *at = p.end;
    return matches;
}

/* Matches a pattern at *at, and moves *at to the end of the match. */
static bool match_pattern(matcher *m, const char *pattern, uint32_t *at)
{
    for (const char *word = pattern; *word;) {
        const char *next = word + strcspn(word, " ");
        next += *next == ' ';
        habit_piece p = next_piece(m, *at);
        if (*word == '$') {
            if (!match_capture(m, word, next, at))
                return false;
        } else if (strncmp(word, "{}", 2) == 0) {
            if (!piece_is_word(m, p, "{") || !skip_balanced(m, at, "{", "}", LONGEST_BLOCK))
                return false;
            m->block = (habit_piece){p.begin, *at};
        } else if (*word == '/') {
            m->kept = *at;
        } else {
            if (!piece_is_one_of(m, p, word))
                return false;
            *at = p.end;
        }
        word = next;
    }
    return true;
}

/* ---- what to write */

static const char *captured(const matcher *m, char letter)
{
    habit_piece p = m->captures[letter - 'a'];
    return arena_text(m->arena, text_at(m, p.begin), p.end - p.begin);
}

static const char *computed(const matcher *m, const char *name, size_t size)
{
    uint64_t half = UINT64_C(1) << (m->bits > 0 && m->bits <= 64 ? m->bits - 1 : 0);
    if (strncmp(name, "low", size) == 0)
        return arena_printf(m->arena, "-%" PRIu64, half);
    if (strncmp(name, "high", size) == 0)
        return arena_printf(m->arena, "%" PRIu64, half - 1);
    if (strncmp(name, "less", size) == 0)
        return arena_printf(m->arena, "%" PRIu64, m->bits > 1 ? m->bits - 1 : 1);
    if (strncmp(name, "power", size) == 0)
        return m->bits < 64 ? arena_printf(m->arena, "%" PRIu64, UINT64_C(1) << m->bits) : "0";
    if (strncmp(name, "last", size) == 0) {
        const char *text = captured(m, 'q');
        return strrchr(text, ':') + 1;
    }
    char *text = arena_text(m->arena, captured(m, 'n'), strlen(captured(m, 'n')));
    if (*text >= 'a' && *text <= 'z')
        *text = (char)(*text - 'a' + 'A');
    return text;
}

/* Fills a template in; `line` replaces $@. */
static const char *filled(const matcher *m, const char *template, const char *line)
{
    const char *text = "";
    while (*template) {
        size_t plain = strcspn(template, "$");
        text = arena_printf(m->arena, "%s%.*s", text, (int)plain, template);
        template += plain;
        if (!*template)
            break;
        const char *value;
        size_t size = 2;
        char letter = template[1];
        if (letter == '@') {
            value = line;
        } else if (letter == '{') {
            size = strcspn(template, "}") + 1;
            value = computed(m, template + 2, size - 3);
        } else if (letter >= 'A' && letter <= 'Z') {
            value = captured(m, (char)(letter - 'A' + 'a'));
        } else if (strchr("tkf", letter)) {
            value = translated(m, m->captures[letter - 'a']);
        } else {
            value = captured(m, letter);
        }
        text = arena_printf(m->arena, "%s%s", text, value);
        template += size;
    }
    return text;
}

/* The end of the statement around `at`: after its ; or {, before a }, or at the end of its line. */
static uint32_t statement_end(const matcher *m, uint32_t at)
{
    unsigned depth = 0;
    for (habit_piece p = next_piece(m, at);; p = next_piece(m, at)) {
        bool end = p.begin == p.end || piece_is_word(m, p, "}") || !same_line(m, at, p.begin);
        if (end || ((m->place & (HABIT_MEMBERS | HABIT_FLAGS)) && depth == 0 && piece_is_word(m, p, ",")))
            return at;
        at = p.end;
        depth += piece_is_one_of(m, p, "(|[");
        depth -= depth > 0 && piece_is_one_of(m, p, ")|]");
        if (depth == 0 && piece_is_one_of(m, p, ";|{"))
            return at;
    }
}

/* The statement with the match replaced. NULL if it would be too long to show, or has several lines. */
static const char *line_instead(const matcher *m, const char *instead, uint32_t begin, habit_piece matched,
                                uint32_t end)
{
    size_t size = strlen(instead);
    bool whole = size > 0 && strchr(",;{}", instead[size - 1]);
    uint32_t rest = whole ? end : matched.end;
    const char *before = text_at(m, begin), *after = text_at(m, rest);
    bool terminated = whole || m->place != HABIT_BODY || (end > rest && strchr(";{", *text_at(m, end - 1)));
    if (!same_line(m, begin, matched.begin) || !same_line(m, rest, end) || strchr(instead, '\n'))
        return NULL;
    const char *line = arena_printf(m->arena, "%.*s%s%.*s%s", (int)(matched.begin - begin), before, instead,
                                    (int)(end - rest), after, terminated ? "" : ";");
    return strlen(line) > LONGEST_LINE ? NULL : line;
}

/* ---- the search */

static const char write_it[] = "write `$@`", remove_it[] = "remove this line";

static bool advice_begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Matches one habit at an offset of the statement that begins at `begin`. */
static bool try_habit(matcher *m, const habit *h, const char *pattern, uint32_t begin, uint32_t at, uint32_t error,
                      habit_found *found)
{
    habit_piece matched = {skip_blanks(m, at), at};
    if (!match_pattern(m, pattern, &matched.end) || error < matched.begin || error >= matched.end)
        return false;
    /* A match that ends with a ; or a brace is a whole statement; the text after it is another one. */
    bool ended = strchr(";{}", *text_at(m, matched.end - 1)) != NULL;
    uint32_t end = ended ? matched.end : statement_end(m, matched.end);
    const char *instead = h->instead ? filled(m, h->instead, "") : "";
    const char *line = h->instead ? line_instead(m, instead, begin, matched, end) : "";
    if (!line)
        return false;
    uint32_t shown = matched.begin + (uint32_t)strcspn(text_at(m, matched.begin), "{\n");
    *found = (habit_found){.message = h->message ? filled(m, h->message, line) : NULL,
                           .advice = filled(m, h->advice ? h->advice : write_it, line),
                           .span = {m->source, matched.begin, shown < matched.end ? shown : matched.end},
                           .end = end};
    const char *advice = h->advice ? h->advice : write_it;
    if (advice_begins(advice, write_it) || advice_begins(advice, "declare `$@`, or "))
        edits_instead(m, instead, matched, end, found->edits);
    else if (m->block.end != 0 && advice_begins(advice, "remove the braces and write `$@`"))
        edits_of_braces(m, instead, matched.begin, true, found->edits);
    else if (m->block.end != 0 && h->instead && advice_begins(advice, "make the base"))
        edits_of_braces(m, instead, matched.begin, false, found->edits);
    else if (h->instead && !*h->instead)
        found->edits[0] = edit_to_remove(m, matched.begin, matched.end);
    else if (!h->instead && advice_begins(advice, remove_it))
        found->edits[0] = edit_to_remove(m, matched.begin, end);
    while (found->span.end > found->span.begin + 1 && strchr(" \t\r", *text_at(m, found->span.end - 1)))
        found->span.end--;
    return strlen(found->message ? found->message : "") <= 2 * (size_t)LONGEST_LINE;
}

/* Matches one habit at the beginning of a statement, or after its `optional`; or, if the pattern begins with `...`,
 * anywhere up to the error. */
static bool search_habit(matcher *m, const habit *h, uint32_t begin, uint32_t error, habit_found *found)
{
    if (strncmp(h->pattern, "... ", 4) != 0) {
        habit_piece first = next_piece(m, begin);
        return try_habit(m, h, h->pattern, begin, begin, error, found) ||
               (piece_is_word(m, first, "optional") && try_habit(m, h, h->pattern, begin, first.end, error, found));
    }
    unsigned count = 0;
    for (habit_piece p = next_piece(m, begin); p.begin <= error && p.end > p.begin; p = next_piece(m, p.end))
        if (count++ == LONGEST_EXPRESSION || try_habit(m, h, h->pattern + 4, begin, p.begin, error, found))
            return count <= LONGEST_EXPRESSION;
    return false;
}

static bool match_habit(arena *a, const source *s, uint32_t begin, uint32_t error, habit_place place,
                        habit_found *found)
{
    for (const habit *h = habit_table; h->pattern; h++) {
        matcher m = {.arena = a, .source = s, .place = place};
        if ((h->places & place) && search_habit(&m, h, begin, error, found))
            return true;
    }
    return false;
}

static const char *line_of_field(arena *a, uint32_t begin, span at, const char *text)
{
    matcher m = {.arena = a, .source = at.source, .place = HABIT_BODY};
    return line_instead(&m, text, begin, (habit_piece){at.begin, at.end}, statement_end(&m, at.end));
}

/* ---- the order after a field's name */

/* The rank of the modifier that begins with this token: [length], by, after, wrap or `or raw`, clamp, unless, delta or coded, =, was or @.
 * -1: none. */
static int clause_order(const matcher *m, habit_piece p)
{
    static const char *const first[] = {"[", "by", "after", "wrap|or", "clamp", "unless", "delta|coded", "=", "was|@"};
    for (int i = 0; i < (int)(sizeof first / sizeof *first); i++)
        if (piece_is_one_of(m, p, first[i]))
            return i;
    return -1;
}

static edit field_in_order(arena *a, const source *s, uint32_t begin, uint32_t name_end)
{
    const edit none = {.text = NULL};
    enum { ORDERS = 9 };
    const matcher m = {.arena = a, .source = s, .place = HABIT_BODY};
    const char *clauses[ORDERS] = {"", "", "", "", "", "", "", "", ""};
    unsigned depth = 0, count = 0;
    uint32_t from = name_end, end = name_end;
    int order = -1;
    for (habit_piece p = next_piece(&m, name_end); count++ < LONGEST_EXPRESSION; p = next_piece(&m, p.end)) {
        const bool last = depth == 0 && piece_is_word(&m, p, ";");
        const int next = depth == 0 ? clause_order(&m, p) : -1;
        if (p.begin == p.end || (!last && piece_is_one_of(&m, p, ";|{|}|,") && depth == 0) ||
            (order < 0 && next < 0 && !last))
            return none;
        if (next > 0 && next < ORDERS - 1 && (next == order || *clauses[next]))
            return none;
        if ((last || next >= 0) && order >= 0)
            clauses[order] = arena_printf(a, "%s%s%.*s", clauses[order], order == 0 || !*clauses[order] ? "" : " ",
                                          (int)(end - from), text_at(&m, from));
        if (last) {
            end = p.end;
            break;
        }
        if (next >= 0) {
            order = next;
            from = p.begin;
        }
        depth += piece_is_one_of(&m, p, "(|[|<");
        depth -= depth > 0 && piece_is_one_of(&m, p, ")|]|>");
        end = p.end;
    }
    const char *line = arena_text(a, text_at(&m, begin), name_end - begin);
    for (int i = 0; i < ORDERS; i++)
        line = arena_printf(a, "%s%s%s", line, i > 0 && *clauses[i] ? " " : "", clauses[i]);
    return count > LONGEST_EXPRESSION || strchr(line, '\n') || strlen(line) > LONGEST_LINE
               ? none
               : (edit){{s, begin, end}, arena_printf(a, "%s;", line)};
}

const habit_knowledge known_habits = {.find = match_habit,
                                      .line_with = line_of_field,
                                      .line_in_order = field_in_order,
                                      .own_type = translated_type,
                                      .own_number = translated_number};
