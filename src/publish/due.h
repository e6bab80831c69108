/*
 * Publishes due pages round by round, for the background loop. First come the pages with
 * unpublished changes: the accounts take turns, and each account's oldest change is published
 * first. Then come the pages that the clock has changed: at midnight, and with an open incident
 * every few minutes. A page that fails waits before its next try, each time twice as long, and
 * delays no other page.
 */
#ifndef PUBLISH_DUE_H
#define PUBLISH_DUE_H

#include "publish/publish.h"

struct due_failure;

struct due {
	struct publisher publisher; /* each round sets its own `now` and `arena` */
	/* Asked before each page; on false the round ends. */
	bool (*goes_on)(void *context);
	/* Called for the first failure of a page, and with NULL when it is published again. */
	publish_progress *tell;
	publish_progress *progress; /* after each page; may be NULL */
	void *context;

	/* Zero at first; to be read by the caller only. */
	struct due_failure *failures; /* by page */
	size_t failure_count;	      /* pages that wait for another try */
	struct error last_failure;    /* of a page */
	size_t published;
	size_t failure_room;
	enum result refused; /* how the database refused to mark a page as published; or OK */
	int64_t refused_page;
	struct error refusal;
};

void due_done(struct due *due);

/*
 * One round. Changes after `settled` (0: none) are skipped: the request that made such a change
 * is likely to be publishing it. *is_more: due pages are left that could be published now.
 */
enum result due_round(struct due *due, struct instant now, struct instant settled, bool *is_more,
		      struct error *error) MUST_USE;

#endif
