/* What reports name, and the monitors of reported incidents. */
#include "store/incident_columns.h"
#include "store/incident_report.h"

struct found_id {
	int64_t id;
	const char *name;
};

static const char *name_of(const struct db_list *list, int64_t id)
{
	const struct found_id *found = list->rows;
	for (size_t i = 0; i < list->count; i++)
		if (found[i].id == id)
			return found[i].name;
	return NULL;
}

static enum result lock_names(struct db *db, struct sql_build *sql, const struct id_list *ids,
			      int64_t account_id, struct arena *arena, struct db_list *list,
			      struct error *error)
{
	static const struct field rows[] = { FIELD(struct found_id, id),
					     FIELD(struct found_id, name) };
	sql_list_ints(sql, ids->ids, ids->count, arena);
	sql_add(sql, SQL(") AND account_id = ? ORDER BY id LIMIT ? FOR UPDATE"));
	sql_int(sql, account_id);
	sql_int(sql, (int64_t)ids->count);
	return db_read_list(db, sql, DB_SHAPE(FIELDS(rows), struct found_id, ids->count), arena,
			    list, error);
}

static void add_unknown(const char *field, const struct id_list *sent, int64_t id,
			struct violations *violations)
{
	for (size_t i = 0; i < sent->count; i++)
		if (sent->ids[i] == id)
			violations_add(violations,
				       arena_printf(violations->arena, "%s.%zu", field, i),
				       "The selected %s.%zu is invalid.", field, i);
}

static enum result lock_monitors(struct db *db, struct incident *incident,
				 const struct id_list *sent, struct arena *arena,
				 struct violations *violations, struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	incident_list_ids(incident, arena);
	if (incident->monitor_ids.count == 0)
		return OK;
	sql_start(&sql, SQL("SELECT id, name FROM monitors WHERE removed_at IS NULL AND id IN ("));
	enum result result = lock_names(db, &sql, &incident->monitor_ids, incident->account_id,
					arena, &list, error);
	for (size_t i = 0; result == OK && i < incident->monitor_count; i++) {
		struct incident_monitor *monitor = &incident->monitors[i];
		const char *name = name_of(&list, monitor->id);
		if (name)
			monitor->name = name;
		else
			add_unknown("monitor_ids", sent ? sent : &incident->monitor_ids,
				    monitor->id, violations);
	}
	return result;
}

enum result incident_report_lock(struct db *db, struct incident *incident,
				 const struct id_list *sent, struct arena *arena,
				 struct violations *violations, struct error *error)
{
	const struct id_list *pages = &incident->page_ids;
	struct sql_build sql;
	struct db_list list;
	enum result result = lock_monitors(db, incident, sent, arena, violations, error);
	if (result != OK || pages->count == 0)
		return result;
	sql_start(&sql, SQL("SELECT id, name FROM status_pages WHERE id IN ("));
	result = lock_names(db, &sql, pages, incident->account_id, arena, &list, error);
	for (size_t i = 0; result == OK && i < pages->count; i++)
		if (!name_of(&list, pages->ids[i]))
			add_unknown("status_page_ids", pages, pages->ids[i], violations);
	return result;
}

struct monitor_row {
	int64_t incident_id;
	struct incident_monitor monitor; /* id 0: the incident has none */
	const char *url;
	const char *page_address; /* only in the first row of an incident */
};

#define ROW(column, ...) FIELD_NAMED(struct monitor_row, monitor.column, #column, __VA_ARGS__)
static const struct field monitor_rows[] = {
	FIELD(struct monitor_row, incident_id),
	ROW(id),
	ROW(name),
	ROW(position),
	ROW(impact),
	ROW(lesser_impact),
	ROW(affected_from),
	ROW(affected_until),
	ROW(has_outage),
	ROW(outage_from),
	ROW(outage_until),
	ROW(detected_impact),
	FIELD(struct monitor_row, url),
	FIELD(struct monitor_row, page_address),
};

/* Gives an incident its rows, which are together. */
static void set_monitors(struct incident *incident, const struct db_list *list, struct arena *arena)
{
	const struct monitor_row *rows = list->rows;
	size_t from = 0, count = 0;
	while (from < list->count && rows[from].incident_id != incident->id)
		from++;
	if (from < list->count)
		incident->page_address = rows[from].page_address;
	while (from + count < list->count && rows[from + count].incident_id == incident->id &&
	       rows[from + count].monitor.id > 0)
		count++;
	incident->monitors = ARENA_ARRAY(arena, count, struct incident_monitor);
	incident->monitor_count = count;
	for (size_t i = 0; i < count; i++)
		incident->monitors[i] = rows[from + i].monitor;
	incident_list_ids(incident, arena);
	incident->cause = NULL;
	if (count == 0)
		return;
	incident->monitor_id = incident->monitors[0].id;
	incident->monitor_name = incident->monitors[0].name;
	incident->monitor_url = rows[from].url;
}

struct page_row {
	int64_t incident_id;
	int64_t id;
};
static const struct field page_rows[] = { FIELD(struct page_row, incident_id),
					  FIELD(struct page_row, id) };

static void set_pages(struct incident *incident, const struct db_list *list, struct arena *arena)
{
	const struct page_row *rows = list->rows;
	struct id_list *ids = &incident->page_ids;
	*ids = (struct id_list){ ARENA_ARRAY(arena, INCIDENT_PAGES_MAX, int64_t), 0 };
	for (size_t i = 0; i < list->count && ids->count < INCIDENT_PAGES_MAX; i++)
		if (rows[i].incident_id == incident->id)
			ids->ids[ids->count++] = rows[i].id;
}

/* Reads the pages that the incidents name. */
static enum result read_pages(struct db *db, struct incident *incidents, size_t count,
			      const struct id_list *reported, struct arena *arena,
			      struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	const size_t most = reported->count * INCIDENT_PAGES_MAX;
	sql_start(&sql, SQL("SELECT g.incident_id, g.status_page_id AS id FROM incident_pages g "
			    "WHERE g.is_shown = 1 AND g.incident_id IN ("));
	sql_list_ints(&sql, reported->ids, reported->count, arena);
	sql_add(&sql, SQL(") ORDER BY g.incident_id, g.position LIMIT ?"));
	sql_int(&sql, (int64_t)most);
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(page_rows), struct page_row, most), arena, &list, error);
	for (size_t i = 0; result == OK && i < count; i++)
		if (incidents[i].kind == INCIDENT_REPORTED)
			set_pages(&incidents[i], &list, arena);
	return result;
}

/*
 * The worst impact that monitoring found on the monitor while the incident `x` lasted. Detected
 * incidents of a monitor do not overlap, so that one at most goes on at its end.
 */
#define DETECTED_IMPACT \
	"COALESCE(IF(x.ended_at IS NULL, (SELECT d.impact FROM incidents d " \
	"WHERE d.open_monitor_id = x.monitor_id), IF(x.impact > 0, 0, GREATEST(" \
	"COALESCE((SELECT MAX(d.impact) FROM incidents d WHERE d.monitor_id = x.monitor_id " \
	"AND d.ends_at >= x.started_at AND d.ends_at <= x.ended_at), 0), " \
	"COALESCE((SELECT IF(d.started_at <= x.ended_at AND d.ended_at IS NOT NULL, d.impact, 0) " \
	"FROM incidents d WHERE d.monitor_id = x.monitor_id AND d.ends_at > x.ended_at " \
	"ORDER BY d.ends_at LIMIT 1), 0)))), 0) AS detected_impact"

enum result incident_report_read(struct db *db, struct incident *incidents, size_t count,
				 struct arena *arena, struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	size_t reported = 0;
	int64_t *ids = ARENA_ARRAY(arena, count, int64_t);
	for (size_t i = 0; i < count; i++)
		if (incidents[i].kind == INCIDENT_REPORTED)
			ids[reported++] = incidents[i].id;
	if (reported == 0)
		return OK;
	sql_start(&sql,
		  SQL("SELECT x.incident_id, m.id, m.name, x.position, x.impact, x.lesser_impact, "
		      "x.affected_from, x.affected_until, x.has_outage, x.outage_from, "
		      "x.outage_until, " DETECTED_IMPACT ", m.url, IF(x.position > 0, NULL, "
		      "(SELECT " PAGE_ADDRESS "FROM status_pages p WHERE p.id = COALESCE("
		      "(SELECT MIN(g.status_page_id) FROM incident_pages g "
		      "WHERE g.incident_id = x.incident_id AND g.is_shown = 1), "
		      "(SELECT MIN(s.status_page_id) FROM incident_monitors y "
		      "JOIN status_page_monitors s ON s.monitor_id = y.monitor_id "
		      "WHERE y.incident_id = x.incident_id)))) AS page_address "
		      "FROM incident_monitors x LEFT JOIN monitors m ON m.id = x.monitor_id "
		      "WHERE x.incident_id IN ("));
	sql_list_ints(&sql, ids, reported, arena);
	sql_add(&sql, SQL(") ORDER BY x.incident_id, x.position LIMIT ?"));
	sql_int(&sql, (int64_t)reported * INCIDENT_MONITORS_MAX);
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(monitor_rows), struct monitor_row,
						   reported * INCIDENT_MONITORS_MAX),
					  arena, &list, error);
	for (size_t i = 0; result == OK && i < count; i++)
		if (incidents[i].kind == INCIDENT_REPORTED)
			set_monitors(&incidents[i], &list, arena);
	return result == OK ? read_pages(db, incidents, count, &(struct id_list){ ids, reported },
					 arena, error)
			    : result;
}
