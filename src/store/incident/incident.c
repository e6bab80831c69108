#include "store/incident/incident.h"

#include "store/incident/incident_columns.h"
#include "store/incident/incident_report.h"

/* clang-format off */
#define COLUMN_ROW(name, type) FIELD(struct incident, name),
#define COURSE_ROW(name, type) FIELD_NAMED(struct incident, course.name, #name),
#define COURSE_READ(name, type) ", i." #name
#define WHOLE_ROWS READ_COLUMNS(COLUMN_ROW) COURSE_COLUMNS(COURSE_ROW)
#define MEMBER(name) FIELD(struct incident, name),

static const struct field rows[] = { WHOLE_ROWS };
static const struct fields row_fields = { rows, ARRAY_LEN(rows) };
static const struct field placed_rows[] = { WHOLE_ROWS MEMBER(page_address) };
static const struct field open_rows[] = { WHOLE_ROWS MEMBER(is_on_no_page) };
static const struct field locked_rows[] = {
	WHOLE_ROWS MEMBER(is_on_no_page) MEMBER(page_address)
};
/* clang-format on */
#define INCIDENT_SELECT "SELECT " INCIDENT_COLUMNS COURSE_COLUMNS(COURSE_READ) " "
#define OF_MONITOR	"FROM incidents i JOIN monitors m ON m.id = i.monitor_id "
#define OF_ANY		"FROM incidents i LEFT JOIN monitors m ON m.id = i.monitor_id "

/* With FOR UPDATE, the statement locks the monitor before it reads which pages show the monitor:
 * see is_on_no_page. */
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

/* Sets derived members, and reads a reported incident's monitors and pages. */
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
	sql_add(&sql, id);
	if (account_id > 0)
		sql_add(&sql, SQL("AND i.account_id = ? "), account_id);
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
	sql_add(&sql, monitor_id);
	*incident = (struct incident){ 0 };
	enum result result = db_read_one(db, &sql, FIELDS(open_rows), incident, arena, error);
	return result == OK ? complete(db, incident, arena, error) : result;
}

enum result incident_find_last(struct db *db, int64_t monitor_id, struct instant by,
			       struct arena *arena, struct incident *incident, struct error *error)
{
	struct sql_build sql;
	*incident = (struct incident){ 0 };
	/* Only the last incident that began by then can have lasted until `by`, because detected
	 * incidents of a monitor do not overlap. */
	sql_start(&sql,
		  SQL(INCIDENT_SELECT OF_MONITOR "WHERE i.monitor_id = ? AND i.started_at <= ? "
						 "ORDER BY i.started_at DESC, i.id DESC LIMIT 1"));
	sql_add(&sql, monitor_id, by);
	enum result result = db_read_one(db, &sql, row_fields, incident, arena, error);
	return result == OK ? complete(db, incident, arena, error) : result;
}

enum result incidents_lock_of_monitor(struct db *db, int64_t monitor_id, size_t most,
				      struct arena *arena, struct db_list *found,
				      struct error *error)
{
	/* clang-format off */
	static const struct field part_rows[] = {
		MOVED_COLUMNS(COLUMN_ROW) MEMBER(id) MEMBER(account_id) MEMBER(monitor_id)
		MEMBER(revision) MEMBER(acknowledged_at)
	};
	/* clang-format on */
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " MOVED_COLUMNS(COLUMN_READ) "i.id, i.account_id, "
								 "i.monitor_id, i.revision, "
								 "i.acknowledged_at "
								 "FROM incidents i "
								 "WHERE i.monitor_id = ? "
								 "ORDER BY i.started_at, i.id "
								 "LIMIT ? FOR UPDATE"));
	sql_add(&sql, monitor_id, (int64_t)most);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(part_rows), struct incident, most), arena,
			    found, error);
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
	sql_add(&sql, incident->monitor_id, incident->started_at, incident->ended_at, incident->id);
	enum result result = db_read_one(db, &sql, FIELDS(id_rows), &found, arena, error);
	*id = found.id;
	return result;
}
