/*
 * The columns of incidents, each of which is a member of struct incident: those that keep their
 * value, and those that an update writes. For the statements that read or write an incident whole.
 */
#ifndef STORE_INCIDENT_COLUMNS_H
#define STORE_INCIDENT_COLUMNS_H

#include "domain/incident.h"

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
/* The page with the lowest id that shows the incident. */
#define PAGE_OF_INCIDENT \
	"FROM status_pages p WHERE p.id = COALESCE((SELECT MIN(s.status_page_id) " \
	"FROM status_page_monitors s WHERE s.monitor_id = i.monitor_id), " \
	"(SELECT MIN(g.status_page_id) FROM incident_pages g " \
	"WHERE g.incident_id = i.id AND g.is_shown = 1), " \
	"(SELECT MIN(s.status_page_id) FROM incident_monitors x " \
	"JOIN status_page_monitors s ON s.monitor_id = x.monitor_id WHERE x.incident_id = i.id))"
#define PLACE_COLUMNS(COLUMN) COLUMN(page_slug) COLUMN(page_domain)
#define PLACE_OF_INCIDENT \
	", (SELECT p.slug " PAGE_OF_INCIDENT ") AS page_slug, " \
	"(SELECT IF(p.domain_lost_at IS NULL, p.domain, NULL) " PAGE_OF_INCIDENT \
	") AS page_domain "
/* clang-format on */

/* Derives what a row of these columns does not have. */
void incident_complete(struct incident *incident, struct arena *arena);

#endif
