/*
 * The invalid values of a request, by field.
 *
 * The code collects all violations before it responds, so that the client can correct all of them
 * at once.
 */
#ifndef BASE_VIOLATION_H
#define BASE_VIOLATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct violation {
	const char *field;   /* the client's name for the field: "slug", "monitor_ids.3" */
	const char *message; /* a complete sentence */
	struct violation *next;
};

struct violations {
	struct arena *arena;	 /* owns the texts */
	struct violation *first; /* in the order of detection */
	struct violation *last;
	size_t count;
};

void violations_init(struct violations *violations, struct arena *arena);

/* Adds a violation; both texts are copied. */
void violations_add(struct violations *violations, const char *field, const char *format, ...)
	PRINTF_LIKE(3, 4);
/* Removes the violations that were added after `violations` was copied to `former`. */
void violations_rewind(struct violations *violations, const struct violations *former);
bool violations_has(const struct violations *violations, const char *field);

/* Returns the field's name for use in a sentence: "website_url" becomes "website url". */
const char *violation_label(struct arena *arena, const char *field);

#endif
