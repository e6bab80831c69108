/* The list of the monitors that are checked, with their settings, states and newest hours. */
#include <stdio.h>
#include <string.h>

#include "store/check/check_settings_store.h"
#include "store/check/check_store.h"

/* The state, the newest hour and the report of a monitor, which are stored in other tables than its
 * settings. */
struct progress {
	int64_t id;
	struct instant known_since;
	struct check_state state; /* without the cause */
	const char *cause;
	int64_t phase;
	int64_t reported;
	struct instant reported_since;
	struct check_hour hour;
	bool has_gap;
};

/* The sums of the newest hour. If k.locations names the locations that check the monitor, these are
 * the sums of one location, from location_hours. Otherwise they are from monitor_hours, which has
 * the sums of all locations together. */
#define SUMS \
	"IF(k.locations IS NULL, h.checks, l.checks) AS checks, " \
	"IF(k.locations IS NULL, h.failures, l.failures) AS hour_failures, " \
	"IF(k.locations IS NULL, h.response_sum_ms, l.response_sum_ms) AS response_sum_ms, " \
	"IF(k.locations IS NULL, h.response_min_ms, l.response_min_ms) AS response_min_ms, " \
	"IF(k.locations IS NULL, h.response_max_ms, l.response_max_ms) AS response_max_ms, "

/* Reads the states, hours and gaps of the checks. A time that is NULL, for example of a new
 * monitor, is read as 0. */
static enum result read_progress(struct db *db, const struct stored_check_list *checks,
				 int64_t location_id, struct arena *arena, struct db_list *found,
				 struct error *error)
{
#define OWN(member)	   FIELD(struct progress, member)
#define OF(member, column) FIELD_NAMED(struct progress, member, column)
	static const struct field rows[] = {
		OWN(id),
		OWN(known_since),
		OWN(phase),
		OF(state.since, "since"),
		OF(state.checked_at, "checked_at"),
		OF(state.failing_since, "failing_since"),
		OF(state.well_since, "well_since"),
		OF(state.failures, "failures"),
		OF(state.successes, "successes"),
		OF(state.is_slow, "is_slow"),
		OF(state.changes, "changes"),
		OF(state.changes_since, "changes_since"),
		OF(state.is_flapping, "is_flapping"),
		OF(state.response_ms, "response_ms"),
		OWN(cause),
		OWN(reported),
		OWN(reported_since),
		OF(hour.hour, "hour"),
		OF(hour.checks, "checks"),
		OF(hour.failures, "hour_failures"),
		OF(hour.response_sum_ms, "response_sum_ms"),
		OF(hour.response_min_ms, "response_min_ms"),
		OF(hour.response_max_ms, "response_max_ms"),
		OWN(has_gap),
	};
#undef OWN
#undef OF
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT m.id, m.known_since, s.phase, s.since, s.checked_at, "
			    "s.failing_since, s.well_since, s.failures, s.successes, s.is_slow, "
			    "s.changes, s.changes_since, s.is_flapping, s.response_ms, s.cause, "
			    "s.reported, s.reported_since, h.hour, " SUMS
			    "g.monitor_id IS NOT NULL AS has_gap "
			    "FROM monitor_checks k JOIN monitors m "
			    "ON m.id = k.monitor_id "
			    "LEFT JOIN monitor_states s ON s.monitor_id = k.monitor_id "
			    "AND s.location_id = ? "
			    "LEFT JOIN monitor_hours h ON h.hour = (SELECT MAX(x.hour) "
			    "FROM monitor_hours x WHERE x.hour <= UTC_TIMESTAMP()) "
			    "AND h.monitor_id = k.monitor_id "
			    "LEFT JOIN location_hours l ON l.monitor_id = k.monitor_id "
			    "AND l.hour = h.hour AND l.location_id = ? "
			    "LEFT JOIN monitor_gaps g ON g.monitor_id = k.monitor_id "
			    "AND g.ends_at = TIMESTAMP'9999-12-31 00:00:00' "
			    "WHERE k.monitor_id >= ? AND k.monitor_id <= ? AND k.type > 0 "
			    "AND m.retired_at IS NULL ORDER BY k.monitor_id LIMIT ?"));
	sql_add(&sql, location_id, location_id, checks->rows[0].id,
		checks->rows[checks->count - 1].id);
	/* Allow for more rows than the first statement has read: checks of further monitors may
	 * have begun since then. */
	sql_add(&sql, 2 * CHECKED_LIST_MAX);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct progress, 2 * CHECKED_LIST_MAX),
			    arena, found, error);
}

static struct checked_monitor merged(const struct stored_check *check,
				     const struct progress *progress)
{
	struct checked_monitor monitor = {
		.id = check->id,
		.account_id = check->account_id,
		.name = check->name,
		.is_paused = check->is_paused,
		.settings = check->settings,
	};
	if (!progress)
		return monitor;
	monitor.state = progress->state;
	monitor.state.phase = (int)progress->phase;
	snprintf(monitor.state.cause, sizeof(monitor.state.cause), "%s",
		 progress->cause ? progress->cause : "");
	monitor.reported =
		(struct check_reported){ (int)progress->reported, progress->reported_since };
	monitor.hour = progress->hour;
	monitor.is_known = progress->known_since.s > 0;
	monitor.has_gap = progress->has_gap;
	return monitor;
}

enum result checked_list_read(struct db *db, const uint8_t *key, const struct check_range *range,
			      struct arena *arena, struct checked_list *list, struct error *error)
{
	struct stored_check_list checks = { 0 };
	struct db_list found = { 0 };
	*list = (struct checked_list){ 0 };
	enum result result = stored_checks_read(db, key, range, arena, &checks, error);
	if (result != OK || checks.count == 0)
		return result;
	result = read_progress(db, &checks, range->location ? range->location->id : 0, arena,
			       &found, error);
	if (result != OK)
		return result;
	const struct progress *progress = found.rows;
	list->rows = ARENA_ARRAY(arena, checks.count, struct checked_monitor);
	list->count = checks.count;
	for (size_t i = 0, at = 0; i < checks.count; i++) {
		while (at < found.count && progress[at].id < checks.rows[i].id)
			at++;
		bool is_there = at < found.count && progress[at].id == checks.rows[i].id;
		list->rows[i] = merged(&checks.rows[i], is_there ? &progress[at] : NULL);
	}
	return OK;
}

enum result checked_mark_read(struct db *db, struct checked_mark *mark, struct error *error)
{
	static const struct field rows[] = { FIELD(struct checked_mark, total),
					     FIELD(struct checked_mark, sum),
					     FIELD(struct checked_mark, newest) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS total, "
			    "CAST(COALESCE(SUM(UNIX_TIMESTAMP(changed_at)), 0) AS SIGNED) AS sum, "
			    "MAX(changed_at) AS newest FROM monitor_checks"));
	return db_read_one(db, &sql, FIELDS(rows), mark, NULL, error);
}
