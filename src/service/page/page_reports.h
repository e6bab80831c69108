/* The monthly reports of a page, for operators. They exist even if the page does not show them. */
#ifndef SERVICE_PAGE_PAGE_REPORTS_H
#define SERVICE_PAGE_PAGE_REPORTS_H

#include "domain/page/page_report.h"
#include "service/service.h"
#include "store/page/page_link.h"

struct service_report {
	struct page_report report;
	struct page_snapshot *snapshot; /* the data from which the report was made */
};
/*
 * Makes the report of a month ("2026-10"; NULL: the newest) of the page that `owner` names, as the
 * page shows it, from the newest committed state. E_NOT_FOUND: there is no such page, or the page
 * has no report of the month.
 */
enum result service_make_report(struct service *service, const struct page_link_owner *owner,
				const char *month, struct service_report *made) MUST_USE;

#endif
