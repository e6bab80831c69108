/* The lists of maintenance windows. */
#include "store/maintenance/maintenance.h"
#include "store/maintenance/maintenance_columns.h"

static const struct field read_rows[] = { MAINTENANCE_READ_ROWS };

/* Adds "FROM … WHERE …" for the windows of the query. Joins the current occurrence only if the
 * query needs it. */
static void add_filter(struct sql_build *sql, const struct maintenance_query *query,
		       struct arena *arena)
{
	sql_add(sql, SQL("FROM maintenances m "));
	if (query->status != MAINTENANCE_ANY_STATUS)
		sql_add(sql, SQL(CURRENT_OCCURRENCE), query->list.now);
	sql_add(sql, SQL("WHERE m.account_id = ? AND m.deleted_at IS NULL "),
		query->list.account_id);
	if (query->status != MAINTENANCE_ANY_STATUS)
		sql_add(sql, SQL("AND " STATUS_BY_CLOCK "= ? "), query->list.now, query->list.now,
			query->status);
	/* Windows with an open status are not over, so the condition on over_at finds all of them.
	 * Few windows are not over, and an index on over_at finds these. */
	bool is_open = query->status >= 0 &&
		       maintenance_is_open((enum maintenance_status)query->status);
	if (query->is_upcoming || is_open)
		sql_add(sql, SQL("AND m.over_at > ? "), query->list.now);
	if (query->monitor_id > 0) {
		sql_add(sql, SQL("AND m.id IN (SELECT x.maintenance_id "
				 "FROM maintenance_monitors x WHERE x.monitor_id = ?) "));
		sql_add(sql, query->monitor_id);
	}
	if (query->list.search)
		sql_add(sql, SQL("AND m.title LIKE ? ESCAPE '!' "),
			sql_contains(arena, query->list.search));
}

/* Windows with the same start are ordered by id, in the same direction. So one index serves both
 * directions. */
static struct sql order_of(const struct maintenance_query *query)
{
	if (query->list.sort_by == MAINTENANCE_BY_START)
		return query->list.is_ascending ? SQL("ORDER BY m.first_at, m.id ")
						: SQL("ORDER BY m.first_at DESC, m.id DESC ");
	return query->list.is_ascending ? SQL("ORDER BY m.id ") : SQL("ORDER BY m.id DESC ");
}

static enum result count_windows(struct db *db, const struct maintenance_query *query,
				 struct arena *arena, int64_t *total, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS total "));
	add_filter(&sql, query, arena);
	return list_total_past_end(db, &sql, query->list.offset, total, error);
}

static enum result read_windows(struct db *db, const struct maintenance_query *query,
				struct arena *arena, struct maintenance_page *page,
				struct error *error)
{
	static const struct field rows[] = { MAINTENANCE_READ_ROWS LIST_TOTAL(struct maintenance) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " MAINTENANCE_COLUMNS ", (SELECT COUNT(*) "));
	add_filter(&sql, query, arena);
	sql_add(&sql, SQL(") AS total FROM (SELECT m.id "));
	add_filter(&sql, query, arena);
	sql_add(&sql, order_of(query));
	sql_add(&sql, SQL("LIMIT ? OFFSET ?) shown JOIN maintenances m ON m.id = "
			  "shown.id " CURRENT_OCCURRENCE));
	sql_add(&sql, query->list.limit, query->list.offset, query->list.now);
	sql_add(&sql, order_of(query));
	sql_add(&sql, SQL("LIMIT 100"));
	enum result result = list_read(db, &sql, FIELDS(rows), LIST_INTO(page), arena, error);
	for (size_t i = 0; i < page->count; i++)
		maintenance_complete(&page->rows[i], query->list.now);
	return result;
}

enum result maintenance_list(struct db *db, const struct maintenance_query *query,
			     struct arena *arena, struct maintenance_page *page,
			     struct error *error)
{
	*page = (struct maintenance_page){ 0 };
	enum result result = read_windows(db, query, arena, page, error);
	if (result != OK || page->count > 0 || query->list.offset == 0)
		return result;
	return count_windows(db, query, arena, &page->total, error);
}

enum result maintenance_list_all(struct db *db, int64_t account_id, int64_t after_id,
				 struct instant now, struct arena *arena,
				 struct maintenance_page *page, struct error *error)
{
	struct sql_build sql;
	struct db_list found;
	sql_start(&sql, SQL("SELECT " MAINTENANCE_COLUMNS "FROM maintenances m " CURRENT_OCCURRENCE
			    "JOIN accounts a ON a.id = m.account_id AND a.removed_at IS NULL "
			    "WHERE m.id > ? AND m.deleted_at IS NULL "));
	sql_add(&sql, now, after_id);
	if (account_id > 0)
		sql_add(&sql, SQL("AND m.account_id = ? "), account_id);
	sql_add(&sql, SQL("ORDER BY m.id LIMIT 100"));
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(read_rows), struct maintenance, 100),
					  arena, &found, error);
	*page = (struct maintenance_page){ found.rows, found.count, (int64_t)found.count };
	for (size_t i = 0; i < page->count; i++)
		maintenance_complete(&page->rows[i], now);
	return result;
}
