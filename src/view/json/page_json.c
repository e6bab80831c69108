/* Writes the JSON files, in the shape that consumers of /api/v2/summary.json expect. */
#include "view/json/page_json_rows.h"
#include "view/page/page_updates.h"
#include "view/words/page_words.h"
#include "wire/json.h"

static struct json_object *about_page(const struct page_snapshot *snapshot, struct instant updated,
				      struct arena *arena)
{
	struct json_object *tree = json_object_tree();
	const struct zone *zone = status_page_zone(&snapshot->page);
	json_put_text(tree, "id", page_json_id(snapshot->page.id, arena));
	json_put_text(tree, "name", snapshot->page.name);
	json_put_text(tree, "url", snapshot->url);
	json_put_text(tree, "time_zone", zone == zone_utc() ? "Etc/UTC" : zone_name(zone));
	json_put_time(tree, "updated_at", updated);
	return tree;
}

/* Returns the indicator, which depends on the number of systems with an impact. If no system has an
 * impact, but a system is under maintenance, the indicator is "maintenance". */
static const char *indicator(const struct page_snapshot *snapshot)
{
	size_t affected = 0, in_maintenance = 0;
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		enum system_state state = page_monitor_state(&snapshot->monitors[i]);
		affected += state > SYSTEM_UNDER_MAINTENANCE;
		in_maintenance += state == SYSTEM_UNDER_MAINTENANCE;
	}
	return affected == 0 && in_maintenance > 0
		       ? "maintenance"
		       : page_json_impact(page_snapshot_impact(snapshot, affected));
}

static struct json_object *overall(const struct page_snapshot *snapshot, struct arena *arena)
{
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "indicator", indicator(snapshot));
	json_put_text(tree, "description", page_summary(snapshot, arena));
	return tree;
}

void page_json_about_message(struct buf *out, const struct page_snapshot *snapshot,
			     const char *unsubscribe, struct arena *arena)
{
	struct json_object *tree = json_object_tree(), *meta = json_object_tree();
	struct json_object *page = json_object_tree();
	json_put_text(meta, "unsubscribe", unsubscribe);
	json_put_text(meta, "documentation", snapshot->url);
	json_put_time(meta, "generated_at", snapshot->now);
	json_put(tree, "meta", meta);
	json_put_text(page, "id", page_json_id(snapshot->page.id, arena));
	json_put_text(page, "status_indicator", indicator(snapshot));
	json_put_text(page, "status_description", page_summary(snapshot, arena));
	json_put(tree, "page", page);
	json_print(out, tree);
	json_free(tree);
}

static void begin_item(struct buf *out)
{
	/* The buffer is empty before the first item, because it has only the array. */
	buf_putc(out, out->len == 0 ? '[' : ',');
}

static void end_array(struct buf *out)
{
	buf_puts(out, out->len == 0 ? "[]" : "]");
}

static void print_components(struct buf *out, const struct page_snapshot *snapshot,
			     const struct page_json_index *index, struct arena *arena)
{
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		begin_item(out);
		page_json_component(out, snapshot, index, i, arena);
	}
	end_array(out);
}

static void print_open(struct buf *out, const struct page_snapshot *snapshot,
		       const struct page_json_index *index, struct arena *arena)
{
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		const struct page_incident *incident = &snapshot->incidents[i];
		/* Skips an incident that the page shows inside another incident. */
		if (incident->row.ended_at.s > 0 || incident->inside)
			continue;
		begin_item(out);
		page_json_incident(out, snapshot, index, incident, arena);
	}
	end_array(out);
}

static void print_newest(struct buf *out, const struct page_snapshot *snapshot,
			 const struct page_json_index *index, struct arena *arena)
{
	for (size_t i = 0; i < snapshot->newest_count; i++) {
		if (snapshot->newest[i].inside)
			continue;
		begin_item(out);
		page_json_incident(out, snapshot, index, &snapshot->newest[i], arena);
	}
	end_array(out);
}

/* Which windows a document lists. */
enum windows {
	NO_WINDOWS,
	WINDOWS_TO_COME = 1 << 0,
	WINDOWS_RUNNING = 1 << 1,
	WINDOWS_OVER = 1 << 2,
	ALL_WINDOWS = WINDOWS_TO_COME | WINDOWS_RUNNING | WINDOWS_OVER
};

static unsigned kind_of(const struct page_maintenance *window)
{
	if (window->status == PHASE_SCHEDULED)
		return WINDOWS_TO_COME;
	return page_maintenance_is_on(window) ? WINDOWS_RUNNING : WINDOWS_OVER;
}

static void print_windows(struct buf *out, const struct page_snapshot *snapshot,
			  const struct page_json_index *index, unsigned wanted, struct arena *arena)
{
	for (size_t i = 0; i < snapshot->maintenance_count; i++) {
		const struct page_maintenance *window = &snapshot->maintenances[i];
		if (!(kind_of(window) & wanted))
			continue;
		begin_item(out);
		page_json_maintenance(out, snapshot, index, window, arena);
	}
	end_array(out);
}

/* The members of each document. In addition, every document has the member "page". */
static const struct {
	const char *name;
	bool has_status;
	bool has_components;
	unsigned windows; /* of enum windows */
	enum { NO_INCIDENTS, OPEN_INCIDENTS, NEWEST_INCIDENTS } incidents;
} documents[] = {
	{ "summary", true, true, WINDOWS_TO_COME | WINDOWS_RUNNING, OPEN_INCIDENTS },
	{ "status", true, false, NO_WINDOWS, NO_INCIDENTS },
	{ "components", false, true, NO_WINDOWS, NO_INCIDENTS },
	{ "incidents", false, false, NO_WINDOWS, NEWEST_INCIDENTS },
	{ "unresolved", false, false, NO_WINDOWS, OPEN_INCIDENTS },
	{ "scheduled-maintenances", false, false, ALL_WINDOWS, NO_INCIDENTS },
	{ "upcoming", false, false, WINDOWS_TO_COME, NO_INCIDENTS },
	{ "active", false, false, WINDOWS_RUNNING, NO_INCIDENTS },
};

const char *page_document(size_t at)
{
	return at < ARRAY_LEN(documents) ? documents[at].name : NULL;
}

static struct instant later_of(struct instant a, struct instant b)
{
	return a.s > b.s ? a : b;
}

static struct instant newest_of_windows(const struct page_snapshot *snapshot)
{
	struct instant newest = { 0 };
	for (size_t i = 0; i < snapshot->monitor_count; i++)
		newest = later_of(newest, snapshot->monitors[i].maintained_at);
	for (size_t i = 0; i < snapshot->maintenance_count; i++)
		newest = later_of(newest, snapshot->maintenances[i].updated_at);
	for (size_t i = 0; i < snapshot->withdrawn_count; i++)
		newest = later_of(newest, snapshot->withdrawn[i].updated_at);
	return newest;
}

static struct instant newest_of_incidents(const struct page_snapshot *snapshot)
{
	struct instant newest = { 0 };
	for (size_t i = 0; i < snapshot->incident_count; i++)
		newest = later_of(newest, page_incident_changed_at(&snapshot->incidents[i]));
	for (size_t i = 0; i < snapshot->newest_count; i++)
		newest = later_of(newest, page_incident_changed_at(&snapshot->newest[i]));
	return newest;
}

/*
 * Returns the time of the document's last change. Resolved incidents and past windows also count,
 * so that the time never becomes earlier. The time of publishing does not count, so that a publish
 * without changes writes the same document.
 */
static struct instant newest_change(const struct page_snapshot *snapshot, size_t at)
{
	struct instant newest = snapshot->page.updated_at;
	bool has_incidents = documents[at].incidents != NO_INCIDENTS;
	bool has_systems = documents[at].has_status || documents[at].has_components;
	for (size_t i = 0; (has_systems || has_incidents) && i < snapshot->monitor_count; i++)
		newest = later_of(newest, snapshot->monitors[i].updated_at);
	if (has_incidents)
		newest = later_of(newest, newest_of_incidents(snapshot));
	if (has_systems || documents[at].windows != NO_WINDOWS)
		newest = later_of(newest, newest_of_windows(snapshot));
	return newest;
}

typedef void print_part(struct buf *out, const struct page_snapshot *snapshot,
			const struct page_json_index *index, struct arena *arena);

/* Adds `part` as the member `key`. Prints the part first, if it is not printed yet. */
static void put_part(struct json_object *tree, const char *key, struct buf *part, print_part *print,
		     const struct page_snapshot *snapshot, const struct page_json_index *index,
		     struct arena *arena)
{
	if (!part->data)
		print(part, snapshot, index, arena);
	json_put_printed(tree, key, part);
}

/* Adds the wanted windows. Does not keep the printed text, because each document lists different
 * windows. */
static void put_windows(struct json_object *tree, const struct page_snapshot *snapshot,
			const struct page_json_index *index, unsigned wanted, struct arena *arena)
{
	struct buf windows CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	print_windows(&windows, snapshot, index, wanted, arena);
	json_put_printed(tree, "scheduled_maintenances", &windows);
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
	if (!parts->index)
		parts->index = page_json_index_make(snapshot, arena);
	const struct page_json_index *index = parts->index;
	json_put(tree, "page", about_page(snapshot, newest_change(snapshot, at), arena));
	if (documents[at].has_status)
		json_put(tree, "status", overall(snapshot, arena));
	if (documents[at].has_components)
		put_part(tree, "components", &parts->components, print_components, snapshot, index,
			 arena);
	if (documents[at].incidents == OPEN_INCIDENTS)
		put_part(tree, "incidents", &parts->open_incidents, print_open, snapshot, index,
			 arena);
	if (documents[at].incidents == NEWEST_INCIDENTS)
		put_part(tree, "incidents", &parts->newest_incidents, print_newest, snapshot, index,
			 arena);
	if (documents[at].windows != NO_WINDOWS)
		put_windows(tree, snapshot, index, documents[at].windows, arena);
	json_print(out, tree);
	json_free(tree);
}
