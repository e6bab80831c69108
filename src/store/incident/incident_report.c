/* The writes of reported incidents. */
#include "store/incident/incident_report.h"

#include "domain/incident_report.h"
#include "store/incident/incident_columns.h"
#include "store/incident/incident_months.h"
#include "store/page/publication.h"

enum { SCRATCH_MAX_BYTES = 4 << 20 };

/* clang-format off */
#define COLUMN_ROW(name) FIELD(struct incident, name),
#define COLUMN_NAME(name) #name ", "
#define COLUMN_MARK(name) "?, "
#define COLUMN_SET(name) "i." #name " = ?, "
static const struct field written_rows[] = { UPDATED_COLUMNS(COLUMN_ROW) };
/* clang-format on */

static void add_written(struct sql_build *sql, const struct incident *incident)
{
	for (size_t i = 0; i < ARRAY_LEN(written_rows); i++)
		sql_field(sql, &written_rows[i], incident);
}

static enum result insert_row(struct db *db, struct incident *incident, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("INSERT INTO incidents (account_id, names_pages, cause, "
			    "created_at, " UPDATED_COLUMNS(
				    COLUMN_NAME) "revision) "
						 "VALUES (?, ?, '', ?, " UPDATED_COLUMNS(
							 COLUMN_MARK) "1)"));
	sql_int(&sql, incident->account_id);
	sql_int(&sql, incident->page_ids.count > 0);
	sql_time(&sql, incident->created_at);
	add_written(&sql, incident);
	enum result result = db_write(db, &sql, &done, error);
	incident->id = done.id;
	return result;
}

#define MONITOR_VALUES "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
static const struct sql_rows monitor_values = {
	.first = { MONITOR_VALUES },
	.next = { ", " MONITOR_VALUES },
	.repeats_last = true,
};

static void add_monitor(struct sql_build *sql, const struct incident *incident, int position,
			const struct incident_monitor *monitor)
{
	sql_int(sql, incident->id);
	sql_int(sql, position);
	sql_int(sql, incident->account_id);
	if (monitor->id > 0)
		sql_int(sql, monitor->id);
	else
		sql_text(sql, NULL);
	sql_int(sql, monitor->impact);
	sql_int(sql, monitor->lesser_impact);
	sql_time(sql, monitor->affected_from);
	sql_time(sql, monitor->affected_until);
	sql_int(sql, monitor->has_outage);
	sql_time(sql, monitor->outage_from);
	sql_time(sql, monitor->outage_until);
	sql_time(sql, incident->started_at);
	sql_time(sql, incident->acknowledged_at);
	sql_time(sql, incident->ended_at);
}

/* `next` is the first free position. A stored monitor keeps its own: another row may have the place
 * that it has in the list. */
static enum result write_monitors(struct db *db, const struct incident *incident, size_t from,
				  size_t count, int *next, struct error *error)
{
	static const struct incident_monitor none = { 0 };
	struct arena scratch CLEANUP(arena_done);
	struct sql_build sql;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	sql_start(&sql, SQL("INSERT INTO incident_monitors (incident_id, position, account_id, "
			    "monitor_id, impact, lesser_impact, affected_from, affected_until, "
			    "has_outage, outage_from, outage_until, started_at, acknowledged_at, "
			    "ended_at) VALUES "));
	sql_rows_begin(&sql, &monitor_values, count, &scratch);
	for (size_t i = from; i < from + count; i++) {
		const struct incident_monitor *monitor =
			incident->monitor_count > 0 ? &incident->monitors[i] : &none;
		if (*next < monitor->position)
			*next = monitor->position;
		add_monitor(&sql, incident, (*next)++, monitor);
	}
	sql_rows_end(&sql);
	sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE monitor_id = VALUES(monitor_id), "
			  "impact = VALUES(impact), lesser_impact = VALUES(lesser_impact), "
			  "affected_from = VALUES(affected_from), "
			  "affected_until = VALUES(affected_until), "
			  "has_outage = VALUES(has_outage), outage_from = VALUES(outage_from), "
			  "outage_until = VALUES(outage_until), started_at = VALUES(started_at), "
			  "acknowledged_at = VALUES(acknowledged_at), "
			  "ended_at = VALUES(ended_at)"));
	return db_write(db, &sql, NULL, error);
}

/* Stores the monitors with their impacts and the times of the incident. */
static enum result write_all_monitors(struct db *db, const struct incident *incident,
				      struct error *error)
{
	size_t rows = incident->monitor_count > 0 ? incident->monitor_count : 1;
	enum result result = OK;
	int next = 0;
	for (size_t from = 0, size; result == OK && from < rows; from += size) {
		size = sql_rows_chunk(&monitor_values, rows - from);
		result = write_monitors(db, incident, from, size, &next, error);
	}
	return result;
}

#define MONTH_OF "DATE_FORMAT(?, '%Y-%m-01')"
#define ENDS_OF	 "COALESCE(?, TIMESTAMP'9999-12-31 00:00:00')"

static enum result touch_month(struct db *db, const struct incident *incident,
			       struct instant started_at, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO incident_months (monitor_id, month, revision) "
			    "SELECT x.monitor_id, " MONTH_OF ", 1 FROM incident_monitors x "
			    "WHERE x.incident_id = ? AND x.monitor_id IS NOT NULL "
			    "ORDER BY x.monitor_id "
			    "ON DUPLICATE KEY UPDATE revision = incident_months.revision + 1"));
	sql_time(&sql, started_at);
	sql_int(&sql, incident->id);
	return db_write(db, &sql, NULL, error);
}

static const struct sql_rows page_values = {
	.first = { "(?, " MONTH_OF ", ?, ?, ?, 1, 1, ?, " ENDS_OF ")" },
	.next = { ", (?, " MONTH_OF ", ?, ?, ?, 1, 1, ?, " ENDS_OF ")" },
	.repeats_last = true,
};

static enum result insert_pages(struct db *db, const struct incident *incident, struct arena *arena,
				struct error *error)
{
	struct sql_build sql;
	if (incident->page_ids.count == 0)
		return OK;
	sql_start(&sql, SQL("INSERT IGNORE INTO incident_pages (status_page_id, month, "
			    "incident_id, position, account_id, is_shown, revision, started_at, "
			    "ends_at) VALUES "));
	sql_rows_begin(&sql, &page_values, incident->page_ids.count, arena);
	for (size_t i = 0; i < incident->page_ids.count; i++) {
		sql_int(&sql, incident->page_ids.ids[i]);
		sql_time(&sql, incident->started_at);
		sql_int(&sql, incident->id);
		sql_int(&sql, (int64_t)i);
		sql_int(&sql, incident->account_id);
		sql_time(&sql, incident->started_at);
		sql_time(&sql, incident->ended_at);
	}
	sql_rows_end(&sql);
	return db_write(db, &sql, NULL, error);
}

static bool has_effect(const struct incident_monitor *monitor)
{
	return monitor && (monitor->has_outage || monitor->lesser_impact > INCIDENT_IMPACT_NONE);
}

/*
 * The monitors whose state the change of an incident changes; its texts change none. `before` or
 * `after` is NULL if the incident is new, or deleted.
 */
static struct id_list changed_monitors(const struct incident *before, const struct incident *after,
				       struct arena *arena)
{
	const struct incident *all[] = { before, after };
	size_t room = (before ? before->monitor_count : 0) + (after ? after->monitor_count : 0);
	struct id_list list = { ARENA_ARRAY(arena, room, int64_t), 0 };
	bool has_moved = !before || !after || before->started_at.s != after->started_at.s ||
			 before->ended_at.s != after->ended_at.s;
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		for (size_t j = 0; all[i] && j < all[i]->monitor_count; j++) {
			int64_t id = all[i]->monitors[j].id;
			const struct incident_monitor *old =
				before ? incident_monitor_of(before, id) : NULL;
			const struct incident_monitor *new = after ? incident_monitor_of(after, id)
								   : NULL;
			bool is_again = i > 0 && old;
			bool is_changed = !old || !new ? has_effect(old) || has_effect(new)
						       : old->impact != new->impact;
			if (!is_again && (is_changed || (has_moved && has_effect(new))))
				list.ids[list.count++] = id;
		}
	return list;
}

/* The record of a monitor begins with an impact on it at the latest. */
static enum result touch_monitors(struct db *db, const struct incident *before,
				  const struct incident *after, struct instant now,
				  struct error *error)
{
	const struct incident *incident = after ? after : before;
	struct arena scratch CLEANUP(arena_done);
	struct sql_build sql;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	const struct id_list changed = changed_monitors(before, after, &scratch);
	sql_start(&sql, SQL("UPDATE (SELECT x.monitor_id AS its_id, "
			    "IF(x.has_outage = 1 OR x.lesser_impact > 0, x.started_at, NULL) "
			    "AS began FROM incident_monitors x "
			    "WHERE x.incident_id = ? AND x.monitor_id IS NOT NULL "
			    "ORDER BY x.monitor_id LIMIT 1000000) covered "
			    "STRAIGHT_JOIN monitors m ON m.id = covered.its_id "
			    "SET m.updated_at = IF(m.id IN ("));
	sql_int(&sql, incident->id);
	sql_list_ints(&sql, changed.ids, changed.count, &scratch);
	sql_add(&sql, SQL("), GREATEST(m.updated_at, ?), m.updated_at), m.known_since = "
			  "COALESCE(LEAST(m.known_since, covered.began), m.known_since, "
			  "covered.began)"));
	sql_time(&sql, now);
	return db_write(db, &sql, NULL, error);
}

/* In the order of the pages, as the batches of alerts. */
static enum result mark_dirty(struct db *db, const struct incident *incident, struct instant now,
			      struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE (SELECT shown.id FROM (SELECT s.status_page_id AS id "
			    "FROM incident_monitors x JOIN status_page_monitors s "
			    "ON s.monitor_id = x.monitor_id WHERE x.incident_id = ? "
			    "UNION SELECT g.status_page_id FROM incident_pages g "
			    "WHERE g.incident_id = ? AND g.is_shown = 1) shown "
			    "ORDER BY shown.id LIMIT 1000000) pages "
			    "STRAIGHT_JOIN page_revisions r ON r.page_id = pages.id "
			    "SET " PUBLICATION_MARK_DIRTY));
	sql_int(&sql, incident->id);
	sql_int(&sql, incident->id);
	sql_time(&sql, now);
	return db_write(db, &sql, NULL, error);
}

enum result incident_report_mark_pages(struct db *db, const struct incident *incident,
				       struct instant now, struct error *error)
{
	enum result result = touch_monitors(db, NULL, incident, now, error);
	return result == OK ? mark_dirty(db, incident, now, error) : result;
}

enum result incident_report_insert(struct db *db, struct incident *incident, struct instant now,
				   struct arena *arena, struct error *error)
{
	incident->created_at = incident->updated_at = now;
	incident->revision = 1;
	if (incident->monitor_count > 0) {
		incident->monitor_id = incident->monitors[0].id;
		incident->monitor_name = incident->monitors[0].name;
	}
	enum result result = insert_row(db, incident, error);
	if (result == OK)
		result = write_all_monitors(db, incident, error);
	if (result == OK)
		result = insert_pages(db, incident, arena, error);
	if (result == OK)
		result = touch_month(db, incident, incident->started_at, error);
	if (result == OK)
		result = incident_touch_later_months(db, NULL, incident, error);
	return result == OK ? report_count_move(db, NULL, incident, error) : result;
}

/* Moves the rows of pages to the month of the new start; those of the old month stay, unshown. */
static enum result move_pages(struct db *db, const struct incident *before,
			      const struct incident *after, struct error *error)
{
	struct sql_build sql;
	enum result result = touch_month(db, after, before->started_at, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("INSERT INTO incident_pages (status_page_id, month, incident_id, "
			    "position, account_id, is_shown, revision, started_at, ends_at) "
			    "SELECT g.status_page_id, " MONTH_OF ", g.incident_id, g.position, "
			    "g.account_id, 1, 1, g.started_at, g.ends_at FROM incident_pages g "
			    "WHERE g.incident_id = ? AND g.is_shown = 1 "
			    "ON DUPLICATE KEY UPDATE is_shown = 1, "
			    "revision = incident_pages.revision + 1"));
	sql_time(&sql, after->started_at);
	sql_int(&sql, after->id);
	result = db_write(db, &sql, NULL, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("UPDATE incident_pages SET is_shown = 0, revision = revision + 1 "
			    "WHERE incident_id = ? AND is_shown = 1 AND month <> " MONTH_OF));
	sql_int(&sql, after->id);
	sql_time(&sql, after->started_at);
	return db_write(db, &sql, NULL, error);
}

static enum result update_row(struct db *db, const struct incident *after, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE incidents i LEFT JOIN incident_pages g "
			    "ON g.incident_id = i.id AND g.is_shown = 1 SET " UPDATED_COLUMNS(
				    COLUMN_SET) "i.revision = i.revision + 1, "
						"g.revision = g.revision + 1, g.started_at = ?, "
						"g.ends_at = " ENDS_OF
						" WHERE i.id = ? AND i.account_id = ?"));
	add_written(&sql, after);
	sql_time(&sql, after->started_at);
	sql_time(&sql, after->ended_at);
	sql_int(&sql, after->id);
	sql_int(&sql, after->account_id);
	return db_write(db, &sql, NULL, error);
}

/* Whether the list of monitors was replaced: else it has only grown. */
static bool loses_places(const struct incident *before, const struct incident *after)
{
	bool is_same = after->monitor_count >= before->monitor_count;
	for (size_t i = 0; is_same && i < before->monitor_count; i++)
		is_same = after->monitors[i].id == before->monitors[i].id;
	return !is_same;
}

/* Marks the pages of all former monitors, and removes these, so that each gets its new place. */
static enum result drop_monitors(struct db *db, const struct incident *before,
				 const struct incident *after, struct error *error)
{
	struct sql_build sql;
	enum result result = touch_monitors(db, before, after, after->updated_at, error);
	if (result == OK)
		result = touch_month(db, before, after->started_at, error);
	if (result == OK)
		result = mark_dirty(db, before, after->updated_at, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("DELETE FROM incident_monitors WHERE incident_id = ?"));
	sql_int(&sql, before->id);
	return db_write(db, &sql, NULL, error);
}

enum result incident_report_save(struct db *db, const struct incident *before,
				 const struct incident *after, struct error *error)
{
	enum result result = OK;
	if (before->started_at.s != after->started_at.s)
		result = move_pages(db, before, after, error);
	if (result == OK)
		result = update_row(db, after, error);
	if (result == OK && loses_places(before, after))
		result = drop_monitors(db, before, after, error);
	if (result == OK)
		result = write_all_monitors(db, after, error);
	/* Monitors, months, pages: in the order of the writes of detected incidents. */
	if (result == OK)
		result = touch_monitors(db, before, after, after->updated_at, error);
	if (result == OK)
		result = touch_month(db, after, after->started_at, error);
	if (result == OK)
		result = incident_touch_later_months(db, before, after, error);
	if (result == OK)
		result = report_count_move(db, before, after, error);
	return result == OK ? mark_dirty(db, after, after->updated_at, error) : result;
}

/* The row of incident 0 takes over the revisions: those of a month only grow. */
static enum result drop_pages(struct db *db, const struct incident *incident, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO incident_pages (status_page_id, month, incident_id, "
			    "position, account_id, is_shown, revision, started_at, ends_at) "
			    "SELECT g.status_page_id, g.month, 0, 0, g.account_id, 0, "
			    "g.revision + 1, g.month, g.month FROM incident_pages g "
			    "WHERE g.incident_id = ? ORDER BY g.status_page_id, g.month "
			    "ON DUPLICATE KEY UPDATE "
			    "revision = incident_pages.revision + VALUES(revision)"));
	sql_int(&sql, incident->id);
	enum result result = db_write(db, &sql, NULL, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("DELETE FROM incident_pages WHERE incident_id = ?"));
	sql_int(&sql, incident->id);
	return db_write(db, &sql, NULL, error);
}

enum result incident_report_delete(struct db *db, const struct incident *incident,
				   struct error *error)
{
	struct sql_build sql;
	enum result result = touch_monitors(db, incident, NULL, incident->updated_at, error);
	if (result == OK)
		result = touch_month(db, incident, incident->started_at, error);
	if (result == OK)
		result = incident_touch_later_months(db, incident, NULL, error);
	if (result == OK)
		result = report_count_move(db, incident, NULL, error);
	if (result == OK)
		result = mark_dirty(db, incident, incident->updated_at, error);
	if (result != OK)
		return result;
	result = drop_pages(db, incident, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("DELETE FROM incidents WHERE id = ? AND account_id = ?"));
	sql_int(&sql, incident->id);
	sql_int(&sql, incident->account_id);
	return db_write(db, &sql, NULL, error);
}
