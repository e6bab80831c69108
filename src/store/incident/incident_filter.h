/* The conditions of lists of incidents, for store/incident/incident_list.c. */
#ifndef STORE_INCIDENT_INCIDENT_FILTER_H
#define STORE_INCIDENT_INCIDENT_FILTER_H

#include "store/incident/incident.h"

/* Whether the query has a filter for which no counts are kept. */
bool incident_filter_is_set(const struct incident_filter *filter);
/* Adds "WHERE …" for the table incidents. If the query is for a monitor, and has neither a pattern
 * nor a filter, only detected incidents of this monitor match. */
void incident_filter_rows(struct sql_build *sql, const struct incident_query *query,
			  const char *pattern);
/* Adds "WHERE …" for the table incident_monitors: selects the reported incidents that affect the
 * monitor of the query. */
void incident_filter_covers(struct sql_build *sql, const struct incident_query *query);
/* Adds the columns `detected` and `reported`: how many incidents of each kind match. The query may
 * have a monitor, a status, and a pattern for the names or URLs of monitors. */
void incident_filter_totals(struct sql_build *sql, const struct incident_query *query,
			    const char *pattern);
/* Adds the number of all incidents, detected and reported, for a query without a search. */
void incident_filter_sum(struct sql_build *sql, const struct incident_query *query);

#endif
