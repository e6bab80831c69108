/* The columns of a maintenance window, with its current occurrence and its monitors. */
#ifndef STORE_MAINTENANCE_MAINTENANCE_COLUMNS_H
#define STORE_MAINTENANCE_MAINTENANCE_COLUMNS_H

#include "domain/maintenance/maintenance.h"
#include "store/columns.h"

#define OCCURRENCE_COLUMNS \
	"o.id, o.maintenance_id, o.starts_at, o.ends_at, o.status, o.is_dropped, o.is_reminded, " \
	"m.auto_transition AS is_auto, m.remind_before, o.next_at, o.created_at, " \
	"o.updated_at "
#define OCCURRENCE(member) FIELD(struct maintenance_occurrence, member)
/* clang-format off */
#define OCCURRENCE_ROWS \
	OCCURRENCE(id), OCCURRENCE(maintenance_id), OCCURRENCE(starts_at), OCCURRENCE(ends_at), \
	OCCURRENCE(status), OCCURRENCE(is_dropped), OCCURRENCE(is_reminded), OCCURRENCE(is_auto), \
	OCCURRENCE(remind_before), OCCURRENCE(next_at), OCCURRENCE(created_at), \
	OCCURRENCE(updated_at),

/* Joins the current occurrence `o` of the window `m`: the first occurrence that is not over, or the
 * last one if all are over. Each subquery is a look-up in an index. The argument is `now`. */
#define CURRENT_OCCURRENCE \
	"JOIN maintenance_occurrences o ON o.id = COALESCE(" \
	"(SELECT x.id FROM maintenance_occurrences x WHERE x.maintenance_id = m.id " \
	"AND x.ends_at > ? AND x.status <= 2 ORDER BY x.ends_at, x.id LIMIT 1), " \
	"(SELECT x.id FROM maintenance_occurrences x WHERE x.maintenance_id = m.id " \
	"ORDER BY x.is_dropped, x.ends_at DESC, x.id DESC LIMIT 1)) "
/* The status of `o` by the clock, as in maintenance_status_at(). Both arguments are `now`. */
#define STATUS_BY_CLOCK \
	"CASE WHEN o.status >= 3 OR m.auto_transition = 0 THEN o.status " \
	"WHEN o.ends_at <= ? THEN 3 WHEN o.status = 0 AND o.starts_at <= ? THEN 1 " \
	"ELSE o.status END "

#define OF_CURRENT(member, its_name) \
	FIELD_NAMED(struct maintenance, current.member, its_name)
#define MAINTENANCE_COLUMNS \
	MAINTENANCE_FIELDS(COLUMN_READ, "m.", 0) \
	"m.revision, m.first_at, m.over_at, m.expanded_at, " \
	"(SELECT GROUP_CONCAT(x.monitor_id ORDER BY x.position) FROM maintenance_monitors x " \
	"JOIN monitors n ON n.id = x.monitor_id AND n.removed_at IS NULL " \
	"WHERE x.maintenance_id = m.id) AS monitor_ids, " \
	"o.id AS current_id, o.starts_at AS next_starts_at, o.ends_at AS next_ends_at, " \
	"o.status AS current_status, o.is_dropped, o.is_reminded, " \
	"o.created_at AS current_created_at, o.updated_at AS current_updated_at, m.id "
#define MAINTENANCE_READ_ROWS \
	MAINTENANCE_FIELDS(COLUMN_READ_ROW, struct maintenance, 0) \
	FIELD(struct maintenance, revision), FIELD(struct maintenance, first_at), \
	FIELD(struct maintenance, over_at), FIELD(struct maintenance, expanded_at), \
	FIELD(struct maintenance, monitor_ids), OF_CURRENT(id, "current_id"), \
	OF_CURRENT(starts_at, "next_starts_at"), OF_CURRENT(ends_at, "next_ends_at"), \
	OF_CURRENT(status, "current_status"), OF_CURRENT(is_dropped, "is_dropped"), \
	OF_CURRENT(is_reminded, "is_reminded"), \
	OF_CURRENT(created_at, "current_created_at"), \
	OF_CURRENT(updated_at, "current_updated_at"), \
	FIELD(struct maintenance, id),
/* clang-format on */

/* Sets the members of a window that follow from MAINTENANCE_COLUMNS, such as its status by the
 * clock. */
void maintenance_complete(struct maintenance *maintenance, struct instant now);

#endif
