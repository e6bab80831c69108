/*
 * The hours of checked monitors, and their days, which are computed from the hours. The keys of
 * both tables begin with the time. So a statement about certain monitors must list each hour or
 * day.
 */
#include "store/check/check_store.h"

enum {
	SCRATCH_MAX_BYTES = 64 << 20,
	HOUR_SECONDS = 3600,
	DAY_SECONDS = 86400,
	HOURS = 24,
	PART = 64, /* a statement lists at most 64 monitors, and at most 64 hours or days */
};

/* The largest values that the columns hold: MEDIUMINT UNSIGNED, and INT UNSIGNED for sums of
 * response times. */
#define COUNT_MAX    16777215
#define RESPONSE_MAX 4294967295
static void add_int(struct sql_build *sql, int64_t number, int64_t most)
{
	sql_add(sql, number < 0 ? 0 : number > most ? most : number);
}

#define SUM_COLUMNS \
	"monitor_id, checks, failures, response_sum_ms, response_min_ms, response_max_ms"
#define SUM_UPDATES \
	" ON DUPLICATE KEY UPDATE checks = VALUES(checks), failures = VALUES(failures), " \
	"response_sum_ms = VALUES(response_sum_ms), response_min_ms = VALUES(response_min_ms), " \
	"response_max_ms = VALUES(response_max_ms)"

/* Stores hours: of monitors in monitor_hours, or, if are_parts is true, of single locations in
 * location_hours. */
static enum result store_hours(struct db *db, bool are_parts, const struct checked_hour *rows,
			       size_t count, struct error *error)
{
	static const struct sql_rows wholes = { .first = { "(?, ?, ?, ?, ?, ?, ?)" },
						.next = { ", (?, ?, ?, ?, ?, ?, ?)" },
						.repeats_last = true };
	static const struct sql_rows parts = { .first = { "(?, ?, ?, ?, ?, ?, ?, ?)" },
					       .next = { ", (?, ?, ?, ?, ?, ?, ?, ?)" },
					       .repeats_last = true };
	const struct sql_rows *shape = are_parts ? &parts : &wholes;
	struct arena scratch CLEANUP(arena_done);
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(shape, count - from);
		sql_start(
			&sql,
			are_parts
				? SQL("INSERT INTO location_hours (location_id, hour, " SUM_COLUMNS
				      ") VALUES ")
				: SQL("INSERT INTO monitor_hours (hour, " SUM_COLUMNS ") VALUES "));
		sql_rows_begin(&sql, shape, size, &scratch);
		for (size_t i = from; i < from + size; i++) {
			const struct check_hour *hour = &rows[i].hour;
			if (are_parts)
				sql_add(&sql, rows[i].location_id);
			sql_add(&sql, hour->hour, rows[i].monitor_id);
			add_int(&sql, hour->checks, COUNT_MAX);
			add_int(&sql, hour->failures, COUNT_MAX);
			add_int(&sql, hour->response_sum_ms, RESPONSE_MAX);
			add_int(&sql, hour->response_min_ms, COUNT_MAX);
			add_int(&sql, hour->response_max_ms, COUNT_MAX);
		}
		sql_rows_end(&sql);
		sql_add(&sql, SQL(SUM_UPDATES));
		result = db_write(db, &sql, NULL, error);
		arena_reset(&scratch);
	}
	return result;
}

#define SUMS_SUMMED \
	"LEAST(SUM(checks), 16777215), LEAST(SUM(failures), 16777215), " \
	"LEAST(SUM(response_sum_ms), 4294967295), " \
	"COALESCE(MIN(IF(checks > failures, response_min_ms, NULL)), 0), MAX(response_max_ms) "

/* Makes rows of monitor_hours. A row is the sum of the rows that the locations of the monitor have
 * for the hour. Runs one statement for all monitors of an hour. */
static enum result add_parts(struct db *db, const struct checked_hour *rows, size_t count,
			     struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	int64_t ids[PART];
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	for (size_t i = 0; result == OK && i < count;) {
		struct instant hour = rows[i].hour.hour;
		struct sql_build sql;
		size_t chosen = 0;
		for (; i < count && chosen < PART && rows[i].hour.hour.s == hour.s; i++)
			ids[chosen++] = rows[i].monitor_id;
		sql_start(&sql, SQL("INSERT INTO monitor_hours (hour, " SUM_COLUMNS ") "
				    "SELECT hour, monitor_id, " SUMS_SUMMED
				    "FROM location_hours WHERE hour = ? AND monitor_id IN ("));
		sql_add(&sql, hour);
		sql_list_ints(&sql, ids, chosen, &scratch);
		sql_add(&sql, SQL(") GROUP BY hour, monitor_id" SUM_UPDATES));
		result = db_write(db, &sql, NULL, error);
		arena_reset(&scratch);
	}
	return result;
}

/* Makes the rows of one day, for up to PART monitors, from the rows of its hours. */
static enum result make_day(struct db *db, struct instant day, const struct id_list *ids,
			    struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	struct sql_build sql;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	sql_start(&sql, SQL("INSERT INTO monitor_days (day, " SUM_COLUMNS ") "
			    "SELECT CAST(? AS DATE), monitor_id, " SUMS_SUMMED
			    "FROM monitor_hours WHERE hour IN ("));
	sql_add(&sql, day);
	sql_list_times(&sql, day, HOUR_SECONDS, HOURS, &scratch);
	sql_add(&sql, SQL(") AND monitor_id IN ("));
	sql_list_ints(&sql, ids->ids, ids->count, &scratch);
	sql_add(&sql, SQL(") GROUP BY monitor_id ORDER BY monitor_id" SUM_UPDATES));
	return db_write(db, &sql, NULL, error);
}

enum result check_hours_store(struct db *db, const struct checked_hour *rows, size_t count,
			      struct error *error)
{
	int64_t ids[PART];
	size_t wholes = 0, parts = 0;
	struct arena scratch CLEANUP(arena_done);
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	struct checked_hour *whole = ARENA_ARRAY(&scratch, count, struct checked_hour);
	struct checked_hour *part = ARENA_ARRAY(&scratch, count, struct checked_hour);
	for (size_t i = 0; i < count; i++)
		*(rows[i].is_part ? &part[parts++] : &whole[wholes++]) = rows[i];
	enum result result = store_hours(db, false, whole, wholes, error);
	if (result == OK)
		result = store_hours(db, true, part, parts, error);
	if (result == OK)
		result = add_parts(db, part, parts, error);
	/* The rows are sorted by hour, so the rows of a day are adjacent. */
	for (size_t i = 0; result == OK && i < count;) {
		struct id_list list = { ids, 0 };
		struct instant day = { 0 };
		for (; i < count && list.count < PART; i++) {
			int64_t day_s = rows[i].hour.hour.s - rows[i].hour.hour.s % DAY_SECONDS;
			if (!rows[i].makes_day)
				continue;
			if (list.count > 0 && day_s != day.s)
				break;
			day.s = day_s;
			ids[list.count++] = rows[i].monitor_id;
		}
		id_list_settle(&list);
		if (list.count > 0)
			result = make_day(db, day, &list, error);
	}
	return result;
}

struct span {
	struct instant first, last;
};
static const struct field span_rows[] = { FIELD(struct span, first), FIELD(struct span, last) };

static enum result read_span(struct db *db, struct sql text, struct span *span, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, text);
	return db_read_one(db, &sql, FIELDS(span_rows), span, NULL, error);
}

#define SPAN_OF_HOURS SQL("SELECT MIN(hour) AS first, MAX(hour) AS last FROM monitor_hours")
#define SPAN_OF_DAYS \
	SQL("SELECT CAST(MIN(day) AS DATETIME) AS first, CAST(MAX(day) AS DATETIME) AS last " \
	    "FROM monitor_days")

enum result check_hours_newest(struct db *db, struct instant *newest, struct error *error)
{
	struct span span = { 0 };
	enum result result = read_span(db, SPAN_OF_HOURS, &span, error);
	*newest = span.last;
	return result;
}

/* Deletes the rows of the monitors in the table of hours or of days. */
static enum result delete_sums(struct db *db, struct sql text, const struct span *span,
			       int64_t step_s, const struct id_list *ids, int64_t *deleted,
			       struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	for (int64_t at_s = span->first.s; result == OK && at_s > 0 && at_s <= span->last.s;
	     at_s += PART * step_s) {
		struct sql_build sql;
		struct db_done done = { 0 };
		sql_start(&sql, text);
		sql_list_times(&sql, (struct instant){ at_s }, step_s, PART, &scratch);
		sql_add(&sql, SQL(") AND monitor_id IN ("));
		sql_list_ints(&sql, ids->ids, ids->count, &scratch);
		sql_add(&sql, SQL(")"));
		result = db_write(db, &sql, &done, error);
		*deleted += done.rows;
		arena_reset(&scratch);
	}
	return result;
}

enum result check_sums_delete(struct db *db, const struct id_list *ids, int64_t *deleted,
			      struct error *error)
{
	struct span hours = { 0 }, days = { 0 };
	*deleted = 0;
	enum result result = read_span(db, SPAN_OF_HOURS, &hours, error);
	if (result == OK)
		result = read_span(db, SPAN_OF_DAYS, &days, error);
	if (result == OK)
		result = delete_sums(db, SQL("DELETE FROM monitor_hours WHERE hour IN ("), &hours,
				     HOUR_SECONDS, ids, deleted, error);
	return result == OK ? delete_sums(db, SQL("DELETE FROM monitor_days WHERE day IN ("), &days,
					  DAY_SECONDS, ids, deleted, error)
			    : result;
}

enum result check_sums_prune(struct db *db, enum check_sums sums, struct instant before,
			     bool *is_more, struct error *error)
{
	static const struct sql texts[] = {
		[CHECK_HOURS] = { "DELETE FROM monitor_hours WHERE hour < ? "
				  "ORDER BY hour, monitor_id LIMIT ?" },
		[CHECK_LOCATION_HOURS] = { "DELETE FROM location_hours WHERE hour < ? "
					   "ORDER BY hour LIMIT ?" },
		[CHECK_DAYS] = { "DELETE FROM monitor_days WHERE day < ? "
				 "ORDER BY day, monitor_id LIMIT ?" },
	};
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, texts[sums], before, CHECK_PRUNED_ROWS);
	enum result result = db_write(db, &sql, &done, error);
	*is_more = result == OK && done.rows == CHECK_PRUNED_ROWS;
	return result;
}
