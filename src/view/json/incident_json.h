/* An incident as JSON: in the API's responses and in the output of daymarkctl. */
#ifndef VIEW_JSON_INCIDENT_JSON_H
#define VIEW_JSON_INCIDENT_JSON_H

#include "domain/incident/incident.h"

struct json_object;

/*
 * Sets the computed members of the resource: impact, address, status and duration. The duration of
 * an open incident ends at `now`. `url`: where visitors read the incident; NULL: no page shows it.
 */
void incident_present(struct incident_resource *resource, const char *url, struct instant now);
/* Returns the resource as a tree, which the caller owns. incident_json() omits the updates,
 * incident_shown_json() has them. */
struct json_object *incident_json(const struct incident *incident, const char *url,
				  struct instant now);
struct json_object *incident_shown_json(const struct incident_resource *incident, const char *url,
					struct instant now);

#endif
