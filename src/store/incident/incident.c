#include "store/incident/incident.h"

#include "domain/incident_report.h"
#include "store/incident/incident_columns.h"
#include "store/incident/incident_months.h"
#include "store/incident/incident_report.h"
#include "store/page/publication.h"

/* clang-format off */
#define COLUMN_ROW(name) FIELD(struct incident, name),
#define COLUMN_NAME(name) #name ", "
#define COLUMN_MARK(name) "?, "
#define COLUMN_SET(name) "i." #name " = ?, "

/* How the impact of a detected incident changed. */
#define COURSE_COLUMNS(COLUMN) \
	COLUMN(lesser_impact) COLUMN(affected_from) COLUMN(affected_until) COLUMN(has_outage) \
	COLUMN(outage_from) COLUMN(outage_until)
#define COURSE_ROW(name) FIELD_NAMED(struct incident, course.name, #name),
#define COURSE_READ(name) ", i." #name

static const struct field course_rows[] = { COURSE_COLUMNS(COURSE_ROW) };
static const struct field inserted_rows[] = {
	KEPT_COLUMNS(COLUMN_ROW) WRITTEN_COLUMNS(COLUMN_ROW)
};
static const struct field updated_rows[] = { UPDATED_COLUMNS(COLUMN_ROW) };
static const struct field rows[] = {
	KEPT_COLUMNS(COLUMN_ROW) UPDATED_COLUMNS(COLUMN_ROW)
	READ_COLUMNS(COLUMN_ROW) COURSE_COLUMNS(COURSE_ROW)
};
static const struct fields row_fields = { rows, ARRAY_LEN(rows) };
static const struct field placed_rows[] = {
	KEPT_COLUMNS(COLUMN_ROW) UPDATED_COLUMNS(COLUMN_ROW)
	READ_COLUMNS(COLUMN_ROW) COURSE_COLUMNS(COURSE_ROW) COLUMN_ROW(page_address)
};
static const struct field open_rows[] = {
	KEPT_COLUMNS(COLUMN_ROW) UPDATED_COLUMNS(COLUMN_ROW)
	READ_COLUMNS(COLUMN_ROW) COURSE_COLUMNS(COURSE_ROW) COLUMN_ROW(is_on_no_page)
};
static const struct field locked_rows[] = {
	KEPT_COLUMNS(COLUMN_ROW) UPDATED_COLUMNS(COLUMN_ROW)
	READ_COLUMNS(COLUMN_ROW) COURSE_COLUMNS(COURSE_ROW)
	COLUMN_ROW(is_on_no_page) COLUMN_ROW(page_address)
};
/* clang-format on */
#define INSERTED_NAMES	KEPT_COLUMNS(COLUMN_NAME) WRITTEN_COLUMNS(COLUMN_NAME)
#define INSERTED_MARKS	KEPT_COLUMNS(COLUMN_MARK) WRITTEN_COLUMNS(COLUMN_MARK)
#define UPDATED_SETS	UPDATED_COLUMNS(COLUMN_SET) COURSE_COLUMNS(COLUMN_SET)
#define INCIDENT_SELECT "SELECT " INCIDENT_COLUMNS COURSE_COLUMNS(COURSE_READ) " "
#define OF_MONITOR	"FROM incidents i JOIN monitors m ON m.id = i.monitor_id "
#define OF_ANY		"FROM incidents i LEFT JOIN monitors m ON m.id = i.monitor_id "

/* The monitor is locked before the pages are read: see is_on_no_page. */
#define LOCKED_SELECT \
	"SELECT " INCIDENT_COLUMNS COURSE_COLUMNS( \
		COURSE_READ) ", i.monitor_id IS NOT NULL AND NOT EXISTS " \
			     "(SELECT 1 FROM status_page_monitors s WHERE s.monitor_id = m.id) " \
			     "AS is_on_no_page "

void incident_complete(struct incident *incident, struct arena *arena)
{
	incident_settle(incident);
	if (incident->kind == INCIDENT_DETECTED)
		incident_list_monitor(incident, arena);
}

/* Reads what the row of a reported incident does not have. */
static enum result complete(struct db *db, struct incident *incident, struct arena *arena,
			    struct error *error)
{
	incident_complete(incident, arena);
	return incident_report_read(db, incident, arena, error);
}

enum result incident_find(struct db *db, int64_t account_id, int64_t id, bool for_update,
			  struct arena *arena, struct incident *incident, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  for_update ? SQL(LOCKED_SELECT ADDRESS_OF_INCIDENT OF_ANY "WHERE i.id = ? ")
			     : SQL(INCIDENT_SELECT ADDRESS_OF_INCIDENT OF_ANY "WHERE i.id = ? "));
	sql_int(&sql, id);
	if (account_id > 0) {
		sql_add(&sql, SQL("AND i.account_id = ? "));
		sql_int(&sql, account_id);
	}
	sql_add(&sql, SQL("ORDER BY i.id LIMIT 1"));
	if (for_update)
		sql_add(&sql, SQL(" FOR UPDATE"));
	*incident = (struct incident){ 0 };
	enum result result = db_read_one(db, &sql,
					 for_update ? FIELDS(locked_rows) : FIELDS(placed_rows),
					 incident, arena, error);
	return result == OK ? complete(db, incident, arena, error) : result;
}

enum result incident_find_open(struct db *db, int64_t monitor_id, struct arena *arena,
			       struct incident *incident, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(LOCKED_SELECT OF_MONITOR "WHERE i.open_monitor_id = ? "
						     "ORDER BY i.id LIMIT 1 FOR UPDATE"));
	sql_int(&sql, monitor_id);
	*incident = (struct incident){ 0 };
	enum result result = db_read_one(db, &sql, FIELDS(open_rows), incident, arena, error);
	return result == OK ? complete(db, incident, arena, error) : result;
}

enum result incident_find_last(struct db *db, int64_t monitor_id, struct instant by,
			       struct arena *arena, struct incident *incident, struct error *error)
{
	struct sql_build sql;
	*incident = (struct incident){ 0 };
	/* Detected incidents of a monitor do not overlap, so no earlier one can have lasted until
	 * then. */
	sql_start(&sql,
		  SQL(INCIDENT_SELECT OF_MONITOR "WHERE i.monitor_id = ? AND i.started_at <= ? "
						 "ORDER BY i.started_at DESC, i.id DESC LIMIT 1"));
	sql_int(&sql, monitor_id);
	sql_time(&sql, by);
	enum result result = db_read_one(db, &sql, row_fields, incident, arena, error);
	return result == OK ? complete(db, incident, arena, error) : result;
}

enum result incident_find_overlap(struct db *db, const struct incident *incident,
				  struct arena *arena, int64_t *id, struct error *error)
{
	static const struct field id_rows[] = { FIELD(struct incident, id) };
	struct incident found = { 0 };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT id FROM incidents FORCE INDEX (incidents_monitor_ends) "
			    "WHERE monitor_id = ? AND ends_at > ? AND started_at < ? AND id <> ? "
			    "ORDER BY ends_at, id LIMIT 1"));
	sql_int(&sql, incident->monitor_id);
	sql_time(&sql, incident->started_at);
	sql_time(&sql, incident->ended_at);
	sql_int(&sql, incident->id);
	enum result result = db_read_one(db, &sql, FIELDS(id_rows), &found, arena, error);
	*id = found.id;
	return result;
}

/* Moves one incident from a count to another; -1 is none. */
static enum result move_count(struct db *db, const struct incident *incident, int from, int to,
			      struct error *error)
{
	struct sql_build sql;
	if (from == to)
		return OK;
	sql_start(&sql, SQL("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
			    "VALUES (?, ?, ?, ?)"));
	sql_int(&sql, incident->monitor_id);
	sql_int(&sql, from >= 0 ? from : to);
	sql_int(&sql, incident->account_id);
	sql_int(&sql, from >= 0 ? -1 : 1);
	if (from >= 0 && to >= 0) {
		sql_add(&sql, SQL(", (?, ?, ?, 1)"));
		sql_int(&sql, incident->monitor_id);
		sql_int(&sql, to);
		sql_int(&sql, incident->account_id);
	}
	sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE total = total + VALUES(total)"));
	return db_write(db, &sql, NULL, error);
}

#define MONTH_OF "DATE_FORMAT(?, '%Y-%m-01')"

static enum result touch_month(struct db *db, const struct incident *incident, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO incident_months (monitor_id, month, revision) "
			    "VALUES (?, " MONTH_OF ", 1) "
			    "ON DUPLICATE KEY UPDATE revision = revision + 1"));
	sql_int(&sql, incident->monitor_id);
	sql_time(&sql, incident->started_at);
	return db_write(db, &sql, NULL, error);
}

/* Touches the month that an incident leaves. The month that it enters has a row from here on,
 * which update_row() touches. */
static enum result change_month(struct db *db, const struct incident *before,
				const struct incident *after, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO incident_months (monitor_id, month, revision) "
			    "VALUES (?, " MONTH_OF ", 0), (?, " MONTH_OF ", 1) "
			    "ON DUPLICATE KEY UPDATE revision = revision + VALUES(revision)"));
	sql_int(&sql, after->monitor_id);
	sql_time(&sql, after->started_at);
	sql_int(&sql, before->monitor_id);
	sql_time(&sql, before->started_at);
	return db_write(db, &sql, NULL, error);
}

/* A change of status from one to another; -1 is none. */
struct transition {
	int from;
	int to;
};

static enum result note_change(struct db *db, const struct incident *incident,
			       struct transition transition, struct error *error)
{
	enum result result = move_count(db, incident, transition.from, transition.to, error);
	return result == OK ? touch_month(db, incident, error) : result;
}

enum result incident_mark_pages(struct db *db, const struct incident *incident, struct instant now,
				struct error *error)
{
	if (incident->kind == INCIDENT_REPORTED)
		return incident_report_mark_pages(db, incident, now, error);
	const struct publication_change change = {
		.monitor_id = incident->monitor_id,
		.known_since = incident->started_at,
		.now = now,
	};
	return publication_mark_dirty(db, &change, error);
}

enum result incident_insert(struct db *db, struct incident *incident, struct instant now,
			    struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	incident->created_at = incident->updated_at = now;
	incident->revision = 1;
	incident->impact = INCIDENT_MAJOR_OUTAGE;
	incident_settle(incident);
	sql_start(&sql, SQL("INSERT INTO incidents (" INSERTED_NAMES
			    "revision) VALUES (" INSERTED_MARKS "1)"));
	for (size_t i = 0; i < ARRAY_LEN(inserted_rows); i++)
		sql_field(&sql, &inserted_rows[i], incident);
	enum result result = db_write(db, &sql, &done, error);
	if (result != OK)
		return result;
	incident->id = done.id;
	result = note_change(db, incident, (struct transition){ -1, incident_status(incident) },
			     error);
	return result == OK ? incident_touch_later_months(db, NULL, incident, error) : result;
}

void incident_advance(const struct incident *before, struct incident *after, struct instant now)
{
	after->revision = before->revision + 1;
	after->updated_at = now;
}

/* The time of the monitor's newest change, at least. A new text does not change its state. */
static struct instant monitor_changed_at(const struct incident *before,
					 const struct incident *after)
{
	bool is_same = before->started_at.s == after->started_at.s &&
		       before->ended_at.s == after->ended_at.s && before->impact == after->impact;
	return is_same ? (struct instant){ 1 } : after->updated_at;
}

/*
 * One statement for the row, its month, the monitor and the pages: fewer round trips while their
 * rows are locked. An incident's month has a row since the incident was inserted.
 */
static enum result update_row(struct db *db, const struct incident *before,
			      const struct incident *after, struct error *error)
{
	struct sql_build sql;
	struct incident changed = { 0 };
	if (after->monitor_count > 0)
		incident_monitor_take(&changed.course, &after->monitors[0]);
	sql_start(&sql, SQL("UPDATE incidents i JOIN monitors m ON m.id = i.monitor_id "
			    "LEFT JOIN incident_months h ON h.monitor_id = i.monitor_id "
			    "AND h.month = " MONTH_OF " "
			    "LEFT JOIN status_page_monitors s ON s.monitor_id = m.id "
			    "LEFT JOIN page_revisions r ON r.page_id = s.status_page_id "
			    "SET " UPDATED_SETS
			    "i.revision = i.revision + 1, h.revision = h.revision + 1, "
			    "m.updated_at = GREATEST(m.updated_at, ?), "
			    "m.known_since = COALESCE(LEAST(m.known_since, ?), m.known_since, "
			    "?), " PUBLICATION_MARK_DIRTY "WHERE i.id = ? AND i.account_id = ?"));
	sql_time(&sql, after->started_at);
	for (size_t i = 0; i < ARRAY_LEN(updated_rows); i++)
		sql_field(&sql, &updated_rows[i], after);
	for (size_t i = 0; i < ARRAY_LEN(course_rows); i++)
		sql_field(&sql, &course_rows[i], &changed);
	sql_time(&sql, monitor_changed_at(before, after));
	sql_time(&sql, after->started_at);
	sql_time(&sql, after->started_at);
	sql_time(&sql, after->updated_at);
	sql_int(&sql, after->id);
	sql_int(&sql, after->account_id);
	return db_write(db, &sql, NULL, error);
}

enum result incident_save(struct db *db, const struct incident *before,
			  const struct incident *after, struct error *error)
{
	enum result result = OK;
	if (after->kind == INCIDENT_REPORTED)
		return incident_report_save(db, before, after, error);
	if (before->started_at.s != after->started_at.s)
		result = change_month(db, before, after, error);
	if (result == OK)
		result = incident_touch_later_months(db, before, after, error);
	if (result == OK)
		result = move_count(db, after, incident_status(before), incident_status(after),
				    error);
	return result == OK ? update_row(db, before, after, error) : result;
}

enum result incident_delete(struct db *db, const struct incident *incident, struct error *error)
{
	struct sql_build sql;
	if (incident->kind == INCIDENT_REPORTED)
		return incident_report_delete(db, incident, error);
	sql_start(&sql, SQL("DELETE FROM incidents WHERE id = ? AND account_id = ?"));
	sql_int(&sql, incident->id);
	sql_int(&sql, incident->account_id);
	enum result result = db_write(db, &sql, NULL, error);
	if (result != OK)
		return result;
	result = note_change(db, incident, (struct transition){ incident_status(incident), -1 },
			     error);
	return result == OK ? incident_touch_later_months(db, incident, NULL, error) : result;
}
