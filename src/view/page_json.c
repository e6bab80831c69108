/* The JSON files, in the shape that consumers of /api/v2/summary.json expect. */
#include "view/page.h"
#include "view/page_words.h"
#include "wire/json.h"

/* The keywords of that shape, by enum page_impact, system_state, incident_status. */
static const char *const impact_names[] = { "none", "minor", "major", "critical" };
static const char *const state_names[] = { "no_data", "operational", "major_outage" };
static const char *const status_names[] = { "investigating", "identified", "resolved" };

static void put_id(struct json_object *tree, const char *key, struct arena *arena, int64_t id)
{
	/* Ids are strings in that shape. */
	json_put_text(tree, key, arena_printf(arena, "%lld", (long long)id));
}

static struct json_object *about_page(const struct page_snapshot *snapshot, struct instant updated,
				      struct arena *arena)
{
	struct json_object *tree = json_object_tree();
	put_id(tree, "id", arena, snapshot->page.id);
	json_put_text(tree, "name", snapshot->page.name);
	json_put_text(tree, "url", snapshot->url);
	json_put_text(tree, "time_zone", "Etc/UTC");
	json_put_time(tree, "updated_at", updated);
	return tree;
}

static struct json_object *overall(const struct page_snapshot *snapshot, struct arena *arena)
{
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "indicator",
		      impact_names[page_snapshot_impact(snapshot, snapshot->down_count)]);
	json_put_text(tree, "description", page_summary(snapshot, arena));
	return tree;
}

static struct json_object *component(const struct page_snapshot *snapshot, size_t at,
				     struct arena *arena)
{
	const struct page_monitor *monitor = &snapshot->monitors[at];
	struct json_object *tree = json_object_tree();
	char since[INSTANT_TEXT_SIZE];
	put_id(tree, "id", arena, monitor->id);
	json_put_text(tree, "name", monitor->name);
	json_put_text(tree, "status", state_names[page_monitor_state(monitor)]);
	json_put_time(tree, "created_at", monitor->created_at);
	json_put_time(tree, "updated_at", monitor->updated_at);
	/* The date: 2026-11-20. */
	json_put_text(
		tree, "start_date",
		monitor->known_since.s
			? arena_strndup(arena, instant_format(monitor->known_since, since), 10)
			: NULL);
	json_put_int(tree, "position", (int64_t)at + 1);
	json_put_text(tree, "description", monitor->description);
	json_put_bool(tree, "showcase", true);
	json_put_null(tree, "group_id");
	json_put_bool(tree, "group", false);
	json_put_bool(tree, "only_show_if_degraded", false);
	put_id(tree, "page_id", arena, snapshot->page.id);
	return tree;
}

static struct json_object *incident_tree(const struct page_snapshot *snapshot,
					 const struct incident *incident, struct arena *arena)
{
	struct json_object *tree = json_object_tree(), *updates = json_array_tree();
	const char *status = status_names[incident_status(incident)];
	put_id(tree, "id", arena, incident->id);
	json_put_text(tree, "name", page_incident_name(snapshot, incident, arena));
	json_put_text(tree, "status", status);
	/* An incident affects one system. */
	json_put_text(tree, "impact", impact_names[page_snapshot_impact(snapshot, 1)]);
	json_put_time(tree, "created_at", incident->started_at);
	json_put_time(tree, "started_at", incident->started_at);
	json_put_time(tree, "updated_at", incident->updated_at);
	json_put_time(tree, "monitoring_at", (struct instant){ 0 });
	json_put_time(tree, "resolved_at", incident->ended_at);
	json_put_text(tree, "shortlink", page_incident_url(snapshot, incident, arena));
	put_id(tree, "page_id", arena, snapshot->page.id);
	json_put(tree, "incident_updates", updates);
	struct json_object *update = json_object_tree();
	json_append(updates, update);
	put_id(update, "id", arena, incident->id);
	put_id(update, "incident_id", arena, incident->id);
	json_put_text(update, "status", status);
	json_put_text(update, "body",
		      incident->comment ? incident->comment
					: page_incident_name(snapshot, incident, arena));
	json_put_time(update, "created_at", incident->updated_at);
	json_put_time(update, "updated_at", incident->updated_at);
	json_put_time(update, "display_at", incident->updated_at);
	return tree;
}

static struct json_object *components(const struct page_snapshot *snapshot, struct arena *arena)
{
	struct json_object *array = json_array_tree();
	for (size_t i = 0; i < snapshot->monitor_count; i++)
		json_append(array, component(snapshot, i, arena));
	return array;
}

static struct json_object *open_incidents(const struct page_snapshot *snapshot, struct arena *arena)
{
	struct json_object *array = json_array_tree();
	for (size_t i = 0; i < snapshot->incident_count; i++)
		if (snapshot->incidents[i].ended_at.s == 0)
			json_append(array, incident_tree(snapshot, &snapshot->incidents[i], arena));
	return array;
}

static struct json_object *newest_incidents(const struct page_snapshot *snapshot,
					    struct arena *arena)
{
	struct json_object *array = json_array_tree();
	for (size_t i = 0; i < snapshot->newest_count; i++)
		json_append(array, incident_tree(snapshot, &snapshot->newest[i], arena));
	return array;
}

/* The parts of each document besides "page". */
static const struct {
	const char *name;
	bool has_status;
	bool has_components;
	bool has_maintenances;
	enum { NO_INCIDENTS, OPEN_INCIDENTS, NEWEST_INCIDENTS } incidents;
} documents[] = {
	{ "summary", true, true, true, OPEN_INCIDENTS },
	{ "status", true, false, false, NO_INCIDENTS },
	{ "components", false, true, false, NO_INCIDENTS },
	{ "incidents", false, false, false, NEWEST_INCIDENTS },
	{ "unresolved", false, false, false, OPEN_INCIDENTS },
	{ "scheduled-maintenances", false, false, true, NO_INCIDENTS },
	{ "upcoming", false, false, true, NO_INCIDENTS },
	{ "active", false, false, true, NO_INCIDENTS },
};

const char *page_document(size_t at)
{
	return at < ARRAY_LEN(documents) ? documents[at].name : NULL;
}

static struct instant later(struct instant a, struct instant b)
{
	return a.s > b.s ? a : b;
}

/* The newest change of what the document shows: not the moment of publishing, so that a document
 * that shows nothing new stays as it is. */
static struct instant newest_change(const struct page_snapshot *snapshot, size_t at)
{
	struct instant newest = snapshot->page.updated_at;
	bool has_systems = documents[at].has_status || documents[at].has_components;
	for (size_t i = 0; has_systems && i < snapshot->monitor_count; i++)
		newest = later(newest, snapshot->monitors[i].updated_at);
	if (documents[at].incidents == OPEN_INCIDENTS)
		for (size_t i = 0; i < snapshot->incident_count; i++)
			if (snapshot->incidents[i].ended_at.s == 0)
				newest = later(newest, snapshot->incidents[i].updated_at);
	if (documents[at].incidents == NEWEST_INCIDENTS)
		for (size_t i = 0; i < snapshot->newest_count; i++)
			newest = later(newest, snapshot->newest[i].updated_at);
	return newest;
}

/* Adds a part, and prints it first if no document has needed it yet. */
static void put_part(struct json_object *tree, const char *key, struct buf *part,
		     struct json_object *(*make)(const struct page_snapshot *snapshot,
						 struct arena *arena),
		     const struct page_snapshot *snapshot, struct arena *arena)
{
	if (!part->data) {
		struct json_object *made = make(snapshot, arena);
		json_print(part, made);
		json_free(made);
	}
	json_put_printed(tree, key, part);
}

void page_json_parts_done(struct page_json_parts *parts)
{
	buf_done(&parts->components);
	buf_done(&parts->open_incidents);
	buf_done(&parts->newest_incidents);
}

void page_json(struct buf *out, const struct page_snapshot *snapshot, size_t at,
	       struct page_json_parts *parts, struct arena *arena)
{
	struct json_object *tree = json_object_tree();
	json_put(tree, "page", about_page(snapshot, newest_change(snapshot, at), arena));
	if (documents[at].has_status)
		json_put(tree, "status", overall(snapshot, arena));
	if (documents[at].has_components)
		put_part(tree, "components", &parts->components, components, snapshot, arena);
	if (documents[at].incidents == OPEN_INCIDENTS)
		put_part(tree, "incidents", &parts->open_incidents, open_incidents, snapshot,
			 arena);
	if (documents[at].incidents == NEWEST_INCIDENTS)
		put_part(tree, "incidents", &parts->newest_incidents, newest_incidents, snapshot,
			 arena);
	if (documents[at].has_maintenances)
		json_put(tree, "scheduled_maintenances", json_array_tree());
	json_print(out, tree);
	json_free(tree);
}
