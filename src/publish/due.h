/*
 * Publishes what is due, round by round, for a process that does nothing else: pages with
 * unpublished changes, the oldest change of each account first and the accounts in turn; and
 * behind those the pages that the clock has changed: at midnight, and with an open incident
 * every few minutes. A page that fails is tried again after a while, which doubles, and
 * delays no other page.
 */
#ifndef PUBLISH_DUE_H
#define PUBLISH_DUE_H

#include "publish/publish.h"

struct due_failure;

struct due {
	struct publisher publisher; /* `now` and `arena` are each round's own */
	/* Whether to go on with one more page. */
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
	enum result refused; /* what the database answered that was to note a page; OK: nothing */
	int64_t refused_page;
	struct error refusal;
};

void due_done(struct due *due);

/*
 * One round. With `settled`, changes after it are left: a request that made one is likely to
 * be publishing it. *is_more: pages were left that could be tried now.
 */
enum result due_round(struct due *due, struct instant now, struct instant settled, bool *is_more,
		      struct error *error) MUST_USE;

#endif
