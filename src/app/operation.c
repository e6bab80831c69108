#include "app/operation.h"

#include "app/idempotency.h"
#include "app/rate.h"

static void start_response(void *context)
{
	struct exchange *exchange = context;
	exchange->header_count = exchange->response.header_count;
}

static void rewind_response(void *context)
{
	struct exchange *exchange = context;
	response_rewind(&exchange->response, exchange->header_count);
}

static enum result admit_object(void *context, const void *current)
{
	struct exchange *exchange = context;
	return exchange->admit ? exchange->admit(exchange, current) : OK;
}

static enum result render_outcome(void *context, const void *outcome)
{
	struct exchange *exchange = context;
	if (exchange->render)
		exchange->render(exchange, outcome);
	return exchange->response.is_failed
		       ? error_log(&exchange->error, E_FAILED, "the response cannot be printed")
		       : OK;
}

static bool may_look_up(void *context)
{
	struct exchange *exchange = context;
	struct rate rate = { .per_minute = exchange->config->domain_lookups_per_minute };
	const char *who = arena_printf(&exchange->arena, "domain lookups %lld",
				       (long long)exchange->key.account_id);
	return rate_allows(exchange, &rate, who);
}

static const struct service_caller caller = {
	.start = start_response,
	.rewind = rewind_response,
	.admit = admit_object,
	.render = render_outcome,
	.store = idempotency_store,
	.replay = idempotency_replay,
	.may_look_up = may_look_up,
};

void exchange_begin_service(struct exchange *exchange)
{
	const struct api_key *key = &exchange->key;
	exchange->service = (struct service){
		.db = exchange->db,
		.config = exchange->config,
		.site = &exchange->site,
		.base_url = exchange->request.base_url,
		.arena = &exchange->arena,
		.principal = {
			.type = key->id > 0 ? PRINCIPAL_KEY : PRINCIPAL_NONE,
			.id = key->id,
			.account_id = key->account_id,
			.label = key->label,
			.address = exchange->request.client,
			.request_id = exchange->request.id,
		},
		.now = exchange->now,
		.violations = &exchange->violations,
		.error = &exchange->error,
		.caller = &caller,
		.caller_context = exchange,
		.publishing = { .is_bounded = true },
	};
}

struct service *exchange_service(struct exchange *exchange, exchange_admit *admit,
				 exchange_render *render)
{
	exchange->admit = admit;
	exchange->render = render;
	return &exchange->service;
}

struct reading {
	struct exchange *exchange;
	transaction_body *body;
	void *context;
};

static enum result run_reading(struct service *service, void *context)
{
	(void)service;
	struct reading *reading = context;
	return reading->body(reading->exchange, reading->context);
}

enum result exchange_read(struct exchange *exchange, transaction_body *body, void *context)
{
	struct reading reading = { exchange, body, context };
	return service_read(&exchange->service, run_reading, &reading);
}

enum result exchange_transact(struct exchange *exchange, transaction_body *body, void *context)
{
	struct reading reading = { exchange, body, context };
	return service_transact(exchange_service(exchange, NULL, NULL), run_reading, &reading,
				NULL);
}

enum result exchange_transact_silently(struct exchange *exchange, transaction_body *body,
				       void *context)
{
	struct reading reading = { exchange, body, context };
	return service_transact_silently(&exchange->service, run_reading, &reading);
}

static void publish_now(struct exchange *exchange)
{
	service_publish(&exchange->service);
	exchange->service.dirty = (struct service_dirty){ 0 };
}

void exchange_publish_page(struct exchange *exchange, const struct publish_order *order)
{
	service_mark_page(&exchange->service, order);
	publish_now(exchange);
}

void exchange_publish_monitor(struct exchange *exchange, int64_t monitor_id)
{
	service_mark_monitor(&exchange->service, monitor_id, exchange->key.account_id);
	publish_now(exchange);
}

void exchange_publish_due(struct exchange *exchange)
{
	service_mark_account(&exchange->service, exchange->key.account_id);
	publish_now(exchange);
}

const char *exchange_actor(struct exchange *exchange)
{
	return principal_text("key", exchange->key.id, exchange->key.label, &exchange->arena);
}
