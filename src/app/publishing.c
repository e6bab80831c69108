#include "app/publishing.h"

#include "base/log.h"

static struct publisher publisher_of(struct exchange *exchange)
{
	return (struct publisher){
		.db = exchange->db,
		.path = exchange->config->pages_dir,
		.base_url = exchange->request.base_url,
		.now = exchange->now,
		.arena = &exchange->arena,
	};
}

static void note(struct exchange *exchange, enum result result, const struct error *failure)
{
	if (result == OK)
		return;
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

void exchange_publish_monitor(struct exchange *exchange, int64_t monitor_id)
{
	struct error failure = { 0 };
	struct publisher publisher = publisher_of(exchange);
	note(exchange, publish_monitor(&publisher, monitor_id, &failure), &failure);
}

void exchange_publish_due(struct exchange *exchange)
{
	struct error failure = { 0 };
	struct publisher publisher = publisher_of(exchange);
	note(exchange, publish_account(&publisher, exchange->key.account_id, &failure), &failure);
}
