/*
 * The columns of incidents, each of which is a member of struct incident: those that keep their
 * value, and those that an update writes. For the statements that read or write an incident whole.
 */
#ifndef STORE_INCIDENT_COLUMNS_H
#define STORE_INCIDENT_COLUMNS_H

#include "domain/incident.h"

/* clang-format off */
#define KEPT_COLUMNS(COLUMN) \
	COLUMN(account_id) COLUMN(monitor_id) COLUMN(title) COLUMN(cause) COLUMN(created_at)
#define UPDATED_COLUMNS(COLUMN) \
	COLUMN(comment) COLUMN(started_at) COLUMN(acknowledged_at) COLUMN(ended_at) \
	COLUMN(updated_at)
/* Columns that are only read; the tables are `i` and `m`. */
#define READ_COLUMNS(COLUMN) \
	COLUMN(id) COLUMN(revision) COLUMN(monitor_name) COLUMN(monitor_url)

#define COLUMN_READ(name) "i." #name ", "
#define INCIDENT_COLUMNS \
	KEPT_COLUMNS(COLUMN_READ) UPDATED_COLUMNS(COLUMN_READ) \
	"i.id, i.revision, m.name AS monitor_name, m.url AS monitor_url "
/* clang-format on */

#endif
