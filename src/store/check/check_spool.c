#include "store/check/check_spool.h"

static const struct sql_rows given_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS place, CAST(? AS SIGNED) AS monitor_id, "
		   "CAST(? AS SIGNED) AS kind, CAST(? AS SIGNED) AS value, "
		   "CAST(? AS SIGNED) AS age" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS SIGNED), CAST(? AS SIGNED), "
		  "CAST(? AS SIGNED), CAST(? AS SIGNED)" },
};

/* Adds the signals that the monitor's present type accepts: a heartbeat only for type heartbeat. */
static enum result add_some(struct db *db, const struct check_signal *rows, size_t count,
			    struct instant now, struct arena *arena, int64_t *added,
			    struct error *error)
{
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, SQL("INSERT INTO check_signals (monitor_id, kind, value, at) "
			    "SELECT m.id, given.kind, given.value, "
			    "UTC_TIMESTAMP() - INTERVAL given.age SECOND FROM ("));
	sql_rows_begin(&sql, &given_rows, count, arena);
	for (size_t i = 0; i < count; i++)
		sql_add(&sql, (int64_t)i, rows[i].monitor_id, rows[i].kind, rows[i].value,
			rows[i].at.s < now.s ? now.s - rows[i].at.s : 0);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") given STRAIGHT_JOIN monitors m ON m.id = given.monitor_id "
			  "AND m.retired_at IS NULL STRAIGHT_JOIN monitor_checks c ON c.monitor_id "
			  "= m.id "
			  "AND (c.type = ?) = (given.kind <> ?) "
			  "WHERE given.kind <> ? OR NOT EXISTS (SELECT 1 FROM check_signals s "
			  "WHERE s.monitor_id = given.monitor_id AND s.kind = ?) "
			  "ORDER BY given.place"));
	sql_add(&sql, CHECK_HEARTBEAT);
	for (int i = 0; i < 3; i++)
		sql_add(&sql, SIGNAL_CHECK_NOW);
	enum result result = db_write(db, &sql, &done, error);
	*added += done.rows;
	return result;
}

enum result check_signals_send(struct db *db, const struct check_signal *rows, size_t count,
			       struct instant now, int64_t *added, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	enum result result = OK;
	arena_init(&arena, 16 << 20);
	*added = 0;
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		size = sql_rows_chunk(&given_rows, count - from);
		result = add_some(db, rows + from, size, now, &arena, added, error);
	}
	return result;
}

enum result check_spool_find(struct db *db, const char *id, int64_t *moved, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT moved FROM check_spools WHERE id = ? FOR UPDATE"), id);
	enum result result = db_read_int(db, &sql, moved, error);
	return result == E_NOT_FOUND ? OK : result;
}

enum result check_spool_store(struct db *db, const char *id, int64_t moved, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO check_spools (id, moved, moved_at) "
			    "VALUES (?, ?, UTC_TIMESTAMP()) "
			    "ON DUPLICATE KEY UPDATE moved = ?, moved_at = UTC_TIMESTAMP()"));
	sql_add(&sql, id, moved, moved);
	return db_write(db, &sql, NULL, error);
}

enum result check_spool_forget(struct db *db, const char *id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM check_spools WHERE id = ? "
			    "OR moved_at < UTC_TIMESTAMP() - INTERVAL 90 DAY"));
	sql_add(&sql, id);
	return db_write(db, &sql, NULL, error);
}
