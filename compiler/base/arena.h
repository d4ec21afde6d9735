/* arena.h - the memory of one compilation: allocated piece by piece, freed whole.
 * SPDX-License-Identifier: MIT
 *
 * Nothing in pktc frees a node of its own. When the machine has no memory left, the arena says so on
 * standard error and exits with status 1: no caller checks for NULL.
 */
#ifndef PKTC_ARENA_H
#define PKTC_ARENA_H

#include <stdarg.h>
#include <stddef.h>

/* Makes the compiler check a printf format, argument `at`, against the arguments after it. */
#if defined(__GNUC__)
#define PRINTF_LIKE(at) __attribute__((format(printf, at, (at) + 1)))
#else
#define PRINTF_LIKE(at)
#endif

typedef struct arena arena;

arena *arena_new(void);
void arena_free(arena *a);

/* size bytes, all zero, aligned for any object; size may be 0. Valid until arena_free. */
void *arena_alloc(arena *a, size_t size);

/* A zeroed T, or count of them in a row. */
#define ARENA_NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARRAY(a, T, count) ((T *)arena_alloc((a), sizeof(T) * (size_t)(count)))

/* A piece that becomes larger, perhaps elsewhere: its first old_size bytes stay, the others are zero. For what grows by
 * doubling; a large piece leaves nothing behind. */
void *arena_grow(arena *a, void *piece, size_t old_size, size_t size);

/* A piece that is needed no longer. Gives memory back where the piece is large; a small one stays until arena_free. */
void arena_give_back(arena *a, void *piece);

/* Ends the life of everything allocated so far; the memory is used again. */
void arena_clear(arena *a);

/* size bytes of text and a terminating zero. */
char *arena_text(arena *a, const char *text, size_t size);

/* As printf, into the arena. */
char *arena_printf(arena *a, const char *format, ...) PRINTF_LIKE(2);
char *arena_vprintf(arena *a, const char *format, va_list arguments);

/* Names are compared by pointer: equal texts of one table give the same pointer. */
typedef struct names names;
names *names_new(arena *a);
const char *intern(names *n, const char *text, size_t size);

#endif
