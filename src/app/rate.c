#include "app/rate.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"
#include "publish/pages_dir.h"

enum { MINUTE_S = 60 };

/* Once a worker; in the pages folder, which all workers of a machine share. */
static bool is_counting(struct exchange *exchange)
{
	if (exchange->throttle->slots)
		return true;
	int folder_fd CLEANUP(close_fd) =
		open(exchange->config->pages_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder_fd >= 0 && throttle_open(exchange->throttle, folder_fd, PAGES_THROTTLE_FILE))
		return true;
	log_warn("limits", "requests are not counted: %s/%s cannot be opened",
		 exchange->config->pages_dir, PAGES_THROTTLE_FILE);
	return false;
}

bool rate_allows(struct exchange *exchange, const struct rate *rate, const char *who)
{
	struct response *response = &exchange->response;
	const struct throttle_rule rule = { rate->per_minute, MINUTE_S };
	if (rate->per_minute == 0 || !is_counting(exchange))
		return true;
	struct throttle_count count =
		throttle_take(exchange->throttle, who, &rule, exchange->now.s);
	if (rate->is_told) {
		response_header(response, "X-RateLimit-Limit", "%lld",
				(long long)rate->per_minute);
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
