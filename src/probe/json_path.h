/* The condition "json" of a check: a value in the response fulfils the demand of the settings. */
#ifndef PROBE_JSON_PATH_H
#define PROBE_JSON_PATH_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"
#include "domain/monitor/check_settings.h"

/*
 * Returns whether the value at json_path fulfils the demand of json_operator and json_value. "="
 * and "!=" compare numbers by value and all else as text; "<" and ">" compare numbers. A missing
 * value fulfils no demand. If the result is false, says in `cause` what was found, with at most
 * EXCERPT_MAX_CHARS of the body. If memory is short, `cause` becomes a failed buffer.
 */
bool json_path_holds(struct str body, const struct check_settings *settings, struct buf *cause);

#endif
