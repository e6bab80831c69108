/* The response times of checked monitors, from the sums of hours and days. */
#ifndef STORE_CHECK_RESPONSE_TIMES_H
#define STORE_CHECK_RESPONSE_TIMES_H

#include "db/db.h"
#include "domain/monitor/response_time.h"

/* The values are indexes of response_range_words. */
enum response_range {
	RESPONSE_1D, /* one value for each hour */
	RESPONSE_7D, /* one value for each hour */
	RESPONSE_30D,
	RESPONSE_90D,
};
extern const char *const response_range_words[]; /* "1d", ... */

/* The columns of `h`, a row of monitor_hours or monitor_days; `at` is its start. */
#define RESPONSE_COLUMNS(at) \
	at " AS at, h.checks, h.failures, COALESCE(h.response_sum_ms DIV " \
	   "NULLIF(h.checks - h.failures, 0), 0) AS average_ms, " \
	   "h.response_min_ms AS min_ms, h.response_max_ms AS max_ms "
#define RESPONSE_ROWS \
	FIELD(struct response_time, monitor_id), FIELD(struct response_time, at), \
		FIELD(struct response_time, checks), FIELD(struct response_time, failures), \
		FIELD(struct response_time, average_ms), FIELD(struct response_time, min_ms), \
		FIELD(struct response_time, max_ms)

struct response_query {
	int64_t account_id;
	int64_t monitor_id;
	int range;
	struct instant now;
};
/*
 * Reads the hours or days of the range that have checks, oldest first: rows of struct
 * response_time. The last row is the present hour or day. One statement. E_NOT_FOUND: the account
 * has no such monitor.
 */
enum result response_times_read(struct db *db, const struct response_query *query,
				struct arena *arena, struct db_list *list, struct error *error)
	MUST_USE;

#endif
