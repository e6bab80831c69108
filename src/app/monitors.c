#include "app/handlers.h"

#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "app/respond.h"
#include "service/check_signals.h"
#include "service/monitors.h"

/* POST /monitors */
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

/* PUT /monitors/{id} */
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

/* POST /monitors/{id}/check */
enum result monitors_check(struct exchange *exchange)
{
	struct monitor monitor;
	return service_check_monitor(exchange_service(exchange, NULL, resources_render_accepted),
				     exchange->match.id, &monitor);
}

/* POST /monitors/{id}/figures */
enum result monitors_add_figures(struct exchange *exchange)
{
	struct figures_input input = { 0 };
	struct monitor monitor;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	figures_check(&input, sent, exchange->now, &exchange->arena, &exchange->violations);
	return service_add_figures(exchange_service(exchange, NULL, resources_render_accepted),
				   exchange->match.id, input.figures, &monitor);
}

/* DELETE /monitors/{id} */

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
	enum result result = exchange_query_of_write(exchange, &input);
	if (result != OK)
		return result;
	struct service *service = exchange_service(exchange, resources_admit, render_deletion);
	return input.keep_history ? service_retire_monitor(service, exchange->match.id)
				  : service_remove_monitor(service, exchange->match.id);
}

/* GET /monitors/{id}/response-times */

static const struct field times_query_rows[] = {
	FIELD(struct response_times_query, range, .choices = response_range_words,
	      .default_value = "1d",
	      .text = "The time until now: 1d and 7d by the hour, 30d and 90d by the day."),
};
const struct fields response_times_query_fields = { times_query_rows, ARRAY_LEN(times_query_rows) };

#define POINT(member, ...) FIELD(struct response_time, member, __VA_ARGS__)
static const struct field point_rows[] = {
	POINT(at, .flags = FIELD_NOT_EMPTY, .text = "The start of the hour or day, in UTC."),
	POINT(checks, .max = INT64_MAX, .text = "The number of checks."),
	POINT(failures, .max = INT64_MAX, .text = "How many of them failed."),
	POINT(average_ms, .label = "Average (ms)", .flags = FIELD_ZERO_IS_NULL, .max = INT64_MAX,
	      .text = "How long the successful checks took on average; null: none succeeded."),
	POINT(min_ms, .flags = FIELD_ZERO_IS_NULL, .max = INT64_MAX, .text = "The fastest."),
	POINT(max_ms, .label = "Slowest (ms)", .flags = FIELD_ZERO_IS_NULL, .max = INT64_MAX,
	      .text = "The slowest."),
};
#undef POINT
static const struct fields point_fields = { point_rows, ARRAY_LEN(point_rows) };
static const struct field times_rows[] = {
	FIELD(struct response_times_shown, monitor_id, .min = 1, .max = INT64_MAX,
	      .text = "The id of the monitor."),
	FIELD(struct response_times_shown, range, .flags = FIELD_AS_WORD,
	      .choices = response_range_words, .text = "The time that the points are of."),
	FIELD_ARRAY(struct response_times_shown, points, point_count, "points", &point_fields,
		    .label = "Response times",
		    .text = "The hours or days with checks, oldest first; the last may go on."),
};
const struct fields response_times_fields = { times_rows, ARRAY_LEN(times_rows) };

enum result monitors_read_times(struct exchange *exchange, struct response_times_shown *shown)
{
	struct response_times_query query = { RESPONSE_1D };
	struct db_list list = { 0 };
	enum result result = exchange_query(exchange, &query);
	if (result == OK)
		result = service_read_response_times(&exchange->service, exchange->match.id,
						     query.range, &list);
	*shown = (struct response_times_shown){ exchange->match.id, query.range, list.rows,
						list.count };
	return result;
}

enum result monitors_response_times(struct exchange *exchange)
{
	struct response_times_shown shown;
	enum result result = monitors_read_times(exchange, &shown);
	if (result == OK)
		exchange_respond_row(exchange, 200, response_times_fields, &shown);
	return result;
}
