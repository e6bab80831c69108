/*
 * The incidents of a page: the times of all that touch its bars, the recent, the newest. The
 * last two come in any order, since a sort of texts costs the database a table on its disk.
 */
#include "store/snapshot.h"

#define OUTAGE(column, member) FIELD_NAMED(struct page_outage, member, column)
static const struct field outage_rows[] = {
	OUTAGE("monitor_id", monitor_id),
	OUTAGE("started_at", interval.from),
	OUTAGE("ended_at", interval.to),
};

#define INCIDENT(member) FIELD(struct incident, member)
static const struct field incident_rows[] = {
	INCIDENT(id),	    INCIDENT(monitor_id),      INCIDENT(title),
	INCIDENT(cause),    INCIDENT(comment),	       INCIDENT(started_at),
	INCIDENT(ended_at), INCIDENT(acknowledged_at), INCIDENT(updated_at),
};

enum result snapshot_load_outages(struct db *db, struct page_snapshot *snapshot,
				  struct arena *arena, struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	if (snapshot->monitor_ids.count == 0)
		return OK;
	/* A monitor's past incidents are many: the index finds the wanted ones. */
	sql_start(&sql, SQL("SELECT monitor_id, started_at, ended_at "
			    "FROM incidents FORCE INDEX (incidents_monitor_ends) "
			    "WHERE monitor_id IN "));
	snapshot_add_monitors(&sql, snapshot, arena);
	sql_add(&sql, SQL("AND ends_at >= ? ORDER BY monitor_id, ends_at, id LIMIT ?"));
	sql_time(&sql, uptime_day_start(snapshot->now, 0));
	sql_int(&sql, PAGE_OUTAGES_MAX + 1);
	enum result result = snapshot_read(
		db, &sql, DB_SHAPE(FIELDS(outage_rows), struct page_outage, PAGE_OUTAGES_MAX),
		"incidents in the days of its bars", arena, &list, error);
	snapshot->outages = list.rows;
	snapshot->outage_count = list.count;
	return result;
}

/* Whether an incident is open or ended at that time or later. */
static bool has_outage_since(const struct page_snapshot *snapshot, struct instant since)
{
	for (size_t i = 0; i < snapshot->outage_count; i++) {
		struct instant end = snapshot->outages[i].interval.to;
		if (end.s == 0 || end.s >= since.s)
			return true;
	}
	return false;
}

enum result snapshot_load_recent(struct db *db, struct page_snapshot *snapshot, struct arena *arena,
				 struct error *error)
{
	struct instant since = page_recent_start(snapshot->now);
	struct sql_build sql;
	struct db_list list;
	if (!has_outage_since(snapshot, since))
		return OK;
	/* The join by NULL reads no text of the incidents that are only counted. An incident that
	 * began before the oldest day shown is listed on that day. */
	sql_start(&sql, SQL("SELECT r.id, r.monitor_id, t.title, COALESCE(t.cause, '') AS cause, "
			    "t.comment, r.started_at, r.ended_at, r.acknowledged_at, r.updated_at "
			    "FROM (SELECT id, monitor_id, started_at, ended_at, acknowledged_at, "
			    "updated_at, ROW_NUMBER() OVER ("
			    "PARTITION BY DATE(GREATEST(started_at, ?)) "
			    "ORDER BY started_at DESC, id DESC) AS place_of_day "
			    "FROM incidents FORCE INDEX (incidents_monitor_ends) "
			    "WHERE monitor_id IN "));
	sql_time(&sql, since);
	snapshot_add_monitors(&sql, snapshot, arena);
	sql_add(&sql, SQL("AND ends_at >= ?) r "
			  "LEFT JOIN incidents t ON t.id = "
			  "IF(r.ended_at IS NULL OR r.place_of_day <= ?, r.id, NULL) LIMIT ?"));
	sql_time(&sql, since);
	sql_int(&sql, PAGE_DAY_INCIDENTS_MAX);
	sql_int(&sql, PAGE_OUTAGES_MAX + 1);
	enum result result = snapshot_read(
		db, &sql, DB_SHAPE(FIELDS(incident_rows), struct incident, PAGE_OUTAGES_MAX),
		"recent incidents", arena, &list, error);
	snapshot->incidents = list.rows;
	snapshot->incident_count = list.count;
	return result;
}

/*
 * A time at or before the starts of the newest incidents: that many of the loaded outages began
 * at or after it. The first second of all times if fewer are loaded.
 */
static struct instant newest_since(const struct page_snapshot *snapshot)
{
	int64_t starts[PAGE_NEWEST_MAX] = { 0 }; /* the latest, in descending order */
	for (size_t i = 0; i < snapshot->outage_count; i++) {
		int64_t start = snapshot->outages[i].interval.from.s;
		size_t at = PAGE_NEWEST_MAX - 1;
		if (start <= starts[at])
			continue;
		for (; at > 0 && start > starts[at - 1]; at--)
			starts[at] = starts[at - 1];
		starts[at] = start;
	}
	int64_t oldest = starts[PAGE_NEWEST_MAX - 1];
	return (struct instant){ oldest > 0 ? oldest : 1 };
}

enum result snapshot_load_newest(struct db *db, struct page_snapshot *snapshot, struct arena *arena,
				 struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	if (snapshot->monitor_ids.count == 0)
		return OK;
	sql_start(&sql, SQL("SELECT i.id, i.monitor_id, i.title, i.cause, i.comment, "
			    "i.started_at, i.ended_at, i.acknowledged_at, i.updated_at "
			    "FROM (SELECT id FROM incidents FORCE INDEX (incidents_monitor_starts) "
			    "WHERE monitor_id IN "));
	snapshot_add_monitors(&sql, snapshot, arena);
	sql_add(&sql, SQL("AND started_at >= ? ORDER BY started_at DESC, id DESC LIMIT ?) newest "
			  "JOIN incidents i ON i.id = newest.id"));
	sql_time(&sql, newest_since(snapshot));
	sql_int(&sql, PAGE_NEWEST_MAX);
	enum result result = snapshot_read(
		db, &sql, DB_SHAPE(FIELDS(incident_rows), struct incident, PAGE_NEWEST_MAX),
		"newest incidents", arena, &list, error);
	snapshot->newest = list.rows;
	snapshot->newest_count = list.count;
	return result;
}
