/*
 * What is wrong with the values of a request, field by field.
 *
 * All violations are collected before any is reported, so that a client can mend
 * a request in one go.
 */
#ifndef BASE_VIOLATION_H
#define BASE_VIOLATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct violation {
	const char *field;   /* as the client wrote it: "slug", "monitor_ids.3" */
	const char *message; /* a whole sentence */
	struct violation *next;
};

struct violations {
	struct arena *arena;	 /* owns the violations */
	struct violation *first; /* in the order found */
	struct violation *last;
	size_t count;
};

void violations_init(struct violations *violations, struct arena *arena);

/* Adds a fault; both texts are copied. */
void violations_add(struct violations *violations, const char *field, const char *format, ...)
	PRINTF_LIKE(3, 4);
bool violations_has(const struct violations *violations, const char *field);

/* The field's name as a sentence has it: "website_url" is "website url". */
const char *violation_label(struct arena *arena, const char *field);

#endif
