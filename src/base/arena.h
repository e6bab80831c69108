/*
 * Memory that lives as long as one request, or one command. An arena is not shared between threads.
 *
 * Allocation cannot fail: an arena that would exceed its cap ends the process with a log line.
 * Clients cannot cause such an end: wire/limits.h bounds everything that a request can make the
 * program keep.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct arena_chunk;

/*
 * Chunks that an arena leaves to the next arena: up to ARENA_SPARE_CHUNKS of 16 KiB; larger chunks
 * are always freed. The owner of the arenas keeps this struct, which starts as { 0 }. Spare chunks
 * belong to no request: they do not count for the budget.
 */
enum { ARENA_SPARE_CHUNKS = 4 };
struct arena_spare {
	struct arena_chunk *chunks;
	size_t count;
};

struct arena {
	struct arena_chunk *chunks; /* newest first */
	size_t used_bytes;	    /* allocated since the last reset */
	size_t cap_bytes;
	size_t beside_bytes;   /* memory of the same request outside the arena; set by the owner */
	size_t charged_bytes;  /* the part of the process's budget that the arena has claimed: held
				  and expected bytes */
	size_t expected_bytes; /* the part of charged_bytes that is not held yet */
	struct arena_spare *spare; /* NULL: none */
};

void arena_init(struct arena *arena, size_t cap_bytes);
/* Lets the arena take chunks from `spare` and leave them there. Call it before the first
 * allocation. */
void arena_lend(struct arena *arena, struct arena_spare *spare);
void arena_spare_done(struct arena_spare *spare);
/* Gives all memory back; the arena can be used again. The memory of a large arena returns to the
 * system, too. */
void arena_reset(struct arena *arena);
void arena_done(struct arena *arena);

/*
 * False if a quarter of the cap is in use. Loops over unbounded data check this, so that they can
 * fail with a reason. The rest of the cap is for allocations after the loop, and for the doubling
 * in arena_grow().
 */
bool arena_has_room(const struct arena *arena);

/*
 * Claims memory from the process's budget (base/budget.h). Call it before the memory is allocated,
 * in the arena or in a structure that lives no longer than the arena. False: too much memory is in
 * use.
 */
bool arena_expect(struct arena *arena, size_t bytes) MUST_USE;

/* Returns zeroed memory, aligned for any type and owned by the arena. size_bytes may be 0. */
void *arena_alloc(struct arena *arena, size_t size_bytes);
/* Returns zeroed memory for an array. A product that overflows ends the process. */
void *arena_array(struct arena *arena, size_t count, size_t item_bytes);

/*
 * Makes room for one more item after the first `count`. Returns `items` itself, or a copy with
 * twice the room. *room starts as 0, with items NULL.
 */
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *room, size_t item_bytes);

/* All copies are NUL-terminated and owned by the arena. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *data, size_t len);
char *arena_printf(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *arena, const char *format, va_list args) PRINTF_LIKE(2, 0);

#define ARENA_NEW(arena, type)		((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, count, type) ((type *)arena_array((arena), (count), sizeof(type)))

#endif
