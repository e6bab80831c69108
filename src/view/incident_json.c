#include "view/incident_json.h"

#include "wire/json.h"

struct json_object *incident_json(const struct incident *incident, struct instant now)
{
	struct json_object *tree = json_object_tree(), *monitor = json_object_tree();
	json_put_int(tree, "id", incident->id);
	json_put_int(tree, "monitor_id", incident->monitor_id);
	json_put(tree, "monitor", monitor);
	json_put_int(monitor, "id", incident->monitor_id);
	json_put_text(monitor, "name", incident->monitor_name);
	json_put_text(monitor, "url", incident->monitor_url);
	json_put_text(tree, "cause", incident->cause);
	json_put_text(tree, "comment", incident->comment);
	json_put_text(tree, "status", incident_status_word(incident_status(incident)));
	json_put_time(tree, "started_at", incident->started_at);
	json_put_time(tree, "acknowledged_at", incident->acknowledged_at);
	json_put_time(tree, "ended_at", incident->ended_at);
	json_put_int(tree, "duration", incident_duration_s(incident, now));
	json_put_time(tree, "created_at", incident->created_at);
	json_put_time(tree, "updated_at", incident->updated_at);
	return tree;
}
