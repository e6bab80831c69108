/* The screens with figures: the monthly report of a page, and the response times of a system. */
#include <string.h>

#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/handlers.h"
#include "app/routes.h"
#include "domain/monitor/monitor.h"
#include "service/page/page_reports.h"
#include "service/resource/resource.h"
#include "store/check/response_times.h"

static enum result show(struct exchange *exchange, struct console_object *object)
{
	const struct console_view view = console_view(exchange);
	object->screen = exchange->route->screen;
	object->shown = object->screen->shown;
	object->id = exchange->match.id;
	object->principal = &exchange->service.principal;
	console_object_html(&exchange->response.body, &view, object);
	console_respond(exchange, 200);
	return OK;
}

static const char *path_of(struct exchange *exchange, const char *month, const char *ending)
{
	return arena_printf(&exchange->arena, "pages/%lld/reports/%s%s",
			    (long long)exchange->match.id, month, ending);
}

/* GET /console/pages/{id}/reports: the report of the present month. GET …/reports/{month}: the
 * report of that month. GET …/reports/{month}.csv: its CSV file. */
enum result console_report_of_month(struct exchange *exchange)
{
	const struct page_link_owner owner = { .page_id = exchange->match.id };
	const char *month = exchange->match.params[0];
	struct service_report made = { 0 };
	if (month && strchr(month, '.'))
		return page_reports_show(exchange);
	enum result result = service_make_report(&exchange->service, &owner, month, &made);
	bool has_none = result == E_NOT_FOUND && !month && made.snapshot;
	if (result != OK && !has_none)
		return result;
	struct console_object object = { .heading = made.snapshot->page.name };
	if (has_none)
		return show(exchange, &object);
	const struct page_report_month *months = made.snapshot->reports;
	const size_t at =
		(size_t)(page_report_month_of(made.snapshot, made.report.month.name) - months);
	object.row = &made.report;
	if (at + 1 < made.snapshot->report_count)
		object.previous = path_of(exchange, months[at + 1].name, "");
	if (at > 0)
		object.next = path_of(exchange, months[at - 1].name, "");
	object.csv = path_of(exchange, months[at].name, ".csv");
	return show(exchange, &object);
}

/* GET /console/monitors/{id}/response-times */
enum result console_response_times(struct exchange *exchange)
{
	const struct resource_place place = { .id = exchange->match.id };
	struct response_times_shown times;
	struct monitor monitor;
	enum result result = monitors_read_times(exchange, &times);
	if (result == OK)
		result = resource_find(&exchange->service, &resource_monitors, &place, &monitor);
	if (result != OK)
		return result;
	const struct response_times_query query = { times.range };
	const struct console_inputs filter = { .fields = console_filter_fields(exchange),
					       .is_whole = true,
					       .object = &query };
	struct console_object object = { .heading = monitor.name,
					 .row = &times,
					 .has_days = times.range >= RESPONSE_30D,
					 .filter = &filter };
	return show(exchange, &object);
}
