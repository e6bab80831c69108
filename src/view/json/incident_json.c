#include "view/json/incident_json.h"

#include "wire/json.h"

struct incident_resource incident_resource(const struct incident *incident, const char *url,
					   struct instant now)
{
	return (struct incident_resource){
		.row = *incident,
		.impact = incident_show_impacts(incident),
		.url = url,
		.status = incident_status_word(incident_status(incident)),
		.duration = incident_duration_s(incident, now),
	};
}

struct json_object *incident_json(const struct incident *incident, const char *url,
				  struct instant now)
{
	const struct incident_resource resource = incident_resource(incident, url, now);
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, incident_resource_fields, &resource);
	return tree;
}

struct json_object *incident_shown_json(const struct incident *incident, const char *url,
					struct instant now)
{
	const struct incident_resource resource = incident_resource(incident, url, now);
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, incident_shown_fields, &resource);
	return tree;
}
