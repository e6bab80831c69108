/* An incident as JSON: in the API's responses and in the output of daymarkctl. */
#ifndef VIEW_JSON_INCIDENT_JSON_H
#define VIEW_JSON_INCIDENT_JSON_H

#include "domain/incident.h"

struct json_object;

/* What incident_resource_fields describe: contract section 6. An open incident's duration is the
 * time until `now`. `url`: where visitors read the incident; NULL: no page shows it. */
struct incident_resource incident_resource(const struct incident *incident, const char *url,
					   struct instant now);
/* The same as a tree, which the caller owns, without and with the updates. */
struct json_object *incident_json(const struct incident *incident, const char *url,
				  struct instant now);
struct json_object *incident_shown_json(const struct incident *incident, const char *url,
					struct instant now);

#endif
