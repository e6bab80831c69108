#include "app/operation.h"

#include "app/console/console.h"
#include "app/idempotency.h"
#include "app/input.h"
#include "app/rate.h"
#include "app/respond.h"
#include "domain/incident/pending_update.h"

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

/* Responds to a change that a second person must approve. */
static void render_held(struct exchange *exchange, const struct pending_update *held)
{
	if (!exchange->console) {
		response_header(&exchange->response, "Location", "%s/api/v1/pending-updates/%lld",
				exchange->request.base_url, (long long)held->id);
		exchange_respond_row(exchange, 202, pending_update_fields, held);
		return;
	}
	console_redirect(exchange,
			 held->incident_id > 0
				 ? arena_printf(&exchange->arena, "incidents/%lld?notice=pending",
						(long long)held->incident_id)
				 : "?notice=pending");
}

static enum result render_outcome(void *context, const void *outcome)
{
	struct exchange *exchange = context;
	if (exchange->service.held)
		render_held(exchange, exchange->service.held);
	else if (exchange->render)
		exchange->render(exchange, outcome);
	return exchange->response.is_failed
		       ? error_log(&exchange->error, E_FAILED, "the response cannot be printed")
		       : OK;
}

static bool may_look_up(void *context)
{
	struct exchange *exchange = context;
	const char *who = arena_printf(&exchange->arena, "domain lookups %lld",
				       (long long)exchange->service.principal.account_id);
	return rate_allows(exchange, exchange->config->domain_lookups_per_minute, who);
}

static void pause_thread(void *context)
{
	struct exchange *exchange = context;
	if (exchange->gateway->pause)
		exchange->gateway->pause(exchange->gateway);
}

static const struct service_caller caller = {
	.start = start_response,
	.rewind = rewind_response,
	.admit = admit_object,
	.render = render_outcome,
	.store = idempotency_store,
	.replay = idempotency_replay,
	.may_look_up = may_look_up,
	.pause = pause_thread,
};

void exchange_begin_service(struct exchange *exchange)
{
	struct principal principal = exchange->service.principal;
	principal.address = exchange->request.client;
	principal.request_id = exchange->request.id;
	exchange->service = (struct service){
		.db = exchange->db,
		.config = exchange->config,
		.site = exchange->site,
		.base_url = exchange->request.base_url,
		.arena = &exchange->arena,
		.principal = principal,
		.now = exchange->now,
		.violations = &exchange->violations,
		.error = &exchange->error,
		.preview = exchange->console ? exchange->console->preview : NULL,
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

enum result exchange_admit_creation(struct exchange *exchange, const void *current)
{
	(void)current;
	exchange_check_read_only(exchange, NULL, NULL);
	return OK;
}

enum result exchange_as_violation(struct exchange *exchange, enum result result)
{
	bool has_violation = exchange->violations.count > 0;
	if (!has_violation || (result != E_CONFLICT && result != E_QUOTA_EXCEEDED))
		return result;
	exchange->error = (struct error){ 0 };
	return E_INVALID;
}
