/* The parts of statements about the events of a query: for lists and totals of events. */
#ifndef STORE_EVENT_ROWS_H
#define STORE_EVENT_ROWS_H

#include "store/event.h"

/* A time that begins at `from` and ends before `until`; 0: no limit. */
struct event_stretch {
	struct instant from;
	struct instant until;
};
/* Adds "FROM events … WHERE …", with the index that serves the filter and the order of the list. */
void event_add_rows(struct sql_build *sql, const struct event_query *query,
		    const struct event_stretch *stretch);
/* Adds "FROM … WHERE …" for the events above the horizon. The kept counts do not include these
 * events. */
void event_add_uncounted(struct sql_build *sql, const struct event_query *query,
			 const struct event_stretch *stretch);
/* Adds "FROM … WHERE …" for the kept counts of the query: one row for each span of the length
 * `span`, which is "all", "day" or "hour". */
void event_add_counts(struct sql_build *sql, const struct event_query *query, const char *span,
		      const struct event_stretch *stretch);

#endif
