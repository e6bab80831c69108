/* The path of a value in JSON, in the form of the field json_path: "checks[0].status", or
 * "$.checks[0]". */
#ifndef DOMAIN_MONITOR_CHECK_PATH_H
#define DOMAIN_MONITOR_CHECK_PATH_H

#include <stdbool.h>

#include "base/str.h"

/* A step from a value to a member or an item of it. */
struct check_path_step {
	struct str name; /* the name of a member; data NULL: the step takes an item of a list */
	size_t index;
};

/* Removes "$" from the front of the path, for the first step. */
struct str check_path_begin(const char *path);
/* Removes the first step from *rest. False: *rest is empty, or does not begin with a step. */
bool check_path_next(struct str *rest, struct check_path_step *step);
/* Returns whether the path has only steps, at least one: names without brackets and dots, and
 * numbers in brackets. */
bool check_path_is_valid(const char *path);

/* Returns whether the whole text is a decimal number, such as -1.5e3. */
bool check_number_read(const char *text, double *number);

#endif
