#include "view/maintenance_json.h"

#include "wire/json.h"

static struct json_object *update_json(const struct posted_update *update)
{
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", update->id);
	json_put_text(tree, "phase", maintenance_status_words[update->phase - PHASE_SCHEDULED]);
	json_put_text(tree, "body", update->body);
	json_put_time(tree, "at", update->at);
	json_put_time(tree, "edited_at", update->edited_at);
	return tree;
}

static struct json_object *occurrence_json(const struct maintenance_occurrence *occurrence,
					   struct instant now)
{
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", occurrence->id);
	json_put_text(tree, "status",
		      maintenance_status_words[maintenance_status_at(occurrence, now)]);
	json_put_time(tree, "starts_at", occurrence->starts_at);
	json_put_time(tree, "ends_at", occurrence->ends_at);
	return tree;
}

struct json_object *maintenance_json(const struct maintenance_shown *shown, struct instant now)
{
	struct json_object *tree = json_object_tree();
	struct json_object *occurrences = json_array_tree(), *updates = json_array_tree();
	json_put_fields(tree, maintenance_resource_fields, &shown->maintenance);
	for (size_t i = 0; i < shown->occurrence_count; i++)
		json_append(occurrences, occurrence_json(&shown->occurrences[i], now));
	for (size_t i = 0; i < shown->update_count; i++)
		json_append(updates, update_json(&shown->updates[i]));
	json_put(tree, "occurrences", occurrences);
	json_put(tree, "updates", updates);
	return tree;
}
