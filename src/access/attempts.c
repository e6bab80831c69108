#include "access/attempts.h"

#include <string.h>

#include "base/secret.h"

enum { MINUTE_S = 60 };

struct attempt attempt_init(int64_t page_id, const char *client, int64_t all_pages_per_minute,
			    struct instant now, struct arena *arena)
{
	return (struct attempt){
		.at_page = arena_printf(arena, "page %lld %.64s", (long long)page_id, client),
		.at_all_pages = arena_printf(arena, "password %.64s", client),
		.all_pages_per_minute = all_pages_per_minute,
		.now = now,
	};
}

struct attempt attempt_of_user(const char *name, const char *client, int64_t all_per_minute,
			       struct instant now, struct arena *arena)
{
	enum { HASH_CHARS = 16 };
	struct attempt attempt = attempt_init(0, client, all_per_minute, now, arena);
	char *lower = arena_strdup(arena, name ? name : "");
	str_to_lower(lower);
	attempt.at_page = arena_printf(arena, "user %s %.64s",
				       secret_hash_hex(arena, lower, strlen(lower), HASH_CHARS),
				       client);
	return attempt;
}

static enum result count_one(struct throttle *throttle, const char *name, int64_t per_minute,
			     struct instant now, int64_t *wait_s)
{
	const struct throttle_rule rule = { per_minute, MINUTE_S };
	struct throttle_count count;
	if (!throttle_take(throttle, name, &rule, now.s, &count))
		return E_FAILED;
	*wait_s = count.wait_s;
	return count.is_over ? E_RATE_LIMITED : OK;
}

enum result attempt_count(const struct attempt *attempt, struct throttle *throttle, int64_t *wait_s)
{
	const struct throttle_rule all_pages = { attempt->all_pages_per_minute, MINUTE_S };
	bool is_limited = all_pages.limit > 0;
	enum result result = OK;
	/* If the address has used up its limit for all pages, do not count per page: the table has
	 * one entry per page and address, and one address could fill it. */
	if (!is_limited ||
	    !throttle_is_used_up(throttle, attempt->at_all_pages, &all_pages, attempt->now.s))
		result = count_one(throttle, attempt->at_page, ATTEMPTS_PER_PAGE, attempt->now,
				   wait_s);
	if (result == OK && is_limited)
		result = count_one(throttle, attempt->at_all_pages, all_pages.limit, attempt->now,
				   wait_s);
	return result;
}

void attempt_take_back(const struct attempt *attempt, struct throttle *throttle)
{
	throttle_give_back(throttle, attempt->at_page, attempt->now.s);
	if (attempt->all_pages_per_minute > 0)
		throttle_give_back(throttle, attempt->at_all_pages, attempt->now.s);
}
