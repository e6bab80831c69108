#include "app/rate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"
#include "publish/folder/pages_dir.h"

enum { MINUTE_S = 60 };

/* The wait before the file of the counts is opened again after a failure: on a full disk, each try
 * is slow. */
static const struct backoff_rule open_rule = { .first_ms = 5000,
					       .most_ms = 5000,
					       .spread = BACKOFF_SPREAD };

/* Whether this process has logged that requests cannot be counted. It logs this only once, because
 * each request may fail while the disk is full. */
static atomic_bool is_logged;

static void log_failure(const struct exchange *exchange, int reason)
{
	if (!atomic_exchange(&is_logged, true))
		log_warn("limits", "requests are not counted: %s/%s: %s",
			 exchange->config->pages_dir, PAGES_THROTTLE_FILE, strerror(reason));
}

void rate_fail(struct exchange *exchange)
{
	int reason = errno;
	throttle_close(exchange->throttle);
	backoff_fail(&exchange->throttle->retry, &open_rule, clock_ms());
	log_failure(exchange, reason);
}

/* Opens the counts if this worker has not opened them. They are a file in the pages folder, which
 * all workers of the machine share. Returns false if the file cannot be opened now. */
static bool is_counting(struct exchange *exchange)
{
	struct throttle *throttle = exchange->throttle;
	if (throttle->fd >= 0)
		return true;
	if (clock_ms() < throttle->retry.until_ms)
		return false;
	int folder_fd CLEANUP(close_fd) =
		open(exchange->config->pages_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder_fd < 0)
		log_failure(exchange, errno);
	else if (!throttle_open(throttle, folder_fd, PAGES_THROTTLE_FILE))
		rate_fail(exchange);
	if (throttle->fd >= 0)
		atomic_store(&is_logged, false);
	return throttle->fd >= 0;
}

struct throttle *rate_throttle(struct exchange *exchange)
{
	return is_counting(exchange) ? exchange->throttle : NULL;
}

static struct throttle_count count_one(struct exchange *exchange, int64_t per_minute,
				       const char *who)
{
	const struct throttle_rule rule = { per_minute, MINUTE_S };
	struct throttle_count count = { .left = per_minute };
	if (is_counting(exchange) &&
	    !throttle_take(exchange->throttle, who, &rule, exchange->now.s, &count))
		rate_fail(exchange);
	return count;
}

bool rate_allows(struct exchange *exchange, int64_t per_minute, const char *who)
{
	int64_t wait_s = 0;
	if (rate_takes(exchange, per_minute, who, &wait_s))
		return true;
	response_header(&exchange->response, "Retry-After", "%lld", (long long)wait_s);
	return false;
}

/* A limit for the requests of a key or of an account, and its count. */
struct request_limit {
	const char *owner;
	int64_t id;
	int64_t per_minute;
	struct throttle_count count;
};

static void tell_limit(struct exchange *exchange, const struct request_limit *limit)
{
	struct response *response = &exchange->response;
	response_header(response, "X-RateLimit-Limit", "%lld", (long long)limit->per_minute);
	response_header(response, "X-RateLimit-Remaining", "%lld", (long long)limit->count.left);
	if (!limit->count.is_over)
		return;
	response_header(response, "Retry-After", "%lld", (long long)limit->count.wait_s);
	response_header(response, "X-RateLimit-Reset", "%lld",
			(long long)(exchange->now.s + limit->count.wait_s));
}

enum result rate_take_request(struct exchange *exchange)
{
	/*
	 * Count for the key first, so that requests beyond the key's limit do not count for the
	 * account.
	 */
	struct request_limit limits[] = {
		{ "key",
		  exchange->service.principal.id,
		  exchange->config->requests_per_minute,
		  { 0 } },
		{ "account",
		  exchange->service.principal.account_id,
		  exchange->config->account_requests_per_minute,
		  { 0 } },
	};
	const struct request_limit *told = NULL;
	for (size_t i = 0; i < ARRAY_LEN(limits) && !(told && told->count.is_over); i++) {
		struct request_limit *limit = &limits[i];
		if (limit->per_minute == 0)
			continue;
		limit->count = count_one(exchange, limit->per_minute,
					 arena_printf(&exchange->arena, "%s %lld", limit->owner,
						      (long long)limit->id));
		if (!told || limit->count.is_over || limit->count.left < told->count.left)
			told = limit;
	}
	if (told)
		tell_limit(exchange, told);
	return told && told->count.is_over
		       ? error_client(
				 &exchange->error, E_RATE_LIMITED,
				 "Too many requests of this %s: the limit is %lld in a minute.",
				 told->owner, (long long)told->per_minute)
		       : OK;
}

bool rate_takes(struct exchange *exchange, int64_t per_minute, const char *who, int64_t *wait_s)
{
	if (per_minute == 0)
		return true;
	struct throttle_count count = count_one(exchange, per_minute, who);
	*wait_s = count.wait_s;
	return !count.is_over;
}

bool rate_is_used_up(struct exchange *exchange, int64_t per_minute, const char *who)
{
	const struct throttle_rule rule = { per_minute, MINUTE_S };
	return per_minute > 0 && is_counting(exchange) &&
	       throttle_is_used_up(exchange->throttle, who, &rule, exchange->now.s);
}

const char *rate_wrong_keys(struct exchange *exchange)
{
	return arena_printf(&exchange->arena, "wrong key %s", exchange->request.client);
}

enum result rate_refuse_key(struct exchange *exchange)
{
	if (!exchange->request.authorization ||
	    rate_allows(exchange, exchange->config->wrong_keys_per_minute,
			rate_wrong_keys(exchange)))
		return E_UNAUTHENTICATED;
	return E_RATE_LIMITED;
}
