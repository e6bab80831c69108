/* A maintenance window as JSON: in the API's responses and in the output of daymarkctl. */
#ifndef VIEW_JSON_MAINTENANCE_JSON_H
#define VIEW_JSON_MAINTENANCE_JSON_H

#include "domain/maintenance/maintenance.h"

struct json_object;

/* Returns the window with its updates and its next occurrences, as a tree that the caller owns. */
struct json_object *maintenance_json(const struct maintenance_shown *shown);

#endif
