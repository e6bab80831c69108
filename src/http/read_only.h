/*
 * Fields that a client cannot set. A client may send back the resource unchanged: the current value
 * is accepted, any other value is a violation.
 */
#ifndef HTTP_READ_ONLY_H
#define HTTP_READ_ONLY_H

#include "http/form.h"

struct json_object;

struct read_only_check {
	struct json_object *resource; /* as clients read it; NULL: it is being created */
	const char *growing; /* the name of a number that grows with time: a smaller value is
				accepted, too; NULL: none */
};

/*
 * Adds a violation for each value of a FIELD_READ_ONLY or FIELD_OR_AS_READ row that differs from
 * the resource's value. Does not check rows with FIELD_MOVES.
 */
void read_only_check(const struct form *form, const struct read_only_check *check,
		     struct violations *violations);

#endif
