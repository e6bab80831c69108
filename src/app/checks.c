#include "app/handlers.h"

#include "app/input.h"
#include "app/operation.h"
#include "app/respond.h"
#include "service/check_locations.h"
#include "wire/json.h"

/* Responds with the monitors to check. If the response does not have all monitors, its member
 * `next` is the parameter `after` of the next request. Otherwise `next` is null. */
static void respond_orders(struct exchange *exchange, const struct field_rows *orders)
{
	const struct check_order *rows = orders->rows;
	struct buf *body = &exchange->response.body;
	/* Forbid caches, because the response has secrets. */
	response_header(&exchange->response, "Cache-Control", "private, no-store");
	buf_clear(body);
	buf_puts(body, "{\"data\":[");
	for (size_t i = 0; i < orders->count; i++) {
		if (i > 0)
			buf_putc(body, ',');
		json_print_fields(body, check_order_fields, &rows[i]);
	}
	if (orders->count == CHECK_ORDERS_MAX)
		buf_printf(body, "],\"next\":%lld,\"status\":200}",
			   (long long)rows[orders->count - 1].id);
	else
		buf_puts(body, "],\"next\":null,\"status\":200}");
	response_end_json(&exchange->response, 200);
}

/* GET /checks */
enum result checks_list(struct exchange *exchange)
{
	enum { UNSETTLED_S = 2 };
	struct check_orders_query query = { 0 };
	struct checked_mark mark;
	struct field_rows orders = { 0 };
	enum result result = exchange_query(exchange, &query);
	if (result != OK)
		return result;
	struct check_location location;
	result = service_see_location(&exchange->service, &location, &mark);
	/* Send an entity tag only if the last change is more than two seconds old: times are in
	 * whole seconds, so two changes within one second would have the same tag. */
	if (result == OK && mark.newest.s + UNSETTLED_S < exchange->now.s) {
		const char *etag = arena_printf(&exchange->arena, "\"%lld-%lld-%lld-%lld\"",
						(long long)location.id, (long long)mark.total,
						(long long)mark.sum, (long long)query.after);
		response_header(&exchange->response, "ETag", "%s", etag);
		if (exchange_has_etag(exchange, etag))
			return OK;
	}
	if (result == OK && location.id > 0)
		result = service_list_checks(&exchange->service, &location, query.after, &orders);
	if (result == OK)
		respond_orders(exchange, &orders);
	return result;
}

static void render_accepted(struct exchange *exchange, const void *outcome)
{
	struct json_object *data = json_object_tree();
	(void)outcome;
	json_put_text(data, "location", exchange->service.principal.location);
	exchange_respond(exchange, 202, data);
}

/* POST /checks */
enum result checks_take(struct exchange *exchange)
{
	struct check_findings findings = { 0 };
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &findings, &sent);
	if (result != OK)
		return result;
	check_findings_settle(&findings, exchange->now, &exchange->violations);
	return service_take_findings(exchange_service(exchange, NULL, render_accepted), &findings);
}
