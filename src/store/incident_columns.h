/*
 * The columns of incidents, each of which is a member of struct incident: those that keep their
 * value, and those that an update writes. For the statements that read or write an incident whole.
 */
#ifndef STORE_INCIDENT_COLUMNS_H
#define STORE_INCIDENT_COLUMNS_H

#include "domain/incident.h"
#include "store/address_column.h"

/* clang-format off */
#define KEPT_COLUMNS(COLUMN) \
	COLUMN(account_id) COLUMN(monitor_id) COLUMN(cause) COLUMN(created_at)
#define WRITTEN_COLUMNS(COLUMN) \
	COLUMN(title) COLUMN(comment) COLUMN(started_at) COLUMN(acknowledged_at) \
	COLUMN(ended_at) COLUMN(updated_at)
/* What only people change: a new detected incident has the values of the schema. */
#define PEOPLES_COLUMNS(COLUMN) \
	COLUMN(phase) COLUMN(impact) COLUMN(next_update_at) COLUMN(exclude_from_uptime) \
	COLUMN(postmortem)
#define UPDATED_COLUMNS(COLUMN) WRITTEN_COLUMNS(COLUMN) PEOPLES_COLUMNS(COLUMN)
/* Columns that are only read; the tables are `i` and `m`. */
#define READ_COLUMNS(COLUMN) \
	COLUMN(id) COLUMN(revision) COLUMN(kind) COLUMN(monitor_name) COLUMN(monitor_url)

#define COLUMN_READ(name) "i." #name ", "
/* Only a detected incident has a monitor in its row; see store/incident_report.h. */
#define INCIDENT_COLUMNS \
	KEPT_COLUMNS(COLUMN_READ) UPDATED_COLUMNS(COLUMN_READ) \
	"i.id, i.revision, (i.monitor_id IS NULL) AS kind, m.name AS monitor_name, " \
	"m.url AS monitor_url "
/*
 * The address of the page with the lowest id that shows a detected incident. Of a reported one
 * incident_report_read() reads the address: its tables would cost each row of a list as much.
 */
#define ADDRESS_OF_INCIDENT \
	", (SELECT " PAGE_ADDRESS "FROM status_page_monitors s " \
	"JOIN status_pages p ON p.id = s.status_page_id WHERE s.monitor_id = i.monitor_id " \
	"ORDER BY s.status_page_id LIMIT 1) AS page_address "
/* clang-format on */

/* Derives what a row of these columns does not have. */
void incident_complete(struct incident *incident, struct arena *arena);

#endif
