/* An incident as JSON: in the API's responses and in the output of daymarkctl. */
#ifndef VIEW_INCIDENT_JSON_H
#define VIEW_INCIDENT_JSON_H

#include "domain/incident.h"

struct json_object;

/* The resource of contract section 6. An open incident's duration is the time until `now`. The
 * caller owns the result. */
struct json_object *incident_json(const struct incident *incident, struct instant now);

#endif
