#include "store/maintenance/maintenance.h"

#include <stdlib.h>

#include "store/account/usage.h"
#include "store/address_column.h"
#include "store/incident/incident.h"
#include "store/maintenance/maintenance_columns.h"
#include "store/page/publication.h"

/* clang-format off */
static const struct field inserted_rows[] = {
	MAINTENANCE_FIELDS(COLUMN_INSERT_ROW, struct maintenance, 0)
};
static const struct field updated_rows[] = {
	MAINTENANCE_FIELDS(COLUMN_SET_ROW, struct maintenance, 0)
};
static const struct field read_rows[] = { MAINTENANCE_READ_ROWS };
#define INSERTED MAINTENANCE_FIELDS(COLUMN_INSERT, , 0)
#define MARKS	 MAINTENANCE_FIELDS(COLUMN_MARK, , 0)
#define SETS	 MAINTENANCE_FIELDS(COLUMN_SET, , 0)
/* clang-format on */

enum result maintenance_add(struct db *db, struct maintenance *maintenance, int64_t most,
			    struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	const struct instant counted = { maintenance->created_at.s - MAINTENANCE_PAST_MAX_S };
	enum result result =
		usage_check_maintenances(db, maintenance->account_id, most, counted, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("INSERT INTO maintenances (" INSERTED
			    "first_at, over_at, expanded_at) VALUES (" MARKS "?, ?, ?)"));
	columns_bind(&sql, FIELDS(inserted_rows), maintenance);
	sql_add(&sql, maintenance->first_at, maintenance->over_at, maintenance->expanded_at);
	result = db_write(db, &sql, &done, error);
	if (result == OK) {
		maintenance->id = done.id;
		maintenance->revision = 1;
	}
	return result;
}

enum result maintenance_unknown_monitors(struct db *db, int64_t account_id,
					 const struct id_list *ids, struct arena *arena,
					 struct id_list *unknown, struct error *error)
{
	struct known {
		int64_t id;
	};
	static const struct field known_rows[] = { FIELD(struct known, id) };
	struct sql_build sql;
	struct db_list found;
	*unknown = (struct id_list){ ARENA_ARRAY(arena, ids->count, int64_t), 0 };
	if (ids->count == 0)
		return OK;
	sql_start(&sql, SQL("SELECT m.id FROM monitors m WHERE m.account_id = ? "
			    "AND m.removed_at IS NULL AND m.id IN ("));
	sql_add(&sql, account_id);
	sql_list_ints(&sql, ids->ids, ids->count, arena);
	sql_add(&sql, SQL(") ORDER BY m.id LIMIT 1000"));
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(known_rows), struct known, MAINTENANCE_MONITORS_MAX),
		arena, &found, error);
	/* A row has only the id, so id_order() can compare rows. */
	for (size_t i = 0; result == OK && i < ids->count; i++)
		if (found.count == 0 ||
		    !bsearch(&ids->ids[i], found.rows, found.count, sizeof(struct known), id_order))
			unknown->ids[unknown->count++] = ids->ids[i];
	return result;
}

enum result maintenance_put_monitors(struct db *db, const struct maintenance *maintenance,
				     bool is_new, struct arena *arena, struct error *error)
{
	static const struct sql_rows rows = {
		.first = { "SELECT CAST(? AS SIGNED) AS position, CAST(? AS SIGNED) AS id" },
		.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS SIGNED)" },
	};
	const struct id_list *ids = &maintenance->monitor_ids;
	struct sql_build sql;
	enum result result = OK;
	if (!is_new) {
		sql_start(&sql, SQL("DELETE FROM maintenance_monitors WHERE maintenance_id = ?"),
			  maintenance->id);
		result = db_write(db, &sql, NULL, error);
	}
	if (result != OK || ids->count == 0)
		return result;
	sql_start(&sql, SQL("INSERT INTO maintenance_monitors (maintenance_id, monitor_id, "
			    "position) SELECT ?, m.id, wanted.position FROM ("));
	sql_add(&sql, maintenance->id);
	sql_rows_begin(&sql, &rows, ids->count, arena);
	for (size_t i = 0; i < ids->count; i++)
		sql_add(&sql, (int64_t)i + 1, ids->ids[i]);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") wanted JOIN monitors m ON m.id = wanted.id AND m.account_id = ?"),
		maintenance->account_id);
	return db_write(db, &sql, NULL, error);
}

static void add_account(struct sql_build *sql, int64_t account_id)
{
	sql_add(sql, SQL("AND m.deleted_at IS NULL "));
	if (account_id == 0)
		return;
	sql_add(sql, SQL("AND m.account_id = ? "), account_id);
}

enum result maintenance_lock(struct db *db, int64_t account_id, int64_t id, struct error *error)
{
	int64_t locked;
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT m.id FROM maintenances m WHERE m.id = ? "), id);
	add_account(&sql, account_id);
	sql_add(&sql, SQL("ORDER BY m.id LIMIT 1 FOR UPDATE"));
	return db_read_int(db, &sql, &locked, error);
}

void maintenance_complete(struct maintenance *maintenance, struct instant now)
{
	struct maintenance_occurrence *current = &maintenance->current;
	current->maintenance_id = maintenance->id;
	current->is_auto = maintenance->auto_transition;
	current->remind_before = maintenance->remind_before;
	maintenance_set_next(current);
	maintenance_derive(maintenance, now);
}

enum result maintenance_find(struct db *db, int64_t account_id, int64_t id, struct instant now,
			     struct arena *arena, struct maintenance *maintenance,
			     struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " MAINTENANCE_COLUMNS "FROM maintenances m " CURRENT_OCCURRENCE
			    "WHERE m.id = ? "));
	sql_add(&sql, now, id);
	add_account(&sql, account_id);
	sql_add(&sql, SQL("ORDER BY m.id LIMIT 1"));
	*maintenance = (struct maintenance){ 0 };
	enum result result = db_read_one(db, &sql, FIELDS(read_rows), maintenance, arena, error);
	if (result == OK)
		maintenance_complete(maintenance, now);
	return result;
}

enum result maintenances_read(struct db *db, const struct id_list *ids, struct instant now,
			      struct arena *arena, struct db_list *found, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " MAINTENANCE_COLUMNS "FROM maintenances m " CURRENT_OCCURRENCE
			    "WHERE m.id IN ("));
	sql_add(&sql, now);
	sql_list_ints(&sql, ids->ids, ids->count, arena);
	sql_add(&sql, SQL(") ORDER BY m.id LIMIT ?"), (int64_t)ids->count);
	enum result result =
		db_read_list(db, &sql, DB_SHAPE(FIELDS(read_rows), struct maintenance, ids->count),
			     arena, found, error);
	struct maintenance *windows = found->rows;
	for (size_t i = 0; result == OK && i < found->count; i++)
		maintenance_complete(&windows[i], now);
	return result;
}

enum result maintenance_page_address(struct db *db, int64_t id, struct arena *arena,
				     const char **address, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " PAGE_ADDRESS "AS address FROM status_pages p WHERE p.id = "
			    "(SELECT MIN(s.status_page_id) FROM maintenance_monitors x "
			    "JOIN status_page_monitors s ON s.monitor_id = x.monitor_id "
			    "WHERE x.maintenance_id = ?) ORDER BY p.id LIMIT 1"));
	sql_add(&sql, id);
	enum result result = db_read_text(db, &sql, arena, address, error);
	return result == E_NOT_FOUND ? OK : result;
}

enum result maintenance_store(struct db *db, struct maintenance *maintenance, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql,
		  SQL("UPDATE maintenances SET " SETS "first_at = ?, over_at = ?, expanded_at = ?, "
		      "revision = revision + 1, updated_at = ? WHERE id = ?"));
	columns_bind(&sql, FIELDS(updated_rows), maintenance);
	sql_add(&sql, maintenance->first_at, maintenance->over_at, maintenance->expanded_at,
		maintenance->updated_at, maintenance->id);
	enum result result = db_write(db, &sql, &done, error);
	maintenance->revision++;
	return result == OK && done.rows == 0 ? E_NOT_FOUND : result;
}

enum result maintenance_mark_deleted(struct db *db, int64_t id, struct instant now,
				     struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE maintenances SET deleted_at = ?, expanded_at = NULL, "
			    "over_at = LEAST(over_at, ?), revision = revision + 1, "
			    "updated_at = ? WHERE id = ?"));
	sql_add(&sql, now, now, now, id);
	return db_write(db, &sql, NULL, error);
}

enum result maintenance_purge(struct db *db, struct instant before, bool *is_more,
			      struct error *error)
{
	enum { MOST = 100 };
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, SQL("DELETE FROM maintenances WHERE deleted_at < ? "
			    "ORDER BY deleted_at, id LIMIT 100"));
	sql_add(&sql, before);
	enum result result = db_write(db, &sql, &done, error);
	*is_more = result == OK && done.rows == MOST;
	return result;
}

enum result maintenance_list_pages(struct db *db, int64_t id, struct arena *arena,
				   struct db_list *pages, struct error *error)
{
	static const struct field page_rows[] = { FIELD(struct incident_page, id),
						  FIELD(struct incident_page, name) };
	struct sql_build sql;
	sql_start(&sql,
		  SQL("SELECT DISTINCT p.id, p.name FROM maintenance_monitors x "
		      "JOIN status_page_monitors s ON s.monitor_id = x.monitor_id "
		      "JOIN status_pages p ON p.id = s.status_page_id "
		      "WHERE x.maintenance_id = ? ORDER BY p.id LIMIT ?"),
		  id, INCIDENT_SHOWN_PAGES_MAX);
	return db_read_list(
		db, &sql,
		DB_SHAPE(FIELDS(page_rows), struct incident_page, INCIDENT_SHOWN_PAGES_MAX), arena,
		pages, error);
}

/* Locks the pages in the order of ids, as writes of reported incidents and batches of alerts do. */
enum result maintenance_mark_pages(struct db *db, int64_t id, struct instant now,
				   struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE (SELECT DISTINCT s.status_page_id AS id "
			    "FROM maintenance_monitors x JOIN status_page_monitors s "
			    "ON s.monitor_id = x.monitor_id WHERE x.maintenance_id = ? "
			    "ORDER BY s.status_page_id LIMIT 1000000) pages "
			    "STRAIGHT_JOIN page_revisions r ON r.page_id = pages.id "
			    "SET " PUBLICATION_MARK_DIRTY));
	sql_add(&sql, id, now);
	return db_write(db, &sql, NULL, error);
}

enum result maintenance_touch_monitors(struct db *db, const struct id_list *ids, struct instant at,
				       struct arena *arena, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("UPDATE (SELECT DISTINCT x.monitor_id AS id FROM maintenance_monitors x "
		      "WHERE x.maintenance_id IN ("));
	sql_list_ints(&sql, ids->ids, ids->count, arena);
	sql_add(&sql, SQL(") ORDER BY x.monitor_id LIMIT 1000000) touched "
			  "STRAIGHT_JOIN monitors m ON m.id = touched.id "
			  "SET m.maintained_at = COALESCE(GREATEST(m.maintained_at, ?), ?)"));
	sql_add(&sql, at, at);
	return db_write(db, &sql, NULL, error);
}

/* Increments the revision of each month from an occurrence's start to its end. An occurrence lasts
 * for at most a year, so it touches at most 13 months. */
enum result maintenance_touch_months(struct db *db, int64_t id, struct instant since,
				     struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO incident_months (monitor_id, month, revision) "
			    "SELECT x.monitor_id, touched.month, 1 FROM (SELECT DISTINCT "
			    "DATE_FORMAT(o.starts_at, '%Y-%m-01') + INTERVAL later.months MONTH "
			    "AS month FROM maintenance_occurrences o JOIN (SELECT 0 AS months "
			    "UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 "
			    "UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 "
			    "UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9 "
			    "UNION ALL SELECT 10 UNION ALL SELECT 11 UNION ALL SELECT 12) later "
			    "ON DATE_FORMAT(o.starts_at, '%Y-%m-01') + "
			    "INTERVAL later.months MONTH <= o.ends_at "
			    "WHERE o.maintenance_id = ? AND o.ends_at >= ?) touched "
			    "STRAIGHT_JOIN maintenance_monitors x ON x.maintenance_id = ? "
			    "ORDER BY x.monitor_id, touched.month LIMIT 1000000 "
			    "ON DUPLICATE KEY UPDATE revision = incident_months.revision + 1"));
	sql_add(&sql, id, since, id);
	return db_write(db, &sql, NULL, error);
}

enum result maintenance_next_expansion(struct db *db, struct instant before, int64_t *id,
				       struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT m.id FROM maintenances m WHERE m.expanded_at < ? "
			    "ORDER BY m.expanded_at, m.id LIMIT 1"));
	sql_add(&sql, before);
	return db_read_int(db, &sql, id, error);
}

enum result maintenance_set_expanded(struct db *db, const struct maintenance *maintenance,
				     bool has_changed, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE maintenances SET expanded_at = ?, over_at = ?, "
			    "revision = revision + ? WHERE id = ?"));
	sql_add(&sql, maintenance->expanded_at, maintenance->over_at, has_changed, maintenance->id);
	return db_write(db, &sql, NULL, error);
}
