/* What reports name, and the monitors of reported incidents. */
#include <stdlib.h>

#include "domain/incident_report.h"
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
	FIELD(struct monitor_row, url),
};

/* Gives an incident its rows, which are together. */
static void set_monitors(struct incident *incident, const struct db_list *list, struct arena *arena)
{
	const struct monitor_row *rows = list->rows;
	size_t from = 0, count = 0;
	while (from < list->count && rows[from].incident_id != incident->id)
		from++;
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

static enum result read_monitors(struct db *db, struct incident *incidents, size_t count,
				 const struct id_list *reported, struct arena *arena,
				 struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	const size_t most = reported->count * INCIDENT_MONITORS_MAX;
	sql_start(&sql,
		  SQL("SELECT x.incident_id, m.id, m.name, x.position, x.impact, x.lesser_impact, "
		      "x.affected_from, x.affected_until, x.has_outage, x.outage_from, "
		      "x.outage_until, m.url "
		      "FROM incident_monitors x LEFT JOIN monitors m ON m.id = x.monitor_id "
		      "WHERE x.incident_id IN ("));
	sql_list_ints(&sql, reported->ids, reported->count, arena);
	sql_add(&sql, SQL(") ORDER BY x.incident_id, x.position LIMIT ?"));
	sql_int(&sql, (int64_t)most);
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(monitor_rows), struct monitor_row, most),
					  arena, &list, error);
	for (size_t i = 0; result == OK && i < count; i++)
		if (incidents[i].kind == INCIDENT_REPORTED)
			set_monitors(&incidents[i], &list, arena);
	return result;
}

/*
 * What one statement reads about all incidents. A page: that which an incident names, or the first
 * that shows a monitor. An impact: that of a monitor's open incident, or the worst that monitoring
 * found on a monitor while the incident lasted.
 */
struct fact {
	int64_t incident_id; /* 0: of every incident that covers the monitor */
	int64_t monitor_id;  /* 0: of the incident */
	int64_t page_id;     /* 0: an impact */
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
#define PAGES_OF_MONITORS \
	") UNION ALL SELECT 0, f.monitor_id, p.id, 0, " PAGE_ADDRESS ", 0 FROM (" \
	"SELECT s.monitor_id, MIN(s.status_page_id) AS page_id FROM status_page_monitors s " \
	"WHERE s.monitor_id IN ("
#define OPEN_IMPACTS \
	"UNION ALL SELECT 0, d.open_monitor_id, 0, 0, NULL, d.impact FROM incidents d " \
	"WHERE d.open_monitor_id IN ("
/* Detected incidents of a monitor do not overlap, so that one at most goes on at the end of `x`. */
#define PAST_IMPACTS \
	"UNION ALL SELECT x.incident_id, x.monitor_id, 0, 0, NULL, GREATEST(" \
	"COALESCE((SELECT MAX(d.impact) FROM incidents d WHERE d.monitor_id = x.monitor_id " \
	"AND d.ends_at >= x.started_at AND d.ends_at <= x.ended_at), 0), " \
	"COALESCE((SELECT IF(d.started_at <= x.ended_at AND d.ended_at IS NOT NULL, d.impact, 0) " \
	"FROM incidents d WHERE d.monitor_id = x.monitor_id AND d.ends_at > x.ended_at " \
	"ORDER BY d.ends_at LIMIT 1), 0)) FROM incident_monitors x " \
	"WHERE x.impact = 0 AND x.monitor_id IS NOT NULL AND x.incident_id IN ("

/* The ids that the parts of that statement are of. */
struct asked {
	struct id_list reported;
	struct id_list monitors;
	struct id_list open_monitors; /* of open incidents */
	struct id_list impactless;    /* incidents that are over, with a monitor without impact */
};

static void add_id(struct id_list *list, int64_t id)
{
	list->ids[list->count++] = id;
}

/* Sorts the ids, and drops repeats. */
static void settle_ids(struct id_list *list)
{
	size_t kept = 0;
	if (list->count > 1)
		qsort(list->ids, list->count, sizeof(*list->ids), id_order);
	for (size_t i = 0; i < list->count; i++)
		if (kept == 0 || list->ids[kept - 1] != list->ids[i])
			list->ids[kept++] = list->ids[i];
	list->count = kept;
}

static void ask_monitors(struct asked *asked, const struct incident *incident)
{
	bool is_open = incident->ended_at.s == 0, is_impactless = false;
	for (size_t i = 0; i < incident->monitor_count; i++) {
		const struct incident_monitor *monitor = &incident->monitors[i];
		add_id(&asked->monitors, monitor->id);
		if (is_open)
			add_id(&asked->open_monitors, monitor->id);
		is_impactless |= !is_open && monitor->impact == INCIDENT_IMPACT_NONE;
	}
	if (is_impactless)
		add_id(&asked->impactless, incident->id);
}

static void ask_all(struct asked *asked, const struct incident *incidents, size_t count,
		    struct arena *arena)
{
	size_t monitors = 0;
	for (size_t i = 0; i < count; i++)
		monitors += incidents[i].kind == INCIDENT_REPORTED ? incidents[i].monitor_count : 0;
	asked->monitors.ids = ARENA_ARRAY(arena, monitors, int64_t);
	asked->open_monitors.ids = ARENA_ARRAY(arena, monitors, int64_t);
	asked->impactless.ids = ARENA_ARRAY(arena, count, int64_t);
	for (size_t i = 0; i < count; i++)
		if (incidents[i].kind == INCIDENT_REPORTED)
			ask_monitors(asked, &incidents[i]);
	settle_ids(&asked->monitors);
	settle_ids(&asked->open_monitors);
}

static void add_part(struct sql_build *sql, struct sql part, const struct id_list *ids,
		     struct arena *arena)
{
	if (ids->count == 0)
		return;
	sql_add(sql, part);
	sql_list_ints(sql, ids->ids, ids->count, arena);
	sql_add(sql, SQL(") "));
}

static enum result read_facts(struct db *db, const struct asked *asked, struct arena *arena,
			      struct db_list *list, struct error *error)
{
	struct sql_build sql;
	const size_t most = asked->reported.count * (INCIDENT_PAGES_MAX + INCIDENT_MONITORS_MAX) +
			    2 * asked->monitors.count;
	sql_start(&sql, SQL(NAMED_PAGES));
	sql_list_ints(&sql, asked->reported.ids, asked->reported.count, arena);
	if (asked->monitors.count > 0) {
		sql_add(&sql, SQL(PAGES_OF_MONITORS));
		sql_list_ints(&sql, asked->monitors.ids, asked->monitors.count, arena);
		sql_add(&sql, SQL(") GROUP BY s.monitor_id) f "
				  "STRAIGHT_JOIN status_pages p ON p.id = f.page_id "));
	} else {
		sql_add(&sql, SQL(") "));
	}
	add_part(&sql, SQL(OPEN_IMPACTS), &asked->open_monitors, arena);
	add_part(&sql, SQL(PAST_IMPACTS), &asked->impactless, arena);
	sql_add(&sql, SQL("LIMIT ?"));
	sql_int(&sql, (int64_t)most);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(fact_rows), struct fact, most), arena, list,
			    error);
}

static int by_position(const void *a, const void *b)
{
	const struct fact *left = a, *right = b;
	return (left->position > right->position) - (left->position < right->position);
}

static bool is_of(const struct fact *fact, const struct incident *incident)
{
	return fact->incident_id == incident->id ||
	       (fact->incident_id == 0 && incident_monitor_of(incident, fact->monitor_id));
}

/* The page with the lowest id: of those that the incident names, else of its monitors'. */
static void set_address(struct incident *incident, const struct fact *facts, size_t count)
{
	const struct fact *first = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct fact *fact = &facts[i];
		if (fact->page_id == 0 || !is_of(fact, incident))
			continue;
		bool is_named = fact->incident_id > 0, was_named = first && first->incident_id > 0;
		if (!first || (is_named && !was_named) ||
		    (is_named == was_named && fact->page_id < first->page_id))
			first = fact;
	}
	incident->page_address = first ? first->address : NULL;
}

static void set_impact(struct incident *incident, const struct fact *fact)
{
	struct incident_monitor *monitor = incident_monitor_of(incident, fact->monitor_id);
	bool is_of_open = fact->incident_id == 0;
	if (monitor && is_of_open == (incident->ended_at.s == 0))
		monitor->detected_impact = (int)fact->impact;
}

static void set_facts(struct incident *incident, const struct db_list *list, struct arena *arena)
{
	const struct fact *facts = list->rows;
	struct id_list *ids = &incident->page_ids;
	*ids = (struct id_list){ ARENA_ARRAY(arena, INCIDENT_PAGES_MAX, int64_t), 0 };
	set_address(incident, facts, list->count);
	for (size_t i = 0; i < list->count; i++) {
		if (facts[i].page_id == 0 && is_of(&facts[i], incident))
			set_impact(incident, &facts[i]);
		if (facts[i].page_id > 0 && facts[i].incident_id == incident->id &&
		    ids->count < INCIDENT_PAGES_MAX)
			add_id(ids, facts[i].page_id);
	}
}

enum result incident_report_read(struct db *db, struct incident *incidents, size_t count,
				 struct arena *arena, struct error *error)
{
	struct asked asked = { .reported = { ARENA_ARRAY(arena, count, int64_t), 0 } };
	struct db_list facts;
	for (size_t i = 0; i < count; i++)
		if (incidents[i].kind == INCIDENT_REPORTED)
			add_id(&asked.reported, incidents[i].id);
	if (asked.reported.count == 0)
		return OK;
	enum result result = read_monitors(db, incidents, count, &asked.reported, arena, error);
	if (result != OK)
		return result;
	ask_all(&asked, incidents, count, arena);
	result = read_facts(db, &asked, arena, &facts, error);
	if (result == OK && facts.count > 1)
		qsort(facts.rows, facts.count, sizeof(struct fact), by_position);
	for (size_t i = 0; result == OK && i < count; i++)
		if (incidents[i].kind == INCIDENT_REPORTED)
			set_facts(&incidents[i], &facts, arena);
	return result;
}
