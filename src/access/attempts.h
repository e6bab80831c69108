/*
 * Limits wrong passwords. A client address has a limit per page, and a limit for all pages
 * together. An attempt is counted before its password is checked, so that simultaneous attempts do
 * not exceed the limit. If the password is right, the caller takes the count back.
 */
#ifndef ACCESS_ATTEMPTS_H
#define ACCESS_ATTEMPTS_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/throttle.h"

enum { ATTEMPTS_PER_PAGE = 10 }; /* a minute, by one address */

struct attempt {
	const char *at_page; /* the names of the two counts; the arena owns them */
	const char *at_all_pages;
	int64_t all_pages_per_minute; /* 0: no limit over all pages */
	struct instant now;
};

/* Returns an attempt at a page's password. `client` is the address from http/client_address. */
struct attempt attempt_init(int64_t page_id, const char *client, int64_t all_pages_per_minute,
			    struct instant now, struct arena *arena);

/* Returns an attempt at the password of a user. It is counted per address and user `name`, and per
 * address for all names and pages together. */
struct attempt attempt_of_user(const char *name, const char *client, int64_t all_per_minute,
			       struct instant now, struct arena *arena);

/*
 * Counts an attempt. E_RATE_LIMITED: too many attempts; *wait_s is the time until the next attempt,
 * in seconds, at least 1. E_FAILED: the attempt cannot be counted, and errno says why.
 */
enum result attempt_count(const struct attempt *attempt, struct throttle *throttle, int64_t *wait_s)
	MUST_USE;
/* Takes back the count of an attempt. Call it if the password was right: many visitors may share
 * one address, and must not use up its limit. */
void attempt_take_back(const struct attempt *attempt, struct throttle *throttle);

#endif
