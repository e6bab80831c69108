/* The condition "json" of a check: a value in the response fulfils the demand of the settings. */
#ifndef PROBE_JSON_PATH_H
#define PROBE_JSON_PATH_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"
#include "domain/monitor/check_settings.h"

/*
 * Whether the value at json_path fulfils json_operator and json_value. "<" and ">" compare numbers.
 * "=" and "!=" compare two numbers by value, and all other values as text. If the value is missing,
 * returns false. If the result is false, `cause` says what was found, with at most
 * EXCERPT_MAX_CHARS of the body. If memory is short, `cause` becomes a failed buffer.
 */
bool json_path_holds(struct str body, const struct check_settings *settings, struct buf *cause);

#endif
