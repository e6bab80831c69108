/* The columns of incidents, for statements that read or write incidents. Each column is a member of
 * struct incident. */
#ifndef STORE_INCIDENT_INCIDENT_COLUMNS_H
#define STORE_INCIDENT_INCIDENT_COLUMNS_H

#include "db/db.h"
#include "domain/incident/incident.h"
#include "store/address_column.h"

/* clang-format off */
/* Each column is written COLUMN(name, type). CAST(? AS type) makes a value of the column. */
/* Columns that monitoring changes. */
#define MOVED_COLUMNS(COLUMN) \
	COLUMN(started_at, DATETIME) COLUMN(ended_at, DATETIME) COLUMN(phase, SIGNED) \
	COLUMN(impact, SIGNED) COLUMN(next_update_at, DATETIME)
/* Further columns that people change. */
#define PEOPLES_COLUMNS(COLUMN) \
	COLUMN(title, CHAR) COLUMN(comment, CHAR) COLUMN(acknowledged_at, DATETIME) \
	INCIDENT_PLAIN_FIELDS(PLAIN_COLUMN, COLUMN)
#define PLAIN_COLUMN(COLUMN, type, column, name, shown, sent) COLUMN(name, column)
/* How the impact of a detected incident has changed: the members of `course`. */
#define COURSE_COLUMNS(COLUMN) \
	COLUMN(lesser_impact, SIGNED) COLUMN(affected_from, DATETIME) \
	COLUMN(affected_until, DATETIME) COLUMN(has_outage, SIGNED) \
	COLUMN(outage_from, DATETIME) COLUMN(outage_until, DATETIME)
/* The columns that monitoring and imports set in a new detected incident. The other columns have
 * the schema's defaults. */
#define DETECTED_COLUMNS(COLUMN) \
	COLUMN(monitor_id, SIGNED) COLUMN(title, CHAR) COLUMN(cause, CHAR) COLUMN(comment, CHAR) \
	COLUMN(started_at, DATETIME) COLUMN(acknowledged_at, DATETIME) \
	COLUMN(ended_at, DATETIME) COLUMN(impact, SIGNED)
/* Columns that never change. Also updated_at and revision, which each statement sets explicitly. */
#define KEPT_COLUMNS(COLUMN) \
	COLUMN(account_id, SIGNED) COLUMN(monitor_id, SIGNED) COLUMN(cause, CHAR) \
	COLUMN(created_at, DATETIME) COLUMN(updated_at, DATETIME) COLUMN(id, SIGNED) \
	COLUMN(revision, SIGNED)
/* Columns that a SELECT computes from the tables `i` (incidents) and `m` (monitors). */
#define MADE_COLUMNS(COLUMN) \
	COLUMN(kind, SIGNED) COLUMN(names_pages, SIGNED) COLUMN(monitor_name, CHAR) \
	COLUMN(monitor_url, CHAR)
#define STORED_COLUMNS(COLUMN) \
	MOVED_COLUMNS(COLUMN) PEOPLES_COLUMNS(COLUMN) KEPT_COLUMNS(COLUMN)
#define READ_COLUMNS(COLUMN) STORED_COLUMNS(COLUMN) MADE_COLUMNS(COLUMN)

#define COLUMN_READ(name, type) "i." #name ", "
/* The column `kind` is computed from monitor_id, which is NULL for a reported incident: see
 * store/incident/incident_report.h. */
#define INCIDENT_COLUMNS \
	STORED_COLUMNS(COLUMN_READ) "(i.monitor_id IS NULL) AS kind, " \
	"COALESCE(i.names_pages, 1) AS names_pages, m.name AS monitor_name, m.url AS monitor_url "
/* The address of the page with the lowest id that shows a detected incident. For a reported
 * incident, incident_report_read() reads the address. */
#define ADDRESS_OF_INCIDENT \
	", (SELECT " PAGE_ADDRESS "FROM status_page_monitors s " \
	"JOIN status_pages p ON p.id = s.status_page_id WHERE s.monitor_id = i.monitor_id " \
	"ORDER BY s.status_page_id LIMIT 1) AS page_address "
/*
 * The columns of each monitor of a reported incident, for incident_report_complete(). The tables
 * are `x` (incident_monitors) and `m` (monitors). A second statement reads what is in other tables,
 * because few lists need it, and joins would slow down every list.
 */
struct covered {
	int64_t incident_id;
	struct incident_monitor monitor; /* id 0: the incident has no monitor */
	const char *url;
	const char *page; /* the first page that shows the monitor: see incident_first_page() */
};
#define COVERED_COLUMNS \
	"x.position, x.monitor_id AS covered_id, x.impact AS covered_impact, " \
	"(SELECT CONCAT(s.status_page_id, ' ', " PAGE_ADDRESS ") " \
	"FROM status_page_monitors s STRAIGHT_JOIN status_pages p ON p.id = s.status_page_id " \
	"WHERE s.monitor_id = m.id ORDER BY s.status_page_id LIMIT 1) AS page, "
#define COVERED_ROWS(type, member) \
	FIELD_NAMED(type, member monitor.position, "position"), \
	FIELD_NAMED(type, member monitor.id, "covered_id"), \
	FIELD_NAMED(type, member monitor.impact, "covered_impact"), \
	FIELD_NAMED(type, member page, "page"),
/* clang-format on */

/* Splits the column `page`, which is "ID SLUG/DOMAIN": sets *id, and returns "SLUG/DOMAIN". Returns
 * NULL if there is no page. */
const char *incident_first_page(const char *page, int64_t *id);
/*
 * Sets the members of reported incidents that depend on the rows of their monitors. `covered` has
 * these rows (struct covered), and the function sorts it. Runs one statement if any of the
 * incidents may name pages, is open, or is over and has no impact of its own. Otherwise runs no
 * statement.
 */
enum result incident_report_complete(struct db *db, struct incident *incidents, size_t count,
				     const struct db_list *covered, struct arena *arena,
				     struct error *error) MUST_USE;

/* Sets the members of an incident that follow from the columns of its row. */
void incident_complete(struct incident *incident, struct arena *arena);

#endif
