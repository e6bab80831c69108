/*
 * The report of a month of a page: the uptime of its systems, its incidents and maintenance, and
 * the time that does not count. The uptime follows the rules of domain/page/uptime.h, as on the
 * page.
 *
 * A report has the systems that the page has now. So a removed system disappears from past reports,
 * too. Months begin and end in the page's time zone. The record of a page begins with the earliest
 * record of its systems.
 */
#ifndef DOMAIN_PAGE_PAGE_REPORT_H
#define DOMAIN_PAGE_PAGE_REPORT_H

#include "domain/page/page_snapshot.h"

/* The figures of a system or of a group, in seconds. A group has the sums of its systems, but the
 * lowest of their uptimes, as on the page. */
struct page_report_figures {
	const char *name;
	const char *group; /* the group of a system; NULL: none */
	int64_t id;	   /* the id of a system; 0: a group */
	/* The start of the record, if it is in the month; otherwise 0. */
	struct instant known_since;
	struct percent uptime; /* a share of known_s; unknown: nothing was observed */
	int64_t known_s;       /* the observed time */
	int64_t down_s;	       /* part of known_s that counts against uptime */
	int64_t degraded_s;    /* part of known_s with an impact less than a major outage */
	int64_t outage_count;  /* the number of separate outages in down_s */
	/* Detected outages in maintenance windows: part of known_s, but not of down_s. */
	int64_t maintenance_s;
	int64_t excluded_s;   /* major outages of incidents with exclude_from_uptime */
	int64_t unobserved_s; /* time in gaps, which is not in known_s */
};

struct page_report {
	struct page_report_month month;
	struct instant until; /* the end of the month; at most the time of the snapshot */
	bool is_complete;     /* the month is over */
	const char *time_zone;
	struct page_report_figures *systems; /* by group, in the page's order */
	size_t system_count;
	struct page_report_figures *groups; /* in the order of their first systems */
	size_t group_count;
	/* Incidents with an impact on a system, newest first, without texts. `inside` is set in a
	 * detected incident that a reported incident covers. */
	struct page_incident *incidents;
	size_t incident_count;
	/* Occurrences of windows in progress or completed, newest first, without texts. */
	struct page_maintenance *maintenances;
	size_t maintenance_count;
};
extern const struct fields page_report_fields, page_report_system_fields;

/* Sets snapshot->reports to the months from the start of the page's record to the present month, at
 * most the newest PAGE_REPORTS_MAX. A page without a record has no months. */
void page_report_find_months(struct page_snapshot *snapshot, struct arena *arena);
/* Returns the month with this name; NULL: the page has no report of this month. */
const struct page_report_month *page_report_month_of(const struct page_snapshot *snapshot,
						     const char *name);

/*
 * Computes the report of a month. Call page_snapshot_derive() before it. The snapshot must have all
 * outages, gaps and windows since the start of the month.
 */
void page_report_make(struct page_report *report, const struct page_snapshot *snapshot,
		      const struct page_report_month *month, struct arena *arena);

#endif
