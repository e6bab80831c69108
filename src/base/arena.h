/*
 * Memory that lives as long as one request (or one command).
 *
 * Allocation cannot fail: the memory is zeroed, and an arena that would grow
 * past its cap ends the process with a log line. A client cannot get there,
 * since wire/limits.h caps everything that a client can make us keep.
 *
 * Knows nothing of requests; not shared between threads.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct arena_chunk;

struct arena {
	struct arena_chunk *chunks; /* newest first */
	size_t used_bytes;	    /* handed out since the last reset */
	size_t cap_bytes;
	size_t beside_bytes;   /* what its request holds elsewhere; the owner sets it */
	size_t charged_bytes;  /* of the process's budget: what it holds, and what it expects */
	size_t expected_bytes; /* of these, what it does not hold yet */
};

void arena_init(struct arena *arena, size_t cap_bytes);
/* Frees everything; the arena can be used again. */
void arena_reset(struct arena *arena);
void arena_done(struct arena *arena);

/*
 * False once a quarter of the cap is in use. A loop over data without a bound of its own asks
 * this and fails where it can say why; the rest is for what is allocated behind the loop, the
 * doubling of arena_grow() too.
 */
bool arena_has_room(const struct arena *arena);

/*
 * Claims what will be needed from the process's budget (base/budget.h), for the arena or
 * for what lives no longer than it. False: too much is in use.
 */
bool arena_expect(struct arena *arena, size_t bytes) MUST_USE;

/* Zeroed, aligned for any type, owned by the arena. `size_bytes` may be 0. */
void *arena_alloc(struct arena *arena, size_t size_bytes);
/* The same for an array; an overflowing product ends the process. */
void *arena_array(struct arena *arena, size_t count, size_t item_bytes);

/*
 * Room for one more item behind the `count` that there are: `items` itself, or a
 * copy twice as large. `*room` starts as 0, with items NULL.
 */
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *room, size_t item_bytes);

/* Copies of text, NUL-terminated. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *data, size_t len);
char *arena_printf(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *arena, const char *format, va_list args) PRINTF_LIKE(2, 0);

#define ARENA_NEW(arena, type)		((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, count, type) ((type *)arena_array((arena), (count), sizeof(type)))

#endif
