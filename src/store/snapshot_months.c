/* The months of the pages' histories; page_history.c loads their incidents. */
#include "store/snapshot.h"

/* Of one page: all times that the database has. */
enum { MONTHS_MAX = 12 * 10000 };

struct month_row {
	int64_t page_id;
	struct page_month month;
};

#define ROW(member) FIELD_NAMED(struct month_row, month.member, #member)
static const struct field rows[] = {
	FIELD(struct month_row, page_id),
	ROW(start),
	ROW(revision),
	ROW(name),
};

/* The rows of a page are together, newest first. Maintenance that is planned has given later months
 * a row. */
static void fill_page(struct page_snapshot *page, const struct month_row *found, size_t count,
		      struct arena *arena)
{
	while (count > 0 && found->month.start.s > page->now.s)
		found++, count--;
	page->month_count = count < PAGE_MONTHS_MAX ? count : PAGE_MONTHS_MAX;
	page->months = ARENA_ARRAY(arena, page->month_count, struct page_month);
	for (size_t i = 0; i < page->month_count; i++)
		page->months[i] = found[i].month;
}

enum result snapshot_load_months(struct db *db, struct snapshot_set *set, struct arena *arena,
				 struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	sql_start(&sql, SQL("SELECT page_id, month AS start, SUM(revision) AS revision, "
			    "DATE_FORMAT(month, '%Y-%m') AS name FROM ("
			    "SELECT s.status_page_id AS page_id, x.month, "
			    "SUM(x.revision) AS revision FROM status_page_monitors s "
			    "STRAIGHT_JOIN incident_months x ON x.monitor_id = s.monitor_id "
			    "WHERE s.status_page_id IN ("));
	snapshot_add_pages(&sql, set, arena);
	sql_add(&sql, SQL(") GROUP BY s.status_page_id, x.month UNION ALL "
			  "SELECT g.status_page_id, g.month, SUM(g.revision) "
			  "FROM incident_pages g WHERE g.status_page_id IN ("));
	snapshot_add_pages(&sql, set, arena);
	sql_add(&sql, SQL(") GROUP BY g.status_page_id, g.month) either "
			  "GROUP BY page_id, month ORDER BY page_id, month DESC LIMIT ?"));
	sql_int(&sql, MONTHS_MAX);
	enum result result = snapshot_read(db, &sql,
					   DB_SHAPE(FIELDS(rows), struct month_row, MONTHS_MAX),
					   "months", arena, &list, error);
	const struct month_row *found = list.rows;
	for (size_t from = 0, to; result == OK && from < list.count; from = to) {
		struct page_snapshot *page = snapshot_page(set, found[from].page_id);
		for (to = from; to < list.count && found[to].page_id == found[from].page_id;)
			to++;
		if (page)
			fill_page(page, &found[from], to - from, arena);
	}
	return result;
}
