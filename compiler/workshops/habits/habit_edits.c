/* habit_edits.c - the edits with which an editor follows the advice on a habit.
 * SPDX-License-Identifier: MIT
 */
#include "habits/habits_internal.h"

#include <string.h>

static edit edit_of(const matcher *m, uint32_t begin, uint32_t end, const char *text)
{
    return (edit){{m->source, begin, end}, text};
}

edit edit_to_remove(const matcher *m, uint32_t begin, uint32_t end)
{
    const uint32_t next = end + (uint32_t)strcspn(text_at(m, end), "\n");
    const bool ends_line = strspn(text_at(m, end), " \t\r") >= next - end && next < m->source->size;
    uint32_t line = begin;
    while (line > 0 && strchr(" \t", *text_at(m, line - 1)))
        line--;
    const bool begins_line = line == 0 || *text_at(m, line - 1) == '\n';
    return begins_line && ends_line ? edit_of(m, line, next + 1, "") : edit_of(m, begin, end, "");
}

/* An edit must not remove a comment. */
static bool has_comment(const matcher *m, span at)
{
    for (const char *text = text_at(m, at.begin); text + 1 < text_at(m, at.end); text++)
        if (text[0] == '/' && (text[1] == '/' || text[1] == '*'))
            return true;
    return false;
}

void edits_instead(const matcher *m, const char *instead, habit_piece matched, uint32_t end, edit *edits)
{
    const char last = *instead ? instead[strlen(instead) - 1] : ' ';
    const bool whole = strchr(",;{}", last), ended = end > matched.end && strchr(";{", *text_at(m, end - 1));
    if (m->kept != 0) {
        edits[0] = edit_of(m, matched.begin, m->kept, instead);
    } else if (m->block.end != 0 && last == '{') {
        edits[0] = edit_of(m, matched.begin, m->block.begin + 1, instead);
        if (m->block.end < end)
            edits[1] = edit_of(m, m->block.end, end, "");
    } else if (whole || ended || m->place != HABIT_BODY) {
        edits[0] = edit_of(m, matched.begin, whole ? end : matched.end, instead);
    } else {
        const int rest = (int)(end - matched.end);
        edits[0] =
            edit_of(m, matched.begin, end, arena_printf(m->arena, "%s%.*s;", instead, rest, text_at(m, matched.end)));
    }
    if (has_comment(m, edits[0].at) || (edits[1].text && has_comment(m, edits[1].at)))
        edits[0].text = edits[1].text = NULL;
}

void edits_of_braces(const matcher *m, const char *instead, uint32_t begin, bool both, edit *edits)
{
    edits[0] = edit_of(m, begin, m->block.begin + 1, instead);
    if (both)
        edits[1] = edit_to_remove(m, m->block.end - 1, m->block.end);
    if (has_comment(m, edits[0].at))
        edits[0].text = edits[1].text = NULL;
}
