/*
 * The columns of incidents, each of which is a member of struct incident: those that keep their
 * value, and those that an update writes. For the statements that read or write an incident whole.
 */
#ifndef STORE_INCIDENT_INCIDENT_COLUMNS_H
#define STORE_INCIDENT_INCIDENT_COLUMNS_H

#include "db/db.h"
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
	COLUMN(id) COLUMN(revision) COLUMN(kind) COLUMN(names_pages) \
	COLUMN(monitor_name) COLUMN(monitor_url)

#define COLUMN_READ(name) "i." #name ", "
/* Only a detected incident has a monitor in its row; see store/incident/incident_report.h. */
#define INCIDENT_COLUMNS \
	KEPT_COLUMNS(COLUMN_READ) UPDATED_COLUMNS(COLUMN_READ) \
	"i.id, i.revision, (i.monitor_id IS NULL) AS kind, " \
	"COALESCE(i.names_pages, 1) AS names_pages, m.name AS monitor_name, m.url AS monitor_url "
/*
 * The address of the page with the lowest id that shows a detected incident. Of a reported one
 * incident_report_read() reads the address.
 */
#define ADDRESS_OF_INCIDENT \
	", (SELECT " PAGE_ADDRESS "FROM status_page_monitors s " \
	"JOIN status_pages p ON p.id = s.status_page_id WHERE s.monitor_id = i.monitor_id " \
	"ORDER BY s.status_page_id LIMIT 1) AS page_address "
/*
 * What a statement reads about each monitor of a reported incident, for incident_report_complete().
 * The tables are `x` of incident_monitors and `m` of monitors. Further tables here would cost each
 * list more than another statement costs the lists that need them.
 */
struct covered {
	int64_t incident_id;
	struct incident_monitor monitor; /* id 0: the incident has none */
	const char *url;
	const char *page; /* the first that shows the monitor: see incident_first_page() */
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

/* Splits the column `page`, "ID SLUG/DOMAIN". NULL: no page. */
const char *incident_first_page(const char *page, int64_t *id);
/*
 * Completes the reported incidents among these by the rows of their monitors (struct covered),
 * which it sorts. One statement if an incident may name pages, is open, or is over without an
 * impact; else none.
 */
enum result incident_report_complete(struct db *db, struct incident *incidents, size_t count,
				     const struct db_list *covered, struct arena *arena,
				     struct error *error) MUST_USE;

/* Derives what a row of these columns does not have. */
void incident_complete(struct incident *incident, struct arena *arena);

#endif
