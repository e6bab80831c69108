/* A maintenance window as JSON: in the API's responses and in the output of daymarkctl. */
#ifndef VIEW_JSON_MAINTENANCE_JSON_H
#define VIEW_JSON_MAINTENANCE_JSON_H

#include "domain/maintenance/maintenance.h"

struct json_object;

/* The resource with its updates and its next occurrences; the caller owns the tree. */
struct json_object *maintenance_json(const struct maintenance_shown *shown);

#endif
