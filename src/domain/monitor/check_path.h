/* The path of a value in JSON, in the form of the field json_path: "checks[0].status", or
 * "$.checks[0]". */
#ifndef DOMAIN_MONITOR_CHECK_PATH_H
#define DOMAIN_MONITOR_CHECK_PATH_H

#include <stdbool.h>

#include "base/str.h"

/* A step from a value to one of its members or items. */
struct check_path_step {
	struct str name; /* the name of a member; data NULL: use `index` */
	size_t index;
};

/* Returns the path without a leading "$", for check_path_next(). */
struct str check_path_begin(const char *path);
/* Removes the first step from *rest. Returns false if *rest is empty, or does not begin with a
 * step. */
bool check_path_next(struct str *rest, struct check_path_step *step);
/* Returns whether the path consists of at least one step. A step is a name without brackets and
 * dots, or a number in brackets. */
bool check_path_is_valid(const char *path);

/* Returns whether the whole text is a decimal number, such as -1.5e3. */
bool check_number_read(const char *text, double *number);

#endif
