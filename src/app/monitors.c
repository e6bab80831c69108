#include "app/handlers.h"

#include "app/idempotency.h"
#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "service/monitors.h"

/* POST / */
enum result monitors_create(struct exchange *exchange)
{
	struct monitor_input input = { 0 };
	struct monitor monitor;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = service_add_monitor(
		exchange_service(exchange, exchange_admit_creation, resources_render_created),
		exchange->service.principal.account_id, &input, sent, &monitor);
	return exchange_as_violation(exchange, result);
}

/* PUT /{id} */
enum result monitors_update(struct exchange *exchange)
{
	struct monitor_input input = { 0 };
	struct monitor monitor;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = service_update_monitor(
		exchange_service(exchange, resources_admit_update, resources_render),
		exchange->match.id, &input, sent, &monitor);
	return exchange_as_violation(exchange, result);
}

/* DELETE /{id} */

struct delete_input {
	bool keep_history;
};
static const struct field delete_rows[] = {
	FIELD(struct delete_input, keep_history,
	      .text = "Retire the monitor: pages no longer show the system, but the incidents "
		      "are kept and stay in the logs."),
};
const struct fields monitors_delete_fields = { delete_rows, ARRAY_LEN(delete_rows) };

static void render_deletion(struct exchange *exchange, const void *outcome)
{
	const struct monitor_deletion *deletion = outcome;
	resources_respond_deleted(exchange, deletion->id, "deleted_incident_count",
				  deletion->incidents);
}

enum result monitors_delete(struct exchange *exchange)
{
	struct delete_input input = { 0 };
	const struct str query = exchange->request.query;
	enum result result = exchange_query(exchange, &input);
	if (result != OK)
		return result;
	/*
	 * The parameter is part of the request: the hash tells a request that keeps the incidents
	 * from a request that deletes them.
	 */
	if (idempotency_is_asked(exchange))
		idempotency_add_body(exchange, query.data, query.len);
	struct service *service = exchange_service(exchange, resources_admit, render_deletion);
	return input.keep_history ? service_retire_monitor(service, exchange->match.id)
				  : service_remove_monitor(service, exchange->match.id);
}
