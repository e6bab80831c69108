#include "view/json/incident_json.h"

#include "wire/json.h"

void incident_present(struct incident_resource *resource, const char *url, struct instant now)
{
	const struct incident *incident = &resource->row;
	resource->impact = incident_show_impacts(incident);
	resource->url = url;
	resource->status = incident_status_words[incident_status(incident)];
	resource->duration = incident_duration_s(incident, now);
}

static struct json_object *tree_of(struct incident_resource resource, struct fields fields,
				   const char *url, struct instant now)
{
	struct json_object *tree = json_object_tree();
	incident_present(&resource, url, now);
	json_put_fields(tree, fields, &resource);
	return tree;
}

struct json_object *incident_json(const struct incident *incident, const char *url,
				  struct instant now)
{
	return tree_of((struct incident_resource){ .row = *incident }, incident_resource_fields,
		       url, now);
}

struct json_object *incident_shown_json(const struct incident_resource *incident, const char *url,
					struct instant now)
{
	return tree_of(*incident, incident_shown_fields, url, now);
}
