/* The JSON files, in the shape that consumers of /api/v2/summary.json expect. */
#include <string.h>

#include "view/page.h"
#include "wire/json.h"

static void put_id(struct json_object *tree, const char *key, struct arena *arena, int64_t id)
{
	/* Ids are strings there. */
	json_put_text(tree, key, arena_printf(arena, "%lld", (long long)id));
}

static struct json_object *about_page(const struct page_view *view, struct arena *arena)
{
	struct json_object *tree = json_object_tree();
	put_id(tree, "id", arena, view->page.id);
	json_put_text(tree, "name", view->page.name);
	json_put_text(tree, "url", view->url);
	json_put_text(tree, "time_zone", "Etc/UTC");
	json_put_time(tree, "updated_at", view->now);
	return tree;
}

static struct json_object *overall(const struct page_view *view, struct arena *arena)
{
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "indicator", page_view_impact(view, view->down_count));
	json_put_text(tree, "description", page_view_summary(view, arena));
	return tree;
}

static struct json_object *component(const struct page_view *view, size_t at, struct arena *arena)
{
	const struct page_monitor *monitor = &view->monitors[at];
	struct json_object *tree = json_object_tree();
	put_id(tree, "id", arena, monitor->id);
	json_put_text(tree, "name", monitor->name);
	json_put_text(tree, "status", system_state_name(page_monitor_state(monitor)));
	json_put_time(tree, "created_at", monitor->created_at);
	json_put_time(tree, "updated_at", monitor->updated_at);
	json_put_int(tree, "position", (int64_t)at + 1);
	json_put_null(tree, "description");
	json_put_bool(tree, "showcase", true);
	json_put_null(tree, "group_id");
	json_put_bool(tree, "group", false);
	json_put_bool(tree, "only_show_if_degraded", false);
	put_id(tree, "page_id", arena, view->page.id);
	return tree;
}

static struct json_object *incident_tree(const struct page_view *view,
					 const struct incident *incident, struct arena *arena)
{
	static const char *const words[] = { "investigating", "identified", "resolved" };
	struct json_object *tree = json_object_tree(), *updates = json_array_tree();
	const char *status = words[incident_status(incident)];
	put_id(tree, "id", arena, incident->id);
	json_put_text(tree, "name", page_incident_name(view, incident, arena));
	json_put_text(tree, "status", status);
	/* An incident is of one system. */
	json_put_text(tree, "impact", page_view_impact(view, 1));
	json_put_time(tree, "created_at", incident->started_at);
	json_put_time(tree, "started_at", incident->started_at);
	json_put_time(tree, "updated_at", incident->updated_at);
	json_put_time(tree, "monitoring_at", (struct instant){ 0 });
	json_put_time(tree, "resolved_at", incident->ended_at);
	json_put_text(tree, "shortlink",
		      arena_printf(arena, "%s#incident-%lld", view->url, (long long)incident->id));
	put_id(tree, "page_id", arena, view->page.id);
	json_put(tree, "incident_updates", updates);
	struct json_object *update = json_object_tree();
	json_append(updates, update);
	put_id(update, "id", arena, incident->id);
	put_id(update, "incident_id", arena, incident->id);
	json_put_text(update, "status", status);
	json_put_text(update, "body", incident->comment ? incident->comment : page_incident_name(view, incident, arena));
	json_put_time(update, "created_at", incident->updated_at);
	json_put_time(update, "updated_at", incident->updated_at);
	json_put_time(update, "display_at", incident->updated_at);
	return tree;
}

static struct json_object *components(const struct page_view *view, struct arena *arena)
{
	struct json_object *array = json_array_tree();
	for (size_t i = 0; i < view->monitor_count; i++)
		json_append(array, component(view, i, arena));
	return array;
}

static struct json_object *incidents(const struct page_view *view, bool is_open_only,
				     struct arena *arena)
{
	struct json_object *array = json_array_tree();
	/* Of what is over, the newest; what is open, all. */
	for (size_t i = 0; i < view->incident_count; i++)
		if ((!is_open_only && i < PAGE_FEED_INCIDENTS_MAX) || view->incidents[i]->ended_at.s == 0)
			json_append(array, incident_tree(view, view->incidents[i], arena));
	return array;
}

void page_json(struct buf *out, const struct page_view *view, const char *which,
	       struct arena *arena)
{
	struct json_object *tree = json_object_tree();
	bool is_summary = strcmp(which, "summary") == 0;
	json_put(tree, "page", about_page(view, arena));
	if (is_summary || strcmp(which, "status") == 0)
		json_put(tree, "status", overall(view, arena));
	if (is_summary || strcmp(which, "components") == 0)
		json_put(tree, "components", components(view, arena));
	if (is_summary || strcmp(which, "incidents") == 0)
		json_put(tree, "incidents", incidents(view, is_summary, arena));
	if (is_summary)
		json_put(tree, "scheduled_maintenances", json_array_tree());
	json_print(out, tree);
	json_free(tree);
}
