#include "store/snapshot/page_history_details.h"

#include "domain/incident/incident_report.h"
#include "domain/page/page_texts.h"
#include "store/incident/incident_update.h"
#include "store/snapshot/snapshot.h"

struct details {
	struct db *db;
	struct page_snapshot *snapshot;
	struct arena *arena;
	struct page_incident **incidents; /* the incidents whose details are to be read */
	size_t count;
};

typedef bool incident_filter(const struct page_incident *incident);

static bool lacks_updates(const struct page_incident *incident)
{
	return incident->row.comment && !incident->updates.rows;
}

static bool lacks_monitors(const struct page_incident *incident)
{
	return incident->row.kind == INCIDENT_REPORTED && !incident->row.monitors;
}

/* Returns how many of the month's incidents the filter examines. lacks_updates() does not examine
 * incidents that began in earlier months, because the month shows no updates of them. */
static size_t count_of(const struct page_month *month, incident_filter *filter)
{
	return month->incident_count + (filter == lacks_monitors ? month->earlier_count : 0);
}

static void select_incidents(struct details *details, size_t from, size_t to,
			     incident_filter *filter)
{
	struct page_month *months = details->snapshot->months;
	size_t room = 0;
	for (size_t month = from; month <= to; month++)
		room += count_of(&months[month], filter);
	details->incidents = ARENA_ARRAY(details->arena, room, struct page_incident *);
	details->count = 0;
	for (size_t month = from; month <= to; month++)
		for (size_t i = 0; i < count_of(&months[month], filter); i++)
			if (filter(&months[month].incidents[i]))
				details->incidents[details->count++] = &months[month].incidents[i];
}

typedef enum result details_reader(struct details *details, const int64_t *ids, size_t from,
				   size_t count, struct error *error);

static enum result read_updates(struct details *details, const int64_t *ids, size_t from,
				size_t count, struct error *error)
{
	struct db_list list;
	enum result result =
		incident_updates_list(details->db, ids, count, details->arena, &list, error);
	for (size_t i = 0; result == OK && i < count; i++)
		details->incidents[from + i]->updates = incident_updates_of(
			&details->incidents[from + i]->row, &list, details->arena,
			&details->incidents[from + i]->update_total);
	return result;
}

struct monitor_row {
	int64_t incident_id;
	struct incident_monitor monitor;
};

#define OF_MONITOR(member) FIELD_NAMED(struct monitor_row, monitor.member, #member)
static const struct field monitor_rows[] = {
	FIELD(struct monitor_row, incident_id),
	OF_MONITOR(id),
	OF_MONITOR(name),
	OF_MONITOR(impact),
	OF_MONITOR(lesser_impact),
	OF_MONITOR(has_outage),
};

static void set_monitors(struct incident *incident, const struct db_list *list, struct arena *arena)
{
	const struct monitor_row *rows = list->rows;
	size_t from = 0, count = 0;
	while (from < list->count && rows[from].incident_id != incident->id)
		from++;
	while (from + count < list->count && rows[from + count].incident_id == incident->id)
		count++;
	incident->monitors = ARENA_ARRAY(arena, count, struct incident_monitor);
	incident->monitor_count = count;
	for (size_t i = 0; i < count; i++)
		incident->monitors[i] = rows[from + i].monitor;
	if (count == 0)
		return;
	incident_sum_up_impact(incident);
	incident->monitor_id = incident->monitors[0].id;
	incident->monitor_name = incident->monitors[0].name;
}

static enum result read_monitors(struct details *details, const int64_t *ids, size_t from,
				 size_t count, struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	size_t most = count * INCIDENT_MONITORS_MAX;
	sql_start(&sql, SQL("SELECT x.incident_id, m.id, m.name, x.impact, "
			    "x.lesser_impact, x.has_outage FROM incident_monitors x "
			    "JOIN status_page_monitors s ON s.monitor_id = x.monitor_id "
			    "AND s.status_page_id = ? JOIN monitors m ON m.id = x.monitor_id "
			    "WHERE x.incident_id IN ("));
	sql_add(&sql, details->snapshot->page.id);
	sql_list_ints(&sql, ids, count, details->arena);
	sql_add(&sql, SQL(") ORDER BY x.incident_id, x.position LIMIT ?"), (int64_t)most);
	enum result result = snapshot_read(details->db, &sql,
					   DB_SHAPE(FIELDS(monitor_rows), struct monitor_row, most),
					   "monitors of incidents", details->arena, &list, error);
	for (size_t i = 0; result == OK && i < count; i++)
		set_monitors(&details->incidents[from + i]->row, &list, details->arena);
	return result;
}

static enum result read_each(struct details *details, details_reader *reader, struct error *error)
{
	int64_t *ids = ARENA_ARRAY(details->arena, details->count, int64_t);
	enum result result = OK;
	for (size_t i = 0; i < details->count; i++)
		ids[i] = details->incidents[i]->row.id;
	for (size_t from = 0, size; result == OK && from < details->count; from += size) {
		size = details->count - from;
		size = size < SNAPSHOT_LIST_MAX ? size : SNAPSHOT_LIST_MAX;
		result = reader(details, &ids[from], from, size, error);
	}
	return result;
}

enum result page_history_read_details(struct db *db, struct page_snapshot *snapshot, size_t from,
				      size_t to, struct arena *arena, struct error *error)
{
	struct details details = { .db = db, .snapshot = snapshot, .arena = arena };
	select_incidents(&details, from, to, lacks_updates);
	enum result result = read_each(&details, read_updates, error);
	if (result == OK) {
		select_incidents(&details, from, to, lacks_monitors);
		result = read_each(&details, read_monitors, error);
	}
	for (size_t month = from; result == OK && month <= to; month++) {
		struct page_month *each = &snapshot->months[month];
		page_texts_limit_updates(each->incidents, each->incident_count);
		size_t count = each->incident_count + each->earlier_count;
		for (size_t i = 0; i < count; i++)
			incident_settle(&each->incidents[i].row);
		page_incidents_nest(each->incidents, count, arena);
	}
	return result == OK ? page_history_read_windows(db, snapshot, from, to, arena, error)
			    : result;
}
