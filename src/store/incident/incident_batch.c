#include "store/incident/incident_batch.h"

#include <string.h>

#include "store/incident/incident_months.h"
#include "store/page/publication.h"

static const struct sql_rows given_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS monitor_id, CAST(? AS CHAR) AS title, "
		   "CAST(? AS CHAR) AS cause, CAST(? AS DATETIME) AS started_at, "
		   "CAST(? AS DATETIME) AS ended_at, CAST(? AS SIGNED) AS impact" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS CHAR), CAST(? AS CHAR), "
		  "CAST(? AS DATETIME), CAST(? AS DATETIME), CAST(? AS SIGNED)" },
};

static enum result insert_some(const struct incident_batch *batch,
			       const struct batch_incident *rows, size_t count, int64_t *first_id)
{
	struct sql_build sql;
	struct db_done done;
	arena_reset(batch->row);
	sql_start(&sql, SQL("INSERT INTO incidents (account_id, monitor_id, title, cause, "
			    "started_at, ended_at, impact, created_at, updated_at, revision) "
			    "SELECT ?, given.monitor_id, given.title, given.cause, "
			    "given.started_at, given.ended_at, given.impact, ?, ?, 1 FROM ("));
	sql_int(&sql, batch->account_id);
	sql_time(&sql, batch->now);
	sql_time(&sql, batch->now);
	sql_rows_begin(&sql, &given_rows, count, batch->row);
	for (size_t i = 0; i < count; i++) {
		sql_int(&sql, rows[i].monitor_id);
		sql_text(&sql, rows[i].title);
		sql_text(&sql, rows[i].cause);
		sql_time(&sql, rows[i].started_at);
		sql_time(&sql, rows[i].ended_at);
		sql_int(&sql, rows[i].impact);
	}
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") given WHERE given.monitor_id IS NOT NULL"));
	enum result result = db_write(batch->db, &sql, &done, batch->error);
	*first_id = done.id;
	if (result == E_CONFLICT)
		return error_log(batch->error, E_RETRY, "an incident was opened meanwhile");
	return result;
}

struct inserted {
	int64_t id;
	int64_t monitor_id;
	struct instant started_at;
};

/*
 * Reads the ids of the rows that were inserted: a database may leave gaps between the ids of a
 * statement. From the first of them on, the locked monitors have no other incidents.
 */
static enum result read_ids(const struct incident_batch *batch, struct batch_incident *rows,
			    size_t count, int64_t first_id)
{
	static const struct field fields[] = { FIELD(struct inserted, id),
					       FIELD(struct inserted, monitor_id),
					       FIELD(struct inserted, started_at) };
	struct sql_build sql;
	struct db_list found;
	arena_reset(batch->row);
	int64_t *monitors = ARENA_ARRAY(batch->row, count, int64_t);
	for (size_t i = 0; i < count; i++)
		monitors[i] = rows[i].monitor_id;
	sql_start(&sql, SQL("SELECT i.id, i.monitor_id, i.started_at FROM incidents i "
			    "FORCE INDEX (PRIMARY) WHERE i.id >= ? AND i.account_id = ? "
			    "AND i.monitor_id IN ("));
	sql_int(&sql, first_id);
	sql_int(&sql, batch->account_id);
	sql_list_ints(&sql, monitors, count, batch->row);
	sql_add(&sql, SQL(") ORDER BY i.monitor_id, i.started_at, i.id LIMIT ?"));
	sql_int(&sql, (int64_t)count + 1);
	enum result result = db_read_list(batch->db, &sql,
					  DB_SHAPE(FIELDS(fields), struct inserted, count + 1),
					  batch->row, &found, batch->error);
	const struct inserted *inserted = found.rows;
	bool is_same = result == OK && found.count == count;
	for (size_t i = 0; is_same && i < count; i++) {
		is_same = inserted[i].monitor_id == rows[i].monitor_id &&
			  inserted[i].started_at.s == rows[i].started_at.s;
		rows[i].id = inserted[i].id;
	}
	if (result == OK && !is_same)
		return error_log(batch->error, E_FAILED, "incidents differ from those inserted");
	return result;
}

enum result incident_batch_insert(const struct incident_batch *batch, struct batch_incident *rows,
				  size_t count)
{
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		int64_t first_id;
		size = sql_rows_chunk(&given_rows, count - from);
		result = insert_some(batch, rows + from, size, &first_id);
		if (result == OK && size > 1)
			result = read_ids(batch, rows + from, size, first_id);
		else
			rows[from].id = first_id;
	}
	return result;
}

static const struct sql_rows moved_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS id, CAST(? AS DATETIME) AS started_at, "
		   "CAST(? AS DATETIME) AS ended_at, CAST(? AS SIGNED) AS impact" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS DATETIME), "
		  "CAST(? AS DATETIME), CAST(? AS SIGNED)" },
};

static enum result move_some(const struct incident_batch *batch, const struct batch_incident *rows,
			     size_t count)
{
	struct sql_build sql;
	arena_reset(batch->row);
	sql_start(&sql, SQL("UPDATE ("));
	sql_rows_begin(&sql, &moved_rows, count, batch->row);
	for (size_t i = 0; i < count; i++) {
		sql_int(&sql, rows[i].id);
		sql_time(&sql, rows[i].started_at);
		sql_time(&sql, rows[i].ended_at);
		sql_int(&sql, rows[i].impact);
	}
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") given STRAIGHT_JOIN incidents i ON i.id = given.id "
			  "SET i.started_at = given.started_at, i.ended_at = given.ended_at, "
			  "i.impact = GREATEST(i.impact, given.impact), "
			  "i.revision = i.revision + 1, i.updated_at = ? WHERE i.account_id = ?"));
	sql_time(&sql, batch->now);
	sql_int(&sql, batch->account_id);
	return db_write(batch->db, &sql, NULL, batch->error);
}

enum result incident_batch_move(const struct incident_batch *batch,
				const struct batch_incident *rows, size_t count)
{
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		size = sql_rows_chunk(&moved_rows, count - from);
		result = move_some(batch, rows + from, size);
	}
	return result;
}

/*
 * Rows that add to stored numbers. A list is filled up with copies of its last row, so that row
 * must add nothing: each list ends with a row that adds 0.
 */
static const struct sql_rows count_rows = {
	.first = { "(?, ?, ?, ?)" },
	.next = { ", (?, ?, ?, ?)" },
	.repeats_last = true,
};

static void add_count(struct sql_build *sql, const struct incident_batch *batch, int64_t monitor_id,
		      int status, int64_t change)
{
	sql_int(sql, monitor_id);
	sql_int(sql, status);
	sql_int(sql, batch->account_id);
	sql_int(sql, change);
}

/* How many stored numbers a row changes. */
typedef size_t change_count(const struct batch_incident *row);

static size_t counts_of(const struct batch_incident *row)
{
	if (row->former_status == row->status)
		return 0;
	return row->former_status == BATCH_NO_STATUS ? 1 : 2;
}

static size_t months_of(const struct batch_incident *row)
{
	return row->former_start.s == row->started_at.s ? 1 : 2;
}

/* The rows of the next statement, and how many numbers they change. */
struct piece {
	const struct batch_incident *rows;
	size_t count;
	size_t changes;
};

/* Room is left for the row that adds 0. */
static struct piece next_piece(const struct sql_rows *list, const struct batch_incident *rows,
			       size_t count, change_count *changes_of)
{
	struct piece piece = { .rows = rows };
	size_t most = sql_rows_chunk(list, SQL_ROWS_MAX) - 1;
	for (; piece.count < count && piece.changes + 2 <= most; piece.count++)
		piece.changes += changes_of(&rows[piece.count]);
	return piece;
}

static enum result count_piece(const struct incident_batch *batch, const struct piece *piece)
{
	struct sql_build sql;
	const struct batch_incident *row = piece->rows;
	arena_reset(batch->row);
	sql_start(&sql, SQL("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
			    "VALUES "));
	sql_rows_begin(&sql, &count_rows, piece->changes + 1, batch->row);
	for (size_t i = 0; i < piece->count; i++) {
		if (counts_of(&piece->rows[i]) == 0)
			continue;
		row = &piece->rows[i];
		add_count(&sql, batch, row->monitor_id, row->status, 1);
		if (row->former_status != BATCH_NO_STATUS)
			add_count(&sql, batch, row->monitor_id, row->former_status, -1);
	}
	add_count(&sql, batch, row->monitor_id, row->status, 0);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE total = total + VALUES(total)"));
	return db_write(batch->db, &sql, NULL, batch->error);
}

enum result incident_batch_count(const struct incident_batch *batch,
				 const struct batch_incident *rows, size_t count)
{
	enum result result = OK;
	struct piece piece;
	for (size_t from = 0; result == OK && from < count; from += piece.count) {
		piece = next_piece(&count_rows, rows + from, count - from, counts_of);
		if (piece.changes > 0)
			result = count_piece(batch, &piece);
	}
	return result;
}

static const struct sql_rows month_rows = {
	.first = { "(?, DATE_FORMAT(?, '%Y-%m-01'), ?)" },
	.next = { ", (?, DATE_FORMAT(?, '%Y-%m-01'), ?)" },
	.repeats_last = true,
};

static void add_month(struct sql_build *sql, int64_t monitor_id, struct instant at, int64_t change)
{
	sql_int(sql, monitor_id);
	sql_time(sql, at);
	sql_int(sql, change);
}

static enum result touch_piece(const struct incident_batch *batch, const struct piece *piece)
{
	struct sql_build sql;
	const struct batch_incident *row = piece->rows;
	arena_reset(batch->row);
	sql_start(&sql, SQL("INSERT INTO incident_months (monitor_id, month, revision) VALUES "));
	sql_rows_begin(&sql, &month_rows, piece->changes + 1, batch->row);
	for (size_t i = 0; i < piece->count; i++) {
		row = &piece->rows[i];
		add_month(&sql, row->monitor_id, row->started_at, 1);
		if (row->former_start.s != row->started_at.s)
			add_month(&sql, row->monitor_id, row->former_start, 1);
	}
	add_month(&sql, row->monitor_id, row->started_at, 0);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE revision = revision + VALUES(revision)"));
	return db_write(batch->db, &sql, NULL, batch->error);
}

static enum result touch_later_months(const struct incident_batch *batch,
				      const struct batch_incident *rows, size_t count)
{
	struct later_months months = { .arena = batch->row };
	arena_reset(batch->row);
	for (size_t i = 0; i < count; i++) {
		const struct batch_incident *row = &rows[i];
		bool is_later = row->former_start.s > row->started_at.s;
		later_months_add(&months, row->monitor_id,
				 is_later ? row->started_at : row->former_start, row->ended_at);
	}
	return later_months_touch(batch->db, &months, batch->error);
}

enum result incident_batch_touch_months(const struct incident_batch *batch,
					const struct batch_incident *rows, size_t count)
{
	enum result result = OK;
	struct piece piece;
	for (size_t from = 0; result == OK && from < count; from += piece.count) {
		piece = next_piece(&month_rows, rows + from, count - from, months_of);
		result = touch_piece(batch, &piece);
	}
	return result == OK ? touch_later_months(batch, rows, count) : result;
}
