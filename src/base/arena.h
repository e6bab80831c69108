/*
 * Memory that lives as long as one request, or one command. Threads do not share an arena.
 *
 * Allocation cannot fail: if an arena would exceed its cap, the process ends with a log line.
 * Clients cannot cause this, because wire/limits.h limits all data that the program keeps for a
 * request.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct arena_chunk;

/*
 * Chunks that the next arena can use after a reset: up to ARENA_SPARE_CHUNKS of 16 KiB. Larger
 * chunks are always freed. The owner of the arenas has this struct, which starts as { 0 }. The
 * process's budget does not count these chunks.
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
	size_t beside_bytes;  /* claimed memory of the same request that is not in the arena; set by
				 the arena's owner */
	size_t charged_bytes; /* bytes that the process's budget counts for this arena: bytes in
				 use, and expected_bytes */
	size_t expected_bytes;	   /* bytes that arena_expect() claimed, not allocated yet */
	struct arena_spare *spare; /* NULL: none */
};

void arena_init(struct arena *arena, size_t cap_bytes);
/* Lets the arena take its chunks from `spare`, and return them to `spare`. Call it before the first
 * allocation. */
void arena_lend(struct arena *arena, struct arena_spare *spare);
void arena_spare_done(struct arena_spare *spare);
/* Frees all memory; the arena can be used again. A large arena also returns its memory to the
 * system. */
void arena_reset(struct arena *arena);
void arena_done(struct arena *arena);

/*
 * Returns false if a quarter of the cap is in use. Loops over data of unlimited size call this, and
 * then fail with a reason. The other three quarters are for allocations after the loop, and for
 * arena_grow(), which doubles arrays.
 */
bool arena_has_room(const struct arena *arena);

/*
 * Claims memory from the process's budget (base/budget.h). Call it before the memory is allocated
 * in the arena, or elsewhere if that memory lives no longer than the arena. Returns false if the
 * process uses too much memory.
 */
bool arena_expect(struct arena *arena, size_t bytes) MUST_USE;

/* Returns zeroed memory, aligned for any type and owned by the arena. size_bytes may be 0. */
void *arena_alloc(struct arena *arena, size_t size_bytes);
/* Returns zeroed memory for an array. Ends the process if count * item_bytes overflows. */
void *arena_array(struct arena *arena, size_t count, size_t item_bytes);

/*
 * Makes room for one more item after `count` items of an array. Returns `items`, or a copy with
 * twice the room. For an empty array, *room is 0 and `items` is NULL.
 */
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *room, size_t item_bytes);

/* The results are NUL-terminated, and owned by the arena. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *data, size_t len);
char *arena_printf(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *arena, const char *format, va_list args) PRINTF_LIKE(2, 0);

#define ARENA_NEW(arena, type)		((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, count, type) ((type *)arena_array((arena), (count), sizeof(type)))

#endif
