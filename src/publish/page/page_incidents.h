/*
 * The pages of incidents and of maintenance on the disk. With these files, a request finds each
 * such page without the database, even the oldest.
 *
 *   incident-7.html        the page of an incident, for web servers; only of the newest incidents,
 *                          and of open and recent incidents that people have written about
 *   2026-11.incidents      the incidents that the page of the month shows, by id; with the page of
 *                          each incident that people have written about
 *   2026-11.maintenance    the same for the maintenance of the month
 *   current.maintenance    the pages of the windows that the page itself shows
 *   history.incidents      the names of the months, newest first, a line for each
 *
 * So the number of files does not grow with the number of incidents. An incident without a page is
 * only in the page of its month. The files ".incidents" and ".maintenance" are not for web servers:
 * only the program reads them.
 */
#ifndef PUBLISH_PAGE_PAGE_INCIDENTS_H
#define PUBLISH_PAGE_PAGE_INCIDENTS_H

#include "base/buf.h"
#include "domain/page/page_snapshot.h"
#include "publish/page/pages_reader.h"

#define PAGE_INCIDENT_MONTHS_FILE "history.incidents"

enum page_own_kind { PAGE_OF_INCIDENT, PAGE_OF_MAINTENANCE };
#define PAGE_CURRENT_MONTH "current"

/* "incident-7.html" */
const char *page_incident_file_name(int64_t incident_id, struct arena *arena);
/* Returns a name such as "2026-11.incidents" or "2026-11.maintenance". */
const char *page_own_month_file(enum page_own_kind kind, const char *month, struct arena *arena);

/* The incidents that have a file incident-<id>.html, at most PAGE_INCIDENT_FILES_MAX. */
enum { PAGE_INCIDENT_FILES_MAX = 100 };
struct page_incident_choice {
	const struct page_incident *incidents[PAGE_INCIDENT_FILES_MAX];
	size_t count;
};
void page_incidents_choose(const struct page_snapshot *snapshot,
			   struct page_incident_choice *choice);

/* Appends the content of the file of a month. The incidents of the month must be loaded. */
void page_incidents_month(struct buf *out, const struct page_snapshot *snapshot,
			  const struct page_month *month, struct arena *arena);
/* Append the content of a file of maintenance windows: the windows of a month, or the windows that
 * the page itself shows. */
void page_maintenances_month(struct buf *out, const struct page_snapshot *snapshot,
			     const struct page_month *month, struct arena *arena);
void page_maintenances_current(struct buf *out, const struct page_snapshot *snapshot,
			       struct arena *arena);
/* Appends the list of months. */
void page_incidents_months(struct buf *out, const struct page_snapshot *snapshot);

/* Where a request finds the page of an incident or a window. */
struct page_incident_place {
	int fd; /* the file that has the page; -1: no file has it */
	off_t from;
	size_t len;
	const char *month; /* the month whose page shows, or may omit, the incident; NULL: none */
	/* True: the page of `month` shows the incident. False: that page omits incidents, and this
	 * incident may be one of them. */
	bool is_in_month;
};
#define PAGE_INCIDENT_NOWHERE ((struct page_incident_place){ .fd = -1 })

/* An incident, or an occurrence of a window. */
struct page_own_id {
	enum page_own_kind kind;
	int64_t id;
};
/* Searches the months for the incident or occurrence. The caller closes found->fd. */
enum result page_incidents_find(const struct pages_reader *reader, enum pages_place place,
				const char *folder, struct page_own_id id, struct arena *arena,
				struct page_incident_place *found, struct error *error) MUST_USE;

/* The arguments of page_incidents_titles(): the page whose titles it reads, and the text to which
 * it appends them. */
struct page_titles {
	const struct pages_reader *reader;
	enum pages_place place;
	const char *folder;
	struct buf *out;
	struct arena *arena;
};
/* page_incidents_titles() reads no further month when the titles have this many bytes. The titles
 * of one month have at most three times as many bytes. */
enum { PAGE_TITLES_BYTES = 1 << 20 };
/* Appends a line for each incident and window, newest month first: the path below the page, the
 * date in the page's language, and the name, separated by tabs. */
enum result page_incidents_titles(const struct page_titles *titles, struct error *error) MUST_USE;

#endif
