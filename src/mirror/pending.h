/*
 * The pages that wait to be sent to a mirror: each once, in the order of their first change, and
 * urgent ones before all others.
 */
#ifndef MIRROR_PENDING_H
#define MIRROR_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

/* The rest is found by a comparison when these are sent. */
enum { PENDING_MAX = 200000 };

struct pending_page {
	int64_t page_id; /* 0: taken */
	uint32_t since;	 /* when it began to wait, in seconds since 1970 */
	uint32_t not_before;
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
/* The same for a page that is not to be taken for some time. */
bool pending_hold(struct pending *pending, int64_t page_id, struct instant now, int64_t seconds);
/* Takes the page that is to be sent next; false: none is due. */
bool pending_take(struct pending *pending, struct instant now, int64_t *page_id);
/* Since when the oldest has been waiting; 0: nothing waits. */
struct instant pending_oldest(const struct pending *pending);

#endif
