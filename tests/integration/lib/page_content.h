/* Incidents in the database, and the content of a page with them. */
#ifndef INTEGRATION_LIB_PAGE_CONTENT_H
#define INTEGRATION_LIB_PAGE_CONTENT_H

#include "integration/lib/database.h"

#include "store/snapshot/page_content.h"

/* Reads the page at 2026-03-20 10:00:00. */
struct page_content read_page(int64_t page);

/* A page that shows the monitors `web` and `mail`, in this order. */
struct shown_page {
	int64_t account, page;
	int64_t web, mail;
	int64_t unshown; /* another monitor of the account */
};
struct shown_page add_shown_page(void);

/*
 * Adds an incident and returns its id. The cause names the incident. The incident is open if `end`
 * is 0.
 */
int64_t add_incident(int64_t monitor, const char *cause, struct instant start, struct instant end);

/* "a b c" */
const char *causes(const struct page_incident *rows, size_t count);

#endif
