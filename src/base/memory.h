/* Allocates memory for code that cannot continue without it: the process ends if there is no
 * memory. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdlib.h>

#include "base/log.h"

/* Returns the result of an allocation; ends the process if it is NULL. */
static inline void *memory_needed(void *memory)
{
	if (!memory)
		die("out of memory");
	return memory;
}

/* Makes room for at least `wanted` rows of `size` bytes in an array that has room for *room rows.
 * Returns the array, which may have moved. */
static inline void *memory_grow(void *rows, size_t *room, size_t wanted, size_t size)
{
	if (wanted <= *room)
		return rows;
	*room = 2 * wanted;
	return memory_needed(reallocarray(rows, *room, size));
}

#endif
