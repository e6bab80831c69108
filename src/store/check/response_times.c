#include "store/check/response_times.h"

enum { HOUR_S = 3600, DAY_SECONDS = 24 * HOUR_S, POINTS_MAX = 7 * 24 + 1 };

const char *const response_range_words[] = { "1d", "7d", "30d", "90d", NULL };

enum result response_times_read(struct db *db, const struct response_query *query,
				struct arena *arena, struct db_list *list, struct error *error)
{
	static const struct field rows[] = { RESPONSE_ROWS };
	static const int64_t days[] = { 1, 7, 30, 90 };
	bool is_by_hour = query->range <= RESPONSE_7D;
	const int64_t step = is_by_hour ? HOUR_S : DAY_SECONDS;
	const int64_t first = query->now.s - days[query->range] * DAY_SECONDS;
	struct sql_build sql;
	/* The keys of the tables begin with the time, so the statement lists each hour or day. A
	 * monitor without hours or days has one row, in which `at` is NULL. */
	sql_start(&sql, SQL("SELECT m.id AS monitor_id, "));
	sql_add(&sql,
		is_by_hour ? SQL(RESPONSE_COLUMNS("h.hour") "FROM monitors m LEFT JOIN "
							    "monitor_hours h ON h.monitor_id = "
							    "m.id AND h.checks > 0 "
							    "AND h.hour IN (")
			   : SQL(RESPONSE_COLUMNS(
				     "CAST(h.day AS DATETIME)") "FROM monitors m "
								"LEFT JOIN monitor_days h ON "
								"h.monitor_id = m.id "
								"AND h.checks > 0 AND h.day IN ("));
	sql_list_times(&sql, (struct instant){ first - first % step }, step,
		       (size_t)(days[query->range] * DAY_SECONDS / step + 1), arena);
	sql_add(&sql, is_by_hour ? SQL(") WHERE m.id = ? AND m.account_id = ? "
				       "AND m.removed_at IS NULL ORDER BY h.hour LIMIT 169")
				 : SQL(") WHERE m.id = ? AND m.account_id = ? "
				       "AND m.removed_at IS NULL ORDER BY h.day LIMIT 169"));
	sql_add(&sql, query->monitor_id, query->account_id);
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(rows), struct response_time, POINTS_MAX),
					  arena, list, error);
	if (result != OK || list->count == 0)
		return result == OK ? E_NOT_FOUND : result;
	if (((const struct response_time *)list->rows)->at.s == 0)
		list->count = 0;
	return OK;
}
