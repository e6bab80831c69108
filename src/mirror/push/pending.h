/*
 * The pages that wait to be sent to a mirror: each page once, in the order of their first changes.
 */
#ifndef MIRROR_PUSH_PENDING_H
#define MIRROR_PUSH_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/clock.h"

/* At most this many pages wait. Pages beyond this limit are not added, but the next comparison
 * finds them. */
enum { PENDING_MAX = 200000 };

struct pending_page {
	int64_t page_id;
	uint32_t since;	       /* when the page began to wait, in seconds since 1970 */
	int64_t not_before_ms; /* no attempt before this time of clock_ms() */
	bool is_urgent;
};

struct pending {
	TAILQ_HEAD(, pending_row) rows; /* initialised while there are rows */
	void *by_id;			/* a tree of tsearch() */
	size_t count;
	size_t urgent_count;
};

void pending_done(struct pending *pending);
/*
 * Adds the page, or finds it among the waiting pages. Makes it due now. If is_urgent is true, makes
 * it urgent. Returns false if there is no room.
 */
bool pending_add(struct pending *pending, int64_t page_id, struct instant now, bool is_urgent);
/* Adds a page that pending_take() has returned, but that was not sent. The page waits until
 * not_before_ms, unless it was changed and added in the meantime. Returns false if there is no
 * room. */
bool pending_put_back(struct pending *pending, const struct pending_page *page,
		      int64_t not_before_ms);
/*
 * Removes the next due page and copies it to *taken: an urgent page if is_urgent is true, otherwise
 * a page that is not urgent. Returns false if no such page is due.
 */
bool pending_take(struct pending *pending, bool is_urgent, int64_t now_ms,
		  struct pending_page *taken);
/* Whether an urgent page is due. */
bool pending_has_urgent(const struct pending *pending, int64_t now_ms);
/* Returns when the page that waits longest began to wait; 0: no page waits. */
struct instant pending_oldest(const struct pending *pending);

#endif
