#include "service/page/page_reports.h"

#include "store/snapshot/page_content.h"
#include "store/snapshot/page_history.h"

static enum result make(struct service *service, struct service_report *made, const char *name)
{
	const struct page_report_month *month;
	struct page_snapshot past;
	enum result result = OK;
	page_report_find_months(made->snapshot, service->arena);
	month = name				   ? page_report_month_of(made->snapshot, name)
		: made->snapshot->report_count > 0 ? made->snapshot->reports
						   : NULL;
	if (!month)
		return E_NOT_FOUND;
	if (month->from.s < made->snapshot->calendar.starts[0].s) {
		result = page_history_read_past(service->db, made->snapshot, month->from,
						service->arena, &past, service->error);
		*made->snapshot = past;
	}
	if (result == OK)
		page_report_make(&made->report, made->snapshot, month, service->arena);
	return result;
}

enum result service_make_report(struct service *service, const struct page_link_owner *owner,
				const char *month, struct service_report *made)
{
	struct page_link_owner found = *owner;
	struct status_page page;
	struct page_content_list list;
	if (!principal_may(&service->principal, PERMISSION_READ))
		return E_FORBIDDEN;
	found.account_id = service->principal.account_id;
	enum result result =
		page_link_owner_find(service->db, &found, service->arena, &page, service->error);
	if (result != OK)
		return result;
	const struct page_content_query query = { .page_ids = &page.id,
						  .count = 1,
						  .now = service->now };
	result = page_content_read(service->db, &query, service->arena, &list, service->error);
	if (result != OK)
		return result;
	made->snapshot = &list.rows[0].view;
	return list.rows[0].is_found ? make(service, made, month) : E_NOT_FOUND;
}
