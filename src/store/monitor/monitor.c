#include "store/monitor/monitor.h"

#include "store/account/usage.h"
#include "store/columns.h"
#include "store/monitor/monitor_columns.h"
#include "store/page/publication.h"

/* clang-format off */
static const struct field inserted_rows[] = {
	MONITOR_FIELDS(COLUMN_INSERT_ROW, struct monitor, 0)
};
static const struct field updated_rows[] = { MONITOR_FIELDS(COLUMN_SET_ROW, struct monitor, 0) };
static const struct field locked_rows[] = {
	MONITOR_FIELDS(COLUMN_READ_ROW, struct monitor, 0) FIELD(struct monitor, id),
};
static const struct field read_rows[] = { MONITOR_READ_ROWS };
#define INSERTED MONITOR_FIELDS(COLUMN_INSERT, , 0)
#define MARKS	 MONITOR_FIELDS(COLUMN_MARK, , 0)
#define SETS	 MONITOR_FIELDS(COLUMN_SET, , 0)
/* clang-format on */

/* For the SET of a statement with CHECK_JOIN: tells the checker that the monitor has changed. One
 * argument: the time. */
#define CHECK_CHANGED "k.changed_at = GREATEST(k.changed_at, ?) "

#define MONITOR_SELECT "SELECT " MONITOR_COLUMNS "FROM monitors m " MONITOR_JOINS

void monitors_complete(struct monitor *rows, size_t count, struct arena *arena)
{
	check_settings_complete(rows, count, arena);
	for (size_t i = 0; i < count; i++)
		monitor_derive_state(&rows[i]);
}

enum result monitor_add(struct db *db, struct monitor *monitor, int64_t most, struct error *error)
{
	struct sql_build sql;
	enum result result = usage_check_monitors(db, monitor->account_id, most, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("INSERT INTO monitors (" INSERTED "id) VALUES (" MARKS "NULL)"));
	columns_bind(&sql, FIELDS(inserted_rows), monitor);
	return db_insert(db, &sql, &monitor->id, error);
}

enum result monitor_list(struct db *db, int64_t account_id, int64_t after_id, struct instant now,
			 struct arena *arena, struct monitor_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(MONITOR_SELECT "JOIN accounts a ON a.id = m.account_id "
					   "AND a.removed_at IS NULL WHERE m.id > ? "));
	monitor_bind_columns(&sql, now);
	sql_add(&sql, after_id);
	if (account_id > 0)
		sql_add(&sql, SQL("AND m.account_id = ? "), account_id);
	sql_add(&sql, SQL("ORDER BY m.id LIMIT 1000"));
	enum result result =
		db_read_into(db, &sql, FIELDS(read_rows), DB_INTO(list, 1000), arena, error);
	monitors_complete(list->rows, list->count, arena);
	return result;
}

/* Adds the condition that the monitor belongs to the account and is not being removed. Adds nothing
 * if account_id is 0. */
static void add_account(struct sql_build *sql, int64_t account_id)
{
	if (account_id == 0)
		return;
	sql_add(sql, SQL("AND m.account_id = ? AND m.removed_at IS NULL "), account_id);
}

enum result monitor_find(struct db *db, int64_t account_id, int64_t id, struct instant now,
			 struct arena *arena, struct monitor *monitor, struct error *error)
{
	struct sql_build sql;
	/* Clear the uptimes, which the statement does not read. */
	*monitor = (struct monitor){ 0 };
	sql_start(&sql, SQL(MONITOR_SELECT "WHERE m.id = ? "));
	monitor_bind_columns(&sql, now);
	sql_add(&sql, id);
	add_account(&sql, account_id);
	sql_add(&sql, SQL("ORDER BY m.id LIMIT 1"));
	enum result result = db_read_one(db, &sql, FIELDS(read_rows), monitor, arena, error);
	if (result == OK)
		monitors_complete(monitor, 1, arena);
	return result;
}

enum result monitor_update(struct db *db, const struct monitor *monitor, bool is_on_page,
			   struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("UPDATE monitors m " CHECK_JOIN "SET " SETS "m.paused_at = ?, "
			    "m.updated_at = ?, " CHECK_CHANGED "WHERE m.id = ?"));
	columns_bind(&sql, FIELDS(updated_rows), monitor);
	sql_add(&sql, monitor->paused_at, monitor->updated_at, monitor->updated_at, monitor->id);
	enum result result = db_write(db, &sql, &done, error);
	if (result == OK && done.rows == 0)
		result = E_NOT_FOUND;
	const struct publication_change change = { .monitor_id = monitor->id,
						   .now = monitor->updated_at };
	return result == OK && is_on_page ? publication_mark_dirty(db, &change, error) : result;
}

enum result monitors_store_change(struct db *db, const struct monitors_change *change,
				  struct arena *arena, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitors m " CHECK_JOIN "SET "));
	if (change->sets_group)
		sql_add(&sql, SQL("m.`group` = ?, "), change->group);
	if (change->sets_pause && change->is_paused)
		sql_add(&sql, SQL("m.is_paused = 1, m.paused_at = COALESCE(m.paused_at, ?), "),
			change->now);
	else if (change->sets_pause)
		sql_add(&sql, SQL("m.is_paused = 0, m.paused_at = NULL, "));
	sql_add(&sql, SQL("m.updated_at = ?, " CHECK_CHANGED "WHERE m.id IN ("), change->now,
		change->now);
	sql_list_ints(&sql, change->ids->ids, change->ids->count, arena);
	sql_add(&sql, SQL(")"));
	return db_write(db, &sql, NULL, error);
}

enum result monitor_lock(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
			 struct monitor *monitor, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " MONITOR_COLUMNS_READ "m.id FROM monitors m WHERE m.id = ? "),
		  id);
	add_account(&sql, account_id);
	sql_add(&sql, SQL("ORDER BY m.id LIMIT 1 FOR UPDATE"));
	return db_read_one(db, &sql, FIELDS(locked_rows), monitor, arena, error);
}

enum result monitors_lock(struct db *db, int64_t account_id, const struct id_list *ids,
			  struct arena *arena, struct error *error)
{
	static const struct field rows[] = { FIELD(struct monitor, id) };
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < ids->count; from += size) {
		struct sql_build sql;
		struct db_list found = { 0 };
		size = sql_rows_chunk(&sql_list, ids->count - from);
		/* Lock in the order of ids: an index by account would lock in another order. */
		sql_start(&sql, SQL("SELECT m.id FROM monitors m FORCE INDEX (PRIMARY) "
				    "WHERE m.id IN ("));
		sql_list_ints(&sql, ids->ids + from, size, arena);
		sql_add(&sql, SQL(") "));
		add_account(&sql, account_id);
		sql_add(&sql, SQL("ORDER BY m.id LIMIT ? FOR UPDATE"), (int64_t)size);
		result = db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct monitor, size), arena,
				      &found, error);
		if (result == OK && found.count < size)
			result = E_NOT_FOUND;
	}
	return result;
}

enum result monitors_read(struct db *db, const struct id_list *ids, struct arena *arena,
			  struct monitor_list *list, struct error *error)
{
	/* clang-format off */
	static const struct field rows[] = {
		MONITOR_FIELDS(COLUMN_READ_ROW, struct monitor, 0)
		FIELD(struct monitor, alert_channel_ids), FIELD(struct monitor, id),
	};
	/* clang-format on */
	struct sql_build sql;
	struct db_list found = { 0 };
	sql_start(&sql, SQL("SELECT " MONITOR_COLUMNS_READ MONITOR_CHANNELS_READ
			    ", m.id FROM monitors m WHERE m.id IN ("));
	sql_list_ints(&sql, ids->ids, ids->count, arena);
	sql_add(&sql, SQL(") ORDER BY m.id LIMIT ?"), (int64_t)ids->count);
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(rows), struct monitor, ids->count), arena, &found, error);
	*list = (struct monitor_list){ found.rows, found.count };
	return result;
}

enum result monitor_retire(struct db *db, int64_t id, struct instant now, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql,
		  SQL("UPDATE monitors m " CHECK_JOIN "SET m.retired_at = "
		      "COALESCE(m.retired_at, ?), m.label = NULL, m.updated_at = ?, " CHECK_CHANGED
		      "WHERE m.id = ?"));
	sql_add(&sql, now, now, now, id);
	enum result result = db_write(db, &sql, &done, error);
	if (result == OK && done.rows == 0)
		return E_NOT_FOUND;
	const struct publication_change change = { .monitor_id = id,
						   .is_shown_by_api = true,
						   .now = now };
	if (result == OK)
		result = publication_mark_dirty(db, &change, error);
	if (result != OK)
		return result;
	/* Copy is_retired to status_page_monitors, so that lists of pages need not read the
	 * monitors. */
	sql_start(&sql, SQL("UPDATE status_page_monitors SET is_retired = 1 WHERE monitor_id = ?"),
		  id);
	return db_write(db, &sql, NULL, error);
}

enum result monitor_detach(struct db *db, int64_t id, struct instant now, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	const struct publication_change change = { .monitor_id = id,
						   .is_shown_by_api = true,
						   .now = now };
	enum result result = publication_mark_dirty(db, &change, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("UPDATE monitors m " CHECK_JOIN "SET m.retired_at = "
			    "COALESCE(m.retired_at, ?), m.removed_at = COALESCE(m.removed_at, ?), "
			    "m.label = NULL, " CHECK_CHANGED "WHERE m.id = ?"));
	sql_add(&sql, now, now, now, id);
	result = db_write(db, &sql, &done, error);
	if (result == OK && done.rows == 0)
		return E_NOT_FOUND;
	sql_start(&sql, SQL("DELETE FROM status_page_monitors WHERE monitor_id = ?"), id);
	return result == OK ? db_write(db, &sql, NULL, error) : result;
}

enum result monitor_remove(struct db *db, int64_t id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM monitors WHERE id = ?"), id);
	return db_write_found(db, &sql, error);
}

enum result monitor_next_removed(struct db *db, struct instant before, int64_t after_id,
				 struct arena *arena, int64_t *id, struct error *error)
{
	static const struct field rows[] = { FIELD(struct monitor, id) };
	struct monitor found = { 0 };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT m.id FROM monitors m WHERE m.removed_at < ? AND m.id > ? "
			    "ORDER BY m.id LIMIT 1"));
	sql_add(&sql, before, after_id);
	enum result result = db_read_one(db, &sql, FIELDS(rows), &found, arena, error);
	*id = found.id;
	return result;
}
