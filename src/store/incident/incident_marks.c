/*
 * Writes the state of monitors that a set of changes affects, and marks the pages that show any of
 * the changes.
 */
#include <stdlib.h>

#include "store/incident/incident.h"
#include "store/incident/incident_derived.h"
#include "store/page/publication.h"

enum { SCRATCH_MAX_BYTES = 16 << 20 };

static bool has_effect(const struct incident *incident, const struct incident_monitor *system)
{
	return incident->kind == INCIDENT_DETECTED ||
	       (system && (system->has_outage || system->lesser_impact > INCIDENT_IMPACT_NONE));
}

/* Whether the change affects the state of the monitor `id`. A change of texts does not. */
static bool changes_system(const struct incident_change *change, int64_t id)
{
	const struct incident *before = change->before, *after = change->after;
	const struct incident_monitor *old = before ? incident_monitor_of(before, id) : NULL;
	const struct incident_monitor *new = after ? incident_monitor_of(after, id) : NULL;
	if (before && after && before->kind == INCIDENT_DETECTED)
		return !incident_is_same_state(before, after);
	if (!old || !new)
		return (before && has_effect(before, old)) || (after && has_effect(after, new));
	return old->impact != new->impact ||
	       (!incident_has_same_times(before, after) && has_effect(after, new));
}

/*
 * Adds a row for the monitor `id` of `incident`, which is change->before or change->after. The
 * member `part` of the row is the latest possible start of the monitor's history (INT64_MAX: any).
 * `add` is 1 if the monitor's state changes.
 */
static void add_record(struct sums *sums, const struct incident_change *change,
		       const struct incident *incident, int64_t id)
{
	bool is_changed = changes_system(change, id);
	bool begins = incident == change->after && is_changed &&
		      has_effect(incident, incident_monitor_of(incident, id));
	/* Add each monitor of a reported incident, even if the state of the monitor does not
	 * change. The rows of incident_monitors refer to these monitors, so the monitors must be
	 * locked first, in the order of ids. */
	if (is_changed || incident->kind == INCIDENT_REPORTED)
		sums_add(sums, (struct sum){ id, begins ? incident->started_at.s : INT64_MAX,
					     is_changed });
}

/* Returns one row for each monitor that the set affects. */
static struct sums records_of(const struct incident_set *set, struct arena *arena)
{
	struct sums sums = { .arena = arena };
	size_t kept = 0;
	for (size_t i = 0; i < set->count; i++) {
		const struct incident *const both[] = { set->rows[i].before, set->rows[i].after };
		for (size_t j = 0; j < ARRAY_LEN(both); j++)
			for (size_t k = 0; k < incident_system_count(both[j]); k++)
				add_record(&sums, &set->rows[i], both[j],
					   incident_system_id(both[j], k));
	}
	sums_settle(&sums);
	for (size_t i = 0; i < sums.count; i++)
		if (kept > 0 && sums.rows[kept - 1].id == sums.rows[i].id)
			sums.rows[kept - 1].add += sums.rows[i].add;
		else
			sums.rows[kept++] = sums.rows[i];
	sums.count = kept;
	return sums;
}

static const struct sql_rows record_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS id, CAST(? AS DATETIME) AS known_since, "
		   "CAST(? AS SIGNED) AS is_changed" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS DATETIME), CAST(? AS SIGNED)" },
};

enum result incident_write_monitors(const struct incident_set *set)
{
	struct arena scratch CLEANUP(arena_done);
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	const struct sums records = records_of(set, &scratch);
	for (size_t from = 0, size; result == OK && from < records.count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&record_rows, records.count - from);
		sql_start(&sql, SQL("UPDATE ("));
		sql_rows_begin(&sql, &record_rows, size, &scratch);
		for (size_t i = from; i < from + size; i++) {
			bool begins = records.rows[i].part != INT64_MAX;
			sql_add(&sql, records.rows[i].id,
				(struct instant){ begins ? records.rows[i].part : 0 },
				records.rows[i].add > 0);
		}
		sql_rows_end(&sql);
		sql_add(&sql, SQL(") given STRAIGHT_JOIN monitors m FORCE INDEX (PRIMARY) "
				  "ON m.id = given.id "
				  "SET m.updated_at = IF(given.is_changed = 1, "
				  "GREATEST(m.updated_at, ?), m.updated_at), m.known_since = "
				  "COALESCE(LEAST(m.known_since, given.known_since), "
				  "m.known_since, given.known_since)"));
		sql_add(&sql, set->now);
		result = db_write(set->db, &sql, NULL, set->error);
	}
	return result;
}

static void add_id(struct arena *arena, struct id_list *list, size_t *room, int64_t id)
{
	list->ids = arena_grow(arena, list->ids, list->count, room, sizeof(*list->ids));
	list->ids[list->count++] = id;
}

/* The monitors of the set that a page may show, and the pages that reported incidents name. */
struct shown {
	struct id_list monitors;
	struct id_list pages;
};

static struct shown shown_of(const struct incident_set *set, struct arena *arena)
{
	struct shown shown = { 0 };
	size_t monitor_room = 0, page_room = 0;
	for (size_t i = 0; i < set->count; i++) {
		const struct incident *const both[] = { set->rows[i].before, set->rows[i].after };
		for (size_t j = 0; j < ARRAY_LEN(both); j++) {
			const struct incident *incident = both[j];
			if (!incident || incident->is_on_no_page)
				continue;
			for (size_t k = 0; k < incident_system_count(incident); k++)
				add_id(arena, &shown.monitors, &monitor_room,
				       incident_system_id(incident, k));
			for (size_t k = 0; k < incident->page_ids.count; k++)
				add_id(arena, &shown.pages, &page_room, incident->page_ids.ids[k]);
		}
	}
	id_list_settle(&shown.monitors);
	id_list_settle(&shown.pages);
	return shown;
}

/* Returns the ids of the list, from index `from` on, that fit into one statement. */
static struct id_list next_ids(const struct id_list *list, size_t from)
{
	if (from >= list->count)
		return (struct id_list){ 0 };
	return (struct id_list){ list->ids + from, sql_rows_chunk(&sql_list, list->count - from) };
}

enum result incident_mark_pages(const struct incident_set *set)
{
	struct arena scratch CLEANUP(arena_done);
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	const struct shown shown = shown_of(set, &scratch);
	for (size_t from = 0;
	     result == OK && (from < shown.monitors.count || from < shown.pages.count);
	     from += SQL_ROWS_MAX) {
		const struct publication_shown some = {
			.monitors = next_ids(&shown.monitors, from),
			.pages = next_ids(&shown.pages, from),
			.account_id = set->account_id,
			.now = set->now,
		};
		result = publication_mark_shown(set->db, &some, &scratch, set->error);
	}
	return result;
}

static const struct field page_rows[] = { FIELD(struct incident_page, id),
					  FIELD(struct incident_page, name) };

enum result incident_list_pages(struct db *db, const struct incident *incident, struct arena *arena,
				struct db_list *pages, struct error *error)
{
	struct incident after = *incident;
	struct incident_change change = { .after = &after };
	const struct incident_set set = { .rows = &change, .count = 1 };
	const struct shown shown = shown_of(&set, arena);
	const struct id_list monitors = next_ids(&shown.monitors, 0);
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT p.id, p.name FROM status_pages p WHERE p.account_id = ? AND "
			    "(p.id IN (SELECT s.status_page_id FROM status_page_monitors s "
			    "WHERE s.monitor_id IN ("));
	sql_add(&sql, incident->account_id);
	sql_list_ints(&sql, monitors.ids, monitors.count, arena);
	sql_add(&sql, SQL(")) OR p.id IN ("));
	sql_list_ints(&sql, shown.pages.ids, shown.pages.count, arena);
	sql_add(&sql, SQL(")) ORDER BY p.id LIMIT ?"), INCIDENT_SHOWN_PAGES_MAX);
	return db_read_list(
		db, &sql,
		DB_SHAPE(FIELDS(page_rows), struct incident_page, INCIDENT_SHOWN_PAGES_MAX), arena,
		pages, error);
}
