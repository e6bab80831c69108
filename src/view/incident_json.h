/* An incident as programs see it: in the API's answers and in what daymarkctl prints. */
#ifndef VIEW_INCIDENT_JSON_H
#define VIEW_INCIDENT_JSON_H

#include "domain/incident.h"

struct json_object;

/* The resource of contract section 6; `now` is for the duration of one that lasts. */
struct json_object *incident_json(const struct incident *incident, struct instant now);

#endif
