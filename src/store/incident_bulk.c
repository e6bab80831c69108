/* What is done to many incidents at once: import, and the kept counts. */
#include "store/incident.h"
#include "store/publication.h"

#define IMPORTED \
	"JSON_TABLE(?, '$[*]' COLUMNS (position FOR ORDINALITY, " \
	"monitor_id BIGINT PATH '$.monitor_id', cause VARCHAR(1000) PATH '$.cause', " \
	"title VARCHAR(255) PATH '$.title', comment TEXT PATH '$.comment', started_at DATETIME " \
	"PATH '$.started_at', " \
	"acknowledged_at DATETIME PATH '$.acknowledged_at', " \
	"ended_at DATETIME PATH '$.ended_at')) given "

static enum result insert_rows(struct db *db, int64_t account_id, const char *json,
			       const struct event_source *actor, struct db_done *done,
			       struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO incidents (account_id, monitor_id, title, cause, comment, "
			    "started_at, acknowledged_at, ended_at, created_at, updated_at) "
			    "SELECT m.account_id, m.id, given.title, given.cause, given.comment, "
			    "given.started_at, given.acknowledged_at, given.ended_at, ?, ? "
			    "FROM " IMPORTED "JOIN monitors m "
			    "ON m.id = given.monitor_id AND m.account_id = ? "
			    "ORDER BY given.position"));
	sql_time(&sql, actor->now);
	sql_time(&sql, actor->now);
	sql_text(&sql, json);
	sql_int(&sql, account_id);
	return db_write(db, &sql, done, error);
}

static enum result count_rows(struct db *db, int64_t account_id, const char *json,
			      struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
		      "SELECT given.monitor_id, IF(given.ended_at IS NOT NULL, 2, "
		      "IF(given.acknowledged_at IS NOT NULL, 1, 0)) AS its_status, ?, COUNT(*) "
		      "FROM " IMPORTED "GROUP BY given.monitor_id, its_status "
		      "ON DUPLICATE KEY UPDATE total = total + VALUES(total)"));
	sql_int(&sql, account_id);
	sql_text(&sql, json);
	return db_write(db, &sql, NULL, error);
}

static enum result touch_months(struct db *db, int64_t account_id, const char *json,
				struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO incident_months (monitor_id, month, revision) "
			    "SELECT given.monitor_id, DATE_FORMAT(given.started_at, '%Y-%m-01') "
			    "AS its_month, 1 FROM " IMPORTED
			    "JOIN monitors m ON m.id = given.monitor_id AND m.account_id = ? "
			    "GROUP BY given.monitor_id, its_month "
			    "ON DUPLICATE KEY UPDATE revision = incident_months.revision + 1"));
	sql_text(&sql, json);
	sql_int(&sql, account_id);
	return db_write(db, &sql, NULL, error);
}

/* The record of a monitor begins with its oldest incident at the latest. */
static enum result extend_records(struct db *db, int64_t account_id, const char *json,
				  const struct event_source *actor, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitors m JOIN (SELECT given.monitor_id AS its_id, "
			    "MIN(given.started_at) AS oldest FROM " IMPORTED
			    "GROUP BY given.monitor_id) record "
			    "ON record.its_id = m.id AND m.account_id = ? "
			    "SET m.known_since = COALESCE(LEAST(m.known_since, record.oldest), "
			    "record.oldest), m.updated_at = GREATEST(m.updated_at, ?)"));
	sql_text(&sql, json);
	sql_int(&sql, account_id);
	sql_time(&sql, actor->now);
	return db_write(db, &sql, NULL, error);
}

/* The rows of this import are those of this moment that have no event yet. */
static enum result note_rows(struct db *db, int64_t account_id, int64_t first_id,
			     const struct event_source *actor, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO events (account_id, kind, object, object_id, monitor_id, "
			    "detail, " EVENT_SOURCE_COLUMNS ") "
			    "SELECT account_id, 'incident.imported', 'incident', id, monitor_id, "
			    "cause, " EVENT_SOURCE_VALUES
			    " FROM incidents i WHERE account_id = ? AND id >= ? AND created_at = ? "
			    "AND NOT EXISTS (SELECT 1 FROM events e "
			    "WHERE e.object = 'incident' AND e.object_id = i.id)"));
	event_add_source(&sql, actor);
	sql_int(&sql, account_id);
	sql_int(&sql, first_id);
	sql_time(&sql, actor->now);
	return db_write(db, &sql, NULL, error);
}

enum result incident_import(struct db *db, int64_t account_id, const char *json, size_t count,
			    const struct event_source *actor, struct error *error)
{
	struct db_done done;
	enum result result = insert_rows(db, account_id, json, actor, &done, error);
	if (result == OK && done.rows != (int64_t)count)
		return error_client(error, E_INVALID,
				    "a line names a monitor that the account does not have");
	if (result == OK)
		result = count_rows(db, account_id, json, error);
	if (result == OK)
		result = touch_months(db, account_id, json, error);
	if (result == OK)
		result = extend_records(db, account_id, json, actor, error);
	if (result == OK)
		result = note_rows(db, account_id, done.id, actor, error);
	return result == OK ? publication_mark_account_dirty(db, account_id, actor->now, error)
			    : result;
}

#define COUNTED \
	"(SELECT monitor_id, status, account_id, COUNT(*) AS total FROM incidents " \
	"GROUP BY monitor_id, status, account_id) counted "

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
		      "WHERE counted.total IS NULL AND kept.total <> 0) AS wrong"));
	enum result result = db_read_one(db, &sql, FIELDS(check_rows), &check, arena, error);
	*wrong = check.wrong;
	return result;
}

enum result incident_counts_rebuild(struct db *db, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM incident_counts"));
	enum result result = db_write(db, &sql, NULL, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
			    "SELECT monitor_id, status, account_id, total FROM " COUNTED));
	return db_write(db, &sql, NULL, error);
}
