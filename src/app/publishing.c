#include "app/publishing.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

static struct publisher publisher_of(struct exchange *exchange)
{
	return (struct publisher){
		.db = exchange->db,
		.path = exchange->config->pages_dir,
		.base_url = exchange->request.base_url,
		.site = &exchange->site,
		.now = exchange->now,
		.arena = &exchange->arena,
	};
}

static void note(struct exchange *exchange, enum result result, const struct error *failure)
{
	if (result == OK)
		return;
	exchange->publishing.has_failed = true;
	response_header(&exchange->response, "X-Daymark-Published", "no");
	log_warn("publish", "request %s is not published yet: %s", exchange->request.id,
		 error_text(failure));
}

void exchange_publish_page(struct exchange *exchange, const struct publish_order *order)
{
	struct error failure = { 0 };
	struct publisher publisher = publisher_of(exchange);
	note(exchange, publish_page(&publisher, order, &failure), &failure);
}

/* What the whole request may publish; the time begins with the first run. */
static struct publish_allowance *allowance_of(struct exchange *exchange)
{
	struct publishing *publishing = &exchange->publishing;
	if (!publishing->is_begun) {
		const struct config *config = exchange->config;
		publishing->is_begun = true;
		publishing->allowance = (struct publish_allowance){
			.pages = config->publish_in_request_pages,
			.until_ms = clock_ms() + config->publish_in_request_ms,
		};
	}
	return &publishing->allowance;
}

static void publish_some(struct exchange *exchange, struct publish_run *run)
{
	struct error failure = { 0 };
	struct publisher publisher = publisher_of(exchange);
	/* What is left is published behind the response, whatever else the request is about. */
	if (exchange->publishing.is_cut)
		return;
	run->allowance = allowance_of(exchange);
	note(exchange, publish_run(&publisher, run, &failure), &failure);
	if (!run->is_cut)
		return;
	exchange->publishing.is_cut = true;
	if (!exchange->publishing.has_failed)
		response_header(&exchange->response, "X-Daymark-Published", "pending");
}

void exchange_publish_monitor(struct exchange *exchange, int64_t monitor_id)
{
	publish_some(exchange, &(struct publish_run){ .monitor_id = monitor_id });
}

void exchange_publish_due(struct exchange *exchange)
{
	publish_some(exchange, &(struct publish_run){ .account_id = exchange->key.account_id });
}

void exchange_publish_rest(struct exchange *exchange, int wake_fd)
{
	static const uint64_t one = 1;
	struct error failure = { 0 };
	if (!exchange->publishing.is_cut)
		return;
	/* A publisher that misses this looks by itself a second later. */
	if (wake_fd >= 0 && write(wake_fd, &one, sizeof(one)) > 0)
		return;
	struct publisher publisher = publisher_of(exchange);
	struct publish_run run = { .account_id = exchange->key.account_id };
	if (publish_run(&publisher, &run, &failure) != OK)
		log_warn("publish", "request %s is not published yet: %s", exchange->request.id,
			 error_text(&failure));
}
