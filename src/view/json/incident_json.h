/* An incident as JSON: in the API's responses and in the output of daymarkctl. */
#ifndef VIEW_JSON_INCIDENT_JSON_H
#define VIEW_JSON_INCIDENT_JSON_H

#include "domain/incident/incident.h"

struct json_object;

/*
 * Sets the members of the resource that are neither in the row nor in the updates. An open
 * incident's duration is the time until `now`. `url`: where visitors read the incident; NULL: no
 * page shows it.
 */
void incident_present(struct incident_resource *resource, const char *url, struct instant now);
/* Returns the resource as a tree, which the caller owns. incident_json() omits the updates,
 * incident_shown_json() has them. */
struct json_object *incident_json(const struct incident *incident, const char *url,
				  struct instant now);
struct json_object *incident_shown_json(const struct incident_resource *incident, const char *url,
					struct instant now);

#endif
