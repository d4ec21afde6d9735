/* units.c - finds the units that doc comments name: "in metres", "km/h".
 * SPDX-License-Identifier: MIT
 *
 * Neither the wire nor the id has units, so only comments show that a unit has changed. Only a change from one unit to
 * another of the same kind counts; a longer or shorter comment does not. Many of these words have other meanings too,
 * as in "the second player". So they count only where units are usual: in "in seconds", "per second", "5 seconds",
 * "(seconds)", "m/second", and alone on a line.
 */
#include "releases/diff_internal.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

typedef enum unit_kind {
    UNIT_LENGTH,
    UNIT_TIME,
    UNIT_ANGLE,
    UNIT_SHARE,
    UNIT_MASS,
    UNIT_FREQUENCY,
    UNIT_SPEED,
    UNIT_DATA
} unit_kind;
enum { UNIT_KINDS = UNIT_DATA + 1 };

typedef struct unit {
    unit_kind kind;
    const char *name;  /* as it is printed; also matches with an s at its end */
    const char *words; /* other names of the unit, separated by blanks */
    bool letters;      /* a short name that could be another word: only beside a '/' or after a digit */
} unit;

static const unit units[] = {
    {UNIT_LENGTH, "metre", "meter", false},
    {UNIT_LENGTH, "metre", "m", true},
    {UNIT_LENGTH, "centimetre", "centimeter cm", false},
    {UNIT_LENGTH, "millimetre", "millimeter mm", false},
    {UNIT_LENGTH, "kilometre", "kilometer km", false},
    {UNIT_LENGTH, "foot", "feet ft", false},
    {UNIT_LENGTH, "inch", "inches", false},
    {UNIT_LENGTH, "yard", "yd", false},
    {UNIT_LENGTH, "mile", "mi", false},
    {UNIT_LENGTH, "pixel", "px", false},
    {UNIT_LENGTH, "tile", "tiles", false},
    {UNIT_TIME, "second", "sec secs", false},
    {UNIT_TIME, "second", "s", true},
    {UNIT_TIME, "millisecond", "ms msec", false},
    {UNIT_TIME, "microsecond", "usec", false},
    {UNIT_TIME, "nanosecond", "ns nsec", false},
    {UNIT_TIME, "minute", "minutes", false},
    {UNIT_TIME, "hour", "hr hrs", false},
    {UNIT_TIME, "hour", "h", true},
    {UNIT_TIME, "tick", "ticks", false},
    {UNIT_TIME, "frame", "frames", false},
    {UNIT_ANGLE, "degree", "deg", false},
    {UNIT_ANGLE, "radian", "rad", false},
    {UNIT_ANGLE, "turn", "turns", false},
    {UNIT_SHARE, "percent", "%", false},
    {UNIT_SHARE, "permille", "permil", false},
    {UNIT_SHARE, "fraction", "fractions", false},
    {UNIT_MASS, "kilogram", "kg", false},
    {UNIT_MASS, "gram", "grams", false},
    {UNIT_MASS, "pound", "lb lbs", false},
    {UNIT_FREQUENCY, "hertz", "hz", false},
    {UNIT_FREQUENCY, "kilohertz", "khz", false},
    {UNIT_SPEED, "mph", "mph", false},
    {UNIT_SPEED, "knot", "kn", false},
    {UNIT_SPEED, "km/h", "kph kmh", false},
    {UNIT_DATA, "byte", "bytes", false},
    {UNIT_DATA, "bit", "bits", false},
    {UNIT_DATA, "kilobyte", "kb kib", false},
};
enum { UNITS = sizeof units / sizeof units[0] };

static bool is_word(const char *text, size_t size, const char *word, size_t word_size)
{
    if (size != word_size)
        return false;
    for (size_t i = 0; i < size; i++)
        if (tolower((unsigned char)text[i]) != word[i])
            return false;
    return true;
}

static bool is_name_of_unit(const unit *u, const char *text, size_t size)
{
    size_t name_size = strlen(u->name);
    bool plural = size == name_size + 1 && tolower((unsigned char)text[name_size]) == 's';
    if (!u->letters && is_word(text, plural ? name_size : size, u->name, name_size))
        return true;
    for (const char *word = u->words; *word;) {
        size_t word_size = strcspn(word, " ");
        bool many = size == word_size + 1 && word_size > 3 && tolower((unsigned char)text[word_size]) == 's';
        if (is_word(text, many ? word_size : size, word, word_size))
            return true;
        word += word_size + (word[word_size] == ' ');
    }
    return false;
}

static bool is_part(char c)
{
    return isalpha((unsigned char)c) || c == '%';
}

/* Whether `word` ends at `end`. */
static bool follows(const char *text, const char *end, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(end - text) < size || !is_word(end - size, size, word, size))
        return false;
    return (size_t)(end - text) == size || !is_part(end[-(ptrdiff_t)size - 1]);
}

/* Whether the word from `at` to `end` is in a place that is usual for units. */
static bool is_placed(const char *text, const char *at, const char *end)
{
    while (at != text && at[-1] == ' ')
        at--;
    if (*end == '/' || (at != text && (isdigit((unsigned char)at[-1]) || strchr("/([", at[-1]))))
        return true;
    if (follows(text, at, "in") || follows(text, at, "per"))
        return true;
    bool begins = at == text || at[-1] == '\n';
    end += strspn(end, " .,;:");
    return begins && (*end == '\n' || *end == 0);
}

/* Finds the units of a text: for each kind the first one in the text, or NULL. */
static void find_units(const char *text, const char *found[UNIT_KINDS])
{
    for (const char *at = text ? text : ""; *at;) {
        size_t size = 0;
        while (is_part(at[size]))
            size++;
        bool placed = size && is_placed(text, at, at + size);
        bool exact = at != text && (at[-1] == '/' || isdigit((unsigned char)at[-1]));
        exact = exact || at[size] == '/';
        for (size_t i = 0; placed && i < UNITS; i++)
            if ((!units[i].letters || exact) && !found[units[i].kind] && is_name_of_unit(&units[i], at, size))
                found[units[i].kind] = units[i].name;
        at += size + !size;
    }
}

const char *unit_change(arena *a, const char *before, const char *after)
{
    const char *old[UNIT_KINDS] = {NULL}, *now[UNIT_KINDS] = {NULL};
    find_units(before, old);
    find_units(after, now);
    for (size_t i = 0; i < UNIT_KINDS; i++)
        if (old[i] && now[i] && strcmp(old[i], now[i]) != 0)
            return arena_printf(a, "%s -> %s", old[i], now[i]);
    return NULL;
}
