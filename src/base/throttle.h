/*
 * Rate limits: counts in a small file that all processes of a machine share, including plain CGI.
 * The first count of a name starts the name's window, which ends after window_s seconds.
 *
 * The file is read and written, not mapped. So a full disk or a truncated file makes one call fail,
 * but does not kill the process.
 *
 * If all slots for a new name are in use, the name takes the slot with the lowest count. The client
 * whose count is lost may then send too many requests, but no client is refused because of another.
 */
#ifndef BASE_THROTTLE_H
#define BASE_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/backoff.h"

struct throttle {
	int fd; /* -1: closed */
	/* A random number that is stored in the file. It is hashed with each name, so that clients
	 * cannot choose the slots of their names. */
	uint64_t key;
	struct backoff retry; /* the wait before the file is opened again */
};

/*
 * Opens the file `name` in the folder. Creates it (0600) with all the space that it will ever need.
 * Returns false, with errno set, if the file cannot be opened, or if the disk is full.
 */
bool throttle_open(struct throttle *throttle, int folder_fd, const char *name) MUST_USE;
void throttle_close(struct throttle *throttle);
/* The initial value of a struct throttle. throttle_close() accepts it. */
#define THROTTLE_CLOSED ((struct throttle){ .fd = -1 })

struct throttle_rule {
	int64_t limit; /* counts allowed in a window */
	int64_t window_s;
};

struct throttle_count {
	bool is_over;
	int64_t left;	/* how many more counts the window allows */
	int64_t wait_s; /* seconds until the window ends; at least 1 */
};

/*
 * Adds 1 to the count of the name `who`, which may be any text. now_s: the present time. Returns
 * false, with errno set, if the file could not be used; *count then allows the request.
 */
bool throttle_take(struct throttle *throttle, const char *who, const struct throttle_rule *rule,
		   int64_t now_s, struct throttle_count *count) MUST_USE;
/* Whether one more request would exceed the limit. Does not change the count. */
bool throttle_is_used_up(struct throttle *throttle, const char *who,
			 const struct throttle_rule *rule, int64_t now_s);
/* Subtracts 1 from the name's count. */
void throttle_give_back(struct throttle *throttle, const char *who, int64_t now_s);

#endif
