/*
 * The pages that wait to be sent to a mirror: each once, in the order of their first change.
 */
#ifndef MIRROR_PUSH_PENDING_H
#define MIRROR_PUSH_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

/* The rest is found by a comparison when these are sent. */
enum { PENDING_MAX = 200000 };

struct pending_page {
	int64_t page_id;       /* 0: taken */
	uint32_t since;	       /* when it began to wait, in seconds since 1970 */
	int64_t not_before_ms; /* of clock_ms(), which nobody sets back */
	bool is_urgent;
};

struct pending {
	struct pending_page *rows;
	size_t begin, end, room; /* rows before `begin` are taken */
	uint32_t *index;	 /* by a hash of the id: the row's number + 1; 0: free */
	size_t index_room;
	size_t count;
	size_t urgent_count;
};

void pending_done(struct pending *pending);
/* Adds a page, or makes it urgent, or due again. False: there is no room. */
bool pending_add(struct pending *pending, int64_t page_id, struct instant now, bool is_urgent);
/* Adds a page that was taken and not sent. Unless it was changed meanwhile, it waits until then. */
bool pending_put_back(struct pending *pending, const struct pending_page *page,
		      int64_t not_before_ms);
/* Takes the page that is to be sent next, of the urgent ones or of the others; false: no page is
 * due. */
bool pending_take(struct pending *pending, bool is_urgent, int64_t now_ms,
		  struct pending_page *taken);
/* Whether an urgent page is due. */
bool pending_has_urgent(const struct pending *pending, int64_t now_ms);
/* Since when the oldest has been waiting; 0: nothing waits. */
struct instant pending_oldest(const struct pending *pending);

#endif
