#include "store/check/check_figures.h"

#include "domain/page/uptime.h"

#define COLUMNS \
	", checks, failures, response_sum_ms, response_min_ms, response_max_ms) SELECT ?, " \
	"given.start, given.made, given.failed, given.sum, given.least, given.most FROM ("

/*
 * Keep the order of the assignments: an assignment sees the results of the assignments before it.
 * The numbers in LEAST() are the largest values of the columns. The sums of one request, which are
 * at most FIGURES_MAX * FIGURE_MAX_MS, fit into the columns.
 */
#define ADDED \
	" ON DUPLICATE KEY UPDATE response_min_ms = CASE " \
	"WHEN VALUES(checks) = VALUES(failures) THEN response_min_ms " \
	"WHEN checks = failures THEN VALUES(response_min_ms) " \
	"ELSE LEAST(response_min_ms, VALUES(response_min_ms)) END, " \
	"response_max_ms = GREATEST(response_max_ms, VALUES(response_max_ms)), " \
	"response_sum_ms = LEAST(response_sum_ms + VALUES(response_sum_ms), 4294967295), " \
	"failures = LEAST(failures + VALUES(failures), 16777215), " \
	"checks = LEAST(checks + VALUES(checks), 16777215)"

static enum result add_sums(struct db *db, struct sql start, int64_t monitor_id,
			    const struct check_hour *sums, size_t count, struct error *error)
{
	static const struct sql_rows given = {
		.first = { "SELECT CAST(? AS DATETIME) AS start, CAST(? AS SIGNED) AS made, "
			   "CAST(? AS SIGNED) AS failed, CAST(? AS SIGNED) AS sum, "
			   "CAST(? AS SIGNED) AS least, CAST(? AS SIGNED) AS most" },
		.next = { " UNION ALL SELECT CAST(? AS DATETIME), CAST(? AS SIGNED), "
			  "CAST(? AS SIGNED), CAST(? AS SIGNED), CAST(? AS SIGNED), "
			  "CAST(? AS SIGNED)" },
	};
	struct arena arena CLEANUP(arena_done);
	struct sql_build sql;
	arena_init(&arena, 4 << 20);
	sql_start(&sql, start, monitor_id);
	sql_rows_begin(&sql, &given, count, &arena);
	for (size_t i = 0; i < count; i++)
		sql_add(&sql, sums[i].hour, sums[i].checks, sums[i].failures,
			sums[i].response_sum_ms, sums[i].response_min_ms, sums[i].response_max_ms);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") given WHERE given.start IS NOT NULL" ADDED));
	return db_write(db, &sql, NULL, error);
}

enum result check_figures_add(struct db *db, int64_t monitor_id, struct field_rows figures,
			      struct arena *arena, struct error *error)
{
	enum { HOUR_S = 3600 };
	struct check_hour *hours, *days;
	size_t hour_count = figures_sum(figures, HOUR_S, arena, &hours);
	size_t day_count = figures_sum(figures, DAY_S, arena, &days);
	enum result result = add_sums(db,
				      SQL("INSERT INTO monitor_hours (monitor_id, hour" COLUMNS),
				      monitor_id, hours, hour_count, error);
	return result == OK ? add_sums(db, SQL("INSERT INTO monitor_days (monitor_id, day" COLUMNS),
				       monitor_id, days, day_count, error)
			    : result;
}
