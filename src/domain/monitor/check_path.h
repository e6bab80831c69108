/* The place of a value in JSON, as the field json_path names it: "checks[0].status", or
 * "$.checks[0]". */
#ifndef DOMAIN_MONITOR_CHECK_PATH_H
#define DOMAIN_MONITOR_CHECK_PATH_H

#include <stdbool.h>

#include "base/str.h"

/* One step from a value to a value in it. */
struct check_path_step {
	struct str name; /* of a member; data NULL: the step takes an item of a list */
	size_t index;
};

/* Removes "$" from the front of the path, for the first step. */
struct str check_path_begin(const char *path);
/* Takes the first step off *rest. False: *rest is empty, or does not begin with a step. */
bool check_path_next(struct str *rest, struct check_path_step *step);
/* Steps, at least one: names without brackets and dots, and numbers in brackets. */
bool check_path_is_valid(const char *path);

/* Whether the whole text is a decimal number, such as -1.5e3. */
bool check_number_read(const char *text, double *number);

#endif
