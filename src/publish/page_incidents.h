/*
 * The pages of incidents on the disk, and how a request finds the page of any incident without the
 * database, however old it is.
 *
 *   incident-7.html        a page of its own, which web servers give out: of the newest incidents,
 *                          and of the open and recent ones that people have said something about
 *   2026-11.incidents      the incidents that the page of the month shows, by id, with the pages
 *                          of those that people have said something about
 *   history.incidents      the names of the months, newest first, a line for each
 *
 * So the number of files does not grow with the incidents. An incident without a page of its own
 * is in the page of its month. Web servers do not know the kind ".incidents": the program reads
 * these files.
 */
#ifndef PUBLISH_PAGE_INCIDENTS_H
#define PUBLISH_PAGE_INCIDENTS_H

#include "base/buf.h"
#include "domain/page_snapshot.h"
#include "publish/pages_reader.h"

#define PAGE_INCIDENT_MONTHS_FILE "history.incidents"

/* "incident-7.html", "2026-11.incidents" */
const char *page_incident_file_name(int64_t incident_id, struct arena *arena);
const char *page_incidents_month_file(const char *month, struct arena *arena);

/* The incidents that have a file of their own, at most PAGE_INCIDENT_FILES_MAX. */
enum { PAGE_INCIDENT_FILES_MAX = 100 };
struct page_incident_choice {
	const struct incident *incidents[PAGE_INCIDENT_FILES_MAX];
	size_t count;
};
void page_incidents_choose(const struct page_snapshot *snapshot,
			   struct page_incident_choice *choice);

/* Appends the file of the month, whose incidents must be loaded. */
void page_incidents_month(struct buf *out, const struct page_snapshot *snapshot,
			  const struct page_month *month, struct arena *arena);
/* Appends the list of months. */
void page_incidents_months(struct buf *out, const struct page_snapshot *snapshot);

/* Where the page of an incident is. */
struct page_incident_place {
	int fd; /* of the file that has the page; -1: none has */
	off_t from;
	size_t len;
	const char *month; /* in whose page the incident is; NULL: the page has no such incident */
	/* Else the month has more incidents than its page shows, and this may be one of them. */
	bool is_in_month;
};
#define PAGE_INCIDENT_NOWHERE ((struct page_incident_place){ .fd = -1 })

/* Searches the months. The caller closes place->fd. */
enum result page_incidents_find(const struct pages_reader *reader, enum pages_place place,
				const char *folder, int64_t incident_id, struct arena *arena,
				struct page_incident_place *found, struct error *error) MUST_USE;

#endif
