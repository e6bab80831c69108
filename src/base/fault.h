/*
 * What is wrong with the values of a request, field by field.
 *
 * All faults are collected before any is reported, so that a client can mend
 * a request in one go.
 */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct fault {
	const char *field;   /* as the client wrote it: "slug", "monitor_ids.3" */
	const char *message; /* a whole sentence */
	struct fault *next;
};

struct faults {
	struct arena *arena; /* owns the faults */
	struct fault *first; /* in the order found */
	struct fault *last;
	size_t count;
};

void faults_init(struct faults *faults, struct arena *arena);

/* Adds a fault; both texts are copied. */
void faults_add(struct faults *faults, const char *field, const char *format, ...)
	PRINTF_LIKE(3, 4);
bool faults_has(const struct faults *faults, const char *field);

/* The field's name as a sentence has it: "website_url" is "website url". */
const char *fault_label(struct arena *arena, const char *field);

#endif
