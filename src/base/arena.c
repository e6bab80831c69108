#include "base/arena.h"

#include <malloc.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/log.h"

struct arena_chunk {
	struct arena_chunk *next;
	size_t used;
	size_t size;
	bool is_zeroed; /* false: arena_alloc() must clear each allocation */
	alignas(max_align_t) char data[];
};

/*
 * With the address sanitizer, each allocation has its own chunk: the sanitizer then detects an
 * access one byte past the allocation. Otherwise small allocations share a chunk.
 */
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_CHUNK_BYTES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_CHUNK_BYTES 1
#endif
#endif
#ifndef ARENA_CHUNK_BYTES
#define ARENA_CHUNK_BYTES (16 * 1024)
#endif

void arena_init(struct arena *arena, size_t cap_bytes)
{
	*arena = (struct arena){ .cap_bytes = cap_bytes };
}

void arena_lend(struct arena *arena, struct arena_spare *spare)
{
	arena->spare = spare;
}

static void push_chunk(struct arena_chunk **list, struct arena_chunk *chunk)
{
	chunk->next = *list;
	*list = chunk;
}

static struct arena_chunk *pop_chunk(struct arena_chunk **list)
{
	struct arena_chunk *chunk = *list;
	*list = chunk->next;
	return chunk;
}

static void release_chunk(struct arena_spare *spare, struct arena_chunk *chunk)
{
	bool is_shared = ARENA_CHUNK_BYTES > 1 && chunk->size == ARENA_CHUNK_BYTES;
	if (!spare || !is_shared || spare->count >= ARENA_SPARE_CHUNKS) {
		free(chunk);
		return;
	}
	push_chunk(&spare->chunks, chunk);
	spare->count++;
}

void arena_spare_done(struct arena_spare *spare)
{
	while (spare->chunks)
		free(pop_chunk(&spare->chunks));
	spare->count = 0;
}

/* arena_reset() calls malloc_trim() if the arena has at least this many bytes, because the C
 * library keeps freed memory. The call takes about a millisecond. */
enum { TRIM_MIN_BYTES = 8 << 20 };

void arena_reset(struct arena *arena)
{
	bool is_large = arena->used_bytes >= TRIM_MIN_BYTES;
	while (arena->chunks)
		release_chunk(arena->spare, pop_chunk(&arena->chunks));
	if (is_large)
		malloc_trim(0);
	budget_give(arena->charged_bytes);
	arena->used_bytes = arena->charged_bytes = arena->expected_bytes = 0;
}

bool arena_expect(struct arena *arena, size_t bytes)
{
	size_t taken;
	if (!budget_claim(bytes, arena->beside_bytes + arena->charged_bytes, &taken))
		return false;
	arena->charged_bytes += taken;
	arena->expected_bytes += taken;
	return true;
}

static void charge_bytes(struct arena *arena, size_t bytes)
{
	size_t covered = bytes < arena->expected_bytes ? bytes : arena->expected_bytes;
	arena->expected_bytes -= covered;
	arena->charged_bytes += bytes - covered;
	budget_take(bytes - covered);
}

void arena_done(struct arena *arena)
{
	arena_reset(arena);
}

bool arena_has_room(const struct arena *arena)
{
	return arena->used_bytes < arena->cap_bytes / 4;
}

/* Returns a new chunk. Only the chunk of one large block is cleared here. In a shared chunk,
 * arena_alloc() clears each block, because most requests use little of the chunk. */
static struct arena_chunk *new_chunk(struct arena *arena, size_t size_bytes)
{
	struct arena_spare *spare = arena->spare;
	bool is_shared = size_bytes <= ARENA_CHUNK_BYTES;
	size_t data_bytes = is_shared ? ARENA_CHUNK_BYTES : size_bytes;
	struct arena_chunk *chunk;
	charge_bytes(arena, sizeof(*chunk) + data_bytes);
	if (is_shared && spare && spare->chunks) {
		chunk = pop_chunk(&spare->chunks);
		spare->count--;
	} else {
		chunk = is_shared ? malloc(sizeof(*chunk) + data_bytes)
				  : calloc(1, sizeof(*chunk) + data_bytes);
	}
	if (!chunk)
		die("arena: out of memory");
	*chunk = (struct arena_chunk){ .size = data_bytes, .is_zeroed = !is_shared };
	return chunk;
}

static struct arena_chunk *add_chunk(struct arena *arena, size_t size_bytes)
{
	struct arena_chunk *chunk = new_chunk(arena, size_bytes);
	/* Put the chunk of one large block second in the list: the first may still have room. */
	if (arena->chunks && size_bytes >= ARENA_CHUNK_BYTES)
		push_chunk(&arena->chunks->next, chunk);
	else
		push_chunk(&arena->chunks, chunk);
	return chunk;
}

/* Allocates a block. *is_zeroed: whether all its bytes are zero. */
static void *allocate_block(struct arena *arena, size_t size_bytes, bool *is_zeroed)
{
	size_t align = alignof(max_align_t);
	if (size_bytes > arena->cap_bytes - arena->used_bytes)
		die("arena: a request needs more than its cap of %zu bytes", arena->cap_bytes);
	arena->used_bytes += size_bytes;

	struct arena_chunk *chunk = arena->chunks;
	size_t start = chunk ? (chunk->used + align - 1) / align * align : 0;
	if (!chunk || start > chunk->size || size_bytes > chunk->size - start) {
		chunk = add_chunk(arena, size_bytes);
		start = 0;
	}
	chunk->used = start + size_bytes;
	*is_zeroed = chunk->is_zeroed;
	return chunk->data + start;
}

void *arena_alloc(struct arena *arena, size_t size_bytes)
{
	bool is_zeroed;
	void *block = allocate_block(arena, size_bytes, &is_zeroed);
	return is_zeroed ? block : memset(block, 0, size_bytes);
}

void *arena_array(struct arena *arena, size_t count, size_t item_bytes)
{
	size_t size_bytes;
	if (__builtin_mul_overflow(count, item_bytes, &size_bytes))
		die("arena: an array of %zu items of %zu bytes", count, item_bytes);
	return arena_alloc(arena, size_bytes);
}

char *arena_strndup(struct arena *arena, const char *data, size_t len)
{
	bool is_zeroed;
	char *copy = allocate_block(arena, len + 1, &is_zeroed);
	if (len > 0)
		memcpy(copy, data, len);
	copy[len] = '\0';
	return copy;
}

void *arena_grow(struct arena *arena, void *items, size_t count, size_t *room, size_t item_bytes)
{
	if (count < *room)
		return items;
	*room = *room > 0 ? 2 * *room : 64;
	void *grown = arena_array(arena, *room, item_bytes);
	if (count > 0)
		memcpy(grown, items, count * item_bytes);
	return grown;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	/* Print into `few` first: most texts fit, and need not be printed a second time. */
	char few[256];
	int len = vsnprintf(few, sizeof(few), format, again);
	va_end(again);
	if (len < 0)
		die("arena: a format that cannot be printed");
	if ((size_t)len < sizeof(few))
		return arena_strndup(arena, few, (size_t)len);
	char *text = arena_alloc(arena, (size_t)len + 1);
	vsnprintf(text, (size_t)len + 1, format, args);
	return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}
