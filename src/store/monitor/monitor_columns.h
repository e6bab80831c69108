/* The columns of a monitor, with its counts, its state and its last cause. */
#ifndef STORE_MONITOR_MONITOR_COLUMNS_H
#define STORE_MONITOR_MONITOR_COLUMNS_H

#include "domain/monitor/monitor.h"
#include "store/check/check_settings_store.h"
#include "store/columns.h"

/* When the present maintenance of the monitor `m` began, by the clock; NULL: none. The three
 * arguments are `now`: see monitor_bind_columns(). */
#define MAINTENANCE_SINCE \
	"(SELECT MIN(o.starts_at) FROM maintenance_monitors x " \
	"JOIN maintenances w ON w.id = x.maintenance_id AND w.over_at > ? " \
	"AND w.deleted_at IS NULL JOIN maintenance_occurrences o ON o.maintenance_id = w.id " \
	"WHERE x.monitor_id = m.id AND o.is_dropped = 0 AND o.status <= 2 " \
	"AND IF(w.auto_transition = 1, o.starts_at <= ? AND o.ends_at > ?, o.status > 0))"
/* The open reported incidents with a major outage of the monitor `m`. They make `m` down, as on
 * pages, even during maintenance. */
#define REPORTED_DOWN \
	"FROM incident_monitors r WHERE r.monitor_id = m.id " \
	"AND r.ends_at = TIMESTAMP'9999-12-31 00:00:00' AND r.impact = 3 "

/* Joins the checker's data about `m`. The checker checks all monitors whose type is not external
 * (0). */
#define MONITOR_JOINS \
	CHECK_JOIN \
	"LEFT JOIN monitor_states t ON t.monitor_id = k.monitor_id AND k.type > 0 " \
	"AND t.location_id = 0 "
_Static_assert(CHECK_EXTERNAL == 0 && CHECK_PENDING == 0 && CHECK_CONFIRMING == 2 &&
		       CHECK_NO_DATA == 4,
	       "numbers in statements");
/* The phase of the checks of `m`, for conditions; NULL: the monitor is not checked. */
#define CHECK_PHASE \
	"(SELECT COALESCE(t.phase, 0) FROM monitor_checks k LEFT JOIN monitor_states t " \
	"ON t.monitor_id = k.monitor_id AND t.location_id = 0 " \
	"WHERE k.monitor_id = m.id AND k.type > 0)"
/* The open gap of the monitor `m`, which has not ended. */
#define OPEN_GAP \
	"FROM monitor_gaps g WHERE g.monitor_id = m.id " \
	"AND g.ends_at = TIMESTAMP'9999-12-31 00:00:00'"

#define MONITOR_CHANNELS_READ \
	"(SELECT GROUP_CONCAT(x.channel_id ORDER BY x.channel_id) FROM monitor_channels x " \
	"WHERE x.monitor_id = m.id) AS alert_channel_ids"

static inline void monitor_bind_columns(struct sql_build *sql, struct instant now)
{
	for (int i = 0; i < 3; i++)
		sql_add(sql, now);
}

/* clang-format off */
#define MONITOR_COLUMNS_READ MONITOR_FIELDS(COLUMN_READ, "m.", 0)
/*
 * The columns of the monitor `m`, for a statement in which MONITOR_JOINS follows FROM. Each
 * subquery is a look-up by the monitor in an index. Three indexes are forced, because the optimiser
 * prefers to sort while there are few rows, and prepared statements keep that plan.
 */
#define MONITOR_COLUMNS \
	MONITOR_COLUMNS_READ \
	"(SELECT COUNT(*) FROM status_page_monitors s WHERE s.monitor_id = m.id) " \
	"AS status_page_count, " \
	"(SELECT COALESCE(SUM(c.total), 0) FROM incident_counts c " \
	"WHERE c.monitor_id = m.id) AS incident_count, " \
	"(SELECT i.started_at FROM incidents i WHERE i.open_monitor_id = m.id) " \
	"AS open_since, " \
	"(SELECT MIN(GREATEST(r.started_at, COALESCE(r.outage_from, r.started_at))) " \
	REPORTED_DOWN ") AS reported_since, " \
	"(SELECT i.ended_at FROM incidents i FORCE INDEX (incidents_monitor_status_ends) " \
	"WHERE i.monitor_id = m.id AND i.status = 2 " \
	"ORDER BY i.ends_at DESC, i.id DESC LIMIT 1) AS last_ended_at, " \
	"(SELECT COALESCE(r.outage_until, r.ended_at) FROM incident_monitors r " \
	"FORCE INDEX (incident_monitors_ends) WHERE r.monitor_id = m.id AND r.has_outage = 1 " \
	"ORDER BY r.ends_at DESC, r.incident_id DESC LIMIT 1) AS reported_until, " \
	"COALESCE(IF(t.phase IN (2, 4), t.cause, NULL), " \
	"(SELECT i.cause FROM incidents i FORCE INDEX (incidents_monitor_starts) " \
	"WHERE i.monitor_id = m.id " \
	"ORDER BY i.started_at DESC, i.id DESC LIMIT 1)) AS last_cause, " \
	MAINTENANCE_SINCE " AS maintenance_since, " CHECK_COLUMNS_READ "m.removed_at, " \
	MONITOR_CHANNELS_READ ", t.phase AS check_phase, " \
	"t.since AS check_since, t.checked_at, t.response_ms, t.tls_expires_at, " \
	"IF(k.domain_alert_days > 0, t.domain_expires_at, NULL) AS domain_expires_at, " \
	"(SELECT MIN(g.started_at) " OPEN_GAP ") AS gap_since, " \
	"(SELECT MAX(g.ends_at) FROM monitor_gaps g WHERE g.monitor_id = m.id) AS gap_until, " \
	"m.id "
#define MONITOR_READ_ROWS \
	MONITOR_FIELDS(COLUMN_READ_ROW, struct monitor, 0) \
	FIELD(struct monitor, status_page_count), FIELD(struct monitor, incident_count), \
	FIELD(struct monitor, open_since), \
	FIELD(struct monitor, reported_since), FIELD(struct monitor, last_ended_at), \
	FIELD(struct monitor, reported_until), FIELD(struct monitor, last_cause), \
	FIELD(struct monitor, maintenance_since), CHECK_READ_ROWS \
	FIELD(struct monitor, removed_at), FIELD(struct monitor, alert_channel_ids), \
	FIELD(struct monitor, check_phase), \
	FIELD(struct monitor, check_since), FIELD(struct monitor, checked_at), \
	FIELD(struct monitor, response_ms), FIELD(struct monitor, tls_expires_at), \
	FIELD(struct monitor, domain_expires_at), \
	FIELD(struct monitor, gap_since), FIELD(struct monitor, gap_until), \
	FIELD(struct monitor, id),
/* clang-format on */
/* Sets the members that follow from MONITOR_READ_ROWS: the settings of the checks, and the
 * state. */
void monitors_complete(struct monitor *rows, size_t count, struct arena *arena);

#endif
