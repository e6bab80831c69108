/* Binary search in rows, or in pointers to rows, that are sorted by a member of type int64_t. */
#ifndef BASE_SORTED_H
#define BASE_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the index of the first row whose member is at least `number`. Returns `count` if all
 * members are smaller. */
#define SORTED_PLACE(type, member, rows, count, number) \
	sorted_place((rows), (count), sizeof(type), false, offsetof(type, member), (number))
/* Like SORTED_PLACE(), but for an array of pointers to rows of the type. */
#define SORTED_POINTER_PLACE(type, member, pointers, count, number) \
	sorted_place((pointers), (count), sizeof(type *), true, offsetof(type, member), (number))

static inline size_t sorted_place(const void *rows, size_t count, size_t size, bool are_pointers,
				  size_t offset, int64_t number)
{
	size_t from = 0, to = count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const void *row = (const char *)rows + middle * size;
		if (are_pointers)
			row = *(const void *const *)row;
		const int64_t *found = (const void *)((const char *)row + offset);
		if (*found < number)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

#endif
