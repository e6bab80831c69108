/* The months of a page's history; page_history.c loads their incidents. */
#include "store/snapshot.h"

#define ROW(member) FIELD(struct page_month, member)
static const struct field rows[] = { ROW(start), ROW(revision), ROW(name) };

enum result snapshot_load_months(struct db *db, struct page_snapshot *snapshot, struct arena *arena,
				 struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	if (snapshot->monitor_ids.count == 0)
		return OK;
	sql_start(&sql, SQL("SELECT month AS start, SUM(revision) AS revision, "
			    "DATE_FORMAT(month, '%Y-%m') AS name "
			    "FROM incident_months WHERE monitor_id IN "));
	snapshot_add_monitors(&sql, snapshot, arena);
	sql_add(&sql, SQL("GROUP BY month ORDER BY month DESC LIMIT ?"));
	sql_int(&sql, PAGE_MONTHS_MAX);
	enum result result =
		snapshot_read(db, &sql, DB_SHAPE(FIELDS(rows), struct page_month, PAGE_MONTHS_MAX),
			      "months", arena, &list, error);
	snapshot->months = list.rows;
	snapshot->month_count = list.count;
	return result;
}
