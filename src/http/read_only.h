/* Fields that a client cannot set. A client may send back a whole resource. So the current value of
 * such a field is accepted, and any other value is a violation. */
#ifndef HTTP_READ_ONLY_H
#define HTTP_READ_ONLY_H

#include "http/form.h"

struct json_object;

struct read_only_check {
	struct json_object *resource; /* the resource in its JSON form; NULL: the request creates
					 the resource */
	const char *growing; /* the name of a field whose number only grows: a smaller number is
				also accepted; NULL: no such field */
};

/* Adds a violation for each sent value that differs from the resource. Checks only fields with
 * FIELD_READ_ONLY or FIELD_OR_AS_READ, and no field with FIELD_MOVES. */
void read_only_check(const struct form *form, const struct read_only_check *check,
		     struct violations *violations);

#endif
