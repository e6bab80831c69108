#include "app/publishing.h"

#include <unistd.h>

#include "base/log.h"

static void warn_unpublished(const struct exchange *exchange, const struct error *failure)
{
	log_warn("publish", "request %s is not published yet: %s", exchange->request.id,
		 error_text(failure));
}

void exchange_tell_publishing(struct exchange *exchange)
{
	const struct service_publishing *publishing = &exchange->service.publishing;
	if (publishing->result != OK) {
		response_header(&exchange->response, "X-Daymark-Published", "no");
		warn_unpublished(exchange, &publishing->failure);
	} else if (publishing->is_pending) {
		response_header(&exchange->response, "X-Daymark-Published", "pending");
	}
}

void exchange_publish_rest(struct exchange *exchange, int wake_fd)
{
	static const uint64_t one = 1;
	struct error failure = { 0 };
	/*
	 * If this fails, the publisher process publishes the unmarked pages again, and removes
	 * deleted pages.
	 */
	if (service_finish_publishing(&exchange->service, &failure) != OK)
		log_warn("publish", "publishing after request %s failed: %s", exchange->request.id,
			 error_text(&failure));
	if (!exchange->service.publishing.is_pending)
		return;
	/* A publisher process that misses this signal finds the work within a second. */
	if (wake_fd >= 0 && write(wake_fd, &one, sizeof(one)) > 0)
		return;
	struct publisher publisher = service_publisher(&exchange->service);
	struct publish_run run = { .account_id = exchange->service.principal.account_id };
	if (publish_run(&publisher, &run, &failure) != OK)
		warn_unpublished(exchange, &failure);
}
