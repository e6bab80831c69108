/*
 * Publishes due pages in rounds, for the background loop. First come the pages with unpublished
 * changes: the accounts take turns, and each account's oldest change is published first. Then come
 * the pages that are due by the clock: at midnight, and every few minutes with an open incident.
 * After a failure a page waits, twice as long after each further failure. It delays no other page.
 */
#ifndef PUBLISH_DUE_H
#define PUBLISH_DUE_H

#include "publish/publish.h"

struct due_failure;

struct due {
	struct publisher publisher; /* each round sets publisher.now and publisher.arena */
	/* Called before each group of pages. If it returns false, the round ends. */
	bool (*goes_on)(void *context);
	/* Called with the error at a page's first failure, and with NULL at the page's next
	 * success. */
	publish_progress *tell;
	publish_progress *progress; /* after each page; may be NULL */
	void *context;

	/* Initially zeros. The caller may only read the members from here on. */
	struct due_failure *failures; /* sorted by page */
	size_t failure_count;	      /* pages that wait for another try */
	struct error last_failure;    /* the last failure of any page */
	size_t published;
	size_t failure_room;
	enum result refused; /* OK, or why the database did not mark a page as published */
	int64_t refused_page;
	struct error refusal;
};

void due_done(struct due *due);

/*
 * Runs one round. Skips changes after `settled` (0: skips none), because the request that made such
 * a change is probably publishing it now. *is_more: due pages are left that could be published now.
 */
enum result due_round(struct due *due, struct instant now, struct instant settled, bool *is_more,
		      struct error *error) MUST_USE;

#endif
