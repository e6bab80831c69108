/* The JSON files, in the shape that consumers of /api/v2/summary.json expect. */
#include "view/page.h"
#include "view/page_words.h"
#include "wire/json.h"

/* The keywords of that shape, by enum page_impact, system_state, incident_status. */
static const char *const impact_names[] = { "none", "minor", "major", "critical" };
static const char *const state_names[] = { "no_data", "operational", "major_outage" };
static const char *const status_names[] = { "investigating", "identified", "resolved" };

/* Ids are strings in that shape. */
static const char *id_text(int64_t id, struct arena *arena)
{
	return arena_printf(arena, "%lld", (long long)id);
}

static struct json_object *about_page(const struct page_snapshot *snapshot, struct instant updated,
				      struct arena *arena)
{
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "id", id_text(snapshot->page.id, arena));
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

struct component {
	const char *id, *name, *status;
	struct instant created_at, updated_at;
	const char *start_date; /* 2026-11-20 */
	int64_t position;
	const char *description, *group_id;
	bool showcase, group, only_show_if_degraded;
	const char *page_id;
};

#define ROW(member) FIELD(struct component, member)
static const struct field component_rows[] = {
	ROW(id),	 ROW(name),	  ROW(status),	 ROW(created_at),
	ROW(updated_at), ROW(start_date), ROW(position), ROW(description),
	ROW(showcase),	 ROW(group_id),	  ROW(group),	 ROW(only_show_if_degraded),
	ROW(page_id),
};
#undef ROW

static void print_component(struct buf *out, const struct page_snapshot *snapshot, size_t at,
			    struct arena *arena)
{
	const struct page_monitor *monitor = &snapshot->monitors[at];
	struct instant since = monitor->known_since;
	char text[INSTANT_TEXT_SIZE];
	const struct component row = {
		.id = id_text(monitor->id, arena),
		.name = monitor->name,
		.status = state_names[page_monitor_state(monitor)],
		.created_at = monitor->created_at,
		.updated_at = monitor->updated_at,
		.start_date = since.s ? arena_strndup(arena, instant_format(since, text), 10)
				      : NULL,
		.position = (int64_t)at + 1,
		.description = monitor->description,
		.showcase = true,
		.page_id = id_text(snapshot->page.id, arena),
	};
	json_print_fields(out, FIELDS(component_rows), &row);
}

struct incident_row {
	const char *id, *name, *status, *impact;
	struct instant created_at, started_at, updated_at, monitoring_at, resolved_at;
	const char *shortlink, *page_id;
};

#define ROW(member) FIELD(struct incident_row, member)
static const struct field incident_rows[] = {
	ROW(id),	  ROW(name),	   ROW(status),	    ROW(impact),
	ROW(created_at),  ROW(started_at), ROW(updated_at), ROW(monitoring_at),
	ROW(resolved_at), ROW(shortlink),  ROW(page_id),
};
#undef ROW

struct update_row {
	const char *id, *incident_id, *status, *body;
	struct instant created_at, updated_at, display_at;
};

#define ROW(member) FIELD(struct update_row, member)
static const struct field update_rows[] = {
	ROW(id),	 ROW(incident_id), ROW(status),	    ROW(body),
	ROW(created_at), ROW(updated_at),  ROW(display_at),
};
#undef ROW

static void print_incident(struct buf *out, const struct page_snapshot *snapshot,
			   const struct incident *incident, struct arena *arena)
{
	const struct incident_row row = {
		.id = id_text(incident->id, arena),
		.name = page_incident_name(snapshot, incident, arena),
		.status = status_names[incident_status(incident)],
		/* An incident affects one system. */
		.impact = impact_names[page_snapshot_impact(snapshot, 1)],
		.created_at = incident->started_at,
		.started_at = incident->started_at,
		.updated_at = incident->updated_at,
		.resolved_at = incident->ended_at,
		.shortlink = page_incident_url(snapshot, incident, arena),
		.page_id = id_text(snapshot->page.id, arena),
	};
	const struct update_row update = {
		.id = row.id,
		.incident_id = row.id,
		.status = row.status,
		.body = incident->comment ? incident->comment : row.name,
		.created_at = incident->updated_at,
		.updated_at = incident->updated_at,
		.display_at = incident->updated_at,
	};
	json_print_fields(out, FIELDS(incident_rows), &row);
	/* Its list of updates is the last member. */
	if (buf_ok(out))
		out->len--;
	buf_puts(out, ",\"incident_updates\":[");
	json_print_fields(out, FIELDS(update_rows), &update);
	buf_puts(out, "]}");
}

static void begin_item(struct buf *out)
{
	/* The buffer has only the array. */
	buf_putc(out, out->len == 0 ? '[' : ',');
}

static void end_array(struct buf *out)
{
	buf_puts(out, out->len == 0 ? "[]" : "]");
}

static void print_components(struct buf *out, const struct page_snapshot *snapshot,
			     struct arena *arena)
{
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		begin_item(out);
		print_component(out, snapshot, i, arena);
	}
	end_array(out);
}

static void print_open(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		if (snapshot->incidents[i].ended_at.s > 0)
			continue;
		begin_item(out);
		print_incident(out, snapshot, &snapshot->incidents[i], arena);
	}
	end_array(out);
}

static void print_newest(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	for (size_t i = 0; i < snapshot->newest_count; i++) {
		begin_item(out);
		print_incident(out, snapshot, &snapshot->newest[i], arena);
	}
	end_array(out);
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

static struct instant later_of(struct instant a, struct instant b)
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
		newest = later_of(newest, snapshot->monitors[i].updated_at);
	if (documents[at].incidents == OPEN_INCIDENTS)
		for (size_t i = 0; i < snapshot->incident_count; i++)
			if (snapshot->incidents[i].ended_at.s == 0)
				newest = later_of(newest, snapshot->incidents[i].updated_at);
	if (documents[at].incidents == NEWEST_INCIDENTS)
		for (size_t i = 0; i < snapshot->newest_count; i++)
			newest = later_of(newest, snapshot->newest[i].updated_at);
	return newest;
}

typedef void print_part(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);

/* Adds a part, and prints it first if no document has needed it yet. */
static void put_part(struct json_object *tree, const char *key, struct buf *part, print_part *print,
		     const struct page_snapshot *snapshot, struct arena *arena)
{
	if (!part->data)
		print(part, snapshot, arena);
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
		put_part(tree, "components", &parts->components, print_components, snapshot, arena);
	if (documents[at].incidents == OPEN_INCIDENTS)
		put_part(tree, "incidents", &parts->open_incidents, print_open, snapshot, arena);
	if (documents[at].incidents == NEWEST_INCIDENTS)
		put_part(tree, "incidents", &parts->newest_incidents, print_newest, snapshot,
			 arena);
	if (documents[at].has_maintenances)
		json_put(tree, "scheduled_maintenances", json_array_tree());
	json_print(out, tree);
	json_free(tree);
}
