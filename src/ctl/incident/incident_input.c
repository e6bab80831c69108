#include "ctl/incident/incident_input.h"

#include <string.h>

#include "view/json/incident_json.h"
#include "wire/json.h"

struct json_object *incident_tree(struct ctl *ctl, const struct incident_resource *incident,
				  bool is_whole)
{
	const char *url = incident_url(&incident->row, ctl->config.base_url, &ctl->arena);
	return is_whole ? incident_shown_json(incident, url, clock_now())
			: incident_json(&incident->row, url, clock_now());
}

int incident_finish(struct ctl *ctl, const struct service *service, enum result result,
		    const struct incident_resource *incident, const char *sentence)
{
	int status = ctl_finish(ctl, service, result, "incident");
	if (status != CTL_OK)
		return status;
	ctl_say(ctl, incident_tree(ctl, incident, true), "%s", sentence);
	return CTL_OK;
}
