/* Fields that a client cannot set. A client may send back a whole resource. So the current value of
 * such a field is accepted, and any other value is a violation. */
#ifndef HTTP_READ_ONLY_H
#define HTTP_READ_ONLY_H

#include "http/form.h"

struct json_object;

struct read_only_check {
	struct json_object *resource; /* the resource as clients read it; NULL: it is being
					 created */
	const char *growing; /* the field whose number grows with time, so that a smaller number
				is accepted, too; NULL: none */
};

/*
 * Adds a violation for each value of a FIELD_READ_ONLY or FIELD_OR_AS_READ row that differs from
 * the resource's value. Does not check rows with FIELD_MOVES.
 */
void read_only_check(const struct form *form, const struct read_only_check *check,
		     struct violations *violations);

#endif
