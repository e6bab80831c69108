/* The list of an account's monitors. */
#include "store/columns.h"
#include "store/monitor/monitor.h"
#include "store/monitor/monitor_columns.h"

#define IS_UP \
	"NOT EXISTS (SELECT 1 FROM incidents i WHERE i.open_monitor_id = m.id) " \
	"AND NOT EXISTS (SELECT 1 " REPORTED_DOWN ") "
/* Neither down, nor paused, nor in maintenance. */
#define IS_PLAIN    "AND m.is_paused = 0 AND " IS_UP "AND " MAINTENANCE_SINCE " IS NULL "
#define IS_OBSERVED "AND NOT EXISTS (SELECT 1 " OPEN_GAP ") AND "

static void add_state(struct sql_build *sql, const struct monitor_query *query)
{
	/* The states are literals, so that the statement of each state has its own plan. */
	static const struct sql states[] = {
		[MONITOR_UP] = { IS_PLAIN IS_OBSERVED "m.known_since IS NOT NULL "
						      "AND COALESCE(" CHECK_PHASE
						      ", 1) IN (1, 3) " },
		[MONITOR_CONFIRMING] = { IS_PLAIN IS_OBSERVED CHECK_PHASE " = 2 " },
		[MONITOR_PENDING] = { IS_PLAIN IS_OBSERVED CHECK_PHASE " = 0 " },
		[MONITOR_DOWN] = { "AND (EXISTS (SELECT 1 " REPORTED_DOWN ") "
				   "OR (SELECT i.started_at FROM incidents i "
				   "WHERE i.open_monitor_id = m.id) < COALESCE(" MAINTENANCE_SINCE
				   ", TIMESTAMP'9999-12-31 00:00:00')) " },
		[MONITOR_NO_DATA] = { IS_PLAIN "AND (EXISTS (SELECT 1 " OPEN_GAP ") "
					       "OR CASE COALESCE(" CHECK_PHASE ", 1) WHEN 4 THEN 1 "
					       "WHEN 0 THEN 0 WHEN 2 THEN 0 "
					       "ELSE m.known_since IS NULL END) " },
		[MONITOR_PAUSED] = { "AND m.is_paused = 1 AND " IS_UP "AND " MAINTENANCE_SINCE
				     " IS NULL " },
		[MONITOR_MAINTENANCE] = { "AND NOT EXISTS (SELECT 1 " REPORTED_DOWN ") "
					  "AND COALESCE((SELECT i.started_at FROM incidents i "
					  "WHERE i.open_monitor_id = m.id), "
					  "TIMESTAMP'9999-12-31 00:00:00') >= " MAINTENANCE_SINCE
					  " " },
	};
	if (query->state == MONITOR_RETIRED) {
		sql_add(sql, SQL("AND m.retired_at IS NOT NULL AND m.removed_at IS NULL "));
		return;
	}
	sql_add(sql, SQL("AND m.retired_at IS NULL "));
	if (query->state == MONITOR_ANY_STATE)
		return;
	sql_add(sql, states[query->state]);
	monitor_bind_columns(sql, query->list.now);
}

static void add_filter(struct sql_build *sql, const struct monitor_query *query,
		       struct arena *arena)
{
	sql_add(sql, SQL("WHERE m.account_id = ? "), query->list.account_id);
	add_state(sql, query);
	if (query->list.search) {
		sql_add(sql, query->list.search_by == MONITOR_SEARCH_URL
				     ? SQL("AND m.url LIKE ? ESCAPE '!' ")
				     : SQL("AND m.name LIKE ? ESCAPE '!' "));
		sql_add(sql, sql_contains(arena, query->list.search));
	}
	if (query->group)
		sql_add(sql, SQL("AND m.`group` = ? "), query->group);
	if (query->status_page_id > 0) {
		sql_add(sql, SQL("AND m.id IN (SELECT s.monitor_id FROM status_page_monitors s "
				 "WHERE s.status_page_id = ?) "));
		sql_add(sql, query->status_page_id);
	}
}

/* Monitors with the same name or URL are ordered by id, in the same direction. So one index serves
 * both directions. */
static struct sql order_of(const struct monitor_query *query)
{
	static const struct sql orders[][2] = {
		[MONITOR_BY_ID] = { { "ORDER BY m.id DESC " }, { "ORDER BY m.id " } },
		[MONITOR_BY_NAME] = { { "ORDER BY m.name DESC, m.id DESC " },
				      { "ORDER BY m.name, m.id " } },
		[MONITOR_BY_URL] = { { "ORDER BY m.url DESC, m.id DESC " },
				     { "ORDER BY m.url, m.id " } },
	};
	return orders[query->list.sort_by][query->list.is_ascending];
}

static struct sql outer_order_of(const struct monitor_query *query)
{
	static const struct sql orders[][2] = {
		[MONITOR_BY_ID] = { { "ORDER BY shown.id DESC LIMIT 100" },
				    { "ORDER BY shown.id LIMIT 100" } },
		[MONITOR_BY_NAME] = { { "ORDER BY shown.name DESC, shown.id DESC LIMIT 100" },
				      { "ORDER BY shown.name, shown.id LIMIT 100" } },
		[MONITOR_BY_URL] = { { "ORDER BY shown.url DESC, shown.id DESC LIMIT 100" },
				     { "ORDER BY shown.url, shown.id LIMIT 100" } },
	};
	return orders[query->list.sort_by][query->list.is_ascending];
}

/* Returns the SELECT of the ids. If an index has the order of the list, forces this index. No index
 * has the order by URL, because URLs are too long for an index. */
static struct sql ids_of(const struct monitor_query *query)
{
	bool is_plain = query->state == MONITOR_ANY_STATE && !query->list.search && !query->group &&
			query->status_page_id == 0;
	if (query->list.sort_by == MONITOR_BY_URL)
		return SQL("FROM (SELECT m.id, m.url FROM monitors m ");
	if (query->list.sort_by == MONITOR_BY_NAME)
		return is_plain ? SQL("FROM (SELECT m.id, m.name FROM monitors m "
				      "FORCE INDEX (monitors_listed_name) ")
				: SQL("FROM (SELECT m.id, m.name FROM monitors m ");
	return is_plain ? SQL("FROM (SELECT m.id FROM monitors m FORCE INDEX (monitors_listed) ")
			: SQL("FROM (SELECT m.id FROM monitors m ");
}

static enum result count_monitors(struct db *db, const struct monitor_query *query,
				  struct arena *arena, int64_t *total, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS total FROM monitors m "));
	add_filter(&sql, query, arena);
	return list_total_past_end(db, &sql, query->list.offset, total, error);
}

static enum result read_monitors(struct db *db, const struct monitor_query *query,
				 struct arena *arena, struct monitor_page *page,
				 struct error *error)
{
	static const struct field rows[] = { MONITOR_READ_ROWS LIST_TOTAL(struct monitor) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " MONITOR_COLUMNS ", (SELECT COUNT(*) FROM monitors m "));
	monitor_bind_columns(&sql, query->list.now);
	add_filter(&sql, query, arena);
	sql_add(&sql, SQL(") AS total "));
	sql_add(&sql, ids_of(query));
	add_filter(&sql, query, arena);
	sql_add(&sql, order_of(query));
	sql_add(&sql,
		SQL("LIMIT ? OFFSET ?) shown JOIN monitors m ON m.id = shown.id " MONITOR_JOINS));
	sql_add(&sql, query->list.limit, query->list.offset);
	sql_add(&sql, outer_order_of(query));
	enum result result = list_read(db, &sql, FIELDS(rows), LIST_INTO(page), arena, error);
	monitors_complete(page->rows, page->count, arena);
	return result;
}

enum result monitor_list_page(struct db *db, const struct monitor_query *query, struct arena *arena,
			      struct monitor_page *page, struct error *error)
{
	*page = (struct monitor_page){ 0 };
	enum result result = read_monitors(db, query, arena, page, error);
	if (result != OK || page->count > 0 || query->list.offset == 0)
		return result;
	return count_monitors(db, query, arena, &page->total, error);
}

enum result monitor_ids(struct db *db, const struct monitor_query *query, size_t most,
			struct arena *arena, struct id_list *ids, struct error *error)
{
	static const struct field rows[] = { { .name = "id", .kind = FIELD_INT } };
	struct sql_build sql;
	struct db_list found = { 0 };
	sql_start(&sql, SQL("SELECT m.id FROM monitors m "));
	add_filter(&sql, query, arena);
	sql_add(&sql, SQL("ORDER BY m.id LIMIT ?"), (int64_t)most);
	enum result result =
		db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), int64_t, most), arena, &found, error);
	*ids = (struct id_list){ found.rows, found.count };
	return result;
}

enum result monitor_names(struct db *db, const struct monitor_name_query *query,
			  struct arena *arena, struct db_list *names, struct error *error)
{
	static const struct field rows[] = { FIELD(struct monitor_name, id),
					     FIELD(struct monitor_name, name),
					     FIELD(struct monitor_name, is_chosen) };
	static const int64_t none = 0;
	const struct id_list *chosen = query->chosen;
	size_t most = chosen->count + query->most;
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT m.id, m.name, 1 AS is_chosen FROM monitors m WHERE m.id IN ("));
	sql_list_ints(&sql, chosen->count > 0 ? chosen->ids : &none,
		      chosen->count > 0 ? chosen->count : 1, arena);
	sql_add(&sql, SQL(") AND m.account_id = ? AND m.retired_at IS NULL UNION ALL "
			  "SELECT found.id, found.name, 0 FROM (SELECT m.id, m.name "
			  "FROM monitors m WHERE m.account_id = ? AND m.retired_at IS NULL "
			  "AND m.name LIKE ? ESCAPE '!' AND NOT EXISTS (SELECT 1 "
			  "FROM status_page_monitors s WHERE s.status_page_id = ? "
			  "AND s.monitor_id = m.id) ORDER BY m.name, m.id LIMIT ?) found "
			  "ORDER BY is_chosen DESC, name, id LIMIT ?"));
	sql_add(&sql, query->account_id, query->account_id,
		sql_contains(arena, query->search ? query->search : ""), query->not_on_page,
		(int64_t)query->most, (int64_t)most);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct monitor_name, most), arena,
			    names, error);
}
