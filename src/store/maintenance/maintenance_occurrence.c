/* The occurrences of maintenance windows. */
#include "domain/page/uptime.h"
#include "store/maintenance/maintenance.h"
#include "store/maintenance/maintenance_columns.h"

static const struct field occurrence_rows[] = { OCCURRENCE_ROWS };

#define OCCURRENCES \
	"SELECT " OCCURRENCE_COLUMNS "FROM maintenance_occurrences o " \
	"JOIN maintenances m ON m.id = o.maintenance_id "

static enum result read_occurrences(struct db *db, const struct sql_build *sql, size_t most,
				    struct arena *arena, struct maintenance_occurrence_list *list,
				    struct error *error)
{
	struct db_list found;
	const struct db_shape shape = { FIELDS(occurrence_rows),
					sizeof(struct maintenance_occurrence), most };
	enum result result = db_read_list(db, sql, &shape, arena, &found, error);
	*list = (struct maintenance_occurrence_list){ found.rows, found.count };
	return result;
}

enum result maintenance_occurrences_ahead(struct db *db, int64_t maintenance_id, struct instant now,
					  struct arena *arena,
					  struct maintenance_occurrence_list *list,
					  struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(OCCURRENCES "WHERE o.maintenance_id = ? AND o.starts_at > ? "
					"ORDER BY o.starts_at, o.id LIMIT 2000"));
	sql_add(&sql, maintenance_id, now);
	return read_occurrences(db, &sql, 2000, arena, list, error);
}

enum result maintenance_occurrences_next(struct db *db, int64_t maintenance_id, struct instant now,
					 int64_t limit, struct arena *arena,
					 struct maintenance_occurrence_list *list,
					 struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(OCCURRENCES "WHERE o.maintenance_id = ? AND o.is_dropped = 0 "
					"AND (o.ends_at > ? OR (m.auto_transition = 0 "
					"AND o.status <= 2)) ORDER BY o.ends_at, o.id LIMIT ?"));
	sql_add(&sql, maintenance_id, now, limit);
	return read_occurrences(db, &sql, (size_t)limit, arena, list, error);
}

/* sql_rows_end() adds rows with only NULLs. Statements skip them, because their id is NULL. */
static const struct sql_rows given_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS id, CAST(? AS DATETIME) AS starts_at, "
		   "CAST(? AS DATETIME) AS ends_at, CAST(? AS SIGNED) AS status, "
		   "CAST(? AS SIGNED) AS is_dropped, CAST(? AS SIGNED) AS is_reminded, "
		   "CAST(? AS DATETIME) AS next_at, CAST(? AS DATETIME) AS updated_at" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS DATETIME), "
		  "CAST(? AS DATETIME), CAST(? AS SIGNED), CAST(? AS SIGNED), CAST(? AS SIGNED), "
		  "CAST(? AS DATETIME), CAST(? AS DATETIME)" },
};

static void add_given(struct sql_build *sql, const struct maintenance_occurrence *rows,
		      size_t count, struct arena *arena)
{
	sql_rows_begin(sql, &given_rows, count, arena);
	for (size_t i = 0; i < count; i++) {
		const struct maintenance_occurrence *row = &rows[i];
		sql_add(sql, row->id, row->starts_at, row->ends_at, row->status, row->is_dropped,
			row->is_reminded, row->next_at, row->updated_at);
	}
	sql_rows_end(sql);
}

static enum result insert_some(struct db *db, int64_t maintenance_id,
			       const struct maintenance_occurrence *rows, size_t count,
			       struct arena *arena, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO maintenance_occurrences (maintenance_id, starts_at, "
			    "ends_at, status, is_dropped, is_reminded, next_at, "
			    "created_at, updated_at) SELECT ?, given.starts_at, given.ends_at, "
			    "given.status, given.is_dropped, given.is_reminded, given.next_at, "
			    "given.updated_at, given.updated_at FROM ("));
	sql_add(&sql, maintenance_id);
	add_given(&sql, rows, count, arena);
	sql_add(&sql, SQL(") given WHERE given.id IS NOT NULL"));
	return db_write(db, &sql, NULL, error);
}

static enum result update_some(struct db *db, const struct maintenance_occurrence *rows,
			       size_t count, struct arena *arena, struct error *error)
{
	struct sql_build sql;
	/* STRAIGHT_JOIN forces the order of the tables. In the other order MySQL would lock all
	 * rows. */
	sql_start(&sql, SQL("UPDATE ("));
	add_given(&sql, rows, count, arena);
	sql_add(&sql, SQL(") given STRAIGHT_JOIN maintenance_occurrences o ON o.id = given.id "
			  "SET o.starts_at = given.starts_at, o.ends_at = given.ends_at, "
			  "o.status = given.status, o.is_dropped = given.is_dropped, "
			  "o.is_reminded = given.is_reminded, o.next_at = given.next_at, "
			  "o.updated_at = given.updated_at"));
	return db_write(db, &sql, NULL, error);
}

enum result maintenance_occurrences_put(struct db *db, int64_t maintenance_id,
					const struct maintenance_occurrence *rows, size_t count,
					struct arena *arena, struct error *error)
{
	struct maintenance_occurrence *sorted =
		ARENA_ARRAY(arena, count, struct maintenance_occurrence);
	size_t stored = 0, at = 0;
	enum result result = OK;
	for (size_t i = 0; i < count; i++)
		if (rows[i].id > 0)
			sorted[stored++] = rows[i];
	at = stored;
	for (size_t i = 0; i < count; i++)
		if (rows[i].id == 0)
			sorted[at++] = rows[i];
	for (size_t from = 0, some; result == OK && from < count; from += some) {
		bool is_stored = from < stored;
		some = sql_rows_chunk(&given_rows, (is_stored ? stored : count) - from);
		result = is_stored ? update_some(db, sorted + from, some, arena, error)
				   : insert_some(db, maintenance_id, sorted + from, some, arena,
						 error);
	}
	return result;
}

enum result maintenance_occurrences_cancel(struct db *db, int64_t maintenance_id,
					   struct instant now, struct error *error)
{
	struct sql_build sql;
	/* Skip an occurrence that is over by the clock. It counts as completed, even if the
	 * background loop has not stored this yet. */
	sql_start(&sql, SQL("UPDATE maintenances m JOIN maintenance_occurrences o "
			    "ON o.maintenance_id = m.id SET o.status = 4, o.next_at = NULL, "
			    "o.updated_at = ? "
			    "WHERE m.id = ? AND o.status <= 2 "
			    "AND (o.ends_at > ? OR m.auto_transition = 0)"));
	sql_add(&sql, now, maintenance_id, now);
	return db_write(db, &sql, NULL, error);
}

enum result maintenance_occurrences_forget(struct db *db, int64_t maintenance_id,
					   struct instant now, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM maintenance_occurrences WHERE maintenance_id = ? "
			    "AND is_dropped = 1 AND updated_at < ?"));
	sql_add(&sql, maintenance_id,
		(struct instant){ now.s - MAINTENANCE_CANCELLED_DAYS * DAY_S });
	return db_write(db, &sql, NULL, error);
}

#define DUE(member) FIELD(struct maintenance_due, member)
static const struct field due_rows[] = { OCCURRENCE_ROWS DUE(account_id), DUE(title) };

enum result maintenance_find_due(struct db *db, struct instant now, struct arena *arena,
				 struct id_list *ids, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT o.maintenance_id AS id FROM maintenance_occurrences o "
			    "WHERE o.next_at <= ? ORDER BY o.next_at, o.id LIMIT 200"));
	sql_add(&sql, now);
	return db_read_ids(db, &sql, MAINTENANCE_DUE_MAX, arena, ids, error);
}

enum result maintenance_lock_due(struct db *db, struct instant now, const struct id_list *ids,
				 struct arena *arena, struct maintenance_due_list *list,
				 struct error *error)
{
	struct sql_build sql;
	/* STRAIGHT_JOIN locks the windows before their occurrences, as all other writes do. */
	sql_start(&sql, SQL("SELECT " OCCURRENCE_COLUMNS ", m.account_id, m.title "
			    "FROM maintenances m STRAIGHT_JOIN maintenance_occurrences o "
			    "ON o.maintenance_id = m.id AND o.next_at <= ? WHERE m.id IN ("));
	sql_add(&sql, now);
	sql_list_ints(&sql, ids->ids, ids->count, arena);
	sql_add(&sql, SQL(") ORDER BY o.next_at, o.id LIMIT 200 FOR UPDATE"));
	return db_read_into(db, &sql, FIELDS(due_rows), DB_INTO(list, MAINTENANCE_DUE_MAX), arena,
			    error);
}
