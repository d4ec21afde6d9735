/* arena.h - the memory of one compilation: allocated piece by piece, freed all at once.
 * SPDX-License-Identifier: MIT
 *
 * Nothing in pktc frees its own nodes. When memory runs out, the arena says so on standard error and exits with
 * status 1, so callers never check for NULL.
 *
 *     decl *d = ARENA_NEW(a, decl);                                  // zeroed
 *     const char *name = arena_printf(a, "%s_count", field->name);
 */
#ifndef PKTC_ARENA_H
#define PKTC_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* Makes the compiler check a printf format against its arguments, or that the last argument is NULL. The format is
 * argument `at`, counted from 1. */
#if defined(__GNUC__)
#define PRINTF_LIKE(at) __attribute__((format(printf, at, (at) + 1)))
#define ENDS_WITH_NULL __attribute__((sentinel))
#else
#define PRINTF_LIKE(at)
#define ENDS_WITH_NULL
#endif

typedef struct arena arena;

/* Says that there is no memory left, and exits. */
void arena_out_of_memory(void);

arena *arena_new(void);
void arena_free(arena *a);

/* size bytes, all zero, aligned for any object; size may be 0. Valid until arena_free or arena_clear. */
void *arena_alloc(arena *a, size_t size);

/* One zeroed T, or an array of `count` of them. */
#define ARENA_NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))
/* The same with these members; the others are zero. */
#define ARENA_WITH(a, T, ...) ((T *)memcpy(arena_alloc((a), sizeof(T)), &(T){__VA_ARGS__}, sizeof(T)))
#define ARENA_ARRAY(a, T, count) ((T *)arena_alloc((a), sizeof(T) * (size_t)(count)))

/* Makes a piece larger, and may move it; NULL is a piece of no bytes. The first old_size bytes are kept, and the rest
 * can be anything. Meant for arrays that grow by doubling: a large piece is reallocated, so its old memory is not
 * wasted. New memory that is never used costs nothing. */
void *arena_grow(arena *a, void *piece, size_t old_size, size_t size);

/* Says that a piece is no longer needed. A large piece is freed now, a small one only by arena_free. */
void arena_give_back(arena *a, void *piece);

/* Invalidates everything allocated so far and reuses the memory. */
void arena_clear(arena *a);

/* The bytes that have been handed out, without those that were given back or are not valid any more. */
size_t arena_used(const arena *a);

/* A copy of size bytes of text, with a terminating zero. */
char *arena_text(arena *a, const char *text, size_t size);

/* Like printf, into new memory. */
char *arena_printf(arena *a, const char *format, ...) PRINTF_LIKE(2);
char *arena_vprintf(arena *a, const char *format, va_list arguments);

/* A table of interned names. Equal texts give the same pointer, so names are compared by pointer. */
typedef struct names names;
names *names_new(arena *a);
const char *intern(names *n, const char *text, size_t size);

#endif
