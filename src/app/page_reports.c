#include <string.h>

#include "app/handlers.h"

#include "app/respond.h"
#include "service/page/page_reports.h"
#include "view/page.h"

static enum result respond_csv(struct exchange *exchange, const struct service_report *made)
{
	struct buf *body = &exchange->response.body;
	buf_clear(body);
	page_report_csv(body, made->snapshot, &made->report, &exchange->arena);
	exchange_respond_csv(
		exchange, arena_printf(&exchange->arena, "report-%s.csv", made->report.month.name));
	return OK;
}

/* GET /status-pages/{id}/reports/{month}: "2026-10" as JSON, "2026-10.csv" as CSV */
enum result page_reports_show(struct exchange *exchange)
{
	const struct page_link_owner owner = { .page_id = exchange->match.id };
	const struct str name = str_from(exchange->match.params[0]), csv = STR(".csv");
	const bool is_csv = name.len > csv.len && str_eq(str_skip(name, name.len - csv.len), csv);
	const char *month =
		arena_strndup(&exchange->arena, name.data, name.len - (is_csv ? csv.len : 0));
	struct service_report made;
	enum result result = service_make_report(&exchange->service, &owner, month, &made);
	if (result != OK)
		return result;
	if (is_csv)
		return respond_csv(exchange, &made);
	exchange_respond_row(exchange, 200, page_report_fields, &made.report);
	return OK;
}
