/* Common functions of commands on incidents: they print an incident, and end the command. */
#ifndef CTL_INCIDENT_INCIDENT_INPUT_H
#define CTL_INCIDENT_INCIDENT_INPUT_H

#include "ctl/ctl.h"
#include "domain/incident/incident.h"

/* Returns the incident as the API shows it. With is_whole, the tree includes its updates. */
struct json_object *incident_tree(struct ctl *ctl, const struct incident_resource *incident,
				  bool is_whole);
/* Ends a command on the incident that the first argument names. If the operation or the
 * publishing has failed, reports this. Otherwise prints the sentence (--json: the incident). */
int incident_finish(struct ctl *ctl, const struct service *service, enum result result,
		    const struct incident_resource *incident, const char *sentence);

#endif
