/* The conditions of lists of incidents, for store/incident/incident_list.c. */
#ifndef STORE_INCIDENT_INCIDENT_FILTER_H
#define STORE_INCIDENT_INCIDENT_FILTER_H

#include "store/incident/incident.h"

/* Whether the query has a filter for which no counts are kept. */
bool incident_filter_is_set(const struct incident_filter *filter);
/* Adds "WHERE …" for the table incidents. If the query names a monitor and has neither a pattern
 * nor a filter, only the monitor's detected incidents match. */
void incident_filter_rows(struct sql_build *sql, const struct incident_query *query,
			  const char *pattern);
/*
 * Adds "WHERE …" for the table incident_monitors: the reported incidents that affect the monitor of
 * the query.
 */
void incident_filter_covers(struct sql_build *sql, const struct incident_query *query);
/* Adds the columns `detected` and `reported`: the numbers of incidents, from the kept counts and
 * from an index. A pattern searches the names or URLs of monitors. */
void incident_filter_totals(struct sql_build *sql, const struct incident_query *query,
			    const char *pattern);
/* Adds the sum of detected and reported incidents, for a query without a search. */
void incident_filter_sum(struct sql_build *sql, const struct incident_query *query);

#endif
