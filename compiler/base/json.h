/* json.h - writes JSON: commas, lines, indentation, quotes and escapes are decided here.
 * SPDX-License-Identifier: MIT
 *
 *     json_writer *j = json_new(a, to, JSON_SPACED);
 *     json_begin_object(j, JSON_LINES);
 *     json_text(json_key(j, "name"), "Ping");
 *     json_plain(json_key(j, "share"), "%.6g", 0.5);
 *     json_end(j);
 *
 * A text may have any bytes; the result is always valid UTF-8. Characters that should not be shown (utf8.h: control
 * characters, and those that change the direction of text) become \u and their number. Bytes that are not UTF-8 become
 * the four characters \xNN.
 */
#ifndef PKTC_JSON_H
#define PKTC_JSON_H

#include "base/num.h"
#include "base/out.h"

typedef struct json_writer json_writer;

typedef enum json_style {
    JSON_SPACED,   /* a space after commas and colons, and lines where a list asks for them */
    JSON_ONE_LINE, /* the same without lines */
    JSON_TIGHT     /* neither lines nor spaces */
} json_style;

typedef enum json_list {
    JSON_IN_LINE, /* all in the line in which the list began */
    JSON_LINES    /* a line for each member or element */
} json_list;

json_writer *json_new(arena *a, out *to, json_style style);

/* Begins an object or an array, which json_end ends. */
void json_begin_object(json_writer *j, json_list list);
void json_begin_array(json_writer *j, json_list list);
void json_end(json_writer *j);

/* Begins a member of an object, whose value comes next. Returns j. */
json_writer *json_key(json_writer *j, const char *key);
/* The same for a key of two pieces: "players" and "_count". */
json_writer *json_long_key(json_writer *j, const char *key, const char *ending);

/* A string; NULL is null. */
void json_text(json_writer *j, const char *text);
void json_bytes(json_writer *j, const char *text, size_t size);

/* A string of hexadecimal digits, two for each byte. */
void json_hex(json_writer *j, const uint8_t *bytes, size_t size);

/* A value without quotes: a number, true, false or null. The arguments of json_plain are those of printf. */
void json_word(json_writer *j, const char *word);
void json_plain(json_writer *j, const char *format, ...) PRINTF_LIKE(2);
void json_u64(json_writer *j, uint64_t n);
void json_num(json_writer *j, num n);

/* Elements that come again can be written from a text: json_mark goes before the first one, and json_since returns those
 * that were written after it, or NULL if they are in a file already. In another list of a writer that is in one line too, json_again writes them once more. */
bool json_is_one_line(const json_writer *j);
size_t json_mark(json_writer *j);
const char *json_since(const json_writer *j, size_t mark, size_t *size);
void json_again(json_writer *j, const char *text, size_t size);

#endif
