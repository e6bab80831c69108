/* Writes the monitors of reported incidents (incident_monitors), and the pages that these incidents
 * name (incident_pages): see store/incident/incident_report.h. */
#include "store/incident/incident_derived.h"

enum { SCRATCH_MAX_BYTES = 64 << 20 };

/* A row of incident_monitors. */
struct system_row {
	const struct incident *incident;
	const struct incident_monitor *monitor; /* id 0: the incident has no monitor */
	int position;
};
struct system_rows {
	struct system_row *rows;
	size_t count;
	size_t room;
};

/* Returns false if the list of monitors is the same, or only has new monitors at its end. */
static bool loses_places(const struct incident *before, const struct incident *after)
{
	bool is_same = after->monitor_count >= before->monitor_count;
	for (size_t i = 0; is_same && i < before->monitor_count; i++)
		is_same = after->monitors[i].id == before->monitors[i].id;
	return !is_same;
}

static bool is_stored(const struct incident_monitor *old, const struct incident_monitor *new)
{
	return old->id == new->id && old->impact == new->impact &&
	       old->lesser_impact == new->lesser_impact && old->has_outage == new->has_outage &&
	       old->affected_from.s == new->affected_from.s &&
	       old->affected_until.s == new->affected_until.s &&
	       old->outage_from.s == new->outage_from.s &&
	       old->outage_until.s == new->outage_until.s;
}

/*
 * Adds the rows of incident_monitors that differ from the stored rows. Each row also has the times
 * of the incident. A stored monitor keeps its position, even if its index in the list is another
 * number: this number may be the position of another row.
 */
static void add_rows(struct system_rows *list, const struct incident_change *change,
		     struct arena *arena)
{
	static const struct incident_monitor none = { 0 };
	const struct incident *before = change->before, *after = change->after;
	bool is_kept = before && !loses_places(before, after) &&
		       incident_has_same_times(before, after) &&
		       before->acknowledged_at.s == after->acknowledged_at.s;
	size_t stored = is_kept ? before->monitor_count : 0;
	size_t count = after->monitor_count > 0 ? after->monitor_count : 1;
	int next = 0;
	if (is_kept && after->monitor_count == 0)
		return;
	for (size_t i = 0; i < count; i++) {
		const struct incident_monitor *monitor =
			after->monitor_count > 0 ? &after->monitors[i] : &none;
		if (next < monitor->position)
			next = monitor->position;
		if (i >= stored || !is_stored(&before->monitors[i], monitor)) {
			list->rows = arena_grow(arena, list->rows, list->count, &list->room,
						sizeof(*list->rows));
			list->rows[list->count++] = (struct system_row){ after, monitor, next };
		}
		next++;
	}
}

#define SYSTEM_VALUES "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
static const struct sql_rows system_values = {
	.first = { SYSTEM_VALUES },
	.next = { ", " SYSTEM_VALUES },
	.repeats_last = true,
};

static void bind_system(struct sql_build *sql, const struct system_row *row)
{
	const struct incident_monitor *monitor = row->monitor;
	sql_add(sql, row->incident->id, row->position, row->incident->account_id,
		sql_id(monitor->id), monitor->impact, monitor->lesser_impact,
		monitor->affected_from, monitor->affected_until, monitor->has_outage,
		monitor->outage_from, monitor->outage_until, row->incident->started_at,
		row->incident->acknowledged_at, row->incident->ended_at);
}

static enum result put_systems(const struct incident_set *set, const struct system_rows *list,
			       struct arena *arena)
{
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < list->count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&system_values, list->count - from);
		sql_start(&sql, SQL("INSERT INTO incident_monitors (incident_id, position, "
				    "account_id, monitor_id, impact, lesser_impact, affected_from, "
				    "affected_until, has_outage, outage_from, outage_until, "
				    "started_at, acknowledged_at, ended_at) VALUES "));
		sql_rows_begin(&sql, &system_values, size, arena);
		for (size_t i = from; i < from + size; i++)
			bind_system(&sql, &list->rows[i]);
		sql_rows_end(&sql);
		sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE monitor_id = VALUES(monitor_id), "
				  "impact = VALUES(impact), lesser_impact = VALUES(lesser_impact), "
				  "affected_from = VALUES(affected_from), "
				  "affected_until = VALUES(affected_until), "
				  "has_outage = VALUES(has_outage), "
				  "outage_from = VALUES(outage_from), "
				  "outage_until = VALUES(outage_until), "
				  "started_at = VALUES(started_at), "
				  "acknowledged_at = VALUES(acknowledged_at), "
				  "ended_at = VALUES(ended_at)"));
		result = db_write(set->db, &sql, NULL, set->error);
	}
	return result;
}

/* Runs a statement on the rows of these incidents. `statement` is the text before the list of ids,
 * `tail` the text after it. */
static enum result write_each(const struct incident_set *set, struct sql statement,
			      const struct id_list *incidents, struct sql tail, struct arena *arena)
{
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < incidents->count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&sql_list, incidents->count - from);
		sql_start(&sql, statement);
		sql_list_ints(&sql, incidents->ids + from, size, arena);
		sql_add(&sql, tail);
		result = db_write(set->db, &sql, NULL, set->error);
	}
	return result;
}

/* A row of incident_pages: a page that an incident names, in one month. */
struct notice_row {
	const struct incident *incident;
	int64_t page_id;
	int64_t position;
	struct instant month;
	bool is_shown; /* the incident began in this month */
};
struct notice_rows {
	struct notice_row *rows;
	size_t count;
	size_t room;
};

static void add_month(struct notice_rows *list, const struct incident_change *change,
		      struct instant month, struct arena *arena)
{
	const struct incident *after = change->after;
	for (size_t i = 0; i < after->page_ids.count; i++) {
		list->rows = arena_grow(arena, list->rows, list->count, &list->room,
					sizeof(*list->rows));
		list->rows[list->count++] = (struct notice_row){
			.incident = after,
			.page_id = after->page_ids.ids[i],
			.position = (int64_t)i,
			.month = month,
			.is_shown = month.s == incident_month_of(after).s,
		};
	}
}

static bool is_in_month(const struct incident *incident, struct instant month)
{
	struct instant at = { incident ? incident_month_of(incident).s : 0 };
	while (at.s > 0 && at.s != month.s)
		at = incident_later_month(incident, at);
	return at.s > 0;
}

/* Adds rows for all months of the incident before and after the change. The rows of former months
 * stay, because the revision of a month only grows; pages do not show them. */
static void add_months(struct notice_rows *list, const struct incident_change *change,
		       struct arena *arena)
{
	const struct incident *const both[] = { change->before, change->after };
	if (change->after->page_ids.count == 0)
		return;
	for (size_t i = 0; i < ARRAY_LEN(both); i++)
		for (struct instant month = { both[i] ? incident_month_of(both[i]).s : 0 };
		     month.s > 0; month = incident_later_month(both[i], month))
			if (i == 0 || !is_in_month(both[0], month))
				add_month(list, change, month, arena);
}

static const struct sql_rows notice_given = {
	.first = { "SELECT CAST(? AS SIGNED) AS page_id, CAST(? AS DATE) AS month, "
		   "CAST(? AS SIGNED) AS incident_id, CAST(? AS SIGNED) AS position, "
		   "CAST(? AS SIGNED) AS is_shown, CAST(? AS DATETIME) AS started_at, "
		   "CAST(? AS DATETIME) AS ended_at" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS DATE), CAST(? AS SIGNED), "
		  "CAST(? AS SIGNED), CAST(? AS SIGNED), CAST(? AS DATETIME), "
		  "CAST(? AS DATETIME)" },
};

/* Writes the rows of incident_pages. INSERT IGNORE skips pages that do not exist any more. */
static enum result put_notices(const struct incident_set *set, const struct notice_rows *list,
			       struct arena *arena)
{
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < list->count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&notice_given, list->count - from);
		sql_start(&sql, SQL("INSERT IGNORE INTO incident_pages (status_page_id, month, "
				    "incident_id, position, account_id, is_shown, revision, "
				    "started_at, ends_at) SELECT given.page_id, given.month, "
				    "given.incident_id, given.position, ?, given.is_shown, 1, "
				    "given.started_at, COALESCE(given.ended_at, "
				    "TIMESTAMP'9999-12-31 00:00:00') FROM ("));
		sql_add(&sql, set->account_id);
		sql_rows_begin(&sql, &notice_given, size, arena);
		for (size_t i = from; i < from + size; i++) {
			const struct notice_row *row = &list->rows[i];
			sql_add(&sql, row->page_id, row->month, row->incident->id, row->position,
				row->is_shown, row->incident->started_at, row->incident->ended_at);
		}
		sql_rows_end(&sql);
		sql_add(&sql, SQL(") given WHERE given.page_id IS NOT NULL "
				  "ORDER BY given.page_id, given.month, given.incident_id "
				  "ON DUPLICATE KEY UPDATE is_shown = VALUES(is_shown), "
				  "revision = incident_pages.revision + 1, "
				  "started_at = VALUES(started_at), ends_at = VALUES(ends_at)"));
		result = db_write(set->db, &sql, NULL, set->error);
	}
	return result;
}

/* Deletes the rows of removed incidents from incident_pages. First adds the revisions of these rows
 * to the rows of incident 0: the revision of a month only grows. */
static enum result drop_notices(const struct incident_set *set, const struct id_list *incidents,
				struct arena *arena)
{
	enum result result = write_each(
		set,
		SQL("INSERT INTO incident_pages (status_page_id, month, incident_id, position, "
		    "account_id, is_shown, revision, started_at, ends_at) "
		    "SELECT g.status_page_id, g.month, 0, 0, g.account_id, 0, "
		    "SUM(g.revision) + 1, g.month, g.month FROM incident_pages g "
		    "WHERE g.incident_id IN ("),
		incidents,
		SQL(") GROUP BY g.status_page_id, g.month, g.account_id "
		    "ORDER BY g.status_page_id, g.month ON DUPLICATE KEY UPDATE "
		    "revision = incident_pages.revision + VALUES(revision)"),
		arena);
	return result == OK
		       ? write_each(set, SQL("DELETE FROM incident_pages WHERE incident_id IN ("),
				    incidents, SQL(")"), arena)
		       : result;
}

enum result incident_write_systems(const struct incident_set *set, size_t from)
{
	struct arena scratch CLEANUP(arena_done);
	struct system_rows systems = { 0 };
	struct notice_rows notices = { 0 };
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	struct id_list replaced = { ARENA_ARRAY(&scratch, set->count - from, int64_t), 0 };
	struct id_list dropped = { ARENA_ARRAY(&scratch, set->count - from, int64_t), 0 };
	for (size_t i = from; i < set->count; i++) {
		const struct incident_change *change = &set->rows[i];
		const struct incident *before = change->before, *after = change->after;
		if ((after ? after : before)->kind != INCIDENT_REPORTED)
			continue;
		if (!after && before->page_ids.count > 0)
			dropped.ids[dropped.count++] = before->id;
		if (!after)
			continue;
		if (before && loses_places(before, after))
			replaced.ids[replaced.count++] = after->id;
		add_rows(&systems, change, &scratch);
		add_months(&notices, change, &scratch);
	}
	enum result result = write_each(set,
					SQL("DELETE FROM incident_monitors WHERE incident_id IN ("),
					&replaced, SQL(")"), &scratch);
	if (result == OK)
		result = put_systems(set, &systems, &scratch);
	if (result == OK)
		result = put_notices(set, &notices, &scratch);
	return result == OK ? drop_notices(set, &dropped, &scratch) : result;
}
