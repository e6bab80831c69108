/* An incident as JSON: in the API's responses and in the output of daymarkctl. */
#ifndef VIEW_JSON_INCIDENT_JSON_H
#define VIEW_JSON_INCIDENT_JSON_H

#include "domain/incident.h"

struct json_object;

/*
 * Derives the members of the resource that neither the row nor the updates have. An open incident's
 * duration is the time until `now`. `url`: where visitors read the incident; NULL: no page shows
 * it.
 */
void incident_present(struct incident_resource *resource, const char *url, struct instant now);
/* The resource as a tree, which the caller owns: without, and with its updates. */
struct json_object *incident_json(const struct incident *incident, const char *url,
				  struct instant now);
struct json_object *incident_shown_json(const struct incident_resource *incident, const char *url,
					struct instant now);

#endif
