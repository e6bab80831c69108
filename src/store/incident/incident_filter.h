/* The conditions of lists of incidents, for store/incident/incident_list.c. */
#ifndef STORE_INCIDENT_INCIDENT_FILTER_H
#define STORE_INCIDENT_INCIDENT_FILTER_H

#include "store/incident/incident.h"

/* Whether the query has a filter that the kept counts do not know. */
bool incident_filter_is_set(const struct incident_filter *filter);
/* WHERE of `incidents`. Without a pattern or filter only the detected incidents of a monitor match.
 */
void incident_filter_rows(struct sql_build *sql, const struct incident_query *query,
			  const char *pattern);
/* WHERE of `incident_monitors`: the reported incidents that cover the monitor of the query. */
void incident_filter_covers(struct sql_build *sql, const struct incident_query *query);
/* The columns `detected` and `reported`: the number of incidents from the kept counts, and from an
 * index. A pattern is one for the names or URLs of monitors. */
void incident_filter_totals(struct sql_build *sql, const struct incident_query *query,
			    const char *pattern);
/* The sum of both, without a search. */
void incident_filter_sum(struct sql_build *sql, const struct incident_query *query);

#endif
