#include "app/rate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"
#include "publish/pages_dir.h"

enum { MINUTE_S = 60, RETRY_S = 5 };

/* Of the process, so that a full disk does not fill the log as well. */
static atomic_bool is_said;

static void say_why_not(const struct exchange *exchange, int reason)
{
	if (!atomic_exchange(&is_said, true))
		log_warn("limits", "requests are not counted: %s/%s: %s",
			 exchange->config->pages_dir, PAGES_THROTTLE_FILE, strerror(reason));
}

/* To be tried again some seconds later: a full disk takes its time to say that it is full. */
static void give_up(struct exchange *exchange)
{
	int reason = errno;
	throttle_close(exchange->throttle);
	exchange->throttle->retry_at_s = exchange->now.s + RETRY_S;
	say_why_not(exchange, reason);
}

/* Once a worker; in the pages folder, which all workers of a machine share. */
static bool is_counting(struct exchange *exchange)
{
	struct throttle *throttle = exchange->throttle;
	if (throttle->fd >= 0)
		return true;
	if (exchange->now.s < throttle->retry_at_s)
		return false;
	int folder_fd CLEANUP(close_fd) =
		open(exchange->config->pages_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder_fd < 0)
		say_why_not(exchange, errno);
	else if (!throttle_open(throttle, folder_fd, PAGES_THROTTLE_FILE))
		give_up(exchange);
	if (throttle->fd >= 0)
		atomic_store(&is_said, false);
	return throttle->fd >= 0;
}

static struct throttle_count take(struct exchange *exchange, int64_t per_minute, const char *who)
{
	const struct throttle_rule rule = { per_minute, MINUTE_S };
	struct throttle_count count = { .left = per_minute };
	if (is_counting(exchange) &&
	    !throttle_take(exchange->throttle, who, &rule, exchange->now.s, &count))
		give_up(exchange);
	return count;
}

bool rate_allows(struct exchange *exchange, const struct rate *rate, const char *who)
{
	struct response *response = &exchange->response;
	if (rate->per_minute == 0)
		return true;
	struct throttle_count count = take(exchange, rate->per_minute, who);
	if (rate->is_told) {
		response_header(response, "X-RateLimit-Limit", "%lld", (long long)rate->per_minute);
		response_header(response, "X-RateLimit-Remaining", "%lld", (long long)count.left);
	}
	if (!count.is_over)
		return true;
	response_header(response, "Retry-After", "%lld", (long long)count.wait_s);
	if (rate->is_told)
		response_header(response, "X-RateLimit-Reset", "%lld",
				(long long)(exchange->now.s + count.wait_s));
	return false;
}

bool rate_takes(struct exchange *exchange, int64_t per_minute, const char *who, int64_t *wait_s)
{
	if (per_minute == 0)
		return true;
	struct throttle_count count = take(exchange, per_minute, who);
	*wait_s = count.wait_s;
	return !count.is_over;
}

bool rate_is_used_up(struct exchange *exchange, int64_t per_minute, const char *who)
{
	const struct throttle_rule rule = { per_minute, MINUTE_S };
	return per_minute > 0 && is_counting(exchange) &&
	       throttle_is_used_up(exchange->throttle, who, &rule, exchange->now.s);
}

void rate_gives_back(struct exchange *exchange, const char *who)
{
	if (is_counting(exchange))
		throttle_give_back(exchange->throttle, who, exchange->now.s);
}

const char *rate_wrong_keys(struct exchange *exchange)
{
	return arena_printf(&exchange->arena, "wrong key %s", exchange->request.client);
}
