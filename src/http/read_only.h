/*
 * Fields that a resource has and a client may not set. A client may send back what it
 * has read: an equal value changes nothing and is accepted, any other is a fault.
 */
#ifndef HTTP_READ_ONLY_H
#define HTTP_READ_ONLY_H

#include "http/form.h"

struct json_object;

struct read_only_check {
	struct json_object *resource; /* as a client reads it; NULL: there is none yet */
	const char *growing; /* a number that grows with the clock, or NULL: less is as good */
};

/*
 * Adds a fault for each value of a FIELD_READ_ONLY or FIELD_OR_AS_READ row that the form
 * has kept and that the resource does not have.
 */
void read_only_check(const struct form *form, const struct read_only_check *check,
		     struct violations *violations);

#endif
