/*
 * Locks the monitors and pages that a report names, and reads the monitors and pages of reported
 * incidents.
 */
#include <stdlib.h>

#include "base/sorted.h"
#include "domain/incident/incident_report.h"
#include "store/incident/incident_columns.h"
#include "store/incident/incident_report.h"

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
	sql_add(sql, SQL(") AND account_id = ? ORDER BY id LIMIT ? FOR UPDATE"), account_id,
		(int64_t)ids->count);
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

/* The fields of a monitor of a reported incident, without the copies of the incident's times. */
static const struct field covered_rows[] = {
	FIELD(struct covered, incident_id),
	COVERED_ROWS(struct covered, )
#define ROW(column) FIELD_NAMED(struct covered, monitor.column, #column)
		ROW(name),
	ROW(lesser_impact),
	ROW(affected_from),
	ROW(affected_until),
	ROW(has_outage),
	ROW(outage_from),
	ROW(outage_until),
	FIELD(struct covered, url),
};

static int by_place(const void *a, const void *b)
{
	const struct covered *left = a, *right = b;
	int64_t apart = left->incident_id - right->incident_id;
	if (apart == 0)
		apart = left->monitor.position - right->monitor.position;
	return (apart > 0) - (apart < 0);
}

/* Finds the rows of an incident, which are adjacent: sets *its_rows to the first, and returns their
 * number. */
static size_t rows_of(const struct incident *incident, const struct covered *rows, size_t count,
		      const struct covered **its_rows)
{
	size_t from = SORTED_PLACE(struct covered, incident_id, rows, count, incident->id);
	size_t its_count = 0;
	while (from + its_count < count && rows[from + its_count].incident_id == incident->id)
		its_count++;
	*its_rows = rows + from;
	return its_count;
}

/* Sets the monitors of the incident; `rows` are the rows of this incident. */
static void set_monitors(struct incident *incident, const struct covered *rows, size_t count,
			 struct arena *arena)
{
	incident->cause = NULL;
	incident->monitors = ARENA_ARRAY(arena, count, struct incident_monitor);
	incident->monitor_count = 0;
	for (size_t i = 0; i < count; i++)
		if (rows[i].monitor.id > 0)
			incident->monitors[incident->monitor_count++] = rows[i].monitor;
	incident_list_ids(incident, arena);
	if (incident->monitor_count == 0)
		return;
	incident->monitor_id = rows[0].monitor.id;
	incident->monitor_name = rows[0].monitor.name;
	incident->monitor_url = rows[0].url;
}

/* Either a page that an incident names, or an impact that monitoring detected on a monitor. For an
 * open incident, it is the present impact. For an incident that is over, it is the worst impact
 * while the incident lasted. */
struct fact {
	int64_t incident_id; /* 0: an impact for all open incidents that affect the monitor */
	int64_t monitor_id;
	int64_t page_id; /* 0: the fact is an impact */
	int64_t position;
	const char *address;
	int64_t impact;
};
static const struct field fact_rows[] = {
	FIELD(struct fact, incident_id), FIELD(struct fact, monitor_id),
	FIELD(struct fact, page_id),	 FIELD(struct fact, position),
	FIELD(struct fact, address),	 FIELD(struct fact, impact),
};

#define NAMED_PAGES \
	"SELECT g.incident_id, 0 AS monitor_id, p.id AS page_id, g.position, " PAGE_ADDRESS \
	"AS address, 0 AS impact FROM incident_pages g FORCE INDEX (incident_pages_incident) " \
	"STRAIGHT_JOIN status_pages p ON p.id = g.status_page_id " \
	"WHERE g.is_shown = 1 AND g.incident_id IN ("
#define OPEN_IMPACTS \
	"SELECT 0 AS incident_id, d.open_monitor_id AS monitor_id, 0 AS page_id, 0 AS position, " \
	"NULL AS address, d.impact FROM incidents d WHERE d.open_monitor_id IN ("
/* The worst impact that monitoring detected on each monitor while the reported incident `x` lasted.
 * Detected incidents of a monitor do not overlap. So at most one detected incident of a
 * monitor goes on at the end of `x`. */
#define PAST_IMPACTS \
	"SELECT x.incident_id, x.monitor_id, 0 AS page_id, 0 AS position, NULL AS address, " \
	"GREATEST(" \
	"COALESCE((SELECT MAX(d.impact) FROM incidents d WHERE d.monitor_id = x.monitor_id " \
	"AND d.ends_at >= x.started_at AND d.ends_at <= x.ended_at), 0), " \
	"COALESCE((SELECT IF(d.started_at <= x.ended_at AND d.ended_at IS NOT NULL, d.impact, 0) " \
	"FROM incidents d WHERE d.monitor_id = x.monitor_id AND d.ends_at > x.ended_at " \
	"ORDER BY d.ends_at LIMIT 1), 0)) AS impact FROM incident_monitors x " \
	"WHERE x.monitor_id IS NOT NULL AND x.incident_id IN ("

static int by_position(const void *a, const void *b)
{
	const struct fact *left = a, *right = b;
	return (left->position > right->position) - (left->position < right->position);
}

/* Adds the part of the statement for the ids, if there are any. */
static void add_part(struct sql_build *sql, struct sql part, const struct id_list *ids,
		     struct arena *arena)
{
	if (ids->count == 0)
		return;
	if (sql->len > 0)
		sql_add(sql, SQL("UNION ALL "));
	sql_add(sql, part);
	sql_list_ints(sql, ids->ids, ids->count, arena);
	sql_add(sql, SQL(") "));
}

/* The ids for which facts are read. */
struct asked {
	struct id_list named;	   /* incidents that may name pages */
	struct id_list open;	   /* monitors of open incidents */
	struct id_list impactless; /* incidents that are over, and have no impact of their own */
};

static enum result read_facts(struct db *db, const struct asked *asked, struct arena *arena,
			      struct db_list *list, struct error *error)
{
	struct sql_build sql;
	const size_t most = asked->named.count * INCIDENT_PAGES_MAX + asked->open.count +
			    asked->impactless.count * INCIDENT_MONITORS_MAX;
	*list = (struct db_list){ 0 };
	if (most == 0)
		return OK;
	sql_start(&sql, SQL(""));
	add_part(&sql, SQL(NAMED_PAGES), &asked->named, arena);
	add_part(&sql, SQL(OPEN_IMPACTS), &asked->open, arena);
	add_part(&sql, SQL(PAST_IMPACTS), &asked->impactless, arena);
	sql_add(&sql, SQL("LIMIT ?"), (int64_t)most);
	enum result result = db_read_list(db, &sql, DB_SHAPE(FIELDS(fact_rows), struct fact, most),
					  arena, list, error);
	if (result == OK && list->count > 1)
		qsort(list->rows, list->count, sizeof(struct fact), by_position);
	return result;
}

/* Sets the pages that the incident names, the address of the page with the lowest id, and the
 * impacts that monitoring detected. */
static void set_facts(struct incident *incident, const struct db_list *list, struct arena *arena)
{
	const struct fact *facts = list->rows, *first = NULL;
	struct id_list *ids = &incident->page_ids;
	*ids = (struct id_list){ ARENA_ARRAY(arena, INCIDENT_PAGES_MAX, int64_t), 0 };
	for (size_t i = 0; i < list->count; i++) {
		const struct fact *fact = &facts[i];
		struct incident_monitor *monitor;
		bool is_of_all = fact->incident_id == 0 && incident->ended_at.s == 0;
		if (fact->incident_id != incident->id && !is_of_all)
			continue;
		if (fact->page_id == 0) {
			monitor = incident_monitor_of(incident, fact->monitor_id);
			if (monitor)
				monitor->detected_impact = (int)fact->impact;
			continue;
		}
		if (ids->count < INCIDENT_PAGES_MAX)
			ids->ids[ids->count++] = fact->page_id;
		if (!first || fact->page_id < first->page_id)
			first = fact;
	}
	if (first)
		incident->page_address = first->address;
}

/* Sets the address of the page with the lowest id that shows one of the monitors. */
static void set_address(struct incident *incident, const struct covered *rows, size_t count)
{
	int64_t first = INT64_MAX;
	incident->page_address = NULL;
	for (size_t i = 0; i < count; i++) {
		int64_t id;
		const char *address = incident_first_page(rows[i].page, &id);
		if (!address || id >= first)
			continue;
		first = id;
		incident->page_address = address;
	}
}

const char *incident_first_page(const char *page, int64_t *id)
{
	struct str rest = str_from(page ? page : ""), number;
	if (!str_split(&rest, ' ', &number) || !str_to_int64(number, id))
		return NULL;
	return rest.data;
}

static void ask_about(struct asked *asked, const struct incident *incident)
{
	bool is_open = incident->ended_at.s == 0;
	if (incident->names_pages)
		asked->named.ids[asked->named.count++] = incident->id;
	for (size_t i = 0; is_open && i < incident->monitor_count; i++)
		asked->open.ids[asked->open.count++] = incident->monitors[i].id;
	/* An incident without an impact of its own shows the impacts of its monitors: see
	 * incident_show_impacts(). */
	if (!is_open && incident->impact == INCIDENT_IMPACT_NONE && incident->monitor_count > 0)
		asked->impactless.ids[asked->impactless.count++] = incident->id;
}

enum result incident_report_complete(struct db *db, struct incident *incidents, size_t count,
				     const struct db_list *covered, struct arena *arena,
				     struct error *error)
{
	struct asked asked = { .named.ids = ARENA_ARRAY(arena, count, int64_t),
			       .open.ids = ARENA_ARRAY(arena, covered->count, int64_t),
			       .impactless.ids = ARENA_ARRAY(arena, count, int64_t) };
	struct db_list facts;
	if (covered->count > 1)
		qsort(covered->rows, covered->count, sizeof(struct covered), by_place);
	for (size_t i = 0; i < count; i++) {
		const struct covered *rows;
		if (incidents[i].kind != INCIDENT_REPORTED)
			continue;
		size_t row_count = rows_of(&incidents[i], covered->rows, covered->count, &rows);
		set_monitors(&incidents[i], rows, row_count, arena);
		set_address(&incidents[i], rows, row_count);
		ask_about(&asked, &incidents[i]);
	}
	id_list_settle(&asked.open);
	enum result result = read_facts(db, &asked, arena, &facts, error);
	for (size_t i = 0; result == OK && i < count; i++)
		if (incidents[i].kind == INCIDENT_REPORTED)
			set_facts(&incidents[i], &facts, arena);
	return result;
}

/* Reads the stored monitors of reported incidents. */
static enum result read_covered(struct db *db, struct incident *incidents, size_t count,
				struct arena *arena, struct error *error)
{
	const size_t most = count * INCIDENT_MONITORS_MAX;
	int64_t *ids = ARENA_ARRAY(arena, count, int64_t);
	struct sql_build sql;
	struct db_list list;
	for (size_t i = 0; i < count; i++)
		ids[i] = incidents[i].id;
	sql_start(&sql, SQL("SELECT x.incident_id, " COVERED_COLUMNS
			    "m.name, x.lesser_impact, x.affected_from, x.affected_until, "
			    "x.has_outage, x.outage_from, x.outage_until, m.url "
			    "FROM incident_monitors x LEFT JOIN monitors m ON m.id = "
			    "x.monitor_id WHERE x.incident_id IN ("));
	sql_list_ints(&sql, ids, count, arena);
	sql_add(&sql, SQL(") ORDER BY x.incident_id, x.position LIMIT ?"), (int64_t)most);
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(covered_rows), struct covered, most),
					  arena, &list, error);
	return result == OK ? incident_report_complete(db, incidents, count, &list, arena, error)
			    : result;
}

enum result incident_report_read(struct db *db, struct incident *incident, struct arena *arena,
				 struct error *error)
{
	return incident->kind == INCIDENT_REPORTED ? read_covered(db, incident, 1, arena, error)
						   : OK;
}

/* clang-format off */
#define COLUMN_ROW(name, type) FIELD(struct incident, name),
static const struct field incident_rows[] = { READ_COLUMNS(COLUMN_ROW) };
static const struct field placed_rows[] = {
	READ_COLUMNS(COLUMN_ROW) FIELD(struct incident, page_address)
};
/* clang-format on */

/* Sets the members that are not in the rows of incidents. */
static enum result complete_all(struct db *db, const struct db_list *found, struct arena *arena,
				struct error *error)
{
	struct incident *incidents = found->rows;
	for (size_t i = 0; i < found->count; i++)
		incident_complete(&incidents[i], arena);
	return found->count > 0 ? read_covered(db, incidents, found->count, arena, error) : OK;
}

enum result incidents_read_whole(struct db *db, const struct id_list *ids, struct arena *arena,
				 struct db_list *found, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " INCIDENT_COLUMNS ADDRESS_OF_INCIDENT "FROM incidents i "
			    "LEFT JOIN monitors m ON m.id = i.monitor_id WHERE i.id IN ("));
	sql_list_ints(&sql, ids->ids, ids->count, arena);
	sql_add(&sql, SQL(") ORDER BY i.id LIMIT ?"), (int64_t)ids->count);
	enum result result =
		db_read_list(db, &sql, DB_SHAPE(FIELDS(placed_rows), struct incident, ids->count),
			     arena, found, error);
	return result == OK ? complete_all(db, found, arena, error) : result;
}

enum result incidents_lock_covering(struct db *db, int64_t monitor_id, size_t most,
				    struct arena *arena, struct db_list *found, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " INCIDENT_COLUMNS
			    "FROM (SELECT x.incident_id AS its_id FROM incident_monitors x "
			    "WHERE x.monitor_id = ? ORDER BY x.incident_id LIMIT ?) covering "
			    "STRAIGHT_JOIN incidents i ON i.id = covering.its_id "
			    "LEFT JOIN monitors m ON m.id = i.monitor_id "
			    "ORDER BY i.id FOR UPDATE"));
	sql_add(&sql, monitor_id, (int64_t)most);
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(incident_rows), struct incident, most),
					  arena, found, error);
	return result == OK ? complete_all(db, found, arena, error) : result;
}
