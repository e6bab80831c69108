/* Statements on many incidents: import, and the kept counts. */
#include "store/incident/incident.h"
#include "store/incident/incident_months.h"
#include "store/incident/incident_report.h"
#include "store/page/publication.h"

/* A line of a file has few months. */
enum { SCRATCH_MAX_BYTES = 256 << 20 };

static const struct sql_rows given_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS position, CAST(? AS SIGNED) AS monitor_id, "
		   "CAST(? AS CHAR) AS cause, CAST(? AS CHAR) AS title, "
		   "CAST(? AS CHAR) AS comment, CAST(? AS DATETIME) AS started_at, "
		   "CAST(? AS DATETIME) AS acknowledged_at, CAST(? AS DATETIME) AS ended_at" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS SIGNED), CAST(? AS CHAR), "
		  "CAST(? AS CHAR), CAST(? AS CHAR), CAST(? AS DATETIME), CAST(? AS DATETIME), "
		  "CAST(? AS DATETIME)" },
};

static void add_given(struct sql_build *sql, const struct incident *rows, size_t count,
		      struct arena *arena)
{
	sql_rows_begin(sql, &given_rows, count, arena);
	for (size_t i = 0; i < count; i++) {
		sql_int(sql, (int64_t)i);
		sql_int(sql, rows[i].monitor_id);
		sql_text(sql, rows[i].cause);
		sql_text(sql, rows[i].title);
		sql_text(sql, rows[i].comment);
		sql_time(sql, rows[i].started_at);
		sql_time(sql, rows[i].acknowledged_at);
		sql_time(sql, rows[i].ended_at);
	}
	sql_rows_end(sql);
}

/* Fails unless each row names a monitor of the account. */
static enum result insert_some(struct db *db, int64_t account_id, const struct incident *rows,
			       size_t count, const struct event_source *actor, int64_t *first_id,
			       struct error *error)
{
	enum { STATEMENT_MAX_BYTES = 8 << 20 };
	struct arena scratch CLEANUP(arena_done);
	struct sql_build sql;
	struct db_done done;
	arena_init(&scratch, STATEMENT_MAX_BYTES);
	sql_start(&sql, SQL("INSERT INTO incidents (account_id, monitor_id, title, cause, comment, "
			    "started_at, acknowledged_at, ended_at, created_at, updated_at) "
			    "SELECT m.account_id, m.id, given.title, given.cause, given.comment, "
			    "given.started_at, given.acknowledged_at, given.ended_at, ?, ? "
			    "FROM ("));
	sql_time(&sql, actor->now);
	sql_time(&sql, actor->now);
	add_given(&sql, rows, count, &scratch);
	sql_add(&sql, SQL(") given JOIN monitors m ON m.id = given.monitor_id "
			  "AND m.account_id = ? ORDER BY given.position"));
	sql_int(&sql, account_id);
	enum result result = db_write(db, &sql, &done, error);
	*first_id = done.id;
	if (result == OK && done.rows != (int64_t)count)
		return error_client(error, E_INVALID,
				    "a line names a monitor that the account does not have");
	return result;
}

/*
 * The rows of an import, until they have an event: account, first id, moment. By id, since
 * another index would read all incidents of the account or the monitor.
 */
#define IMPORTED \
	"FROM incidents i FORCE INDEX (PRIMARY) WHERE i.account_id = ? AND i.id >= ? AND " \
	"i.created_at = ? " \
	"AND NOT EXISTS (SELECT 1 FROM events e " \
	"WHERE e.object = 'incident' AND e.object_id = i.id) "

struct imported {
	int64_t account_id;
	int64_t first_id;
	const struct event_source *actor;
};

static void add_imported(struct sql_build *sql, const struct imported *imported)
{
	sql_int(sql, imported->account_id);
	sql_int(sql, imported->first_id);
	sql_time(sql, imported->actor->now);
}

static enum result count_rows(struct db *db, const struct imported *imported, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
			    "SELECT i.monitor_id, i.status, i.account_id, COUNT(*) " IMPORTED
			    "GROUP BY i.monitor_id, i.status, i.account_id "
			    "ON DUPLICATE KEY UPDATE total = total + VALUES(total)"));
	add_imported(&sql, imported);
	return db_write(db, &sql, NULL, error);
}

static enum result touch_months(struct db *db, const struct imported *imported, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO incident_months (monitor_id, month, revision) "
			    "SELECT i.monitor_id, DATE_FORMAT(i.started_at, '%Y-%m-01') "
			    "AS its_month, 1 " IMPORTED "GROUP BY i.monitor_id, its_month "
			    "ON DUPLICATE KEY UPDATE revision = incident_months.revision + 1"));
	add_imported(&sql, imported);
	return db_write(db, &sql, NULL, error);
}

static enum result touch_later_months(struct db *db, const struct incident *rows, size_t count,
				      struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	struct later_months months = { .arena = &scratch };
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	for (size_t i = 0; i < count; i++)
		later_months_add_incident(&months, &rows[i]);
	return later_months_touch(db, &months, error);
}

/* The record of a monitor begins with its oldest incident at the latest. */
static enum result extend_records(struct db *db, const struct imported *imported,
				  struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitors m JOIN (SELECT i.monitor_id AS its_id, "
			    "MIN(i.started_at) AS oldest " IMPORTED
			    "GROUP BY i.monitor_id) record ON record.its_id = m.id "
			    "SET m.known_since = COALESCE(LEAST(m.known_since, record.oldest), "
			    "record.oldest), m.updated_at = GREATEST(m.updated_at, ?)"));
	add_imported(&sql, imported);
	sql_time(&sql, imported->actor->now);
	return db_write(db, &sql, NULL, error);
}

/* A comment is the body of an update. */
static enum result add_updates(struct db *db, const struct imported *imported, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO incident_updates (account_id, incident_id, phase, body, "
			    "at) SELECT i.account_id, i.id, IF(i.ended_at IS NULL, 0, 3), "
			    "i.comment, COALESCE(i.ended_at, i.created_at) " IMPORTED
			    "AND i.comment IS NOT NULL"));
	add_imported(&sql, imported);
	return db_write(db, &sql, NULL, error);
}

/* Run last: rows that have an event are no longer IMPORTED. */
static enum result note_rows(struct db *db, const struct imported *imported, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO events (account_id, kind, object, object_id, monitor_id, "
			    "detail, " EVENT_SOURCE_COLUMNS ") "
			    "SELECT i.account_id, 'incident.imported', 'incident', i.id, "
			    "i.monitor_id, i.cause, " EVENT_SOURCE_VALUES " " IMPORTED));
	event_add_source(&sql, imported->actor);
	add_imported(&sql, imported);
	return db_write(db, &sql, NULL, error);
}

enum result incident_import(struct db *db, int64_t account_id, const struct incident *rows,
			    size_t count, const struct event_source *actor, struct error *error)
{
	struct imported imported = { account_id, 0, actor };
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		int64_t first_id;
		size = sql_rows_chunk(&given_rows, count - from);
		result = insert_some(db, account_id, rows + from, size, actor, &first_id, error);
		if (from == 0)
			imported.first_id = first_id;
	}
	if (result == OK)
		result = count_rows(db, &imported, error);
	if (result == OK)
		result = touch_months(db, &imported, error);
	if (result == OK)
		result = touch_later_months(db, rows, count, error);
	if (result == OK)
		result = extend_records(db, &imported, error);
	if (result == OK)
		result = add_updates(db, &imported, error);
	if (result == OK)
		result = note_rows(db, &imported, error);
	return result == OK ? publication_mark_account_dirty(db, account_id, actor->now, error)
			    : result;
}

enum result report_count_move(struct db *db, const struct incident *before,
			      const struct incident *after, struct error *error)
{
	const struct incident *incident = after ? after : before;
	struct sql_build sql;
	if (before && after && incident_status(before) == incident_status(after))
		return OK;
	sql_start(&sql, SQL("INSERT INTO report_counts (account_id, status, total) "
			    "VALUES (?, ?, ?), (?, ?, ?) "
			    "ON DUPLICATE KEY UPDATE total = total + VALUES(total)"));
	sql_int(&sql, incident->account_id);
	sql_int(&sql, incident_status(before ? before : after));
	sql_int(&sql, before ? -1 : 0);
	sql_int(&sql, incident->account_id);
	sql_int(&sql, incident_status(incident));
	sql_int(&sql, after ? 1 : 0);
	return db_write(db, &sql, NULL, error);
}

#define COUNTED \
	"(SELECT monitor_id, status, account_id, COUNT(*) AS total FROM incidents " \
	"WHERE monitor_id IS NOT NULL " \
	"GROUP BY monitor_id, status, account_id) counted "

/* Each reported incident has one row at position 0. */
#define REPORTS \
	"(SELECT account_id, status, COUNT(*) AS total FROM incident_monitors " \
	"WHERE position = 0 GROUP BY account_id, status) reports "
#define OF_REPORTS "ON kept.account_id = reports.account_id AND kept.status = reports.status "

enum result incident_counts_check(struct db *db, struct arena *arena, int64_t *wrong,
				  struct error *error)
{
	struct check {
		int64_t wrong;
	} check = { 0 };
	static const struct field check_rows[] = { FIELD(struct check, wrong) };
	struct sql_build sql;
	sql_start(&sql,
		  SQL("SELECT (SELECT COUNT(*) FROM " COUNTED "LEFT JOIN incident_counts kept "
		      "ON kept.monitor_id = counted.monitor_id "
		      "AND kept.status = counted.status "
		      "WHERE kept.total IS NULL OR kept.total <> counted.total) + "
		      "(SELECT COUNT(*) FROM incident_counts kept LEFT JOIN " COUNTED
		      "ON kept.monitor_id = counted.monitor_id "
		      "AND kept.status = counted.status "
		      "WHERE counted.total IS NULL AND kept.total <> 0) + "
		      "(SELECT COUNT(*) FROM " REPORTS "LEFT JOIN report_counts kept " OF_REPORTS
		      "WHERE kept.total IS NULL) + "
		      "(SELECT COUNT(*) FROM report_counts kept LEFT JOIN " REPORTS OF_REPORTS
		      "WHERE kept.total <> COALESCE(reports.total, 0)) AS wrong"));
	enum result result = db_read_one(db, &sql, FIELDS(check_rows), &check, arena, error);
	*wrong = check.wrong;
	return result;
}

enum result incident_counts_rebuild(struct db *db, struct error *error)
{
	static const struct sql statements[] = {
		{ "DELETE FROM incident_counts" },
		{ "INSERT INTO incident_counts (monitor_id, status, account_id, total) "
		  "SELECT monitor_id, status, account_id, total FROM " COUNTED },
		{ "DELETE FROM report_counts" },
		{ "INSERT INTO report_counts (account_id, status, total) "
		  "SELECT account_id, status, total FROM " REPORTS },
	};
	enum result result = OK;
	for (size_t i = 0; result == OK && i < ARRAY_LEN(statements); i++) {
		struct sql_build sql;
		sql_start(&sql, statements[i]);
		result = db_write(db, &sql, NULL, error);
	}
	return result;
}
